//! Stamps for incremental builds: sizes and modification times of the inputs, stored as JSON beside the product.
//!
//! A stamp is valid only as a whole: one that is missing, truncated or in another format means "compile again".

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::driver::writer;

/// A file's size and modification time: cheap to query, and changed by every write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileState {
    pub size: u64,
    /// Nanoseconds since 1970.
    pub modified: u128,
}

impl FileState {
    /// `None` if there is no such file.
    pub fn of(path: &Path) -> Option<FileState> {
        let metadata = fs::metadata(path).ok()?;
        Some(FileState {
            size: metadata.len(),
            modified: metadata
                .modified()
                .ok()?
                .duration_since(UNIX_EPOCH)
                .map_or(0, |duration| duration.as_nanos()),
        })
    }

    /// Whether the file at `path` is still in this state.
    pub fn is_current(&self, path: &Path) -> bool {
        FileState::of(path).as_ref() == Some(self)
    }
}

/// The states of every file below some folders, by path.
pub type TreeState = BTreeMap<PathBuf, FileState>;

/// The states of `paths`; for a folder, of every file below it. Hidden files and `target` folders are skipped.
///
/// # Errors
///
/// A folder that cannot be read. A path that does not exist is simply omitted.
pub fn tree_state<'a>(paths: impl IntoIterator<Item = &'a Path>) -> io::Result<TreeState> {
    let mut states = TreeState::new();
    for path in paths {
        add(path, &mut states)?;
    }
    Ok(states)
}

fn add(path: &Path, states: &mut TreeState) -> io::Result<()> {
    if !path.is_dir() {
        states.extend(FileState::of(path).map(|state| (path.to_owned(), state)));
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let name = entry.file_name();
        if name.as_encoded_bytes().starts_with(b".") || name == "target" {
            continue;
        }
        add(&entry.path(), states)?;
    }
    Ok(())
}

/// The stamp at `path`, if there is a valid one.
pub fn read<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

/// Replaces the stamp at `path`.
///
/// # Errors
///
/// The file cannot be written.
pub fn write<T: Serialize>(path: &Path, stamp: &T) -> io::Result<()> {
    let text = serde_json::to_vec_pretty(stamp).map_err(io::Error::other)?;
    writer::replace(path, &text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_below_a_folder_shows() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = |name: &str| folder.path().join(name);
        fs::create_dir_all(path("src/deep")).expect("creates");
        fs::create_dir_all(path("target")).expect("creates");
        fs::write(path("src/deep/a.rs"), "a").expect("writes");
        fs::write(path("target/x"), "x").expect("writes");
        let state = || tree_state([folder.path()]).expect("reads");
        let first = state();
        assert_eq!(first.keys().collect::<Vec<_>>(), [&path("src/deep/a.rs")]);
        assert_eq!(state(), first);

        fs::write(path("src/deep/a.rs"), "ab").expect("writes");
        let second = state();
        assert_ne!(second, first);

        fs::write(path("src/b.rs"), "").expect("writes");
        let third = state();
        assert_ne!(third, second);
        fs::remove_file(path("src/b.rs")).expect("removes");
        assert_eq!(state(), second);
    }

    #[test]
    fn half_a_stamp_is_none() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("stamp.json");
        let stamp = FileState {
            size: 1,
            modified: 2,
        };
        write(&path, &stamp).expect("writes");
        assert_eq!(read::<FileState>(&path), Some(stamp));
        fs::write(&path, "{\"size\": 1,").expect("writes");
        assert_eq!(read::<FileState>(&path), None);
        assert_eq!(read::<FileState>(&folder.path().join("other")), None);
    }
}
