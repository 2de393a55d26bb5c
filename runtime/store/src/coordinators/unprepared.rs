//! Workflow jobs that their own executable has yet to complete.

use std::collections::BTreeMap;

use hpdlc_host::exit::RunError;

use crate::{
    SlaRow,
    sql::{self, Connection, OptionalExtension},
};

/// Whether a workflow job has yet to be completed by its own executable before it starts.
pub fn is_unprepared(connection: &Connection, job: &str) -> sql::Result<bool> {
    connection
        .prepare_cached("SELECT 1 FROM unprepared WHERE job_id = ?1")?
        .query_row([job], |_| Ok(()))
        .optional()
        .map(|found| found.is_some())
}

/// A job's properties as completed by its executable.
pub struct JobSubmission<'a> {
    pub app: &'a str,
    pub app_path: &'a str,
    pub conf: &'a BTreeMap<String, String>,
    pub slas: &'a [SlaRow],
}

/// Completes such a job, or sets it to FAILED.
pub fn complete(
    connection: &Connection,
    job: &str,
    app_index: i64,
    submission: Result<JobSubmission<'_>, &RunError>,
    now: i64,
) -> sql::Result<()> {
    let transaction = connection.transaction()?;
    match submission {
        Ok(submitted) => {
            let conf = serde_json::to_string(submitted.conf).expect("a map of strings is JSON");
            for sla in submitted.slas {
                crate::slas::write(&transaction, sla)?;
            }
            transaction.execute(
            "UPDATE jobs SET app = ?2, app_path = ?3, conf = ?4, app_index = ?5 WHERE id = ?1",
            (
                job,
                submitted.app,
                submitted.app_path,
                transaction.sealed_properties(&conf),
                app_index,
            ),
        )?
        }
        Err(error) => transaction.execute(
            "UPDATE jobs SET status = 'FAILED', started = ?2, ended = ?2, error_code = 'E0738', error_message = ?3
             WHERE id = ?1",
            (job, now, transaction.sealed(&error.message)),
        )?,
    };
    transaction.execute("DELETE FROM unprepared WHERE job_id = ?1", [job])?;
    transaction.commit()
}
