//! The graph of a workflow: its order, and which nodes dominate which.

use std::collections::BTreeMap;

use super::Refusal;
use crate::{
    model::{NodeKind, TransitionKind, WorkflowApp},
    source::Span,
};

/// The graph, its nodes by their index in the model. Nodes `end` and `kill` are written wherever something leads to them, so
/// they are no part of its structure.
#[derive(Debug)]
pub(super) struct Graph<'a> {
    app: &'a WorkflowApp,
    by_name: BTreeMap<&'a str, usize>,
    /// The node that the workflow starts with.
    pub(super) first: usize,
    /// The kill node that `?` leads to.
    pub(super) fail: Option<usize>,
    /// For each node, those with several ways to them that only it leads to, in the order of the graph.
    merges: Vec<Vec<usize>>,
    /// The number of transitions to each node.
    n_before: Vec<usize>,
}

impl<'a> Graph<'a> {
    pub(super) fn of(app: &'a WorkflowApp) -> Result<Graph<'a>, Refusal> {
        let by_name: BTreeMap<&str, usize> = app
            .nodes
            .iter()
            .enumerate()
            .map(|(n, node)| (node.name.value.as_str(), n))
            .collect();
        let n_nodes = app.nodes.len();
        let mut targets = vec![Vec::new(); n_nodes];
        let mut start = None;
        for (n, node) in app.nodes.iter().enumerate() {
            if matches!(node.kind, NodeKind::Start(_)) {
                start = Some(n);
            }
            for (_, target) in node.targets() {
                match by_name.get(target.value.as_str()) {
                    Some(to) => targets[n].push(*to),
                    None => return Err(mistaken(target.span)),
                }
            }
        }
        let start = start.ok_or_else(|| mistaken(app.root_span))?;
        let first = *targets[start]
            .first()
            .ok_or_else(|| mistaken(app.root_span))?;
        let order = order(start, &targets).ok_or_else(|| {
            Refusal::new(
                app.root_span,
                "a graph with a loop is no workflow",
                "the workflow",
            )
        })?;
        let mut n_before = vec![0; n_nodes];
        for node in &order {
            for to in &targets[*node] {
                n_before[*to] += 1;
            }
        }
        let fail = fail(app, &by_name, &n_before);
        for (n, node) in app.nodes.iter().enumerate() {
            let is_written = matches!(node.kind, NodeKind::Start(_) | NodeKind::End(_))
                || Some(n) == fail
                || n_before[n] > 0;
            if !is_written {
                return Err(Refusal::new(
                    node.tag_span,
                    "a node that nothing leads to cannot be written in Rust",
                    &format!("node `{}`", node.name.value),
                ));
            }
        }
        let mut graph = Graph {
            app,
            by_name,
            first,
            fail,
            merges: vec![Vec::new(); n_nodes],
            n_before,
        };
        graph.find_merges(&order, &targets);
        Ok(graph)
    }

    fn find_merges(&mut self, order: &[usize], targets: &[Vec<usize>]) {
        let mut position = vec![usize::MAX; targets.len()];
        for (n, node) in order.iter().enumerate() {
            position[*node] = n;
        }
        // Since nodes come after all that lead to them, one pass is enough.
        let mut dominators: Vec<Option<usize>> = vec![None; targets.len()];
        for node in order {
            for to in &targets[*node] {
                dominators[*to] = Some(match dominators[*to] {
                    None => *node,
                    Some(mut known) => {
                        let mut new = *node;
                        while known != new {
                            let later = if position[known] > position[new] {
                                &mut known
                            } else {
                                &mut new
                            };
                            // Only the start has none, and it is the earliest.
                            match dominators[*later] {
                                Some(above) => *later = above,
                                None => break,
                            }
                        }
                        known
                    }
                });
            }
        }
        for node in order {
            if let Some(above) = dominators[*node]
                && self.is_merge(*node)
            {
                self.merges[above].push(*node);
            }
        }
    }

    /// Whether a node is written behind a block, because there are several ways to it.
    pub(super) fn is_merge(&self, node: usize) -> bool {
        match self.app.nodes[node].kind {
            NodeKind::Kill(_) | NodeKind::End(_) => false,
            NodeKind::Join(_) => true,
            _ => self.n_before[node] > 1,
        }
    }

    /// The nodes that are written behind this one.
    pub(super) fn merges(&self, node: usize) -> &[usize] {
        &self.merges[node]
    }

    /// What a node leads to. All targets of the model exist.
    pub(super) fn target(&self, name: &str) -> usize {
        self.by_name[name]
    }

    /// The index of the start node, which is written as nothing.
    pub(super) fn start(&self) -> usize {
        self.by_name.get(":start:").copied().unwrap_or(self.first)
    }
}

fn mistaken(place: Span) -> Refusal {
    Refusal::new(
        place,
        "a document with mistakes cannot be written in Rust",
        "the workflow",
    )
}

/// The nodes that can be reached, each after all that lead to it; `None` if there is a loop.
fn order(start: usize, targets: &[Vec<usize>]) -> Option<Vec<usize>> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut states = vec![State::New; targets.len()];
    let mut order = Vec::new();
    let mut open = vec![(start, 0)];
    states[start] = State::Open;
    while let Some((node, next)) = open.last_mut() {
        // The last target first, so that the first one comes first in the reversed order.
        let n_targets = targets[*node].len();
        if *next < n_targets {
            let to = targets[*node][n_targets - 1 - *next];
            *next += 1;
            match states[to] {
                State::New => {
                    states[to] = State::Open;
                    open.push((to, 0));
                }
                State::Open => return None,
                State::Done => {}
            }
        } else {
            states[*node] = State::Done;
            order.push(*node);
            open.pop();
        }
    }
    order.reverse();
    Some(order)
}

/// The kill node that most errors of actions lead to; or one that nothing leads to, which would otherwise not be written.
fn fail(app: &WorkflowApp, by_name: &BTreeMap<&str, usize>, n_before: &[usize]) -> Option<usize> {
    let mut n_errors = vec![0_usize; app.nodes.len()];
    for (node, _) in app.actions() {
        for (kind, target) in node.targets() {
            if kind == TransitionKind::Error
                && let Some(to) = by_name.get(target.value.as_str())
            {
                n_errors[*to] += 1;
            }
        }
    }
    let kills = || {
        let kills = app.nodes.iter().enumerate();
        kills.filter(|(_, node)| matches!(node.kind, NodeKind::Kill(_)))
    };
    if let Some((unused, _)) = kills().find(|(n, _)| n_before[*n] == 0) {
        return Some(unused);
    }
    let best = kills().max_by_key(|(n, _)| (n_errors[*n], std::cmp::Reverse(*n)));
    best.map(|(n, _)| n).filter(|n| n_errors[*n] > 0)
}
