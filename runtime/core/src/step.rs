//! The workflow's state machine: what a job does next.
//!
//! [`step`] applies an event to a job's state and returns the effects. It has no access to clock, store or processes: the driver
//! persists the changed nodes in one transaction and performs the effects afterwards, so a crash at any point loses nothing.
//! [`outstanding`] lists the effects that a recovered job still has to perform.
//!
//! Where Oozie pairs joins by path nesting (`LiteWorkflowInstance`), strands here record the fork that created them, so that a
//! join fires exactly when every strand of its fork has arrived or ended. A node is entered once in a run; a strand that reaches
//! it again ends there, where Oozie would fail the job with E0709.

use crate::{
    definition::{Definition, NodeId, Outcome, Shape},
    status::{ActionStatus, JobStatus},
};

mod audit;
mod event;
mod outstanding;
mod retry;
mod state;
mod suspend;
#[cfg(test)]
mod tests;

use self::outstanding::evaluation;
pub use self::{
    audit::{Violation, audit, is_held_join},
    event::{AttemptFailure, Effect, Event, FailureClass, Step},
    outstanding::outstanding,
    retry::{RetryPolicy, RetryRule},
    state::{JobState, NodeState, Skip, SuspendPoints},
};

/// Applies `event` to `state`.
///
/// An event that has no meaning in the current state is ignored: the report of an attempt that has been canceled, or a command
/// for a job that has ended.
pub fn step(definition: &dyn Definition, state: &mut JobState, event: Event) -> Step {
    let before = state.status;
    let mut machine = Machine {
        definition,
        state,
        step: Step::default(),
        arriving: Vec::new(),
    };
    machine.take(event);
    machine.advance();
    machine.step.job_changed = machine.state.status != before;
    machine.step
}

struct Machine<'a> {
    definition: &'a dyn Definition,
    state: &'a mut JobState,
    step: Step,
    /// A work list of nodes reached by strands, each with the strand's innermost fork; the next one last. A list, so that a long
    /// chain of control nodes uses no stack.
    arriving: Vec<(NodeId, Option<NodeId>)>,
}

impl Machine<'_> {
    fn take(&mut self, event: Event) {
        match event {
            Event::Start => {
                if self.state.status == JobStatus::Prep {
                    self.state.status = JobStatus::Running;
                    self.enter(self.definition.start(), None);
                }
            }
            Event::Chosen { node, case } => {
                if self.is_running_job()
                    && self.status_of(node) == Some(ActionStatus::Prep)
                    && self.definition.shape(node) == Shape::Decision
                {
                    self.end_node(node, ActionStatus::Ok, Outcome::Case(case));
                }
            }
            Event::Prepared { node, attempt } => {
                if self.is_running_job()
                    && self.status_of_attempt(node, attempt) == Some(ActionStatus::Prep)
                    && self.definition.shape(node) == Shape::Action
                {
                    self.change(node).status = ActionStatus::Running;
                    self.step.effects.push(Effect::Launch { node, attempt });
                }
            }
            Event::Succeeded { node, attempt } => {
                if self.may_end()
                    && self.status_of_attempt(node, attempt) == Some(ActionStatus::Running)
                {
                    self.work_ended(node, ActionStatus::Ok, Outcome::Ok);
                }
            }
            Event::Failed {
                node,
                attempt,
                failure,
            } => {
                let may_fail = match self.status_of_attempt(node, attempt) {
                    Some(ActionStatus::Running) => true,
                    // A node that waits for strands, or for the job to be resumed, is PREP too.
                    Some(ActionStatus::Prep) => {
                        let shape = self.definition.shape(node);
                        matches!(shape, Shape::Action | Shape::Decision)
                            && !self.state.skips.contains_key(&node)
                    }
                    Some(
                        ActionStatus::Done
                        | ActionStatus::Ok
                        | ActionStatus::Error
                        | ActionStatus::StartRetry
                        | ActionStatus::StartManual
                        | ActionStatus::UserRetry
                        | ActionStatus::Killed
                        | ActionStatus::Failed,
                    )
                    | None => false,
                };
                if self.may_end() && may_fail {
                    self.failed(node, failure);
                }
            }
            Event::RetryDue { node } => {
                let waits = matches!(
                    self.status_of(node),
                    Some(ActionStatus::StartRetry | ActionStatus::UserRetry)
                );
                if self.is_running_job() && waits {
                    self.next_attempt(node);
                }
            }
            Event::Canceled { node } => {
                if self
                    .state
                    .nodes
                    .get(&node)
                    .is_some_and(|node| node.is_canceling)
                {
                    self.change(node).is_canceling = false;
                }
            }
            Event::Kill => {
                if !self.state.status.is_terminal() {
                    self.end_job(JobStatus::Killed);
                }
            }
            Event::Suspend => {
                if self.is_running_job() {
                    self.suspend();
                }
            }
            Event::Resume => {
                if self.state.status == JobStatus::Suspended {
                    self.resume();
                }
            }
        }
    }

    /// Moves strands from node to node until each waits for an external event, or for the job to be resumed.
    fn advance(&mut self) {
        while !self.state.status.is_terminal() {
            let Some((node, strand)) = self.arriving.pop() else {
                return;
            };
            self.enter(node, strand);
        }
    }

    /// A strand reaches `node`; `strand` is the innermost fork that it belongs to.
    fn enter(&mut self, node: NodeId, strand: Option<NodeId>) {
        let shape = self.definition.shape(node);
        if shape == Shape::Join {
            self.change(node);
            return self.strand_arrived(strand);
        }
        if self.state.nodes.contains_key(&node) {
            self.step.effects.push(Effect::StrandEnded { node });
            return self.strand_arrived(strand);
        }
        let entered = self.change(node);
        entered.strand = strand;
        entered.attempt = 1;
        if !self.is_running_job() {
            // It starts when the job is resumed.
        } else if self.is_suspend_point(node) {
            self.suspend();
        } else {
            self.begin(node);
        }
    }

    /// Executes an entered node.
    fn begin(&mut self, node: NodeId) {
        if let Some(skip) = self.state.skips.remove(&node) {
            self.step.effects.push(Effect::Skipped { node });
            self.change(node).attempt = skip.attempt;
            let status = match skip.outcome {
                Outcome::Error => ActionStatus::Error,
                Outcome::Ok | Outcome::Case(_) | Outcome::Branch(_) | Outcome::Joined => {
                    ActionStatus::Ok
                }
            };
            return self.end_node(node, status, skip.outcome);
        }
        match self.definition.shape(node) {
            Shape::Start => self.end_node(node, ActionStatus::Ok, Outcome::Ok),
            Shape::End => {
                self.change(node).status = ActionStatus::Ok;
                self.end_job(JobStatus::Succeeded);
            }
            shape @ (Shape::Kill | Shape::Fail) => {
                self.change(node).status = ActionStatus::Ok;
                self.step.effects.push(Effect::Message { node });
                self.end_job(if shape == Shape::Kill {
                    JobStatus::Killed
                } else {
                    JobStatus::Failed
                });
            }
            Shape::Decision => self.step.effects.push(Effect::Choose { node }),
            Shape::Action => self.step.effects.push(Effect::Prepare { node, attempt: 1 }),
            Shape::Fork { branches, .. } => self.fork(node, branches),
            Shape::Join => {}
        }
    }

    fn fork(&mut self, node: NodeId, branches: u32) {
        let fork = self.change(node);
        fork.status = ActionStatus::Ok;
        fork.live_strands = branches;
        if branches == 0 {
            // No strand would ever reach the join; the compiler refuses such a fork.
            return self.end_job(JobStatus::Failed);
        }
        // If one of the branches is a suspend point, none starts (`SignalXCommand`).
        let mut targets =
            (0..branches).filter_map(|n| self.definition.next(node, Outcome::Branch(n)));
        if targets.any(|target| self.is_suspend_point(target)) {
            self.suspend();
        }
        for branch in (0..branches).rev() {
            self.follow(node, Outcome::Branch(branch), Some(node));
        }
    }

    /// A strand of the fork `strand` has ended: it reached the join, or a node that another had entered.
    fn strand_arrived(&mut self, mut strand: Option<NodeId>) {
        while let Some(fork) = strand {
            let fork_state = self.change(fork);
            fork_state.live_strands = fork_state.live_strands.saturating_sub(1);
            if fork_state.live_strands > 0 {
                return;
            }
            strand = fork_state.strand;
            if let Shape::Fork {
                join: Some(join), ..
            } = self.definition.shape(fork)
            {
                self.change(join).strand = strand;
                return self.joined(join);
            }
        }
        // The compiler proves that no strand outside a fork reaches a join or meets another strand. An inconsistent table must
        // not leave a job that waits forever.
        if self.arriving.is_empty() && !self.has_work() {
            self.end_job(JobStatus::Failed);
        }
    }

    /// Ends the node; its strand continues with `outcome`.
    fn end_node(&mut self, node: NodeId, status: ActionStatus, outcome: Outcome) {
        let ended = self.change(node);
        ended.status = status;
        ended.outcome = Some(outcome);
        let strand = ended.strand;
        self.follow(node, outcome, strand);
    }

    fn follow(&mut self, node: NodeId, outcome: Outcome, strand: Option<NodeId>) {
        match self.definition.next(node, outcome) {
            Some(next) => self.arriving.push((next, strand)),
            // The compiler proves that every outcome has its transition. Several may be missing in one step.
            None if !self.state.status.is_terminal() => self.end_job(JobStatus::Failed),
            None => {}
        }
    }

    /// Ends an action's work: immediately in a running job, parked in a suspended one.
    fn work_ended(&mut self, node: NodeId, status: ActionStatus, outcome: Outcome) {
        if self.is_running_job() {
            self.end_node(node, status, outcome);
        } else {
            let parked = self.change(node);
            parked.status = ActionStatus::Done;
            parked.outcome = Some(outcome);
        }
    }

    fn failed(&mut self, node: NodeId, failure: AttemptFailure) {
        let node_state = self.change(node);
        match failure.class {
            FailureClass::Transient if node_state.transient_retries < failure.transient.max => {
                let delay = failure.transient.delay(node_state.transient_retries);
                node_state.transient_retries += 1;
                node_state.status = ActionStatus::StartRetry;
                self.step.effects.push(Effect::Wait {
                    node,
                    delay: Some(delay),
                });
            }
            FailureClass::Transient | FailureClass::NonTransient => {
                node_state.status = ActionStatus::StartManual;
                self.state.status = JobStatus::Suspended;
            }
            FailureClass::Error | FailureClass::Failed => {
                let user = failure
                    .user
                    .filter(|rule| node_state.user_retries < rule.max);
                if let Some(rule) = user {
                    let delay = rule.delay(node_state.user_retries);
                    node_state.user_retries += 1;
                    node_state.status = ActionStatus::UserRetry;
                    self.step.effects.push(Effect::Wait {
                        node,
                        delay: Some(delay),
                    });
                } else if failure.class == FailureClass::Error {
                    self.work_ended(node, ActionStatus::Error, Outcome::Error);
                } else {
                    node_state.status = ActionStatus::Failed;
                    self.end_job(JobStatus::Failed);
                }
            }
        }
    }

    /// Retries a node from its evaluation on.
    fn next_attempt(&mut self, node: NodeId) {
        let node_state = self.change(node);
        node_state.attempt += 1;
        node_state.status = ActionStatus::Prep;
        let attempt = node_state.attempt;
        self.prepare(node, attempt);
    }

    fn prepare(&mut self, node: NodeId, attempt: u32) {
        let effect = evaluation(self.definition, node, attempt);
        self.step.effects.extend(effect);
    }

    /// Ends the job; all active nodes are killed, in a job that SUCCEEDED too (`KillXCommand`, `SignalXCommand`).
    fn end_job(&mut self, status: JobStatus) {
        let alive: Vec<NodeId> = self
            .state
            .nodes
            .iter()
            .filter(|(_, node_state)| !node_state.status.is_terminal())
            .map(|(&node, _)| node)
            .collect();
        self.state.status = status;
        self.begin_nothing();
        for node in alive {
            // It has not been skipped, and never will be.
            self.state.skips.remove(&node);
            let node_state = self.change(node);
            // A lost attempt may still run unobserved.
            let may_run = matches!(
                node_state.status,
                ActionStatus::Running | ActionStatus::StartManual | ActionStatus::StartRetry
            );
            node_state.status = ActionStatus::Killed;
            // The pending transition of a parked action was not taken.
            node_state.outcome = None;
            if may_run {
                node_state.is_canceling = true;
                let attempt = node_state.attempt;
                self.step.effects.push(Effect::Cancel { node, attempt });
            }
        }
        self.step.effects.push(Effect::Finished(status));
    }

    /// The state of `node`, recorded as changed; a node that has not been entered yet becomes PREP.
    fn change(&mut self, node: NodeId) -> &mut NodeState {
        self.step.changed.insert(node);
        self.state.nodes.entry(node).or_default()
    }

    fn status_of(&self, node: NodeId) -> Option<ActionStatus> {
        self.state.nodes.get(&node).map(|node| node.status)
    }

    /// The state of `node`, if `attempt` is its current attempt.
    fn status_of_attempt(&self, node: NodeId, attempt: u32) -> Option<ActionStatus> {
        let node = self.state.nodes.get(&node)?;
        (node.attempt == attempt).then_some(node.status)
    }

    /// Work may end while the job is running, or suspended, where it is parked.
    fn may_end(&self) -> bool {
        matches!(self.state.status, JobStatus::Running | JobStatus::Suspended)
    }

    fn is_running_job(&self) -> bool {
        self.state.status == JobStatus::Running
    }

    fn has_work(&self) -> bool {
        self.state.nodes.iter().any(|(&node, node_state)| {
            // A join waits for strands; it does not advance any.
            !node_state.status.is_terminal() && self.definition.shape(node) != Shape::Join
        })
    }
}
