//! The store's files after a crash of the machine, and disks whose writes fail.
//!
//! The store is the shipped one. It is in memory (`/dev/shm`), where writing is cheap; what a real disk would have lost is removed here.

use std::{
    ffi::OsString,
    fs::{self, File},
    os::unix::fs::{FileExt, PermissionsExt},
    path::{Path, PathBuf},
};

use hpdlc_host::home::Home;
use hpdlc_store::writer::Writer;

use super::random::Random;

/// The number of bytes that a disk writes atomically.
const SECTOR: usize = 512;

/// In bytes: both copies of the header of the write-ahead log's index.
const INDEX_HEADER: usize = 96;

/// The contents of the store's files.
#[derive(Clone)]
pub struct StoreImage {
    store: Vec<u8>,
    log: Vec<u8>,
}

fn log(home: &Home) -> PathBuf {
    beside(&home.store(), "-wal")
}

fn beside(store: &Path, ending: &str) -> PathBuf {
    let mut name: OsString = store.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

impl StoreImage {
    pub fn take(home: &Home) -> StoreImage {
        StoreImage {
            store: fs::read(home.store()).unwrap_or_default(),
            log: fs::read(log(home)).unwrap_or_default(),
        }
    }

    /// Restores the files. No connection to the store may be open.
    pub fn put(&self, home: &Home) {
        let write = |path: &Path, bytes: &[u8]| {
            // Not in place: files open before stay as they are.
            let _ = fs::remove_file(path);
            fs::write(path, bytes).expect("the memory takes a small file");
            fs::set_permissions(path, fs::Permissions::from_mode(0o600)).expect("it is ours");
        };
        write(&home.store(), &self.store);
        write(&log(home), &self.log);
        let _ = fs::remove_file(beside(&home.store(), "-shm"));
    }

    /// As [`StoreImage::put`], for open connections: they read the files again.
    pub fn put_in_place(&self, home: &Home) {
        for (path, bytes) in [(home.store(), &self.store), (log(home), &self.log)] {
            let file = File::options().write(true).open(path);
            let file = file.expect("somebody has the store open");
            // Allocated space is kept.
            file.set_len(bytes.len() as u64)
                .and_then(|()| file.write_all_at(bytes, 0))
                .expect("the memory takes a small file");
        }
        StoreImage::forget_index(home);
    }

    /// Removes the index of the log: the next reader, with a connection open or not, rebuilds it from the log.
    pub fn forget_index(home: &Home) {
        let index = File::options()
            .write(true)
            .open(beside(&home.store(), "-shm"));
        let index = index.expect("somebody has the store open");
        index
            .write_all_at(&[0; INDEX_HEADER], 0)
            .expect("the memory takes a few bytes");
    }

    /// The state after a power cut while the disk writes the difference between this image and `after`: each sector of the log is either
    /// written or not.
    pub fn torn(&self, after: &StoreImage, random: &mut Random) -> StoreImage {
        let mut log = self.log.clone();
        log.resize(after.log.len(), 0);
        let is_there = random.pick(&[0, 50, 95, 100]);
        for (ours, theirs) in log.chunks_mut(SECTOR).zip(after.log.chunks(SECTOR)) {
            if random.percent(is_there) {
                ours.copy_from_slice(theirs);
            }
        }
        StoreImage {
            store: self.store.clone(),
            log,
        }
    }
}

/// The fault that an owner's next transactions meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiskFault {
    /// There is room for this many more pages.
    Full(u32),
    ReadOnly,
    /// The commit is written, but whether it is on disk is unknown.
    Sync,
    /// The files were removed.
    Deleted,
    /// Not a fault of the disk: another process has become the owner meanwhile.
    TakenOver,
}

impl DiskFault {
    pub fn strike(self, home: &Home, writer: &mut Writer) {
        match self {
            DiskFault::Full(n_pages) => {
                let connection = writer.connection();
                let pages: u32 = connection
                    .query_row("PRAGMA page_count", [], |row| row.get(0))
                    .expect("the store can be read");
                connection
                    .query_row(
                        &format!("PRAGMA max_page_count = {}", pages + n_pages),
                        [],
                        |_| Ok(()),
                    )
                    .expect("a limit can be set");
            }
            DiskFault::ReadOnly => writer
                .connection()
                .pragma_update("query_only", "ON")
                .expect("it can be switched on"),
            DiskFault::Sync => {
                // It has no disk, so syncing fails.
                writer.replace_log(File::open("/dev/null").expect("it is always there"));
            }
            DiskFault::Deleted => {
                for path in [home.store(), log(home)] {
                    let _ = fs::remove_file(path);
                }
            }
            DiskFault::TakenOver => {}
        }
    }
}
