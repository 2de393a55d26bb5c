//! What the commands for coordinators and bundles share.

use clap::Args;
use hpdlc_engine::{
    control::{self, JobOrder, coordinator_request::Selection},
    owner::Session,
};
use hpdlc_host::{
    exit::{Exit, RunError},
    job_id::JobKind,
};
use hpdlc_store::JobRow;

use crate::commands::{
    find::{Subject, find_subject},
    find_job, other_executable, print, say, shown_status,
};

/// Some of the actions of a coordinator.
#[derive(Debug, Args)]
pub(super) struct Selected {
    /// Of a coordinator: actions by number, such as 1,3-4
    #[arg(long, value_name = "NUMBERS", conflicts_with = "date")]
    action: Option<String>,
    /// Of a coordinator: actions by nominal time, such as 2009-01-01T00:00Z::2009-02-01T00:00Z
    #[arg(long, value_name = "TIMES")]
    date: Option<String>,
}

impl Selected {
    pub(super) fn selection(&self) -> Option<Selection> {
        match (&self.action, &self.date) {
            (Some(numbers), _) => Some(Selection::Actions(numbers.clone())),
            (None, Some(dates)) => Some(Selection::Dates(dates.clone())),
            (None, None) => None,
        }
    }

    /// The job that `text` refers to, and the actions: the selected ones, or the one in `text`.
    ///
    /// # Errors
    ///
    /// Exit 2 if there is no such job, or both name actions.
    pub(super) fn subject(
        &self,
        session: &Session,
        text: &str,
    ) -> Result<(JobRow, Option<Selection>), RunError> {
        let selection = self.selection();
        match (find_subject(session, text)?, selection) {
            (Subject::Job(job), selection) => Ok((job, selection)),
            (Subject::Action(job, number), None) => {
                Ok((job, Some(Selection::Actions(number.to_string()))))
            }
            (Subject::Action(job, number), Some(_)) => Err(RunError::usage(format!(
                "{text} names action {number}: --action and --date cannot name others"
            ))
            .with_help(format!("name the coordinator alone: {}", job.id))),
        }
    }

    pub(super) fn dates(&self) -> Option<&String> {
        self.date.as_ref()
    }

    pub(super) fn has_numbers(&self) -> bool {
        self.action.is_some()
    }
}

/// Executes the command by the program that a coordinator or a bundle belongs to, if this one only knows workflows: it
/// cannot check what the job would refuse. With `is_needed`, the job's very own program is used, since it knows the workflows.
///
/// # Errors
///
/// Exit 2 or 5 if the program is needed and cannot be run.
pub(super) fn by_its_own_program(
    session: &Session,
    job: &JobRow,
    is_needed: bool,
) -> Result<(), RunError> {
    let can_tell =
        session.program.is_scheduled() && (!is_needed || job.hash == session.program.hash);
    let is_known = JobKind::of(&job.id) == JobKind::Workflow || can_tell;
    if is_known {
        return Ok(());
    }
    other_executable::repeat(session, job, is_needed)
}

/// Has an order carried out, and reports the job's state afterwards.
pub(super) fn ask(session: &Session, job: &JobRow, order: JobOrder<'_>) -> Result<Exit, RunError> {
    by_its_own_program(session, job, false)?;
    control::ask(session, job, order)?;
    say(&shown_status(session, &job.id)?);
    Ok(Exit::Success)
}

/// Finds a job that must be of one kind.
///
/// # Errors
///
/// Exit 2 if there is none, or one of another kind.
pub fn find_job_of(
    session: &Session,
    id: &str,
    kinds: &[JobKind],
    command: &str,
) -> Result<JobRow, RunError> {
    let job = find_job(session, id)?;
    expect(&job, kinds, command)?;
    Ok(job)
}

/// Refuses a command for a job of another kind.
pub(super) fn expect(job: &JobRow, kinds: &[JobKind], command: &str) -> Result<(), RunError> {
    if kinds.contains(&JobKind::of(&job.id)) {
        return Ok(());
    }
    let words: Vec<&str> = kinds.iter().map(|kind| kind.word()).collect();
    Err(RunError::usage(format!(
        "job {} is not a {}: `{command}` does not apply to it",
        job.id,
        words.join(" or ")
    )))
}

/// Prints the lines of two texts, with differences marked as in `diff -u`.
pub(super) fn print_difference(
    what: &str,
    before: &[String],
    after: &[String],
) -> Result<bool, RunError> {
    if before == after {
        return Ok(false);
    }
    let mut text = format!("--- {what}, now\n+++ {what}, updated\n");
    for (mark, line) in difference(before, after) {
        text.push_str(&format!("{mark}{line}\n"));
    }
    print(&text)?;
    Ok(true)
}

/// Lines that are kept (` `), removed (`-`) and added (`+`), by the longest common subsequence.
fn difference<'l>(before: &'l [String], after: &'l [String]) -> Vec<(char, &'l str)> {
    // For each pair of suffixes, the length of their longest common subsequence.
    let mut common = vec![vec![0_usize; after.len() + 1]; before.len() + 1];
    for (i, old) in before.iter().enumerate().rev() {
        for (j, new) in after.iter().enumerate().rev() {
            common[i][j] = if old == new {
                common[i + 1][j + 1] + 1
            } else {
                common[i + 1][j].max(common[i][j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut lines = Vec::new();
    while i < before.len() || j < after.len() {
        match (before.get(i), after.get(j)) {
            (Some(old), Some(new)) if old == new => {
                lines.push((' ', old.as_str()));
                (i, j) = (i + 1, j + 1);
            }
            (Some(old), new) if new.is_none() || common[i + 1][j] >= common[i][j + 1] => {
                lines.push(('-', old.as_str()));
                i += 1;
            }
            (_, Some(new)) => {
                lines.push(('+', new.as_str()));
                j += 1;
            }
            (_, None) => break,
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_keeps_what_both_have() {
        let lines = |text: &str| -> Vec<String> { text.lines().map(str::to_owned).collect() };
        let (before, after) = (lines("a\nb\nc"), lines("a\nx\nc\nd"));
        let shown: Vec<String> = difference(&before, &after)
            .into_iter()
            .map(|(mark, line)| format!("{mark}{line}"))
            .collect();
        assert_eq!(shown, [" a", "-b", "+x", " c", "+d"]);
        assert!(difference(&[], &[]).is_empty());
    }
}
