//! Ownership of a job: a lock that the kernel releases when the process dies, and an epoch, the fencing token that every transaction
//! checks.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    sync::Arc,
};

use hpdlc_host::{exit::RunError, home::Home};
use hpdlc_program::table::Program;
use hpdlc_store::{
    self as store, WriteLock, query,
    sql::{self, Connection},
};

mod lock;

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
    /// Locked until everything that works for the job has released it, or the process dies.
    lock: Arc<File>,
}

impl Ownership {
    pub(crate) fn new(root: String, epoch: i64, store: Connection, lock: Arc<File>) -> Ownership {
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
    pub(crate) fn lock(&self) -> Arc<File> {
        Arc::clone(&self.lock)
    }

    /// The parts for the driver: the job, the epoch, the connection and the lock.
    pub fn into_parts(self) -> (String, i64, Connection, Arc<File>) {
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

    /// Becomes the owner of a job tree; `None` if a living process is.
    pub fn own(&self, root: &str) -> Result<Option<Ownership>, RunError> {
        let Some(lock) = self.hold(root)? else {
            return Ok(None);
        };
        self.own_by(root, lock, self.store()?).map(Some)
    }

    /// As [`Session::own`], on a thread that has other jobs to drive. `None` also if another process has the lock for a moment: the caller
    /// may retry.
    pub fn own_briefly(&self, root: &str) -> Result<Option<Ownership>, RunError> {
        let Some(lock) = self.hold_briefly(root)? else {
            return Ok(None);
        };
        self.own_by(root, lock, self.store()?).map(Some)
    }

    /// As [`Session::own`], by an open connection.
    #[cfg(test)]
    pub fn own_on(
        &self,
        root: &str,
        connection: Connection,
    ) -> Result<Option<Ownership>, RunError> {
        let lock = self.hold(root)?;
        lock.map(|lock| self.own_by(root, lock, connection))
            .transpose()
    }

    fn own_by(
        &self,
        root: &str,
        lock: Arc<File>,
        connection: Connection,
    ) -> Result<Ownership, RunError> {
        let epoch = query::take_ownership(&connection, root, std::process::id())
            .map_err(|error| self.describe(error))?;
        let Some(epoch) = epoch else {
            // The job was removed between the look-up and the lock, with its files. The holder of the lock may remove the lock file.
            let _ = fs::remove_file(self.home.locks().join(root));
            return Err(RunError::usage(format!("job {root} was purged meanwhile"))
                .with_help("`jobs` lists the existing jobs"));
        };
        Ok(Ownership {
            root: root.to_owned(),
            epoch,
            store: connection,
            lock,
        })
    }
}
