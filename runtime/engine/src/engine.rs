//! The engine: an event loop that drives one job and its sub-workflows to their end.
//!
//! One task owns all state. Events arrive as [`Incoming`]; the step machine says what follows; evaluations and child jobs, which have no
//! external effects, are settled at once; then one transaction writes all that changed (write-ahead), and only then are processes started,
//! stopped and awaited. Meanwhile the launcher prepares what it will start. Events that arrive during a transaction share the next one
//! (group commit).

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::Arc,
    time::Duration,
};

use hpdlc_core::{
    definition::NodeId,
    status::JobStatus,
    step::{self, Effect, Event},
};
use hpdlc_executors::{Completion, callbacks};
use hpdlc_host::{bell::Bell, drain, exit::RunError, home::Home, settings::Settings};
use hpdlc_launcher::{LauncherReport, StartRequest};
use hpdlc_program::table::Program;
use hpdlc_store::{
    JobRow, LogRow, NewRun, commands::Handled, notifications::NewNotice, writer::Writer,
};
use tokio::sync::mpsc;

use crate::{
    engine::{
        completion::Timers, draining::Draining, environment::Environment,
        real_environment::RealEnvironment, slots::SlotUse, speculation::Speculation,
    },
    job::Job,
    job_command::Verb,
    progress::{Progress, ProgressEvent},
    session::{JobLock, Session},
};

mod attempts;
mod cancel;
mod children;
mod commands;
mod completion;
mod draining;
mod effects;
mod environment;
mod evaluation;
mod failures;
mod foreign_children;
mod lost;
mod real_environment;
mod record;
mod secrets;
mod signals;
#[cfg(test)]
mod simulate;
mod sla;
mod slots;
mod speculation;

pub use self::{
    completion::JobCompletion,
    environment::ForeignJobs,
    signals::{SignalRequest, Signals},
};

/// How often the clock is looked at for service levels, and a store in a file for commands from other terminals if the bell is not rung.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// A server notifies owners of commands: every how many looks it is asked all the same.
const LOOKS_PER_QUESTION: u64 = 5;

/// The input of the engine.
pub struct EngineParts {
    pub program: &'static Program,
    pub home: Home,
    pub site: Arc<BTreeMap<String, String>>,
    pub writer: Writer,
    /// The lock that makes this process the owner; work that cannot be interrupted keeps it.
    pub lock: Arc<JobLock>,
    /// The job at the top, then its sub-workflow jobs.
    pub jobs: Vec<Job>,
    pub progress: Box<dyn Progress>,
    /// Children of earlier runs that another definition ran to their end.
    pub former: Vec<JobRow>,
    /// Whether the coordinator above the job at the top is notified of every new state.
    pub tells_above: bool,
    pub foreign_jobs: ForeignJobs,
}

/// One attempt of one node of one job.
type AttemptKey = (String, NodeId, u32);

/// An event from outside.
#[derive(Debug)]
enum Incoming {
    Launcher(Option<LauncherReport>),
    /// A local process can be started.
    Ready(AttemptKey, StartRequest),
    /// The work of an attempt is over.
    Completed(AttemptKey, Completion),
    /// The recorded attempt was started before, and its result is unknown.
    Lost(AttemptKey, String),
    /// A running attempt was found and is being awaited.
    Attached(AttemptKey, Option<u32>),
    /// Values that were evaluated on another thread.
    Evaluated(AttemptKey, evaluation::Evaluated),
    RetryDue(String, NodeId, u32),
    /// For the job's log.
    Warning(String, NodeId, String),
    Canceled(String, NodeId),
    /// The machine failed, for instance an I/O error.
    Machine(String),
}

struct Engine {
    program: &'static Program,
    home: Home,
    site: Arc<BTreeMap<String, String>>,
    writer: Writer,
    environment: Box<dyn Environment>,
    lock: Arc<JobLock>,
    root: String,
    jobs: BTreeMap<String, Job>,
    progress: Box<dyn Progress>,
    /// Since the last one that reported anything.
    n_dead_launchers: u32,
    /// Attempts that the launcher prepares while their intent is being written.
    held: BTreeSet<AttemptKey>,
    /// Attempts that the launcher has been asked to start, by their path.
    launched: BTreeMap<String, AttemptKey>,
    /// All attempts that will report by themselves.
    in_flight: BTreeSet<AttemptKey>,
    /// Local processes that have a slot: `hpdl.local.processes.max` bounds them, and how many may wait at the launcher.
    slots: BTreeSet<AttemptKey>,
    /// How the launcher's processes share the slots.
    slot_use: SlotUse,
    /// What the launcher starts by itself.
    ahead: Speculation,
    /// Actions that wait for a slot.
    waiting: VecDeque<(String, NodeId, u32)>,
    timers: Timers,
    /// See [`EngineParts::former`].
    former: Vec<JobRow>,
    /// Jobs of other executables that are created by the next transaction.
    new_jobs: Vec<JobRow>,
    /// Those of them that their own executable has yet to complete.
    unprepared: Vec<String>,
    /// Commands to jobs that other processes own.
    asked: Vec<(JobRow, Verb)>,
    /// Jobs that begin a further run by the next transaction.
    new_runs: Vec<NewRun>,
    /// Effects that only change the state.
    internal: VecDeque<(String, Effect)>,
    /// Effects that may be performed only when their cause is on disk.
    external: Vec<(String, Effect)>,
    dirty_jobs: BTreeSet<String>,
    dirty_nodes: BTreeSet<(String, NodeId)>,
    /// Jobs whose service levels have to be written.
    dirty_slas: BTreeSet<String>,
    sla_notices: Vec<NewNotice>,
    log: Vec<LogRow>,
    handled: Vec<Handled>,
    news: Vec<ProgressEvent>,
    failure: Option<RunError>,
    /// Attempts that an earlier owner recorded and may have started.
    inherited: BTreeSet<AttemptKey>,
    /// How often Ctrl-C was pressed.
    signals_seen: u32,
    /// Set while the job is being released: when all running work has ended.
    draining: Option<Draining>,
    /// Whether running work ends with this process; `None` until needed.
    ends_whole: Option<bool>,
    /// The state of the job at the top last reported to the coordinator above it; none if there is nothing to notify.
    told_above: Option<JobStatus>,
}

/// Drives the jobs until the one at the top has ended or cannot go on. Must run inside a [`tokio::task::LocalSet`].
///
/// `bell` wakes this process when another terminal has put a command into the store.
///
/// # Errors
///
/// Exit 5 if the machine fails (the jobs are recoverable then), or if a signal asked to hand over.
pub async fn drive(
    drive: EngineParts,
    mut signals: Signals,
    bell: Bell,
) -> Result<JobCompletion, RunError> {
    let (outbox, mut inbox) = mpsc::unbounded_channel();
    let root = drive.root().to_owned();
    let mut machine = RealEnvironment::new(outbox, drive.home.clone(), root, drive.program.hash);
    let session = Session {
        program: drive.program,
        home: drive.home.clone(),
        site: Arc::clone(&drive.site),
    };
    machine.is_of(session, drive.foreign_jobs);
    let mut engine = Engine::new(drive, Box::new(machine));
    engine.begin()?;
    let next_look = tokio::time::Instant::now() + LOOK_INTERVAL;
    let mut looks = tokio::time::interval_at(next_look, LOOK_INTERVAL);
    let (mut n_looks, is_notified) = (0_u64, engine.is_on_server());
    looks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        engine.advance()?;
        if engine.is_over() && !engine.has_to_stay() {
            return Ok(engine.ended());
        }
        if engine.is_drained() {
            return Err(engine.drained());
        }
        let draining = engine
            .draining
            .as_ref()
            .map(|draining| draining.drain.clone());
        tokio::select! {
            biased;
            // First, so that the user does not wait, however many events arrive.
            signal = signals.next() => {
                let asked = engine.in_this_place(signal);
                engine.take_signal(asked)?;
            }
            () = bell.rung() => engine.take_commands()?,
            Some(incoming) = inbox.recv() => {
                engine.take(incoming);
                while let Ok(incoming) = inbox.try_recv() {
                    engine.take(incoming);
                }
            }
            () = drain::is_over(draining.as_ref()) => return Err(engine.drained()),
            _ = looks.tick() => {
                n_looks += 1;
                if !is_notified || n_looks.is_multiple_of(LOOKS_PER_QUESTION) {
                    engine.take_commands()?;
                }
                engine.look_at_slas();
            }
        }
    }
}

impl EngineParts {
    /// The job at the top.
    fn root(&self) -> &str {
        self.jobs.first().expect("a job tree has a top").id()
    }
}

impl Engine {
    fn new(drive: EngineParts, environment: Box<dyn Environment>) -> Engine {
        let root = drive.root().to_owned();
        let EngineParts {
            program,
            home,
            site,
            writer,
            lock,
            jobs,
            progress,
            former,
            tells_above,
            foreign_jobs: _,
        } = drive;
        let told_above = jobs
            .first()
            .filter(|_| tells_above)
            .map(|job| job.row.status);
        Engine {
            program,
            home,
            site,
            writer,
            environment,
            lock,
            root,
            inherited: lost::inherited(&jobs),
            jobs: jobs
                .into_iter()
                .map(|job| (job.id().to_owned(), job))
                .collect(),
            progress,
            n_dead_launchers: 0,
            held: BTreeSet::new(),
            launched: BTreeMap::new(),
            in_flight: BTreeSet::new(),
            slots: BTreeSet::new(),
            slot_use: SlotUse::default(),
            ahead: Speculation::default(),
            waiting: VecDeque::new(),
            timers: Timers::default(),
            former,
            new_jobs: Vec::new(),
            unprepared: Vec::new(),
            asked: Vec::new(),
            new_runs: Vec::new(),
            internal: VecDeque::new(),
            external: Vec::new(),
            dirty_jobs: BTreeSet::new(),
            dirty_nodes: BTreeSet::new(),
            dirty_slas: BTreeSet::new(),
            sla_notices: Vec::new(),
            log: Vec::new(),
            handled: Vec::new(),
            news: Vec::new(),
            failure: None,
            signals_seen: 0,
            draining: None,
            ends_whole: None,
            told_above,
        }
    }

    /// Whether the store is a database that other hosts may share. It says when there are commands.
    fn is_on_server(&self) -> bool {
        !self.home.store_location().is_file()
    }

    /// Resumes what the store says is outstanding, and carries out the commands queued there.
    fn begin(&mut self) -> Result<(), RunError> {
        let had_owner = self.jobs.values().any(|job| job.row.started.is_some());
        self.suspect_followers();
        self.take_up();
        if had_owner {
            // Notifications that an earlier owner has not sent.
            self.environment.send_notices();
        }
        self.answer_callbacks();
        // Before anything is started: a kill or a suspend may be among them.
        self.take_commands()?;
        self.look_at_slas();
        Ok(())
    }

    /// Resumes what the store says is outstanding.
    fn take_up(&mut self) {
        let ids: Vec<String> = self.jobs.keys().cloned().collect();
        for id in ids {
            let job = &self.jobs[&id];
            if job.state.status == JobStatus::Prep {
                // Created by `run` but not started yet. A submitted job waits for its `start`.
                if job.row.status == JobStatus::Running {
                    self.apply(&id, Event::Start);
                }
                continue;
            }
            for effect in step::outstanding(job.app, &job.state) {
                self.internal.push_back((id.clone(), effect));
            }
        }
    }

    /// Applies an event to a job, in memory.
    fn apply(&mut self, id: &str, event: Event) {
        let now = self.now();
        let Some(job) = self.jobs.get_mut(id) else {
            return;
        };
        let last_error_node = job.row.last_error_node.clone();
        let begins = event == Event::Start && job.state.status == JobStatus::Prep;
        let step = step::step(job.app, &mut job.state, event);
        if step.job_changed {
            job.set_status(now);
        }
        let mut told = Vec::new();
        for &node in &step.changed {
            let has_changed = job.sync(node, now);
            self.dirty_nodes.insert((id.to_owned(), node));
            // An attempt queued at the launcher is running only when the launcher reports it.
            if has_changed && !job.row_of(node).is_queued() {
                told.push(ProgressEvent::of_node(job.row_of(node), now));
            }
        }
        if step.job_changed {
            job.take_failure(&step.changed);
            // A job is reported as running before its first node, and as ended after its last.
            let place = if job.state.status.is_terminal() {
                told.len()
            } else {
                0
            };
            told.insert(place, ProgressEvent::of_job(&job.row, now));
        }
        self.log.extend(told.iter().map(ProgressEvent::to_log));
        self.news.extend(told);
        // Of the changes of nodes, the job's own row shows only the last error.
        if step.job_changed || job.row.last_error_node != last_error_node {
            self.dirty_jobs.insert(id.to_owned());
        }
        self.tell_slas(id, begins, &step.changed, now);
        self.internal.extend(
            step.effects
                .into_iter()
                .map(|effect| (id.to_owned(), effect)),
        );
    }

    /// Settles what changes only the state, commits it, and performs the rest.
    fn advance(&mut self) -> Result<(), RunError> {
        loop {
            self.settle_all()?;
            self.obey_late()?;
            // The end of one action and the intent to start the next share a transaction.
            self.fill_slots();
            self.settle_all()?;
            if let Some(failure) = self.failure.take() {
                return Err(self.recoverable(failure));
            }
            self.look_ahead();
            self.hold_launches();
            self.commit()?;
            self.tell_recorded();
            for (job, effect) in std::mem::take(&mut self.external) {
                self.perform(&job, effect);
            }
            self.tell_followers();
            self.tell_room();
            self.environment.flush();
            self.tell();
            let is_settled = self.internal.is_empty() && self.is_clean() && !self.can_fill_slot();
            if is_settled && self.failure.is_none() {
                return Ok(());
            }
        }
    }

    /// Callback URLs that were issued before must be answered; the first one is ensured where it is issued.
    fn answer_callbacks(&mut self) {
        if self.home.has_callbacks()
            && let Err(problem) = callbacks::ensure(&self.home)
        {
            let root = self.root.clone();
            self.note(&root, None, "WARNING", &format!("callbacks: {problem}"));
        }
    }

    fn take(&mut self, incoming: Incoming) {
        match incoming {
            Incoming::Launcher(report) => {
                if let Err(failure) = self.take_report(report) {
                    self.failure.get_or_insert(failure);
                }
            }
            Incoming::Ready(key, _) if self.is_draining() => self.not_begun(&key),
            Incoming::Ready(key, request) => {
                self.send_to_launcher(key, request);
                self.tell_room();
                self.environment.flush();
            }
            Incoming::Completed(key, completion) => self.completed(&key, completion),
            Incoming::Lost(key, problem) => self.lost(&key, &problem),
            Incoming::Attached(key, pid) => self.attached(&key, pid),
            Incoming::Evaluated(key, evaluated) => {
                self.timers.end(&key.0);
                if !self.is_draining() {
                    self.take_evaluated(&key, evaluated);
                }
            }
            Incoming::RetryDue(id, node, attempt) => {
                self.timers.end(&id);
                let is_current = self
                    .jobs
                    .get(&id)
                    .and_then(|job| job.state.nodes.get(&node))
                    .is_some_and(|state| state.attempt == attempt);
                if is_current {
                    self.apply(&id, Event::RetryDue { node });
                }
            }
            Incoming::Warning(id, node, problem) => self.note(&id, Some(node), "WARNING", &problem),
            Incoming::Canceled(id, node) => self.apply(&id, Event::Canceled { node }),
            Incoming::Machine(problem) => {
                self.failure.get_or_insert(RunError::machine(problem));
            }
        }
    }

    /// Milliseconds since 1970.
    fn now(&self) -> i64 {
        self.environment.now().timestamp_millis()
    }

    /// Writes a line to the job's log that is not a change of state.
    fn note(&mut self, id: &str, node: Option<NodeId>, event: &str, message: &str) {
        let Some(job) = self.jobs.get(id) else { return };
        let news = ProgressEvent {
            time: self.now(),
            id: id.to_owned(),
            node: node.map(|node| job.def(node).name.to_owned()),
            event: event.to_owned(),
            status: None,
            message: Some(message.to_owned()),
        };
        self.log.push(news.to_log());
        self.news.push(news);
    }

    fn settings(&self, id: &str) -> Option<Settings<'_>> {
        let job = self.jobs.get(id)?;
        Some(Settings {
            conf: &job.view.conf,
            site: &self.site,
        })
    }
}
