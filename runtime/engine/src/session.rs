//! Ownership of a job: a lock that the kernel releases when the process dies, and an epoch, the fencing token that every transaction
//! checks.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    sync::Arc,
};

use hpdlc_host::{bell, exit::RunError, home::Home};
use hpdlc_program::table::Program;
use hpdlc_store::{
    self as store, ActionRow, WriteLock,
    hosts::{self, HostPlace},
    query,
    sql::{self, Connection},
};

use crate::host_keeper::HostKeeper;

mod lock;

pub use self::lock::OwnerPlace;

/// The context of a command.
#[derive(Clone)]
pub struct Session {
    pub program: &'static Program,
    pub home: Home,
    pub site: Arc<BTreeMap<String, String>>,
}

/// The right to drive a job tree.
#[derive(Debug)]
pub struct Ownership {
    root: String,
    epoch: i64,
    /// The connection by which the job was taken. It stays open: closing the last connection makes SQLite checkpoint the whole write-ahead
    /// log, and the next one create a new log, which costs a start more than its own commit.
    store: Connection,
    lock: Arc<JobLock>,
}

/// The lock of a job's owner: held until everything that works for the job has released it, or the process dies.
#[derive(Debug)]
pub struct JobLock {
    _file: File,
    /// Keeps this host alive for the others meanwhile.
    keeper: Option<Arc<HostKeeper>>,
}

impl JobLock {
    /// Proves to the other hosts that this one is alive, if it has not for a while: from then on they do not take its jobs over.
    ///
    /// # Errors
    ///
    /// The database refuses.
    pub(crate) fn prove_host(&self, connection: &Connection) -> sql::Result<()> {
        let keeper = self.keeper.as_ref();
        keeper.map_or(Ok(()), |keeper| keeper.prove(connection))
    }
}

impl Ownership {
    pub(crate) fn new(
        root: String,
        epoch: i64,
        store: Connection,
        lock: Arc<JobLock>,
    ) -> Ownership {
        Ownership {
            root,
            epoch,
            store,
            lock,
        }
    }

    /// The job at the top of the tree.
    pub fn root(&self) -> &str {
        &self.root
    }

    pub fn epoch(&self) -> i64 {
        self.epoch
    }

    /// The file that is locked as long as the job is owned.
    pub(crate) fn lock(&self) -> Arc<JobLock> {
        Arc::clone(&self.lock)
    }

    /// The parts for the driver: the job, the epoch, the connection and the lock.
    pub fn into_parts(self) -> (String, i64, Connection, Arc<JobLock>) {
        (self.root, self.epoch, self.store, self.lock)
    }

    /// Checks the epoch in a transaction of the owner, as the engine's transactions do.
    ///
    /// # Errors
    ///
    /// Exit 5 if another process has become the owner.
    pub fn check(&self, session: &Session, connection: &Connection) -> Result<(), RunError> {
        let row = query::job(connection, &self.root).map_err(|error| session.describe(error))?;
        if row.is_some_and(|row| row.epoch == self.epoch) {
            return Ok(());
        }
        let job = self.root.clone();
        Err(store::StoreError::NotOwner { job }.describe(session.home.store_location()))
    }
}

impl Session {
    pub fn store(&self) -> Result<Connection, RunError> {
        store::open(&self.home)
    }

    /// A fair lock for a transaction that writes: later waiters do not overtake earlier ones.
    pub fn write_lock(&self) -> WriteLock {
        WriteLock::of(self.home.store_location())
    }

    pub fn describe(&self, error: sql::Error) -> RunError {
        store::StoreError::from(error).describe(self.home.store_location())
    }

    /// Becomes the owner of a job tree; `None` if a living process is, or actions of it run on another living host.
    pub fn own(&self, root: &str) -> Result<Option<Ownership>, RunError> {
        let Some(lock) = self.lock_file(root)? else {
            return Ok(None);
        };
        self.own_by(root, lock, self.store()?, self.keeper()?)
    }

    /// As [`Session::own`], on a thread that has other jobs to drive. `None` also if another process has the lock for a moment: the caller
    /// may retry.
    pub fn own_briefly(&self, root: &str) -> Result<Option<Ownership>, RunError> {
        let Some(lock) = self.lock_file_briefly(root)? else {
            return Ok(None);
        };
        self.own_by(root, lock, self.store()?, self.keeper()?)
    }

    /// As [`Session::own`], by an open connection.
    #[cfg(test)]
    pub fn own_on(
        &self,
        root: &str,
        connection: Connection,
    ) -> Result<Option<Ownership>, RunError> {
        match self.lock_file(root)? {
            // The simulator proves by itself which of its hosts are alive.
            Some(lock) => self.own_by(root, lock, connection, None),
            None => Ok(None),
        }
    }

    fn own_by(
        &self,
        root: &str,
        lock: File,
        connection: Connection,
        keeper: Option<Arc<HostKeeper>>,
    ) -> Result<Option<Ownership>, RunError> {
        let describe = |error| self.describe(error);
        let Some(lock) = self.lock_on(root, lock, &connection, keeper)? else {
            return Ok(None);
        };
        let host = self.host()?;
        // Alone, so that the former owner has committed everything, or commits nothing more.
        let transaction = connection.transaction().map_err(describe)?;
        let epoch = query::take_ownership(&transaction, root, std::process::id(), host.as_deref())
            .map_err(describe)?;
        let Some(epoch) = epoch else {
            // The job was removed between the look-up and the lock, with its files. The holder of the lock may remove the lock file.
            let _ = fs::remove_file(self.home.locks().join(root));
            return Err(RunError::usage(format!("job {root} was purged meanwhile"))
                .with_help("`jobs` lists the existing jobs"));
        };
        let bound = hosts::bound_to(&transaction, root, host.as_deref()).map_err(describe)?;
        if bound.is_some() {
            return Ok(None);
        }
        transaction.commit().map_err(describe)?;
        Ok(Some(Ownership::new(
            root.to_owned(),
            epoch,
            connection,
            lock,
        )))
    }

    /// What proves to other hosts that this one is alive; `None` for a store in a file.
    pub(crate) fn keeper(&self) -> Result<Option<Arc<HostKeeper>>, RunError> {
        HostKeeper::of(&self.home, &self.site)
    }

    /// The id of this host; none for a store in a file.
    pub fn host(&self) -> Result<Option<String>, RunError> {
        self.home.host().map_err(|error| {
            RunError::machine(format!("{}: {error}", self.home.host_id().display()))
        })
    }

    /// The other host where an action runs or ran, which has its files.
    ///
    /// # Errors
    ///
    /// Exit 5 if the store cannot be read.
    pub fn other_host_of(
        &self,
        connection: &Connection,
        action: &ActionRow,
    ) -> Result<Option<HostPlace>, RunError> {
        let own = self.host()?;
        hosts::other_place(connection, action.boot_id.as_deref(), own.as_deref())
            .map_err(|error| self.describe(error))
    }

    /// What the owner of a job holds, once the job's lock on this host is its own: the lock in the database, and the proof that this host is
    /// alive. `None` if a process on another living host is the owner. From here on the owner is notified by the database, too.
    pub(crate) fn lock_on(
        &self,
        root: &str,
        file: File,
        connection: &Connection,
        keeper: Option<Arc<HostKeeper>>,
    ) -> Result<Option<Arc<JobLock>>, RunError> {
        let describe = |error| self.describe(error);
        let host = self.host()?;
        if let Some(keeper) = &keeper {
            keeper.prove(connection).map_err(describe)?;
        }
        if !hosts::take_job(connection, root, host.as_deref()).map_err(describe)? {
            return Ok(None);
        }
        if host.is_some() {
            let (home, root) = (self.home.clone(), root.to_owned());
            connection.on_notice(move || bell::ring(&home, &root));
        }
        Ok(Some(Arc::new(JobLock {
            _file: file,
            keeper,
        })))
    }
}
