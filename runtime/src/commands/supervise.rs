//! Many jobs at once: a process each, of the executable that the job belongs to, and one that looks after them.
//!
//! That an owner has died shows in its lock, which the kernel has released: a few times a second the locks of the jobs that
//! need an owner are tried, and the store is read where anything in it has changed. Nothing is written for it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    os::unix::{fs::MetadataExt, process::CommandExt},
    process::{Child, Command},
    time::{Duration, Instant},
};

use hpdlc_core::status::JobStatus;
use hpdlc_engine::{
    detached_owner::{self, Detached},
    notify::sender_process,
    owner::Session,
    registry,
};
use hpdlc_executors::callbacks;
use hpdlc_host::{
    clock,
    drain::{self, Drain},
    exit::{Exit, RunError},
    settings::Settings,
    signal_stream::SignalStream,
};
use hpdlc_store::{self as store, JobRow, query, slas};
use rusqlite::Connection;
use rustix::process::{Pid, Signal, kill_process};

use crate::commands::{report, say};

/// How often locks are looked at.
const LOOK: Duration = Duration::from_millis(250);

/// How long a job is left alone whose owner could not go on: at first, and at most.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LAST_PAUSE: Duration = Duration::from_secs(60);

/// How long owners may take to let go of their jobs.
const PATIENCE: Duration = Duration::from_secs(10);

/// When the supervisor ends.
#[derive(Clone, Copy, Debug)]
pub(super) enum Until {
    /// Every job that it has found was driven to its end; the owners write where it does.
    Idle { json: bool },
    /// It is asked to.
    Stopped,
}

enum Driver {
    /// It shares our terminal.
    Here(Child),
    Detached(Detached),
}

struct Supervisor<'a> {
    session: &'a Session,
    until: Until,
    /// None where the last attempt to open it has failed.
    connection: Option<Connection>,
    /// The files of the store when it was opened; see [`inodes`].
    files: [Option<u64>; 3],
    /// SQLite's number of changes that others have made, and the roots that were found then.
    version: Option<i64>,
    roots: Vec<JobRow>,
    /// When the next service level is to be looked at.
    next_sla: Option<i64>,
    drivers: BTreeMap<String, Driver>,
    /// Jobs that are left alone: how often their owner has failed, and until when.
    pauses: BTreeMap<String, (u32, Instant)>,
    /// Jobs that nobody here can drive, which was said once.
    hopeless: BTreeSet<String>,
    worst: Exit,
}

/// Drives every job that has no owner.
///
/// # Errors
///
/// The store cannot be read.
pub(super) fn supervise(session: &Session, until: Until) -> Result<Exit, RunError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| RunError::machine(format!("cannot start: {error}")))?;
    // Before it is opened: one that is replaced in between is noticed then.
    let files = inodes(session);
    let supervisor = Supervisor {
        session,
        until,
        connection: Some(session.store()?),
        files,
        version: None,
        roots: Vec::new(),
        next_sla: None,
        drivers: BTreeMap::new(),
        pauses: BTreeMap::new(),
        hopeless: BTreeSet::new(),
        worst: Exit::Success,
    };
    runtime.block_on(supervisor.run())
}

impl Supervisor<'_> {
    async fn run(mut self) -> Result<Exit, RunError> {
        let unheard = |error| RunError::machine(format!("cannot listen to signals: {error}"));
        let mut interrupt = SignalStream::always(Signal::INT).map_err(unheard)?;
        let mut terminate = SignalStream::always(Signal::TERM).map_err(unheard)?;
        let mut hang_up = SignalStream::unless_ignored(Signal::HUP).map_err(unheard)?;
        if let Until::Stopped = self.until {
            say(&format!(
                "watching the jobs of {}",
                self.session.home.root().display()
            ));
        }
        loop {
            self.reap();
            if let Err(error) = self.take_up() {
                // A disk that is full now may not be so for ever.
                match self.until {
                    Until::Stopped if error.exit == Exit::Machine => report(&error),
                    Until::Stopped | Until::Idle { .. } => return Err(error),
                }
            }
            if matches!(self.until, Until::Idle { .. }) && self.drivers.is_empty() {
                return Ok(self.worst);
            }
            let name = tokio::select! {
                () = tokio::time::sleep(LOOK) => continue,
                // The owners here have heard it from the terminal themselves.
                () = interrupt.next() => match self.until {
                    Until::Idle { .. } => continue,
                    Until::Stopped => "SIGINT",
                },
                () = terminate.next() => "SIGTERM",
                () = hang_up.next() => "SIGHUP",
            };
            return Ok(self.hand_over(name).await);
        }
    }

    /// Finds an owner for every job that has none.
    fn take_up(&mut self) -> Result<(), RunError> {
        self.look()?;
        if self.session.home.callback_key().exists() {
            // Said once, by the job that needs it; a watcher has more to do.
            let _ = callbacks::ensure(&self.session.home);
        }
        // What ended jobs have left to be told.
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
            match self.start(&root) {
                Ok(driver) => {
                    if let Driver::Detached(detached) = &driver {
                        let why = match root.status {
                            JobStatus::Prep | JobStatus::Suspended => "has work to do",
                            JobStatus::Running
                            | JobStatus::Succeeded
                            | JobStatus::Killed
                            | JobStatus::Failed => "has lost its owner",
                        };
                        say(&format!(
                            "job {} ({}) {why}; process {} takes it over",
                            root.id,
                            root.app,
                            detached.pid()
                        ));
                    }
                    self.drivers.insert(root.id, driver);
                }
                Err(error) => {
                    report(&error);
                    self.note_exit(error.exit);
                    self.hopeless.insert(root.id);
                }
            }
        }
        Ok(())
    }

    /// Reads the jobs that need an owner where the store has changed.
    fn look(&mut self) -> Result<(), RunError> {
        let describe = |error| self.session.describe(error);
        let files = inodes(self.session);
        let connection = match self.connection.take() {
            Some(open) if files == self.files => open,
            old => {
                // Somebody has deleted or replaced it: its successor has jobs too. It would share the index of the old one
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

    fn start(&self, root: &JobRow) -> Result<Driver, RunError> {
        match self.until {
            Until::Stopped => detached_owner::start(self.session, root).map(Driver::Detached),
            Until::Idle { json } => {
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
                    .map(Driver::Here)
                    .map_err(|error| RunError::machine(format!("{}: {error}", program.display())))
            }
        }
    }

    /// Takes note of owners that have ended.
    fn reap(&mut self) {
        let mut ended = Vec::new();
        for (id, driver) in &mut self.drivers {
            let code = match driver {
                // An error would mean that it is no child of ours.
                Driver::Here(child) => match child.try_wait() {
                    Ok(None) => continue,
                    Ok(Some(status)) => status.code(),
                    Err(_) => None,
                },
                Driver::Detached(detached) => {
                    if !detached.has_ended() {
                        continue;
                    }
                    if let Ok(Some(problem)) = detached.problem() {
                        say(&format!("job {id}: {problem}"));
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
                // What it could not do now it will not do a moment later.
                Until::Idle { .. } => {
                    self.hopeless.insert(id);
                }
                Until::Stopped if is_failure => {
                    let n = self.pauses.get(&id).map_or(0, |(n, _)| *n);
                    let factor = 1_u32.checked_shl(n).unwrap_or(u32::MAX);
                    let pause = FIRST_PAUSE.saturating_mul(factor).min(LAST_PAUSE);
                    self.pauses.insert(id, (n + 1, Instant::now() + pause));
                }
                Until::Stopped => {
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

    /// Has the owners let go of their jobs.
    async fn hand_over(mut self, name: &'static str) -> Exit {
        let settings = Settings {
            conf: &BTreeMap::new(),
            site: &self.session.site,
        };
        let drain = Drain::wanted(name, settings);
        // Where the store cannot be read its last state is known.
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
                say(&drain.announcement(&jobs.join(", ")));
            }
        }
        for driver in self.drivers.values() {
            let pid = match driver {
                Driver::Here(child) => child.id(),
                Driver::Detached(detached) => detached.pid(),
            };
            // Ours, and not yet waited for: the number is nobody else's.
            if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
                let _ = kill_process(pid, Signal::TERM);
            }
        }
        // Owners that others have started end with this process too.
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
        say(&format!(
            "{name}: stopped managing {n} jobs; {running}; to continue them, type: recover"
        ));
        match self.until {
            Until::Stopped => Exit::Success,
            Until::Idle { .. } => Exit::Machine,
        }
    }
}

/// Of the store, its log and the index of that. Whoever deletes the store by hand deletes the others a moment later, and perhaps those of a
/// new store: its readers would see nothing any more. SQLite itself deletes them where nobody has the store open.
fn inodes(session: &Session) -> [Option<u64>; 3] {
    let store = session.home.store();
    let [log, index] = [store::LOG, store::INDEX].map(|suffix| store::beside(&store, suffix));
    [store.into_os_string(), log, index]
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
