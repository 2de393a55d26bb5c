//! Suspended and resumed: by a person, or by a node of `oozie.suspend.on.nodes`.
//!
//! A suspended job begins nothing and ends nothing; work outside goes on, and what comes of it is parked. A strand that moves
//! on nevertheless, as those of a fork whose first branch is a suspend point, stops at the next node, which is recorded as
//! PREP: [`ActionStatus::Prep`] of a control node means just that. A join that waits for strands is PREP too, and has no
//! attempt; one that would fire and may not has its first.

use crate::{
    definition::{NodeId, Outcome, Shape},
    status::{ActionStatus, JobStatus},
    step::{Effect, Machine, NodeState},
};

impl Machine<'_> {
    /// Suspends the job and, as the driver does then, the jobs above it.
    pub(super) fn suspend(&mut self) {
        if self.is_running_job() {
            self.state.status = JobStatus::Suspended;
            self.begin_nothing();
            self.step.effects.push(Effect::Suspended);
        }
    }

    /// What this step was about to begin is not begun.
    pub(super) fn begin_nothing(&mut self) {
        self.step.effects.retain(|effect| match effect {
            Effect::Choose { .. }
            | Effect::Prepare { .. }
            | Effect::Launch { .. }
            | Effect::Wait { .. } => false,
            Effect::Cancel { .. }
            | Effect::Message { .. }
            | Effect::StrandEnded { .. }
            | Effect::Skipped { .. }
            | Effect::Suspended
            | Effect::Finished(_) => true,
        });
    }

    /// Whether the job stops before it begins `node`. What a rerun skips is not begun.
    pub(super) fn is_suspend_point(&self, node: NodeId) -> bool {
        self.state.suspend_points.contains(node) && !self.state.skips.contains_key(&node)
    }

    /// Every strand of a fork has come to `join`.
    pub(super) fn joined(&mut self, join: NodeId) {
        if self.is_running_job() && !self.is_suspend_point(join) {
            return self.end_node(join, ActionStatus::Ok, Outcome::Joined);
        }
        self.change(join).attempt = 1;
        self.suspend();
    }

    pub(super) fn resume(&mut self) {
        self.state.status = JobStatus::Running;
        let nodes: Vec<(NodeId, NodeState)> = self
            .state
            .nodes
            .iter()
            .map(|(&node, state)| (node, state.clone()))
            .collect();
        // What is parked goes on first: it may end the job, and then nothing else begins.
        for (node, node_state) in &nodes {
            if self.is_running_job() && node_state.status == ActionStatus::Done {
                match node_state.outcome {
                    Some(Outcome::Error) => {
                        self.work_ended(*node, ActionStatus::Error, Outcome::Error);
                    }
                    Some(outcome) => self.work_ended(*node, ActionStatus::Ok, outcome),
                    // A store that has lost the way out must not leave a job that waits for ever.
                    None => self.end_job(JobStatus::Failed),
                }
                self.advance();
            }
        }
        // Then what needs nothing from outside, for the same reason; and then the rest.
        for is_at_once in [true, false] {
            for (node, node_state) in &nodes {
                // What goes on may end the job, suspend it again, or count a strand of a join.
                let is_as_before = self.status_of(*node) == Some(node_state.status);
                if self.is_running_job()
                    && is_as_before
                    && self.waits_for_resume_alone(*node, node_state) == is_at_once
                {
                    self.go_on(*node, node_state);
                }
            }
        }
    }

    /// A node that the suspended job kept from beginning and that is over as soon as it begins.
    fn waits_for_resume_alone(&self, node: NodeId, node_state: &NodeState) -> bool {
        node_state.status == ActionStatus::Prep
            && match self.definition.shape(node) {
                Shape::Action | Shape::Decision => self.state.skips.contains_key(&node),
                Shape::Join => node_state.attempt > 0,
                Shape::Start | Shape::End | Shape::Kill | Shape::Fail | Shape::Fork { .. } => true,
            }
    }

    fn go_on(&mut self, node: NodeId, node_state: &NodeState) {
        let attempt = node_state.attempt;
        match node_state.status {
            ActionStatus::Prep if self.waits_for_resume_alone(node, node_state) => {
                if self.definition.shape(node) == Shape::Join {
                    self.end_node(node, ActionStatus::Ok, Outcome::Joined);
                } else {
                    self.begin(node);
                }
                self.advance();
            }
            // Of a join that waits for strands nothing follows.
            ActionStatus::Prep => self.prepare(node, attempt),
            ActionStatus::Running => self.step.effects.push(Effect::Launch { node, attempt }),
            ActionStatus::StartManual => {
                self.change(node).transient_retries = 0;
                self.next_attempt(node);
            }
            ActionStatus::StartRetry | ActionStatus::UserRetry => {
                self.step.effects.push(Effect::Wait { node, delay: None });
            }
            ActionStatus::Done
            | ActionStatus::Ok
            | ActionStatus::Error
            | ActionStatus::Killed
            | ActionStatus::Failed => {}
        }
    }
}
