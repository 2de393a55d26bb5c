//! The store's files, as a machine that dies leaves them, and disks that do not take what is written.
//!
//! The store is the shipped one. It is in memory (`/dev/shm`), where writing costs nothing; what a real disk would have
//! lost is taken away here.

use std::{
    ffi::OsString,
    fs::{self, File},
    os::unix::fs::{FileExt, PermissionsExt},
    path::{Path, PathBuf},
};

use hpdlc_host::home::Home;
use hpdlc_store::writer::Writer;

use super::random::Random;

/// How many bytes a disk writes whole or not at all.
const SECTOR: usize = 512;

/// In bytes: both copies of the header of the log's index.
const INDEX_HEADER: usize = 96;

/// What the store's files hold.
#[derive(Clone)]
pub struct Image {
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

impl Image {
    pub fn take(home: &Home) -> Image {
        Image {
            store: fs::read(home.store()).unwrap_or_default(),
            log: fs::read(log(home)).unwrap_or_default(),
        }
    }

    /// Leaves the files like this. Nobody may have the store open.
    pub fn put(&self, home: &Home) {
        let write = |path: &Path, bytes: &[u8]| {
            // Not in place: what was open before keeps its own file.
            let _ = fs::remove_file(path);
            fs::write(path, bytes).expect("the memory takes a small file");
            fs::set_permissions(path, fs::Permissions::from_mode(0o600)).expect("it is ours");
        };
        write(&home.store(), &self.store);
        write(&log(home), &self.log);
        let _ = fs::remove_file(beside(&home.store(), "-shm"));
    }

    /// As [`Image::put`], for those who have the store open: they read the files anew.
    pub fn put_in_place(&self, home: &Home) {
        for (path, bytes) in [(home.store(), &self.store), (log(home), &self.log)] {
            let file = File::options().write(true).open(path);
            let file = file.expect("somebody has the store open");
            // What it has room for already it keeps.
            file.set_len(bytes.len() as u64)
                .and_then(|()| file.write_all_at(bytes, 0))
                .expect("the memory takes a small file");
        }
        Image::forget_index(home);
    }

    /// Takes away the index of the log: whoever reads next, with the store open or not, makes it from the log.
    pub fn forget_index(home: &Home) {
        let index = File::options()
            .write(true)
            .open(beside(&home.store(), "-shm"));
        let index = index.expect("somebody has the store open");
        index
            .write_all_at(&[0; INDEX_HEADER], 0)
            .expect("the memory takes a few bytes");
    }

    /// What is left of `after` when the power goes while the disk writes what differs from this image: each sector of the
    /// log is there or is not.
    pub fn torn(&self, after: &Image, random: &mut Random) -> Image {
        let mut log = self.log.clone();
        log.resize(after.log.len(), 0);
        let is_there = random.pick(&[0, 50, 95, 100]);
        for (ours, theirs) in log.chunks_mut(SECTOR).zip(after.log.chunks(SECTOR)) {
            if random.percent(is_there) {
                ours.copy_from_slice(theirs);
            }
        }
        Image {
            store: self.store.clone(),
            log,
        }
    }
}

/// What the disk does to the next transactions of an owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiskFault {
    /// There is room for so many pages more.
    Full(u32),
    ReadOnly,
    /// The commit is written, and nobody knows whether it is on disk.
    Sync,
    /// Somebody has removed the files.
    Deleted,
    /// No fault of the disk: another process has become the owner meanwhile.
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
                .pragma_update(None, "query_only", "ON")
                .expect("it can be switched on"),
            DiskFault::Sync => {
                // No disk is after it, so that syncing fails.
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
