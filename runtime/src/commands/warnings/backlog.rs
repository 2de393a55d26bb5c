//! A warning about a coordinator that begins long ago: its actions up to now are due at once.

use hpdlc_core::coordinator::Execution;
use hpdlc_engine::owner::Session;
use hpdlc_host::{exit::RunError, job_id::JobKind};
use hpdlc_program::table::Template;
use hpdlc_store::JobRow;

use super::Warning;
use crate::commands::info::scheduled::{Explainer, coordinator_of};

/// So many actions that are due are usual: a month of hours.
const USUAL: u64 = 1_000;

/// How many actions of a new coordinator are due already, unless they are few, or only the newest of them will run.
///
/// # Errors
///
/// Exit 5 if the store cannot be read.
pub(super) fn of(session: &Session, job: &JobRow) -> Result<Option<Warning>, RunError> {
    if JobKind::of(&job.id) != JobKind::Coordinator {
        return Ok(None);
    }
    let connection = session.store()?;
    let row = coordinator_of(session, &connection, job)?;
    let explainer = Explainer::new(session, &connection, job, &row)?;
    let Some(coordinator) = explainer.current(&row) else {
        return Ok(None);
    };
    let schedule = &coordinator.schedule;
    let n_due = schedule.count_before(explainer.clock.now().min(schedule.end));
    let skips_old = matches!(
        coordinator.controls.execution,
        Execution::LastOnly | Execution::None
    );
    if n_due < USUAL || skips_old {
        return Ok(None);
    }
    let table = session.program.coordinators.first();
    let property = table.and_then(|table| match table.start {
        Template::Property(_, _, name) => Some(name),
        _ => None,
    });
    let later = match property {
        Some(name) => format!("`-D {name}=...` with a later time"),
        None => "a later `start` in the document".to_owned(),
    };
    let problem = format!(
        "{n_due} actions are due already, the first for {}; all of them will run",
        explainer.zone.write(schedule.start)
    );
    let help = format!(
        "to begin later, `kill {}` and submit it again with {later}, or with `<execution>LAST_ONLY</execution>`",
        job.id
    );
    Ok(Some(Warning { problem, help }))
}
