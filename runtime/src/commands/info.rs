//! `info`: shows everything about one job.

use std::collections::BTreeMap;

use clap::Args;
use hpdlc_core::{
    status::{ActionStatus, JobStatus},
    visible,
};
use hpdlc_engine::{owner::Session, progress::style};
use hpdlc_host::{
    clock::{self, format_duration},
    exit::{Exit, RunError},
    job_id::JobKind,
};
use hpdlc_store::{
    ActionRow, JobRow, SkipMark, query,
    runs::{self, FormerRun},
};
use serde_json::{Value, json};

use crate::{
    commands::{
        find::{self, Subject, find_subject},
        print, print_json,
    },
    masks::Masks,
};

mod bundle;
pub mod columns;
mod hosts;
mod observed;
mod order;
mod plain;
pub(super) mod scheduled;
mod slas;
mod why;

use self::{columns::Columns, hosts::Machines};

#[derive(Debug, Args)]
pub struct Info {
    #[arg(help = find::JOB)]
    id: String,
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Info {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        let job = match find_subject(session, &self.id)? {
            Subject::Job(job) => job,
            Subject::Action(job, number) => {
                return scheduled::show_action(session, &job, number, self.json);
            }
        };
        if self.json {
            print_json(&to_json(session, &job)?)?;
        } else {
            print(&to_text(session, &job)?)?;
        }
        Ok(Exit::Success)
    }
}

/// The format of `jobs --json`: `info` without `conf` and `actions`.
pub(super) fn job_json(job: &JobRow) -> Value {
    json!({
        "id": job.id,
        "app": job.app,
        "status": job.status.name(),
        "run": job.run,
        "user": job.user,
        "created": clock::format_millis(job.created),
        "started": job.started.and_then(clock::format_millis),
        "ended": job.ended.and_then(clock::format_millis),
        "app_path": job.app_path,
        "parent": job.parent_id,
        "key": job.key,
        "error_code": job.error_code,
        "error_message": job.error_message,
    })
}

/// The format of `info --json`, without secrets.
///
/// # Errors
///
/// Exit 5 if the store cannot be read.
pub fn to_json(session: &Session, job: &JobRow) -> Result<Value, RunError> {
    match JobKind::of(&job.id) {
        JobKind::Workflow => {}
        JobKind::Coordinator => return scheduled::to_json(session, job),
        JobKind::Bundle => return bundle::to_json(session, job),
    }
    let conf: BTreeMap<String, String> = serde_json::from_str(&job.conf).unwrap_or_default();
    let masks = Masks::of(session, job)?;
    let mut value = job_json(job);
    value["conf"] = json!(masks.properties(&conf));
    let actions = actions(session, job)?;
    let machines = Machines::of(session, &actions)?;
    value["actions"] = actions
        .iter()
        .map(|action| machines.to_json(action, action_json(action, job.run)))
        .collect();
    value["runs"] = former_runs(session, job)?
        .into_iter()
        .map(|former| {
            json!({
                "run": former.run,
                "status": former.status,
                "started": former.started.and_then(clock::format_millis),
                "ended": former.ended.and_then(clock::format_millis),
                "error_code": former.error_code,
                "error_message": former.error_message,
            })
        })
        .collect();
    value["sla"] = slas::to_json(&slas::of_job(session, job)?);
    masks.json(&mut value);
    Ok(value)
}

/// `run` is the job's current run.
fn action_json(action: &ActionRow, run: i64) -> Value {
    let data: Value = action
        .data
        .as_deref()
        .and_then(|data| serde_json::from_str(data).ok())
        .unwrap_or(json!({}));
    json!({
        "name": action.name,
        "type": action.type_name,
        "status": action.shown_status().name(),
        "transition": action.transition,
        "external_id": action.external_id,
        "external_status": action.external_status,
        "error_code": action.error_code,
        "error_message": action.error_message,
        "retries": action.retries,
        "run": action.run.unwrap_or(run),
        "skipped": action.skip.is_some(),
        "data": data,
        "started": action.started.and_then(clock::format_millis),
        "ended": action.ended.and_then(clock::format_millis),
        "due": action.due.and_then(clock::format_millis),
        "note": action.note,
    })
}

/// Why a workflow job is in its state, and what to type: lines for the user, the most urgent first. `actions` are those of
/// [`actions`].
///
/// # Errors
///
/// Exit 5 if the store cannot be read.
pub fn why(
    session: &Session,
    job: &JobRow,
    actions: &[ActionRow],
    masks: &Masks,
) -> Result<Vec<String>, RunError> {
    let now = clock::now_millis();
    let mut lines = why::explain(session, job, actions)?;
    let slas = slas::of_job(session, job)?;
    lines.extend(slas::unwatched(session, job, &slas, now));
    Ok(lines.iter().map(|line| masks.text(line)).collect())
}

/// The nodes of a workflow job in the order in which its run has reached them, with what their processes did since the last owner.
///
/// # Errors
///
/// Exit 5 if the store cannot be read.
pub fn actions(session: &Session, job: &JobRow) -> Result<Vec<ActionRow>, RunError> {
    let connection = session.store()?;
    let describe = |error| session.describe(error);
    let mut actions = query::actions(&connection, &job.id).map_err(describe)?;
    let entered = query::entered(&connection, &job.id).map_err(describe)?;
    order::sort(&mut actions, &entered);
    observed::observe(session, job, &mut actions);
    Ok(actions)
}

fn former_runs(session: &Session, job: &JobRow) -> Result<Vec<FormerRun>, RunError> {
    let connection = session.store()?;
    runs::former(&connection, &job.id).map_err(|error| session.describe(error))
}

/// `, driven by process 12`, or `… on host b`, if a process drives it.
fn driven_by(session: &Session, job: &JobRow) -> Result<String, RunError> {
    if !session.has_owner(&job.root_id) {
        return Ok(String::new());
    }
    Ok(format!(", driven by {}", session.owner(&job.root_id)?))
}

/// The line with the key of the job; empty if it has none.
pub(super) fn key_line(job: &JobRow, width: usize) -> String {
    let key = job.key.as_ref();
    key.map_or_else(String::new, |key| format!("{:<width$}{key}\n", "Key"))
}

fn to_text(session: &Session, job: &JobRow) -> Result<String, RunError> {
    match JobKind::of(&job.id) {
        JobKind::Workflow => {}
        JobKind::Coordinator => return scheduled::to_text(session, job),
        JobKind::Bundle => return bundle::to_text(session, job),
    }
    let masks = Masks::of(session, job)?;
    let job = &plain::job(job);
    let now = clock::now_millis();
    let age = |time: Option<i64>| match time {
        Some(time) => format!(
            "{}  {} ago",
            format_local(Some(time)),
            format_age(now - time)
        ),
        None => "-".to_owned(),
    };
    let mut text = format!("Job       {}\nWorkflow  {}\n", job.id, job.app);
    text.push_str(&format!("Status    {}", painted(job.status.name())));
    if job.run > 0 {
        text.push_str(&format!(", run {}", job.run));
    }
    if let Some(time) = standing(session, job, now)? {
        let comma = if job.run > 0 { "," } else { "" };
        text.push_str(&format!("{comma} {time}"));
    }
    if !job.status.is_terminal() {
        text.push_str(&driven_by(session, job)?);
    }
    text.push_str(&format!(
        "\nUser      {}\nCreated   {}\nStarted   {}\nEnded     {}\n",
        job.user,
        age(Some(job.created)),
        age(job.started),
        age(job.ended),
    ));
    text.push_str(&key_line(job, 10));
    match (&job.parent_id, &job.parent_node) {
        (Some(parent), Some(node)) => text.push_str(&format!("Parent    {parent}@{node}\n")),
        (Some(parent), None) => text.push_str(&format!("Parent    {parent}\n")),
        (None, _) => {}
    }
    if let Some(message) = &job.error_message {
        text.push_str(&format!("Message   {message}\n"));
    }
    for former in former_runs(session, job)? {
        text.push_str(&format!(
            "Run {:<5} {} at {}",
            former.run,
            former.status,
            format_local(former.ended)
        ));
        if let Some(message) = &former.error_message {
            text.push_str(&format!(": {}", visible::line(message)));
        }
        text.push('\n');
    }
    let actions: Vec<ActionRow> = actions(session, job)?
        .into_iter()
        .map(plain::action)
        .collect();
    let machines = Machines::of(session, &actions)?;
    text.push_str(&format!("\n{}", nodes(&actions, &machines, now)));
    let slas = slas::of_job(session, job)?;
    if !slas.is_empty() {
        text.push_str(&format!("\n{}", slas::to_text(&slas)));
    }
    let mut why = why::explain(session, job, &actions)?;
    why.extend(slas::unwatched(session, job, &slas, now));
    if !why.is_empty() {
        text.push_str(&format!("\n{}\n", why.join("\n")));
    }
    Ok(masks.text(&text))
}

/// A state in its color, if standard output has colors.
pub(super) fn painted(status: &str) -> String {
    match style::of_status(status).filter(|_| style::stdout()) {
        Some(code) => style::paint(status, code),
        None => status.to_owned(),
    }
}

/// `after 12s` for a job that has ended, `for 12s` for one that has not: since it was suspended, if it is.
fn standing(session: &Session, job: &JobRow, now: i64) -> Result<Option<String>, RunError> {
    let Some(started) = job.started else {
        return Ok(None);
    };
    if let Some(ended) = job.ended {
        let after = format_duration(ended - started);
        return Ok(Some(format!("after {after}")));
    }
    let since = if job.status == JobStatus::Suspended {
        let connection = session.store()?;
        query::last_change(&connection, &job.id, job.status.name())
            .map_err(|error| session.describe(error))?
    } else {
        None
    };
    let time = format_duration(now - since.unwrap_or(started));
    Ok(Some(format!("for {time}")))
}

/// The nodes of a job in columns.
fn nodes(actions: &[ActionRow], machines: &Machines, now: i64) -> String {
    let mut columns =
        Columns::new(&["NODE", "TYPE", "STATUS", "DURATION", "TRANSITION", "ERROR"]).states(2);
    for action in actions {
        let took = |started: i64| action.ended.unwrap_or(now) - started;
        let duration = action
            .started
            .map_or_else(|| "-".to_owned(), |started| format_duration(took(started)));
        let error = match &action.error_message {
            Some(_) => action.error_text().unwrap_or_default().into_owned(),
            None => String::new(),
        };
        columns.row(vec![
            action.name.clone(),
            action.type_name.clone(),
            action.shown_status().to_string(),
            duration,
            action.transition.clone().unwrap_or_else(|| "-".to_owned()),
            error,
        ]);
        match (action.skip, action.run) {
            (Some(SkipMark::Taken), Some(run)) => {
                columns.note(format!("ran in run {run}, skipped in this one"));
            }
            (Some(SkipMark::Waits | SkipMark::Entered), Some(run)) => {
                columns.note(format!("ran in run {run}, to be skipped"));
            }
            (_, _) => {}
        }
        if let Some(note) = machines.note(action) {
            columns.note(note);
        }
        if action.attempt > 1 {
            columns.note(format!("attempt {}", action.attempt));
        }
        if let Some(note) = &action.note {
            columns.note(note.clone());
        }
        if let (ActionStatus::StartRetry | ActionStatus::UserRetry, Some(due)) =
            (action.status, action.due)
        {
            columns.note(format!(
                "next attempt at {}, in {}",
                format_local(Some(due)),
                format_duration(due - now)
            ));
        }
    }
    columns.text()
}

/// `12s`, `3m`, `5h`, `40d`: a duration.
pub(super) fn format_age(millis: i64) -> String {
    let seconds = millis.max(0) / 1_000;
    match seconds {
        0..120 => format!("{seconds}s"),
        120..7_200 => format!("{}m", seconds / 60),
        7_200..172_800 => format!("{}h", seconds / 3_600),
        _ => format!("{}d", seconds / 86_400),
    }
}

/// What the user can do about a job that waits for the user.
pub(super) fn next_step(session: &Session, job: &JobRow) -> Result<Option<String>, RunError> {
    if JobKind::of(&job.id) != JobKind::Workflow {
        return scheduled::next_step(session, job);
    }
    Ok(match job.status {
        JobStatus::Suspended => Some(format!(
            "{}; continue with: resume {}",
            why_suspended(&actions(session, job)?),
            job.id
        )),
        JobStatus::Prep => Some(format!("not started yet; start it with: start {}", job.id)),
        JobStatus::Running => (!session.has_owner(&job.root_id)).then(|| {
            format!(
                "no process drives this job; continue with: recover {}",
                job.id
            )
        }),
        JobStatus::Succeeded | JobStatus::Killed | JobStatus::Failed => None,
    })
}

fn why_suspended(actions: &[ActionRow]) -> String {
    let names = |status: ActionStatus| {
        let at = actions.iter().filter(|action| {
            action.status == status && (action.type_name != ":JOIN:" || action.attempt > 0)
        });
        let names: Vec<&str> = at.map(|action| action.name.as_str()).collect();
        names.join(", ")
    };
    let (failed, next) = (names(ActionStatus::StartManual), names(ActionStatus::Prep));
    match (failed.as_str(), next.as_str()) {
        ("", "") => "suspended".to_owned(),
        ("", next) => format!("suspended before {next}"),
        (failed, _) => format!("suspended at {failed}"),
    }
}

pub fn format_local(millis: Option<i64>) -> String {
    millis
        .and_then(chrono::DateTime::from_timestamp_millis)
        .map(|time| {
            time.with_timezone(&chrono::Local)
                .format("%Y-%m-%d %H:%M:%S")
                .to_string()
        })
        .unwrap_or_else(|| "-".to_owned())
}

#[cfg(test)]
mod tests {
    use super::format_age;

    #[test]
    fn ages_have_one_unit() {
        let ages = [0, 119_999, 7_199_000, 172_799_000, 3_456_000_000].map(format_age);
        assert_eq!(ages, ["0s", "119s", "119m", "47h", "40d"]);
    }
}
