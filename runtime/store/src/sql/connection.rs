//! A connection to the database.

use std::{borrow::Cow, path::Path, sync::Arc};

use hpdlc_host::home::store_key::StoreKeys;
use rusqlite::OpenFlags;

#[cfg(feature = "postgres")]
use super::postgres;
use super::{
    Error, Params, Result, Row, Statement, ToSql,
    sealing::{self, Keyring},
    statement::Prepared,
};

mod transaction;

pub use self::transaction::Transaction;

/// A connection to the database. It belongs to one thread at a time.
#[derive(Debug)]
pub struct Connection {
    database: Database,
    /// If values in the store are encrypted.
    keys: Option<Arc<Keyring>>,
}

#[derive(Debug)]
enum Database {
    Sqlite(rusqlite::Connection),
    #[cfg(feature = "postgres")]
    Server(postgres::Connection),
}

/// How a file of SQLite is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Read,
    /// It exists.
    Write,
    Create,
}

/// Whose SQL it is, where that makes a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    Sqlite,
    Postgres,
}

impl Connection {
    /// Opens a file of SQLite.
    ///
    /// # Errors
    ///
    /// It cannot be opened.
    pub fn open_file(path: &Path, access: Access) -> Result<Connection> {
        let flags = match access {
            Access::Read => OpenFlags::SQLITE_OPEN_READ_ONLY,
            Access::Write => OpenFlags::SQLITE_OPEN_READ_WRITE,
            Access::Create => OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
        };
        let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = rusqlite::Connection::open_with_flags(path, flags)?;
        Ok(Connection::to(Database::Sqlite(connection)))
    }

    /// A database of its own in memory, for tests.
    ///
    /// # Errors
    ///
    /// There is no memory.
    #[cfg(any(test, feature = "testing"))]
    pub fn open_in_memory() -> Result<Connection> {
        let connection = rusqlite::Connection::open_in_memory()?;
        Ok(Connection::to(Database::Sqlite(connection)))
    }

    #[cfg(feature = "postgres")]
    pub(crate) fn of_server(connection: postgres::Connection) -> Connection {
        Connection::to(Database::Server(connection))
    }

    fn to(database: Database) -> Connection {
        Connection {
            database,
            keys: None,
        }
    }

    /// With the keys that open what is sealed, and seal what is written from now on.
    #[must_use]
    pub(crate) fn with_keys(mut self, keys: &StoreKeys) -> Connection {
        self.keys = Keyring::of(keys).map(Arc::new);
        self
    }

    pub fn keys(&self) -> Option<&Keyring> {
        self.keys.as_deref()
    }

    /// A text as it is written: sealed if the store is encrypted.
    pub fn sealed<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match &self.keys {
            Some(keys) => Cow::Owned(keys.seal(text)),
            // It must not look like a sealed one when there is a key some day.
            None if text.starts_with(sealing::MARK) => {
                Cow::Owned(text.replacen(sealing::MARK, "\u{fffd}", 1))
            }
            None => Cow::Borrowed(text),
        }
    }

    /// As [`Connection::sealed`], for a column that may be empty.
    pub fn sealed_if_any<'t>(&self, text: Option<&'t String>) -> Option<Cow<'t, str>> {
        text.map(|text| self.sealed(text))
    }

    /// As [`Connection::sealed`], for a job's properties as a JSON object.
    pub fn sealed_properties<'t>(&self, conf: &'t str) -> Cow<'t, str> {
        match &self.keys {
            Some(keys) => Cow::Owned(keys.seal_properties(conf)),
            None => Cow::Borrowed(conf),
        }
    }

    /// Whose SQL it understands.
    pub fn dialect(&self) -> Dialect {
        match &self.database {
            Database::Sqlite(_) => Dialect::Sqlite,
            #[cfg(feature = "postgres")]
            Database::Server(_) => Dialect::Postgres,
        }
    }

    /// SQLite's connection, if it is one.
    pub fn sqlite(&self) -> Option<&rusqlite::Connection> {
        match &self.database {
            Database::Sqlite(connection) => Some(connection),
            #[cfg(feature = "postgres")]
            Database::Server(_) => None,
        }
    }

    /// The number by which the locks of this store differ from those of others on the same server; `None` for a file.
    pub(crate) fn store_key(&self) -> Option<i32> {
        match &self.database {
            Database::Sqlite(_) => None,
            #[cfg(feature = "postgres")]
            Database::Server(connection) => Some(connection.store_key()),
        }
    }

    /// The number of the session with the database: each replaces one that was lost, with its locks. A file has one.
    pub(crate) fn session(&self) -> u64 {
        match &self.database {
            Database::Sqlite(_) => 0,
            #[cfg(feature = "postgres")]
            Database::Server(connection) => connection.session(),
        }
    }

    /// Repeats what may be done twice, in each session that replaces one that was lost meanwhile.
    ///
    /// # Errors
    ///
    /// It fails, or the server stays away.
    pub(crate) fn repeating<T>(&self, act: impl Fn() -> Result<T>) -> Result<T> {
        loop {
            let session = self.session();
            match act() {
                Err(Error::Server(error)) if error.is_lost && self.session() != session => {}
                done => return done,
            }
        }
    }

    /// Executes a statement in each session that replaces a lost one.
    pub(crate) fn in_later_sessions(&self, sql: &str) {
        match &self.database {
            // A file has one session.
            Database::Sqlite(_) => _ = sql,
            #[cfg(feature = "postgres")]
            Database::Server(connection) => connection.in_later_sessions(sql),
        }
    }

    /// Calls `notice` when another process has put something into the store that the owner of this session's job has to see.
    pub fn on_notice(&self, notice: impl Fn() + Send + Sync + 'static) {
        match &self.database {
            Database::Sqlite(_) => drop(notice),
            #[cfg(feature = "postgres")]
            Database::Server(connection) => connection.on_notice(Box::new(notice)),
        }
    }

    /// PostgreSQL's connection, if it is one.
    #[cfg(feature = "postgres")]
    pub(crate) fn server(&self) -> Option<&postgres::Connection> {
        match &self.database {
            Database::Sqlite(_) => None,
            Database::Server(connection) => Some(connection),
        }
    }

    /// # Errors
    ///
    /// The database refuses the statement.
    pub fn prepare(&self, sql: &str) -> Result<Statement<'_>> {
        let prepared = match &self.database {
            Database::Sqlite(connection) => Prepared::Once(connection.prepare(sql)?),
            #[cfg(feature = "postgres")]
            Database::Server(connection) => Prepared::Server(connection.prepare(sql)),
        };
        Ok(Statement::of(prepared, self.keys()))
    }

    /// As [`Connection::prepare`], for a statement that is used again.
    ///
    /// # Errors
    ///
    /// The database refuses the statement.
    pub fn prepare_cached(&self, sql: &str) -> Result<Statement<'_>> {
        let prepared = match &self.database {
            Database::Sqlite(connection) => Prepared::Cached(connection.prepare_cached(sql)?),
            #[cfg(feature = "postgres")]
            Database::Server(connection) => Prepared::Server(connection.prepare(sql)),
        };
        Ok(Statement::of(prepared, self.keys()))
    }

    /// Returns the number of changed rows.
    ///
    /// # Errors
    ///
    /// The database refuses.
    pub fn execute(&self, sql: &str, params: impl Params) -> Result<usize> {
        self.prepare(sql)?.execute(params)
    }

    /// Executes several statements without parameters.
    ///
    /// # Errors
    ///
    /// The database refuses one of them.
    pub fn execute_batch(&self, sql: &str) -> Result<()> {
        match &self.database {
            Database::Sqlite(connection) => Ok(connection.execute_batch(sql)?),
            #[cfg(feature = "postgres")]
            Database::Server(connection) => connection.execute_batch(sql),
        }
    }

    /// The first row of a query.
    ///
    /// # Errors
    ///
    /// The database or `map` refuses, or there is none.
    pub fn query_row<T>(
        &self,
        sql: &str,
        params: impl Params,
        map: impl FnOnce(&Row<'_>) -> Result<T>,
    ) -> Result<T> {
        self.prepare(sql)?.query_row(params, map)
    }

    /// Sets a pragma of SQLite; another database has none.
    ///
    /// # Errors
    ///
    /// SQLite refuses.
    pub fn pragma_update(&self, name: &str, value: impl ToSql) -> Result<()> {
        match self.sqlite() {
            Some(connection) => Ok(connection.pragma_update(None, name, value)?),
            None => Ok(()),
        }
    }

    /// Lets later commits of this connection return before they are on the disk.
    ///
    /// # Errors
    ///
    /// The database refuses.
    pub fn without_sync(&self) -> Result<()> {
        match &self.database {
            Database::Sqlite(_) => self.pragma_update("synchronous", "NORMAL"),
            #[cfg(feature = "postgres")]
            Database::Server(connection) => connection.without_sync(),
        }
    }

    /// The clause after a table that has SQLite take an index. PostgreSQL decides by its statistics.
    pub fn indexed_by(&self, index: &str) -> String {
        match self.dialect() {
            Dialect::Sqlite => format!("INDEXED BY {index}"),
            Dialect::Postgres => String::new(),
        }
    }

    /// Whether no transaction is open.
    pub fn is_autocommit(&self) -> bool {
        match &self.database {
            Database::Sqlite(connection) => connection.is_autocommit(),
            #[cfg(feature = "postgres")]
            Database::Server(connection) => !connection.is_in_transaction(),
        }
    }

    /// Begins a transaction that writes: it waits until no other one does.
    ///
    /// # Errors
    ///
    /// The database refuses.
    pub fn transaction(&self) -> Result<Transaction<'_>> {
        match &self.database {
            Database::Sqlite(connection) => connection.execute_batch("BEGIN IMMEDIATE")?,
            #[cfg(feature = "postgres")]
            Database::Server(connection) => connection.begin(postgres::Begin::Alone)?,
        }
        Ok(Transaction::of(self))
    }

    /// Begins a transaction of the owner of a job, who alone writes it: others' owners write at the same time if the database can.
    ///
    /// # Errors
    ///
    /// The database refuses.
    pub(crate) fn owner_transaction(&self) -> Result<Transaction<'_>> {
        match &self.database {
            Database::Sqlite(_) => self.transaction(),
            #[cfg(feature = "postgres")]
            Database::Server(connection) => {
                connection.begin(postgres::Begin::Owner)?;
                Ok(Transaction::of(self))
            }
        }
    }

    /// Begins a transaction that only reads: it sees one state of the database.
    ///
    /// # Errors
    ///
    /// The database refuses.
    pub fn read_transaction(&self) -> Result<Transaction<'_>> {
        match &self.database {
            Database::Sqlite(connection) => connection.execute_batch("BEGIN DEFERRED")?,
            #[cfg(feature = "postgres")]
            Database::Server(connection) => connection.begin(postgres::Begin::Reading)?,
        }
        Ok(Transaction::of(self))
    }

    pub(super) fn commit(&self) -> Result<()> {
        match &self.database {
            Database::Sqlite(connection) => Ok(connection.execute_batch("COMMIT")?),
            #[cfg(feature = "postgres")]
            Database::Server(connection) => connection.commit(),
        }
    }

    pub(super) fn roll_back(&self) {
        match &self.database {
            Database::Sqlite(connection) => {
                if !connection.is_autocommit() {
                    let _ = connection.execute_batch("ROLLBACK");
                }
            }
            #[cfg(feature = "postgres")]
            Database::Server(connection) => connection.roll_back(),
        }
    }
}
