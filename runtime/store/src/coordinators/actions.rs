//! Rows of the actions of coordinators.

use crate::sql::{self, Connection, OptionalExtension, Row};
use hpdlc_core::coordinator::{
    ActionCounts, CoordinatorActionStatus,
    machine::{ActionFault, ActionRecord, Command, Inputs},
};

use super::columns::{named, natural, number_of, time, unreadable};

/// An action with its workflow job.
#[derive(Clone, Debug)]
pub struct CoordinatorActionRow {
    pub record: ActionRecord,
    pub workflow_id: Option<String>,
}

pub(super) fn write_action(
    connection: &Connection,
    job: &str,
    row: &CoordinatorActionRow,
) -> sql::Result<()> {
    let CoordinatorActionRow {
        record,
        workflow_id,
    } = row;
    let error = record.error.as_ref();
    connection
        .prepare_cached(
            "INSERT INTO coordinator_actions (job_id, number, status, nominal_time, created, workflow_id, revision, run,
                 error_code, error_message, since, timeout, inputs, command, keeps_workflow)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
             ON CONFLICT (job_id, number) DO UPDATE SET status = excluded.status, nominal_time = excluded.nominal_time,
                 created = excluded.created, workflow_id = coalesce(excluded.workflow_id, coordinator_actions.workflow_id),
                 revision = excluded.revision,
                 run = excluded.run, error_code = excluded.error_code, error_message = excluded.error_message,
                 since = excluded.since, timeout = excluded.timeout, inputs = excluded.inputs,
                 command = excluded.command, keeps_workflow = excluded.keeps_workflow",
        )?
        .execute(sql::params![
            job,
            number_of(record.number),
            record.status.name(),
            record.nominal.timestamp_millis(),
            record.created.timestamp_millis(),
            workflow_id,
            record.revision,
            record.run,
            error.map(|error| &error.code),
            connection.sealed_if_any(error.map(|error| &error.message)),
            record.since.timestamp_millis(),
            record.timeout,
            connection.sealed(&record.inputs.to_json()),
            record.command.map(Command::name),
            record.keeps_workflow,
        ])?;
    Ok(())
}

/// The states of actions that can still change by themselves.
const LIVING: &str = "'WAITING', 'READY', 'SUBMITTED', 'RUNNING', 'SUSPENDED'";

/// The actions that can still change by themselves or have a pending command.
pub fn living(connection: &Connection, job: &str) -> sql::Result<Vec<CoordinatorActionRow>> {
    let sql = format!(
        "SELECT * FROM coordinator_actions WHERE job_id = ?1 AND status IN ({LIVING})
         UNION SELECT * FROM coordinator_actions WHERE job_id = ?1 AND command IS NOT NULL
         ORDER BY number"
    );
    connection
        .prepare(&sql)?
        .query_map([job], read_action)?
        .collect()
}

/// How many actions are in each state.
pub fn counts(connection: &Connection, job: &str) -> sql::Result<ActionCounts> {
    let mut counts = ActionCounts::default();
    let mut statement = connection.prepare_cached(
        "SELECT status, count(*) FROM coordinator_actions WHERE job_id = ?1 GROUP BY status",
    )?;
    let rows = statement.query_map([job], |row| {
        let status = named(row, "status", CoordinatorActionStatus::from_name)?;
        let n: i64 = row.get(1)?;
        Ok((status, u64::try_from(n).unwrap_or_default()))
    })?;
    for row in rows {
        let (status, n) = row?;
        counts.add(status, n);
    }
    Ok(counts)
}

/// One action.
pub fn action(
    connection: &Connection,
    job: &str,
    number: u64,
) -> sql::Result<Option<CoordinatorActionRow>> {
    connection
        .prepare_cached("SELECT * FROM coordinator_actions WHERE job_id = ?1 AND number = ?2")?
        .query_row((job, number_of(number)), read_action)
        .optional()
}

/// The last action that ended without success, by number.
pub fn last_failed(
    connection: &Connection,
    job: &str,
) -> sql::Result<Option<CoordinatorActionRow>> {
    connection
        .prepare_cached(
            "SELECT * FROM coordinator_actions WHERE job_id = ?1 AND status IN ('KILLED', 'FAILED', 'TIMEDOUT')
             ORDER BY number DESC LIMIT 1",
        )?
        .query_row([job], read_action)
        .optional()
}

/// Calls `see` for all actions in order: there may be more than fit into memory.
pub fn each_action<E: From<sql::Error>>(
    connection: &Connection,
    job: &str,
    mut see: impl FnMut(CoordinatorActionRow) -> Result<(), E>,
) -> Result<(), E> {
    let mut statement = connection
        .prepare_cached("SELECT * FROM coordinator_actions WHERE job_id = ?1 ORDER BY number")?;
    for row in statement.query_map([job], read_action)? {
        see(row?)?;
    }
    Ok(())
}

/// The actions whose nominal times are in a range, both ends included; milliseconds since 1970.
pub fn actions_between(
    connection: &Connection,
    job: &str,
    from: i64,
    to: i64,
) -> sql::Result<Vec<CoordinatorActionRow>> {
    connection
        .prepare(
            "SELECT * FROM coordinator_actions WHERE job_id = ?1 AND nominal_time BETWEEN ?2 AND ?3 ORDER BY number",
        )?
        .query_map((job, from, to), read_action)?
        .collect()
}

/// Reads a row of `coordinator_actions`.
pub fn read_action(row: &Row<'_>) -> sql::Result<CoordinatorActionRow> {
    let command: Option<String> = row.get("command")?;
    let code: Option<String> = row.get("error_code")?;
    let message: Option<String> = row.get("error_message")?;
    let inputs: String = row.get("inputs")?;
    Ok(CoordinatorActionRow {
        record: ActionRecord {
            number: natural(row, "number")?,
            nominal: time(row, "nominal_time")?,
            created: time(row, "created")?,
            since: time(row, "since")?,
            status: named(row, "status", CoordinatorActionStatus::from_name)?,
            revision: row.get("revision")?,
            run: row.get("run")?,
            timeout: row.get("timeout")?,
            inputs: Inputs::from_json(&inputs)
                .ok_or_else(|| unreadable(format!("the inputs of an action: {inputs}")))?,
            command: command.as_deref().and_then(Command::from_name),
            keeps_workflow: row.get("keeps_workflow")?,
            error: code
                .zip(message)
                .map(|(code, message)| ActionFault { code, message }),
        },
        workflow_id: row.get("workflow_id")?,
    })
}
