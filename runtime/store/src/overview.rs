//! Queries of the console's overview: the newest runs of all applications, what failed, what waits, and what is due next.

use crate::sql::{self, Connection, Row};

/// A workflow job that is no sub-workflow, without its properties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunRow {
    pub id: String,
    pub app: String,
    /// As in the store.
    pub status: String,
    /// Times are milliseconds since 1970.
    pub created: i64,
    pub started: Option<i64>,
    pub ended: Option<i64>,
    /// A coordinator's action, such as `7-C@3`.
    pub parent_id: Option<String>,
    pub error_code: Option<String>,
    pub error_message: Option<String>,
}

impl RunRow {
    const COLUMNS: &'static str =
        "id, app, status, created, started, ended, parent_id, error_code, error_message";

    fn read(row: &Row<'_>) -> sql::Result<RunRow> {
        Ok(RunRow {
            id: row.get(0)?,
            app: row.get(1)?,
            status: row.get(2)?,
            created: row.get(3)?,
            started: row.get(4)?,
            ended: row.get(5)?,
            parent_id: row.get(6)?,
            error_code: row.get(7)?,
            error_message: row.get(8)?,
        })
    }

    /// How long it ran, until `now` if it has not ended; milliseconds.
    pub fn took(&self, now: i64) -> Option<i64> {
        Some(self.ended.unwrap_or(now) - self.started?)
    }
}

/// Workflow jobs that no other workflow started: those of people, of programs, and of coordinators.
const IS_RUN: &str = "kind = 'W' AND (parent_id IS NULL OR instr(parent_id, '-C@') > 0)";

/// The newest runs of all applications, the newest first.
pub fn newest_runs(connection: &Connection, limit: u32) -> sql::Result<Vec<RunRow>> {
    let sql = format!(
        "SELECT {} FROM jobs WHERE {IS_RUN} ORDER BY created DESC, id DESC LIMIT ?1",
        RunRow::COLUMNS
    );
    connection
        .prepare_cached(&sql)?
        .query_map([limit], RunRow::read)?
        .collect()
}

/// The newest runs of an application, the newest first.
pub fn runs_of(connection: &Connection, app: &str, limit: u32) -> sql::Result<Vec<RunRow>> {
    let sql = format!(
        "SELECT {} FROM jobs WHERE {IS_RUN} AND app = ?1 ORDER BY created DESC, id DESC LIMIT ?2",
        RunRow::COLUMNS
    );
    connection
        .prepare_cached(&sql)?
        .query_map((app, limit), RunRow::read)?
        .collect()
}

/// A job of any kind that has not ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenJob {
    pub id: String,
    pub app: String,
    /// The state of its kind.
    pub status: String,
    pub started: Option<i64>,
    /// The job that was started with it: itself, or the one above all others.
    pub root: String,
}

/// The jobs of all kinds that have not ended, the newest first.
pub fn open_jobs(connection: &Connection) -> sql::Result<Vec<OpenJob>> {
    connection
        .prepare_cached(
            "SELECT id, app, coalesce((SELECT status FROM coordinators WHERE job_id = jobs.id),
                 (SELECT status FROM bundles WHERE job_id = jobs.id), status), started, root_id
             FROM jobs WHERE status IN ('RUNNING', 'SUSPENDED') ORDER BY created DESC, id DESC",
        )?
        .query_map([], |row| {
            Ok(OpenJob {
                id: row.get(0)?,
                app: row.get(1)?,
                status: row.get(2)?,
                started: row.get(3)?,
                root: row.get(4)?,
            })
        })?
        .collect()
}

/// An action that waits for a person: the job is suspended at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StuckRow {
    pub job_id: String,
    pub app: String,
    pub node: String,
    pub error_code: Option<String>,
    pub error_message: Option<String>,
    pub since: Option<i64>,
}

/// The actions that wait for a person.
pub fn stuck(connection: &Connection) -> sql::Result<Vec<StuckRow>> {
    connection
        .prepare_cached(
            "SELECT job_id, app, name, actions.error_code, actions.error_message, actions.started
             FROM jobs JOIN actions ON job_id = jobs.id
             WHERE jobs.status IN ('RUNNING', 'SUSPENDED') AND actions.status = 'START_MANUAL'
             ORDER BY job_id, name",
        )?
        .query_map([], |row| {
            Ok(StuckRow {
                job_id: row.get(0)?,
                app: row.get(1)?,
                node: row.get(2)?,
                error_code: row.get(3)?,
                error_message: row.get(4)?,
                since: row.get(5)?,
            })
        })?
        .collect()
}

/// The failed actions of a coordinator that nobody has rerun or ignored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedActions {
    pub job_id: String,
    pub app: String,
    pub count: i64,
    /// The numbers of the first and of the last, and the workflow of the last.
    pub first: i64,
    pub last: i64,
    /// The nominal time of the last, in milliseconds since 1970.
    pub nominal: i64,
}

/// By coordinator: the actions with a nominal time not before `since` that failed, were killed or timed out.
pub fn failed_actions(connection: &Connection, since: i64) -> sql::Result<Vec<FailedActions>> {
    connection
        .prepare_cached(
            "SELECT job_id, app, count(*), min(number), max(number), max(nominal_time)
             FROM coordinator_actions JOIN jobs ON jobs.id = job_id
             WHERE coordinator_actions.status IN ('FAILED', 'KILLED', 'TIMEDOUT') AND nominal_time >= ?1
             GROUP BY job_id, app ORDER BY max(nominal_time) DESC",
        )?
        .query_map([since], |row| {
            Ok(FailedActions {
                job_id: row.get(0)?,
                app: row.get(1)?,
                count: row.get(2)?,
                first: row.get(3)?,
                last: row.get(4)?,
                nominal: row.get(5)?,
            })
        })?
        .collect()
}

/// A coordinator that will create or has created actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueRow {
    pub job_id: String,
    pub app: String,
    pub status: String,
    pub frequency: String,
    /// The next nominal time, in milliseconds since 1970; `None` after the last.
    pub next: Option<i64>,
    /// How many actions wait, and the earliest nominal time of these.
    pub waiting: i64,
    pub waits_since: Option<i64>,
}

/// The coordinators that have not ended, the one that is due next first.
pub fn due(connection: &Connection, limit: u32) -> sql::Result<Vec<DueRow>> {
    connection
        .prepare_cached(
            "SELECT coordinators.job_id, app, coordinators.status, frequency, next_time,
                 (SELECT count(*) FROM coordinator_actions WHERE job_id = jobs.id AND status = 'WAITING'),
                 (SELECT min(nominal_time) FROM coordinator_actions WHERE job_id = jobs.id AND status = 'WAITING')
             FROM coordinators JOIN jobs ON jobs.id = coordinators.job_id
             WHERE jobs.status IN ('PREP', 'RUNNING', 'SUSPENDED')
             ORDER BY next_time IS NULL, next_time, jobs.id LIMIT ?1",
        )?
        .query_map([limit], |row| {
            Ok(DueRow {
                job_id: row.get(0)?,
                app: row.get(1)?,
                status: row.get(2)?,
                frequency: row.get(3)?,
                next: row.get(4)?,
                waiting: row.get(5)?,
                waits_since: row.get(6)?,
            })
        })?
        .collect()
}

/// How long the last actions of a coordinator waited for their data before their workflows were created: milliseconds, at most `limit`.
pub fn waits(connection: &Connection, coordinator: &str, limit: u32) -> sql::Result<Vec<i64>> {
    connection
        .prepare_cached(
            "SELECT max(0, jobs.created - max(nominal_time, coordinator_actions.created))
             FROM coordinator_actions JOIN jobs ON jobs.id = workflow_id
             WHERE job_id = ?1 ORDER BY number DESC LIMIT ?2",
        )?
        .query_map((coordinator, limit), |row| row.get(0))?
        .collect()
}

/// A service level with the name of its job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlaLine {
    pub job_id: String,
    pub app: String,
    /// Empty for the job itself.
    pub node: String,
    pub nominal: i64,
    pub expected_end: i64,
    pub actual_end: Option<i64>,
    /// Of the events so far the missed ones: `START_MISS`, `DURATION_MISS`, `END_MISS`.
    pub missed: Vec<String>,
    pub status: String,
}

/// The service levels that should have been met between `from` and `to`, the latest first.
pub fn slas_between(connection: &Connection, from: i64, to: i64) -> sql::Result<Vec<SlaLine>> {
    connection
        .prepare_cached(
            "SELECT job_id, app, node, nominal, expected_end, actual_end, start_event, duration_event, end_event,
                 slas.status
             FROM slas JOIN jobs ON jobs.id = job_id
             WHERE expected_end >= ?1 AND expected_end <= ?2 ORDER BY expected_end DESC, job_id, node LIMIT 500",
        )?
        .query_map((from, to), |row| {
            let events: [Option<String>; 3] = [row.get(6)?, row.get(7)?, row.get(8)?];
            let missed = events.into_iter().flatten();
            Ok(SlaLine {
                job_id: row.get(0)?,
                app: row.get(1)?,
                node: row.get(2)?,
                nominal: row.get(3)?,
                expected_end: row.get(4)?,
                actual_end: row.get(5)?,
                missed: missed.filter(|event| event.ends_with("_MISS")).collect(),
                status: row.get(9)?,
            })
        })?
        .collect()
}

/// The number of the last line of the log of all jobs.
pub fn last_line(connection: &Connection) -> sql::Result<i64> {
    connection
        .prepare_cached("SELECT coalesce(max(id), 0) FROM log")?
        .query_row([], |row| row.get(0))
}

/// The last run of an application before `before` that SUCCEEDED, as its id.
pub fn last_success(
    connection: &Connection,
    app: &str,
    before: i64,
) -> sql::Result<Option<String>> {
    let sql = format!(
        "SELECT id FROM jobs WHERE {IS_RUN} AND app = ?1 AND status = 'SUCCEEDED' AND created < ?2
         ORDER BY created DESC, id DESC LIMIT 1"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query((app, before))?;
    rows.next()?.map(|row| row.get(0)).transpose()
}

#[cfg(test)]
mod tests {
    use hpdlc_core::status::JobStatus;

    use super::*;
    use crate::{JobRow, query};

    fn store() -> Connection {
        let connection = crate::testing::store();
        for (id, app, status, created, parent) in [
            ("1-W", "load", JobStatus::Succeeded, 10, None),
            ("2-W", "load", JobStatus::Killed, 20, Some("9-C@1")),
            ("3-W", "part", JobStatus::Succeeded, 30, Some("2-W")),
            ("9-C", "nightly", JobStatus::Running, 5, None),
        ] {
            let job = JobRow {
                app: app.to_owned(),
                status,
                started: Some(created),
                ended: Some(created + 5),
                parent_id: parent.map(str::to_owned),
                ..JobRow::new(id, created)
            };
            query::insert_job(&connection, &job).unwrap();
        }
        for (number, status, nominal) in [(1, "KILLED", 15), (2, "WAITING", 40), (3, "WAITING", 50)]
        {
            connection
                .execute(
                    "INSERT INTO coordinator_actions (job_id, number, status, nominal_time, created, workflow_id,
                         revision, run, since, inputs, keeps_workflow)
                     VALUES ('9-C', ?1, ?2, ?3, 12, ?4, 0, 0, 0, '', 0)",
                    (number, status, nominal, (number == 1).then_some("2-W")),
                )
                .unwrap();
        }
        connection
            .execute(
                "INSERT INTO coordinators (job_id, status, frequency, timezone, start_time, end_time, next_time,
                     last_number, is_done, revision)
                 VALUES ('9-C', 'RUNNING', '60', 'UTC', 0, 100, 60, 3, 0, 0)",
                [],
            )
            .unwrap();
        connection
    }

    #[test]
    fn sub_workflows_are_no_runs_of_their_own() {
        let store = store();
        let ids = |runs: Vec<RunRow>| -> Vec<String> { runs.into_iter().map(|it| it.id).collect() };
        assert_eq!(ids(newest_runs(&store, 9).unwrap()), ["2-W", "1-W"]);
        assert_eq!(ids(newest_runs(&store, 1).unwrap()), ["2-W"]);
        assert_eq!(ids(runs_of(&store, "load", 9).unwrap()), ["2-W", "1-W"]);
        assert!(runs_of(&store, "part", 9).unwrap().is_empty());
        let success = |before| last_success(&store, "load", before).unwrap();
        assert_eq!(success(20).as_deref(), Some("1-W"));
        assert_eq!(success(10), None);
    }

    #[test]
    fn what_failed_and_what_waits_is_counted_by_coordinator() {
        let store = store();
        let failed = failed_actions(&store, 0).unwrap();
        assert_eq!(
            (failed[0].count, failed[0].first, failed[0].last),
            (1, 1, 1)
        );
        assert!(failed_actions(&store, 16).unwrap().is_empty());
        let due = due(&store, 9).unwrap();
        assert_eq!((due[0].next, due[0].waiting), (Some(60), 2));
        assert_eq!(due[0].waits_since, Some(40));
        // Created at 12 for the time 15, with a workflow at 20.
        assert_eq!(waits(&store, "9-C", 9).unwrap(), [5]);
        let open = open_jobs(&store).unwrap();
        assert_eq!(open.len(), 1);
        assert_eq!(open[0].status, "RUNNING");
    }
}
