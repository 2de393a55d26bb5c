//! Limits the size of the cache: evicts programs that have not been built for a long time.
//!
//! A program and rustc's incremental data for its next build take some 10 MB, at 1,000 nodes 30 MB, and every folder that is
//! ever built or checked out has its own.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use crate::driver::lock;

/// The lock file in a program's folder, held while the program is built; its modification time is that of the last request.
pub const LOCK: &str = "lock";

/// A program that was not requested within this time is removed in any case.
const LONG: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// A program requested within this time may be about to start.
const SHORT: Duration = Duration::from_secs(60 * 60);
/// The number of programs that are kept up to [`LONG`]; those that were requested last.
const KEPT: usize = 64;

/// Empties the folders in `programs` that were not requested in 30 days, and, of those not requested in an hour, all but the
/// 64 latest.
///
/// The lock file of each is kept: another hpdlc may be waiting for it. What cannot be removed is kept too, for the next
/// time.
pub fn forget(programs: &Path) {
    forget_at(programs, SystemTime::now());
}

fn forget_at(programs: &Path, now: SystemTime) {
    let Ok(entries) = fs::read_dir(programs) else {
        return;
    };
    let mut used: Vec<(SystemTime, PathBuf)> = entries
        .flatten()
        .filter_map(|entry| {
            let folder = entry.path();
            let last_use = fs::metadata(folder.join(LOCK)).ok()?.modified().ok()?;
            (count(&folder) > 1).then_some((last_use, folder))
        })
        .collect();
    used.sort_by(|left, right| right.cmp(left));
    for (place, (last_use, folder)) in used.iter().enumerate() {
        // If the clock was set back, the age counts as zero.
        let age = now.duration_since(*last_use).unwrap_or_default();
        if age >= LONG || (place >= KEPT && age >= SHORT) {
            empty(folder);
        }
    }
}

/// The number of entries of `folder`, including the lock file; 0 if it cannot be read.
fn count(folder: &Path) -> usize {
    fs::read_dir(folder).map_or(0, Iterator::count)
}

fn empty(folder: &Path) {
    let Some(_lock) = lock::if_free(&folder.join(LOCK)) else {
        return;
    };
    // The stamp is removed first, because it says that the rest is complete.
    let _ = fs::remove_file(folder.join("stamp.json"));
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        if entry.file_name() != LOCK {
            let _ = remove(&entry.path());
        }
    }
}

fn remove(path: &Path) -> io::Result<()> {
    if fs::symlink_metadata(path)?.is_dir() {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    const HOUR: Duration = Duration::from_secs(60 * 60);

    struct Cache {
        folder: tempfile::TempDir,
        now: SystemTime,
    }

    impl Cache {
        fn new() -> Cache {
            Cache {
                folder: tempfile::tempdir().expect("a temporary folder"),
                now: SystemTime::now(),
            }
        }

        fn add(&self, name: &str, age: Duration) -> File {
            let folder = self.folder.path().join(name);
            fs::create_dir_all(folder.join("incremental/part")).expect("makes a folder");
            fs::write(folder.join("stamp.json"), "{}").expect("writes");
            fs::write(folder.join("program"), "text").expect("writes");
            let lock = File::create(folder.join(LOCK)).expect("makes a file");
            lock.set_modified(self.now - age).expect("sets a time");
            lock
        }

        fn has(&self, name: &str) -> bool {
            let folder = self.folder.path().join(name);
            assert!(
                folder.join(LOCK).is_file(),
                "the lock file of {name} is gone"
            );
            let n_left = count(&folder) - 1;
            assert!(n_left == 0 || n_left == 3, "{name} is half there");
            n_left > 0
        }
    }

    #[test]
    fn programs_that_nobody_asked_for_in_a_month_are_emptied() {
        let cache = Cache::new();
        cache.add("old", 31 * 24 * HOUR);
        cache.add("new", 29 * 24 * HOUR);
        forget_at(cache.folder.path(), cache.now);
        assert!(!cache.has("old"));
        assert!(cache.has("new"));
    }

    #[test]
    fn the_programs_used_last_stay_where_there_are_many() {
        let cache = Cache::new();
        for number in 0..KEPT + 3 {
            let age = 2 * HOUR + Duration::from_secs(number as u64);
            cache.add(&format!("p{number}"), age);
        }
        forget_at(cache.folder.path(), cache.now);
        for number in 0..KEPT + 3 {
            assert_eq!(cache.has(&format!("p{number}")), number < KEPT, "{number}");
        }
    }

    #[test]
    fn what_was_just_built_stays_however_many_there_are() {
        let cache = Cache::new();
        for number in 0..KEPT + 3 {
            cache.add(&format!("p{number}"), Duration::from_secs(number as u64));
        }
        forget_at(cache.folder.path(), cache.now);
        assert!((0..KEPT + 3).all(|number| cache.has(&format!("p{number}"))));
    }

    #[test]
    fn a_program_that_is_being_built_stays() {
        let cache = Cache::new();
        let lock = cache.add("old", 31 * 24 * HOUR);
        lock.lock().expect("locks");
        forget_at(cache.folder.path(), cache.now);
        assert!(cache.has("old"));
        drop(lock);
        forget_at(cache.folder.path(), cache.now);
        assert!(!cache.has("old"));
        // Nothing remains to be done.
        forget_at(cache.folder.path(), cache.now);
        assert!(!cache.has("old"));
    }
}
