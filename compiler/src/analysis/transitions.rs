//! Turns the node names in `to`, `start` and `default` into edges.
//!
//! First of the graph passes. Every later pass takes the [`Graph`] and the [`NodeIndex`] built here, so none of them has to
//! check again whether a target exists.

use std::collections::{BTreeMap, BTreeSet, btree_map::Entry};

use crate::{
    analysis::{
        graph::{Edge, Graph},
        similar_names::SimilarNames,
    },
    diagnostics::{Code, Sink},
    model::{Node, NodeId, NodeKind, WorkflowApp},
    source::Span,
};

mod duplicate_node;
mod self_transition;
mod undefined_node;

use self::{
    duplicate_node::DuplicateNode, self_transition::SelfTransition, undefined_node::UndefinedNode,
};

pub static CODES: &[&Code] = &[
    &undefined_node::CODE,
    &duplicate_node::CODE,
    &self_transition::CODE,
];

/// Nodes by name: the first of each.
#[derive(Debug)]
pub(crate) struct NodeIndex<'a>(BTreeMap<&'a str, NodeId>);

impl NodeIndex<'_> {
    pub(crate) fn get(&self, name: &str) -> Option<NodeId> {
        self.0.get(name).copied()
    }
}

/// Indexes the nodes of `app` by name, and reports duplicate names.
pub(crate) fn index<'a>(app: &'a WorkflowApp, sink: &mut Sink) -> NodeIndex<'a> {
    let mut index = BTreeMap::new();
    for node in &app.nodes {
        let name = node.name.value.as_str();
        // Lowering has reported a node without a name.
        if name.is_empty() {
            continue;
        }
        match index.entry(name) {
            Entry::Vacant(entry) => {
                entry.insert(node.id);
            }
            Entry::Occupied(entry) => {
                // A second `start` element has been reported while lowering: it has no name to change.
                if !matches!(node.kind, NodeKind::Start(_)) {
                    sink.emit(DuplicateNode {
                        name: name.to_owned(),
                        second: node.name.span,
                        first: app.node(*entry.get()).name.span,
                    });
                }
            }
        }
    }
    NodeIndex(index)
}

/// Builds the control-flow graph of `app`.
///
/// A transition without a target is reported and omitted, so the graph of an invalid workflow is smaller than its source but
/// never wrong. Transitions of unreachable nodes are checked too, although Oozie walks from `start` and never visits them:
/// the generated executable has every node, and cannot have an edge without a target.
pub(crate) fn resolve(app: &WorkflowApp, index: &NodeIndex<'_>, sink: &mut Sink) -> Graph {
    let mut edges = Vec::with_capacity(app.nodes.len() * 2);
    let mut incomplete = Vec::new();
    let mut undefined: BTreeMap<String, Vec<(NodeId, Span)>> = BTreeMap::new();
    for node in &app.nodes {
        for (kind, target) in node.targets() {
            let to = match index.get(&target.value) {
                Some(to) if to == node.id => {
                    sink.emit(SelfTransition {
                        name: target.value.clone(),
                        reference: target.span,
                        is_action: matches!(node.kind, NodeKind::Action(_)),
                    });
                    None
                }
                // A transition may not use the start node's internal name; lowering has reported it.
                Some(to) if matches!(app.node(to).kind, NodeKind::Start(_)) => None,
                Some(to) => Some(to),
                // Lowering has reported invalid names.
                None if !is_node_name(&target.value) => None,
                None => {
                    undefined
                        .entry(target.value.to_string())
                        .or_default()
                        .push((node.id, target.span));
                    None
                }
            };
            match to {
                Some(to) => edges.push(Edge {
                    from: node.id,
                    to,
                    kind,
                    span: target.span,
                }),
                None => incomplete.push(node.id),
            }
        }
        // Lowering has reported these; a decision without default is as incomplete as one with an undefined default, and a
        // fork with one path as a fork with an undefined path.
        let has_no_default =
            matches!(&node.kind, NodeKind::Decision(decision) if decision.default.is_none());
        let has_no_branches = matches!(&node.kind, NodeKind::Fork(fork) if fork.paths.len() < 2);
        if has_no_default || has_no_branches || node.has_unusable_transition() {
            incomplete.push(node.id);
        }
    }
    report_undefined(app, &edges, undefined, sink);
    let start = app
        .nodes
        .iter()
        .find(|node| matches!(node.kind, NodeKind::Start(_)))
        .map(|node| node.id);
    Graph::new(app.nodes.len(), start, edges, incomplete)
}

/// Reports names without a node: each once, at its first use.
fn report_undefined(
    app: &WorkflowApp,
    edges: &[Edge],
    undefined: BTreeMap<String, Vec<(NodeId, Span)>>,
    sink: &mut Sink,
) {
    if undefined.is_empty() {
        return;
    }
    let mut before: BTreeMap<NodeId, Vec<&str>> = BTreeMap::new();
    for edge in edges {
        let name = app.node(edge.from).name.value.as_str();
        before.entry(edge.to).or_default().push(name);
    }
    let is_end = |node: &Node| matches!(node.kind, NodeKind::End(_));
    let lacks_a_name =
        !app.nodes.iter().any(is_end) || app.nodes.iter().any(|node| node.name.value.is_empty());
    let mut similar_names = SimilarNames::default();
    for (name, uses) in undefined {
        // Neither the node itself nor its predecessor is what was meant.
        let passed: BTreeSet<&str> = uses
            .iter()
            .flat_map(|(node, _)| before.get(node).into_iter().flatten().copied())
            .chain(
                uses.iter()
                    .map(|(node, _)| app.node(*node).name.value.as_str()),
            )
            .collect();
        let candidates = app.node_names().filter(|name| !passed.contains(name));
        let similar = similar_names.nearest(&name, candidates);
        let is_consequence = match &similar {
            // If not, that node's own name is invalid, which lowering has reported.
            Some(similar) => !is_node_name(similar),
            // A missing `end` or a missing name has been reported, and this may be the node.
            None => lacks_a_name,
        };
        if let ([(_, first), others @ ..], false) = (uses.as_slice(), is_consequence) {
            sink.emit(UndefinedNode {
                name,
                first: *first,
                others: others.iter().map(|(_, place)| *place).collect(),
                similar,
            });
        }
    }
}

/// Whether this is a valid name of a node (`ParamChecker.validateActionName`), except for its length.
pub(crate) fn is_node_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes
        .next()
        .is_some_and(|first| first == b'_' || first.is_ascii_alphabetic())
        && bytes.all(|byte| matches!(byte, b'_' | b'-') || byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests;
