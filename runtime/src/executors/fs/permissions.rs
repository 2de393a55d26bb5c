//! `chmod` and `chgrp`: which files of a tree change, and to what.
//!
//! A folder changes after what is in it, since the new permissions may close it.

use std::{
    fs, io,
    os::unix::fs::{MetadataExt, PermissionsExt, chown, lchown},
    path::Path,
    process::{Command, Stdio},
    sync::atomic::{AtomicBool, Ordering},
};

use crate::{executors::fs::FsFailure, files::metadata};

#[derive(Clone, Copy, Debug)]
pub(super) enum Change {
    /// Permission bits.
    Mode(u32),
    /// Group id. The owner stays: it is the workflow's user already where the user may change groups at all.
    Group(u32),
}

impl Change {
    fn apply(self, path: &Path, is_link: bool) -> io::Result<()> {
        match self {
            // A link has no permissions, and what it points to lies outside the tree.
            Change::Mode(_) if is_link => Ok(()),
            Change::Mode(mode) => fs::set_permissions(path, fs::Permissions::from_mode(mode)),
            Change::Group(group) if is_link => lchown(path, None, Some(group)),
            Change::Group(group) => chown(path, None, Some(group)),
        }
    }

    fn stands(self, path: &Path) -> bool {
        fs::metadata(path).is_ok_and(|metadata| match self {
            Change::Mode(mode) => metadata.mode() & 0o7777 == mode,
            Change::Group(group) => metadata.gid() == group,
        })
    }

    fn verb(self) -> &'static str {
        match self {
            Change::Mode(_) => "change permissions of",
            Change::Group(_) => "change the group of",
        }
    }
}

/// How far below the named paths a change goes (`FsActionExecutor.recursiveFsOperation`).
pub(super) struct Walk<'a> {
    pub(super) change: Change,
    /// Also what is directly in a named folder. Without it, `recursive` has no effect.
    pub(super) dir_files: bool,
    /// Also what is in the folders of named folders, to any depth.
    pub(super) recursive: bool,
    /// The change has begun before: a folder that it has closed is finished.
    pub(super) is_redo: bool,
    pub(super) is_canceled: &'a AtomicBool,
}

impl Walk<'_> {
    /// Changes `paths`, following links in them, but none below.
    pub(super) fn change(&self, paths: &[impl AsRef<Path>]) -> Result<(), FsFailure> {
        for path in paths {
            let path = path.as_ref();
            let Some(metadata) = metadata(path).map_err(|error| self.failure(path, error))? else {
                let message = format!(
                    "cannot {} {}: it points nowhere",
                    self.change.verb(),
                    path.display()
                );
                return Err(FsFailure::new("FS009", message));
            };
            if metadata.is_dir() && self.dir_files {
                self.change_folder(path)?;
            } else {
                self.apply(path, false)?;
            }
        }
        Ok(())
    }

    fn change_folder(&self, folder: &Path) -> Result<(), FsFailure> {
        match fs::read_dir(folder) {
            Ok(entries) => {
                for entry in entries {
                    self.change_entry(&entry.map_err(|error| self.failure(folder, error))?)?;
                }
            }
            Err(error)
                if self.is_redo
                    && error.kind() == io::ErrorKind::PermissionDenied
                    && self.change.stands(folder) =>
            {
                return Ok(());
            }
            Err(error) => return Err(self.failure(folder, error)),
        }
        self.apply(folder, false)
    }

    fn change_entry(&self, entry: &fs::DirEntry) -> Result<(), FsFailure> {
        if self.is_canceled.load(Ordering::Relaxed) {
            return Err(FsFailure::canceled());
        }
        let path = entry.path();
        let kind = entry
            .file_type()
            .map_err(|error| self.failure(&path, error))?;
        if kind.is_dir() && self.recursive {
            self.change_folder(&path)
        } else {
            self.apply(&path, kind.is_symlink())
        }
    }

    fn apply(&self, path: &Path, is_link: bool) -> Result<(), FsFailure> {
        self.change
            .apply(path, is_link)
            .map_err(|error| self.failure(path, error))
    }

    fn failure(&self, path: &Path, error: io::Error) -> FsFailure {
        FsFailure::io(
            "IOException",
            format_args!("{} {}", self.change.verb(), path.display()),
            error,
        )
    }
}

/// The id of a group by its name, or else by its number.
///
/// # Errors
///
/// `IOException` where there is no such group.
pub(super) fn group_id(group: &str) -> Result<u32, FsFailure> {
    let local = fs::read_to_string("/etc/group").unwrap_or_default();
    find_group(&local, group)
        .or_else(|| group.parse().ok())
        .or_else(|| directory_group(group))
        .ok_or_else(|| FsFailure::new("IOException", format!("chgrp: there is no group `{group}`")))
}

fn find_group(text: &str, group: &str) -> Option<u32> {
    text.lines().find_map(|line| {
        let mut fields = line.split(':');
        if fields.next() != Some(group) {
            return None;
        }
        fields.nth(1)?.parse().ok()
    })
}

/// Groups of a directory service are known to the C library alone; `getent` asks it.
fn directory_group(group: &str) -> Option<u32> {
    if group.is_empty() || group.starts_with('-') {
        return None;
    }
    let output = Command::new("getent")
        .args(["group", group])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    find_group(&String::from_utf8_lossy(&output.stdout), group)
}

#[cfg(test)]
mod tests {
    use super::{find_group, group_id};

    #[test]
    fn groups() {
        let text = "root:x:0:\nusers:x:100:a,b\nbroken\nodd:x:many:\n";
        assert_eq!(find_group(text, "users"), Some(100));
        assert_eq!(find_group(text, "user"), None);
        assert_eq!(find_group(text, "broken"), None);
        assert_eq!(find_group(text, "odd"), None);
        assert_eq!(group_id("root").expect("everywhere"), 0);
        assert_eq!(group_id("12345").expect("a number"), 12345);
        let error = group_id("no such group").expect_err("no such group");
        assert_eq!(
            error.to_string(),
            "IOException: chgrp: there is no group `no such group`"
        );
    }
}
