//! The result of an attempt whose application has ended.

use std::{io, thread};

use hpdlc_launcher::{ExitRecord, TimeLimit};
use hpdlc_program::failure::ActionError;

use super::{
    super::{
        LAST_WRITES,
        archive::append,
        diagnostics::{because, is_taken_back, is_too_large, next_step},
        staging::{OWNER, STDERR, STDOUT, Staging},
    },
    ContainerRun,
};
use crate::{
    process_end, time_limit,
    tool::{
        cluster,
        yarn::{ApplicationEnd, YarnApplication},
    },
    worker_process::{WorkError, WorkResult},
};

/// How the wait for an application ended.
pub(super) enum ApplicationOutcome {
    Ended(ApplicationEnd, YarnApplication),
    /// The resource manager does not know it.
    Unknown,
    /// It was ended: its time was over.
    Exceeded(TimeLimit),
}

impl ContainerRun<'_> {
    /// The result of a program that has ended.
    pub(super) fn result(
        &mut self,
        id: &str,
        staging: &Staging<'_>,
        record: &ExitRecord,
    ) -> Result<WorkResult, WorkError> {
        let not_ended = match record.exceeded {
            Some(_) => self.end_started(staging),
            None => None,
        };
        let judged = self
            .bring(staging)
            .and_then(|()| self.program.judge(self.context, record))
            .map_err(|error| {
                let problem = format!("{id} has ended, and its output cannot be read: {error}");
                WorkError::Known(
                    ActionError::error("JA018", problem),
                    Box::new(of_id(id, process_end::FAILED)),
                )
            })?;
        let complete = |result: WorkResult| WorkResult {
            external_id: result.external_id.or_else(|| Some(id.to_owned())),
            warnings: result.warnings.into_iter().chain(not_ended).collect(),
            ..result
        };
        match judged {
            Ok(result) => Ok(complete(result)),
            Err(WorkError::Known(error, result)) => {
                Err(WorkError::Known(error, Box::new(complete(*result))))
            }
            Err(error) => Err(error),
        }
    }

    /// Ends what the program of an attempt that is over has started; why some of it may go on.
    fn end_started(&self, staging: &Staging<'_>) -> Option<String> {
        thread::sleep(LAST_WRITES);
        let named = staging.children().unwrap_or_default();
        cluster::end_patiently(&self.yarn, &self.tags[1], &named).err()
    }

    /// Brings what the program printed, and its results.
    fn bring(&mut self, staging: &Staging<'_>) -> io::Result<()> {
        let attempt = self.context.attempt();
        let printed = attempt.beside("printed");
        self.patiently("its output", || staging.get(STDOUT, &attempt.stdout()))?;
        self.patiently("its output", || staging.get(STDERR, &printed))?;
        for name in self.program.results() {
            let file = attempt.folder().join(&name);
            self.patiently("its results", || staging.get(&name, &file))?;
        }
        append(&printed, &attempt.stderr())
    }

    /// The result of a program that has left none.
    pub(super) fn without_result(
        &mut self,
        id: &str,
        staging: &Staging<'_>,
        outcome: ApplicationOutcome,
    ) -> Result<WorkResult, WorkError> {
        let has_begun = self.has_begun(staging);
        let (mut error, status) = match outcome {
            ApplicationOutcome::Exceeded(limit) => (
                time_limit::time_over("its container", limit.seconds),
                "KILLED",
            ),
            ApplicationOutcome::Unknown => {
                let problem = format!(
                    "the resource manager at {} does not know {id}, which was submitted to it",
                    self.yarn.address()
                );
                return self.without_container(id, staging, problem);
            }
            ApplicationOutcome::Ended(ApplicationEnd::Killed, app) => {
                let problem = format!("{id} was killed{}", because(&app));
                (ActionError::error("JA018", problem), "KILLED")
            }
            ApplicationOutcome::Ended(_, app) if !has_begun && is_taken_back(&app.diagnostics) => {
                let problem = format!(
                    "the container of {id} was taken back before its program began{}",
                    because(&app)
                );
                (ActionError::transient("JA009", problem), "FAILED")
            }
            ApplicationOutcome::Ended(_, app) if !has_begun => {
                let problem = format!(
                    "{id} failed before its program began{}{}",
                    because(&app),
                    next_step(&app.diagnostics)
                );
                (ActionError::error("JA018", problem), "FAILED")
            }
            ApplicationOutcome::Ended(_, app) if is_too_large(&app.diagnostics) => {
                let problem = format!("the container of {id} was killed{}", because(&app));
                (ActionError::error("JA018", problem), "FAILED")
            }
            ApplicationOutcome::Ended(_, app) => {
                let problem = format!(
                    "the container of {id} ended before it could report its result{}",
                    because(&app)
                );
                return self.without_container(id, staging, problem);
            }
        };
        if has_begun && let Some(problem) = self.end_started(staging) {
            error.message.push_str("; ");
            error.message.push_str(&problem);
        }
        Err(WorkError::Known(error, Box::new(of_id(id, status))))
    }

    /// Whether the program of an attempt that is over has begun. If it has not, it never will: this process has the claim then, and a
    /// container that the cluster has lost and that still runs does not get it.
    fn has_begun(&mut self, staging: &Staging<'_>) -> bool {
        let claimed = self.patiently("its staging folder", || staging.claim(OWNER));
        // Where that is not known, it is not started again.
        !claimed.unwrap_or(false)
    }

    /// The result of what a program has started, if that goes on without its container, which is lost as `problem` says.
    fn without_container(
        &self,
        id: &str,
        staging: &Staging<'_>,
        problem: String,
    ) -> Result<WorkResult, WorkError> {
        thread::sleep(LAST_WRITES);
        let named = staging.children().unwrap_or_default();
        match self.program.without_container(self.context, &named) {
            Ok(Some(result)) => {
                self.say(&format!("{problem}; what {id} has started has gone on"));
                Ok(result)
            }
            Ok(None) => Err(WorkError::Lost(problem)),
            Err(WorkError::Action(error)) => {
                Err(WorkError::Lost(format!("{problem}; {}", error.message)))
            }
            Err(WorkError::Lost(more)) => Err(WorkError::Lost(format!("{problem}; {more}"))),
            Err(error) => Err(error),
        }
    }
}

fn of_id(id: &str, external_status: &str) -> WorkResult {
    WorkResult {
        external_status: external_status.to_owned(),
        external_id: Some(id.to_owned()),
        ..WorkResult::default()
    }
}
