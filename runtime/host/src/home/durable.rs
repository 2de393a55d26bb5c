//! Durability: syncs files and names to disk before anything durable refers to them.
//!
//! Writing a file makes neither its bytes nor its name durable: after a power failure there may be the name without bytes, or no
//! name, while the store has a job that needs them.

use std::{fs::File, io, path::Path};

/// Returns when the bytes of a file are durable.
///
/// # Errors
///
/// If the file cannot be opened, or the sync fails.
pub fn file(path: &Path) -> io::Result<()> {
    let file = File::open(path)?;
    file.sync_all()?;
    #[cfg(any(test, feature = "testing"))]
    testing::file(&file);
    Ok(())
}

/// Returns when the names in a folder are durable.
///
/// # Errors
///
/// If the folder cannot be opened, or the sync fails.
pub fn names(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()?;
    #[cfg(any(test, feature = "testing"))]
    testing::names(folder);
    Ok(())
}

#[cfg(any(test, feature = "testing"))]
pub mod testing {
    //! Simulates disks that lose everything not synced.

    use std::{
        cell::{Cell, RefCell},
        collections::{BTreeMap, BTreeSet},
        fs::{self, File},
        os::unix::fs::MetadataExt,
        path::Path,
    };

    thread_local! {
        /// Inodes whose bytes are durable.
        static FILES: RefCell<BTreeSet<u64>> = RefCell::default();
        /// The durable entries of folders, by inode: names with their inodes.
        static NAMES: RefCell<BTreeMap<u64, BTreeMap<String, u64>>> = RefCell::default();
        static FORGETS: Cell<bool> = const { Cell::new(false) };
    }

    /// Whether syncing has no effect from now on, which a test of durability must detect.
    pub fn forget(forgets: bool) {
        FORGETS.set(forgets);
        // The inodes of removed files are reused.
        FILES.with_borrow_mut(BTreeSet::clear);
        NAMES.with_borrow_mut(BTreeMap::clear);
    }

    pub(super) fn file(file: &File) {
        if !FORGETS.get() {
            let metadata = file.metadata().expect("it is open");
            FILES.with_borrow_mut(|files| files.insert(metadata.ino()));
        }
    }

    pub(super) fn names(folder: &Path) {
        if !FORGETS.get() {
            let inode = fs::metadata(folder).expect("it is there").ino();
            NAMES.with_borrow_mut(|names| names.insert(inode, entries(folder)));
        }
    }

    fn entries(folder: &Path) -> BTreeMap<String, u64> {
        let entries = fs::read_dir(folder).expect("it is ours");
        entries
            .map(|entry| {
                let entry = entry.expect("it can be read");
                let inode = fs::symlink_metadata(entry.path())
                    .expect("it is there")
                    .ino();
                (entry.file_name().to_string_lossy().into_owned(), inode)
            })
            .collect()
    }

    /// Removes what is below a folder and not durable; `is_lost` decides for each.
    pub fn cut_power(folder: &Path, is_lost: &mut impl FnMut() -> bool) {
        let inode = fs::metadata(folder).expect("it is there").ino();
        let on_disk = NAMES.with_borrow(|names| names.get(&inode).cloned().unwrap_or_default());
        for (name, inode) in entries(folder) {
            let path = folder.join(&name);
            let is_folder = fs::symlink_metadata(&path).expect("it is there").is_dir();
            let has_name = on_disk.get(&name) == Some(&inode);
            if !has_name && is_lost() {
                if is_folder {
                    fs::remove_dir_all(&path).expect("it is ours");
                } else {
                    fs::remove_file(&path).expect("it is ours");
                }
            } else if is_folder {
                cut_power(&path, is_lost);
            } else if !FILES.with_borrow(|files| files.contains(&inode)) && is_lost() {
                // The name and the length were durable, but not the bytes.
                let length = fs::metadata(&path).expect("it is there").len();
                let mode = fs::metadata(&path).expect("it is there").permissions();
                fs::remove_file(&path).expect("it is ours");
                fs::write(
                    &path,
                    vec![0; usize::try_from(length).expect("it is small")],
                )
                .expect("the memory takes a small file");
                fs::set_permissions(&path, mode).expect("it is ours");
            }
        }
    }
}
