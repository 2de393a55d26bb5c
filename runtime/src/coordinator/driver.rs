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
    time::Duration,
};

use hpdlc_core::{
    coordinator::{
        CoordinatorActionStatus, CoordinatorStatus,
        machine::{
            self, ActionRecord, Answer, CoordinatorState, Effect, Event, Revisions, Settings, Step,
        },
    },
    status::JobStatus,
};
use tokio::sync::mpsc;

use crate::{
    clock,
    coordinator::{clock::Clock, data::Data, submission, submission::Revision, texts::Texts},
    engine::{Asked, Ended, Signals},
    exit::RunError,
    files::AccessSettings,
    notify::{self, Post},
    owner::{Ownership, Session},
    progress::{Progress, ProgressEvent, Shared},
    secrets::Mask,
    store::{
        JobRow, LogRow, NewRun, SlaRow, StoreError,
        commands::Handled,
        coordinators::{
            self as rows, Changes, CoordinatorActionRow, CoordinatorRow, Moved, RevisionRow,
        },
        notices::NewNotice,
        query,
        writer::{Batch, Writer},
    },
    wake::Bell,
};

mod commands;
mod workflows;

use self::workflows::Workflow;

/// How often the store is asked for commands, and for workflows that others drive.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// Something that happened outside.
pub(super) enum Incoming {
    Looked(Vec<(Arc<str>, Answer)>),
    Event(Box<Event>),
    /// The engine has let go of the workflow of an action.
    Driven(u64, Box<Result<Ended, RunError>>),
}

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
    mask: Mask,
    progress: Shared,
    outbox: mpsc::UnboundedSender<Incoming>,
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
    /// Service levels of those.
    new_slas: Vec<SlaRow>,
    new_runs: Vec<NewRun>,
    unprepared: Vec<String>,
    added: Vec<RevisionRow>,
    moved: Option<Moved>,
    log: Vec<LogRow>,
    notices: Vec<NewNotice>,
    handled: Vec<Handled>,
    news: Vec<ProgressEvent>,
    /// Effects that must not be performed before what led to them is on disk.
    after: VecDeque<Effect>,
    failure: Option<RunError>,
    /// Sends notifications; there once there is one.
    post: Option<Post>,
    /// The job belongs to another definition by now: its own executable drives it on.
    has_moved: bool,
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
    let bell = Bell::hang(&session.home, ownership.root());
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
            signal = signals.next() => driver.take_signal(signal)?,
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
    fn load(
        session: Session,
        ownership: Ownership,
        progress: Shared,
        outbox: mpsc::UnboundedSender<Incoming>,
    ) -> Result<Driver, RunError> {
        let (root, epoch, store, lock) = ownership.into_parts();
        let describe = |error| session.describe(error);
        let gone = || RunError::machine(format!("coordinator {root} has gone from the store"));
        let row = query::job(&store, &root)
            .map_err(describe)?
            .ok_or_else(gone)?;
        if row.hash != session.program.hash {
            return Err(RunError::machine(format!(
                "coordinator {root} belongs to another definition than this executable's"
            )));
        }
        let coordinator = rows::coordinator(&store, &root)
            .map_err(describe)?
            .ok_or_else(gone)?;
        let living = rows::living(&store, &root).map_err(describe)?;
        let counts = rows::counts(&store, &root).map_err(describe)?;
        let current = coordinator.record.revision;
        let mut revisions = BTreeMap::new();
        for stored in rows::revisions(&store, &root).map_err(describe)? {
            let number = stored.revision;
            let is_needed =
                number == current || living.iter().any(|action| action.record.revision == number);
            if is_needed {
                revisions.insert(number, Rc::new(of_row(&session, &row, stored)?));
            }
        }
        let own = revisions.get(&current).map(Rc::clone).ok_or_else(gone)?;
        let definitions = definitions(&revisions, current).ok_or_else(gone)?;
        let settings = settings_of(&own.conf, &session);
        let workflows = living
            .iter()
            .filter_map(|action| {
                let id = action.workflow_id.clone()?;
                Some((action.record.number, Workflow::found(id)))
            })
            .collect();
        let living = living.into_iter().map(|action| action.record).collect();
        let state = CoordinatorState::rebuild(
            &definitions,
            settings,
            coordinator.record.clone(),
            living,
            counts,
        );
        let writer = Writer::start(store, root, epoch)
            .map_err(|error| error.describe(&session.home.store()))?;
        let access = AccessSettings::of(&own.conf, &session.site);
        Ok(Driver {
            clock: Clock::stored(coordinator.clock.as_deref()),
            data: Data::new(access, outbox.clone()),
            mask: Mask::of(&own.conf),
            session,
            writer,
            _lock: lock,
            row,
            coordinator,
            revisions,
            definitions,
            state,
            progress,
            outbox,
            workflows,
            fresh: BTreeMap::new(),
            seen_version: -1,
            dirty_job: false,
            dirty_actions: BTreeMap::new(),
            deleted: BTreeSet::new(),
            new_jobs: Vec::new(),
            new_slas: Vec::new(),
            new_runs: Vec::new(),
            unprepared: Vec::new(),
            added: Vec::new(),
            moved: None,
            log: Vec::new(),
            notices: Vec::new(),
            post: None,
            handled: Vec::new(),
            news: Vec::new(),
            after: VecDeque::new(),
            failure: None,
            has_moved: false,
        })
    }

    fn id(&self) -> &str {
        &self.row.id
    }

    /// Somebody has started it; one that was only submitted waits.
    fn is_started(&self) -> bool {
        self.row.started.is_some() || self.row.status != JobStatus::Prep
    }

    fn begin(&mut self) {
        if self.row.started.is_none() {
            self.row.started = Some(clock::now_millis());
            self.dirty_job = true;
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
        let due = self.state.wake(&self.definitions);
        if due.is_some_and(|due| due <= self.clock.now()) {
            self.apply(Event::Tick);
        }
    }

    fn until_wake(&self) -> Duration {
        let due = self
            .state
            .wake(&self.definitions)
            .filter(|_| self.is_started());
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
            self.deleted.insert(number);
        }
        let status = self.state.job().status;
        if status != before && !status.is_terminal() {
            self.tell_job(status);
        }
        for transition in transitions {
            self.tell_action(&transition);
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

    fn tell_job(&mut self, status: CoordinatorStatus) {
        let message = match status {
            CoordinatorStatus::Running => Some(self.row.app.clone()),
            _ => None,
        };
        self.note(None, status.name(), message, true);
    }

    fn tell_action(&mut self, transition: &machine::Transition) {
        let number = transition.number;
        let zone = self.definitions.current().job.processing_zone();
        let mut message = zone.write(transition.nominal);
        let record = self.dirty_actions.get(&number);
        let record = record.or_else(|| self.state.action(number));
        match transition.to {
            CoordinatorActionStatus::Failed => {
                if let Some(error) = record.and_then(|record| record.error.as_ref()) {
                    message.push_str(&format!(" {}: {}", error.code, error.message));
                }
            }
            CoordinatorActionStatus::Running
            | CoordinatorActionStatus::Succeeded
            | CoordinatorActionStatus::Killed => {
                if let Some(workflow) = self.workflows.get(&number) {
                    message.push_str(&format!(" {}", workflow.id));
                }
            }
            _ => {}
        }
        let current = self.state.job().revision;
        if let Some(revision) = self.revisions.get(&current) {
            let settings = crate::settings::Settings {
                conf: &revision.conf,
                site: &self.session.site,
            };
            let (status, now) = (transition.to.name(), clock::now_millis());
            self.notices.extend(notify::of_coordinator_action(
                &self.row, number, status, settings, now,
            ));
        }
        self.note(
            Some(format!("@{number}")),
            transition.to.name(),
            Some(message),
            true,
        );
    }

    /// A line of the job's log, and of what people see.
    fn note(&mut self, node: Option<String>, event: &str, message: Option<String>, is_state: bool) {
        let news = ProgressEvent {
            time: clock::now_millis(),
            id: self.row.id.clone(),
            node,
            event: event.to_owned(),
            status: is_state.then(|| event.to_owned()),
            message,
        };
        self.log.push(news.to_log());
        self.news.push(news);
    }

    fn warn(&mut self, words: &str) {
        self.note(None, "WARNING", Some(words.to_owned()), false);
    }

    /// Puts what has changed on disk, and performs what follows, until nothing does.
    fn advance(&mut self) -> Result<(), RunError> {
        loop {
            if let Some(failure) = self.failure.take() {
                return Err(self.recoverable(failure));
            }
            self.commit()?;
            self.tell();
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

    fn is_clean(&self) -> bool {
        !self.dirty_job
            && self.dirty_actions.is_empty()
            && self.deleted.is_empty()
            && self.log.is_empty()
            && self.handled.is_empty()
            && self.new_jobs.is_empty()
            && self.new_runs.is_empty()
            && self.added.is_empty()
            && self.moved.is_none()
    }

    /// Puts everything that changed on disk, in one transaction.
    fn commit(&mut self) -> Result<(), RunError> {
        if self.is_clean() {
            return Ok(());
        }
        let id = self.row.id.clone();
        let mut changes = Changes {
            revisions: std::mem::take(&mut self.added)
                .into_iter()
                .map(|row| (id.clone(), row))
                .collect(),
            deleted: std::mem::take(&mut self.deleted)
                .into_iter()
                .map(|number| (id.clone(), number))
                .collect(),
            unprepared: std::mem::take(&mut self.unprepared),
            moved: self.moved.take().into_iter().collect(),
            ..Changes::default()
        };
        for (number, record) in std::mem::take(&mut self.dirty_actions) {
            let is_over = record.is_at_rest();
            let workflow_id = self.workflows.get(&number).map(|live| live.id.clone());
            let row = CoordinatorActionRow {
                record,
                workflow_id,
            };
            changes.actions.push((id.clone(), row));
            if is_over && self.state.action(number).is_none() {
                self.workflows.remove(&number);
            }
        }
        let mut jobs = std::mem::take(&mut self.new_jobs);
        if std::mem::take(&mut self.dirty_job) {
            self.coordinator.record = self.state.job().clone();
            self.set_status();
            jobs.push(self.row.clone());
            changes.coordinators.push(self.coordinator.clone());
        }
        let batch = Batch {
            jobs,
            log: std::mem::take(&mut self.log),
            handled: std::mem::take(&mut self.handled),
            new_runs: std::mem::take(&mut self.new_runs),
            slas: std::mem::take(&mut self.new_slas),
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

    /// Has sent what is on disk. Where no thread can be had, `recover` sends it.
    fn send_notices(&mut self) {
        if self.post.is_none() {
            let hash = self.session.program.hash;
            self.post = Post::start(&self.session.home, &self.row.id, hash).ok();
        }
        if let Some(post) = &self.post {
            post.look();
        }
    }

    /// The common columns of the job.
    fn set_status(&mut self) {
        let status = self.state.job().status;
        let has_work = self.state.actions().next().is_some();
        self.row.status = common_status(status, self.row.started.is_some(), has_work);
        if status.is_terminal() {
            self.row.ended.get_or_insert(clock::now_millis());
        } else {
            self.row.ended = None;
        }
    }

    /// Tells people what is on disk.
    fn tell(&mut self) {
        for mut news in std::mem::take(&mut self.news) {
            news.message = news.message.take().map(|text| self.mask.text(&text));
            self.progress.event(&news);
        }
        self.progress.flush();
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
                self.note(
                    None,
                    "KILL",
                    Some("killing the coordinator and its workflows".to_owned()),
                    false,
                );
                self.apply(Event::Kill);
                Ok(())
            }
            Asked::HandOver(name) => {
                self.commit()?;
                self.tell();
                Err(self.recoverable(RunError::machine(format!(
                    "{name}: let go of coordinator {}; what runs goes on",
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
        if let Some(post) = self.post.take() {
            post.finish();
        }
        let waits = self.row.status == JobStatus::Suspended;
        Ended {
            suspended: waits.then(|| self.row.clone()),
            job: self.row,
        }
    }

    fn store_failure(&self, error: &StoreError) -> RunError {
        let described = error.describe(&self.session.home.store());
        match error {
            // There is nothing to recover from.
            StoreError::Deleted => described,
            StoreError::NotOwner { .. } | StoreError::Sqlite(_) | StoreError::Sync(_) => {
                self.recoverable(described)
            }
        }
    }

    fn recoverable(&self, error: RunError) -> RunError {
        error.and_recover(self.id())
    }
}

/// The nearest state of a workflow's job: what whoever knows only workflows sees, and what says whether it needs an owner.
pub fn common_status(status: CoordinatorStatus, is_started: bool, has_work: bool) -> JobStatus {
    use CoordinatorStatus as C;
    match status {
        C::Prep | C::PrepPaused if is_started => JobStatus::Running,
        C::Prep | C::PrepPaused => JobStatus::Prep,
        C::Running | C::RunningWithError => JobStatus::Running,
        C::Paused | C::PausedWithError if has_work => JobStatus::Running,
        C::Paused
        | C::PausedWithError
        | C::PrepSuspended
        | C::Suspended
        | C::SuspendedWithError => JobStatus::Suspended,
        C::Succeeded => JobStatus::Succeeded,
        C::DoneWithError | C::Failed => JobStatus::Failed,
        C::Killed | C::Ignored => JobStatus::Killed,
    }
}

/// What one revision of the store means.
pub fn of_row(session: &Session, job: &JobRow, row: RevisionRow) -> Result<Revision, RunError> {
    let unreadable = |error: serde_json::Error| {
        RunError::machine(format!("coordinator {} cannot be read: {error}", job.id))
    };
    let texts: Texts = serde_json::from_str(&row.texts).map_err(unreadable)?;
    let conf = serde_json::from_str(&row.conf).map_err(unreadable)?;
    let zone = submission::processing_zone(&session.site)?;
    Revision::new(texts, conf, job.parent_node.as_deref(), zone, row.hash)
        .map_err(|problem| RunError::machine(format!("coordinator {}: {problem}", job.id)))
}

pub(super) fn definitions(
    revisions: &BTreeMap<u32, Rc<Revision>>,
    current: u32,
) -> Option<Revisions> {
    let own = revisions.get(&current)?;
    let earlier = revisions
        .iter()
        .filter(|(number, _)| **number != current)
        .map(|(number, revision)| (*number, Arc::clone(&revision.coordinator)))
        .collect();
    Some(Revisions::new(Arc::clone(&own.coordinator), earlier))
}

fn settings_of(conf: &BTreeMap<String, String>, session: &Session) -> Settings {
    let settings = crate::settings::Settings {
        conf,
        site: &session.site,
    };
    let usual = Settings::default();
    let millis = |name: &str, otherwise: chrono::Duration| {
        let number = settings.text(name).and_then(|text| text.parse().ok());
        number
            .and_then(chrono::Duration::try_milliseconds)
            .filter(|wait| *wait > chrono::Duration::zero())
            .unwrap_or(otherwise)
    };
    let minutes = settings
        .text("oozie.coord.execution.none.tolerance")
        .and_then(|text| text.parse().ok());
    Settings {
        look_ahead: usual.look_ahead,
        poll: millis(
            "oozie.service.coord.input.check.requeue.interval",
            usual.poll,
        ),
        watched_poll: millis(
            "oozie.service.coord.push.check.requeue.interval",
            usual.watched_poll,
        ),
        tolerance: minutes.unwrap_or(usual.tolerance),
    }
}
