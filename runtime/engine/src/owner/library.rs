//! Jobs that a Rust program runs in its own process.

use std::{collections::BTreeMap, thread};

use hpdlc_core::status::JobStatus;
use hpdlc_host::{clock, exit::RunError};
use hpdlc_program::table::Program;
use hpdlc_store::{
    JobRow,
    query::{self, ApplicationOrigin},
};

use super::Session;
use crate::{
    engine::{JobCompletion, Signals},
    progress::{Progress, Silent},
    registry::build,
};

/// A job that [`run`] or [`recover`] has driven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    pub id: String,
    pub status: JobStatus,
    /// The message of the kill node, or why the job failed.
    pub message: Option<String>,
}

/// See [`crate::Runtime::run`].
pub fn run(
    program: &'static Program,
    given: BTreeMap<String, String>,
    progress: Box<dyn Progress + Send>,
) -> Result<Finished, RunError> {
    on_own_thread(|| {
        let session = Session::open(program)?;
        let (_, ownership) =
            session.create(given, ApplicationOrigin::Library, JobStatus::Running)?;
        let ended = session.drive(ownership, false, progress, Signals::of_library)?;
        Ok(finished(ended))
    })
}

/// See [`crate::Runtime::recover`].
pub fn recover(program: &'static Program) -> Result<Vec<Finished>, RunError> {
    on_own_thread(|| {
        let session = Session::open(program)?;
        let connection = session.store()?;
        let roots = query::unfinished_roots(&connection, clock::now_millis())
            .map_err(|error| session.describe(error))?;
        let mut all = Vec::new();
        for row in roots {
            // Its functions are those of the build that began it, of which there is a copy.
            let Some(program) = build::of_job(session.program, &row.hash) else {
                continue;
            };
            let session = Session {
                program,
                ..session.clone()
            };
            let Some(ownership) = session.own(&row.id)? else {
                continue;
            };
            let ended = session.drive(ownership, true, Box::new(Silent), Signals::of_library)?;
            all.push(finished(ended));
        }
        Ok(all)
    })
}

/// Runs `work` on a thread of its own, since the caller may be inside an async runtime.
fn on_own_thread<T: Send>(
    work: impl FnOnce() -> Result<T, RunError> + Send,
) -> Result<T, RunError> {
    thread::scope(|scope| match scope.spawn(work).join() {
        Ok(result) => result,
        Err(panic) => std::panic::resume_unwind(panic),
    })
}

fn finished(ended: JobCompletion) -> Finished {
    let JobRow {
        id,
        status,
        error_message,
        ..
    } = ended.job;
    Finished {
        id,
        status,
        message: error_message,
    }
}
