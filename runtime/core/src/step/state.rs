//! The persistent state of a job between events.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    definition::{NodeId, Outcome},
    status::{ActionStatus, JobStatus},
};

/// The state of one workflow job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobState {
    pub status: JobStatus,
    /// The nodes that were entered, and joins that a strand has reached.
    pub nodes: BTreeMap<NodeId, NodeState>,
    /// Nodes that a rerun skips and that no strand has reached yet.
    pub skips: BTreeMap<NodeId, Skip>,
    /// Set with the job; no event changes them.
    pub suspend_points: SuspendPoints,
}

/// A skipped node: it ends with the outcome of an earlier run instead of doing its work (`TO_SKIP` in `SignalXCommand`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skip {
    pub outcome: Outcome,
    /// Its last attempt in that run.
    pub attempt: u32,
}

/// The nodes at which a job is suspended (`oozie.suspend.on.nodes`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SuspendPoints {
    #[default]
    None,
    /// Every node, including control nodes.
    All,
    Nodes(BTreeSet<NodeId>),
}

impl SuspendPoints {
    pub fn contains(&self, node: NodeId) -> bool {
        match self {
            SuspendPoints::None => false,
            SuspendPoints::All => true,
            SuspendPoints::Nodes(nodes) => nodes.contains(&node),
        }
    }
}

impl JobState {
    /// A job that has not been started.
    pub fn new() -> JobState {
        JobState {
            status: JobStatus::Prep,
            nodes: BTreeMap::new(),
            skips: BTreeMap::new(),
            suspend_points: SuspendPoints::None,
        }
    }
}

impl Default for JobState {
    fn default() -> JobState {
        JobState::new()
    }
}

/// The state of one node in one job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeState {
    pub status: ActionStatus,
    /// Counts the starts of this node in this job from 1; identifies the attempt everywhere.
    pub attempt: u32,
    /// User retries used up.
    pub user_retries: u32,
    /// Retries after transient failures used up since the user last resumed the node.
    pub transient_retries: u32,
    /// The innermost fork whose strand entered this node; for a join that has fired, the strand that continues.
    pub strand: Option<NodeId>,
    /// Of a fork: strands that have not ended yet.
    pub live_strands: u32,
    /// The transition that was taken, or for [`ActionStatus::Done`] the one that resume will take.
    pub outcome: Option<Outcome>,
    /// Its work must be stopped and is not confirmed gone yet.
    pub is_canceling: bool,
}

impl Default for NodeState {
    fn default() -> NodeState {
        NodeState {
            status: ActionStatus::Prep,
            attempt: 0,
            user_retries: 0,
            transient_retries: 0,
            strand: None,
            live_strands: 0,
            outcome: None,
            is_canceling: false,
        }
    }
}
