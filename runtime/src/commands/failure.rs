//! Why a job failed: the action, the last lines of its output, and the command to type next.

use std::{
    borrow::Cow,
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    path::Path,
};

use hpdlc_core::status::{ActionStatus, JobStatus};
use hpdlc_engine::{owner::Session, progress::plain};
use hpdlc_host::{exit::RunError, job_id::JobKind};
use hpdlc_launcher::Attempt;
use hpdlc_store::{ActionRow, JobRow, coordinators as rows, query};

use crate::{
    commands::{short_id, typed_name},
    masks::Masks,
};

/// The number of lines of a failed action's output that are shown.
const LINES: usize = 10;

/// How many bytes at the end of each of its files are read for them.
const TAIL: u64 = 64 * 1024;

/// Longer lines are truncated.
const WIDTH: usize = 400;

/// How deep sub-workflows are followed: deeper than any job can be nested.
const DEPTH: usize = 100;

/// Lines for the user about a workflow's job that has ended KILLED or FAILED; `None` for any other.
///
/// # Errors
///
/// The store cannot be read.
pub(super) fn describe(session: &Session, job: &JobRow) -> Result<Option<String>, RunError> {
    if !has_failed(job) {
        return Ok(None);
    }
    let (name, id) = (typed_name(), short_id(&job.id));
    let (mut text, look) = of_workflow(session, job)?;
    let look = look.unwrap_or_else(|| format!("info {id}"));
    let failed = if text.is_empty() { "" } else { " --failed" };
    text.push_str(&commands(&name, &look, &format!("rerun {id}{failed}")));
    Ok(Some(text))
}

/// As [`describe`], for a coordinator or a bundle that has ended with failed actions: describes the last of them.
///
/// # Errors
///
/// The store cannot be read.
pub(super) fn describe_scheduled(
    session: &Session,
    job: &JobRow,
) -> Result<Option<String>, RunError> {
    if !job.status.is_terminal() {
        return Ok(None);
    }
    let connection = session.store()?;
    let describe = |error| session.describe(error);
    let coordinators = match JobKind::of(&job.id) {
        JobKind::Bundle => rows::coordinators_of(&connection, &job.id).map_err(describe)?,
        JobKind::Coordinator | JobKind::Workflow => vec![job.id.clone()],
    };
    let mut found = None;
    for id in coordinators {
        let failed = rows::last_failed(&connection, &id).map_err(describe)?;
        found = failed.map(|action| (id, action)).or(found);
    }
    let Some((id, action)) = found else {
        return Ok(None);
    };
    let record = &action.record;
    let name = short_id(&id);
    let subject = format!("{name}@{}", record.number);
    let mut text = format!("action {subject} ended {}", record.status);
    if let Some(error) = &record.error {
        text.push_str(&format!(", {}: {}", error.code, error.message));
    }
    text = Masks::of(session, job)?.text(&text);
    text.push('\n');
    let workflow = match &action.workflow_id {
        Some(workflow) => query::job(&connection, workflow).map_err(describe)?,
        None => None,
    };
    let mut look = None;
    if let Some(workflow) = workflow.filter(has_failed) {
        let (more, command) = of_workflow(session, &workflow)?;
        text.push_str(&more);
        look = command;
    }
    text.push_str(&commands(
        &typed_name(),
        &look.unwrap_or_else(|| format!("info {subject}")),
        &format!("rerun {name} --action {}", record.number),
    ));
    Ok(Some(text))
}

fn has_failed(job: &JobRow) -> bool {
    matches!(job.status, JobStatus::Killed | JobStatus::Failed)
}

fn commands(name: &str, look: &str, again: &str) -> String {
    format!("see more:      {name} {look}\nrun it again:  {name} {again}")
}

/// The failed action with its last lines, and the command that shows all of them; empty if no action failed.
fn of_workflow(session: &Session, job: &JobRow) -> Result<(String, Option<String>), RunError> {
    let Some((owner, action)) = failed_action(session, job)? else {
        return Ok((String::new(), None));
    };
    let masks = Masks::of(session, &owner)?;
    let mut text = format!("`{}` ended {}", action.name, action.shown_status());
    // The line above may already contain the message.
    let said = job.error_message.as_deref().unwrap_or_default();
    let is_said = |message: &String| said.contains(message.as_str());
    let shown = match &action.error_code {
        Some(code) if action.error_message.as_ref().is_some_and(is_said) => {
            Some(Cow::Borrowed(code.as_str()))
        }
        _ => action.error_text(),
    };
    if let Some(shown) = shown {
        text.push_str(&format!(", {shown}"));
    }
    text = masks.text(&text);
    text.push('\n');
    let printed = printed(session, &owner, &action)
        .map_err(|error| RunError::machine(format!("the output of {}: {error}", action.name)))?;
    let last = last_lines(&masks.text(&printed));
    if last.is_empty() {
        return Ok((text, None));
    }
    text.push_str("its last output:\n");
    for line in &last {
        text.push_str(&format!("    {line}\n"));
    }
    let look = format!("log {} {}", short_id(&owner.id), action.name);
    Ok((text, Some(look)))
}

/// The action whose failure ended a job, with the job that it belongs to: for a sub-workflow, the action in the child.
fn failed_action(session: &Session, job: &JobRow) -> Result<Option<(JobRow, ActionRow)>, RunError> {
    let connection = session.store()?;
    let describe = |error| session.describe(error);
    let mut owner = job.clone();
    let mut found = None;
    for _ in 0..DEPTH {
        let actions = query::actions(&connection, &owner.id).map_err(describe)?;
        let Some(action) = culprit(&owner, &actions) else {
            break;
        };
        let child = match (&action.external_id, action.type_name.as_str()) {
            (Some(child), "sub-workflow") => query::job(&connection, child).map_err(describe)?,
            (_, _) => None,
        };
        found = Some((owner, action.clone()));
        match child {
            Some(child) if has_failed(&child) => owner = child,
            Some(_) | None => break,
        }
    }
    Ok(found)
}

/// The action that failed the job, or that led to the `kill` node which ended it. `None` if a user killed it.
fn culprit<'a>(job: &JobRow, actions: &'a [ActionRow]) -> Option<&'a ActionRow> {
    let failed = actions
        .iter()
        .find(|action| action.status == ActionStatus::Failed);
    if failed.is_some() {
        return failed;
    }
    let end = actions.iter().find(|action| {
        matches!(action.type_name.as_str(), ":KILL:" | ":FAIL:")
            && action.status == ActionStatus::Ok
    })?;
    let is_error = |action: &&ActionRow| action.status == ActionStatus::Error;
    let mut errors = actions.iter().filter(is_error);
    let led = errors.find(|action| action.transition.as_deref() == Some(end.name.as_str()));
    led.or_else(|| {
        let last = job.last_error_node.as_deref();
        let mut errors = actions.iter().filter(is_error);
        errors.find(|action| Some(action.name.as_str()) == last)
    })
}

/// The end of the output of an action's last attempt: standard output, then standard error.
fn printed(session: &Session, job: &JobRow, action: &ActionRow) -> io::Result<String> {
    let run = action.run.unwrap_or(job.run);
    let folder = session
        .home
        .attempt(&job.id, run, &action.name, action.attempt);
    let attempt = Attempt::new(folder);
    let mut text = String::new();
    for path in [attempt.stdout(), attempt.stderr()] {
        let tail = tail(&path)?;
        text.push_str(&tail);
        if !tail.is_empty() && !tail.ends_with('\n') {
            text.push('\n');
        }
    }
    Ok(text)
}

/// The last complete lines of a file; empty if there is no such file.
fn tail(path: &Path) -> io::Result<String> {
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(String::new()),
        Err(error) => return Err(error),
    };
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    let mut bytes = Vec::new();
    file.take(TAIL).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    if length > TAIL {
        // The first line is incomplete, and an incomplete secret would not be recognised.
        return Ok(text
            .split_once('\n')
            .map_or("", |(_, rest)| rest)
            .to_owned());
    }
    Ok(text.into_owned())
}

/// The last lines of a text that are not blank.
fn last_lines(text: &str) -> Vec<String> {
    let lines: Vec<String> = text
        .lines()
        .map(plain)
        .filter(|line| !line.trim().is_empty())
        .collect();
    let first = lines.len().saturating_sub(LINES);
    lines[first..]
        .iter()
        .map(|line| match line.char_indices().nth(WIDTH) {
            Some((end, _)) => format!("{}...", &line[..end]),
            None => line.clone(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn action(name: &str, type_name: &str, status: ActionStatus, to: &str) -> ActionRow {
        ActionRow {
            status,
            transition: Some(to.to_owned()),
            ..ActionRow::new("1-W", name, type_name)
        }
    }

    #[test]
    fn the_action_that_led_to_the_end_is_the_one_to_look_at() {
        use ActionStatus::{Error, Failed, Ok};
        let job = JobRow {
            last_error_node: Some("handled".to_owned()),
            ..JobRow::new("1-W", 0)
        };
        let handled = action("handled", "shell", Error, "bad");
        let bad = action("bad", "shell", Error, "stop");
        let stop = action("stop", ":KILL:", Ok, "");
        let broken = action("broken", "fs", Failed, "");
        let name = |actions: &[ActionRow]| culprit(&job, actions).map(|it| it.name.clone());
        let some = |name: &str| Some(name.to_owned());
        assert_eq!(
            name(&[handled.clone(), bad.clone(), stop.clone()]),
            some("bad")
        );
        assert_eq!(
            name(&[handled.clone(), bad.clone(), broken]),
            some("broken")
        );
        // A decision led to the end.
        assert_eq!(name(&[handled.clone(), stop]), some("handled"));
        // A user killed it: nothing failed.
        assert_eq!(name(&[handled, bad]), None);
    }

    #[test]
    fn the_last_ten_lines_that_say_anything_are_shown_as_plain_text() {
        let text: String = (1..=12).map(|n| format!("line {n}\n\n")).collect();
        let lines = last_lines(&format!("{text}\u{1b}[31mred\u{1b}[0m\n \n"));
        assert_eq!(lines.len(), LINES);
        assert_eq!(lines[0], "line 4");
        assert_eq!(lines[9], "red");
        let long = last_lines(&"é".repeat(WIDTH + 1));
        assert_eq!(long, [format!("{}...", "é".repeat(WIDTH))]);
    }

    #[test]
    fn of_a_long_file_only_whole_lines_of_its_end_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("1.out");
        assert_eq!(tail(&path).unwrap(), "");
        let line = format!("{}\n", "x".repeat(99));
        std::fs::write(&path, line.repeat(1_000)).unwrap();
        let tail = tail(&path).unwrap();
        assert!(tail.len() < usize::try_from(TAIL).unwrap());
        assert!(tail.lines().all(|line| line.len() == 99));
    }
}
