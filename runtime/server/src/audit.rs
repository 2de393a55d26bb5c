//! `audit`: the commands that servers of the state folder were given, by whom, and what became of them.

use clap::Args;
use hpdlc_engine::owner::Session;
use hpdlc_host::{
    clock,
    exit::{Exit, RunError},
};
use hpdlc_runtime::fleet::{
    self,
    columns::{self, Columns},
    short_id,
};
use hpdlc_store::audit::{self, AuditRow};
use serde_json::json;

#[derive(Debug, Args)]
pub(super) struct Audit {
    /// Those for one job, by id or number
    #[arg(value_name = "JOB")]
    job: Option<String>,
    /// How many at most: the last ones
    #[arg(short, value_name = "N", default_value_t = 50, conflicts_with = "job")]
    n: u32,
    /// A JSON object a line
    #[arg(long)]
    json: bool,
}

impl Audit {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        let job = match &self.job {
            Some(id) => Some(fleet::find_job(session, id)?),
            None => None,
        };
        let connection = session.store()?;
        let rows = match &job {
            Some(job) => audit::of_job(&connection, &job.id),
            None => audit::last(&connection, self.n),
        };
        let rows = rows.map_err(|error| session.describe(error))?;
        if self.json {
            for row in &rows {
                fleet::print_json(&to_json(row))?;
            }
        } else if rows.is_empty() {
            fleet::print("no commands by a server yet\n")?;
        } else {
            fleet::print(&table(&rows))?;
        }
        Ok(Exit::Success)
    }
}

fn to_json(row: &AuditRow) -> serde_json::Value {
    json!({
        "time": clock::format_millis(row.time),
        "user": row.user,
        "proxy": row.proxy,
        "token": row.token,
        "address": row.address,
        "operation": row.operation,
        "job": row.job_id,
        "parameter": row.parameter,
        "ended": row.ended.and_then(clock::format_millis),
        "status": row.status,
        "code": row.code,
        "message": row.message,
    })
}

fn table(rows: &[AuditRow]) -> String {
    let titles = [
        "TIME",
        "USER",
        "TOKEN",
        "ADDRESS",
        "OPERATION",
        "JOB",
        "STATUS",
        "CODE",
    ];
    let mut columns = Columns::new(&titles);
    let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
    for row in rows {
        let time = fleet::format_local(Some(row.time));
        let user = match &row.proxy {
            None => text(&row.user),
            Some(proxy) => format!("{} by {proxy}", text(&row.user)),
        };
        let job = row.job_id.as_deref().map_or("-", short_id);
        columns.row(vec![
            time.get(..19).unwrap_or(&time).to_owned(),
            user,
            text(&row.token),
            text(&row.address),
            row.operation.clone(),
            job.to_owned(),
            row.status
                .map_or_else(|| "unknown".to_owned(), |it| it.to_string()),
            text(&row.code),
        ]);
    }
    columns.text_within(columns::width())
}
