//! The usual durations of a workflow and its nodes: the medians of the last runs that succeeded.

use std::collections::HashMap;

use hpdlc_store::sql::{self, Connection};

/// How many runs are taken into account.
const RUNS: usize = 7;

/// The durations of earlier runs of a workflow, in milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RunHistory {
    /// The whole job.
    pub(super) job: Option<i64>,
    /// Each action, by its name.
    nodes: HashMap<String, i64>,
    /// How many actions the last of the runs had.
    pub(super) actions: Option<usize>,
}

impl RunHistory {
    /// Reads the runs of the application other than the job `id`.
    pub(super) fn read(connection: &Connection, app: &str, id: &str) -> sql::Result<RunHistory> {
        let runs: Vec<(String, i64)> = connection
            .prepare(
                "SELECT id, ended - started FROM jobs
                 WHERE app = ?1 AND status = 'SUCCEEDED' AND kind = 'W' AND id <> ?2
                 AND started IS NOT NULL AND ended IS NOT NULL
                 ORDER BY created DESC, id DESC LIMIT ?3",
            )?
            .query_map((app, id, i64::try_from(RUNS).unwrap_or(i64::MAX)), |row| {
                Ok((row.get(0)?, row.get(1)?))
            })?
            .collect::<sql::Result<_>>()?;
        let mut took: HashMap<String, Vec<i64>> = HashMap::new();
        let mut actions = None;
        for (run, _) in &runs {
            let mut statement = connection.prepare_cached(
                "SELECT name, ended - started, status FROM actions
                 WHERE job_id = ?1 AND type NOT LIKE ':%' AND type <> 'switch' AND started IS NOT NULL",
            )?;
            let mut n = 0;
            let rows = statement.query_map([run], |row| {
                let name: String = row.get(0)?;
                let took: Option<i64> = row.get(1)?;
                let status: String = row.get(2)?;
                Ok((name, took.filter(|_| status == "OK")))
            })?;
            for row in rows {
                let (name, time) = row?;
                n += 1;
                took.entry(name).or_default().extend(time);
            }
            actions = actions.or(Some(n));
        }
        Ok(RunHistory {
            job: median(runs.into_iter().map(|(_, took)| took).collect()),
            nodes: took
                .into_iter()
                .filter_map(|(name, times)| Some((name, median(times)?)))
                .collect(),
            actions,
        })
    }

    /// The usual duration of an action.
    pub(super) fn node(&self, name: &str) -> Option<i64> {
        self.nodes.get(name).copied()
    }
}

fn median(mut values: Vec<i64>) -> Option<i64> {
    values.sort_unstable();
    values.get(values.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hpdlc_core::status::JobStatus;
    use hpdlc_host::home::Home;
    use hpdlc_store::{self as store, JobRow, query};

    #[test]
    fn the_medians_of_the_runs_that_succeeded_count() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::open_at(folder.path().join("home")).unwrap();
        let connection = store::open(&home).unwrap();
        for (number, app, status, took) in [
            (1, "load", JobStatus::Succeeded, 900),
            (2, "load", JobStatus::Succeeded, 100),
            (3, "load", JobStatus::Succeeded, 300),
            (4, "load", JobStatus::Killed, 5_000),
            (5, "other", JobStatus::Succeeded, 7_000),
            (6, "load", JobStatus::Running, 9_000),
        ] {
            let id = format!("{number}-W");
            let job = JobRow {
                app: app.to_owned(),
                status,
                started: Some(1_000),
                ended: Some(1_000 + took),
                ..JobRow::new(&id, number)
            };
            query::insert_job(&connection, &job).unwrap();
            for (name, type_name, share) in [
                ("a", "shell", 2),
                ("if", "switch", 1),
                (":start:", ":START:", 1),
            ] {
                connection
                    .execute(
                        "INSERT INTO actions (job_id, name, type, status, retries, attempt, user_retries,
                             transient_retries, live_strands, canceling, started, ended)
                         VALUES (?1, ?2, ?3, 'OK', 0, 1, 0, 0, 0, 0, 1000, ?4)",
                        (&id, name, type_name, 1_000 + took / share),
                    )
                    .unwrap();
            }
        }
        let history = RunHistory::read(&connection, "load", "6-W").unwrap();
        assert_eq!(history.job, Some(300));
        assert_eq!(history.node("a"), Some(150));
        assert_eq!(history.node("if"), None);
        assert_eq!(history.actions, Some(1));
        let none = RunHistory::read(&connection, "new", "6-W").unwrap();
        assert_eq!(none, RunHistory::default());
    }
}
