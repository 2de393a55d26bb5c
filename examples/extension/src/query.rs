//! A statement that the warehouse runs. It may take hours, and goes on whatever happens here.

use hpdlc_flow::{Context, Data, Id, Remote, Result, State, Uri, action_type, error, transient};

use crate::service::Service;

/// Runs a statement in the warehouse.
#[action_type(
    element = "warehouse-query",
    namespace = "uri:acme:warehouse-query:1.0"
)]
#[derive(Debug)]
pub struct WarehouseQuery {
    /// The address of the warehouse, such as `http://warehouse:8080`.
    pub service: Uri,
    /// What it runs.
    pub statement: String,
    /// A table that nobody else changes meanwhile.
    #[element("lock")]
    pub locks: Vec<String>,
    /// From 0 to 9, 9 first.
    pub priority: Option<u8>,
}

/// What the warehouse answers.
#[derive(Data, Debug, PartialEq)]
pub struct Answered {
    /// How many rows the statement has changed.
    pub rows: u64,
}

impl Remote for WarehouseQuery {
    type Data = Answered;

    fn find(&self, cx: &Context) -> Result<Option<Id>> {
        let path = format!("/queries?tag={}", cx.tag());
        let answer = Service::at(&self.service)?.call("GET", &path, "")?;
        match answer.status {
            200 => Ok(Some(Id::new(answer.body.trim()))),
            404 => Ok(None),
            _ => Err(answer.error()),
        }
    }

    fn start(&self, cx: &Context) -> Result<Id> {
        let service = Service::at(&self.service)?;
        let mut order = format!("priority {}\n", self.priority.unwrap_or(5));
        for table in &self.locks {
            order.push_str(&format!("lock {table}\n"));
        }
        order.push_str(&self.statement);
        // Without a connection nothing was sent. Every later error of the network is `?`: whether the request arrived is not known.
        let connection = service
            .connect()
            .map_err(|e| transient("WAREHOUSE_DOWN", format!("{}: {e}", self.service)))?;
        let path = format!("/queries?tag={}", cx.tag());
        let answer = service.exchange(connection, "POST", &path, &order)?;
        match answer.status {
            201 => Ok(Id::new(answer.body.trim())),
            _ => Err(answer.error()),
        }
    }

    fn check(&self, _: &Context, id: &Id) -> Result<State<Answered>> {
        let answer = Service::at(&self.service)?.call("GET", &format!("/queries/{id}"), "")?;
        if answer.status != 200 {
            return Err(answer.error());
        }
        let (state, rest) = answer
            .body
            .trim()
            .split_once(' ')
            .unwrap_or((answer.body.trim(), ""));
        match state {
            "DONE" => Ok(State::Done(Answered {
                rows: rest.parse()?,
            })),
            "FAILED" => Ok(State::Failed(error("QUERY_FAILED", rest))),
            _ => Ok(State::Running),
        }
    }

    fn kill(&self, _: &Context, id: &Id) -> Result<()> {
        let answer = Service::at(&self.service)?.call("DELETE", &format!("/queries/{id}"), "")?;
        match answer.status {
            200 | 404 => Ok(()),
            _ => Err(answer.error()),
        }
    }
}
