//! Lists of jobs: the newest first, filtered by state, application and time.

use crate::{
    JobRow,
    sql::{self, Connection},
};

/// Which jobs are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JobFilter {
    /// Names of states; none for all.
    pub statuses: Vec<String>,
    /// The application's name; `*` matches any text and `?` any character.
    pub app: Option<String>,
    /// Not created before, in milliseconds since 1970.
    pub since: Option<i64>,
    /// The maximal number; `None` for all.
    pub limit: Option<u64>,
}

impl JobFilter {
    /// The states as a list between commas, which no name of a state contains.
    fn statuses(&self) -> Option<String> {
        let names = &self.statuses;
        (!names.is_empty()).then(|| format!(",{},", names.join(",")))
    }
}

/// The state of a job: for a coordinator or a bundle its own one, which is more specific than that in `jobs`.
const SHOWN: &str = "coalesce((SELECT status FROM coordinators WHERE job_id = jobs.id),
    (SELECT status FROM bundles WHERE job_id = jobs.id), status)";

fn select(what: &str, order: &str) -> String {
    format!(
        "SELECT {what} FROM jobs
         WHERE (CAST(?1 AS TEXT) IS NULL OR instr(?1, ',' || {SHOWN} || ',') > 0)
             AND (CAST(?2 AS TEXT) IS NULL OR glob(?2, app))
             AND (CAST(?3 AS BIGINT) IS NULL OR created >= ?3)
         {order}"
    )
}

/// The jobs with their states.
pub fn list(connection: &Connection, filter: &JobFilter) -> sql::Result<Vec<(JobRow, String)>> {
    let what = format!("{}, {SHOWN} AS shown", JobRow::COLUMNS);
    let sql = select(&what, "ORDER BY created DESC, id DESC LIMIT ?4");
    let limit = filter
        .limit
        .map_or(i64::MAX, |limit| i64::try_from(limit).unwrap_or(i64::MAX));
    connection
        .prepare(&sql)?
        .query_map(
            (filter.statuses(), &filter.app, filter.since, limit),
            |row| Ok((JobRow::read(row)?, row.get("shown")?)),
        )?
        .collect()
}

/// The jobs that have not ended, with their states: the newest first.
pub fn unfinished(connection: &Connection) -> sql::Result<Vec<(JobRow, String)>> {
    let columns = JobRow::COLUMNS;
    connection
        .prepare(&format!(
            "SELECT {columns}, {SHOWN} AS shown FROM jobs WHERE status IN ('PREP', 'RUNNING', 'SUSPENDED')
             ORDER BY created DESC, id DESC"
        ))?
        .query_map([], |row| Ok((JobRow::read(row)?, row.get("shown")?)))?
        .collect()
}

/// How many jobs match a filter, whatever its limit.
pub fn count(connection: &Connection, filter: &JobFilter) -> sql::Result<usize> {
    let all = JobFilter {
        limit: None,
        ..filter.clone()
    };
    let (sql, statuses) = (select("count(*)", ""), all.statuses());
    connection
        .prepare(&sql)?
        .query_row((statuses, &all.app, all.since), |row| row.get::<_, i64>(0))
        .map(|n| usize::try_from(n).unwrap_or_default())
}

/// The newest actions of a coordinator, in descending order: number, state and nominal time.
pub fn newest_actions(
    connection: &Connection,
    coordinator: &str,
    limit: u64,
) -> sql::Result<Vec<(u64, String, i64)>> {
    connection
        .prepare(
            "SELECT number, status, nominal_time FROM coordinator_actions WHERE job_id = ?1
             ORDER BY number DESC LIMIT ?2",
        )?
        .query_map(
            (coordinator, i64::try_from(limit).unwrap_or(i64::MAX)),
            |row| {
                let number: i64 = row.get(0)?;
                Ok((
                    u64::try_from(number).unwrap_or_default(),
                    row.get(1)?,
                    row.get(2)?,
                ))
            },
        )?
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::Dialect;
    use crate::{self as store, query};
    use hpdlc_core::status::JobStatus;
    use hpdlc_host::home::Home;

    #[test]
    fn each_part_of_a_filter_leaves_out_what_does_not_fit() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::open_at(folder.path().join("home")).unwrap();
        let connection = store::open(&home).unwrap();
        for (id, app, status, created) in [
            ("1-W", "load", JobStatus::Succeeded, 10),
            ("2-W", "load", JobStatus::Killed, 20),
            ("3-W", "load-all", JobStatus::Failed, 30),
            ("4-C", "nightly", JobStatus::Running, 40),
        ] {
            let job = JobRow {
                app: app.to_owned(),
                status,
                ..JobRow::new(id, created)
            };
            query::insert_job(&connection, &job).unwrap();
        }
        connection
            .execute(
                "INSERT INTO bundles (job_id, status, state) VALUES ('4-C', 'RUNNINGWITHERROR', '{}')",
                [],
            )
            .unwrap();
        let ids = |filter: &JobFilter| -> Vec<String> {
            let jobs = list(&connection, filter).unwrap();
            jobs.into_iter().map(|(job, _)| job.id).collect()
        };
        let all = JobFilter::default();
        assert_eq!(ids(&all), ["4-C", "3-W", "2-W", "1-W"]);
        assert_eq!(count(&connection, &all), Ok(4));
        let of = |statuses: &[&str], app: Option<&str>, since, limit| JobFilter {
            statuses: statuses.iter().map(|it| (*it).to_owned()).collect(),
            app: app.map(str::to_owned),
            since,
            limit,
        };
        assert_eq!(
            ids(&of(&["KILLED", "FAILED"], None, None, None)),
            ["3-W", "2-W"]
        );
        assert_eq!(ids(&of(&["RUNNINGWITHERROR"], None, None, None)), ["4-C"]);
        assert!(ids(&of(&["RUNNING"], None, None, None)).is_empty());
        assert_eq!(ids(&of(&[], Some("load"), None, None)), ["2-W", "1-W"]);
        let newest = of(&[], Some("load*"), None, Some(1));
        assert_eq!(ids(&newest), ["3-W"]);
        assert_eq!(count(&connection, &newest), Ok(3));
        assert_eq!(ids(&of(&[], None, Some(20), Some(2))), ["4-C", "3-W"]);
        assert_eq!(ids(&of(&["KILLED"], Some("load"), Some(21), None)), [""; 0]);
        if connection.dialect() == Dialect::Postgres {
            return;
        }
        // The newest of a hundred thousand are found without sorting them.
        let sql = select("*", "ORDER BY created DESC, id DESC LIMIT 3");
        let plan: Vec<String> = connection
            .prepare(&format!("EXPLAIN QUERY PLAN {sql}"))
            .unwrap()
            .query_map([(); 3].map(|()| None::<String>), |row| row.get("detail"))
            .unwrap()
            .collect::<sql::Result<_>>()
            .unwrap();
        assert!(
            plan.contains(&"SCAN jobs USING INDEX jobs_by_created".to_owned()),
            "{plan:?}"
        );
        assert!(
            !plan.iter().any(|step| step.contains("ORDER BY")),
            "{plan:?}"
        );
    }
}
