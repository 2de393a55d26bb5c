//! Reports how a job ended, and determines the exit code.

use hpdlc_core::coordinator::CoordinatorStatus;
use hpdlc_engine::{engine::JobCompletion, owner::Session};
use hpdlc_host::{
    clock::format_duration,
    exit::{Exit, RunError},
    job_id::JobKind,
    mask::Mask,
};
use hpdlc_store::JobRow;

use crate::commands::{failure, info, print_json, say, status_of};

/// Reports how a job ended; returns the exit code of its state.
pub(super) fn conclude(
    session: &Session,
    ended: &JobCompletion,
    json: bool,
) -> Result<Exit, RunError> {
    let JobCompletion { job, suspended } = ended;
    if JobKind::of(&job.id) != JobKind::Workflow {
        return conclude_scheduled(session, job, json);
    }
    if json {
        print_json(&info::to_json(session, job)?)?;
    } else {
        let mut text = format!("job {} {}", job.id, job.status);
        if let (Some(started), Some(ended)) = (job.started, job.ended) {
            text.push_str(&format!(" after {}", format_duration(ended - started)));
        }
        if let Some(message) = &job.error_message {
            let conf = serde_json::from_str(&job.conf).unwrap_or_default();
            text.push_str(&format!(": {}", Mask::of(&conf).text(message)));
        }
        say(&text);
        tell(failure::describe(session, job)?);
        if let Some(suspended) = suspended
            && let Some(next) = info::next_step(session, suspended)?
        {
            say(&next);
        }
    }
    Ok(if suspended.is_some() {
        Exit::Suspended
    } else {
        Exit::of_job(job.status)
    })
}

/// As [`conclude`], for a coordinator or a bundle, whose own state is more specific than the job's.
fn conclude_scheduled(session: &Session, job: &JobRow, json: bool) -> Result<Exit, RunError> {
    let status = status_of(session, job)?;
    if json {
        print_json(&info::to_json(session, job)?)?;
    } else {
        let mut text = format!("{} {} {status}", JobKind::of(&job.id).word(), job.id);
        if let (Some(started), Some(ended)) = (job.started, job.ended) {
            text.push_str(&format!(" after {}", format_duration(ended - started)));
        }
        say(&text);
        if let Some(next) = info::next_step(session, job)? {
            say(&next);
        }
        tell(failure::describe_scheduled(session, job)?);
    }
    Ok(CoordinatorStatus::from_name(&status).map_or(Exit::Machine, Exit::of_coordinator))
}

fn tell(lines: Option<String>) {
    if let Some(lines) = lines {
        say(&lines);
    }
}
