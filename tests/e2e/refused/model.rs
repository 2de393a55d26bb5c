//! A model of the commands, and which of them a job accepts (Oozie's tables; hpdlc's `DESIGN` where that says more).

use super::folder::{ModelJobKind, SubmittedJob};

/// The expected result of a command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectedVerdict {
    Taken,
    Refused,
    /// It depends on more than the model knows.
    Open,
}

use ExpectedVerdict::{Open, Refused, Taken};

/// An option as typed, and the kinds of job that it applies to.
pub struct OptionChoice {
    pub words: &'static [&'static str],
    /// For workflows, coordinators, bundles.
    pub fits: [bool; 3],
}

const fn choice(words: &'static [&'static str], fits: [bool; 3]) -> OptionChoice {
    OptionChoice { words, fits }
}

const W: [bool; 3] = [true, false, false];
const C: [bool; 3] = [false, true, false];
const B: [bool; 3] = [false, false, true];
const CB: [bool; 3] = [false, true, true];
const WC: [bool; 3] = [true, true, false];
const ALL: [bool; 3] = [true, true, true];
const NONE: [bool; 3] = [false, false, false];

pub struct Command {
    pub word: &'static str,
    pub fits: [bool; 3],
    pub choices: &'static [OptionChoice],
}

/// The commands that change something.
pub const COMMANDS: &[Command] = &[
    Command {
        word: "start",
        fits: ALL,
        choices: &[],
    },
    Command {
        word: "suspend",
        fits: ALL,
        choices: &[],
    },
    Command {
        word: "resume",
        fits: ALL,
        choices: &[],
    },
    Command {
        word: "kill",
        fits: ALL,
        choices: &[
            choice(&["--action", "1"], C),
            choice(&["--action", "99"], NONE),
            choice(&["--date", "2026-01-01T00:00Z"], C),
        ],
    },
    Command {
        word: "rerun",
        fits: ALL,
        choices: &[
            choice(&["--dry-run"], ALL),
            choice(&["--failed"], WC),
            choice(&["--action", "1"], C),
            choice(&["--action", "1-2"], C),
            choice(&["--date", "2026-01-01T00:00Z"], CB),
            choice(&["--date", "2027-01-01T00:00Z"], NONE),
            choice(&["--coordinator", "two"], B),
            choice(&["--coordinator", "nosuch"], NONE),
            choice(&["--refresh"], CB),
            choice(&["--nocleanup"], CB),
            choice(&["-Dmore=1"], W),
            choice(&["-Doozie.wf.rerun.skip.nodes=a"], W),
            choice(&["-Doozie.wf.rerun.skip.nodes=nosuch"], NONE),
        ],
    },
    Command {
        word: "change",
        fits: CB,
        choices: &[
            choice(&["--endtime", "2026-01-01T00:30Z"], CB),
            choice(&["--pausetime", "2030-01-01T00:00Z"], CB),
            choice(&["--concurrency", "3"], C),
            choice(&["--status", "RUNNING"], C),
            choice(&["frequency=5"], NONE),
        ],
    },
    Command {
        word: "update",
        fits: C,
        choices: &[choice(&["--dry-run"], C), choice(&["-Dmore=1"], C)],
    },
    Command {
        word: "ignore",
        fits: C,
        choices: &[
            choice(&["--action", "1"], C),
            choice(&["--action", "99"], NONE),
        ],
    },
];

fn place(kind: ModelJobKind) -> usize {
    match kind {
        ModelJobKind::Workflow | ModelJobKind::Child | ModelJobKind::OfAction => 0,
        ModelJobKind::Coordinator => 1,
        ModelJobKind::Bundle => 2,
    }
}

/// Whether an option applies to a job of this kind.
pub fn fits(choice: &OptionChoice, job: &SubmittedJob) -> bool {
    choice.fits[place(job.kind)]
}

/// The expected result of a command with these of its choices.
pub fn verdict(
    command: &Command,
    choices: &[&OptionChoice],
    job: &SubmittedJob,
) -> ExpectedVerdict {
    let kind = place(job.kind);
    if !command.fits[kind] || choices.iter().any(|choice| !choice.fits[kind]) {
        return Refused;
    }
    let has = |word: &str| choices.iter().any(|choice| choice.words[0] == word);
    let twice = |word: &str| {
        let those = choices.iter().filter(|choice| choice.words[0] == word);
        those.count() > 1
    };
    if choices.iter().any(|choice| twice(choice.words[0]))
        || (has("--action") && has("--date"))
        || (has("--failed") && has("--refresh"))
        || (has("--failed") && has("-Doozie.wf.rerun.skip.nodes=a"))
    {
        return Refused;
    }
    let status = job.status.as_str();
    let is_over = matches!(
        status,
        "SUCCEEDED" | "KILLED" | "FAILED" | "DONEWITHERROR" | "IGNORED"
    );
    let taken = |is_taken: bool| if is_taken { Taken } else { Refused };
    match command.word {
        "start" => taken(status == "PREP"),
        "resume" => taken(status.contains("SUSPENDED")),
        "suspend" if kind == 0 => taken(status == "RUNNING"),
        "suspend" => taken(!is_over && !status.contains("SUSPENDED")),
        "kill" if kind == 0 => taken(!is_over || status == "FAILED"),
        "kill" if !choices.is_empty() => {
            if is_over {
                Refused
            } else {
                Open
            }
        }
        "kill" => taken(!is_over),
        "rerun" if kind == 0 && !is_over => Refused,
        "rerun" if kind == 0 => Open,
        "rerun" if kind == 1 && !has("--action") && !has("--date") => Refused,
        "rerun" if kind == 2 && !has("--coordinator") && !has("--date") => Refused,
        "rerun" if kind == 2 && matches!(status, "KILLED" | "FAILED" | "PREP") => Refused,
        "rerun" => match status {
            "PREP" | "IGNORED" => Refused,
            // In these tests their actions wait for data.
            "RUNNING" | "SUSPENDED" => Refused,
            "SUCCEEDED" | "DONEWITHERROR" => Taken,
            _ => Open,
        },
        "change" if choices.is_empty() => Refused,
        "ignore" if status == "PREP" => Refused,
        _ => Open,
    }
}
