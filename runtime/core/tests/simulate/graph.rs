//! Random workflows that the compiler would accept, and some slightly beyond that.
//!
//! They are built from the end to the start: a transition to an existing node cannot create a cycle.

use std::fmt;

use hpdlc_core::definition::{Definition, NodeId, Outcome, Shape};

use super::random::Random;

#[derive(Debug)]
struct Node {
    shape: Shape,
    /// Indexed by outcome: OK and ERROR of an action, the cases of a decision, the branches of a fork.
    targets: Vec<NodeId>,
}

/// A workflow in memory.
#[derive(Debug)]
pub struct SimulatedGraph {
    nodes: Vec<Node>,
    start: NodeId,
    /// Strands of a fork may reach an `end` (the dialect of 2009).
    pub ends_in_forks: bool,
}

/// One in this many workflows is a chain of actions.
const GRAPHS_PER_LINE: u64 = 8;

impl SimulatedGraph {
    /// The workflow of `seed`, from which `random` was created.
    pub fn of(seed: u64, random: &mut Random) -> SimulatedGraph {
        if seed % GRAPHS_PER_LINE == 5 {
            SimulatedGraph::line(random)
        } else {
            SimulatedGraph::random(random)
        }
    }

    /// A chain of actions; few errors have a handler.
    fn line(random: &mut Random) -> SimulatedGraph {
        let mut nodes = Vec::new();
        let mut add = |shape, targets| {
            let node = NodeId(u32::try_from(nodes.len()).expect("graphs are small"));
            nodes.push(Node { shape, targets });
            node
        };
        let end = add(Shape::End, vec![]);
        let kill = add(Shape::Kill, vec![]);
        let mut next = end;
        for _ in 0..random.between(3, 14) {
            let error = if random.percent(70) { kill } else { next };
            next = add(Shape::Action, vec![next, error]);
        }
        let start = add(Shape::Start, vec![next]);
        SimulatedGraph {
            nodes,
            start,
            ends_in_forks: false,
        }
    }

    fn random(random: &mut Random) -> SimulatedGraph {
        let max_nodes = match random.below(10) {
            0..=3 => 8,
            4..=7 => 16,
            _ => 40,
        };
        let mut builder = Builder {
            nodes: Vec::new(),
            max_nodes,
            kill_percent: random.pick(&[0, 0, 0, 5, 15]),
            crosses_forks: random.percent(30),
            ends_in_forks: random.percent(10),
            scopes: Vec::new(),
            end: NodeId(0),
            kill: NodeId(0),
            random,
        };
        builder.end = builder.add(Shape::End, vec![]);
        // As in the dialect of 2009, whose jobs are FAILED where others are KILLED.
        let fails = builder.random.percent(20);
        builder.kill = builder.add(if fails { Shape::Fail } else { Shape::Kill }, vec![]);
        let end = builder.end;
        builder.scopes.push(vec![end]);
        let length = builder.random.between(1, 6);
        let first = builder.sequence(end, length);
        let start = builder.add(Shape::Start, vec![first]);
        SimulatedGraph {
            start,
            ends_in_forks: builder.ends_in_forks,
            nodes: builder.nodes,
        }
    }

    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, Shape)> {
        (0..)
            .map(NodeId)
            .zip(self.nodes.iter().map(|node| node.shape))
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The number of transitions of a decision.
    pub fn cases(&self, node: NodeId) -> usize {
        self.nodes[node.index()].targets.len()
    }
}

impl Definition for SimulatedGraph {
    fn start(&self) -> NodeId {
        self.start
    }

    fn shape(&self, node: NodeId) -> Shape {
        self.nodes[node.index()].shape
    }

    fn next(&self, node: NodeId, outcome: Outcome) -> Option<NodeId> {
        let Node { shape, targets } = &self.nodes[node.index()];
        let n = match (shape, outcome) {
            (Shape::Start | Shape::Action, Outcome::Ok) | (Shape::Join, Outcome::Joined) => 0,
            (Shape::Action, Outcome::Error) => 1,
            (Shape::Decision, Outcome::Case(n)) | (Shape::Fork { .. }, Outcome::Branch(n)) => n,
            _ => return None,
        };
        targets.get(usize::try_from(n).ok()?).copied()
    }
}

impl fmt::Display for SimulatedGraph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (node, shape) in self.nodes() {
            let targets = &self.nodes[node.index()].targets;
            let targets: Vec<u32> = targets.iter().map(|node| node.0).collect();
            let what = match shape {
                Shape::Start => "start".to_owned(),
                Shape::End => "end".to_owned(),
                Shape::Kill => "kill".to_owned(),
                Shape::Fail => "fail".to_owned(),
                Shape::Decision => "decision".to_owned(),
                Shape::Join => "join".to_owned(),
                Shape::Action => "action (ok, error)".to_owned(),
                Shape::Fork {
                    join: Some(join), ..
                } => format!("fork joined at {}", join.0),
                Shape::Fork { join: None, .. } => "fork never joined".to_owned(),
            };
            writeln!(f, "{:4} {what} -> {targets:?}", node.0)?;
        }
        Ok(())
    }
}

struct Builder<'a> {
    random: &'a mut Random,
    nodes: Vec<Node>,
    max_nodes: usize,
    /// The percentage of possible transitions to a kill that go there.
    kill_percent: usize,
    /// Errors of an inner fork may lead to nodes of an outer one, which pairing by fork instance need not allow.
    crosses_forks: bool,
    ends_in_forks: bool,
    /// The possible error targets, for each enclosing fork; the outermost entry is not a fork.
    scopes: Vec<Vec<NodeId>>,
    end: NodeId,
    kill: NodeId,
}

impl Builder<'_> {
    fn add(&mut self, shape: Shape, targets: Vec<NodeId>) -> NodeId {
        let node = NodeId(u32::try_from(self.nodes.len()).expect("graphs are small"));
        self.nodes.push(Node { shape, targets });
        node
    }

    /// Makes `node` a target for errors elsewhere in the same fork.
    fn offer(&mut self, node: NodeId) -> NodeId {
        let scope = self.scopes.last_mut();
        scope.expect("the outermost scope stays").push(node);
        node
    }

    fn is_full(&self) -> bool {
        self.nodes.len() >= self.max_nodes
    }

    /// Up to `length` items that lead to `after`; the first of them, or `after` itself.
    fn sequence(&mut self, after: NodeId, length: usize) -> NodeId {
        let mut first = after;
        for _ in 0..length {
            if !self.is_full() {
                first = self.item(first);
            }
        }
        first
    }

    fn item(&mut self, after: NodeId) -> NodeId {
        match self.random.below(10) {
            0..=4 => self.action(after),
            5 | 6 => self.decision(after),
            7 | 8 => {
                let join = self.add(Shape::Join, vec![after]);
                let fork = self.fork(join);
                self.offer(fork)
            }
            // A decision between forks that share their join.
            _ => {
                let join = self.add(Shape::Join, vec![after]);
                let forks = vec![self.fork(join), self.fork(join)];
                let decision = self.add(Shape::Decision, forks);
                self.offer(decision)
            }
        }
    }

    fn action(&mut self, after: NodeId) -> NodeId {
        let ok = self.detour(after);
        let error = self.error_target(after);
        let action = self.add(Shape::Action, vec![ok, error]);
        self.offer(action)
    }

    fn decision(&mut self, after: NodeId) -> NodeId {
        let mut arms = Vec::new();
        for _ in 0..self.random.between(1, 3) {
            let after = self.detour(after);
            let length = self.random.below(3);
            arms.push(self.sequence(after, length));
        }
        let decision = self.add(Shape::Decision, arms);
        self.offer(decision)
    }

    fn fork(&mut self, join: NodeId) -> NodeId {
        // If every strand ends at the kill, nothing is joined.
        let is_joined = self.random.below(100) >= self.kill_percent;
        let after = if is_joined { join } else { self.kill };
        self.scopes.push(vec![after]);
        for _ in 0..self.random.below(3) {
            let error = self.error_target(after);
            let handler = self.add(Shape::Action, vec![after, error]);
            self.offer(handler);
        }
        let mut branches = Vec::new();
        for _ in 0..self.random.between(2, 4) {
            let after = self.detour(after);
            let length = self.random.below(4);
            branches.push(self.sequence(after, length));
        }
        self.scopes.pop();
        // Strands that leave before they reach the join cannot keep it from firing.
        let shape = Shape::Fork {
            branches: u32::try_from(branches.len()).expect("forks are small"),
            join: is_joined.then_some(join),
        };
        self.add(shape, branches)
    }

    /// Mostly `after`; sometimes a kill, or an end where that is legal.
    fn detour(&mut self, after: NodeId) -> NodeId {
        if self.random.percent(self.kill_percent / 2) {
            self.kill
        } else if self.ends_in_forks && self.random.percent(10) {
            self.end
        } else {
            after
        }
    }

    fn error_target(&mut self, after: NodeId) -> NodeId {
        if self.random.percent(2 * self.kill_percent) {
            return self.kill;
        }
        if self.random.percent(30) {
            return after;
        }
        let innermost = self.scopes.len() - 1;
        let level = if self.crosses_forks && innermost > 1 {
            self.random.between(1, innermost)
        } else {
            innermost
        };
        self.random.pick(&self.scopes[level])
    }
}
