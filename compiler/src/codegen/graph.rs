//! The graph of a workflow as a picture, for other programs to draw.
//!
//! A picture shows what a reader asks first: what follows what. Error transitions, which nearly all lead to the same kill
//! node, are dashed and pale.

mod dot;
mod mermaid;

use crate::{
    analysis::{Edge, Facts},
    model::{Node, NodeKind, TransitionKind, WorkflowApp},
};

pub use self::{dot::dot, mermaid::mermaid};

/// How many characters of a case's expression are shown.
const LABEL_LENGTH: usize = 40;

/// The second line in the box of an action: its type.
fn subtitle(node: &Node) -> Option<&str> {
    match &node.kind {
        NodeKind::Action(action) => Some(action.kind.name()),
        NodeKind::Start(_)
        | NodeKind::End(_)
        | NodeKind::Kill(_)
        | NodeKind::Decision(_)
        | NodeKind::Fork(_)
        | NodeKind::Join(_) => None,
    }
}

/// What is written in the box of a node: its name.
fn title(node: &Node) -> &str {
    match &node.kind {
        NodeKind::Start(_) => "start",
        NodeKind::End(_)
        | NodeKind::Kill(_)
        | NodeKind::Decision(_)
        | NodeKind::Fork(_)
        | NodeKind::Join(_)
        | NodeKind::Action(_) => &node.name.value,
    }
}

/// The transitions of all nodes, in document order.
fn edges<'a>(app: &'a WorkflowApp, facts: &'a Facts) -> impl Iterator<Item = (&'a Node, &'a Edge)> {
    app.nodes.iter().flat_map(|node| {
        facts
            .graph
            .edges_from(node.id)
            .iter()
            .map(move |edge| (node, edge))
    })
}

/// What is written beside a transition: the condition of a case.
fn label(node: &Node, kind: TransitionKind) -> Option<String> {
    match (kind, &node.kind) {
        (TransitionKind::Case(number), NodeKind::Decision(decision)) => {
            let case = decision.cases.get(usize::try_from(number).ok()?)?;
            Some(shortened(case.predicate.text.as_str()))
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

/// An expression on one line, without the `${}` around the whole of it, cut where it is long.
fn shortened(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    let inside = line
        .strip_prefix("${")
        .and_then(|rest| rest.strip_suffix('}'))
        .filter(|inside| !inside.contains("${") && !inside.contains('}'))
        .map_or(line.as_str(), str::trim);
    match inside.char_indices().nth(LABEL_LENGTH) {
        None => inside.to_owned(),
        Some((cut, _)) => format!("{}…", inside[..cut].trim_end()),
    }
}

#[cfg(test)]
mod tests;
