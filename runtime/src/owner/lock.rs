//! Who has the lock of a job tree: its owner, whoever looks at it for a moment, or what a dead owner was about to start.

use std::{
    fs::{self, File, TryLockError},
    io,
    sync::Arc,
    thread,
    time::Duration,
};

use rusqlite::Connection;

use crate::{
    exit::RunError,
    owner::Session,
    store::{JobRow, query},
};

/// How often, and after which time, a lock is tried again that somebody may hold only to look.
const LOOKS: u32 = 3;
const LOOK: Duration = Duration::from_millis(5);

/// How often, and after which time, a lock is looked at whose holder is not the process of which the store knows.
const OWNER_LOOKS: u32 = 50;
const OWNER_LOOK: Duration = Duration::from_millis(20);

/// Who has a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holder {
    Nobody,
    /// The process that the store names, which lives.
    Owner,
    /// For a moment: an owner has the lock before its number is in the store, and a process that a dead one was starting has it
    /// until it is executed. For ever: an owner whose number means another process here.
    Somebody,
}

impl Session {
    /// The process that owns a job tree, to be named to people.
    pub fn owner_pid(&self, root: &str) -> Result<Option<i64>, RunError> {
        let connection = self.store()?;
        self.await_holder(&connection, root)?;
        self.recorded_owner(&connection, root)
    }

    /// Those of the jobs that no living process owns.
    pub fn ownerless(
        &self,
        connection: &Connection,
        roots: Vec<JobRow>,
    ) -> Result<Vec<JobRow>, RunError> {
        let mut ownerless = Vec::new();
        // For all of them: there may be many.
        let mut looks = OWNER_LOOKS;
        for root in roots {
            if self.await_holder_for(connection, &root.id, &mut looks)? == Holder::Nobody {
                ownerless.push(root);
            }
        }
        Ok(ownerless)
    }

    /// Waits a second at most where it is somebody.
    fn await_holder(&self, connection: &Connection, root: &str) -> Result<Holder, RunError> {
        let mut looks = OWNER_LOOKS;
        self.await_holder_for(connection, root, &mut looks)
    }

    fn await_holder_for(
        &self,
        connection: &Connection,
        root: &str,
        looks: &mut u32,
    ) -> Result<Holder, RunError> {
        loop {
            let holder = self.holder(connection, root)?;
            if holder != Holder::Somebody || *looks == 0 {
                return Ok(holder);
            }
            *looks -= 1;
            thread::sleep(OWNER_LOOK);
        }
    }

    fn holder(&self, connection: &Connection, root: &str) -> Result<Holder, RunError> {
        if !self.has_owner(root) {
            return Ok(Holder::Nobody);
        }
        let owner = self.recorded_owner(connection, root)?;
        Ok(if owner.is_some_and(is_alive) {
            Holder::Owner
        } else {
            Holder::Somebody
        })
    }

    fn recorded_owner(&self, connection: &Connection, root: &str) -> Result<Option<i64>, RunError> {
        let row = query::job(connection, root).map_err(|error| self.describe(error))?;
        Ok(row.and_then(|row| row.owner_pid))
    }

    /// Somebody has the lock of the job tree. Only looks.
    pub fn has_owner(&self, root: &str) -> bool {
        File::open(self.home.locks().join(root))
            .is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// Keeps every process from owning a job tree while the result lives; `None` where one does.
    pub fn hold(&self, root: &str) -> Result<Option<Arc<File>>, RunError> {
        self.lock(root)
    }

    pub(super) fn lock(&self, root: &str) -> Result<Option<Arc<File>>, RunError> {
        let mut lock = self.try_lock(root)?;
        for _ in 0..LOOKS {
            if lock.is_some() {
                return Ok(lock);
            }
            thread::sleep(LOOK);
            lock = self.try_lock(root)?;
        }
        if lock.is_none() && self.await_holder(&self.store()?, root)? == Holder::Nobody {
            lock = self.try_lock(root)?;
        }
        Ok(lock)
    }

    fn try_lock(&self, root: &str) -> Result<Option<Arc<File>>, RunError> {
        let path = self.home.locks().join(root);
        let failed = |error: io::Error| RunError::machine(format!("{}: {error}", path.display()));
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(failed)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Arc::new(file))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    }
}

fn is_alive(pid: i64) -> bool {
    state_of(pid).is_some_and(|state| !matches!(state, 'Z' | 'X'))
}

/// The state of a process, as the letter in `/proc/PID/stat` gives it; `None` where there is none of that number.
pub fn state_of(pid: i64) -> Option<char> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.chars().next()
}
