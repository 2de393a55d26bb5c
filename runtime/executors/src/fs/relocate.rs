//! Moves files as planned in the journal: within a file system by one rename, between disks of this machine by a copy that is
//! renamed to its target when complete.
//!
//! Nothing that exists is ever replaced. After a crash, a source that is missing has been moved. Between disks, the journal says
//! when a copy is complete; from then on the source is only removed once the copy is at its target, and before that the
//! copy is discarded and begun anew.

use std::{
    ffi::{OsStr, OsString},
    fs::{self, File},
    io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

use hpdlc_files::{
    FileSystem, link_metadata,
    local::rename,
    remove::{RemoveError, remove_tree},
    uri_on,
};

use crate::fs::{
    FsFailure, Operation,
    journal::{OperationJournal, OperationRecord},
    relocation::Relocation,
};

/// Plans and moves, or continues the plan of an earlier run.
pub(super) fn perform(
    index: usize,
    operation: &Operation,
    begun: Option<OperationRecord>,
    plan: impl FnOnce() -> Result<Vec<Relocation>, FsFailure>,
    journal: &mut OperationJournal,
    system: &dyn FileSystem,
    is_canceled: &AtomicBool,
) -> Result<(), FsFailure> {
    let is_redo = begun.is_some();
    let entry = match begun {
        Some(entry) => entry,
        None => {
            let plan = plan()?;
            journal
                .begin_moving(index, operation, plan)
                .map_err(FsFailure::Machine)?;
            journal
                .begun(index, operation)
                .ok_or_else(FsFailure::canceled)?
        }
    };
    for (place, relocation) in entry.plan.iter().enumerate() {
        if is_canceled.load(Ordering::Relaxed) {
            return Err(FsFailure::canceled());
        }
        let Relocation { from, to } = relocation;
        let failure = |error: io::Error| relocation.failure(system, &error);
        if is_redo && system.link_status(from).map_err(failure)?.is_none() {
            continue;
        }
        let across = Across {
            system,
            index,
            place,
            relocation,
            is_canceled,
        };
        if entry.copied.contains(&place) && across.finish()? {
            continue;
        }
        if to.starts_with(from) {
            let error = io::Error::new(io::ErrorKind::InvalidInput, "the target is in the source");
            return Err(failure(error));
        }
        match system.rename(from, to, is_redo) {
            Ok(()) => {}
            // Only the local file system has more than one disk.
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => across.copy(journal)?,
            Err(error) => return Err(failure(error)),
        }
    }
    Ok(())
}

impl Relocation {
    fn failure(&self, system: &dyn FileSystem, error: &io::Error) -> FsFailure {
        let message = format!(
            "move, could not move [{}] to [{}]: {error}",
            uri_on(system, &self.from),
            uri_on(system, &self.to)
        );
        FsFailure::io_of("FS008", &message, error)
    }
}

impl FsFailure {
    /// A failed move, as the failure of the `delete` of `path` that moves to the trash.
    pub(super) fn of_trash(self, path: &str) -> FsFailure {
        match self {
            FsFailure::Action(error) if error.code == "FS008" => FsFailure::new(
                "FS005",
                format!(
                    "Could not move path [{path}] to trash on delete: {}",
                    error.message
                ),
            ),
            other => other,
        }
    }
}

/// `wanted`, or the first of `wanted.1`, `wanted.2` and so on that does not exist.
pub(super) fn free_name(
    system: &dyn FileSystem,
    wanted: &Path,
    is_taken: impl Fn(&Path) -> bool,
) -> io::Result<PathBuf> {
    let mut name = wanted.to_owned();
    let mut number = 0_u32;
    while system.link_status(&name)?.is_some() || is_taken(&name) {
        number += 1;
        let mut numbered = wanted.as_os_str().to_owned();
        numbered.push(format!(".{number}"));
        name = PathBuf::from(numbered);
    }
    Ok(name)
}

/// A move between disks.
struct Across<'a> {
    system: &'a dyn FileSystem,
    index: usize,
    place: usize,
    relocation: &'a Relocation,
    is_canceled: &'a AtomicBool,
}

impl Across<'_> {
    /// A name beside the target that no other move on this machine uses: a hash of source and target, and only one can move a source.
    fn temporary(&self) -> PathBuf {
        let hash = self
            .relocation
            .from
            .as_os_str()
            .as_bytes()
            .iter()
            .chain(&[0])
            .chain(self.relocation.to.as_os_str().as_bytes())
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            });
        self.relocation
            .to
            .with_file_name(format!(".hpdl-move-{hash:016x}"))
    }

    fn failure(&self, error: io::Error) -> FsFailure {
        self.relocation.failure(self.system, &error)
    }

    fn remove(&self, path: &Path) -> Result<(), FsFailure> {
        remove_tree(path, self.is_canceled).map_err(|error| match error {
            RemoveError::Canceled => FsFailure::canceled(),
            RemoveError::Io { path, error } => FsFailure::io(
                "FS008",
                format_args!("delete {} after a move", path.display()),
                error,
            ),
        })
    }

    fn copy(&self, journal: &mut OperationJournal) -> Result<(), FsFailure> {
        let Relocation { from, to } = self.relocation;
        if link_metadata(to)
            .map_err(|error| self.failure(error))?
            .is_some()
        {
            return Err(self.failure(io::Error::from(io::ErrorKind::AlreadyExists)));
        }
        let temporary = self.temporary();
        self.remove(&temporary)?;
        if let Err(failure) = self.copy_tree(from, &temporary) {
            // The failure of the copy is what has to be reported; a leftover is removed by the next attempt.
            let _ = remove_tree(&temporary, &AtomicBool::new(false));
            return Err(failure);
        }
        journal
            .copied(self.index, self.place)
            .map_err(FsFailure::Machine)?;
        self.put_in_place(&temporary)
    }

    /// Continues with a complete copy; false if there is neither copy nor target, so that the move starts anew.
    fn finish(&self) -> Result<bool, FsFailure> {
        let temporary = self.temporary();
        let is_there = |path: &Path| {
            link_metadata(path)
                .map(|it| it.is_some())
                .map_err(|error| self.failure(error))
        };
        if is_there(&temporary)? {
            self.put_in_place(&temporary)?;
            return Ok(true);
        }
        if is_there(&self.relocation.to)? {
            self.remove(&self.relocation.from)?;
            return Ok(true);
        }
        Ok(false)
    }

    fn put_in_place(&self, temporary: &Path) -> Result<(), FsFailure> {
        let Relocation { from, to } = self.relocation;
        rename(temporary, to).map_err(|error| self.failure(error))?;
        if let Some(folder) = to.parent() {
            File::open(folder)
                .and_then(|folder| folder.sync_all())
                .map_err(|error| self.failure(error))?;
        }
        self.remove(from)
    }

    /// Copies with permissions, links as links, and syncs every file before the source is removed.
    fn copy_tree(&self, from: &Path, to: &Path) -> Result<(), FsFailure> {
        if self.is_canceled.load(Ordering::Relaxed) {
            return Err(FsFailure::canceled());
        }
        let failure = |error| {
            FsFailure::io(
                "FS008",
                format_args!("copy {} to {}", from.display(), to.display()),
                error,
            )
        };
        let metadata = fs::symlink_metadata(from).map_err(failure)?;
        if metadata.is_symlink() {
            let target = fs::read_link(from).map_err(failure)?;
            return std::os::unix::fs::symlink(target, to).map_err(failure);
        }
        if metadata.is_dir() {
            fs::create_dir(to).map_err(failure)?;
            for entry in fs::read_dir(from).map_err(failure)? {
                let name: OsString = entry.map_err(failure)?.file_name();
                let name: &OsStr = &name;
                self.copy_tree(&from.join(name), &to.join(name))?;
            }
        } else if metadata.is_file() {
            fs::copy(from, to).map_err(failure)?;
        } else {
            return Err(failure(io::Error::new(
                io::ErrorKind::Unsupported,
                "only files, folders and links can be moved to another disk",
            )));
        }
        let copy = File::open(to).map_err(failure)?;
        if let Ok(time) = metadata.modified() {
            copy.set_modified(time).map_err(failure)?;
        }
        copy.sync_all().map_err(failure)?;
        fs::set_permissions(to, metadata.permissions()).map_err(failure)
    }
}

#[cfg(test)]
mod tests;
