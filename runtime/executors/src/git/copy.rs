//! From the clone to its destination, which may know no links: what they lead to is copied in their place.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use hpdlc_files::system::FileSystem;

/// More names than these are not listed.
const MAX_NAMES: usize = 10;

/// What has been copied and what not.
struct Copy<'a> {
    /// The clone, without links in its path.
    root: PathBuf,
    system: &'a dyn FileSystem,
    left_out: Vec<PathBuf>,
}

/// Copies what is in `clone` into the folder `to`. The names of the links that were left out: those that lead nowhere, out of
/// the clone, or to a folder that they are in.
///
/// # Errors
///
/// The first file that cannot be read or written.
pub(super) fn copy(clone: &Path, to: &Path, system: &dyn FileSystem) -> io::Result<Vec<PathBuf>> {
    let root = fs::canonicalize(clone)?;
    let mut copy = Copy {
        root: root.clone(),
        system,
        left_out: Vec::new(),
    };
    copy.folder(&root, to, false)?;
    Ok(copy.left_out)
}

impl Copy<'_> {
    /// A linked folder is not gone through for further ones: a few links could stand for more folders than any disk holds.
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

/// For the job's log.
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
