//! Drives one coordinator: the machine's events become rows and effects, and its workflows run in this process.
//!
//! One task owns everything, as the engine does for a workflow's job. What an event changes is written in one transaction, with
//! the workflow jobs that are made in it; only then are they started, and data looked for. Each workflow job is a job of its own,
//! with its own lock and owner: this process, where nobody else is.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    fs::File,
    rc::Rc,
    sync::Arc,
    time::{Duration, Instant},
};

use chrono::DateTime;
use hpdlc_core::{
    coordinator::{
        CoordinatorActionStatus, CoordinatorStatus,
        machine::{self, ActionRecord, CoordinatorState, Effect, Event, Revisions, Step},
    },
    status::JobStatus,
};
use hpdlc_engine::{
    engine::{Asked, Ended, Signals},
    notify::NotificationSender,
    owner::{Ownership, Session},
    progress::{Journal, Shared},
    sla::ActionSlas,
};
use hpdlc_host::{bell::Bell, clock, drain::Drain, exit::RunError, mask::Mask};
use hpdlc_store::{
    JobRow, NewRun, SlaRow,
    commands::Handled,
    coordinators::{CoordinatorRow, Moved, RevisionRow},
    notifications::NewNotice,
    writer::Writer,
};
use tokio::sync::{mpsc, watch};

use crate::coordinator::{
    clock::Clock, data::Data, incoming::Incoming, limits, submission::Revision,
};

mod commands;
mod drain;
mod load;
mod record;
mod slas;
mod workflows;

pub use self::record::common_status;
use self::workflows::Workflow;

/// How often the store is asked for commands, and for workflows that others drive.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);

struct Driver {
    session: Session,
    writer: Writer,
    /// What makes this process the owner.
    _lock: Arc<File>,
    row: JobRow,
    coordinator: CoordinatorRow,
    /// What actions are made with, by number.
    revisions: BTreeMap<u32, Rc<Revision>>,
    /// The same, for the machine.
    definitions: Revisions,
    state: CoordinatorState,
    clock: Clock,
    data: Data,
    journal: Journal,
    outbox: mpsc::UnboundedSender<Incoming>,
    slas: ActionSlas,
    /// Of living actions.
    workflows: BTreeMap<u64, Workflow>,
    /// Workflow jobs that were made with the present transaction: ours before anybody else can see them.
    fresh: BTreeMap<u64, Ownership>,
    /// SQLite's number of changes that others have made, when workflows elsewhere were looked at.
    seen_version: i64,
    // What the next transaction writes.
    dirty_job: bool,
    dirty_actions: BTreeMap<u64, ActionRecord>,
    deleted: BTreeSet<u64>,
    new_jobs: Vec<JobRow>,
    /// Service levels of those, and of their nodes.
    new_slas: Vec<SlaRow>,
    new_runs: Vec<NewRun>,
    unprepared: Vec<String>,
    added: Vec<RevisionRow>,
    moved: Option<Moved>,
    notices: Vec<NewNotice>,
    handled: Vec<Handled>,
    /// Effects that must not be performed before what led to them is on disk.
    after: VecDeque<Effect>,
    failure: Option<RunError>,
    /// Sends notifications; there once there is one.
    sender: Option<NotificationSender>,
    /// The job belongs to another definition by now: its own executable drives it on.
    has_moved: bool,
    /// Has the workflows that run here drain.
    drain: watch::Sender<Option<Drain>>,
    /// A command that waits until what it is about has come to rest, and since when.
    postponed: Option<(i64, Instant)>,
    /// The state that the bundle above was told.
    told: CoordinatorStatus,
}

/// Drives the coordinator `root` until it has ended, or nothing can be done before a person acts. Must run inside a
/// [`tokio::task::LocalSet`].
///
/// # Errors
///
/// Exit 5 where the machine fails us (the job is recoverable then), or where a signal asked to hand over.
pub async fn drive(
    session: Session,
    ownership: Ownership,
    progress: Shared,
    mut signals: Signals,
) -> Result<Ended, RunError> {
    // Before the store is asked for commands: what comes later rings.
    let bell = Bell::listen(&session.home, ownership.root());
    let (outbox, mut inbox) = mpsc::unbounded_channel();
    let mut driver = Driver::load(session, ownership, progress, outbox)?;
    driver.take_up();
    driver.take_commands()?;
    let mut look = tokio::time::interval(LOOK_INTERVAL);
    look.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        driver.tick();
        driver.advance()?;
        if driver.is_over() {
            return Ok(driver.ended());
        }
        let wake = driver.until_wake();
        tokio::select! {
            biased;
            signal = signals.next() => match driver.drain_asked(&signal) {
                Some(drain) => return Err(driver.drain(drain, inbox).await),
                None => driver.take_signal(signal)?,
            },
            () = bell.rung() => driver.take_commands()?,
            Some(incoming) = inbox.recv() => {
                driver.take(incoming)?;
                while let Ok(incoming) = inbox.try_recv() {
                    driver.take(incoming)?;
                }
            }
            uris = driver.data.arrived() => driver.data.look(uris),
            () = tokio::time::sleep(wake) => {}
            _ = look.tick() => {
                driver.take_commands()?;
                driver.look_elsewhere()?;
            }
        }
    }
}

impl Driver {
    fn id(&self) -> &str {
        &self.row.id
    }

    /// Somebody has started it; one that was only submitted waits.
    fn is_started(&self) -> bool {
        self.row.started.is_some() || self.row.status != JobStatus::Prep
    }

    /// What nobody is shown: secrets of all revisions that actions live by.
    fn mask(&self) -> Mask {
        Mask::of_all(self.revisions.values().map(|revision| &revision.conf))
    }

    fn begin(&mut self) {
        if self.row.started.is_none() {
            self.row.started = Some(clock::now_millis());
            self.dirty_job = true;
            for words in limits::capped(&self.definitions.current().limits) {
                self.journal.warn(None, words);
            }
        }
    }

    /// Takes up what the store says is outstanding.
    fn take_up(&mut self) {
        if self.is_started() {
            if self.row.started.is_some() {
                // What an earlier owner has left to be told.
                self.send_notices();
            }
            self.begin();
            self.after.extend(self.state.outstanding());
            // What became of workflows that run or were suspended meanwhile.
            let numbers: Vec<u64> = self
                .state
                .actions()
                .filter(|action| {
                    matches!(
                        action.status,
                        CoordinatorActionStatus::Running | CoordinatorActionStatus::Suspended
                    )
                })
                .map(|action| action.number)
                .collect();
            for number in numbers {
                self.attach(number);
            }
            self.apply(Event::Tick);
        }
    }

    /// Lets time pass where something is due.
    fn tick(&mut self) {
        if !self.is_started() {
            return;
        }
        self.look_at_slas();
        let due = self.state.wake(&self.definitions);
        if due.is_some_and(|due| due <= self.clock.now()) {
            self.apply(Event::Tick);
        }
    }

    fn until_wake(&self) -> Duration {
        if !self.is_started() {
            return LOOK_INTERVAL * 60;
        }
        let wake = self.state.wake(&self.definitions);
        let sla = self.slas.next_look();
        let sla = sla.and_then(DateTime::from_timestamp_millis);
        let due = wake.into_iter().chain(sla).min();
        due.map_or(LOOK_INTERVAL * 60, |due| self.clock.until(due))
    }

    /// Lets an event happen, in memory. What it was refused for, if it was.
    fn apply(&mut self, event: Event) -> Option<machine::Refusal> {
        let before = self.state.job().status;
        let now = self.clock.now();
        let step = machine::step(&self.definitions, &mut self.state, now, event);
        self.absorb(step, before)
    }

    fn absorb(&mut self, step: Step, before: CoordinatorStatus) -> Option<machine::Refusal> {
        let Step {
            job_changed,
            actions,
            deleted,
            transitions,
            effects,
            refusal,
            passed_over: _,
        } = step;
        if refusal.is_some() {
            return refusal;
        }
        self.dirty_job |= job_changed;
        for (number, record) in actions {
            self.deleted.remove(&number);
            self.dirty_actions.insert(number, record);
        }
        for number in deleted {
            self.dirty_actions.remove(&number);
            self.workflows.remove(&number);
            self.slas.forget(number);
            self.deleted.insert(number);
        }
        let status = self.state.job().status;
        if status != before && !status.is_terminal() {
            self.tell_job(status);
        }
        let mut unmade = Vec::new();
        for transition in transitions {
            self.tell_action(&transition);
            if let Err(error) = self.tell_sla(&transition) {
                unmade.push((transition.number, error));
            }
        }
        for (number, error) in unmade {
            self.apply(Event::NotMade { number, error });
        }
        if status != before && status.is_terminal() {
            self.tell_job(status);
        }
        for effect in effects {
            match effect {
                Effect::Submit {
                    number,
                    keeps_workflow,
                } => self.submit(number, keeps_workflow),
                effect @ (Effect::Start { .. }
                | Effect::Command { .. }
                | Effect::Look { .. }
                | Effect::Search { .. }
                | Effect::Forget { .. }
                | Effect::Finished(_)) => self.after.push_back(effect),
            }
        }
        None
    }

    /// Puts what has changed on disk, and performs what follows, until nothing does.
    fn advance(&mut self) -> Result<(), RunError> {
        loop {
            if let Some(failure) = self.failure.take() {
                return Err(self.recoverable(failure));
            }
            self.commit()?;
            self.journal.tell();
            if self.after.is_empty() {
                if self.is_clean() {
                    return Ok(());
                }
                continue;
            }
            let mut looks = Vec::new();
            for effect in std::mem::take(&mut self.after) {
                match effect {
                    Effect::Start { number } => self.start(number),
                    Effect::Command { number, command } => self.command(number, command),
                    Effect::Look { uri } => looks.push(uri),
                    Effect::Search { number, inputs } => {
                        if let Some(record) = self.state.action(number) {
                            let coordinator = Arc::clone(self.definitions.of(record.revision));
                            self.data.search(coordinator, record.clone(), inputs);
                        }
                    }
                    Effect::Forget { uri } => self.data.forget(&uri),
                    Effect::Submit { .. } | Effect::Finished(_) => {}
                }
            }
            if !looks.is_empty() {
                self.data.look(looks);
            }
        }
    }

    fn take(&mut self, incoming: Incoming) -> Result<(), RunError> {
        match incoming {
            Incoming::Looked(answers) => {
                self.data.answered(&answers);
                self.apply(Event::Looked(answers));
            }
            Incoming::Event(event) => {
                self.apply(*event);
            }
            Incoming::Driven(number, result) => self.driven(number, *result)?,
        }
        Ok(())
    }

    fn take_signal(&mut self, asked: Asked) -> Result<(), RunError> {
        match asked {
            Asked::Kill => {
                let words = "killing the coordinator and its workflows".to_owned();
                self.journal.note(None, "KILL", Some(words));
                self.apply(Event::Kill);
                Ok(())
            }
            Asked::Drain(Drain { signal: name, .. }) | Asked::HandOver(name) => {
                self.commit()?;
                self.journal.tell();
                Err(self.recoverable(RunError::machine(format!(
                    "{name}: stopped managing coordinator {}; its running actions continue",
                    self.id()
                ))))
            }
        }
    }

    /// Nothing is left to do, or nothing can be done before a person acts.
    fn is_over(&self) -> bool {
        if self.has_moved {
            return true;
        }
        if self.postponed.is_some() {
            return false;
        }
        let runs_here = self.workflows.values().any(Workflow::is_here);
        let has_work = self.state.actions().next().is_some();
        match self.state.job().status {
            CoordinatorStatus::Prep | CoordinatorStatus::PrepPaused => !self.is_started(),
            CoordinatorStatus::Running | CoordinatorStatus::RunningWithError => false,
            CoordinatorStatus::Paused | CoordinatorStatus::PausedWithError => !has_work,
            CoordinatorStatus::PrepSuspended
            | CoordinatorStatus::Suspended
            | CoordinatorStatus::SuspendedWithError => {
                !runs_here && self.state.outstanding().is_empty()
            }
            CoordinatorStatus::Succeeded
            | CoordinatorStatus::DoneWithError
            | CoordinatorStatus::Killed
            | CoordinatorStatus::Failed
            | CoordinatorStatus::Ignored => !runs_here && !has_work,
        }
    }

    fn ended(mut self) -> Ended {
        if let Some(sender) = self.sender.take() {
            sender.finish();
        }
        let waits = self.row.status == JobStatus::Suspended;
        Ended {
            suspended: waits.then(|| self.row.clone()),
            job: self.row,
        }
    }

    fn recoverable(&self, error: RunError) -> RunError {
        error.and_recover(self.id())
    }
}
