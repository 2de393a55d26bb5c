//! Owning a job: a lock that the kernel releases when the process dies, and an epoch, the fencing token that every transaction
//! checks.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    sync::Arc,
};

use hpdlc_host::{exit::RunError, home::Home};
use hpdlc_program::table::Program;
use hpdlc_store::{self as store, WriteLock, query};
use rusqlite::Connection;

mod lock;

/// What a command works with.
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
    /// What the job was taken with. It stays open: the last connection that closes makes SQLite move the whole log into the
    /// database, and the next one make a new log, which costs a start more than its own commit.
    store: Connection,
    /// Locked until the last that works for the job lets go of it, or the process dies.
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

    /// What is locked as long as the job is owned.
    pub(crate) fn lock(&self) -> Arc<File> {
        Arc::clone(&self.lock)
    }

    /// For whoever drives: the job, the epoch, the connection and the lock.
    pub fn into_parts(self) -> (String, i64, Connection, Arc<File>) {
        (self.root, self.epoch, self.store, self.lock)
    }

    /// Holds a transaction of the owner against the epoch, as the engine's are.
    ///
    /// # Errors
    ///
    /// Exit 5 where another process has become the owner.
    pub fn check(&self, session: &Session, connection: &Connection) -> Result<(), RunError> {
        let row = query::job(connection, &self.root).map_err(|error| session.describe(error))?;
        if row.is_some_and(|row| row.epoch == self.epoch) {
            return Ok(());
        }
        let job = self.root.clone();
        Err(store::StoreError::NotOwner { job }.describe(&session.home.store()))
    }
}

impl Session {
    pub fn store(&self) -> Result<Connection, RunError> {
        store::open(&self.home)
    }

    /// For a transaction that writes: who waits for this is not kept waiting by those who come later.
    pub fn write_lock(&self) -> WriteLock {
        WriteLock::of(&self.home.store())
    }

    pub fn describe(&self, error: rusqlite::Error) -> RunError {
        store::StoreError::from(error).describe(&self.home.store())
    }

    /// Becomes the owner of a job tree, or says `None` because a living process is.
    pub fn own(&self, root: &str) -> Result<Option<Ownership>, RunError> {
        let Some(lock) = self.hold(root)? else {
            return Ok(None);
        };
        self.own_by(root, lock, self.store()?).map(Some)
    }

    /// As [`Session::own`], on a thread that has other jobs to drive. `None` also where somebody has the lock for a moment: whoever
    /// asks asks again.
    pub fn own_briefly(&self, root: &str) -> Result<Option<Ownership>, RunError> {
        let Some(lock) = self.hold_briefly(root)? else {
            return Ok(None);
        };
        self.own_by(root, lock, self.store()?).map(Some)
    }

    /// As [`Session::own`], by a connection that is open.
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
            // Removed between the look at it and its lock, the files with it. Whoever has the lock may remove it.
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
