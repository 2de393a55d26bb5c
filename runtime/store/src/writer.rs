//! Writes for the owner of a job, as a group commit: one transaction per batch, on disk when it returns.

use std::{cell::Cell, path::PathBuf};

use hpdlc_host::home::store_location::StoreLocation;

use crate::{
    ActionRow, CommandRow, JobRow, LogRow, NewRun, SlaRow, StoreError, WriteLock,
    commands::Handled,
    notifications::NewNotice,
    query::DefinitionRow,
    sql::{Connection, Transaction},
    wal::{self, StoreFiles, Wal},
};

#[cfg(feature = "postgres")]
mod server;
#[cfg(not(feature = "postgres"))]
#[path = "writer/no_server.rs"]
mod server;

/// The changes of one transaction.
#[derive(Debug, Default)]
pub struct Batch {
    pub jobs: Vec<JobRow>,
    pub actions: Vec<ActionRow>,
    pub log: Vec<LogRow>,
    /// Jobs that begin a further run. Written first.
    pub new_runs: Vec<NewRun>,
    pub handled: Vec<Handled>,
    /// Commands to the owners of other jobs.
    pub asked: Vec<(String, &'static str)>,
    /// The notifications that result from it.
    pub notices: Vec<NewNotice>,
    pub slas: Vec<SlaRow>,
    pub scheduled: super::coordinators::Changes,
}

/// Writes for the owner of one job tree.
///
/// It works on the thread of the engine, which has nothing to do until a commit is on disk: waking a separate thread and being woken by it
/// for each would take as long as the commit.
#[derive(Debug)]
pub struct Writer {
    connection: Connection,
    durability: Durability,
    root: String,
    epoch: i64,
    /// The session of the connection that has last seen the job to be its owner's.
    owning_session: Cell<u64>,
}

/// How a commit gets on disk.
#[derive(Debug)]
enum Durability {
    /// This process syncs the log of SQLite.
    Log { wal: Wal, write_lock: WriteLock },
    /// The server has done it when it answers. With the number of the last batch, which no batch of another owner has.
    #[cfg(feature = "postgres")]
    Server { last: i64 },
}

impl Writer {
    /// Every transaction first checks that the epoch of `root` is still `epoch`. The connection has written before.
    ///
    /// # Errors
    ///
    /// The store's log cannot be opened.
    pub fn start(connection: Connection, root: String, epoch: i64) -> Result<Writer, StoreError> {
        let durability = match connection.sqlite() {
            Some(sqlite) => {
                let store = PathBuf::from(sqlite.path().unwrap_or_default());
                let wal = Wal::open(&store, wal::room())?;
                let write_lock = WriteLock::of(&StoreLocation::Sqlite(store));
                // From here on `wal` syncs the commits.
                connection.pragma_update("synchronous", "NORMAL")?;
                Durability::Log { wal, write_lock }
            }
            None => server::durability(&connection, epoch),
        };
        Ok(Writer {
            owning_session: Cell::new(connection.session()),
            connection,
            durability,
            root,
            epoch,
        })
    }

    /// Writes `batch`; on disk when this returns. Blocks.
    pub fn commit(&mut self, batch: &Batch) -> Result<(), StoreError> {
        let (wal, write_lock) = match &mut self.durability {
            Durability::Log { wal, write_lock } => (wal, write_lock),
            #[cfg(feature = "postgres")]
            Durability::Server { .. } => return self.commit_to_server(batch),
        };
        let write_lock = write_lock.wait();
        let transaction = self.connection.owner_transaction()?;
        check_epoch(&transaction, &self.root, self.epoch)?;
        write(&transaction, batch)?;
        wal.make_room();
        match wal.names() {
            StoreFiles::There => {}
            StoreFiles::Deleted => return Err(StoreError::Deleted),
            StoreFiles::IndexDeleted => {
                drop(transaction);
                super::keep_log(&self.connection)?;
                return Err(StoreError::IndexDeleted);
            }
        }
        transaction.commit()?;
        // Others may write during the sync.
        drop(write_lock);
        wal.sync()?;
        Ok(())
    }

    #[cfg(any(test, feature = "testing"))]
    pub fn into_connection(self) -> Connection {
        self.connection
    }

    /// Replaces the file that is synced instead of the store's log.
    #[cfg(any(test, feature = "testing"))]
    pub fn replace_log(&mut self, file: std::fs::File) {
        match &mut self.durability {
            Durability::Log { wal, .. } => wal.replace(file),
            #[cfg(feature = "postgres")]
            Durability::Server { .. } => {}
        }
    }

    /// Checks that the store is still there: an owner that only waits writes nothing, and would not notice.
    ///
    /// # Errors
    ///
    /// It was deleted.
    pub fn expect_store(&self) -> Result<(), StoreError> {
        match &self.durability {
            Durability::Log { wal, .. } if wal.names() == StoreFiles::Deleted => {
                Err(StoreError::Deleted)
            }
            // The next commit sees to the index.
            _ => Ok(()),
        }
    }

    /// Checks that the job has no other owner.
    ///
    /// # Errors
    ///
    /// It has one, or the store fails.
    pub fn expect_ownership(&self) -> Result<(), StoreError> {
        let transaction = self.connection.owner_transaction()?;
        check_epoch(&transaction, &self.root, self.epoch)?;
        self.owning_session.set(self.connection.session());
        Ok(())
    }

    /// Whether the session that has last seen the job to be its owner's was replaced. Its lock in the database was lost with it, and
    /// another host may have been faster.
    pub fn has_lost_session(&self) -> bool {
        self.owning_session.get() != self.connection.session()
    }

    /// Unhandled commands from other terminals.
    pub fn commands(&self) -> Result<Vec<CommandRow>, StoreError> {
        self.expect_store()?;
        Ok(super::commands::open(&self.connection, &self.root)?)
    }

    /// The executable registered for a URI.
    pub fn registered(&self, uri: &str) -> Result<Option<DefinitionRow>, StoreError> {
        Ok(super::definitions::registered(&self.connection, uri)?)
    }

    /// The executable registered without a URI, by the name of its application.
    pub fn registered_by_name(&self, app: &str) -> Result<Option<DefinitionRow>, StoreError> {
        Ok(super::definitions::registered_by_name(
            &self.connection,
            app,
        )?)
    }

    /// Any job.
    pub fn job(&self, id: &str) -> Result<Option<JobRow>, StoreError> {
        Ok(super::query::job(&self.connection, id)?)
    }

    /// The jobs of a node that other executables run.
    pub fn children_elsewhere(&self, job: &str, node: &str) -> Result<Vec<JobRow>, StoreError> {
        Ok(super::query::children_elsewhere(
            &self.connection,
            job,
            node,
        )?)
    }

    /// The nodes of a job.
    pub fn actions_of(&self, job: &str) -> Result<Vec<ActionRow>, StoreError> {
        Ok(super::query::actions(&self.connection, job)?)
    }

    /// The connection, which also sees changes by others.
    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    /// The number of a new job. An unused one leaves a gap.
    ///
    /// It is on disk with the next batch, which contains the job.
    pub fn next_job_number(&self) -> Result<i64, StoreError> {
        // Whether a lost connection has taken one is not known: then it is a gap.
        let next = || super::query::next_number(&self.connection, super::query::JOBS);
        Ok(self.connection.repeating(next)?)
    }
}

/// Checks the fencing token.
fn check_epoch(transaction: &Transaction<'_>, root: &str, epoch: i64) -> Result<(), StoreError> {
    let current: i64 = transaction
        .prepare_cached("SELECT epoch FROM jobs WHERE id = ?1")?
        .query_row([root], |row| row.get(0))?;
    if current == epoch {
        return Ok(());
    }
    Err(StoreError::NotOwner {
        job: root.to_owned(),
    })
}

fn write(transaction: &Transaction<'_>, batch: &Batch) -> Result<(), StoreError> {
    for new_run in &batch.new_runs {
        super::runs::begin(transaction, new_run)?;
    }
    for job in &batch.jobs {
        job.write(transaction)?;
    }
    for action in &batch.actions {
        action.write(transaction)?;
    }
    batch.scheduled.write(transaction)?;
    for line in &batch.log {
        line.write(transaction)?;
    }
    for sla in &batch.slas {
        super::slas::write(transaction, sla)?;
    }
    for notice in &batch.notices {
        super::notifications::insert(transaction, notice)?;
    }
    for (job, verb) in &batch.asked {
        super::commands::add(transaction, job, verb, hpdlc_host::clock::now_millis())?;
    }
    for handled in &batch.handled {
        super::commands::write_handled(transaction, handled)?;
    }
    Ok(())
}
