//! The engine: drives one job and its sub-workflows to their end.
//!
//! One task owns everything. What happened comes in as an [`Incoming`]; the step machine says what follows; evaluations and
//! child jobs, which touch nothing outside, are settled at once; then one transaction writes all that changed, and only
//! then are processes started, stopped and awaited. The launcher makes ready meanwhile what it will start. What comes in
//! while a transaction is under way shares the next one.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, VecDeque},
    fs::File,
    rc::Rc,
    sync::Arc,
    time::Duration,
};

use hpdlc_core::{
    definition::NodeId,
    status::{ActionStatus, JobStatus},
    step::{self, Effect, Event},
};
use tokio::sync::mpsc;

use crate::{
    callbacks, clock,
    engine::{lanes::Lanes, over::Timers},
    executors::{Completion, Work},
    exit::RunError,
    home::Home,
    job::Job,
    launcher::{Launcher, Report, StartRequest},
    notify::{self, Post},
    progress::{Progress, ProgressEvent},
    settings::Settings,
    store::{
        JobRow, LogRow, NewRun, SkipMark, StoreError,
        commands::Handled,
        writer::{Batch, Writer},
    },
    table::Program,
    wake::Bell,
};

mod attempts;
mod cancel;
mod children;
mod commands;
mod evaluation;
mod lanes;
mod over;
mod signals;

pub use self::{over::Ended, signals::Signals};

/// How often the store is asked for commands from other terminals when nobody rang.
const COMMAND_INTERVAL: Duration = Duration::from_secs(1);

/// What the engine is given.
pub struct Drive {
    pub program: &'static Program,
    pub home: Home,
    pub site: Arc<BTreeMap<String, String>>,
    pub writer: Writer,
    /// What makes this process the owner; work that cannot be interrupted keeps it.
    pub lock: Arc<File>,
    /// The job at the top, then its sub-workflow jobs.
    pub jobs: Vec<Job>,
    pub progress: Box<dyn Progress>,
    pub signals: Signals,
    /// What wakes this process when another terminal has put a command into the store.
    pub bell: Bell,
    /// Children of earlier runs that another definition ran to their end.
    pub former: Vec<JobRow>,
}

/// One attempt of one node of one job.
type Key = (String, NodeId, u32);

/// Something that happened outside.
#[derive(Debug)]
enum Incoming {
    Launcher(Option<Report>),
    /// A local process can be started.
    Ready(Key, StartRequest),
    /// The work of an attempt is over.
    Completed(Key, Completion),
    /// The recorded attempt was started before, and nobody knows how it ended.
    Lost(Key, String),
    /// A running attempt was found and is being waited for.
    Attached(Key, Option<u32>),
    /// Values that had to be evaluated on another thread.
    Evaluated(Key, evaluation::Evaluated),
    RetryDue(String, NodeId, u32),
    Canceled(String, NodeId),
    /// The machine failed us.
    Machine(String),
}

struct Engine {
    program: &'static Program,
    home: Home,
    site: Arc<BTreeMap<String, String>>,
    writer: Writer,
    /// Sends notifications; there once there is one.
    post: Option<Post>,
    lock: Arc<File>,
    root: String,
    jobs: BTreeMap<String, Job>,
    progress: Box<dyn Progress>,
    boot_id: String,
    outbox: mpsc::UnboundedSender<Incoming>,
    launcher: Option<Rc<Launcher>>,
    /// Since the last that said anything.
    n_dead_launchers: u32,
    /// Attempts that the launcher makes ready while their intent is being written.
    held: BTreeSet<Key>,
    /// Attempts that the launcher has been asked to start, by their path.
    launched: HashMap<String, Key>,
    /// Everything that will report back without being asked again.
    in_flight: BTreeSet<Key>,
    /// Local processes that have a slot: `hpdl.local.processes.max` bounds them, and what may wait at the launcher.
    slots: BTreeSet<Key>,
    /// How the launcher's processes share the slots.
    lanes: Lanes,
    /// Actions that wait for a slot.
    waiting: VecDeque<(String, NodeId, u32)>,
    timers: Timers,
    /// See [`Drive::former`].
    former: Vec<JobRow>,
    /// Jobs that begin a further run with the next transaction.
    new_runs: Vec<NewRun>,
    /// Effects that only change the state.
    internal: VecDeque<(String, Effect)>,
    /// Effects that must not be performed before what led to them is on disk.
    external: Vec<(String, Effect)>,
    dirty_jobs: BTreeSet<String>,
    dirty_nodes: BTreeSet<(String, NodeId)>,
    log: Vec<LogRow>,
    handled: Vec<Handled>,
    news: Vec<ProgressEvent>,
    failure: Option<RunError>,
    /// Attempts that an earlier owner has recorded and may have started.
    inherited: BTreeSet<Key>,
    /// How often Ctrl-C was typed.
    signals_seen: u32,
}

/// Drives the jobs until the one at the top has ended or cannot go on. Must run inside a [`tokio::task::LocalSet`].
///
/// # Errors
///
/// Exit 5 where the machine fails us (the jobs are recoverable then), or where a signal asked to hand over.
pub async fn drive(drive: Drive) -> Result<Ended, RunError> {
    let Drive {
        program,
        home,
        site,
        writer,
        lock,
        jobs,
        progress,
        mut signals,
        bell,
        former,
    } = drive;
    let (outbox, mut inbox) = mpsc::unbounded_channel();
    let root = jobs.first().expect("a job tree has a top").id().to_owned();
    let inherited = inherited(&jobs);
    let had_owner = jobs.iter().any(|job| job.row.started.is_some());
    let mut engine = Engine {
        program,
        home,
        site,
        writer,
        post: None,
        lock,
        root: root.clone(),
        jobs: jobs
            .into_iter()
            .map(|job| (job.id().to_owned(), job))
            .collect(),
        progress,
        boot_id: boot_id(),
        outbox,
        launcher: None,
        n_dead_launchers: 0,
        held: BTreeSet::new(),
        launched: HashMap::new(),
        in_flight: BTreeSet::new(),
        slots: BTreeSet::new(),
        lanes: Lanes::default(),
        waiting: VecDeque::new(),
        timers: Timers::default(),
        former,
        new_runs: Vec::new(),
        internal: VecDeque::new(),
        external: Vec::new(),
        dirty_jobs: BTreeSet::new(),
        dirty_nodes: BTreeSet::new(),
        log: Vec::new(),
        handled: Vec::new(),
        news: Vec::new(),
        failure: None,
        inherited,
        signals_seen: 0,
    };
    engine.take_up();
    if had_owner {
        // What an earlier owner has left to be told.
        engine.send_notices();
    }
    engine.answer_callbacks();
    // Before anything begins: a kill or a suspend may stand among them.
    engine.take_commands()?;
    let next_look = tokio::time::Instant::now() + COMMAND_INTERVAL;
    let mut commands = tokio::time::interval_at(next_look, COMMAND_INTERVAL);
    commands.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        engine.advance()?;
        if engine.is_over() {
            if let Some(post) = engine.post.take() {
                post.finish();
            }
            return Ok(engine.ended());
        }
        tokio::select! {
            biased;
            // First: however much comes in, a person is not kept waiting.
            signal = signals.next() => engine.take_signal(signal)?,
            () = bell.rung() => engine.take_commands()?,
            Some(incoming) = inbox.recv() => {
                engine.take(incoming);
                while let Ok(incoming) = inbox.try_recv() {
                    engine.take(incoming);
                }
            }
            _ = commands.tick() => engine.take_commands()?,
        }
    }
}

impl Engine {
    /// Takes up what the store says is outstanding.
    fn take_up(&mut self) {
        let ids: Vec<String> = self.jobs.keys().cloned().collect();
        for id in ids {
            let job = &self.jobs[&id];
            if job.state.status == JobStatus::Prep {
                // One that `run` has made and not begun. What was submitted waits for its `start`.
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

    /// Lets an event happen to a job, in memory.
    fn apply(&mut self, id: &str, event: Event) {
        let Some(job) = self.jobs.get_mut(id) else {
            return;
        };
        let now = clock::now_millis();
        let last_error_node = job.row.last_error_node.clone();
        let step = step::step(job.app, &mut job.state, event);
        if step.job_changed {
            job.set_status(now);
        }
        let mut told = Vec::new();
        for &node in &step.changed {
            let has_changed = job.sync(node, now);
            self.dirty_nodes.insert((id.to_owned(), node));
            // What waits at the launcher runs when the launcher says so.
            if has_changed && !job.row_of(node).is_queued() {
                told.push(ProgressEvent::of_node(job.row_of(node), now));
            }
        }
        if step.job_changed {
            // A job is running before its first node, and has ended after its last.
            let place = if job.state.status.is_terminal() {
                told.len()
            } else {
                0
            };
            told.insert(place, ProgressEvent::of_job(&job.row, now));
        }
        self.log.extend(told.iter().map(ProgressEvent::to_log));
        self.news.extend(told);
        // Of what nodes do, the job's own row shows only the last error.
        if step.job_changed || job.row.last_error_node != last_error_node {
            self.dirty_jobs.insert(id.to_owned());
        }
        self.internal.extend(
            step.effects
                .into_iter()
                .map(|effect| (id.to_owned(), effect)),
        );
    }

    /// Settles what changes only the state, puts it on disk, and performs the rest.
    fn advance(&mut self) -> Result<(), RunError> {
        loop {
            self.settle_all()?;
            // The end of one action and the intent to start the next share a transaction.
            self.fill_slots();
            self.settle_all()?;
            if let Some(failure) = self.failure.take() {
                return Err(self.recoverable(failure));
            }
            self.hold_launches();
            self.commit()?;
            for (job, effect) in std::mem::take(&mut self.external) {
                self.perform(&job, effect);
            }
            self.tell_room();
            self.flush_launcher();
            self.tell();
            if self.internal.is_empty() && self.is_clean() && !self.can_fill_slot() {
                return Ok(());
            }
        }
    }

    fn settle_all(&mut self) -> Result<(), RunError> {
        while let Some((job, effect)) = self.internal.pop_front() {
            self.settle(&job, effect)?;
        }
        Ok(())
    }

    fn settle(&mut self, id: &str, effect: Effect) -> Result<(), RunError> {
        match effect {
            Effect::Choose { node } => self.choose(id, node),
            Effect::Prepare { node, attempt } => self.prepare(id, node, attempt),
            Effect::Launch { node, attempt } => {
                // It begins, or is found again, when the job is resumed.
                if !self.is_to_run(id, node, attempt) || !self.is_running_job(id) {
                    self.let_go(&(id.to_owned(), node, attempt));
                    return Ok(());
                }
                let work = self.jobs.get(id).and_then(|job| job.work(node));
                match work.as_deref() {
                    Some(Work::SubWorkflow(child)) => {
                        self.start_child(id, node, attempt, child)?;
                    }
                    Some(Work::Shell(_) | Work::Java(_)) => {
                        self.slots.insert((id.to_owned(), node, attempt));
                        self.external.push((id.to_owned(), effect));
                    }
                    Some(Work::Fs(_)) => self.external.push((id.to_owned(), effect)),
                    // Recorded values that are gone: the attempt is evaluated anew.
                    None => self.prepare(id, node, attempt),
                }
            }
            Effect::Cancel { node, attempt } => {
                let work = self.jobs.get(id).and_then(|job| job.work(node));
                if let Some(Work::SubWorkflow(_)) = work.as_deref() {
                    self.kill_child(id, node, attempt);
                    self.apply(id, Event::Canceled { node });
                } else {
                    self.external.push((id.to_owned(), effect));
                }
            }
            Effect::Wait { node, delay } => {
                if let (Some(delay), Some(job)) = (delay, self.jobs.get_mut(id)) {
                    let millis = i64::try_from(delay.as_millis()).unwrap_or(i64::MAX);
                    let row = job.row_of(node);
                    row.due = Some(clock::now_millis().saturating_add(millis));
                    row.retry_wait = Some(millis);
                    self.dirty_nodes.insert((id.to_owned(), node));
                }
                self.external.push((id.to_owned(), effect));
            }
            Effect::Message { node } => self.kill_message(id, node),
            Effect::StrandEnded { node } => {
                if let Some(job) = self.jobs.get_mut(id) {
                    let note =
                        "reached by more than one strand; it runs once, the later strand ends here";
                    job.row_of(node).note = Some(note.to_owned());
                    self.dirty_nodes.insert((id.to_owned(), node));
                    self.note(id, Some(node), "NOTE", note);
                }
            }
            Effect::Skipped { node } => {
                if let Some(job) = self.jobs.get_mut(id) {
                    let row = job.row_of(node);
                    row.skip = Some(SkipMark::Taken);
                    let why = format!(
                        "{} in run {}; not run again",
                        row.status,
                        row.run.unwrap_or_default()
                    );
                    self.dirty_nodes.insert((id.to_owned(), node));
                    self.note(id, Some(node), "SKIPPED", &why);
                }
            }
            Effect::Suspended => self.suspend_parents(id),
            Effect::Finished(status) => self.job_finished(id, status),
        }
        Ok(())
    }

    fn perform(&mut self, id: &str, effect: Effect) {
        match effect {
            Effect::Launch { node, attempt } => {
                let look_first = self.inherited.contains(&(id.to_owned(), node, attempt));
                self.launch(id, node, attempt, look_first);
            }
            Effect::Cancel { node, attempt } => self.cancel(id, node, attempt),
            Effect::Wait { node, .. } => self.wait(id, node),
            Effect::Choose { .. }
            | Effect::Prepare { .. }
            | Effect::Message { .. }
            | Effect::StrandEnded { .. }
            | Effect::Skipped { .. }
            | Effect::Suspended
            | Effect::Finished(_) => {}
        }
    }

    /// Puts everything that changed on disk, in one transaction.
    fn commit(&mut self) -> Result<(), RunError> {
        if !self.is_clean() {
            let mut batch = Batch {
                log: std::mem::take(&mut self.log),
                handled: std::mem::take(&mut self.handled),
                new_runs: std::mem::take(&mut self.new_runs),
                notices: notify::collect(&self.news, |id| self.jobs.get(id), &self.site),
                ..Batch::default()
            };
            for id in std::mem::take(&mut self.dirty_jobs) {
                batch
                    .jobs
                    .extend(self.jobs.get(&id).map(|job| job.row.clone()));
            }
            for (id, node) in std::mem::take(&mut self.dirty_nodes) {
                let row = self.jobs.get(&id).and_then(|job| job.stored_row(node));
                batch.actions.extend(row.cloned());
            }
            let written = self.writer.commit(&batch);
            written.map_err(|error| self.store_failure(&error))?;
            if !batch.notices.is_empty() {
                self.send_notices();
            }
        }
        Ok(())
    }

    /// URLs that were given away before are answered; the first one to be given away is seen to where it is made.
    fn answer_callbacks(&mut self) {
        if self.home.callback_key().exists()
            && let Err(problem) = callbacks::ensure(&self.home)
        {
            let root = self.root.clone();
            self.note(&root, None, "WARNING", &format!("callbacks: {problem}"));
        }
    }

    /// Has sent what is on disk. Where no thread can be had, `recover` sends it.
    fn send_notices(&mut self) {
        if self.post.is_none() {
            self.post = Post::start(&self.home, &self.root, self.program.hash).ok();
        }
        if let Some(post) = &self.post {
            post.look();
        }
    }

    /// Tells people what is on disk.
    fn tell(&mut self) {
        for mut news in std::mem::take(&mut self.news) {
            // The store keeps what was said; people see it masked. A child's message may hold what its parent knows.
            let masks = [&self.root, &news.id].map(|id| self.jobs.get(id).map(|job| &job.mask));
            news.message = news.message.take().map(|message| {
                masks
                    .into_iter()
                    .flatten()
                    .fold(message, |message, mask| mask.text(&message))
            });
            self.progress.event(&news);
        }
        self.progress.flush();
    }

    fn is_clean(&self) -> bool {
        self.dirty_jobs.is_empty()
            && self.dirty_nodes.is_empty()
            && self.log.is_empty()
            && self.handled.is_empty()
            && self.new_runs.is_empty()
    }

    fn take(&mut self, incoming: Incoming) {
        match incoming {
            Incoming::Launcher(report) => self.take_report(report),
            Incoming::Ready(key, request) => {
                self.send_to_launcher(key, request);
                self.tell_room();
                self.flush_launcher();
            }
            Incoming::Completed(key, completion) => self.completed(&key, completion),
            Incoming::Lost(key, problem) => self.lost(&key, &problem),
            Incoming::Attached(key, pid) => self.attached(&key, pid),
            Incoming::Evaluated(key, evaluated) => {
                self.timers.end(&key.0);
                self.take_evaluated(&key, evaluated);
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
            Incoming::Canceled(id, node) => self.apply(&id, Event::Canceled { node }),
            Incoming::Machine(problem) => {
                self.failure.get_or_insert(RunError::machine(problem));
            }
        }
    }

    /// A line of the job's log that is no change of state.
    fn note(&mut self, id: &str, node: Option<NodeId>, event: &str, message: &str) {
        let Some(job) = self.jobs.get(id) else { return };
        let news = ProgressEvent {
            time: clock::now_millis(),
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

    fn store_failure(&self, error: &StoreError) -> RunError {
        let described = error.describe(&self.home.store());
        match error {
            // There is nothing to recover from.
            StoreError::Deleted => described,
            StoreError::NotOwner { .. } | StoreError::Sqlite(_) | StoreError::Sync(_) => {
                self.recoverable(described)
            }
        }
    }

    fn recoverable(&self, error: RunError) -> RunError {
        let next = format!(
            "nothing that was recorded is lost; go on with: recover {}",
            self.root
        );
        let help = match &error.help {
            Some(help) => format!("{help}; {next}"),
            None => next,
        };
        RunError {
            help: Some(help),
            ..error
        }
    }
}

/// Attempts whose intent was recorded before this process became the owner. All others are its own: nobody has begun them.
fn inherited(jobs: &[Job]) -> BTreeSet<Key> {
    let mut inherited = BTreeSet::new();
    for job in jobs {
        let nodes = job.state.nodes.iter();
        let recorded = nodes.filter(|(_, state)| state.status == ActionStatus::Running);
        inherited.extend(recorded.map(|(&node, state)| (job.id().to_owned(), node, state.attempt)));
    }
    inherited
}

/// What tells one boot of the machine from another.
fn boot_id() -> String {
    std::fs::read_to_string("/proc/sys/kernel/random/boot_id")
        .map(|id| id.trim().to_owned())
        .unwrap_or_default()
}
