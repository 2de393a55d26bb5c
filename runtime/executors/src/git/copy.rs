//! Copies the clone to its destination, which may not support links: their targets are copied in their place.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use hpdlc_files::system::FileSystem;

/// At most this many names are listed.
const MAX_NAMES: usize = 10;

/// A copy in progress, with what has been copied and what not.
struct FolderCopy<'a> {
    /// The canonical path of the clone.
    root: PathBuf,
    system: &'a dyn FileSystem,
    left_out: Vec<PathBuf>,
}

/// Copies the content of `clone` into the folder `to`. Returns the links that were left out: those that are dangling, or lead out
/// of the clone or to a folder that contains them.
///
/// # Errors
///
/// The first file that cannot be read or written.
pub(super) fn copy(clone: &Path, to: &Path, system: &dyn FileSystem) -> io::Result<Vec<PathBuf>> {
    let root = fs::canonicalize(clone)?;
    let mut copy = FolderCopy {
        root: root.clone(),
        system,
        left_out: Vec::new(),
    };
    copy.folder(&root, to, false)?;
    Ok(copy.left_out)
}

impl FolderCopy<'_> {
    /// Links to folders are not followed within a linked folder: a few links could stand for more folders than any disk holds.
    fn folder(&mut self, from: &Path, to: &Path, is_linked: bool) -> io::Result<()> {
        self.system.make_folders(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            let (source, target) = (entry.path(), to.join(entry.file_name()));
            let kind = entry.file_type()?;
            if kind.is_dir() {
                self.folder(&source, &target, is_linked)?;
            } else if kind.is_file() {
                self.system.put(&source, &target)?;
            } else {
                self.link(&source, &target, is_linked)?;
            }
        }
        Ok(())
    }

    fn link(&mut self, link: &Path, to: &Path, is_linked: bool) -> io::Result<()> {
        let meant = fs::canonicalize(link).ok();
        match meant.filter(|meant| meant.starts_with(&self.root)) {
            Some(meant) if meant.is_file() => self.system.put(&meant, to),
            Some(meant) if meant.is_dir() && !is_linked && !link.starts_with(&meant) => {
                self.folder(&meant, to, true)
            }
            _ => {
                let below = link.strip_prefix(&self.root).unwrap_or(link);
                self.left_out.push(below.to_owned());
                Ok(())
            }
        }
    }
}

/// A warning for the job's log.
pub(super) fn warning(left_out: &[PathBuf]) -> Option<String> {
    if left_out.is_empty() {
        return None;
    }
    let mut names: Vec<String> = left_out
        .iter()
        .take(MAX_NAMES)
        .map(|path| path.display().to_string())
        .collect();
    if left_out.len() > MAX_NAMES {
        names.push(format!("and {} more", left_out.len() - MAX_NAMES));
    }
    Some(format!(
        "links that lead nowhere, out of the repository or in a circle were not copied: {}",
        names.join(", ")
    ))
}
