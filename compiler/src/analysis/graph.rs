//! The control-flow graph: the nodes and the transitions between them.
//!
//! Built by [`transitions`](super::transitions) alone. Every edge leads to a node that exists; an edge that could not be
//! resolved is omitted, and its source is marked incomplete, so that later passes do not report consequences.

use std::collections::{BTreeMap, VecDeque, btree_map::Entry};

use crate::{
    model::{NodeId, TransitionKind},
    source::Span,
};

/// A transition whose target is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    pub from: NodeId,
    pub to: NodeId,
    pub kind: TransitionKind,
    /// The name of the target in the source's attribute.
    pub span: Span,
}

/// The edges of a workflow, by source and by target.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    start: Option<NodeId>,
    /// By source, and within one source in Oozie's order.
    edges: Vec<Edge>,
    /// `edges[outgoing[n]..outgoing[n + 1]]` leave node `n`.
    outgoing: Vec<usize>,
    /// Indices into `edges`, by target, and within one target in the order of `edges`.
    by_target: Vec<usize>,
    /// `by_target[incoming[n]..incoming[n + 1]]` lead to node `n`.
    incoming: Vec<usize>,
    /// Nodes with an omitted transition.
    is_incomplete: Vec<bool>,
}

impl Graph {
    /// `edges` are sorted by source.
    pub(super) fn new(
        n_nodes: usize,
        start: Option<NodeId>,
        edges: Vec<Edge>,
        incomplete: impl IntoIterator<Item = NodeId>,
    ) -> Graph {
        debug_assert!(edges.is_sorted_by_key(|edge| edge.from));
        let outgoing = offsets(n_nodes, edges.iter().map(|edge| edge.from));
        let incoming = offsets(n_nodes, edges.iter().map(|edge| edge.to));
        let mut next = incoming.clone();
        let mut by_target = vec![0; edges.len()];
        for (index, edge) in edges.iter().enumerate() {
            let place = &mut next[edge.to.index()];
            by_target[*place] = index;
            *place += 1;
        }
        let mut is_incomplete = vec![false; n_nodes];
        for node in incomplete {
            is_incomplete[node.index()] = true;
        }
        Graph {
            start,
            edges,
            outgoing,
            by_target,
            incoming,
            is_incomplete,
        }
    }

    /// The start node; `None` only if lowering has reported that.
    pub fn start(&self) -> Option<NodeId> {
        self.start
    }

    pub fn n_nodes(&self) -> usize {
        self.is_incomplete.len()
    }

    /// The outgoing edges of `node`, in Oozie's order.
    pub fn edges_from(&self, node: NodeId) -> &[Edge] {
        &self.edges[self.outgoing[node.index()]..self.outgoing[node.index() + 1]]
    }

    /// The incoming edges of `node`, in document order.
    pub fn edges_to(&self, node: NodeId) -> impl Iterator<Item = &Edge> {
        self.by_target[self.incoming[node.index()]..self.incoming[node.index() + 1]]
            .iter()
            .map(|&index| &self.edges[index])
    }

    /// The target of the transition `kind` of `node`. In a workflow without errors, every transition has a target.
    pub fn target(&self, node: NodeId, kind: TransitionKind) -> Option<NodeId> {
        self.edges_from(node)
            .iter()
            .find(|edge| edge.kind == kind)
            .map(|edge| edge.to)
    }

    /// The edges of a shortest way from one node to another; `None` if there is none.
    pub(super) fn shortest_way(&self, from: NodeId, to: NodeId) -> Option<Vec<Edge>> {
        let mut last_of: BTreeMap<NodeId, Edge> = BTreeMap::new();
        let mut waiting = VecDeque::from([from]);
        while let Some(node) = waiting.pop_front() {
            if node == to {
                break;
            }
            for &edge in self.edges_from(node) {
                if edge.to != from
                    && let Entry::Vacant(vacant) = last_of.entry(edge.to)
                {
                    vacant.insert(edge);
                    waiting.push_back(edge.to);
                }
            }
        }
        let mut steps = Vec::new();
        let mut at = to;
        while at != from {
            let edge = *last_of.get(&at)?;
            steps.push(edge);
            at = edge.from;
        }
        steps.reverse();
        Some(steps)
    }

    /// A transition of `node` has been reported and omitted.
    pub(super) fn is_incomplete(&self, node: NodeId) -> bool {
        self.is_incomplete[node.index()]
    }

    /// Some transition has been reported and omitted.
    pub(super) fn has_gaps(&self) -> bool {
        self.is_incomplete.contains(&true)
    }
}

/// The offset of each node's first edge when the edges are sorted by node, and the number of edges at the end.
fn offsets(n_nodes: usize, nodes: impl Iterator<Item = NodeId>) -> Vec<usize> {
    let mut offsets = vec![0; n_nodes + 1];
    for node in nodes {
        offsets[node.index() + 1] += 1;
    }
    for index in 0..n_nodes {
        offsets[index + 1] += offsets[index];
    }
    offsets
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::FileId;

    fn edge(from: u32, to: u32, kind: TransitionKind) -> Edge {
        Edge {
            from: NodeId(from),
            to: NodeId(to),
            kind,
            span: Span::empty(FileId(0), 0),
        }
    }

    #[test]
    fn edges_are_found_from_both_ends() {
        let edges = vec![
            edge(0, 2, TransitionKind::Start),
            edge(2, 1, TransitionKind::Ok),
            edge(2, 3, TransitionKind::Error),
            edge(3, 1, TransitionKind::Joined),
        ];
        let graph = Graph::new(4, Some(NodeId(0)), edges.clone(), [NodeId(3)]);
        assert_eq!(graph.edges_from(NodeId(2)), &edges[1..3]);
        assert_eq!(graph.edges_from(NodeId(1)), &[]);
        assert_eq!(
            graph.edges_to(NodeId(1)).collect::<Vec<_>>(),
            [&edges[1], &edges[3]]
        );
        assert_eq!(
            graph.target(NodeId(2), TransitionKind::Error),
            Some(NodeId(3))
        );
        assert_eq!(graph.target(NodeId(2), TransitionKind::Default), None);
        assert!(graph.is_incomplete(NodeId(3)) && !graph.is_incomplete(NodeId(2)));
        let way = |from, to| graph.shortest_way(NodeId(from), NodeId(to));
        assert_eq!(way(0, 1), Some(edges[..2].to_vec()));
        assert_eq!(way(0, 0), Some(Vec::new()));
        assert_eq!(way(1, 2), None);
    }
}
