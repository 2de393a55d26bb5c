//! Drives one bundle: its coordinators are made in the transactions of its own steps, and run in the same process.

use std::{
    collections::{BTreeMap, VecDeque},
    fs::File,
    sync::Arc,
    time::Duration,
};

use hpdlc_core::{
    bundle::{self as machine, BundleChange, BundleState, Effect, Event},
    coordinator::{
        CoordinatorStatus,
        machine::{ActionError, Change, Refusal, Scope},
    },
    status::JobStatus,
};
use tokio::sync::mpsc;

use crate::{
    bundle::{
        new::{self, Submitted},
        request::{Request, RerunRequest},
    },
    clock,
    coordinator::{
        self, NewCoordinator,
        request::{self, Selection},
        submission::{self, Surroundings},
    },
    engine::{Asked, Ended, Signals},
    exit::{Exit, RunError},
    ids::{self, Kind},
    owner::{Ownership, Session},
    progress::{Progress, ProgressEvent, Shared},
    registry,
    secrets::Mask,
    store::{
        CommandRow, JobRow, LogRow, StoreError,
        commands::Handled,
        coordinators::{self as rows, Changes},
        query,
        writer::{Batch, Writer},
    },
    wake::{self, Bell},
};

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
    mask: Mask,
    progress: Shared,
    outbox: mpsc::UnboundedSender<Driven>,
    /// Coordinators that this process drives, by name.
    here: std::collections::BTreeSet<String>,
    fresh: BTreeMap<String, Ownership>,
    seen_version: i64,
    is_dirty: bool,
    new_jobs: Vec<(JobRow, NewCoordinator)>,
    asked: Vec<(String, String)>,
    log: Vec<LogRow>,
    handled: Vec<Handled>,
    news: Vec<ProgressEvent>,
    /// Coordinators that are to be driven after the transaction.
    after: VecDeque<String>,
    failure: Option<RunError>,
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
    let bell = Bell::hang(&session.home, ownership.root());
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
            signal = signals.next() => driver.take_signal(signal)?,
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
        let describe = |error| session.describe(error);
        let gone = || RunError::machine(format!("bundle {root} has gone from the store"));
        let row = query::job(&store, &root)
            .map_err(describe)?
            .ok_or_else(gone)?;
        let bundle = rows::bundle(&store, &root)
            .map_err(describe)?
            .ok_or_else(gone)?;
        let unreadable = |error: serde_json::Error| {
            RunError::machine(format!("bundle {root} cannot be read: {error}"))
        };
        let submitted: Submitted = serde_json::from_str(&bundle.state).map_err(unreadable)?;
        let conf: BTreeMap<String, String> = serde_json::from_str(&row.conf).map_err(unreadable)?;
        let state = submitted.state(&bundle);
        let writer = Writer::start(store, root, epoch)
            .map_err(|error| error.describe(&session.home.store()))?;
        Ok(Driver {
            mask: Mask::of(&conf),
            session,
            writer,
            _lock: lock,
            row,
            submitted,
            state,
            conf,
            progress,
            outbox,
            here: std::collections::BTreeSet::new(),
            fresh: BTreeMap::new(),
            seen_version: -1,
            is_dirty: false,
            new_jobs: Vec::new(),
            asked: Vec::new(),
            log: Vec::new(),
            handled: Vec::new(),
            news: Vec::new(),
            after: VecDeque::new(),
            failure: None,
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
            self.note(None, status.name(), message, true);
        }
        for effect in step.effects {
            self.perform(effect);
        }
        None
    }

    /// Everything here shares the transaction of the step.
    fn perform(&mut self, effect: Effect) {
        use request::Request as R;
        match effect {
            Effect::Submit { name } => {
                // One that could not be submitted ends the others.
                if self.state.record.status.is_terminal() {
                    return;
                }
                match self.make(&name) {
                    Ok(()) => {}
                    Err(error) if error.exit == Exit::Machine => {
                        self.failure.get_or_insert(error);
                    }
                    Err(error) => {
                        let error = ActionError {
                            code: "E1310".to_owned(),
                            message: error.message,
                        };
                        self.apply(Event::NotSubmitted { name, error });
                    }
                }
            }
            Effect::Suspend { name } => self.ask(&name, &R::Suspend),
            Effect::Resume { name } => self.ask(&name, &R::Resume),
            Effect::Kill { name } => self.ask(&name, &R::Kill),
            Effect::Change { name, change } => {
                let text = self.change_text(&change);
                self.ask(&name, &R::Change(text));
            }
            // Made where the command is taken, which knows how.
            Effect::Rerun { .. } | Effect::Finished(_) => {}
        }
    }

    fn change_text(&self, change: &Change) -> String {
        let zone = submission::processing_zone(&self.session.site)
            .unwrap_or(hpdlc_core::time::ProcessingZone::UTC);
        let pause = change.pause_time.map(|pause| {
            let value = pause.map_or_else(String::new, |pause| zone.write(pause));
            format!("pausetime={value}")
        });
        let end = change.end.map(|end| format!("endtime={}", zone.write(end)));
        let parts: Vec<String> = pause.into_iter().chain(end).collect();
        parts.join(";")
    }

    fn job_of(&self, name: &str) -> Option<String> {
        let mut coordinators = self.submitted.coordinators.iter();
        coordinators
            .find(|coordinator| coordinator.name == name)?
            .job
            .clone()
    }

    fn ask(&mut self, name: &str, request: &request::Request) {
        if let Some(job) = self.job_of(name) {
            self.asked.push((job, request.to_text()));
            self.after.push_back(name.to_owned());
            self.is_dirty = true;
        }
    }

    /// Makes the job of a coordinator.
    fn make(&mut self, name: &str) -> Result<(), RunError> {
        let coordinators = self.submitted.coordinators.iter();
        let Some(coordinator) = coordinators.clone().find(|it| it.name == name).cloned() else {
            return Ok(());
        };
        let program = self.session.program;
        let Some((index, table)) = new::coordinator_of(program, &coordinator.app_path) else {
            return Err(RunError::usage(format!(
                "`{}` is not compiled into this executable",
                coordinator.app_path
            )));
        };
        let folder = registry::unpack(&self.session.home, program)?;
        let around = Surroundings {
            program,
            folder: &folder,
            user: &self.row.user,
            site: &self.session.site,
            name: Some(name),
        };
        let given = new::given(&self.conf, &coordinator);
        let revision = submission::complete(table, given, around)?;
        let new = NewCoordinator::with_clock(revision, self.submitted.clock);
        let job = new.job(JobStatus::Running);
        let number = self
            .writer
            .next_job_number()
            .map_err(|error| self.store_failure(&error))?;
        let created = clock::now();
        let id = ids::job(number, created, Kind::Coordinator);
        let ownership = self.session.reserve(&id)?;
        let row = JobRow {
            id: id.clone(),
            app: job.app,
            app_path: job.app_path,
            user: self.row.user.clone(),
            status: job.status,
            run: 0,
            created: created.timestamp_millis(),
            started: None,
            ended: None,
            conf: serde_json::to_string(&job.conf).expect("a map of strings is JSON"),
            hash: program.hash.to_owned(),
            app_index: i64::try_from(index).unwrap_or(i64::MAX),
            root_id: id.clone(),
            parent_id: Some(self.row.id.clone()),
            parent_node: Some(name.to_owned()),
            parent_attempt: None,
            depth: 0,
            last_error_node: None,
            error_code: None,
            error_message: None,
            epoch: ownership.epoch(),
            owner_pid: Some(i64::from(std::process::id())),
            parent_run: None,
        };
        self.new_jobs.push((row, new));
        self.fresh.insert(name.to_owned(), ownership);
        for coordinator in &mut self.submitted.coordinators {
            if coordinator.name == name {
                coordinator.job = Some(id.clone());
            }
        }
        self.note(Some(name.to_owned()), "SUBMITTED", Some(id), false);
        self.after.push_back(name.to_owned());
        self.is_dirty = true;
        let status = CoordinatorStatus::Prep;
        self.state
            .coordinators
            .insert(name.to_owned(), Some(status));
        Ok(())
    }

    fn advance(&mut self) -> Result<(), RunError> {
        loop {
            if let Some(failure) = self.failure.take() {
                return Err(failure.and_recover(&self.row.id));
            }
            self.commit()?;
            self.tell();
            if self.after.is_empty() {
                return Ok(());
            }
            for name in std::mem::take(&mut self.after) {
                if let Some(job) = self.job_of(&name) {
                    wake::ring(&self.session.home, &job);
                }
                self.attach(&name)?;
            }
        }
    }

    fn commit(&mut self) -> Result<(), RunError> {
        let is_clean = !self.is_dirty && self.log.is_empty() && self.handled.is_empty();
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
            log: std::mem::take(&mut self.log),
            handled: std::mem::take(&mut self.handled),
            scheduled: changes,
            ..Batch::default()
        };
        let written = self.writer.commit(&batch);
        written.map_err(|error| self.store_failure(&error))
    }

    fn tell(&mut self) {
        for mut news in std::mem::take(&mut self.news) {
            news.message = news.message.take().map(|text| self.mask.text(&text));
            self.progress.event(&news);
        }
        self.progress.flush();
    }

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

    /// Drives a coordinator where nobody else does and somebody has to.
    fn attach(&mut self, name: &str) -> Result<(), RunError> {
        if self.here.contains(name) {
            return Ok(());
        }
        let Some(job) = self.job_of(name) else {
            return Ok(());
        };
        if let Some(ownership) = self.fresh.remove(name) {
            self.spawn(name, ownership);
            return Ok(());
        }
        let connection = self.writer.connection();
        let describe = |error| self.session.describe(error);
        let Some(row) = query::job(connection, &job).map_err(describe)? else {
            return Ok(());
        };
        let is_open = !crate::store::commands::open(connection, &job)
            .map_err(describe)?
            .is_empty();
        if (row.status == JobStatus::Running || is_open) && !self.session.has_owner(&job) {
            if row.hash != self.session.program.hash {
                crate::detached::start(&self.session, &row)?;
            } else if let Some(ownership) = self.session.own(&job)? {
                self.spawn(name, ownership);
            }
        }
        Ok(())
    }

    fn spawn(&mut self, name: &str, ownership: Ownership) {
        self.here.insert(name.to_owned());
        let (session, outbox) = (self.session.clone(), self.outbox.clone());
        let (name, progress) = (name.to_owned(), self.progress.clone());
        tokio::task::spawn_local(async move {
            let result = match Signals::of_library() {
                Ok(signals) => coordinator::drive(session, ownership, progress, signals).await,
                Err(error) => Err(RunError::machine(error.to_string())),
            };
            // The bundle's driver may have let go.
            let _ = outbox.send((name, result));
        });
    }

    fn driven(&mut self, name: &str, result: Result<Ended, RunError>) -> Result<(), RunError> {
        self.here.remove(name);
        match result {
            Ok(_) => self.look(true),
            Err(error) if error.exit == Exit::Machine => Err(error.and_recover(&self.row.id)),
            Err(error) => {
                let words = format!("coordinator {name}: {error}");
                self.note(Some(name.to_owned()), "WARNING", Some(words), false);
                Ok(())
            }
        }
    }

    /// Hears of the states of the coordinators, and takes up those that nobody drives.
    fn look(&mut self, takes_up: bool) -> Result<(), RunError> {
        let describe = |error| self.session.describe(error);
        let connection = self.writer.connection();
        let version: i64 = connection
            .query_row("PRAGMA data_version", [], |row| row.get(0))
            .map_err(describe)?;
        if version == self.seen_version && !takes_up {
            return Ok(());
        }
        self.seen_version = version;
        let mut heard = Vec::new();
        for coordinator in &self.submitted.coordinators {
            let Some(job) = &coordinator.job else {
                continue;
            };
            let status = rows::status(connection, job).map_err(describe)?;
            let status = status.as_deref().and_then(CoordinatorStatus::from_name);
            let known = self.state.coordinators.get(&coordinator.name);
            if let Some(status) = status
                && known != Some(&Some(status))
            {
                heard.push((coordinator.name.clone(), status));
            }
        }
        for (name, status) in heard {
            self.apply(Event::Coordinator { name, status });
        }
        if takes_up && self.is_started() {
            let coordinators = self.submitted.coordinators.iter();
            let names: Vec<String> = coordinators.map(|it| it.name.clone()).collect();
            for name in names {
                self.attach(&name)?;
            }
        }
        Ok(())
    }

    fn take_commands(&mut self) -> Result<(), RunError> {
        let commands = self
            .writer
            .commands()
            .map_err(|error| self.store_failure(&error))?;
        for CommandRow { id, verb, .. } in commands {
            // By what the coordinators are now.
            self.look(false)?;
            let refusal = self.obey(&verb).err();
            self.handled.push(Handled {
                id,
                time: clock::now_millis(),
                refusal,
            });
            self.commit()?;
        }
        Ok(())
    }

    fn obey(&mut self, text: &str) -> Result<(), String> {
        let Some(request) = Request::parse(text) else {
            return Err(format!("unknown command `{text}`"));
        };
        let zone =
            submission::processing_zone(&self.session.site).map_err(|error| error.to_string())?;
        let event = match request {
            Request::Start => {
                if self.is_started() {
                    return Err(format!(
                        "bundle {} is {} and was started before; only a PREP one can be started (E0801)",
                        self.row.id, self.state.record.status
                    ));
                }
                self.begin();
                Event::Tick
            }
            Request::Suspend => Event::Suspend,
            Request::Resume => Event::Resume,
            Request::Kill => Event::Kill,
            Request::Change(text) => Event::Change(
                BundleChange::parse(&text, zone).map_err(|refusal| self.words(&refusal))?,
            ),
            Request::Rerun(request) => return self.rerun(request, zone),
        };
        match self.apply(event) {
            Some(refusal) => Err(self.words(&refusal)),
            None => Ok(()),
        }
    }

    fn words(&self, refusal: &Refusal) -> String {
        format!(
            "bundle {}: {} ({})",
            self.row.id, refusal.message, refusal.code
        )
    }

    fn rerun(
        &mut self,
        request: RerunRequest,
        zone: hpdlc_core::time::ProcessingZone,
    ) -> Result<(), String> {
        let times = match &request.dates {
            Some(dates) => Some(Scope::times(dates, zone).map_err(|error| error.to_string())?),
            None => None,
        };
        let named = !request.coordinators.is_empty();
        let chosen = named.then(|| request.coordinators.iter().cloned().collect());
        let before = self.state.record.status;
        let now = self.submitted.clock.now();
        let event = Event::Rerun {
            coordinators: chosen,
            times,
        };
        let step = machine::step(&mut self.state, now, event);
        if let Some(refusal) = step.refusal {
            return Err(self.words(&refusal));
        }
        self.begin();
        self.is_dirty = true;
        let status = self.state.record.status;
        if status != before {
            self.note(None, status.name(), None, true);
        }
        for effect in step.effects {
            if let Effect::Rerun { name, .. } = effect {
                let dates = match (&request.dates, self.job_of(&name)) {
                    (Some(dates), _) => dates.clone(),
                    (None, Some(job)) => {
                        let row = rows::coordinator(self.writer.connection(), &job)
                            .map_err(|error| error.to_string())?;
                        row.map_or_else(String::new, |row| {
                            let end = row.record.end;
                            format!("{}::{}", zone.write(row.start), zone.write(end))
                        })
                    }
                    (None, None) => continue,
                };
                let rerun = request::RerunRequest {
                    selection: Selection::Dates(dates),
                    refresh: request.refresh,
                    nocleanup: request.nocleanup,
                    failed: false,
                };
                self.ask(&name, &request::Request::Rerun(rerun));
            }
        }
        Ok(())
    }

    fn take_signal(&mut self, asked: Asked) -> Result<(), RunError> {
        match asked {
            Asked::Kill => {
                let words = "killing the bundle and its coordinators".to_owned();
                self.note(None, "KILL", Some(words), false);
                self.apply(Event::Kill);
                Ok(())
            }
            Asked::HandOver(name) => {
                self.commit()?;
                self.tell();
                let words = format!(
                    "{name}: let go of bundle {}; what runs goes on",
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

    fn ended(self) -> Ended {
        let waits = self.row.status == JobStatus::Suspended;
        Ended {
            suspended: waits.then(|| self.row.clone()),
            job: self.row,
        }
    }

    fn store_failure(&self, error: &StoreError) -> RunError {
        let described = error.describe(&self.session.home.store());
        match error {
            StoreError::Deleted => described,
            StoreError::NotOwner { .. } | StoreError::Sqlite(_) | StoreError::Sync(_) => {
                described.and_recover(&self.row.id)
            }
        }
    }
}
