//! The graph of a workflow as the step machine sees it: node numbers, shapes and transitions.
//!
//! The compiler's table implements it as plain functions over numbers; a simulator builds random graphs in memory.

/// A node of one workflow application, numbered in document order from 0.
///
/// Numbers are valid only within one build of a program: stored state refers to nodes by their XML name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

impl NodeId {
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The result of a node as far as the graph is concerned: it selects the transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// The start node was entered, or an action ended OK.
    Ok,
    /// An action ended in ERROR.
    Error,
    /// The n-th case of a decision was the first that is true, counted from 0; the default counts as the one after the last case.
    Case(u32),
    /// The n-th branch of a fork, counted from 0.
    Branch(u32),
    /// Every strand of the fork has arrived at its join.
    Joined,
}

/// The kinds of nodes that the step machine distinguishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Start,
    End,
    /// The job ends KILLED.
    Kill,
    /// The job ends FAILED.
    Fail,
    Decision,
    /// `join` is the join that every strand of this fork reaches; `None` when every strand ends at a kill.
    Fork {
        branches: u32,
        join: Option<NodeId>,
    },
    Join,
    Action,
}

/// The graph of one workflow application.
pub trait Definition {
    /// The `start` node.
    fn start(&self) -> NodeId;

    fn shape(&self, node: NodeId) -> Shape;

    /// The node that follows, or `None` if the node has no such transition.
    fn next(&self, node: NodeId, outcome: Outcome) -> Option<NodeId>;
}
