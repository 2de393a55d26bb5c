//! The state folder that a thread's simulated worlds use in turn, and the connections kept open (a connection pool).
//!
//! Opening a store takes longer than most owners live: SQLite parses the schema, and every statement again. A kept connection reads the
//! same as a newly opened one would: [`SimulationFolders::recover`] removes the index of the write-ahead log, as after a crash of the machine, and
//! every connection rebuilds it from the log before it reads. Some of the crashes, and all faults of the disk, do close everything and open
//! the store again.

use std::{fs, path::Path};

use hpdlc_host::{exit::RunError, home::Home};
use hpdlc_store as store;
use hpdlc_store::sql::Connection;
use tempfile::TempDir;

use super::disk::StoreImage;

/// The capacity of a connection's statement cache: statements of the engine, the sender and observers.
const MAX_STATEMENTS: usize = 256;

/// How many connections a world passes on to the next: an owner's, a terminal's, a sender's.
const MAX_OPEN: usize = 3;

pub struct SimulationFolders {
    folder: TempDir,
    home: Home,
    /// A store without jobs.
    empty: StoreImage,
    /// Connections not in use.
    open: Vec<Connection>,
}

impl SimulationFolders {
    pub fn new() -> SimulationFolders {
        store::wal::testing::use_little_room();
        let memory = Path::new("/dev/shm");
        let folder = if memory.is_dir() {
            tempfile::tempdir_in(memory)
        } else {
            tempfile::tempdir()
        };
        let folder = folder.expect("a folder can be made");
        let home = Home::open_at(folder.path().join("home")).expect("it is ours");
        drop(store::open(&home).expect("a store can be made"));
        let empty = StoreImage::take(&home);
        SimulationFolders {
            folder,
            home,
            empty,
            open: Vec::new(),
        }
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn home(&self) -> &Home {
        &self.home
    }

    /// Removes everything of the previous world.
    pub fn clear(&mut self) {
        let keeps = |path: &Path| {
            let name = path.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| name.starts_with("jobs.db"))
        };
        let _ = fs::remove_dir_all(self.folder.path().join("files"));
        for path in inside(self.home.root()) {
            if path.is_dir() {
                inside(&path).for_each(|path| remove(&path));
            } else if !keeps(&path) {
                remove(&path);
            }
        }
        self.open.truncate(MAX_OPEN);
        if self.open.is_empty() {
            self.empty.put(&self.home);
        } else {
            self.empty.put_in_place(&self.home);
        }
    }

    /// A connection not in use, or a new one.
    pub fn connection(&mut self) -> Result<Connection, RunError> {
        if let Some(connection) = self.open.pop() {
            return Ok(connection);
        }
        let connection = store::open(&self.home)?;
        keep_statements(&connection);
        Ok(connection)
    }

    /// A connection not in use.
    pub fn open_connection(&mut self) -> Option<Connection> {
        self.open.pop()
    }

    /// Takes back a connection that has no state: no limits, no transaction.
    pub fn keep(&mut self, connection: Connection) {
        keep_statements(&connection);
        self.open.push(connection);
    }

    /// Has every connection recover the store's files as after a crash.
    pub fn recover(&self) {
        StoreImage::forget_index(&self.home);
    }

    /// Closes the connections not in use.
    pub fn close(&mut self) {
        self.open.clear();
    }
}

fn keep_statements(connection: &Connection) {
    if let Some(connection) = connection.sqlite() {
        connection.set_prepared_statement_cache_capacity(MAX_STATEMENTS);
    }
}

fn inside(folder: &Path) -> impl Iterator<Item = std::path::PathBuf> {
    let entries = fs::read_dir(folder).expect("it is ours");
    entries.map(|entry| entry.expect("it can be read").path())
}

fn remove(path: &Path) {
    let removed = if path.is_dir() {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    };
    removed.expect("it is ours");
}

#[test]
fn a_connection_that_stays_open_reads_what_a_crash_has_left() {
    let mut bench = SimulationFolders::new();
    bench.clear();
    let [ours, other] = [0; 2].map(|_| bench.connection().expect("it can be opened"));
    let next = |connection| store::query::next_number(connection, store::query::JOBS);
    let last = |connection: &Connection| {
        let mut statement = connection.prepare_cached("SELECT max(value) FROM sequences")?;
        statement.query_row([], |row| row.get(0))
    };
    assert_eq!(next(&ours), Ok(1));
    let image = StoreImage::take(bench.home());
    for number in [2, 3] {
        assert_eq!(next(&ours), Ok(number));
        assert_eq!(last(&other), Ok(Some(number)));
    }

    image.put_in_place(bench.home());
    assert_eq!(last(&ours), Ok(Some(1)), "it has kept what it had read");
    assert_eq!(next(&other), Ok(2), "what both have open is one file");
    bench.recover();
    assert_eq!(last(&ours), Ok(Some(2)), "the log is enough");

    bench.keep(ours);
    bench.clear();
    assert_eq!(last(&other), Ok(None));
}
