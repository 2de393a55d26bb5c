//! Which nodes have run, and how they ended, when another node is entered: on some path, and on every path.
//!
//! Bit-vector data flow: one pass along the topological order with one bit per question. At a join all branches of its fork
//! have arrived: what is certain on any one of them is certain after the join.

use std::{
    cell::Cell,
    collections::{BTreeMap, BTreeSet, VecDeque},
};

use crate::{
    analysis::{
        fork_join::Pairing,
        graph::{Edge, Graph},
    },
    model::{NodeId, TransitionKind},
};

/// The maximum number of questions per pass, which bounds its memory.
pub(super) const BLOCK: usize = 1024;

/// The maximum number of branch nodes visited in all passes. With nested forks each fork would visit everything inside it.
const MOST_IN_BRANCHES: usize = 2_000_000;

/// The kind of transition that a node has taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Transition {
    Ok,
    Error,
    Any,
}

impl Transition {
    fn includes(self, kind: TransitionKind) -> bool {
        match self {
            Transition::Any => true,
            Transition::Error => kind == TransitionKind::Error,
            Transition::Ok => kind != TransitionKind::Error,
        }
    }
}

/// What all blocks of questions share.
pub(super) struct QuestionGround<'a> {
    graph: &'a Graph,
    pairing: &'a Pairing,
    fork_of: BTreeMap<NodeId, NodeId>,
    is_reached: &'a [bool],
    /// The number of branch nodes that may still be visited.
    n_left: Cell<usize>,
}

impl<'a> QuestionGround<'a> {
    /// Every join among the reached nodes must be paired.
    pub(super) fn new(
        graph: &'a Graph,
        pairing: &'a Pairing,
        is_reached: &'a [bool],
    ) -> QuestionGround<'a> {
        QuestionGround {
            graph,
            pairing,
            fork_of: pairing.iter().map(|(fork, join)| (join, fork)).collect(),
            is_reached,
            n_left: Cell::new(MOST_IN_BRANCHES),
        }
    }
}

/// The answers for one block of questions.
pub(super) struct Availability<'a> {
    ground: &'a QuestionGround<'a>,
    questions: &'a [(NodeId, Transition)],
    /// By node, `n_words` words each: which questions are answered on some path, and on every path.
    may: Vec<u64>,
    must: Vec<u64>,
    n_words: usize,
}

impl<'a> Availability<'a> {
    /// `order` lists reached nodes in topological order, from the first node that `questions`, which are sorted, refer to up
    /// to the last one with a reference.
    pub(super) fn compute(
        ground: &'a QuestionGround<'a>,
        order: &[NodeId],
        questions: &'a [(NodeId, Transition)],
    ) -> Availability<'a> {
        let n_words = questions.len().div_ceil(64);
        let n_nodes = ground.graph.n_nodes();
        let mut answers = Availability {
            ground,
            questions,
            may: vec![0; n_nodes * n_words],
            must: vec![0; n_nodes * n_words],
            n_words,
        };
        let mut along = vec![0; n_words];
        let mut may = vec![0; n_words];
        for &node in order {
            may.fill(0);
            for edge in answers.edges_to(node) {
                answers.along(&answers.may, edge, &mut along);
                unite(&mut may, &along);
            }
            let must = match ground.fork_of.get(&node) {
                Some(&fork) => answers.behind_join(fork, node),
                None => answers.on_every(answers.edges_to(node)),
            };
            let at = node.index() * n_words;
            answers.may[at..at + n_words].copy_from_slice(&may);
            answers.must[at..at + n_words].copy_from_slice(&must);
        }
        answers
    }

    /// Whether question `at` is answered on some path to `node`.
    pub(super) fn may(&self, node: NodeId, at: usize) -> bool {
        self.bit(&self.may, node, at)
    }

    /// Whether question `at` is answered on every path to `node`.
    pub(super) fn must(&self, node: NodeId, at: usize) -> bool {
        self.bit(&self.must, node, at)
    }

    /// A shortest path from the start to `node` on which question `at` is not answered, which must not be certain.
    pub(super) fn path_without(&self, node: NodeId, at: usize) -> Vec<Edge> {
        // Backward, over edges along which it is still unanswered.
        let mut next: Vec<Option<Edge>> = vec![None; self.ground.graph.n_nodes()];
        let mut queue = VecDeque::from([node]);
        while let Some(to) = queue.pop_front() {
            if Some(to) == self.ground.graph.start() {
                break;
            }
            for edge in self.edges_to(to) {
                let (target, way) = self.questions[at];
                let is_answered =
                    self.must(edge.from, at) || (edge.from == target && way.includes(edge.kind));
                if !is_answered && next[edge.from.index()].is_none() && edge.from != node {
                    next[edge.from.index()] = Some(*edge);
                    queue.push_back(edge.from);
                }
            }
        }
        let mut path = Vec::new();
        let mut place = self.ground.graph.start();
        while let Some(edge) = place.and_then(|node| next[node.index()]) {
            path.push(edge);
            place = Some(edge.to).filter(|to| *to != node);
        }
        path
    }

    /// By node: whether some path leads from it to `node`, including `node` itself.
    pub(super) fn ancestors(&self, node: NodeId) -> Vec<bool> {
        let mut ancestors = vec![false; self.ground.graph.n_nodes()];
        ancestors[node.index()] = true;
        let mut stack = vec![node];
        while let Some(to) = stack.pop() {
            for edge in self.edges_to(to) {
                if !ancestors[edge.from.index()] {
                    ancestors[edge.from.index()] = true;
                    stack.push(edge.from);
                }
            }
        }
        ancestors
    }

    /// The fork whose branches contain both, if they run in parallel.
    pub(super) fn fork_around(&self, node: NodeId, target: NodeId) -> Option<NodeId> {
        let before_node = self.ancestors(node);
        let before_target = self.ancestors(target);
        let is_before = |other: NodeId| before_node[other.index()] || before_target[other.index()];
        if before_node[target.index()] || before_target[node.index()] {
            return None;
        }
        self.ground
            .pairing
            .iter()
            .find(|&(fork, join)| {
                before_node[fork.index()] && before_target[fork.index()] && !is_before(join)
            })
            .map(|(fork, _)| fork)
    }

    fn bit(&self, bits: &[u64], node: NodeId, at: usize) -> bool {
        bits[node.index() * self.n_words + at / 64] & (1 << (at % 64)) != 0
    }

    fn edges_to(&self, node: NodeId) -> impl Iterator<Item = &'a Edge> {
        let QuestionGround {
            graph, is_reached, ..
        } = self.ground;
        graph
            .edges_to(node)
            .filter(|edge| is_reached[edge.from.index()])
    }

    /// What is known after `edge`.
    fn along(&self, bits: &[u64], edge: &Edge, along: &mut [u64]) {
        let from = edge.from.index() * self.n_words;
        along.copy_from_slice(&bits[from..from + self.n_words]);
        let first = self
            .questions
            .partition_point(|(node, _)| *node < edge.from);
        for (at, (node, way)) in self.questions.iter().enumerate().skip(first) {
            if *node != edge.from {
                break;
            }
            if way.includes(edge.kind) {
                along[at / 64] |= 1 << (at % 64);
            }
        }
    }

    /// What is certain after each of `edges`; nothing if there are none.
    fn on_every<'e>(&self, edges: impl Iterator<Item = &'e Edge>) -> Vec<u64> {
        let mut all: Option<Vec<u64>> = None;
        let mut along = vec![0; self.n_words];
        for edge in edges {
            self.along(&self.must, edge, &mut along);
            match &mut all {
                Some(all) => {
                    for (word, other) in all.iter_mut().zip(&along) {
                        *word &= other;
                    }
                }
                None => all = Some(along.clone()),
            }
        }
        all.unwrap_or_else(|| vec![0; self.n_words])
    }

    fn behind_join(&self, fork: NodeId, join: NodeId) -> Vec<u64> {
        let mut must = vec![0; self.n_words];
        for branch in self.ground.graph.edges_from(fork) {
            if branch.to == join {
                unite(&mut must, &self.on_every([branch].into_iter()));
                continue;
            }
            let Some(region) = self.region(branch.to, join) else {
                // Everything counts as certain, so that nothing is reported where the limit was reached.
                return vec![!0; self.n_words];
            };
            let arrivals = self
                .edges_to(join)
                .filter(|edge| region.contains(&edge.from));
            unite(&mut must, &self.on_every(arrivals));
        }
        must
    }

    /// The nodes reachable from `from`, including itself, without those after `stop`; `None` if the limit of visits is
    /// reached.
    fn region(&self, from: NodeId, stop: NodeId) -> Option<BTreeSet<NodeId>> {
        let QuestionGround { graph, n_left, .. } = self.ground;
        let mut region = BTreeSet::from([from]);
        let mut stack = vec![from];
        while let Some(node) = stack.pop() {
            n_left.set(n_left.get().checked_sub(1)?);
            if node == stop {
                continue;
            }
            for edge in graph.edges_from(node) {
                if region.insert(edge.to) {
                    stack.push(edge.to);
                }
            }
        }
        Some(region)
    }
}

fn unite(bits: &mut [u64], more: &[u64]) {
    for (word, other) in bits.iter_mut().zip(more) {
        *word |= other;
    }
}
