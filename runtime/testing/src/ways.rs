//! All ways that a job can take.

use std::{collections::BTreeMap, fmt};

use hpdlc_core::status::JobStatus;

use crate::{
    explorer::{Choice, Explorer},
    ran::Ran,
    world::World,
};

/// How many bad ways a message shows.
const SHOWN: usize = 5;

/// One way that a job can take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// What happened, in order: the place of each action and decision, and what became of it.
    pub choices: Vec<(String, Choice)>,
    pub status: JobStatus,
    /// The message of the kill node.
    pub message: Option<String>,
    /// As [`RanJob::path`](crate::RanJob::path).
    pub path: Vec<&'static str>,
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let choices = self.choices.iter().map(|(place, choice)| match choice {
            Choice::Ok => format!("{place} OK"),
            Choice::Error => format!("{place} ERROR"),
            Choice::Case(number) => format!("{place} case {number}"),
            Choice::Default => format!("{place} default"),
        });
        let choices: Vec<String> = choices.collect();
        f.write_str(&choices.join(", "))
    }
}

/// Visits all ways of the worlds that `world` makes.
#[track_caller]
pub(crate) fn visit(
    max: usize,
    given: BTreeMap<String, String>,
    world: impl Fn(Explorer) -> World,
) -> Vec<Way> {
    let mut ways = Vec::new();
    let mut bad = Vec::new();
    let mut next = Some(Vec::new());
    while let Some(choices) = next {
        assert!(
            ways.len() < max,
            "there are more than {max} ways; .every_way_up_to(N) visits more, and an answer to a sub-workflow spares its own ways"
        );
        let mut world = world(Explorer::new(choices));
        if let Err(refusal) = world.begin(given.clone()) {
            panic!("{refusal}");
        }
        resume(&mut world);
        next = world.explorer.as_ref().and_then(Explorer::next);
        let problems = problems(&world);
        let choices = world.explorer.take().map(Explorer::into_choices);
        let ran = Ran::new(world);
        let way = Way {
            choices: choices.unwrap_or_default(),
            status: ran.status,
            message: ran.message.clone(),
            path: ran.path().to_vec(),
        };
        if !problems.is_empty() {
            bad.push(format!("  {way}: {}", problems.join("; ")));
        }
        ways.push(way);
    }
    assert!(
        bad.is_empty(),
        "{} of {} ways have no good end:\n{}{}",
        bad.len(),
        ways.len(),
        bad[..bad.len().min(SHOWN)].join("\n"),
        if bad.len() > SHOWN { "\n..." } else { "" }
    );
    ways
}

/// Resumes a job until it has ended. One that is suspended at the same place again and again has no end.
fn resume(world: &mut World) {
    let nodes = world.program.apps.iter().map(|app| app.definitions.len());
    let most: usize = nodes.sum();
    for _ in 0..=most {
        if world.top().state.status.is_terminal() || !world.resume() {
            return;
        }
    }
}

/// Why the end of a way is not good.
fn problems(world: &World) -> Vec<String> {
    let top = world.top();
    let failed = world.failed_expressions.iter();
    let mut problems: Vec<String> = failed
        .map(|(place, message)| format!("`{place}` cannot be evaluated: {message}"))
        .collect();
    if !top.state.status.is_terminal() {
        problems.push(format!("the job stays {}", top.state.status));
    }
    if problems.is_empty() && world.has_failed_by_itself() {
        let message = top.row.error_message.as_deref();
        let message = message.unwrap_or("no transition leads on");
        problems.push(format!("the job ended {}: {message}", top.state.status));
    }
    problems
}
