//! Putting the store's write-ahead log on disk: what makes a commit durable.
//!
//! SQLite's own way (`synchronous=FULL`) is an `fsync` of the log after each commit. The log has grown then, or its time of
//! change has, so that the file system has to write its journal too, with every file that the actions made meanwhile. Here
//! the log gets room before it is needed and is put on disk by `fdatasync`, which writes the frames and nothing else. All
//! other syncs, around checkpoints and at the log's first frame, are what `synchronous=NORMAL` keeps: it leaves out the one
//! after a commit, and no other.

use std::{
    fs::{self, File},
    io,
    os::unix::fs::FileExt,
    path::Path,
};

/// How much room the log gets at a time: for some twenty commits. It stops growing at SQLite's checkpoint, near 4 MB.
const ROOM: usize = 512 * 1024;

/// The log of an open store. It stays the same file as long as a connection is open.
#[derive(Debug)]
pub(super) struct Wal {
    file: File,
    /// The file's length in bytes when it was given room, or zero.
    reserved: u64,
}

impl Wal {
    /// # Errors
    ///
    /// There is no log, since the store has not been written or read, or it cannot be opened.
    pub(super) fn open(store: &Path) -> io::Result<Wal> {
        let mut path = store.as_os_str().to_owned();
        path.push("-wal");
        Ok(Wal {
            file: fs::OpenOptions::new().write(true).open(path)?,
            reserved: 0,
        })
    }

    /// Gives the log room behind its end. Only inside a transaction that writes: nobody else lengthens the log then.
    ///
    /// SQLite reads zeros as the end of the log. Blocks that were never written would not do: turning them into written ones
    /// is a change that `fdatasync` puts into the journal.
    pub(super) fn make_room(&mut self) {
        let Ok(length) = self.file.metadata().map(|metadata| metadata.len()) else {
            return;
        };
        if length <= self.reserved {
            return;
        }
        // A disk without room for it has room for the commit, or SQLite will say so.
        let _ = self.file.write_all_at(&vec![0; ROOM], length);
        self.reserved = length + ROOM as u64;
    }

    /// Returns when all that was committed is on disk.
    ///
    /// # Errors
    ///
    /// The disk does not take it: nobody knows whether the last commits are there.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}
