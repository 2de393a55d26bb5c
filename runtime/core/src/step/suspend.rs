//! Suspend and resume: by the user, or by a node of `oozie.suspend.on.nodes`.
//!
//! A suspended job starts and ends no node; external work continues, and its result is parked. A strand that still advances, such
//! as those of a fork whose first branch is a suspend point, stops at the next node, which is recorded as PREP: this is the only
//! meaning of [`ActionStatus::Prep`] for a control node. A join that waits for strands is PREP too, without an attempt; one that
//! would fire but may not has its first attempt.

use crate::{
    definition::{NodeId, Outcome, Shape},
    status::{ActionStatus, JobStatus},
    step::{Effect, Machine, NodeState},
};

impl Machine<'_> {
    /// Suspends the job; the driver then suspends its parent jobs.
    pub(super) fn suspend(&mut self) {
        if self.is_running_job() {
            self.state.status = JobStatus::Suspended;
            self.begin_nothing();
            self.step.effects.push(Effect::Suspended);
        }
    }

    /// Drops the effects by which this step would start something.
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

    /// Whether the job is suspended before it starts `node`. Nodes that a rerun skips are not started.
    pub(super) fn is_suspend_point(&self, node: NodeId) -> bool {
        self.state.suspend_points.contains(node) && !self.state.skips.contains_key(&node)
    }

    /// Every strand of a fork has reached `join`.
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
        // Parked results first: one may end the job, and then nothing else starts.
        for (node, node_state) in &nodes {
            if self.is_running_job() && node_state.status == ActionStatus::Done {
                match node_state.outcome {
                    Some(Outcome::Error) => {
                        self.work_ended(*node, ActionStatus::Error, Outcome::Error);
                    }
                    Some(outcome) => self.work_ended(*node, ActionStatus::Ok, outcome),
                    // A damaged store without the outcome must not leave a job that waits forever.
                    None => self.end_job(JobStatus::Failed),
                }
                self.advance();
            }
        }
        // Then nodes without external effects, for the same reason; then the rest.
        for is_at_once in [true, false] {
            for (node, node_state) in &nodes {
                // A node resumed earlier may end the job, suspend it again, or count a strand of a join.
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

    /// A node that did not start because the job was suspended and that ends as soon as it starts.
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
            // Nothing follows for a join that waits for strands.
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
