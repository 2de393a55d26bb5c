//! Drives one bundle: its coordinators are made in the transactions of its own steps, and run in the same process.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    fs::File,
    sync::Arc,
    time::Duration,
};

use hpdlc_core::{
    bundle::{self as machine, BundleState, Event},
    coordinator::{CoordinatorStatus, machine::Refusal},
    status::JobStatus,
};
use hpdlc_engine::{
    engine::{Asked, Ended, Signals},
    notify::{
        NotificationSender,
        failure::{self, Failure},
    },
    owner::{Ownership, Session},
    progress::{Journal, Shared},
};
use hpdlc_host::{
    bell::{self, Bell},
    clock,
    drain::Drain,
    exit::RunError,
    mask::Mask,
    settings::Settings,
};
use hpdlc_store::{
    JobRow, StoreError,
    commands::Handled,
    coordinators::Changes,
    notifications::NewNotice,
    writer::{Batch, Writer},
};
use tokio::sync::{mpsc, watch};

use crate::{
    bundle::{new::Submitted, stored::Stored},
    coordinator::{self, NewCoordinator},
};

mod commands;
mod coordinators;
mod drain;

/// How often the store is asked for commands, and for coordinators that others drive.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// How often the states of coordinators that run here are looked at: they are rows of the same store.
const STATUS_INTERVAL: Duration = Duration::from_millis(100);

/// Coordinators that this process has let go of.
type Driven = (String, Result<Ended, RunError>);

struct Driver {
    session: Session,
    writer: Writer,
    _lock: Arc<File>,
    row: JobRow,
    submitted: Submitted,
    state: BundleState,
    conf: BTreeMap<String, String>,
    journal: Journal,
    outbox: mpsc::UnboundedSender<Driven>,
    /// Coordinators that this process drives, by name.
    here: BTreeSet<String>,
    fresh: BTreeMap<String, Ownership>,
    seen_version: i64,
    is_dirty: bool,
    new_jobs: Vec<(JobRow, NewCoordinator)>,
    asked: Vec<(String, String)>,
    handled: Vec<Handled>,
    notices: Vec<NewNotice>,
    /// Sends notifications; there once there is one.
    sender: Option<NotificationSender>,
    /// Coordinators that are to be driven after the transaction.
    after: VecDeque<String>,
    failure: Option<RunError>,
    /// Has the coordinators that run here drain.
    drain: watch::Sender<Option<Drain>>,
}

/// Drives the bundle until it has ended, or nothing can be done before a person acts. Must run inside a
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
    let mut status = tokio::time::interval(STATUS_INTERVAL);
    status.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
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
            Some((name, result)) = inbox.recv() => driver.driven(&name, result)?,
            () = tokio::time::sleep(wake) => {}
            _ = look.tick() => {
                driver.take_commands()?;
                driver.look(true)?;
            }
            _ = status.tick() => driver.look(false)?,
        }
    }
}

impl Driver {
    fn load(
        session: Session,
        ownership: Ownership,
        progress: Shared,
        outbox: mpsc::UnboundedSender<Driven>,
    ) -> Result<Driver, RunError> {
        let (root, epoch, store, lock) = ownership.into_parts();
        let Stored {
            row,
            submitted,
            conf,
            state,
        } = Stored::load(&session, &store, &root)?;
        let writer = Writer::start(store, root, epoch)
            .map_err(|error| error.describe(&session.home.store()))?;
        Ok(Driver {
            journal: Journal::new(row.id.clone(), progress, Mask::of(&conf)),
            session,
            writer,
            _lock: lock,
            row,
            submitted,
            state,
            conf,
            outbox,
            here: BTreeSet::new(),
            fresh: BTreeMap::new(),
            seen_version: -1,
            is_dirty: false,
            new_jobs: Vec::new(),
            asked: Vec::new(),
            handled: Vec::new(),
            notices: Vec::new(),
            sender: None,
            after: VecDeque::new(),
            failure: None,
            drain: watch::Sender::new(None),
        })
    }

    fn is_started(&self) -> bool {
        self.row.started.is_some() || self.row.status != JobStatus::Prep
    }

    fn begin(&mut self) {
        if self.row.started.is_none() {
            self.row.started = Some(clock::now_millis());
            self.is_dirty = true;
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
            let names = self.submitted.coordinators.iter();
            let there = names.filter(|coordinator| coordinator.job.is_some());
            self.after
                .extend(there.map(|coordinator| coordinator.name.clone()));
            self.apply(Event::Tick);
        }
    }

    fn tick(&mut self) {
        let due = self.state.wake().filter(|_| self.is_started());
        if due.is_some_and(|due| due <= self.submitted.clock.now()) {
            self.apply(Event::Tick);
        }
    }

    fn until_wake(&self) -> Duration {
        let due = self.state.wake().filter(|_| self.is_started());
        due.map_or(LOOK_INTERVAL * 60, |due| self.submitted.clock.until(due))
    }

    fn apply(&mut self, event: Event) -> Option<Refusal> {
        let before = self.state.record.status;
        let now = self.submitted.clock.now();
        let step = machine::step(&mut self.state, now, event);
        if step.refusal.is_some() {
            return step.refusal;
        }
        self.is_dirty |= step.changed;
        let status = self.state.record.status;
        if status != before {
            let message = match (status, &self.state.record.error) {
                (CoordinatorStatus::Running, _) => Some(self.row.app.clone()),
                (CoordinatorStatus::Failed, Some(error)) => {
                    Some(format!("{}: {}", error.code, error.message))
                }
                (_, _) => None,
            };
            self.journal.state(None, status.name(), message);
            self.tell_failure(status);
        }
        for effect in step.effects {
            self.perform(effect);
        }
        None
    }

    /// Has whoever wants to know told that the bundle has failed.
    fn tell_failure(&mut self, status: CoordinatorStatus) {
        let is_failure = matches!(
            status,
            CoordinatorStatus::Killed
                | CoordinatorStatus::Failed
                | CoordinatorStatus::DoneWithError
        );
        if !is_failure {
            return;
        }
        let error = self.state.record.error.as_ref();
        let failure = Failure {
            job: &self.row,
            action: None,
            status: status.name(),
            node: None,
            error_code: error.map(|error| error.code.as_str()),
            error_message: error.map(|error| error.message.as_str()),
            mask: self.journal.mask(),
        };
        let settings = Settings {
            conf: &self.conf,
            site: &self.session.site,
        };
        self.notices
            .extend(failure::of(failure, settings, clock::now_millis()));
    }

    /// Has sent what is on disk. Where no thread can be had, `recover` sends it.
    fn send_notices(&mut self) {
        if self.sender.is_none() {
            let hash = self.session.program.hash;
            self.sender = NotificationSender::start(&self.session.home, &self.row.id, hash).ok();
        }
        if let Some(sender) = &self.sender {
            sender.look();
        }
    }

    fn advance(&mut self) -> Result<(), RunError> {
        loop {
            if let Some(failure) = self.failure.take() {
                return Err(failure.and_recover(&self.row.id));
            }
            self.commit()?;
            self.journal.tell();
            if self.after.is_empty() {
                return Ok(());
            }
            for name in std::mem::take(&mut self.after) {
                if let Some(job) = self.job_of(&name) {
                    bell::ring(&self.session.home, &job);
                }
                self.attach(&name)?;
            }
        }
    }

    fn commit(&mut self) -> Result<(), RunError> {
        let is_clean = !self.is_dirty && self.journal.is_clean() && self.handled.is_empty();
        if is_clean {
            return Ok(());
        }
        self.is_dirty = false;
        let status = self.state.record.status;
        self.row.status = coordinator::common_status(status, self.row.started.is_some(), true);
        if status.is_terminal() {
            self.row.ended.get_or_insert(clock::now_millis());
        } else {
            self.row.ended = None;
        }
        let bundle = self.submitted.row(&self.row.id, &self.state);
        let mut jobs = vec![self.row.clone()];
        let mut changes = Changes {
            bundles: vec![bundle],
            commands: std::mem::take(&mut self.asked),
            ..Changes::default()
        };
        for (row, new) in std::mem::take(&mut self.new_jobs) {
            let (coordinator, revision) = new.rows(&row);
            changes.coordinators.push(coordinator);
            changes.revisions.push((row.id.clone(), revision));
            jobs.push(row);
        }
        let batch = Batch {
            jobs,
            log: self.journal.take_log(),
            handled: std::mem::take(&mut self.handled),
            notices: std::mem::take(&mut self.notices),
            scheduled: changes,
            ..Batch::default()
        };
        let written = self.writer.commit(&batch);
        written.map_err(|error| self.store_failure(&error))?;
        if !batch.notices.is_empty() {
            self.send_notices();
        }
        Ok(())
    }

    fn store_failure(&self, error: &StoreError) -> RunError {
        error.describe_to_owner(&self.session.home.store(), &self.row.id)
    }

    fn take_signal(&mut self, asked: Asked) -> Result<(), RunError> {
        match asked {
            Asked::Kill => {
                let words = "killing the bundle and its coordinators".to_owned();
                self.journal.note(None, "KILL", Some(words));
                self.apply(Event::Kill);
                Ok(())
            }
            Asked::Drain(Drain { signal: name, .. }) | Asked::HandOver(name) => {
                self.commit()?;
                self.journal.tell();
                let words = format!(
                    "{name}: stopped managing bundle {}; its running actions continue",
                    self.row.id
                );
                Err(RunError::machine(words).and_recover(&self.row.id))
            }
        }
    }

    /// Nothing is left to do, or nothing can be done before a person acts.
    fn is_over(&self) -> bool {
        let status = self.state.record.status;
        let is_waiting = matches!(
            status,
            CoordinatorStatus::Prep | CoordinatorStatus::PrepPaused
        );
        if is_waiting {
            return !self.is_started();
        }
        let runs_on = matches!(
            status,
            CoordinatorStatus::Running | CoordinatorStatus::RunningWithError
        );
        !runs_on && self.here.is_empty()
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
}
