//! Queries of `info`, `jobs`, `log` and `recover`.

use std::collections::HashMap;

use hpdlc_host::job_id::JobKind;

use crate::{
    ActionRow, JobRow, LogRow,
    sql::{self, Connection, Dialect, OptionalExtension},
};

/// The sequence of job numbers: one for jobs of all kinds.
pub const JOBS: &str = "jobs";

/// A number that changes when another connection has written.
pub fn data_version(connection: &Connection) -> sql::Result<i64> {
    let sql = match connection.dialect() {
        Dialect::Sqlite => "PRAGMA data_version",
        // Where the log of changes ends.
        Dialect::Postgres => "SELECT (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint",
    };
    connection
        .prepare_cached(sql)?
        .query_row([], |row| row.get(0))
}

pub fn job(connection: &Connection, id: &str) -> sql::Result<Option<JobRow>> {
    let sql = format!("SELECT {} FROM jobs WHERE id = ?1", JobRow::COLUMNS);
    connection
        .prepare_cached(&sql)?
        .query_row([id], JobRow::read)
        .optional()
}

/// The job whose id starts with a number of [`JOBS`], which is unique.
pub fn job_of_number(connection: &Connection, number: u64) -> sql::Result<Option<JobRow>> {
    let sql = format!(
        "SELECT {} FROM jobs WHERE id > ?1 AND id < ?2",
        JobRow::COLUMNS
    );
    // In ASCII the full stop follows the hyphen.
    let (first, last) = (format!("{number:07}-"), format!("{number:07}."));
    connection
        .prepare(&sql)?
        .query_row([first, last], JobRow::read)
        .optional()
}

/// The newest job that was not started by another.
pub fn newest(connection: &Connection) -> sql::Result<Option<JobRow>> {
    let sql = format!(
        "SELECT {} FROM jobs WHERE parent_id IS NULL ORDER BY created DESC, id DESC LIMIT 1",
        JobRow::COLUMNS
    );
    connection
        .prepare(&sql)?
        .query_row([], JobRow::read)
        .optional()
}

/// The newest job of an application; one started by another job only if there is no other.
pub fn newest_of(connection: &Connection, app: &str) -> sql::Result<Option<JobRow>> {
    let sql = format!(
        "SELECT {} FROM jobs WHERE app = ?1 ORDER BY parent_id IS NOT NULL, created DESC, id DESC LIMIT 1",
        JobRow::COLUMNS
    );
    connection
        .prepare(&sql)?
        .query_row([app], JobRow::read)
        .optional()
}

/// The jobs of an application and a key, the newest first; `kind` is the last letter of their ids.
pub fn jobs_of_key(
    connection: &Connection,
    key: &str,
    app: &str,
    kind: &str,
) -> sql::Result<Vec<JobRow>> {
    let sql = format!(
        "SELECT {} FROM jobs WHERE key = ?1 AND app = ?2 AND kind = ?3 ORDER BY created DESC, id DESC",
        JobRow::COLUMNS
    );
    connection
        .prepare(&sql)?
        .query_map([key, app, kind], JobRow::read)?
        .collect()
}

/// The job and the sub-workflow jobs below it, in order of creation.
pub fn job_tree(connection: &Connection, root: &str) -> sql::Result<Vec<JobRow>> {
    let sql = format!(
        "SELECT {} FROM jobs WHERE root_id = ?1 ORDER BY depth, id",
        JobRow::COLUMNS
    );
    connection
        .prepare_cached(&sql)?
        .query_map([root], JobRow::read)?
        .collect()
}

/// The jobs of a sub-workflow's node that other executables run: each is at the top of its own tree.
pub fn children_elsewhere(
    connection: &Connection,
    job: &str,
    node: &str,
) -> sql::Result<Vec<JobRow>> {
    let sql = format!(
        "SELECT {} FROM jobs WHERE parent_id = ?1 AND parent_node = ?2 AND root_id = id ORDER BY id",
        JobRow::COLUMNS
    );
    connection
        .prepare_cached(&sql)?
        .query_map([job, node], JobRow::read)?
        .collect()
}

/// Top jobs that need an owner at `now` (milliseconds since 1970): running, with work that has yet to be confirmed as ended, with an
/// unhandled command, or with a service level that is due. Coordinators and bundles that have ended are commanded, too: to run again, by their
/// workflows, and who gave the command may have died before there was an owner. A workflow that has ended has nothing to do.
pub fn unfinished_roots(connection: &Connection, now: i64) -> sql::Result<Vec<JobRow>> {
    let sql = format!(
        "SELECT {} FROM jobs WHERE id IN (
             SELECT root_id FROM jobs WHERE status = 'RUNNING'
             UNION SELECT root_id FROM jobs JOIN actions ON job_id = jobs.id WHERE canceling <> 0
             UNION SELECT root_id FROM jobs JOIN commands ON job_id = jobs.id
                 WHERE handled IS NULL AND (status IN ('PREP', 'RUNNING', 'SUSPENDED') OR kind <> 'W')
             UNION SELECT root_id FROM jobs JOIN slas ON job_id = jobs.id WHERE due <= ?1
         ) ORDER BY created, id",
        JobRow::COLUMNS
    );
    connection
        .prepare_cached(&sql)?
        .query_map([now], JobRow::read)?
        .collect()
}

/// Whether anything that was canceled in the tree has yet to be confirmed as ended.
pub fn is_canceling(connection: &Connection, root: &str) -> sql::Result<bool> {
    connection
        .prepare(
            "SELECT EXISTS (SELECT 1 FROM jobs JOIN actions ON job_id = jobs.id WHERE root_id = ?1 AND canceling <> 0)",
        )?
        .query_row([root], |row| row.get(0))
}

/// The ids of top jobs that have not ended, whatever the format of the store.
pub fn unfinished_ids(connection: &Connection) -> sql::Result<Vec<String>> {
    connection
        .prepare(
            "SELECT DISTINCT root_id FROM jobs WHERE status NOT IN ('SUCCEEDED', 'KILLED', 'FAILED') ORDER BY root_id",
        )?
        .query_map([], |row| row.get(0))?
        .collect()
}

/// The nodes that a job has entered, in the order in which they started: the start node is first, also after a rerun that
/// skipped nodes of earlier runs.
pub fn actions(connection: &Connection, job: &str) -> sql::Result<Vec<ActionRow>> {
    let sql = format!(
        "SELECT {} FROM actions WHERE job_id = ?1
         ORDER BY type <> ':START:', started IS NULL, started, name",
        ActionRow::COLUMNS
    );
    connection
        .prepare_cached(&sql)?
        .query_map([job], ActionRow::read)?
        .collect()
}

/// The first log line of each node in the current run of a job.
pub fn entered(connection: &Connection, job: &str) -> sql::Result<HashMap<String, i64>> {
    connection
        .prepare(
            "SELECT node, min(id) FROM log WHERE job_id = ?1 AND node IS NOT NULL AND id > coalesce(
                 (SELECT max(id) FROM log WHERE job_id = ?1 AND node IS NULL AND event = 'RERUN'), 0)
             GROUP BY node",
        )?
        .query_map([job], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect()
}

/// When a job entered a state last, in milliseconds since 1970.
pub fn last_change(connection: &Connection, job: &str, status: &str) -> sql::Result<Option<i64>> {
    connection
        .prepare(
            "SELECT time FROM log WHERE job_id = ?1 AND node IS NULL AND event = ?2 ORDER BY id DESC LIMIT 1",
        )?
        .query_row((job, status), |row| row.get(0))
        .optional()
}

/// One node of a job, if the job has entered it.
pub fn action(connection: &Connection, job: &str, name: &str) -> sql::Result<Option<ActionRow>> {
    let sql = format!(
        "SELECT {} FROM actions WHERE job_id = ?1 AND name = ?2",
        ActionRow::COLUMNS
    );
    connection
        .prepare_cached(&sql)?
        .query_row((job, name), ActionRow::read)
        .optional()
}

/// Log lines of a job and its children after row `after`, with their row ids.
pub fn log(connection: &Connection, root: &str, after: i64) -> sql::Result<Vec<(i64, LogRow)>> {
    connection
        .prepare_cached(
            "SELECT log.id, job_id, time, node, event, message FROM log
             WHERE log.id > ?2 AND job_id IN (SELECT id FROM jobs WHERE id = ?1 OR root_id = ?1)
             ORDER BY log.id",
        )?
        .query_map((root, after), |row| Ok((row.get(0)?, LogRow::read(row)?)))?
        .collect()
}

/// The first log line that is needed for the state of a job: for a workflow the first of its current run, for a coordinator or a bundle
/// that of a running workflow unless the job's own is later; without any of them the next line to be written.
pub fn first_line(connection: &Connection, job: &str) -> sql::Result<Option<i64>> {
    let of_job: Option<i64> = connection
        .prepare("SELECT coalesce(max(CASE WHEN event = 'RERUN' AND node IS NULL THEN id END), min(id)) FROM log WHERE job_id = ?1")?
        .query_row([job], |row| row.get(0))?;
    if JobKind::of(job) == JobKind::Workflow {
        return Ok(of_job);
    }
    // Few workflows of other jobs run.
    let of_workflows: Option<i64> = connection
        .prepare(
            "SELECT min(log.id) FROM jobs JOIN log ON log.job_id = jobs.id
             WHERE jobs.status = 'RUNNING' AND jobs.kind = 'W'",
        )?
        .query_row([], |row| row.get(0))?;
    let end: Option<i64> = connection
        .prepare("SELECT max(id) + 1 FROM log")?
        .query_row([], |row| row.get(0))?;
    Ok(of_workflows.max(of_job).or(end))
}

/// Every line of the log after row `after`.
pub fn log_after(connection: &Connection, after: i64) -> sql::Result<Vec<(i64, LogRow)>> {
    connection
        .prepare_cached(
            "SELECT id, job_id, time, node, event, message FROM log WHERE id > ?1 ORDER BY id",
        )?
        .query_map([after], |row| Ok((row.get(0)?, LogRow::read(row)?)))?
        .collect()
}

/// Writes a new job.
pub fn insert_job(connection: &Connection, job: &JobRow) -> sql::Result<()> {
    job.write(connection)
}

/// Becomes the owner of a job tree; returns the epoch that every later transaction must find (a fencing token), and `None` if the tree no
/// longer exists.
pub fn take_ownership(
    connection: &Connection,
    root: &str,
    pid: u32,
    host: Option<&str>,
) -> sql::Result<Option<i64>> {
    connection
        .prepare_cached(
            "UPDATE jobs SET epoch = epoch + 1, owner_pid = ?2, owner_host = ?3 WHERE id = ?1 RETURNING epoch",
        )?
        .query_row((root, pid, host), |row| row.get(0))
        .optional()
}

/// The next number of a sequence, for instance that of job ids.
pub fn next_number(connection: &Connection, sequence: &str) -> sql::Result<i64> {
    connection
        .prepare_cached(
            "INSERT INTO sequences (name, value) VALUES (?1, 1)
             ON CONFLICT (name) DO UPDATE SET value = sequences.value + 1 RETURNING value",
        )?
        .query_row([sequence], |row| row.get(0))
}

/// A row of `definitions`: an executable that jobs belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefinitionRow {
    pub hash: String,
    pub app: String,
    pub hpdlc_version: String,
    pub created: i64,
    pub origin: ApplicationOrigin,
    /// The executable's path when it was kept.
    pub program: String,
    /// The texts of its nodes that are secrets, for executables without its nodes.
    pub secrets: Option<String>,
}

/// How a workflow is contained in its executable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApplicationOrigin {
    /// The executable has our command line: any other can have it drive its jobs.
    Program,
    /// A workflow embedded in a user's program, which recovers its own jobs.
    Library,
}

impl ApplicationOrigin {
    fn name(self) -> &'static str {
        match self {
            ApplicationOrigin::Program => "program",
            ApplicationOrigin::Library => "library",
        }
    }
}

/// The recorded secrets of a definition.
pub fn secrets_of(connection: &Connection, hash: &str) -> sql::Result<Option<String>> {
    let found = connection
        .prepare_cached("SELECT secrets FROM definitions WHERE hash = ?1")?
        .query_row([hash], |row| row.get(0))
        .optional()?;
    Ok(found.flatten())
}

/// Records a definition when its first job is created.
pub fn register_definition(connection: &Connection, definition: &DefinitionRow) -> sql::Result<()> {
    connection.execute(
        "INSERT INTO definitions (hash, app, hpdlc_version, created, door, program, secrets)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
         ON CONFLICT (hash) DO UPDATE SET secrets = excluded.secrets
             WHERE definitions.secrets IS DISTINCT FROM excluded.secrets",
        (
            &definition.hash,
            &definition.app,
            &definition.hpdlc_version,
            definition.created,
            definition.origin.name(),
            &definition.program,
            connection.sealed_if_any(definition.secrets.as_ref()),
        ),
    )?;
    Ok(())
}

pub fn definition(connection: &Connection, hash: &str) -> sql::Result<Option<DefinitionRow>> {
    connection
        .query_row(
            "SELECT hash, app, hpdlc_version, created, door, program FROM definitions WHERE hash = ?1",
            [hash],
            |row| {
                let origin: String = row.get(4)?;
                Ok(DefinitionRow {
                    hash: row.get(0)?,
                    app: row.get(1)?,
                    hpdlc_version: row.get(2)?,
                    created: row.get(3)?,
                    origin: if origin == ApplicationOrigin::Library.name() { ApplicationOrigin::Library } else { ApplicationOrigin::Program },
                    program: row.get(5)?,
                    secrets: None,
                })
            },
        )
        .optional()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands;

    /// A store with a running job, one that has ended, one that has ended and still ends a process, one that is suspended and has a kill
    /// command, and two that wait and have a service level that is due.
    fn store() -> Connection {
        let connection = crate::testing::store();
        for (id, status, root) in [
            ("1", "RUNNING", "1"),
            ("2", "SUCCEEDED", "2"),
            ("3", "KILLED", "3"),
            ("3-child", "KILLED", "3"),
            ("4", "SUSPENDED", "4"),
            ("5", "SUSPENDED", "5"),
            ("6", "PREP", "6"),
            ("7", "PREP", "7"),
        ] {
            connection
                .execute(
                    "INSERT INTO jobs (id, kind, app, app_path, \"user\", status, run, created, conf, hash, app_index,
                         root_id, depth, epoch)
                     VALUES (?1, 'W', '', '', '', ?2, 0, 0, '{}', '', 0, ?3, 0, 0)",
                    (id, status, root),
                )
                .unwrap();
        }
        connection
            .execute(
                "INSERT INTO actions (job_id, name, type, status, retries, attempt, user_retries, transient_retries,
                     live_strands, canceling)
                 VALUES ('3-child', 'a', 'shell', 'KILLED', 0, 1, 0, 0, 0, 1)",
                [],
            )
            .unwrap();
        commands::add(&connection, "2", "kill", 0).unwrap();
        commands::add(&connection, "4", "kill", 0).unwrap();
        for (job, due) in [("6", 100), ("7", 101)] {
            connection
                .execute(
                    "INSERT INTO slas (job_id, node, nominal, expected_end, silent, status, is_over, due)
                     VALUES (?1, '', 0, 0, 0, 'NOT_STARTED', 0, ?2)",
                    (job, due),
                )
                .unwrap();
        }
        connection
    }

    #[test]
    fn the_start_node_is_first_also_after_a_rerun() {
        let connection = store();
        for (name, kind, started) in [
            ("skipped", "shell", Some(1)),
            (":start:", ":START:", Some(5)),
            ("waits", "shell", None),
            ("b", "shell", Some(6)),
            ("a", "shell", Some(6)),
        ] {
            connection
                .execute(
                    "INSERT INTO actions (job_id, name, type, status, retries, attempt, user_retries, transient_retries,
                         live_strands, canceling, started)
                     VALUES ('1', ?1, ?2, 'OK', 0, 1, 0, 0, 0, 0, ?3)",
                    (name, kind, started),
                )
                .unwrap();
        }
        let names: Vec<String> = actions(&connection, "1")
            .unwrap()
            .into_iter()
            .map(|row| row.name)
            .collect();
        assert_eq!(names, [":start:", "skipped", "a", "b", "waits"]);
    }

    #[test]
    fn a_coordinator_that_has_ended_needs_an_owner_for_a_command() {
        let connection = store();
        let coordinator = JobRow {
            status: hpdlc_core::status::JobStatus::Succeeded,
            ..JobRow::new("8-C", 0)
        };
        insert_job(&connection, &coordinator).unwrap();
        let is_there = || {
            let roots = unfinished_roots(&connection, 0).unwrap();
            roots.iter().any(|root| root.id == "8-C")
        };
        assert!(!is_there());
        let id = commands::add(&connection, "8-C", "rerun {}", 0).unwrap();
        assert!(is_there());
        let handled = commands::Handled {
            id,
            time: 1,
            refusal: None,
        };
        commands::write_handled(&connection, &handled).unwrap();
        assert!(!is_there());
    }

    #[test]
    fn jobs_that_owe_something_need_an_owner() {
        let roots = unfinished_roots(&store(), 100).unwrap();
        let ids: Vec<&str> = roots.iter().map(|row| row.id.as_str()).collect();
        assert_eq!(ids, ["1", "3", "4", "6"]);
    }
}
