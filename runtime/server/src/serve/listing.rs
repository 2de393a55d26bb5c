//! Lists of jobs and of the actions of coordinators, as queries of the store: values are parameters only.

use std::collections::HashMap;

use hpdlc_store::{
    ActionRow, JobRow, SlaRow,
    coordinators::{self, CoordinatorActionRow},
};
use rusqlite::{Connection, OptionalExtension, types::Value};

use self::condition::Condition;

mod condition;
mod jobs;

pub(crate) use self::jobs::jobs;

/// A page of what matches, and how many match in all.
pub(crate) struct Page<T> {
    pub(crate) rows: Vec<T>,
    pub(crate) total: u64,
}

/// The state of a job, which for coordinators and bundles is more specific than that in `jobs`.
const SHOWN: &str = "coalesce((SELECT status FROM coordinators WHERE job_id = jobs.id),
    (SELECT status FROM bundles WHERE job_id = jobs.id), status)";
/// The newest workflow whose properties have this external id.
pub(crate) fn of_external_id(
    connection: &Connection,
    id: &str,
) -> rusqlite::Result<Option<String>> {
    // Quotes in other values are escaped, so that none of them contains this.
    let property = format!("\"oozie.wf.external.id\":{}", serde_json::Value::from(id));
    connection
        .prepare(
            "SELECT id FROM jobs WHERE kind = 'W' AND instr(conf, ?1) > 0 ORDER BY created DESC, id DESC LIMIT 1",
        )?
        .query_row([property], |row| row.get(0))
        .optional()
}

/// When something of a job was last recorded, to the second.
pub(crate) fn changed(connection: &Connection, job: &str) -> rusqlite::Result<Option<i64>> {
    connection
        .prepare_cached("SELECT second * 1000 FROM changes WHERE job_id = ?1")?
        .query_row([job], |row| row.get(0))
        .optional()
}

/// Which actions of a coordinator are meant.
#[derive(Clone, Debug, Default)]
pub(crate) struct ActionFilter {
    pub(crate) statuses: Vec<String>,
    pub(crate) not_statuses: Vec<String>,
    /// A comparison such as `>=`, and milliseconds since 1970.
    pub(crate) nominal: Vec<(&'static str, i64)>,
    pub(crate) is_descending: bool,
}

/// A page of the actions of a coordinator.
pub(crate) fn actions(
    connection: &Connection,
    job: &str,
    filter: &ActionFilter,
    offset: i64,
    len: i64,
) -> rusqlite::Result<Page<CoordinatorActionRow>> {
    let mut condition = Condition::default();
    condition.and("job_id = ?", [Value::Text(job.to_owned())]);
    condition.one_of("status", &filter.statuses);
    for status in &filter.not_statuses {
        condition.and("status <> ?", [Value::Text(status.clone())]);
    }
    for (comparison, time) in &filter.nominal {
        condition.and(
            &format!("nominal_time {comparison} ?"),
            [Value::Integer(*time)],
        );
    }
    let order = if filter.is_descending { "DESC" } else { "ASC" };
    let rows = format!("FROM coordinator_actions WHERE {}", condition.sql);
    let total = connection
        .prepare_cached(&format!("SELECT count(*) {rows}"))?
        .query_row(condition.values().as_slice(), |row| row.get::<_, i64>(0))?;
    condition
        .values
        .extend([Value::Integer(len), Value::Integer(offset - 1)]);
    let sql =
        format!("SELECT * {rows} ORDER BY nominal_time {order}, number {order} LIMIT ? OFFSET ?");
    let rows = connection
        .prepare_cached(&sql)?
        .query_map(condition.values().as_slice(), coordinators::read_action)?
        .collect::<rusqlite::Result<_>>()?;
    Ok(Page {
        rows,
        total: u64::try_from(total).unwrap_or_default(),
    })
}

/// The workflows that an action of a coordinator has had, in their order.
pub(crate) fn runs_of_action(
    connection: &Connection,
    action: &str,
) -> rusqlite::Result<Vec<JobRow>> {
    let sql = format!(
        "SELECT {} FROM jobs WHERE parent_id = ?1 ORDER BY created, id",
        JobRow::COLUMNS
    );
    connection
        .prepare(&sql)?
        .query_map([action], JobRow::read)?
        .collect()
}

/// A command that was given to a job.
pub(crate) struct GivenCommand {
    pub(crate) verb: String,
    pub(crate) time: i64,
    /// Why it was refused.
    pub(crate) refusal: Option<String>,
}

/// The commands that were given to a job, in their order.
pub(crate) fn commands(connection: &Connection, job: &str) -> rusqlite::Result<Vec<GivenCommand>> {
    connection
        .prepare("SELECT verb, created, answer FROM commands WHERE job_id = ?1 ORDER BY id")?
        .query_map([job], |row| {
            Ok(GivenCommand {
                verb: row.get(0)?,
                time: row.get(1)?,
                refusal: row.get(2)?,
            })
        })?
        .collect()
}

/// When each attempt of a node began and ended in the current run of a job, from its log: milliseconds since 1970.
pub(crate) fn tries(
    connection: &Connection,
    job: &str,
    node: &str,
) -> rusqlite::Result<Vec<(i64, Option<i64>)>> {
    let mut tries: Vec<(i64, Option<i64>)> = Vec::new();
    let mut statement = connection.prepare(
        "SELECT time, event FROM log WHERE job_id = ?1 AND node = ?2 AND id > coalesce(
             (SELECT max(id) FROM log WHERE job_id = ?1 AND node IS NULL AND event = 'RERUN'), 0)
         ORDER BY id",
    )?;
    let mut rows = statement.query([job, node])?;
    while let Some(row) = rows.next()? {
        let (time, event): (i64, String) = (row.get(0)?, row.get(1)?);
        match (event.as_str(), tries.last_mut()) {
            ("RUNNING", _) => tries.push((time, None)),
            (_, Some((_, ended @ None))) => *ended = Some(time),
            (_, _) => {}
        }
    }
    Ok(tries)
}

/// Brings the actions of a workflow into the order in which they began, the start node first; those of one millisecond into that of their first events. What has
/// not begun is last.
pub(crate) fn sort_actions(
    connection: &Connection,
    job: &str,
    actions: &mut [ActionRow],
) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(
        "SELECT node, min(id) FROM log WHERE job_id = ?1 AND node IS NOT NULL GROUP BY node",
    )?;
    let events = statement.query_map([job], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let events: HashMap<String, i64> = events.collect::<rusqlite::Result<_>>()?;
    actions.sort_by_key(|row| {
        let first = events.get(&row.name).copied().unwrap_or(i64::MAX);
        let is_start = row.type_name == ":START:";
        (!is_start, row.started.is_none(), row.started, first)
    });
    Ok(())
}

/// How many jobs of each kind are in each state.
pub(crate) fn counts(connection: &Connection) -> rusqlite::Result<Vec<(String, String, i64)>> {
    connection
        .prepare(&format!(
            "SELECT kind, {SHOWN} AS shown, count(*) FROM jobs GROUP BY kind, shown ORDER BY kind, shown"
        ))?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
        .collect()
}

/// All service levels by their nominal time.
pub(crate) fn service_levels(
    connection: &Connection,
    is_descending: bool,
) -> rusqlite::Result<Vec<SlaRow>> {
    let order = if is_descending { "DESC" } else { "ASC" };
    connection
        .prepare(&format!(
            "SELECT {} FROM slas ORDER BY nominal {order}, job_id, node",
            SlaRow::COLUMNS
        ))?
        .query_map([], SlaRow::read)?
        .collect()
}
