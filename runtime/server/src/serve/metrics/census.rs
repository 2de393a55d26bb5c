//! What the store says of all jobs at once.

use hpdlc_store::sql::{self, Connection};

/// Jobs of one kind, application and state.
#[derive(Clone, Debug)]
pub(super) struct JobGroup {
    /// `workflow`, `coordinator`, `bundle`.
    pub(super) kind: String,
    pub(super) app: String,
    pub(super) status: String,
    pub(super) n: i64,
    /// What those that have ended took together, in milliseconds.
    pub(super) run_millis: Option<i64>,
}

/// Actions of the coordinators of one application that are in one state and have not ended.
#[derive(Clone, Debug)]
pub(super) struct ActionGroup {
    pub(super) app: String,
    pub(super) status: String,
    pub(super) n: i64,
    /// How long ago the oldest of those that have not started was due, in milliseconds.
    pub(super) late_millis: Option<i64>,
}

#[derive(Clone, Debug)]
pub(super) struct Census {
    pub(super) jobs: Vec<JobGroup>,
    pub(super) coordinator_actions: Vec<ActionGroup>,
    pub(super) open_commands: i64,
}

impl Census {
    /// At `now`, in milliseconds since 1970.
    pub(super) fn take(connection: &Connection, now: i64) -> sql::Result<Census> {
        Ok(Census {
            jobs: jobs(connection)?,
            coordinator_actions: actions(connection, now)?,
            open_commands: connection.query_row(
                "SELECT count(*) FROM commands WHERE handled IS NULL",
                [],
                |row| row.get(0),
            )?,
        })
    }
}

fn jobs(connection: &Connection) -> sql::Result<Vec<JobGroup>> {
    let sql =
        "SELECT CASE kind WHEN 'C' THEN 'coordinator' WHEN 'B' THEN 'bundle' ELSE 'workflow' END,
                   app, coalesce(coordinators.status, bundles.status, jobs.status) AS shown,
                   count(*), sum(ended - started)
               FROM jobs
               LEFT JOIN coordinators ON kind = 'C' AND coordinators.job_id = id
               LEFT JOIN bundles ON kind = 'B' AND bundles.job_id = id
               GROUP BY kind, app, shown";
    connection
        .prepare(sql)?
        .query_map([], |row| {
            Ok(JobGroup {
                kind: row.get(0)?,
                app: row.get(1)?,
                status: row.get(2)?,
                n: row.get(3)?,
                run_millis: row.get(4)?,
            })
        })?
        .collect()
}

fn actions(connection: &Connection, now: i64) -> sql::Result<Vec<ActionGroup>> {
    // Those of coordinators that have ended wait for nothing.
    let sql = "SELECT jobs.app, a.status, count(*),
                   ?1 - min(CASE WHEN a.status IN ('WAITING', 'READY', 'SUBMITTED')
                            AND a.nominal_time <= ?1 THEN a.nominal_time END)
               FROM jobs JOIN coordinator_actions a ON a.job_id = jobs.id
               WHERE jobs.kind = 'C' AND jobs.status NOT IN ('SUCCEEDED', 'KILLED', 'FAILED')
               AND a.status IN ('WAITING', 'READY', 'SUBMITTED', 'RUNNING', 'SUSPENDED')
               GROUP BY jobs.app, a.status";
    connection
        .prepare(sql)?
        .query_map([now], |row| {
            Ok(ActionGroup {
                app: row.get(0)?,
                status: row.get(1)?,
                n: row.get(2)?,
                late_millis: row.get(3)?,
            })
        })?
        .collect()
}
