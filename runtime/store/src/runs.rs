//! Further runs of a job: the rows of the former run are archived, those of skipped nodes stay.

use crate::{
    ActionRow, JobRow, SkipMark, SlaRow, slas,
    sql::{self, Connection, Row},
};

/// A job that begins a further run.
#[derive(Clone, Debug)]
pub struct NewRun {
    /// The new row: the next run, not started.
    pub job: JobRow,
    /// Nodes that are not run again, with their outcome by the definition of this run.
    pub skipped: Vec<(String, String)>,
    /// The service levels of the job and its actions, including the skipped ones.
    pub slas: Vec<SlaRow>,
}

/// Archives the former run and begins the next one. Call it in a transaction.
///
/// # Errors
///
/// The store cannot be written; nothing is changed when the transaction is rolled back.
pub fn begin(connection: &Connection, new_run: &NewRun) -> sql::Result<()> {
    let NewRun { job, skipped, slas } = new_run;
    let former = job.run - 1;
    connection.execute(
        "INSERT INTO runs (job_id, run, status, started, ended, conf, hash, error_code, error_message)
         SELECT id, run, status, started, ended, conf, hash, error_code, error_message FROM jobs WHERE id = ?1",
        [&job.id],
    )?;
    connection.execute(
        "INSERT INTO past_actions (job_id, job_run, name, type, status, transition, external_id, external_status,
             error_code, error_message, retries, data, note, started, ended, attempt, run, skip)
         SELECT job_id, CAST(?2 AS BIGINT), name, type, status, transition, external_id, external_status, error_code, error_message,
             retries, data, note, started, ended, attempt, run, skip FROM actions WHERE job_id = ?1",
        (&job.id, former),
    )?;
    connection.execute(
        "UPDATE jobs SET app = ?2, app_path = ?3, status = ?4, run = ?5, started = NULL, ended = NULL, conf = ?6,
             hash = ?7, app_index = ?8, last_error_node = ?9, error_code = NULL, error_message = NULL,
             parent_attempt = ?10, parent_run = ?11
         WHERE id = ?1",
        (
            &job.id,
            &job.app,
            &job.app_path,
            job.status.name(),
            job.run,
            connection.sealed_properties(&job.conf),
            &job.hash,
            job.app_index,
            &job.last_error_node,
            job.parent_attempt,
            job.parent_run,
        ),
    )?;
    let mut skip = connection.prepare_cached(
        "UPDATE actions SET skip = ?3, run = coalesce(run, ?4), outcome = ?5, strand = NULL, note = NULL
         WHERE job_id = ?1 AND name = ?2",
    )?;
    // Unmarked rows are deleted; a mark of an earlier rerun would keep them.
    connection.execute(
        "UPDATE actions SET skip = NULL WHERE job_id = ?1",
        [&job.id],
    )?;
    for (name, outcome) in skipped {
        skip.execute((&job.id, name, SkipMark::Waits.name(), former, outcome))?;
    }
    connection.execute(
        "DELETE FROM actions WHERE job_id = ?1 AND skip IS NULL",
        [&job.id],
    )?;
    slas::forget_unskipped(connection, &job.id)?;
    for sla in runs_again(slas, skipped) {
        slas::write(connection, sla)?;
    }
    Ok(())
}

/// The service levels that begin anew: those of skipped nodes are decided and stay.
pub fn runs_again<'s>(
    slas: &'s [SlaRow],
    skipped: &'s [(String, String)],
) -> impl Iterator<Item = &'s SlaRow> {
    slas.iter().filter(|sla| {
        let is_skipped = |node: &String| skipped.iter().any(|(name, _)| name == node);
        !sla.node.as_ref().is_some_and(is_skipped)
    })
}

/// A run of a job that was followed by another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormerRun {
    pub run: i64,
    /// As in the store.
    pub status: String,
    pub started: Option<i64>,
    pub ended: Option<i64>,
    pub error_code: Option<String>,
    pub error_message: Option<String>,
}

/// The former runs of a job, in their order.
pub fn former(connection: &Connection, job: &str) -> sql::Result<Vec<FormerRun>> {
    connection
        .prepare(
            "SELECT run, status, started, ended, error_code, error_message FROM runs
             WHERE job_id = ?1 ORDER BY run",
        )?
        .query_map([job], FormerRun::read)?
        .collect()
}

impl FormerRun {
    /// Reads the columns of [`former`].
    pub fn read(row: &Row<'_>) -> sql::Result<FormerRun> {
        Ok(FormerRun {
            run: row.get(0)?,
            status: row.get(1)?,
            started: row.get(2)?,
            ended: row.get(3)?,
            error_code: row.get(4)?,
            error_message: row.get(5)?,
        })
    }
}

/// The rows that [`begin`] keeps of the former run.
pub fn kept(rows: Vec<ActionRow>, skipped: &[(String, String)], former: i64) -> Vec<ActionRow> {
    rows.into_iter()
        .filter_map(|row| {
            let (_, outcome) = skipped.iter().find(|(name, _)| *name == row.name)?;
            Some(ActionRow {
                skip: Some(SkipMark::Waits),
                run: row.run.or(Some(former)),
                outcome: Some(outcome.clone()),
                strand: None,
                note: None,
                ..row
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use hpdlc_core::status::JobStatus;

    use super::*;
    use crate::{commands, query};

    /// Oozie's rerun is two commands: if the server died between them the job stayed in PREP and was never started.
    #[test]
    fn oozie_2023_a_rerun_whose_process_died_at_once_is_taken_up() {
        let connection = crate::testing::store();
        connection
            .execute(
                "INSERT INTO jobs (id, kind, app, app_path, \"user\", status, run, created, started, ended, conf, hash,
                     app_index, root_id, depth, epoch)
                 VALUES ('1', 'W', '', '', '', 'KILLED', 0, 0, 1, 2, '{}', '', 0, '1', 0, 0)",
                [],
            )
            .unwrap();
        let ended = query::job(&connection, "1").unwrap().unwrap();
        let new_run = NewRun {
            job: JobRow {
                status: JobStatus::Prep,
                run: 1,
                ..ended
            },
            skipped: Vec::new(),
            slas: Vec::new(),
        };
        let transaction = connection.transaction().unwrap();
        begin(&transaction, &new_run).unwrap();
        commands::add(&transaction, "1", "start", 3).unwrap();
        transaction.commit().unwrap();
        let roots = query::unfinished_roots(&connection, 3).unwrap();
        let found: Vec<_> = roots.iter().map(|row| (row.id.as_str(), row.run)).collect();
        assert_eq!(found, [("1", 1)]);
        assert_eq!(commands::open(&connection, "1").unwrap().len(), 1);
    }
}
