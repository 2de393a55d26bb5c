//! `info`: one job, whole.

use std::collections::BTreeMap;

use clap::Args;
use hpdlc_core::status::{ActionStatus, JobStatus};
use serde_json::{Value, json};

use crate::{
    clock,
    commands::{find_job, print},
    exit::{Exit, RunError},
    owner::Session,
    progress::format_duration,
    secrets,
    store::{
        ActionRow, JobRow, SkipMark, query,
        runs::{self, FormerRun},
    },
};

#[derive(Debug, Args)]
pub(super) struct Info {
    /// The job
    id: String,
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Info {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        let job = find_job(session, &self.id)?;
        let text = if self.json {
            format!("{}\n", to_json(session, &job)?)
        } else {
            to_text(session, &job)?
        };
        print(&text)?;
        Ok(Exit::Success)
    }
}

/// The contract of `jobs --json`: `info` without `conf` and `actions`.
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
        "error_code": job.error_code,
        "error_message": job.error_message,
    })
}

/// The contract of `info --json`.
pub(super) fn to_json(session: &Session, job: &JobRow) -> Result<Value, RunError> {
    let conf: BTreeMap<String, String> = serde_json::from_str(&job.conf).unwrap_or_default();
    let mask = secrets::Mask::of(&conf);
    let mut value = job_json(job);
    value["conf"] = json!(mask.properties(&conf));
    let actions = actions(session, job)?;
    value["actions"] = actions
        .iter()
        .map(|action| action_json(action, job.run))
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
    mask.json(&mut value);
    Ok(value)
}

/// `run` is the job's present run.
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

fn actions(session: &Session, job: &JobRow) -> Result<Vec<ActionRow>, RunError> {
    let connection = session.store()?;
    query::actions(&connection, &job.id).map_err(|error| session.describe(error))
}

fn former_runs(session: &Session, job: &JobRow) -> Result<Vec<FormerRun>, RunError> {
    let connection = session.store()?;
    runs::former(&connection, &job.id).map_err(|error| session.describe(error))
}

fn to_text(session: &Session, job: &JobRow) -> Result<String, RunError> {
    let conf: BTreeMap<String, String> = serde_json::from_str(&job.conf).unwrap_or_default();
    let mask = secrets::Mask::of(&conf);
    let mut text = format!(
        "Job       {}\nWorkflow  {}\nStatus    {}{}\nUser      {}\nCreated   {}\nStarted   {}\nEnded     {}\n",
        job.id,
        job.app,
        job.status,
        if job.run > 0 {
            format!(", run {}", job.run)
        } else {
            String::new()
        },
        job.user,
        format_local(Some(job.created)),
        format_local(job.started),
        format_local(job.ended),
    );
    if let (Some(parent), Some(node)) = (&job.parent_id, &job.parent_node) {
        text.push_str(&format!("Parent    {parent}@{node}\n"));
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
            text.push_str(&format!(": {message}"));
        }
        text.push('\n');
    }
    let actions = actions(session, job)?;
    let width = actions
        .iter()
        .map(|action| action.name.len())
        .max()
        .unwrap_or_default()
        .max(4);
    text.push_str(&format!(
        "\n{:<width$}  {:<12} {:<12} {:<10} {:<24} ERROR\n",
        "NODE", "TYPE", "STATUS", "DURATION", "TRANSITION"
    ));
    for action in &actions {
        let duration = match (action.started, action.ended) {
            (Some(started), Some(ended)) => format_duration(ended - started),
            (Some(started), None) => format_duration(clock::now_millis() - started),
            (None, _) => "-".to_owned(),
        };
        let error = match (&action.error_code, &action.error_message) {
            (Some(code), Some(message)) => format!("{code}: {message}"),
            (None, Some(message)) => message.clone(),
            (_, None) => String::new(),
        };
        let line = format!(
            "{:<width$}  {:<12} {:<12} {:<10} {:<24} {error}",
            action.name,
            action.type_name,
            action.shown_status(),
            duration,
            action.transition.as_deref().unwrap_or("-"),
        );
        text.push_str(line.trim_end());
        text.push('\n');
        match (action.skip, action.run) {
            (Some(SkipMark::Taken), Some(run)) => {
                text.push_str(&format!(
                    "{:<width$}  ran in run {run}, skipped in this one\n",
                    ""
                ));
            }
            (Some(SkipMark::Waits), Some(run)) => {
                text.push_str(&format!(
                    "{:<width$}  ran in run {run}, to be skipped\n",
                    ""
                ));
            }
            (_, _) => {}
        }
        if let Some(note) = &action.note {
            text.push_str(&format!("{:<width$}  {note}\n", ""));
        }
        if let (ActionStatus::StartRetry | ActionStatus::UserRetry, Some(due)) =
            (action.status, action.due)
        {
            text.push_str(&format!(
                "{:<width$}  next attempt at {}\n",
                "",
                format_local(Some(due))
            ));
        }
    }
    if let Some(next) = next_step(session, job)? {
        text.push_str(&format!("\n{next}\n"));
    }
    Ok(mask.text(&text))
}

/// What a person can do about a job that waits for one.
pub(super) fn next_step(session: &Session, job: &JobRow) -> Result<Option<String>, RunError> {
    Ok(match job.status {
        JobStatus::Suspended => Some(format!(
            "{}; go on with: resume {}",
            why_suspended(&actions(session, job)?),
            job.id
        )),
        JobStatus::Prep => Some(format!("not started yet; begin with: start {}", job.id)),
        JobStatus::Running => (!session.has_owner(&job.root_id))
            .then(|| format!("no process drives this job; go on with: recover {}", job.id)),
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

pub(super) fn format_local(millis: Option<i64>) -> String {
    millis
        .and_then(chrono::DateTime::from_timestamp_millis)
        .map(|time| {
            time.with_timezone(&chrono::Local)
                .format("%Y-%m-%d %H:%M:%S")
                .to_string()
        })
        .unwrap_or_else(|| "-".to_owned())
}
