//! One step: applies the event, and then everything that follows from the time and the new state, up to a fixed point.

use std::{collections::BTreeSet, sync::Arc};

use chrono::{DateTime, Utc};

use crate::coordinator::{
    AggregationProgress, CoordinatorActionStatus, CoordinatorStatus, Execution, NominalAction,
    aggregated,
    machine::{
        ActionFault, ActionRecord, ActionStatusChange, CommandRefusal, CoordinatorEffect,
        CoordinatorEvent, CoordinatorState, CoordinatorStep, Inputs, MOST_MADE_AT_ONCE, Revisions,
        state::{Live, Timer},
    },
    policy,
};

/// Applies `event` to `state` at the time `now`.
///
/// An event that has no meaning in the current state is ignored: the status of a workflow that is no longer waited for, or the
/// answer to a request made before a command. `now` may go back; nothing is undone then.
pub fn step(
    revisions: &Revisions,
    state: &mut CoordinatorState,
    now: DateTime<Utc>,
    event: CoordinatorEvent,
) -> CoordinatorStep {
    let before = state.job.clone();
    let mut machine = Machine {
        revisions,
        state,
        now,
        step: CoordinatorStep::default(),
        changed: BTreeSet::new(),
    };
    // A failed submission is reported within a transaction, which must not grow further.
    let advances = !matches!(event, CoordinatorEvent::NotMade { .. });
    match machine.take(event) {
        Ok(()) => {
            if advances {
                machine.advance();
            } else {
                machine.state.has_more = true;
            }
            machine.aggregate();
        }
        Err(refusal) => machine.step.refusal = Some(refusal),
    }
    machine.finish();
    let mut step = machine.step;
    step.job_changed = state.job != before;
    if step.job_changed && state.job.status.is_terminal() && !before.status.is_terminal() {
        step.effects
            .push(CoordinatorEffect::Finished(state.job.status));
    }
    step
}

pub(super) struct Machine<'a> {
    pub(super) revisions: &'a Revisions,
    pub(super) state: &'a mut CoordinatorState,
    pub(super) now: DateTime<Utc>,
    pub(super) step: CoordinatorStep,
    /// The actions whose records have changed.
    pub(super) changed: BTreeSet<u64>,
}

impl Machine<'_> {
    fn take(&mut self, event: CoordinatorEvent) -> Result<(), CommandRefusal> {
        match event {
            CoordinatorEvent::Tick => {}
            CoordinatorEvent::Looked(answers) => self.looked(answers),
            CoordinatorEvent::Searched {
                number,
                found,
                error,
            } => self.searched(number, found, error),
            CoordinatorEvent::Arrived => self.arrived(),
            CoordinatorEvent::NotMade { number, error } => self.not_made(number, error),
            CoordinatorEvent::Workflow { number, status } => self.workflow(number, status),
            CoordinatorEvent::RunsAgain(record) => self.runs_again(record),
            CoordinatorEvent::Suspend => return self.suspend(),
            CoordinatorEvent::Resume => return self.resume(),
            CoordinatorEvent::Kill => return self.kill(),
            CoordinatorEvent::KillActions(numbers) => return self.kill_actions(&numbers),
            CoordinatorEvent::IgnoreActions(records) => return self.ignore_actions(records),
            CoordinatorEvent::Change(change) => return self.change(&change),
            CoordinatorEvent::Update => self.update(),
            CoordinatorEvent::ReviseSlas => self.state.job.revision += 1,
            CoordinatorEvent::Rerun { actions, how } => return self.rerun(actions, how),
        }
        Ok(())
    }

    /// Does what is due, until a fixed point is reached.
    fn advance(&mut self) {
        self.begin();
        self.fire_timers();
        let mut n_made = 0;
        self.state.has_more = false;
        loop {
            let n_before = n_made;
            self.make(&mut n_made);
            self.start_ready();
            if n_made == n_before {
                break;
            }
            if n_made >= MOST_MADE_AT_ONCE {
                self.state.has_more = true;
                break;
            }
        }
        self.pause();
        if self.state.is_active() {
            let due = self.state.looks.take_due(self.now);
            let looks = due.into_iter().map(|uri| CoordinatorEffect::Look { uri });
            self.step.effects.extend(looks);
        }
    }

    /// Sets a coordinator to RUNNING at its start time, even if it has nothing to materialize yet.
    fn begin(&mut self) {
        let job = &self.state.job;
        let start = self.revisions.current().schedule.start;
        let is_paused = job.pause_time.is_some_and(|pause| pause <= start);
        let has_come = start <= self.now + self.state.settings.look_ahead;
        if job.status == CoordinatorStatus::Prep && has_come && !is_paused {
            self.state.job.status = CoordinatorStatus::Running;
        }
    }

    fn fire_timers(&mut self) {
        if !self.state.is_active() {
            return;
        }
        while let Some(&(time, number, timer)) = self.state.timers.first()
            && time <= self.now
        {
            self.state.remove_timer(number, time, timer);
            match timer {
                Timer::Begin => self.look_for_data(number),
                Timer::Skip => self.end_action(number, CoordinatorActionStatus::Skipped),
                Timer::TimeOut => self.may_time_out(number),
                Timer::Consider | Timer::Search => self.consider(number),
            }
        }
    }

    /// Materializes the actions that are due, up to the throttle.
    fn make(&mut self, n_made: &mut usize) {
        use CoordinatorStatus::{Paused, PausedWithError, Running, RunningWithError};
        // Actions before the pause time are materialized in a paused coordinator too.
        let makes = [Running, RunningWithError, Paused, PausedWithError];
        if self.state.job.is_done || !makes.contains(&self.state.job.status) {
            return;
        }
        let revisions = self.revisions;
        let coordinator = revisions.current();
        while let Some(action) = self.state.job.next() {
            let is_due = action.time <= self.now + self.state.settings.look_ahead;
            let has_room = policy::free_to_make(&coordinator.controls, &self.state.counts) > 0;
            let may_make = self.state.job.may_make(action.time);
            if !is_due || !has_room || !may_make || *n_made >= MOST_MADE_AT_ONCE {
                break;
            }
            *n_made += 1;
            self.state.job.last_number = action.number;
            self.state.job.next_time = coordinator.schedule.following(action);
            self.make_action(action);
        }
        let job = &mut self.state.job;
        job.is_done = job.next_time.is_none_or(|time| time >= job.end);
    }

    fn make_action(&mut self, action: NominalAction) {
        let revisions = self.revisions;
        let coordinator = revisions.current();
        let number = action.number;
        let record = ActionRecord {
            number,
            nominal: action.time,
            created: self.now,
            since: action.time.max(self.now),
            status: CoordinatorActionStatus::Waiting,
            revision: self.state.job.revision,
            run: 0,
            timeout: coordinator.controls.timeout,
            inputs: Inputs::default(),
            command: None,
            keeps_workflow: false,
            error: None,
        };
        self.changed.insert(number);
        self.state.counts.add(record.status, 1);
        self.step.transitions.push(ActionStatusChange {
            number,
            nominal: record.nominal,
            from: None,
            to: record.status,
        });
        self.state.insert(revisions, record);
        self.catch_up(number);
    }

    /// Fires the due timers of one action, so that actions materialized late do not wait for one another.
    pub(super) fn catch_up(&mut self, number: u64) {
        let Some(live) = self.state.actions.get(&number) else {
            return;
        };
        if !self.state.is_active() {
            return;
        }
        let is_due = |timer: Timer| {
            let mut timers = live.timers.iter();
            timers.any(|(time, other)| *other == timer && *time <= self.now)
        };
        let (skips, begins) = (is_due(Timer::Skip), is_due(Timer::Begin));
        if skips {
            self.end_action(number, CoordinatorActionStatus::Skipped);
        } else if begins {
            let nominal = live.record.nominal;
            self.state.remove_timer(number, nominal, Timer::Begin);
            self.look_for_data(number);
        }
    }

    /// Starts ready actions up to the concurrency.
    fn start_ready(&mut self) {
        if !self.state.is_active() {
            return;
        }
        let execution = self.revisions.current().controls.execution;
        loop {
            let counts = &self.state.counts;
            let n_running = counts.of(CoordinatorActionStatus::Submitted)
                + counts.of(CoordinatorActionStatus::Running)
                + self.state.n_stopping;
            let concurrency = self.state.job.concurrency;
            if concurrency.is_some_and(|most| n_running >= u64::from(most)) {
                return;
            }
            let number = match execution {
                Execution::Fifo => self.state.ready.first(),
                Execution::Lifo | Execution::LastOnly | Execution::None => self.state.ready.last(),
            };
            let Some(&number) = number else {
                return;
            };
            self.set_status(number, CoordinatorActionStatus::Submitted);
            self.state.clear_timers(number);
            let keeps_workflow = self
                .state
                .action(number)
                .is_some_and(|record| record.keeps_workflow);
            self.step.effects.push(CoordinatorEffect::Submit {
                number,
                keeps_workflow,
            });
            self.step.effects.push(CoordinatorEffect::Start { number });
        }
    }

    /// Pauses and unpauses according to the pause time.
    fn pause(&mut self) {
        let pause = self.state.job.pause_time;
        let is_paused = pause.is_some_and(|pause| pause <= self.now);
        let status = self.state.job.status.at_pause_time(is_paused);
        if status != self.state.job.status {
            self.state.job.status = status;
            if status == CoordinatorStatus::Prep {
                self.advance();
            }
        }
    }

    /// Aggregates the state of the coordinator from those of its actions.
    fn aggregate(&mut self) {
        let counts = &self.state.counts;
        let n_submitted = counts.of(CoordinatorActionStatus::Submitted);
        let progress = AggregationProgress {
            is_done: self.state.job.is_done,
            is_pending: self.state.n_commands > 0 || n_submitted > 0,
        };
        self.state.job.status = aggregated(self.state.job.status, counts, progress);
    }

    /// Returns the changed rows, and drops the actions that have ended from memory.
    fn finish(&mut self) {
        for number in std::mem::take(&mut self.changed) {
            let Some(live) = self.state.actions.get(&number) else {
                continue;
            };
            if live.record.is_at_rest() {
                let Live { record, .. } = match self.state.actions.remove(&number) {
                    Some(live) => live,
                    None => continue,
                };
                self.step.actions.insert(number, record);
            } else {
                self.step.actions.insert(number, live.record.clone());
            }
        }
    }

    /// The record of an action that is in memory, for modification.
    pub(super) fn record(&mut self, number: u64) -> Option<&mut ActionRecord> {
        let live = self.state.actions.get_mut(&number)?;
        self.changed.insert(number);
        Some(&mut live.record)
    }

    pub(super) fn status_of(&self, number: u64) -> Option<CoordinatorActionStatus> {
        self.state.action(number).map(|record| record.status)
    }

    /// Changes the status of an action and the counters derived from it.
    pub(super) fn set_status(&mut self, number: u64, to: CoordinatorActionStatus) {
        let Some(record) = self.record(number) else {
            return;
        };
        let from = std::mem::replace(&mut record.status, to);
        let nominal = record.nominal;
        if from == to {
            return;
        }
        self.state.counts.remove(from);
        self.state.counts.add(to, 1);
        self.state.ready.remove(&number);
        if to == CoordinatorActionStatus::Ready {
            self.state.ready.insert(number);
        }
        self.step.transitions.push(ActionStatusChange {
            number,
            nominal,
            from: Some(from),
            to,
        });
    }

    /// Ends an action, started or not; it waits for nothing any more.
    pub(super) fn end_action(&mut self, number: u64, status: CoordinatorActionStatus) {
        self.stop_looking(number);
        self.state.clear_timers(number);
        self.set_status(number, status);
    }

    /// Marks an action FAILED before it had a workflow.
    pub(super) fn fail_action(&mut self, number: u64, code: &str, message: String) {
        if let Some(record) = self.record(number) {
            record.error = Some(ActionFault {
                code: code.to_owned(),
                message,
            });
        }
        self.end_action(number, CoordinatorActionStatus::Failed);
    }

    /// The definition that an action was materialized with.
    pub(super) fn coordinator_of(&self, number: u64) -> Arc<crate::coordinator::Coordinator> {
        Arc::clone(self.state.coordinator_of(self.revisions, number))
    }
}
