//! The holder of a job tree's lock: its owner, a process that checks it for a moment, or a child that a dead owner was starting. With a
//! database for several hosts also who is responsible for it on another one.

use std::{fmt, fs::File, sync::Arc, thread, time::Duration};

use hpdlc_host::{clock, exit::RunError, home::lock, proc_stat::Stat};
use hpdlc_store::{
    JobRow,
    hosts::{self, Elsewhere},
    query,
    sql::Connection,
};

use crate::session::Session;

/// How often, and at which interval, a lock is checked whose holder is not the process recorded in the store.
const LOOKS: u32 = 200;
const LOOK: Duration = Duration::from_millis(5);

/// As [`LOOKS`] and [`LOOK`], for a thread that many jobs share.
const BRIEF_LOOKS: u32 = 5;
const BRIEF_LOOK: Duration = Duration::from_millis(1);

/// How often a lock is tried before its holder is looked up: a process that only checks has it for a moment.
const TRIES: u32 = 3;

/// The holder of a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holder {
    Nobody,
    /// The process recorded in the store, which is alive.
    Owner,
    /// An unknown process. For a moment: an owner has the lock before its pid is in the store, and a process that a dead owner was starting
    /// has it until its exec. For ever: an owner in another pid namespace.
    Somebody,
    /// Another living host is responsible for the job.
    Elsewhere,
}

impl Session {
    /// The process that owns a job tree, to be shown to the user.
    pub fn owner(&self, root: &str) -> Result<OwnerPlace, RunError> {
        let connection = self.store()?;
        let mut looks = LOOKS;
        self.await_holder(&connection, root, &mut looks)?;
        let pid = self.recorded_owner(&connection, root)?;
        let elsewhere = match lock::is_held(&self.home.locks().join(root)) {
            true => None,
            false => hosts::elsewhere(&self.home, root),
        };
        Ok(OwnerPlace { pid, elsewhere })
    }

    /// Jobs that need an owner and have none.
    pub fn ownerless(&self) -> Result<Vec<JobRow>, RunError> {
        let connection = self.store()?;
        let roots = query::unfinished_roots(&connection, clock::now_millis())
            .map_err(|error| self.describe(error))?;
        let mut ownerless = Vec::new();
        // Shared by all of them: there may be many.
        let mut looks = LOOKS;
        for root in roots {
            if self.await_holder(&connection, &root.id, &mut looks)? == Holder::Nobody {
                ownerless.push(root);
            }
        }
        Ok(ownerless)
    }

    /// Whether any process has the lock of the job tree, or another living host is responsible for it.
    pub fn has_owner(&self, root: &str) -> bool {
        lock::is_held(&self.home.locks().join(root)) || hosts::elsewhere(&self.home, root).is_some()
    }

    /// Prevents every process of this host from owning a job tree while the result lives; `None` if one does, or another host is
    /// responsible for it.
    pub fn hold(&self, root: &str) -> Result<Option<Arc<File>>, RunError> {
        if hosts::elsewhere(&self.home, root).is_some() {
            return Ok(None);
        }
        self.lock_file(root).map(|file| file.map(Arc::new))
    }

    /// Takes the lock of a job tree; `None` if its owner has it.
    pub(super) fn lock_file(&self, root: &str) -> Result<Option<File>, RunError> {
        let path = self.home.locks().join(root);
        let mut connection = None;
        for look in 0..LOOKS {
            if let Some(file) = lock::take(&path)? {
                return Ok(Some(file));
            }
            if look >= TRIES {
                let connection = match &mut connection {
                    Some(open) => open,
                    none => none.insert(self.store()?),
                };
                if self.holder(connection, root)? == Holder::Owner {
                    break;
                }
            }
            thread::sleep(LOOK);
        }
        Ok(None)
    }

    /// As [`Session::lock_file`], for a thread that has other jobs to drive: it waits only for processes that check the lock.
    pub(crate) fn lock_file_briefly(&self, root: &str) -> Result<Option<File>, RunError> {
        let path = self.home.locks().join(root);
        for _ in 0..BRIEF_LOOKS {
            if let Some(file) = lock::take(&path)? {
                return Ok(Some(file));
            }
            thread::sleep(BRIEF_LOOK);
        }
        Ok(None)
    }

    /// Polls while the holder is unknown and `looks` are left.
    fn await_holder(
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
            thread::sleep(LOOK);
        }
    }

    fn holder(&self, connection: &Connection, root: &str) -> Result<Holder, RunError> {
        if !lock::is_held(&self.home.locks().join(root)) {
            return Ok(match hosts::elsewhere(&self.home, root) {
                Some(_) => Holder::Elsewhere,
                None => Holder::Nobody,
            });
        }
        let owner = self.recorded_owner(connection, root)?.and_then(Stat::of);
        Ok(if owner.is_some_and(Stat::is_running) {
            Holder::Owner
        } else {
            Holder::Somebody
        })
    }

    fn recorded_owner(&self, connection: &Connection, root: &str) -> Result<Option<i64>, RunError> {
        let row = query::job(connection, root).map_err(|error| self.describe(error))?;
        Ok(row.and_then(|row| row.owner_pid))
    }
}

/// Who is responsible for a job tree, in the words of [`OwnerPlace::fmt`].
#[derive(Clone, Debug)]
pub struct OwnerPlace {
    /// The owner's process, on the other host if there is one.
    pid: Option<i64>,
    elsewhere: Option<Elsewhere>,
}

impl OwnerPlace {
    /// The process on this host.
    pub fn pid(&self) -> Option<i64> {
        self.pid.filter(|_| self.elsewhere.is_none())
    }

    /// No process drives it: another host has to, since its actions run there.
    pub fn is_waited_for(&self) -> bool {
        matches!(self.elsewhere, Some(Elsewhere::Actions(_)))
    }

    /// The process, on whatever host.
    pub fn recorded_pid(&self) -> Option<i64> {
        self.pid
    }

    /// The machine of the other host.
    pub fn machine(&self) -> Option<&str> {
        match &self.elsewhere {
            Some(Elsewhere::Owner(machine) | Elsewhere::Actions(machine)) => Some(machine),
            Some(Elsewhere::Unknown) | None => None,
        }
    }
}

impl fmt::Display for OwnerPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pid = self.pid.unwrap_or_default();
        match &self.elsewhere {
            None => write!(f, "process {pid}"),
            Some(Elsewhere::Owner(machine)) => write!(f, "process {pid} on host {machine}"),
            Some(Elsewhere::Actions(machine)) => write!(f, "host {machine}, where its actions run"),
            Some(Elsewhere::Unknown) => {
                f.write_str("an unknown process: the job store does not answer")
            }
        }
    }
}
