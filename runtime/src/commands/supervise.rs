//! The supervisor: many jobs at once, each driven by a process of the executable that the job belongs to.
//!
//! An owner's death releases its lock in the kernel: a few times a second the supervisor tries the locks of the jobs that
//! need an owner, and reads the store if it has changed. This writes nothing.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    os::unix::{fs::MetadataExt, process::CommandExt},
    process::{Child, Command},
    sync::Arc,
    time::{Duration, Instant},
};

use hpdlc_core::status::JobStatus;
use hpdlc_engine::{
    detached_owner::{self, Detached},
    host_keeper::HostKeeper,
    notify::sender_process,
    owner::Session,
    registry,
};
use hpdlc_executors::callbacks;
use hpdlc_host::{
    clock,
    drain::{self, Drain},
    exit::{Exit, RunError},
    home::store_location::StoreLocation,
    settings::Settings,
    signal_stream::SignalStream,
};
use hpdlc_store::{self as store, JobRow, query, slas, sql::Connection};
use rustix::process::{Pid, Signal, kill_process};

use crate::commands::{report, say};

pub mod beside;

/// Polling interval for locks.
const LOOK: Duration = Duration::from_millis(250);

/// Backoff for a job whose owner has failed: first and maximum pause.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LAST_PAUSE: Duration = Duration::from_secs(60);

/// How long owners may take to release their jobs.
const PATIENCE: Duration = Duration::from_secs(10);

/// When the supervisor ends.
#[derive(Clone, Copy, Debug)]
pub(super) enum SupervisorEnd {
    /// When all jobs that it has found were driven to their end; the owners share its output.
    Idle { json: bool },
    /// When it is asked to.
    Stopped,
}

/// Where messages and errors go.
#[derive(Clone, Copy, Debug)]
struct Words {
    say: fn(&str),
    report: fn(&RunError),
}

enum DriverProcess {
    /// A child process on our terminal.
    Here(Child),
    Detached(Detached),
}

struct DriverSupervisor<'a> {
    session: &'a Session,
    until: SupervisorEnd,
    words: Words,
    /// `None` if the last attempt to open it failed.
    connection: Option<Connection>,
    /// Inodes of the store's files when it was opened; see [`inodes`].
    files: [Option<u64>; 3],
    /// SQLite's `data_version`, and the roots that were found at that version.
    version: Option<i64>,
    roots: Vec<JobRow>,
    /// When the next SLA is due.
    next_sla: Option<i64>,
    drivers: BTreeMap<String, DriverProcess>,
    /// Jobs in backoff: how often their owner has failed, and until when.
    pauses: BTreeMap<String, (u32, Instant)>,
    /// Jobs that cannot be driven from here, which has been reported.
    hopeless: BTreeSet<String>,
    /// Jobs whose actions have run here are not taken over by other hosts meanwhile.
    _keeper: Option<Arc<HostKeeper>>,
    /// Jobs whose executable is not on this host, which has been said.
    absent: BTreeSet<String>,
    worst: Exit,
}

/// Drives every job that has no owner.
///
/// # Errors
///
/// The store cannot be read.
pub(super) fn supervise(session: &Session, until: SupervisorEnd) -> Result<Exit, RunError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| RunError::machine(format!("cannot start: {error}")))?;
    let words = Words { say, report };
    runtime.block_on(DriverSupervisor::new(session, until, words)?.run())
}

impl DriverSupervisor<'_> {
    fn new(
        session: &Session,
        until: SupervisorEnd,
        words: Words,
    ) -> Result<DriverSupervisor<'_>, RunError> {
        // Before it is opened, so that a replacement in between is detected.
        let files = inodes(session);
        Ok(DriverSupervisor {
            session,
            until,
            words,
            connection: Some(session.store()?),
            files,
            version: None,
            roots: Vec::new(),
            next_sla: None,
            drivers: BTreeMap::new(),
            pauses: BTreeMap::new(),
            hopeless: BTreeSet::new(),
            _keeper: HostKeeper::of(&session.home, &session.site)?,
            absent: BTreeSet::new(),
            worst: Exit::Success,
        })
    }

    async fn run(mut self) -> Result<Exit, RunError> {
        let unheard = |error| RunError::machine(format!("cannot listen to signals: {error}"));
        let mut interrupt = SignalStream::always(Signal::INT).map_err(unheard)?;
        let mut terminate = SignalStream::always(Signal::TERM).map_err(unheard)?;
        let mut hang_up = SignalStream::unless_ignored(Signal::HUP).map_err(unheard)?;
        if let SupervisorEnd::Stopped = self.until {
            (self.words.say)(&format!(
                "watching the jobs of {}",
                self.session.home.root().display()
            ));
        }
        loop {
            self.reap();
            if let Err(error) = self.take_up() {
                // A full disk, for example, may be a temporary condition.
                match self.until {
                    SupervisorEnd::Stopped if error.exit == Exit::Machine => {
                        (self.words.report)(&error)
                    }
                    SupervisorEnd::Stopped | SupervisorEnd::Idle { .. } => return Err(error),
                }
            }
            if matches!(self.until, SupervisorEnd::Idle { .. }) && self.drivers.is_empty() {
                return Ok(self.worst);
            }
            let name = tokio::select! {
                () = tokio::time::sleep(LOOK) => continue,
                // The owners on this terminal have received the signal themselves.
                () = interrupt.next() => match self.until {
                    SupervisorEnd::Idle { .. } => continue,
                    SupervisorEnd::Stopped => "SIGINT",
                },
                () = terminate.next() => "SIGTERM",
                () = hang_up.next() => "SIGHUP",
            };
            return Ok(self.hand_over(name).await);
        }
    }

    /// Starts an owner for every job that has none.
    fn take_up(&mut self) -> Result<(), RunError> {
        self.look()?;
        if self.session.home.has_callbacks() {
            // An error is reported by the job that needs callbacks; the watcher continues.
            let _ = callbacks::ensure(&self.session.home);
        }
        // Pending notifications of jobs that have ended.
        sender_process::take_up(self.session)?;
        for root in self.roots.clone() {
            let is_paused = self
                .pauses
                .get(&root.id)
                .is_some_and(|(_, until)| Instant::now() < *until);
            if is_paused
                || self.drivers.contains_key(&root.id)
                || self.hopeless.contains(&root.id)
                || self.session.has_owner(&root.id)
            {
                continue;
            }
            if !self.is_here(&root) {
                self.tell_absent(&root);
                continue;
            }
            match self.start(&root) {
                Ok(driver) => {
                    if let DriverProcess::Detached(detached) = &driver {
                        let why = match root.status {
                            JobStatus::Prep | JobStatus::Suspended => "has work to do",
                            JobStatus::Running
                            | JobStatus::Succeeded
                            | JobStatus::Killed
                            | JobStatus::Failed => "has lost its owner",
                        };
                        (self.words.say)(&format!(
                            "job {} ({}) {why}; process {} takes it over",
                            root.id,
                            root.app,
                            detached.pid()
                        ));
                    }
                    self.drivers.insert(root.id, driver);
                }
                Err(error) => {
                    (self.words.report)(&error);
                    self.note_exit(error.exit);
                    self.hopeless.insert(root.id);
                }
            }
        }
        Ok(())
    }

    /// Whether the executable of a job is on this host. Jobs of another host are there before.
    fn is_here(&self, root: &JobRow) -> bool {
        let (home, own) = (&self.session.home, self.session.program.hash);
        home.store_location().is_file()
            || root.hash == own
            || registry::is_runnable(home, &root.hash)
    }

    fn tell_absent(&mut self, root: &JobRow) {
        if self.absent.insert(root.id.clone()) {
            (self.words.say)(&format!(
                "job {} ({}) has no owner, and its executable is not on this host; to continue it here, type: ./{} register",
                root.id, root.app, root.app
            ));
        }
    }

    /// Reads the jobs that need an owner if the store has changed.
    fn look(&mut self) -> Result<(), RunError> {
        let describe = |error| self.session.describe(error);
        let files = inodes(self.session);
        let connection = match self.connection.take() {
            Some(open) if files == self.files => open,
            old => {
                // The store was deleted or replaced: the new one has jobs, too. It would share the shared-memory index of the old one
                // while that is open.
                if let Some(old) = old {
                    store::keep_log(&old).map_err(describe)?;
                }
                self.version = None;
                self.files = files;
                self.session.store()?
            }
        };
        let connection = self.connection.insert(connection);
        let version = query::data_version(connection).map_err(describe)?;
        let now = clock::now_millis();
        if self.version != Some(version) || self.next_sla.is_some_and(|due| due <= now) {
            self.roots = query::unfinished_roots(connection, now).map_err(describe)?;
            self.next_sla = slas::next_due(connection, now).map_err(describe)?;
            self.version = Some(version);
        }
        Ok(())
    }

    fn start(&self, root: &JobRow) -> Result<DriverProcess, RunError> {
        match self.until {
            SupervisorEnd::Stopped => {
                detached_owner::start(self.session, root).map(DriverProcess::Detached)
            }
            SupervisorEnd::Idle { json } => {
                let program = registry::program_of(self.session, root)?;
                let mut command = Command::new(&program);
                if drain::is_in_container() {
                    command.env(drain::CONFINED, "1");
                }
                let child = command
                    .arg0(&root.app)
                    .args(["recover", &root.id])
                    .args(json.then_some("--json"))
                    .spawn();
                child
                    .map(DriverProcess::Here)
                    .map_err(|error| RunError::machine(format!("{}: {error}", program.display())))
            }
        }
    }

    /// Records owners that have ended.
    fn reap(&mut self) {
        let mut ended = Vec::new();
        for (id, driver) in &mut self.drivers {
            let code = match driver {
                // An error would mean that it is not our child.
                DriverProcess::Here(child) => match child.try_wait() {
                    Ok(None) => continue,
                    Ok(Some(status)) => status.code(),
                    Err(_) => None,
                },
                DriverProcess::Detached(detached) => {
                    if !detached.has_ended() {
                        continue;
                    }
                    if let Ok(Some(problem)) = detached.problem() {
                        (self.words.say)(&format!("job {id}: {problem}"));
                    }
                    detached.code()
                }
            };
            ended.push((id.clone(), exit_of(code)));
        }
        for (id, exit) in ended {
            self.drivers.remove(&id);
            self.note_exit(exit);
            let is_failure = matches!(exit, Exit::Machine | Exit::Usage);
            match self.until {
                // A job that could not be driven now is not tried again.
                SupervisorEnd::Idle { .. } => {
                    self.hopeless.insert(id);
                }
                SupervisorEnd::Stopped if is_failure => {
                    let n = self.pauses.get(&id).map_or(0, |(n, _)| *n);
                    let factor = 1_u32.checked_shl(n).unwrap_or(u32::MAX);
                    let pause = FIRST_PAUSE.saturating_mul(factor).min(LAST_PAUSE);
                    self.pauses.insert(id, (n + 1, Instant::now() + pause));
                }
                SupervisorEnd::Stopped => {
                    self.pauses.remove(&id);
                }
            }
        }
    }

    fn note_exit(&mut self, exit: Exit) {
        if exit as u8 > self.worst as u8 {
            self.worst = exit;
        }
    }

    /// Asks the owners to release their jobs.
    async fn hand_over(mut self, name: &'static str) -> Exit {
        let settings = Settings {
            conf: &BTreeMap::new(),
            site: &self.session.site,
        };
        let drain = Drain::wanted(name, settings);
        // If the store cannot be read, its last state is used.
        let _ = self.look();
        let mut elsewhere = std::mem::take(&mut self.roots);
        elsewhere.retain(|root| !self.drivers.contains_key(&root.id));
        let mut patience = PATIENCE;
        if let Some(drain) = &drain {
            patience += drain.deadline.saturating_duration_since(Instant::now());
            let here = self.drivers.keys().cloned();
            let others = elsewhere.iter().map(|root| root.id.clone());
            let jobs: Vec<String> = here.chain(others).collect();
            if !jobs.is_empty() {
                (self.words.say)(&drain.announcement(&jobs.join(", ")));
            }
        }
        for driver in self.drivers.values() {
            let pid = match driver {
                DriverProcess::Here(child) => child.id(),
                DriverProcess::Detached(detached) => detached.pid(),
            };
            // Our child, not reaped yet: its process id cannot have been reused.
            if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
                let _ = kill_process(pid, Signal::TERM);
            }
        }
        // Owners that other processes have started are drained with this process, too.
        elsewhere
            .retain(|root| drain.is_some() && drain::pass_on(&root.id, root.owner_pid).is_some());
        let n = self.drivers.len() + elsewhere.len();
        let begun = Instant::now();
        let is_owned = |root: &JobRow| drain::owner_process(&root.id, root.owner_pid).is_some();
        while (!self.drivers.is_empty() || elsewhere.iter().any(is_owned))
            && begun.elapsed() < patience
        {
            tokio::time::sleep(Duration::from_millis(10)).await;
            self.reap();
        }
        let running = match &drain {
            None => "their running actions continue",
            Some(_) if self.drivers.is_empty() => "their running actions have ended",
            Some(_) => "actions that are still running are lost",
        };
        (self.words.say)(&format!(
            "{name}: stopped managing {n} jobs; {running}; to continue them, type: recover"
        ));
        match self.until {
            SupervisorEnd::Stopped => Exit::Success,
            SupervisorEnd::Idle { .. } => Exit::Machine,
        }
    }
}

/// Of the store, its write-ahead log and the index of that. A user who deletes the store by hand deletes the others a moment later, and
/// perhaps those of a new store, whose readers would see nothing any more. SQLite itself deletes them if no process has the store open.
fn inodes(session: &Session) -> [Option<u64>; 3] {
    let StoreLocation::Sqlite(store) = session.home.store_location() else {
        return [None; 3];
    };
    let [log, index] = [store::LOG, store::INDEX].map(|suffix| store::beside(store, suffix));
    [store.as_os_str(), &log, &index]
        .map(|path| fs::metadata(path).map(|metadata| metadata.ino()).ok())
}

fn exit_of(code: Option<i32>) -> Exit {
    match code {
        Some(0) => Exit::Success,
        Some(1) => Exit::Killed,
        Some(2) => Exit::Usage,
        Some(3) => Exit::Failed,
        Some(4) => Exit::Suspended,
        Some(6) => Exit::DoneWithError,
        Some(_) | None => Exit::Machine,
    }
}
