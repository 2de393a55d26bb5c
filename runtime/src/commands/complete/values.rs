//! Candidates for an argument's value, by the argument's name.

use clap::Arg;
use hpdlc_core::{coordinator::CoordinatorStatus, status::JobStatus};
use hpdlc_program::table::{Entry, NodeKind, Program};

use super::{
    Candidate, CandidateSources,
    cursor::Cursor,
    jobs::{self, StoredJobs},
};

/// The property of a rerun that lists the nodes to skip.
const SKIP_NODES: &str = "oozie.wf.rerun.skip.nodes";

pub(super) fn of(cursor: &Cursor<'_>, argument: &Arg, known: &CandidateSources) -> Vec<Candidate> {
    let possible = argument.get_possible_values();
    if !possible.is_empty() {
        return possible
            .iter()
            .filter(|value| !value.is_hide_set())
            .map(|value| {
                let about = value.get_help().map(ToString::to_string);
                Candidate::new(value.get_name(), about.unwrap_or_default())
            })
            .collect();
    }
    let command = cursor.command.get_name();
    match argument.get_id().as_str() {
        "id" => StoredJobs::of(known).named(command, &cursor.typed),
        "node" => StoredJobs::of(known).nodes(cursor.given("id"), cursor.has("follow")),
        "app" => StoredJobs::of(known).applications(),
        "action" => numbers(cursor, known),
        "coordinator" => coordinators(known.program),
        "define" => properties(command, &cursor.typed, known.program),
        "status" => match command {
            "change" => ["RUNNING", "IGNORED"].map(unexplained).to_vec(),
            _ => states(),
        },
        _ => Vec::new(),
    }
}

fn unexplained(word: &str) -> Candidate {
    Candidate::new(word, "")
}

/// Numbers of actions, also after a comma or as the end of a range.
fn numbers(cursor: &Cursor<'_>, known: &CandidateSources) -> Vec<Candidate> {
    let Some(coordinator) = cursor.given("id") else {
        return Vec::new();
    };
    let start = cursor.typed.rfind([',', '-']).map_or(0, |at| at + 1);
    let before = &cursor.typed[..start];
    let actions = StoredJobs::of(known).actions(coordinator, cursor.command.get_name());
    let with = |action: jobs::ActionCandidate| {
        Candidate::new(format!("{before}{}", action.number), action.about)
    };
    actions.into_iter().map(with).collect()
}

fn coordinators(program: &Program) -> Vec<Candidate> {
    match program.entry {
        Entry::Bundle(bundle) => {
            let names = bundle.coordinators.iter().map(|one| one.name.source());
            names.map(|name| unexplained(&name)).collect()
        }
        Entry::Workflow | Entry::Coordinator => Vec::new(),
    }
}

/// `NAME=` of the properties that the program reads; for a rerun, the nodes that can be skipped.
fn properties(command: &str, typed: &str, program: &'static Program) -> Vec<Candidate> {
    if let Some((name, value)) = typed.split_once('=') {
        if name != SKIP_NODES {
            return Vec::new();
        }
        let before = value.rfind(',').map_or("", |at| &value[..=at]);
        return actions_of(program)
            .map(|node| unexplained(&format!("{name}={before}{node}")))
            .collect();
    }
    let own = program.parameters().into_iter().map(|parameter| {
        let about = match parameter.description {
            Some(description) => description.to_owned(),
            None if parameter.is_required() => format!("{}, required", parameter.r#type),
            None => parameter.r#type.to_owned(),
        };
        Candidate::new(format!("{}=", parameter.name), about)
    });
    let skip = Candidate::new(format!("{SKIP_NODES}="), "nodes that do not run again");
    own.chain((command == "rerun").then_some(skip)).collect()
}

/// The names of the actions of the program's own workflow.
fn actions_of(program: &'static Program) -> impl Iterator<Item = &'static str> {
    let app = program.apps.first().into_iter();
    app.flat_map(|app| app.nodes())
        .filter(|(_, def)| matches!(def.kind, NodeKind::Action(_)))
        .map(|(_, def)| def.name)
}

fn states() -> Vec<Candidate> {
    let workflows = JobStatus::ALL.map(JobStatus::name);
    let others = CoordinatorStatus::ALL.map(CoordinatorStatus::name);
    workflows
        .into_iter()
        .chain(others)
        .map(unexplained)
        .collect()
}
