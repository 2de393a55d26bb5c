//! The picture of a workflow.

use hpdlc_core::secrets::Secrets;
use hpdlc_graph::{Arrow, ArrowKind, Family, Picture, PictureNode, Shape, condition, one_line};

use crate::{
    analysis::{self, Edge, Facts},
    model::{Action, Node, NodeKind, TransitionKind, WorkflowApp},
};

/// The graph of `app`: all known nodes and transitions, even if it has errors. No text in the picture contains one of the
/// secrets.
pub fn of_workflow(app: &WorkflowApp, facts: &Facts, secrets: &Secrets) -> Picture {
    let mut nodes: Vec<PictureNode> = app
        .nodes
        .iter()
        .map(|node| shown(node, facts.is_reached(node.id), secrets))
        .collect();
    for (pair, (fork, join)) in facts.pairing.iter().enumerate() {
        for node in [fork, join] {
            nodes[node.index()].pair = Some(pair);
        }
    }
    let arrows = app
        .nodes
        .iter()
        .flat_map(|node| {
            let edges = facts.graph.edges_from(node.id);
            edges.iter().map(move |edge| arrow(node, edge, secrets))
        })
        .collect();
    Picture {
        title: secrets.masked(app.name.text.as_str()),
        nodes,
        arrows,
    }
}

fn shown(node: &Node, is_reached: bool, secrets: &Secrets) -> PictureNode {
    let action = match &node.kind {
        NodeKind::Action(action) => Some(action.as_ref()),
        NodeKind::Start(_)
        | NodeKind::End(_)
        | NodeKind::Kill(_)
        | NodeKind::Decision(_)
        | NodeKind::Fork(_)
        | NodeKind::Join(_) => None,
    };
    let title = match &node.kind {
        NodeKind::Start(_) => "start",
        NodeKind::End(_)
        | NodeKind::Kill(_)
        | NodeKind::Decision(_)
        | NodeKind::Fork(_)
        | NodeKind::Join(_)
        | NodeKind::Action(_) => &node.name.value,
    };
    PictureNode {
        name: node.name.value.clone(),
        shape: shape(&node.kind),
        title: title.to_owned(),
        subtitle: action.map(|action| action.kind.name().to_owned()),
        target: action
            .and_then(target)
            .map(|text| secrets.masked(&one_line(text))),
        pair: None,
        is_reached,
        is_supported: action.is_none_or(|action| analysis::is_built(&action.kind)),
        state: None,
    }
}

fn shape(kind: &NodeKind) -> Shape {
    match kind {
        NodeKind::Start(_) => Shape::Start,
        NodeKind::End(_) => Shape::End,
        NodeKind::Kill(_) => Shape::Kill,
        NodeKind::Decision(_) => Shape::Decision,
        NodeKind::Fork(_) => Shape::Fork,
        NodeKind::Join(_) => Shape::Join,
        NodeKind::Action(action) => Shape::Action(Family::of_type(action.kind.name())),
    }
}

/// The application that an action runs.
fn target(action: &Action) -> Option<&str> {
    Some(action.kind.sub_workflow()?.app_path.text.as_str())
}

fn arrow(node: &Node, edge: &Edge, secrets: &Secrets) -> Arrow {
    Arrow {
        from: edge.from.index(),
        to: edge.to.index(),
        kind: match edge.kind {
            TransitionKind::Error => ArrowKind::Error,
            TransitionKind::Start
            | TransitionKind::Ok
            | TransitionKind::Case(_)
            | TransitionKind::Default
            | TransitionKind::Branch(_)
            | TransitionKind::Joined => ArrowKind::Flow,
        },
        label: label(node, edge.kind).map(|text| secrets.masked(&text)),
        is_taken: false,
    }
}

/// The label of a transition: the condition of a case.
fn label(node: &Node, kind: TransitionKind) -> Option<String> {
    match (kind, &node.kind) {
        (TransitionKind::Case(number), NodeKind::Decision(decision)) => {
            let case = decision.cases.get(usize::try_from(number).ok()?)?;
            Some(condition(case.predicate.text.as_str()))
        }
        (TransitionKind::Default, _) => Some("default".to_owned()),
        (
            TransitionKind::Start
            | TransitionKind::Ok
            | TransitionKind::Error
            | TransitionKind::Case(_)
            | TransitionKind::Branch(_)
            | TransitionKind::Joined,
            _,
        ) => None,
    }
}
