//! What is said of a new job that is no mistake and probably not meant.

use std::collections::BTreeMap;

use hpdlc_engine::owner::Session;
use hpdlc_host::{clock, exit::RunError};
use hpdlc_store::{JobRow, LogRow};

use crate::commands::say;

mod backlog;
mod unread_properties;

/// What is wrong, and what to do about it.
struct Warning {
    problem: String,
    help: String,
}

/// Prints the warnings about a new job, which was given these properties. Its log has them, too: clients of a server see nothing else.
///
/// # Errors
///
/// Exit 5 if the store cannot be read or written.
pub(super) fn tell(
    session: &Session,
    job: &JobRow,
    given: &BTreeMap<String, String>,
    is_said: bool,
) -> Result<(), RunError> {
    let unread = unread_properties::of(session.program, given);
    for warning in unread.into_iter().chain(backlog::of(session, job)?) {
        let Warning { problem, help } = warning;
        if is_said {
            say(&format!("warning: {problem}\n  = help: {help}"));
        }
        let line = LogRow {
            job_id: job.id.clone(),
            time: clock::now_millis(),
            node: None,
            event: "WARNING".to_owned(),
            message: Some(problem),
        };
        line.write(&session.store()?)
            .map_err(|error| session.describe(error))?;
    }
    Ok(())
}
