//! `watch`: shows the live progress of a job that another process drives.

use std::{collections::HashMap, thread, time::Duration};

use clap::Args;
use hpdlc_core::{
    coordinator::{CoordinatorActionStatus, CoordinatorStatus},
    status::{ActionStatus, JobStatus},
};
use hpdlc_engine::{
    engine::JobCompletion,
    owner::Session,
    progress::{Progress, ProgressEvent},
};
use hpdlc_host::{
    exit::{Exit, RunError},
    job_id::{self, JobKind},
};
use hpdlc_store::{
    JobRow, LogRow, query,
    sql::{self, Connection},
};

use crate::commands::{conclude::conclude, find, find_job, info, progress_of, say, status_of};

/// Polling interval for the store.
const LOOK_AGAIN: Duration = Duration::from_millis(200);

/// A job that was just created has no owner for a moment.
const LOOKS_BEFORE_HINT: u32 = 10;

#[derive(Debug, Args)]
pub struct Watch {
    #[arg(help = find::JOB, default_value = "last")]
    id: String,
    /// Print events, then the job, as JSON
    #[arg(long)]
    json: bool,
}

impl Watch {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        let job = find_job(session, &self.id)?;
        if is_over(session, &job)? {
            return conclude(session, &JobCompletion::of(job), self.json);
        }
        if !self.json {
            say(&format!("{} {}", JobKind::of(&job.id).word(), job.id));
        }
        let mut progress = progress_of(session, &job, self.json);
        let ended = follow(session, &job.id, progress.as_mut())?;
        // Flushes the display before the result is reported.
        drop(progress);
        conclude(session, &JobCompletion::of(ended), self.json)
    }
}

/// Shows the events of a job until it ends or is suspended.
fn follow(session: &Session, id: &str, progress: &mut dyn Progress) -> Result<JobRow, RunError> {
    let mut lines = LogTail::new(session, id)?;
    let top = find_job(session, id)?;
    progress.past(&ProgressEvent {
        time: top.started.unwrap_or(top.created),
        status: Some(JobStatus::Running.name().to_owned()),
        message: Some(top.app.clone()),
        ..ProgressEvent::of_job(&top, top.created)
    });
    let mut is_first = true;
    let mut n_looks = 0;
    let mut hint: Option<String> = None;
    loop {
        // Read before its lines, so that the lines are complete if the job has ended.
        let job = find_job(session, id)?;
        let is_over = is_over(session, &job)?;
        for line in lines.next(session)? {
            let event = event(line);
            if is_first {
                progress.past(&event);
            } else {
                progress.event(&event);
            }
        }
        progress.flush();
        is_first = false;
        if is_over {
            return Ok(job);
        }
        let next = info::next_step(session, &job)?;
        n_looks = if next.is_some() { n_looks + 1 } else { 0 };
        if n_looks >= LOOKS_BEFORE_HINT && next != hint {
            if let Some(next) = &next {
                progress.say(next);
            }
            hint = next;
        }
        thread::sleep(LOOK_AGAIN);
    }
}

/// The log lines of a job and of everything that it has started, as they are written.
struct LogTail {
    connection: Connection,
    /// The number of the last line that was read.
    last: i64,
    /// For each job, whether it belongs to the watched one.
    members: HashMap<String, bool>,
}

impl LogTail {
    fn new(session: &Session, id: &str) -> Result<LogTail, RunError> {
        let connection = session.store()?;
        let describe = |error| session.describe(error);
        let first = query::first_line(&connection, id).map_err(describe)?;
        Ok(LogTail {
            connection,
            last: first.map_or(0, |first| first - 1),
            members: HashMap::from([(id.to_owned(), true)]),
        })
    }

    fn next(&mut self, session: &Session) -> Result<Vec<LogRow>, RunError> {
        let describe = |error| session.describe(error);
        let rows = query::log_after(&self.connection, self.last).map_err(describe)?;
        let mut lines = Vec::new();
        for (number, line) in rows {
            self.last = number;
            if self.has(&line.job_id).map_err(describe)? {
                lines.push(line);
            }
        }
        Ok(lines)
    }

    /// Whether a job is the watched one, or was started by it.
    fn has(&mut self, job: &str) -> sql::Result<bool> {
        let mut chain = Vec::new();
        let mut id = job.to_owned();
        let is_member = loop {
            if let Some(known) = self.members.get(&id) {
                break *known;
            }
            let row = query::job(&self.connection, &id)?;
            chain.push(id);
            let Some(parent) = row.and_then(|row| row.parent_id) else {
                break false;
            };
            let coordinator = job_id::coordinator_action(&parent).map(|(id, _)| id.to_owned());
            id = coordinator.unwrap_or(parent);
        };
        self.members
            .extend(chain.into_iter().map(|id| (id, is_member)));
        Ok(is_member)
    }
}

/// It has ended, or waits to be resumed.
fn is_over(session: &Session, job: &JobRow) -> Result<bool, RunError> {
    if JobKind::of(&job.id) == JobKind::Workflow {
        return Ok(job.status.is_terminal() || job.status == JobStatus::Suspended);
    }
    let status = status_of(session, job)?;
    Ok(CoordinatorStatus::from_name(&status).is_some_and(|status| {
        status.is_terminal()
            || matches!(
                status,
                CoordinatorStatus::Suspended | CoordinatorStatus::SuspendedWithError
            )
    }))
}

/// Converts a log line to the event that its owner has reported.
fn event(line: LogRow) -> ProgressEvent {
    // A failure is logged with the same word as the state that follows it; the line of the state says where the job continues.
    let is_failure = line.event == "ERROR"
        && line
            .message
            .as_deref()
            .is_some_and(|message| !message.starts_with("-> "));
    let is_state = JobStatus::from_name(&line.event).is_some()
        || ActionStatus::from_name(&line.event).is_some()
        || CoordinatorStatus::from_name(&line.event).is_some()
        || CoordinatorActionStatus::from_name(&line.event).is_some();
    // A skipped node has no state in this run.
    let is_skipped = line.event == "SKIPPED" && line.job_id.ends_with('W');
    let status = (is_state && !is_failure && !is_skipped).then(|| line.event.clone());
    ProgressEvent {
        time: line.time,
        id: line.job_id,
        node: line.node,
        event: line.event,
        status,
        message: line.message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_told_from_notes() {
        for (id, word, message, expected) in [
            ("1-W", "RUNNING", None, Some("RUNNING")),
            ("1-W", "ERROR", Some("-> stop (0.1s)"), Some("ERROR")),
            ("1-W", "ERROR", Some("1: `sh` ended"), None),
            ("1-W", "WARNING", Some("callbacks: x"), None),
            ("1-W", "SKIPPED", Some("OK in run 0"), None),
            ("1-C", "SKIPPED", None, Some("SKIPPED")),
            ("1-C", "TIMEDOUT", None, Some("TIMEDOUT")),
            ("1-C", "UPDATE", None, None),
        ] {
            let line = LogRow {
                job_id: id.to_owned(),
                time: 0,
                node: Some("a".to_owned()),
                event: word.to_owned(),
                message: message.map(str::to_owned),
            };
            assert_eq!(event(line).status.as_deref(), expected, "{id} {word}");
        }
    }
}
