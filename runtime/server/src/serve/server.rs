//! What all requests share. It holds nothing of a job: that is in the store.

use std::{
    path::PathBuf,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU8, Ordering},
    },
    time::Instant,
};

use hpdlc_engine::owner::Session;
use hpdlc_host::{exit::RunError, home::secret, settings};
use hpdlc_runtime::fleet::Masks;
use hpdlc_store::{
    JobRow,
    sql::{self, Connection},
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::serve::{
    changes::Changes,
    checkup::Checkups,
    compile::Compiler,
    cookie::Signer,
    counters::Counters,
    failure::Failure,
    kerberos::Kerberos,
    kinds::Kinds,
    policy::{Access, Mode},
    pool::{Pool, Pooled},
    structures::Structures,
    token_uses::TokenUses,
};

/// The largest body of a request: a configuration with a document in it is far smaller.
pub(crate) const MOST_BYTES: usize = 4 << 20;
/// The largest ZIP of an application.
pub(crate) const MOST_UPLOADED: usize = 32 << 20;
/// Commands of `hpdl --url` that run at once, most of which wait.
const MOST_COMMANDS: usize = 64;
/// What all bodies may take at once, in KiB.
const ROOM: usize = 64 << 10;

/// What the server accepts: `OozieClient.SYSTEM_MODE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SystemMode {
    Normal,
    NoWebService,
    SafeMode,
}

impl SystemMode {
    const ALL: [SystemMode; 3] = [
        SystemMode::Normal,
        SystemMode::NoWebService,
        SystemMode::SafeMode,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            SystemMode::Normal => "NORMAL",
            SystemMode::NoWebService => "NOWEBSERVICE",
            SystemMode::SafeMode => "SAFEMODE",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<SystemMode> {
        SystemMode::ALL.into_iter().find(|mode| mode.name() == name)
    }
}

/// The state of a server.
pub(crate) struct Server {
    pub(crate) session: Session,
    /// Such as `/oozie`; empty for the root.
    pub(crate) base: String,
    /// Such as `http://localhost:11000/oozie`.
    pub(crate) url: String,
    pub(crate) access: Access,
    pub(crate) signer: Signer,
    /// What accepts tickets, if that is how callers are known.
    pub(crate) kerberos: Option<Kerberos>,
    pub(crate) compiler: Compiler,
    pub(crate) kinds: Kinds,
    pub(crate) counters: Mutex<Counters>,
    /// Of the store, for pages that are open.
    pub(crate) changes: Changes,
    /// Graphs that pages have shown.
    pub(crate) structures: Structures,
    pub(crate) checkups: Checkups,
    pub(crate) token_uses: TokenUses,
    pub(crate) started: Instant,
    /// This program, which commands are run with.
    pub(crate) program: PathBuf,
    /// The command line of `hpdl`, whose commands it runs for others.
    pub(crate) command_line: CommandLine,
    /// Room for commands that run at once.
    pub(crate) commands: Arc<Semaphore>,
    pool: Arc<Pool>,
    mode: AtomicU8,
    room: Arc<Semaphore>,
}

/// Makes the clap definition of a command line.
pub(crate) type CommandLine = fn() -> clap::Command;

impl Server {
    /// # Errors
    ///
    /// Exit 5 if the secret that signs cookies cannot be read or made, exit 2 if the list of administrators cannot be read, or a setting of
    /// Kerberos is wrong; exit 5 if there is no GSSAPI for it.
    pub(crate) fn new(
        session: Session,
        base: &str,
        url: String,
        mode: Mode,
        command_line: CommandLine,
    ) -> Result<Server, RunError> {
        let file = settings::site_path(&session.home);
        let file = file.unwrap_or_else(|| session.home.site_file());
        let access = Access::of(&session.site, &file, mode)?;
        let kerberos = match mode {
            Mode::Kerberos => Some(Kerberos::of(&session.site)?),
            Mode::Simple | Mode::Token => None,
        };
        // The hosts of a database share it, which is seen to when the store is opened.
        session.store()?;
        let path = session.home.server_key();
        let secret = secret::of(&path)
            .map_err(|error| RunError::machine(format!("{}: {error}", path.display())))?;
        Ok(Server {
            compiler: Compiler::new(&session),
            pool: Pool::new(&session),
            kinds: Kinds::default(),
            changes: Changes::new(&session),
            structures: Structures::default(),
            checkups: Checkups::default(),
            token_uses: TokenUses::default(),
            session,
            base: base.trim_end_matches('/').to_owned(),
            url,
            access,
            signer: Signer::new(secret),
            kerberos,
            counters: Mutex::new(Counters::default()),
            started: Instant::now(),
            program: PathBuf::from("/proc/self/exe"),
            command_line,
            commands: Arc::new(Semaphore::new(MOST_COMMANDS)),
            mode: AtomicU8::new(0),
            room: Arc::new(Semaphore::new(ROOM)),
        })
    }

    pub(crate) fn mode(&self) -> SystemMode {
        let index = usize::from(self.mode.load(Ordering::Relaxed));
        SystemMode::ALL
            .get(index)
            .copied()
            .unwrap_or(SystemMode::Normal)
    }

    pub(crate) fn set_mode(&self, mode: SystemMode) {
        let index = SystemMode::ALL.iter().position(|known| *known == mode);
        let index = index.and_then(|index| u8::try_from(index).ok());
        self.mode
            .store(index.unwrap_or_default(), Ordering::Relaxed);
    }

    /// Waits until there is room for a body of at most `most` bytes, of unknown length perhaps; `None` if there never will be.
    pub(crate) async fn room_for(
        &self,
        length: Option<u64>,
        most: usize,
    ) -> Option<OwnedSemaphorePermit> {
        let length = length.and_then(|bytes| usize::try_from(bytes).ok());
        let length = length.map_or(most, |bytes| bytes.min(most));
        let kib = u32::try_from(length.div_ceil(1024)).ok()?;
        Arc::clone(&self.room).acquire_many_owned(kib).await.ok()
    }

    /// A connection for a request.
    pub(crate) fn store(&self) -> Result<Pooled, Failure> {
        self.pool.take(&self.session).map_err(Failure::from)
    }

    pub(crate) fn failed(&self, error: sql::Error) -> Failure {
        self.session.describe(error).into()
    }

    /// What hides the secrets of a job, and those that the jobs above it may have passed to it.
    pub(crate) fn mask(&self, connection: &Connection, job: &JobRow) -> Result<Masks, Failure> {
        Masks::on(&self.session, connection, job).map_err(Failure::from)
    }
}
