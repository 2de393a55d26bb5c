//! Proves that this host is alive while it drives jobs, so that the other hosts of the database leave them alone.
//!
//! One process of the host does it, the one that has the lock `host.lock`; the others only when it fails to. Its thread ends with the last job that
//! the process owns. A launcher that outlives its owner starts a process that only does this ([`serve_if_asked`]): what runs under it is
//! awaited by the next owner.

use std::{
    collections::BTreeMap,
    io::{self, Read},
    path::{Path, PathBuf},
    process,
    sync::{
        Arc, Mutex, PoisonError, Weak,
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread,
    time::Duration,
};

use hpdlc_host::{
    exit::RunError,
    home::{Home, lock},
    liveness::{self, BootTime},
    settings,
};
use hpdlc_launcher::fence;
use hpdlc_store::{
    hosts::{self, Prover},
    sql::{self, Connection},
};

/// How often a host proves that it is alive within its timeout.
const PROOFS: u32 = 10;

/// The longest time between two proofs.
const LONGEST: Duration = Duration::from_secs(10);

/// Proves that this host is alive until it is dropped.
#[derive(Debug)]
pub struct HostKeeper {
    beat: Beat,
    /// Its thread ends when this is gone.
    _stop: Sender<()>,
}

/// What is proved how often.
#[derive(Clone, Debug)]
struct Beat {
    home: Home,
    host: String,
    timeout: Duration,
}

impl HostKeeper {
    /// That of this process and state folder; `None` for a store in a file.
    ///
    /// # Errors
    ///
    /// Exit 2 for a wrong `hpdl.host.timeout`; exit 5 if no thread can be started.
    pub fn of(
        home: &Home,
        site: &BTreeMap<String, String>,
    ) -> Result<Option<Arc<HostKeeper>>, RunError> {
        static RUNNING: Mutex<Option<(PathBuf, Weak<HostKeeper>)>> = Mutex::new(None);
        let Some(beat) = Beat::of(home, site)? else {
            return Ok(None);
        };
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        let known = running
            .as_ref()
            .filter(|(home, _)| home == beat.home.root());
        if let Some(keeper) = known.and_then(|(_, keeper)| keeper.upgrade()) {
            return Ok(Some(keeper));
        }
        let (sender, stop) = mpsc::channel();
        let work = beat.clone();
        thread::Builder::new()
            .name("host".to_owned())
            .spawn(move || work.keep(&stop))
            .map_err(|error| RunError::machine(format!("cannot start a thread: {error}")))?;
        let home = beat.home.root().to_owned();
        let keeper = Arc::new(HostKeeper {
            beat,
            _stop: sender,
        });
        *running = Some((home, Arc::downgrade(&keeper)));
        Ok(Some(keeper))
    }

    /// Proves it now, by an open connection, unless that was done a moment ago: what is started from here on may run for a while.
    ///
    /// # Errors
    ///
    /// The database refuses.
    pub fn prove(&self, connection: &Connection) -> sql::Result<()> {
        let beat = &self.beat;
        let proved = liveness::read(&beat.home.host_alive());
        if proved.is_some_and(|until| until.rest() > beat.holds() / 2) {
            return Ok(());
        }
        beat.prove(|| hosts::prove(connection, &beat.host, beat.timeout))
    }
}

impl Beat {
    fn of(home: &Home, site: &BTreeMap<String, String>) -> Result<Option<Beat>, RunError> {
        let host = home
            .host()
            .map_err(|error| RunError::machine(format!("{}: {error}", home.host_id().display())))?;
        let Some(host) = host else {
            return Ok(None);
        };
        let timeout = settings::host_timeout(site)?;
        Ok(Some(Beat {
            home: home.clone(),
            host,
            timeout,
        }))
    }

    fn interval(&self) -> Duration {
        (self.timeout / PROOFS).min(LONGEST)
    }

    /// How long a proof lets processes of this host run: a little less than other hosts wait.
    fn holds(&self) -> Duration {
        self.timeout - self.timeout / PROOFS
    }

    /// Has `told` record it, and notes until when that holds: counted from before, so that the others' time ends later.
    fn prove(&self, told: impl FnOnce() -> sql::Result<()>) -> sql::Result<()> {
        let begun = BootTime::now();
        told()?;
        // If it cannot be written, processes are ended early.
        let _ = liveness::write(&self.home.host_alive(), begun.after(self.holds()));
        Ok(())
    }

    /// Until `stop` is closed.
    fn keep(&self, stop: &Receiver<()>) {
        let is_over = |pause: Duration| stop.recv_timeout(pause) != Err(RecvTimeoutError::Timeout);
        let mut held = None;
        let mut prover: Option<Prover> = None;
        while !is_over(self.interval()) {
            if held.is_none() {
                held = lock::attempt(&self.home.host_lock()).unwrap_or_default();
            }
            // Who has the lock may be stopped.
            let proved = liveness::read(&self.home.host_alive());
            let is_fresh = proved.is_some_and(|until| until.rest() > self.holds() * 7 / 10);
            if held.is_none() && is_fresh {
                prover = None;
                continue;
            }
            if prover.is_none() {
                let patience = self.interval() * 2;
                prover = Prover::open(&self.home, &self.host, patience).ok();
            }
            if let Some(open) = &prover
                && self.prove(|| open.prove(self.timeout)).is_err()
            {
                prover = None;
            }
        }
    }
}

/// Proves that the host is alive if this process was started for that, until its standard input is closed; returns otherwise.
pub fn serve_if_asked() {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_none_or(|first| first != fence::KEEPER) {
        return;
    }
    let Some(root) = arguments.next() else {
        process::exit(2);
    };
    process::exit(match serve(Path::new(&root)) {
        Ok(()) => 0,
        Err(error) => error.exit as i32,
    });
}

fn serve(root: &Path) -> Result<(), RunError> {
    let home = Home::open_at(root.to_owned())?;
    let site = settings::site(&home)?;
    let Some(beat) = Beat::of(&home, &site)? else {
        return Ok(());
    };
    let (stop, stopped) = mpsc::channel();
    thread::spawn(move || {
        // Nobody writes: it ends with the launcher.
        let _ = io::stdin().read(&mut [0]);
        drop(stop);
    });
    beat.keep(&stopped);
    Ok(())
}
