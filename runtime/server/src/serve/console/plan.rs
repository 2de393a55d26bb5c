//! The commands that a job has, as the command line has them, and what each would do.

use hpdlc_core::status::{ActionStatus, JobStatus};
use hpdlc_host::job_id::JobKind;
use hpdlc_store::{ActionRow, JobRow};
use serde_json::{Value, json};

use crate::serve::{console::links, query::Parameters};

/// A command for a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verb {
    Start,
    Suspend,
    Resume,
    Recover,
    Rerun,
    Change,
    Ignore,
    Kill,
}

impl Verb {
    const ALL: [Verb; 8] = [
        Verb::Start,
        Verb::Suspend,
        Verb::Resume,
        Verb::Recover,
        Verb::Rerun,
        Verb::Change,
        Verb::Ignore,
        Verb::Kill,
    ];

    /// As on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Verb::Start => "start",
            Verb::Suspend => "suspend",
            Verb::Resume => "resume",
            Verb::Recover => "recover",
            Verb::Rerun => "rerun",
            Verb::Change => "change",
            Verb::Ignore => "ignore",
            Verb::Kill => "kill",
        }
    }

    pub(crate) fn title(self) -> &'static str {
        match self {
            Verb::Start => "Start",
            Verb::Suspend => "Suspend",
            Verb::Resume => "Resume",
            Verb::Recover => "Recover",
            Verb::Rerun => "Rerun",
            Verb::Change => "Change",
            Verb::Ignore => "Ignore",
            Verb::Kill => "Kill",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Verb> {
        Verb::ALL.into_iter().find(|verb| verb.name() == name)
    }

    /// Whether a job in its state has use for it.
    pub(crate) fn is_offered(self, job: &JobRow, status: &str) -> bool {
        let kind = JobKind::of(&job.id);
        let is_workflow = kind == JobKind::Workflow;
        let has_ended = job.status.is_terminal();
        let is_suspended = status.contains("SUSPENDED") || status.contains("PAUSED");
        match self {
            Verb::Start => job.status == JobStatus::Prep && kind != JobKind::Coordinator,
            Verb::Suspend => {
                !has_ended && !is_suspended && (!is_workflow || job.status == JobStatus::Running)
            }
            Verb::Resume => !has_ended && is_suspended,
            Verb::Recover => job.status == JobStatus::Running,
            Verb::Rerun => match kind {
                JobKind::Workflow => has_ended,
                JobKind::Coordinator | JobKind::Bundle => job.status != JobStatus::Prep,
            },
            Verb::Change => !is_workflow && (!has_ended || status == "IGNORED"),
            Verb::Ignore => kind == JobKind::Coordinator && status != "IGNORED",
            Verb::Kill => !has_ended,
        }
    }

    /// The command that takes it back.
    fn undone_by(self) -> Option<Verb> {
        match self {
            Verb::Suspend => Some(Verb::Resume),
            Verb::Resume => Some(Verb::Suspend),
            Verb::Start
            | Verb::Recover
            | Verb::Rerun
            | Verb::Change
            | Verb::Ignore
            | Verb::Kill => None,
        }
    }

    /// The words of the command line for a job, with what the reader has chosen. A choice is never a word of its own, so that it cannot be
    /// taken for an option.
    pub(crate) fn words(self, job: &JobRow, chosen: &Parameters) -> Vec<String> {
        let mut words = vec![self.name().to_owned(), job.id.clone()];
        let kind = JobKind::of(&job.id);
        let mut valued = |option: &str, field: &str| {
            if let Some(value) = given(chosen, field) {
                words.push(format!("{option}={value}"));
            }
        };
        match (self, kind) {
            (Verb::Rerun, JobKind::Workflow) => {
                if chosen.get("nodes") == Some("skip") {
                    valued("-Doozie.wf.rerun.skip.nodes", "skip");
                }
            }
            (Verb::Rerun | Verb::Kill | Verb::Ignore, JobKind::Coordinator) => {
                valued("--action", "action");
                words.extend(times(chosen).map(|times| format!("--date={times}")));
            }
            (Verb::Rerun, JobKind::Bundle) => {
                valued("--coordinator", "coordinator");
                words.extend(times(chosen).map(|times| format!("--date={times}")));
            }
            (Verb::Change, JobKind::Coordinator) => {
                valued("--status", "status");
                valued("--endtime", "endtime");
                valued("--pausetime", "pausetime");
                valued("--concurrency", "concurrency");
            }
            (Verb::Change, JobKind::Bundle) => {
                valued("--endtime", "endtime");
                valued("--pausetime", "pausetime");
            }
            (_, _) => {}
        }
        if self == Verb::Rerun {
            let is_set = |field: &str| chosen.get(field).is_some();
            let is_failed = match kind {
                JobKind::Workflow => chosen.get("nodes").unwrap_or("failed") == "failed",
                JobKind::Coordinator => is_set("failed"),
                JobKind::Bundle => false,
            };
            words.extend(is_failed.then(|| "--failed".to_owned()));
            if kind != JobKind::Workflow {
                words.extend(is_set("refresh").then(|| "--refresh".to_owned()));
                words.extend(is_set("nocleanup").then(|| "--nocleanup".to_owned()));
            }
        }
        words
    }

    /// What it would do to a job with these nodes, in lines. A rerun has a dry run instead.
    pub(crate) fn plan(self, job: &JobRow, rows: &[ActionRow], chosen: &Parameters) -> Vec<String> {
        let kind = JobKind::of(&job.id);
        let running: Vec<&str> = rows
            .iter()
            .filter(|row| row.status == ActionStatus::Running && !row.type_name.starts_with(':'))
            .map(|row| row.name.as_str())
            .collect();
        let ahead = match running.as_slice() {
            [] => "No action runs at present.".to_owned(),
            names => format!("Running: {}.", names.join(", ")),
        };
        let is_part = given(chosen, "action").or(times(chosen)).is_some();
        let lines: &[&str] = match (self, kind) {
            (Verb::Start, JobKind::Workflow) => &["The job starts, in the background."],
            (Verb::Start, _) => &["Its coordinators are submitted now, before the kick-off time."],
            (Verb::Suspend, JobKind::Workflow) => &[
                &ahead,
                "Running actions go on to their end. Nothing new starts.",
                "Undo: resume.",
            ],
            (Verb::Suspend, _) => &[
                "No new actions are created or started, and running workflows are suspended.",
                "Undo: resume.",
            ],
            (Verb::Resume, JobKind::Workflow) => &[
                "The job goes on from where it is. An action that waits for you runs again.",
                "Undo: suspend.",
            ],
            (Verb::Resume, _) => &[
                "Actions are created and started again, also those whose time has passed.",
                "Undo: suspend.",
            ],
            (Verb::Recover, _) => &[
                "A process takes the job up if none drives it. What runs is found again, and not started twice.",
            ],
            (Verb::Kill, JobKind::Workflow) => &[
                &ahead,
                "Running actions are ended with their processes, and the job becomes KILLED.",
                "This cannot be undone. A rerun can run it again later.",
            ],
            (Verb::Kill, JobKind::Coordinator) if is_part => &[
                "The chosen actions that have not ended are killed with their workflows.",
                "This cannot be undone. A rerun can run them again later.",
            ],
            (Verb::Kill, _) => &[
                "All its actions and workflows that have not ended are killed. No new ones are created.",
                "This cannot be undone.",
            ],
            (Verb::Ignore, _) if is_part => &[
                "The chosen failed actions are IGNORED: the state of the coordinator no longer depends on them.",
            ],
            (Verb::Ignore, _) => &[
                "The whole coordinator is IGNORED: it creates no more actions.",
                "Undo: change its status to RUNNING.",
            ],
            (Verb::Change, _) => &[
                "Actions after a new end that have not run are deleted. A pause keeps new ones from being created.",
            ],
            (Verb::Rerun, _) => &[],
        };
        lines.iter().map(|&line| line.to_owned()).collect()
    }
}

/// What was chosen of a field: boxes of the same name are one list.
pub(crate) fn given(chosen: &Parameters, field: &str) -> Option<String> {
    let all = chosen.all(field);
    let filled: Vec<&str> = all
        .iter()
        .map(|value| value.trim())
        .filter(|value| !value.is_empty())
        .collect();
    (!filled.is_empty()).then(|| filled.join(","))
}

/// The times that were chosen: as the command line has them, or by their first and last.
pub(crate) fn times(chosen: &Parameters) -> Option<String> {
    let (from, to) = (given(chosen, "from"), given(chosen, "to"));
    given(chosen, "date").or(match (from, to) {
        (Some(from), Some(to)) => Some(format!("{from}::{to}")),
        (one, other) => one.or(other),
    })
}

/// The commands of a job as links to their plans.
pub(crate) fn offered(base: &str, job: &JobRow, status: &str) -> Value {
    let offered = Verb::ALL
        .into_iter()
        .filter(|verb| verb.is_offered(job, status));
    offered
        .map(|verb| {
            json!({
                "name": verb.name(),
                "title": verb.title(),
                "href": links::of_job(base, &job.id, &format!("command/{}", verb.name())),
                "is_danger": verb == Verb::Kill,
            })
        })
        .collect()
}

/// The command that takes back what was just done, as a link; none where the job has no use for it by now.
pub(crate) fn undo(base: &str, job: &JobRow, status: &str, operation: &str) -> Option<Value> {
    let of_link = |verb: Verb, chosen: &[(&str, &str)]| {
        let path = links::of_job(base, &job.id, &format!("command/{}", verb.name()));
        json!({ "title": verb.title(), "href": links::with_query(&path, chosen) })
    };
    let verb = Verb::from_name(operation)?;
    if verb == Verb::Ignore {
        // Of some actions it cannot be undone.
        let is_whole = status == "IGNORED";
        return is_whole.then(|| of_link(Verb::Change, &[("status", "RUNNING")]));
    }
    let back = verb.undone_by()?;
    back.is_offered(job, status).then(|| of_link(back, &[]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(verb: Verb, id: &str, query: &str, expected: &[&str]) {
        let words = verb.words(&JobRow::new(id, 0), &Parameters::parse(Some(query)));
        let mut all = vec![verb.name(), id];
        all.extend(expected);
        assert_eq!(words, all);
    }

    #[test]
    fn a_form_gives_the_words_of_the_command_line() {
        check(Verb::Rerun, "1-W", "", &["--failed"]);
        check(Verb::Rerun, "1-W", "nodes=all&refresh=on", &[]);
        check(
            Verb::Rerun,
            "1-W",
            "nodes=skip&skip=a,b",
            &["-Doozie.wf.rerun.skip.nodes=a,b"],
        );
        check(
            Verb::Rerun,
            "1-C",
            "action=3-4&refresh=on",
            &["--action=3-4", "--refresh"],
        );
        check(
            Verb::Rerun,
            "1-C",
            "action=3&action=5&action=",
            &["--action=3,5"],
        );
        check(
            Verb::Rerun,
            "1-C",
            "from=2026-11-28T00%3A00Z&to=2026-11-29T00%3A00Z",
            &["--date=2026-11-28T00:00Z::2026-11-29T00:00Z"],
        );
        check(
            Verb::Rerun,
            "1-B",
            "coordinator=a&coordinator=b&from=2026-11-28T00%3A00Z&to=",
            &["--coordinator=a,b", "--date=2026-11-28T00:00Z"],
        );
        check(
            Verb::Rerun,
            "1-W",
            "nodes=skip&skip=a&skip=b",
            &["-Doozie.wf.rerun.skip.nodes=a,b"],
        );
        check(Verb::Kill, "1-C", "action=--all", &["--action=--all"]);
        check(Verb::Kill, "1-W", "action=3", &[]);
        check(
            Verb::Change,
            "1-C",
            "concurrency=2&endtime=+",
            &["--concurrency=2"],
        );
    }

    #[test]
    fn a_job_is_offered_what_its_state_allows() {
        let of = |id: &str, status: JobStatus| -> Vec<&'static str> {
            let job = JobRow {
                status,
                ..JobRow::new(id, 0)
            };
            let all = Verb::ALL.into_iter();
            all.filter(|verb| verb.is_offered(&job, status.name()))
                .map(Verb::name)
                .collect()
        };
        assert_eq!(of("1-W", JobStatus::Prep), ["start", "kill"]);
        assert_eq!(
            of("1-W", JobStatus::Running),
            ["suspend", "recover", "kill"]
        );
        assert_eq!(of("1-W", JobStatus::Suspended), ["resume", "kill"]);
        assert_eq!(of("1-W", JobStatus::Killed), ["rerun"]);
        assert!(of("1-C", JobStatus::Running).contains(&"change"));
        assert_eq!(
            of("1-B", JobStatus::Prep),
            ["start", "suspend", "change", "kill"]
        );
    }
}
