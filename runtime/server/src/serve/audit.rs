//! What the audit keeps of a command: who gave it, from where, and how it ended (`oozieaudit` of Oozie).

use axum::{
    http::{Method, StatusCode},
    response::Response,
};
use hpdlc_host::clock;
use hpdlc_store::{
    JobRow,
    audit::{self, AuditEnd, AuditRow},
    sql::Connection,
};

use crate::serve::{
    call::Call,
    failure::Failure,
    proof::Proof,
    reply::{Created, Reply},
};

/// Longer texts are cut: they are the caller's.
const MOST_CHARS: usize = 2_000;
/// An id has at most 255 characters.
const MOST_ID: usize = 255;
/// Parameters that say who calls or what is done, which has columns of its own.
const NO_PARAMETERS: [&str; 5] = ["action", "user.name", "user", "doAs", "timezone"];

/// Does what a request asks for; if that changes something, with an entry before and after it.
///
/// # Errors
///
/// Those of `work`; 500 if the entry cannot be made, and then nothing is done.
pub(crate) fn recorded(call: &Call, work: impl FnOnce() -> Reply) -> Reply {
    if matches!(call.method, Method::GET | Method::HEAD | Method::OPTIONS) {
        return work();
    }
    entered(call, row(call), work, of_response)
}

/// As [`recorded`], for one job of a request that is about several.
///
/// # Errors
///
/// As of [`recorded`].
pub(crate) fn recorded_for(
    call: &Call,
    job: &JobRow,
    work: impl FnOnce() -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut row = row(call);
    row.job_id = Some(job.id.clone());
    entered(call, row, work, |()| AuditEnd {
        status: StatusCode::OK.as_u16(),
        ..AuditEnd::default()
    })
}

fn entered<T>(
    call: &Call,
    row: AuditRow,
    work: impl FnOnce() -> Result<T, Failure>,
    of_done: impl FnOnce(&T) -> AuditEnd,
) -> Result<T, Failure> {
    let entry = Entry::begin(call, &row)?;
    let done = work();
    entry.end(done.as_ref().map_or_else(of_failure, of_done));
    done
}

/// An entry that has begun.
pub(crate) struct Entry {
    connection: Connection,
    id: i64,
    time: i64,
}

impl Entry {
    /// # Errors
    ///
    /// 500 if the entry cannot be made: then nothing may be done.
    fn begin(call: &Call, row: &AuditRow) -> Result<Entry, Failure> {
        let failed = |error| call.server.failed(error);
        // One of its own: it commits without waiting for the disk.
        let connection = call.server.session.store()?;
        audit::without_sync(&connection).map_err(failed)?;
        let id = audit::begin(&connection, row).map_err(failed)?;
        Ok(Entry {
            connection,
            id,
            time: row.time,
        })
    }

    /// When it was made, in milliseconds since 1970.
    pub(crate) fn time(&self) -> i64 {
        self.time
    }

    /// Says how it ended.
    pub(crate) fn end(&self, end: AuditEnd) {
        let end = AuditEnd {
            time: clock::now_millis(),
            ..end
        };
        // It was done or not by now: the answer says which, even if the entry stays open.
        let _ = audit::end(&self.connection, self.id, &end);
    }
}

/// Begins the entry of a command of `hpdl` for a job, if it is for one.
///
/// # Errors
///
/// As of [`Entry::begin`].
pub(crate) fn entry_of_command(
    call: &Call,
    job: Option<&JobRow>,
    arguments: &[String],
) -> Result<Entry, Failure> {
    let operation = arguments.first().cloned().unwrap_or_default();
    let others = arguments.get(1..).unwrap_or_default().join(" ");
    let row = AuditRow {
        operation: cut(&operation, MOST_ID),
        job_id: job.map(|job| job.id.clone()),
        parameter: Some(cut(&others, MOST_CHARS)).filter(|given| !given.is_empty()),
        ..row(call)
    };
    Entry::begin(call, &row)
}

fn of_response(response: &Response) -> AuditEnd {
    AuditEnd {
        status: response.status().as_u16(),
        job_id: response
            .extensions()
            .get::<Created>()
            .map(|it| it.id.clone()),
        ..AuditEnd::default()
    }
}

/// How a refused or failed request ends.
pub(crate) fn of_failure(failure: &Failure) -> AuditEnd {
    AuditEnd {
        status: failure.status.as_u16(),
        code: failure.code.clone(),
        message: Some(cut(&failure.message, MOST_CHARS)),
        ..AuditEnd::default()
    }
}

/// The entry of a command that begins.
fn row(call: &Call) -> AuditRow {
    let given = call.parameters.others(&NO_PARAMETERS);
    let token = match &call.caller.proof {
        Proof::Token { id, .. } => Some(id.clone()),
        Proof::Simple | Proof::Kerberos => None,
    };
    AuditRow {
        time: clock::now_millis(),
        user: call.user.clone(),
        proxy: call.proxy.clone(),
        token,
        address: call.address.map(|address| address.to_string()),
        operation: cut(&operation(call), MOST_ID),
        job_id: (call.resource() == "job").then(|| cut(&call.rest, MOST_ID)),
        parameter: Some(cut(&given, MOST_CHARS)).filter(|given| !given.is_empty()),
        ..AuditRow::default()
    }
}

/// The action, as Oozie's audit names it; what has none by its path.
fn operation(call: &Call) -> String {
    match (call.parameters.get("action"), call.resource()) {
        (Some(action), _) => action.to_owned(),
        (None, "jobs") if call.method == Method::POST => "submit".to_owned(),
        (None, "admin") => call.rest.clone(),
        (None, resource) => resource.to_owned(),
    }
}

fn cut(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}
