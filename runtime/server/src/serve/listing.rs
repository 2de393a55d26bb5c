//! Lists of jobs and of the actions of coordinators, as queries of the store: values are parameters only.

use std::collections::HashMap;

use hpdlc_store::{
    ActionRow, JobRow, SlaRow,
    coordinators::{self, CoordinatorActionRow},
    sql::{self, Connection, OptionalExtension, Value},
};

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
/// The first condition on properties is that of the index of jobs that have one.
const OF_EXTERNAL_ID: &str = "
    WHERE kind = 'W' AND instr(conf, '\"oozie.wf.external.id\":') > 0 AND instr(conf, ?1) > 0
    ORDER BY created DESC, id DESC LIMIT 1";

/// The newest workflow whose properties have this external id.
pub(crate) fn of_external_id(connection: &Connection, id: &str) -> sql::Result<Option<String>> {
    // Quotes in other values are escaped, so that none of them contains this.
    let property = format!("\"oozie.wf.external.id\":{}", serde_json::Value::from(id));
    connection
        .prepare(&of_external_id_sql(connection))?
        .query_row([property], |row| row.get(0))
        .optional()
}

fn of_external_id_sql(connection: &Connection) -> String {
    let index = connection.indexed_by("jobs_by_external_id");
    format!("SELECT id FROM jobs {index} {OF_EXTERNAL_ID}")
}

/// When something of a job was last recorded, to the second.
pub(crate) fn changed(connection: &Connection, job: &str) -> sql::Result<Option<i64>> {
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
) -> sql::Result<Page<CoordinatorActionRow>> {
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
    condition.values.extend([
        Value::Integer(if len < 0 { i64::MAX } else { len }),
        Value::Integer(offset - 1),
    ]);
    let sql =
        format!("SELECT * {rows} ORDER BY nominal_time {order}, number {order} LIMIT ? OFFSET ?");
    let rows = connection
        .prepare_cached(&sql)?
        .query_map(condition.values().as_slice(), coordinators::read_action)?
        .collect::<sql::Result<_>>()?;
    Ok(Page {
        rows,
        total: u64::try_from(total).unwrap_or_default(),
    })
}

/// The workflows that an action of a coordinator has had, in their order.
pub(crate) fn runs_of_action(connection: &Connection, action: &str) -> sql::Result<Vec<JobRow>> {
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
pub(crate) fn commands(connection: &Connection, job: &str) -> sql::Result<Vec<GivenCommand>> {
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
) -> sql::Result<Vec<(i64, Option<i64>)>> {
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
) -> sql::Result<()> {
    let mut statement = connection.prepare_cached(
        "SELECT node, min(id) FROM log WHERE job_id = ?1 AND node IS NOT NULL GROUP BY node",
    )?;
    let events = statement.query_map([job], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let events: HashMap<String, i64> = events.collect::<sql::Result<_>>()?;
    actions.sort_by_key(|row| {
        let first = events.get(&row.name).copied().unwrap_or(i64::MAX);
        // A rerun enters the start anew, and skips nodes that began before.
        let is_start = row.type_name == ":START:";
        (!is_start, row.started.is_none(), row.started, first)
    });
    Ok(())
}

/// How many jobs of each kind are in each state.
pub(crate) fn counts(connection: &Connection) -> sql::Result<Vec<(String, String, i64)>> {
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
) -> sql::Result<Vec<SlaRow>> {
    let order = if is_descending { "DESC" } else { "ASC" };
    connection
        .prepare(&format!(
            "SELECT {} FROM slas ORDER BY nominal {order}, job_id, node",
            SlaRow::COLUMNS
        ))?
        .query_map([], SlaRow::read)?
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serve::tests::kinds::{self, WORKFLOW};

    #[test]
    fn the_start_is_first_after_a_rerun_too() {
        let mut rows: Vec<ActionRow> = [
            ("skipped", "shell", 1_000),
            (":start:", ":START:", 5_000),
            ("again", "shell", 5_000),
        ]
        .map(|(name, kind, started)| ActionRow {
            started: Some(started),
            ..ActionRow::new(WORKFLOW, name, kind)
        })
        .into();
        let server = kinds::server();
        let connection = server.session.store().unwrap();
        sort_actions(&connection, WORKFLOW, &mut rows).unwrap();
        let names: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(names, [":start:", "skipped", "again"]);
    }

    #[test]
    fn a_job_is_found_by_its_external_id_without_passing_over_all() {
        let server = kinds::server();
        let connection = server.session.store().unwrap();
        assert_eq!(of_external_id(&connection, "x").unwrap(), None);
        let sql = "UPDATE jobs SET conf = '{\"oozie.wf.external.id\":\"x\"}' WHERE id = ?1";
        connection.execute(sql, [WORKFLOW]).unwrap();
        let found = of_external_id(&connection, "x").unwrap();
        assert_eq!(found.as_deref(), Some(WORKFLOW));
        assert_eq!(of_external_id(&connection, "y").unwrap(), None);
        let plan: String = connection
            .query_row(
                &format!("EXPLAIN QUERY PLAN {}", of_external_id_sql(&connection)),
                ["x"],
                |row| row.get(3),
            )
            .unwrap();
        assert!(plan.contains("jobs_by_external_id"), "{plan}");
    }
}
