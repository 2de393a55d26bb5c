//! A coordinator's state in memory: its live actions, what they wait for, and the timers.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use chrono::{DateTime, Utc};

use crate::coordinator::{
    ActionCounts, Coordinator, CoordinatorActionStatus, CoordinatorStatus, EffectiveControls,
    machine::{
        ActionRecord, Command, CoordinatorEffect, JobRecord, Revisions, SchedulerSettings,
        input_checks::InputChecks, waiting::Waiting,
    },
    policy,
};

/// The state of one coordinator job.
#[derive(Clone, Debug)]
pub struct CoordinatorState {
    pub(super) job: JobRecord,
    /// Those that have not ended, and those whose workflow has not confirmed a command.
    pub(super) actions: BTreeMap<u64, Live>,
    /// The counts of all actions.
    pub(super) counts: ActionCounts,
    pub(super) ready: BTreeSet<u64>,
    pub(super) timers: BTreeSet<(DateTime<Utc>, u64, Timer)>,
    pub(super) looks: InputChecks,
    /// How many commands to workflows are not confirmed.
    pub(super) n_commands: usize,
    /// How many workflows that are being stopped may still be running: they count towards the concurrency until they have
    /// stopped.
    pub(super) n_stopping: u64,
    /// A step stopped before it had materialized all due actions.
    pub(super) has_more: bool,
    pub(super) settings: SchedulerSettings,
}

/// An action in memory.
#[derive(Clone, Debug)]
pub(super) struct Live {
    pub(super) record: ActionRecord,
    pub(super) timers: Vec<(DateTime<Utc>, Timer)>,
    /// For an action that waits for its data.
    pub(super) waiting: Option<Box<Waiting>>,
}

/// What a timer of an action does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Timer {
    /// Its nominal time has come.
    Begin,
    /// It is too late to start.
    Skip,
    /// It has waited for too long.
    TimeOut,
    /// A `wait` of the input logic has passed.
    Consider,
    /// `latest` and `future` are searched again.
    Search,
}

impl CoordinatorState {
    /// A newly submitted coordinator.
    pub fn new(coordinator: &Coordinator, settings: SchedulerSettings) -> CoordinatorState {
        CoordinatorState::empty(
            JobRecord::new(coordinator),
            ActionCounts::default(),
            settings,
        )
    }

    /// Restores the state of a coordinator from its rows. `living` are its actions for which [`ActionRecord::is_at_rest`] does
    /// not hold; `counts` count all.
    pub fn rebuild(
        revisions: &Revisions,
        settings: SchedulerSettings,
        job: JobRecord,
        living: Vec<ActionRecord>,
        counts: ActionCounts,
    ) -> CoordinatorState {
        let mut state = CoordinatorState::empty(job, counts, settings);
        for record in living {
            state.insert(revisions, record);
        }
        state
    }

    fn empty(
        job: JobRecord,
        counts: ActionCounts,
        settings: SchedulerSettings,
    ) -> CoordinatorState {
        CoordinatorState {
            job,
            actions: BTreeMap::new(),
            counts,
            ready: BTreeSet::new(),
            timers: BTreeSet::new(),
            looks: InputChecks::default(),
            n_commands: 0,
            n_stopping: 0,
            has_more: false,
            settings,
        }
    }

    /// Adds a live action. It is not counted.
    pub(super) fn insert(&mut self, revisions: &Revisions, record: ActionRecord) {
        let number = record.number;
        self.count_command(record.command, true);
        let status = record.status;
        self.actions.insert(
            number,
            Live {
                record,
                timers: Vec::new(),
                waiting: None,
            },
        );
        match status {
            CoordinatorActionStatus::Waiting | CoordinatorActionStatus::Ready => {
                if status == CoordinatorActionStatus::Ready {
                    self.ready.insert(number);
                }
                self.set_timers(revisions, number);
            }
            CoordinatorActionStatus::Submitted
            | CoordinatorActionStatus::Running
            | CoordinatorActionStatus::Suspended
            | CoordinatorActionStatus::TimedOut
            | CoordinatorActionStatus::Succeeded
            | CoordinatorActionStatus::Killed
            | CoordinatorActionStatus::Failed
            | CoordinatorActionStatus::Ignored
            | CoordinatorActionStatus::Skipped => {}
        }
    }

    pub(super) fn count_command(&mut self, command: Option<Command>, is_new: bool) {
        let (n_commands, n_stopping) = match command {
            None => (0, 0),
            Some(Command::Resume) => (1, 0),
            Some(Command::Suspend | Command::Kill) => (1, 1),
        };
        if is_new {
            self.n_commands += n_commands;
            self.n_stopping += n_stopping;
        } else {
            self.n_commands -= n_commands;
            self.n_stopping -= n_stopping;
        }
    }

    /// Sets the timers of an action that waits or is ready: when it starts to check its data, and when it is too late.
    pub(super) fn set_timers(&mut self, revisions: &Revisions, number: u64) {
        self.clear_timers(number);
        let Some(live) = self.actions.get(&number) else {
            return;
        };
        if live.record.status == CoordinatorActionStatus::Waiting {
            let nominal = live.record.nominal;
            self.add_timer(number, nominal, Timer::Begin);
        }
        self.set_skip_timer(revisions, number);
    }

    /// Sets the time after which an action that waits or is ready is too late. A rerun never is.
    pub(super) fn set_skip_timer(&mut self, revisions: &Revisions, number: u64) {
        self.remove_timers(number, Timer::Skip);
        let Some(live) = self
            .actions
            .get(&number)
            .filter(|live| live.record.run == 0)
        else {
            return;
        };
        let coordinator = revisions.current();
        let skip = policy::skipped_after(
            &coordinator.controls,
            &coordinator.schedule,
            self.job.end,
            live.record.action(),
            self.settings.tolerance,
        );
        if let Some(time) = skip {
            // Only after that time, not exactly at it.
            let time = time + chrono::Duration::milliseconds(1);
            self.add_timer(number, time, Timer::Skip);
        }
    }

    pub(super) fn add_timer(&mut self, number: u64, time: DateTime<Utc>, timer: Timer) {
        if let Some(live) = self.actions.get_mut(&number) {
            live.timers.push((time, timer));
            self.timers.insert((time, number, timer));
        }
    }

    pub(super) fn remove_timer(&mut self, number: u64, time: DateTime<Utc>, timer: Timer) {
        if let Some(live) = self.actions.get_mut(&number) {
            live.timers.retain(|other| *other != (time, timer));
        }
        self.timers.remove(&(time, number, timer));
    }

    pub(super) fn remove_timers(&mut self, number: u64, timer: Timer) {
        if let Some(live) = self.actions.get_mut(&number) {
            for (time, _) in live.timers.extract_if(.., |(_, other)| *other == timer) {
                self.timers.remove(&(time, number, timer));
            }
        }
    }

    pub(super) fn clear_timers(&mut self, number: u64) {
        if let Some(live) = self.actions.get_mut(&number) {
            for (time, timer) in live.timers.drain(..) {
                self.timers.remove(&(time, number, timer));
            }
        }
    }

    pub fn job(&self) -> &JobRecord {
        &self.job
    }

    /// The actions that are not over, and those whose workflow is being killed, in order.
    pub fn actions(&self) -> impl Iterator<Item = &ActionRecord> {
        self.actions.values().map(|live| &live.record)
    }

    pub fn action(&self, number: u64) -> Option<&ActionRecord> {
        self.actions.get(&number).map(|live| &live.record)
    }

    /// The dataset and the time of the instance that an action waits for at `uri`.
    pub fn wanted(&self, revisions: &Revisions, uri: &Arc<str>) -> Option<(String, DateTime<Utc>)> {
        let (number, n) = self.looks.waiters(uri).first().copied()?;
        let live = self.actions.get(&number)?;
        let fixed = live.waiting.as_ref()?.fixed.get(n as usize)?;
        let coordinator = revisions.of(live.record.revision);
        let event = coordinator.inputs.get(fixed.input)?;
        Some((event.dataset.name.clone(), fixed.instance))
    }

    /// How many actions there are in each state, including those that have ended.
    pub fn counts(&self) -> &ActionCounts {
        &self.counts
    }

    /// When [`Event::Tick`](super::Event::Tick) is due; a time in the past means immediately. `None` if time alone changes
    /// nothing.
    pub fn wake(&self, revisions: &Revisions) -> Option<DateTime<Utc>> {
        let mut times = Vec::new();
        if self.is_active() {
            times.extend(self.has_more.then_some(DateTime::UNIX_EPOCH));
            times.extend(self.timers.first().map(|(time, ..)| *time));
            times.extend(self.looks.next_due());
        }
        let coordinator = revisions.current();
        match self.job.status {
            CoordinatorStatus::Prep => {
                let start = coordinator.schedule.start;
                let pause_time = self.job.pause_time;
                if pause_time.is_none_or(|pause| start < pause) {
                    times.push(start - self.settings.look_ahead);
                }
                times.extend(pause_time);
            }
            CoordinatorStatus::PrepPaused => {
                if self.job.pause_time.is_none() {
                    times.push(DateTime::UNIX_EPOCH);
                }
            }
            CoordinatorStatus::Running | CoordinatorStatus::RunningWithError => {
                times.extend(self.job.pause_time);
                times.extend(self.next_to_make(&coordinator.controls));
            }
            CoordinatorStatus::Paused | CoordinatorStatus::PausedWithError => {
                times.extend(self.next_to_make(&coordinator.controls));
            }
            CoordinatorStatus::PrepSuspended
            | CoordinatorStatus::Suspended
            | CoordinatorStatus::SuspendedWithError
            | CoordinatorStatus::Succeeded
            | CoordinatorStatus::DoneWithError
            | CoordinatorStatus::Killed
            | CoordinatorStatus::Failed
            | CoordinatorStatus::Ignored => {}
        }
        times.into_iter().min()
    }

    /// The effects that a coordinator with this recorded state still has to perform: starts and commands without a confirmation.
    /// Input checks follow with the next [`Event::Tick`](super::Event::Tick).
    pub fn outstanding(&self) -> Vec<CoordinatorEffect> {
        let mut effects = Vec::new();
        for record in self.actions() {
            let number = record.number;
            if record.status == CoordinatorActionStatus::Submitted && self.is_active() {
                effects.push(CoordinatorEffect::Start { number });
            }
            if let Some(command) = record.command {
                effects.push(CoordinatorEffect::Command { number, command });
            }
        }
        effects
    }

    /// Actions look for their data and may start: the coordinator is running, or paused, which only stops materialization.
    pub(super) fn is_active(&self) -> bool {
        matches!(
            self.job.status,
            CoordinatorStatus::Running
                | CoordinatorStatus::RunningWithError
                | CoordinatorStatus::Paused
                | CoordinatorStatus::PausedWithError
        )
    }

    pub(super) fn is_suspended(&self) -> bool {
        matches!(
            self.job.status,
            CoordinatorStatus::Suspended | CoordinatorStatus::SuspendedWithError
        )
    }

    /// When the next action may be materialized, if there may be one more.
    fn next_to_make(&self, controls: &EffectiveControls) -> Option<DateTime<Utc>> {
        if self.job.is_done || policy::free_to_make(controls, &self.counts) == 0 {
            return None;
        }
        let time = self.job.next_time?;
        self.job
            .may_make(time)
            .then_some(time - self.settings.look_ahead)
    }

    /// The definition that an action was materialized with.
    pub(super) fn coordinator_of<'r>(
        &self,
        revisions: &'r Revisions,
        number: u64,
    ) -> &'r Arc<Coordinator> {
        let revision = self.action(number).map_or(0, |record| record.revision);
        revisions.of(revision)
    }
}
