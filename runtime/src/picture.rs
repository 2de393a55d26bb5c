//! Builds the graph of an application as a picture, from the table, with the states of a job.

mod scheduled;
pub mod structure;

use std::collections::BTreeSet;

use hpdlc_core::{
    definition::{Definition, NodeId, Outcome},
    status::ActionStatus,
};
use hpdlc_engine::job::{format_outcome, type_name};
use hpdlc_graph::{
    Arrow, ArrowKind, Family, Look, NodeState, Picture, PictureNode, Shape, condition, one_line,
};
use hpdlc_host::clock::{self, format_duration};
use hpdlc_program::table::{App, Entry, NodeDef, NodeKind, Program};
use hpdlc_store::{ActionRow, JobRow};

use crate::masks::Masks;

/// The picture of a program's workflow, coordinator or bundle.
pub fn of_program(program: &Program) -> Picture {
    match program.entry {
        Entry::Workflow => of_app(program.apps[0], None, &Masks::default()),
        Entry::Coordinator => scheduled::of_coordinator(program.coordinators[0]),
        Entry::Bundle(bundle) => scheduled::of_bundle(bundle),
    }
}

/// The picture of `app`, with the state of each node in a job of it. Secrets of the job are masked in all texts.
pub fn of_app(app: &App, job: Option<(&JobRow, &[ActionRow])>, masks: &Masks) -> Picture {
    let reached = reached(app);
    let mut nodes: Vec<PictureNode> = app
        .nodes()
        .map(|(id, def)| {
            let state = job.map(|(_, actions)| {
                let row = actions.iter().find(|row| row.name == def.name);
                row.map_or_else(untouched, |row| state(is_bad_end(def), row, masks))
            });
            shown(def, reached.contains(&id), state, masks)
        })
        .collect();
    for (pair, (fork, join)) in app.joins.iter().enumerate() {
        for node in [fork, join] {
            nodes[node.index()].pair = Some(pair);
        }
    }
    let arrows = app
        .nodes()
        .flat_map(|(id, def)| {
            let row = job.and_then(|(_, actions)| actions.iter().find(|row| row.name == def.name));
            arrows(app, id, def, row, masks)
        })
        .collect();
    let title = match job {
        Some((job, _)) => format!("{} {} {}", job.app, job.id, job.status),
        None => app.name.source().into_owned(),
    };
    Picture {
        title: masks.text(&title),
        nodes,
        arrows,
    }
}

/// The look of a node's state.
pub fn look(status: ActionStatus) -> Look {
    match status {
        ActionStatus::Prep | ActionStatus::StartRetry | ActionStatus::UserRetry => Look::Waiting,
        ActionStatus::Running => Look::Running,
        ActionStatus::Done | ActionStatus::Ok => Look::Good,
        ActionStatus::StartManual => Look::Stuck,
        ActionStatus::Error | ActionStatus::Failed => Look::Bad,
        ActionStatus::Killed => Look::Killed,
    }
}

fn untouched() -> NodeState {
    NodeState {
        look: Look::Untouched,
        text: String::new(),
    }
}

/// Whether a node that ends OK means that the job did not.
fn is_bad_end(def: &NodeDef) -> bool {
    matches!(def.kind, NodeKind::Kill { .. } | NodeKind::Fail { .. })
}

/// `OK 2.3s`, `RUNNING 12s, attempt 2`, `ERROR JA018 0.1s`.
fn state(is_bad_end: bool, row: &ActionRow, masks: &Masks) -> NodeState {
    let status = row.shown_status();
    let mut text = status.name().to_owned();
    if let Some(code) = &row.error_code {
        text.push_str(&format!(" {}", masks.text(code)));
    }
    let is_control = row.type_name.starts_with(':') || row.type_name == "switch";
    if let (Some(started), false) = (row.started, is_control) {
        let ended = row.ended.unwrap_or_else(clock::now_millis);
        text.push_str(&format!(" {}", format_duration(ended - started)));
    }
    if row.attempt > 1 {
        text.push_str(&format!(", attempt {}", row.attempt));
    }
    NodeState {
        look: match look(status) {
            Look::Good if is_bad_end => Look::Bad,
            other => other,
        },
        text,
    }
}

fn shown(def: &NodeDef, is_reached: bool, state: Option<NodeState>, masks: &Masks) -> PictureNode {
    let (title, subtitle, target) = match &def.kind {
        NodeKind::Start => ("start", None, None),
        NodeKind::Action(action) => {
            let app_path = action.body.def().child();
            let target = app_path.map(|path| masks.text(&one_line(&path.source())));
            (def.name, Some(type_name(def).to_owned()), target)
        }
        NodeKind::End
        | NodeKind::Kill { .. }
        | NodeKind::Fail { .. }
        | NodeKind::Decision { .. }
        | NodeKind::Fork { .. }
        | NodeKind::Join => (def.name, None, None),
    };
    PictureNode {
        name: def.name.to_owned(),
        shape: shape(def),
        title: title.to_owned(),
        subtitle,
        target,
        pair: None,
        is_reached,
        is_supported: true,
        state,
    }
}

fn shape(def: &NodeDef) -> Shape {
    match &def.kind {
        NodeKind::Start => Shape::Start,
        NodeKind::End => Shape::End,
        NodeKind::Kill { .. } | NodeKind::Fail { .. } => Shape::Kill,
        NodeKind::Decision { .. } => Shape::Decision,
        NodeKind::Fork { .. } => Shape::Fork,
        NodeKind::Join => Shape::Join,
        NodeKind::Action(_) => Shape::Action(Family::of_type(type_name(def))),
    }
}

/// The possible outcomes of a node, each with its label.
fn ways_out(def: &NodeDef) -> Vec<(Outcome, Option<String>)> {
    match &def.kind {
        NodeKind::Start => vec![(Outcome::Ok, None)],
        NodeKind::End | NodeKind::Kill { .. } | NodeKind::Fail { .. } => Vec::new(),
        NodeKind::Decision { cases } => (0..)
            .map(Outcome::Case)
            .zip(
                cases
                    .iter()
                    .map(|case| condition(&case.source()))
                    .chain(["default".to_owned()])
                    .map(Some),
            )
            .collect(),
        NodeKind::Fork { branches } => (0..*branches)
            .map(|branch| (Outcome::Branch(branch), None))
            .collect(),
        NodeKind::Join => vec![(Outcome::Joined, None)],
        NodeKind::Action(_) => vec![(Outcome::Ok, None), (Outcome::Error, None)],
    }
}

/// Whether a job whose node has this row took that transition.
fn is_taken(row: &ActionRow, outcome: Outcome) -> bool {
    let is_branch = matches!(outcome, Outcome::Branch(_));
    is_taken_by_name(row, &format_outcome(outcome), is_branch)
}

/// As [`is_taken`], by the name of the outcome in the store; a fork takes all its transitions.
fn is_taken_by_name(row: &ActionRow, outcome: &str, is_branch: bool) -> bool {
    // A node that has not ended may have the outcome of an earlier attempt.
    if !row.status.is_terminal() {
        return false;
    }
    match is_branch {
        true => row.status == ActionStatus::Ok,
        false => row.outcome.as_deref() == Some(outcome),
    }
}

fn arrows(
    app: &App,
    id: NodeId,
    def: &NodeDef,
    row: Option<&ActionRow>,
    masks: &Masks,
) -> Vec<Arrow> {
    ways_out(def)
        .into_iter()
        .filter_map(|(outcome, label)| {
            let to = app.next(id, outcome)?;
            Some(Arrow {
                from: id.index(),
                to: to.index(),
                kind: match outcome {
                    Outcome::Error => ArrowKind::Error,
                    Outcome::Ok | Outcome::Case(_) | Outcome::Branch(_) | Outcome::Joined => {
                        ArrowKind::Flow
                    }
                },
                label: label.map(|label| masks.text(&label)),
                is_taken: row.is_some_and(|row| is_taken(row, outcome)),
            })
        })
        .collect()
}

fn reached(app: &App) -> BTreeSet<NodeId> {
    let mut reached = BTreeSet::from([app.start]);
    let mut open = vec![app.start];
    while let Some(id) = open.pop() {
        for (outcome, _) in ways_out(app.node(id)) {
            if let Some(next) = app.next(id, outcome)
                && reached.insert(next)
            {
                open.push(next);
            }
        }
    }
    reached
}
