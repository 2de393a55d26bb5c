//! Why a job is in its state: what it waits for, since when, what happens next, and which command to type.

use hpdlc_core::{
    coded_message::coded,
    status::{ActionStatus, JobStatus},
};
use hpdlc_engine::owner::Session;
use hpdlc_host::{
    clock::{self, format_duration},
    exit::RunError,
    settings::Settings,
};
use hpdlc_store::{ActionRow, JobRow, commands, notifications};

use crate::commands::info::{format_local, next_step};

/// At most this many nodes are explained one by one; otherwise their number is shown.
const MAX_EXPLAINED: usize = 12;

/// Lines for the user, the most urgent first; none for a job that has ended without leftovers.
pub(super) fn explain(
    session: &Session,
    job: &JobRow,
    actions: &[ActionRow],
) -> Result<Vec<String>, RunError> {
    let now = clock::now_millis();
    let mut lines = Vec::new();
    let has_owner = session.has_owner(&job.root_id);
    add(
        &mut lines,
        actions.iter().filter_map(|action| stuck(job, action, now)),
    );
    if job.status == JobStatus::Running && has_owner {
        add(
            &mut lines,
            actions
                .iter()
                .filter_map(|action| running(job, action, now)),
        );
        add(&mut lines, queued(session, job, actions));
        add(
            &mut lines,
            actions.iter().filter_map(|action| waiting(action, now)),
        );
        add(&mut lines, joins(actions));
    }
    let stopping = actions.iter().filter(|action| action.is_canceling);
    add(
        &mut lines,
        stopping.map(|action| format!("{} is being stopped", action.name)),
    );
    lines.extend(asked(session, job, now)?);
    lines.extend(untold(session, job)?);
    lines.extend(next_step(session, job)?);
    Ok(lines)
}

fn add(lines: &mut Vec<String>, more: impl IntoIterator<Item = String>) {
    let mut more = more.into_iter();
    lines.extend(more.by_ref().take(MAX_EXPLAINED));
    let n_more = more.count();
    if n_more > 0 {
        lines.push(format!("... and {n_more} more like these"));
    }
}

/// `since 20:31:05, 12s`; empty if the time is unknown.
fn since(time: Option<i64>, now: i64) -> String {
    time.map(|time| {
        format!(
            " since {}, {}",
            format_local(Some(time)),
            format_duration(now - time)
        )
    })
    .unwrap_or_default()
}

/// An action that waits for the user.
fn stuck(job: &JobRow, action: &ActionRow, now: i64) -> Option<String> {
    if action.status != ActionStatus::StartManual {
        return None;
    }
    let name = &action.name;
    let code = action.error_code.as_deref().unwrap_or("an error");
    let message = action.error_message.as_deref().unwrap_or("no message");
    let advice = match code {
        "HPDL_LOST" => format!(
            "check whether its work was done (log {} {name}): resume runs it again, kill ends the job",
            job.id
        ),
        _ => format!(
            "once the cause is fixed, resume runs it again (log {} {name})",
            job.id
        ),
    };
    Some(format!(
        "{name} needs attention{}: {}; {advice}",
        since(action.started, now),
        coded(code, message)
    ))
}

fn running(job: &JobRow, action: &ActionRow, now: i64) -> Option<String> {
    let is_work = !action.type_name.starts_with(':');
    if action.status != ActionStatus::Running || action.is_queued() || !is_work {
        return None;
    }
    let name = &action.name;
    let time = action.started.map_or_else(String::new, |started| {
        format!(" for {}", format_duration(now - started))
    });
    let attempt = match action.attempt {
        ..2 => String::new(),
        more => format!(", attempt {more}"),
    };
    Some(match (&action.external_id, action.type_name.as_str()) {
        (Some(child), "sub-workflow") => {
            format!("`{name}` has been running job {child}{time}{attempt}; see: info {child}")
        }
        (Some(pid), "shell" | "java") if pid != "-" => format!(
            "`{name}` has been running{time}{attempt} as process {pid}; see: log {} {name} -f",
            job.id
        ),
        (_, _) => format!("`{name}` has been running{time}{attempt}"),
    })
}

/// Actions that wait for a free slot.
fn queued(session: &Session, job: &JobRow, actions: &[ActionRow]) -> Option<String> {
    let n_queued = actions.iter().filter(|action| action.is_queued()).count();
    if n_queued == 0 {
        return None;
    }
    let conf = serde_json::from_str(&job.conf).unwrap_or_default();
    let most = Settings {
        conf: &conf,
        site: &session.site,
    }
    .max_processes();
    let wait = if n_queued == 1 {
        "1 action waits".to_owned()
    } else {
        format!("{n_queued} actions wait")
    };
    Some(format!(
        "{wait} for a free process: a job runs at most {most} at once (hpdl.local.processes.max)"
    ))
}

/// A retry, with its time.
fn waiting(action: &ActionRow, now: i64) -> Option<String> {
    let kind = match action.status {
        ActionStatus::StartRetry => "after a transient failure",
        ActionStatus::UserRetry => "by its retry-max",
        ActionStatus::Prep
        | ActionStatus::Running
        | ActionStatus::Done
        | ActionStatus::Ok
        | ActionStatus::Error
        | ActionStatus::StartManual
        | ActionStatus::Killed
        | ActionStatus::Failed => return None,
    };
    let due = action.due?;
    let failure = match (&action.error_message, action.error_text()) {
        (Some(_), Some(text)) => format!(": {text}"),
        (_, _) => String::new(),
    };
    Some(format!(
        "{} tries again at {}, in {}, attempt {}, {kind}{failure}",
        action.name,
        format_local(Some(due)),
        format_duration(due - now),
        action.attempt + 1,
    ))
}

/// Joins that some strands have reached.
fn joins(actions: &[ActionRow]) -> impl Iterator<Item = String> {
    let waits = |join: &&ActionRow| join.type_name == ":JOIN:" && join.status == ActionStatus::Prep;
    actions
        .iter()
        .filter(waits)
        .map(|join| format!("{} waits for the other branches of its fork", join.name))
}

/// Commands that an owner has not answered yet.
fn asked(session: &Session, job: &JobRow, now: i64) -> Result<Vec<String>, RunError> {
    let connection = session.store()?;
    let open =
        commands::open_since(&connection, &job.id).map_err(|error| session.describe(error))?;
    Ok(open
        .into_iter()
        .map(|(verb, time)| {
            format!(
                "{verb} was requested{}, and has not been carried out",
                since(Some(time), now)
            )
        })
        .collect())
}

/// Notifications that are pending, or were given up.
fn untold(session: &Session, job: &JobRow) -> Result<Vec<String>, RunError> {
    let connection = session.store()?;
    let (n_open, problem, n_given_up) =
        notifications::left(&connection, &job.id).map_err(|error| session.describe(error))?;
    let mut lines = Vec::new();
    if n_open > 0 {
        let problem = problem.map_or_else(String::new, |problem| {
            format!("; the last attempt: {problem}")
        });
        lines.push(format!("notifications still to be sent: {n_open}{problem}"));
    }
    if n_given_up > 0 {
        lines.push(format!(
            "notifications that could not be sent: {n_given_up}; see: log {}",
            job.id
        ));
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_nodes_alike_are_counted() {
        let mut lines = Vec::new();
        add(&mut lines, (0..14).map(|n| n.to_string()));
        assert_eq!(lines.len(), 13);
        assert_eq!(lines[12], "... and 2 more like these");
    }

    #[test]
    fn an_age_says_since_when_and_how_long() {
        assert_eq!(since(None, 0), "");
        let text = since(Some(1_000), 13_000);
        assert!(
            text.starts_with(" since 1970-01-01 ") && text.ends_with(", 12s"),
            "{text}"
        );
    }
}
