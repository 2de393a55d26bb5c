//! Syncs the store's write-ahead log, which makes a commit durable.
//!
//! SQLite's own way (`synchronous=FULL`) is an `fsync` of the log after each commit. As the length or the modification time of the log has
//! changed, the file system has to write its journal too, with every file that the actions created meanwhile. Here the log is preallocated
//! and synced by `fdatasync`, which writes only the frames. All other syncs, around checkpoints and at the log's first frame, are done by
//! `synchronous=NORMAL`, which omits only the one after a commit.

use std::{
    ffi::{OsStr, OsString},
    fs::{self, File},
    io,
    os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt},
    path::Path,
};

use rustix::fs::OFlags;

/// How many bytes the log is extended by at a time: for some twenty commits.
const ROOM: usize = 512 * 1024;

/// The same for this thread: [`ROOM`], unless a test uses less.
pub(super) fn room() -> usize {
    #[cfg(any(test, feature = "testing"))]
    return testing::ROOM_HERE.get();
    #[cfg(not(any(test, feature = "testing")))]
    ROOM
}

#[cfg(any(test, feature = "testing"))]
pub mod testing {
    use std::cell::Cell;

    thread_local! {
        pub(super) static ROOM_HERE: Cell<usize> = const { Cell::new(super::ROOM) };
    }

    /// Extends logs in this thread by less: a simulated machine loses and restores its log so often that copying zeros would take most of
    /// its time.
    pub fn use_little_room() {
        ROOM_HERE.set(64 * 1024);
    }
}

/// A shorter log is not extended: most jobs are done before it is longer.
const SHORT: u64 = 128 * 1024;

/// Nor is a longer one: at this length SQLite checkpoints it and starts again.
const LONG: u64 = 4 * 1024 * 1024;

/// The suffixes of the store's name for its log, and for the index of the log, which is shared memory.
pub const LOG: &str = "-wal";
pub const INDEX: &str = "-shm";

/// Whether the files of an open store still have their names.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum StoreFiles {
    There,
    /// The store or its log was deleted.
    Deleted,
    /// The index of the log was deleted: a process that opens the store now creates another one, and neither sees what the other writes.
    IndexDeleted,
}

/// The log of an open store. It stays the same file as long as a connection is open.
#[derive(Debug)]
pub(super) struct Wal {
    file: File,
    store: File,
    index: File,
    /// The length in bytes up to which the log needs no extension.
    enough: u64,
    /// In bytes: [`room`].
    room: usize,
}

impl Wal {
    /// # Errors
    ///
    /// There is no log, since the store has not been written or read, or it cannot be opened.
    pub(super) fn open(store: &Path, room: usize) -> io::Result<Wal> {
        Ok(Wal {
            file: fs::OpenOptions::new()
                .write(true)
                .open(beside(store, LOG))?,
            store: name_of(store.as_os_str())?,
            index: name_of(&beside(store, INDEX))?,
            enough: SHORT,
            room,
        })
    }

    #[cfg(any(test, feature = "testing"))]
    pub(super) fn replace(&mut self, file: File) {
        self.file = file;
    }

    /// Extends the log with zeros. Only inside a transaction that writes: no other process extends the log then.
    ///
    /// SQLite reads zeros as the end of the log. Unwritten blocks (`fallocate`) would not do: their conversion to written ones is a change
    /// that `fdatasync` has to journal.
    pub(super) fn make_room(&mut self) {
        let Ok(length) = self.file.metadata().map(|metadata| metadata.len()) else {
            return;
        };
        if length <= self.enough || length >= LONG {
            return;
        }
        // A piece at a time: a buffer of the whole size would stay in the memory of every owner.
        const ZEROS: [u8; 16 * 1024] = [0; 16 * 1024];
        self.enough = length + self.room as u64;
        for offset in (length..self.enough).step_by(ZEROS.len()) {
            // If there is no space for it there may still be some for the commit, or SQLite will report it.
            if self.file.write_all_at(&ZEROS, offset).is_err() {
                break;
            }
        }
    }

    /// Whether the files were deleted; writes to deleted ones are lost.
    pub(super) fn names(&self) -> StoreFiles {
        let is_named = |file: &File| file.metadata().is_ok_and(|metadata| metadata.nlink() > 0);
        if !is_named(&self.store) || !is_named(&self.file) {
            return StoreFiles::Deleted;
        }
        if !is_named(&self.index) {
            return StoreFiles::IndexDeleted;
        }
        StoreFiles::There
    }

    /// Waits until all committed transactions are on disk.
    ///
    /// # Errors
    ///
    /// It cannot be synced: whether the last commits are on disk is unknown.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}

/// The name of a file that SQLite keeps beside the store.
pub fn beside(store: &Path, suffix: &str) -> OsString {
    let mut path = store.as_os_str().to_owned();
    path.push(suffix);
    path
}

/// Opens a file only for its metadata: closing a readable one would release SQLite's locks of all connections of the process.
fn name_of(path: &OsStr) -> io::Result<File> {
    #[expect(clippy::cast_possible_wrap, reason = "flags of the system are small")]
    let flags = OFlags::PATH.bits() as i32;
    fs::OpenOptions::new()
        .read(true)
        .custom_flags(flags)
        .open(path)
}

#[cfg(test)]
mod tests {
    use crate::sql::{Access, Connection};

    use super::*;

    const N_COMMITS: i64 = 60;

    fn count(store: &Path) -> i64 {
        let connection = Connection::open_file(store, Access::Create).unwrap();
        connection
            .query_row("SELECT count(*) FROM t", [], |row| row.get(0))
            .unwrap()
    }

    #[test]
    fn what_is_in_a_log_with_room_is_found_after_a_crash() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("jobs.db");
        let connection = Connection::open_file(&store, Access::Create).unwrap();
        connection.pragma_update("journal_mode", "WAL").unwrap();
        connection.pragma_update("synchronous", "NORMAL").unwrap();
        connection
            .execute_batch("CREATE TABLE t (text TEXT)")
            .unwrap();
        let mut wal = Wal::open(&store, ROOM).unwrap();
        for _ in 0..N_COMMITS {
            let transaction = connection.transaction().unwrap();
            transaction
                .execute("INSERT INTO t VALUES (?1)", ["x".repeat(6000)])
                .unwrap();
            wal.make_room();
            transaction.commit().unwrap();
            wal.sync().unwrap();
        }
        let log = folder.path().join("jobs.db-wal");
        let length = fs::metadata(&log).unwrap().len();
        let n_rooms = (length - SHORT) / ROOM as u64;
        assert!(
            (1..=3).contains(&n_rooms),
            "{length} bytes: room, and not at every commit"
        );

        // The files as a crash would leave them, while the connection is open.
        let crashed = folder.path().join("crashed.db");
        fs::copy(&store, &crashed).unwrap();
        fs::copy(&log, folder.path().join("crashed.db-wal")).unwrap();
        assert_eq!(count(&crashed), N_COMMITS);
        assert_eq!(count(&store), N_COMMITS, "others see it too");
    }

    #[test]
    fn looking_at_a_store_leaves_its_locks_to_other_connections_of_the_process() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("jobs.db");
        let connection = Connection::open_file(&store, Access::Create).unwrap();
        connection.pragma_update("journal_mode", "WAL").unwrap();
        connection
            .execute_batch("CREATE TABLE t (text TEXT)")
            .unwrap();
        let locks = || {
            let all = fs::read_to_string("/proc/locks").unwrap();
            [&store, &folder.path().join("jobs.db-shm")].map(|file| {
                let inode = format!(":{} ", fs::metadata(file).unwrap().ino());
                all.lines().any(|line| line.contains(&inode))
            })
        };
        // While others lock and unlock, the list may lack some.
        let has_both = || (0..100).any(|_| locks() == [true, true]);
        assert!(has_both());
        drop(Wal::open(&store, ROOM).unwrap());
        assert!(has_both());
    }

    #[test]
    fn a_long_log_gets_no_more_room() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("jobs.db");
        let log = folder.path().join("jobs.db-wal");
        File::create(&store).unwrap();
        for (length, expected) in [
            (0, 0),
            (SHORT, SHORT),
            (SHORT + 1, SHORT + 1 + ROOM as u64),
            (LONG, LONG),
        ] {
            File::create(&log).unwrap().set_len(length).unwrap();
            File::create(beside(&store, INDEX)).unwrap();
            Wal::open(&store, ROOM).unwrap().make_room();
            assert_eq!(fs::metadata(&log).unwrap().len(), expected, "{length}");
        }
    }
}
