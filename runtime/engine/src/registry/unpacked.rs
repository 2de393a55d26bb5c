//! The files of an application in `apps`: synced before a job relies on them, and compared with those of the executable.
//!
//! Their lengths are compared on every use, their contents once in each boot of the machine (`sums/HASH/files` identifies the last). A file
//! that has changed is restored.

use std::{
    fs::{self, File},
    io::{self, Write},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use hpdlc_host::home::{Home, durable, private_file};
use hpdlc_program::table::File as EmbeddedFile;

use super::kept;

/// An application's files and their folder.
pub(super) struct Unpacked<'a> {
    pub home: &'a Home,
    pub hash: &'a str,
    pub files: &'a [EmbeddedFile],
}

impl Unpacked<'_> {
    fn folder(&self) -> PathBuf {
        self.home.apps().join(self.hash)
    }

    /// Restores all files that are missing or have changed.
    ///
    /// # Errors
    ///
    /// They cannot be written.
    pub(super) fn ensure(&self) -> io::Result<()> {
        let folder = self.folder();
        if !folder.exists() {
            self.unpack()?;
        }
        let seen = self.home.sums().join(self.hash).join("files");
        let stamp = kept::stamp(&fs::metadata(&folder)?);
        let is_seen = fs::read_to_string(&seen).is_ok_and(|text| text == stamp);
        let mut is_mended = false;
        for file in self.files {
            if !is_whole(&folder, file, !is_seen)? {
                self.mend(file)?;
                is_mended = true;
            }
        }
        if is_mended {
            durable::names(&folder)?;
        }
        if !is_seen || is_mended {
            // If that fails they are read again next time.
            let _ = fs::create_dir_all(self.home.sums().join(self.hash));
            let _ = private_file::replace(&seen, kept::stamp(&fs::metadata(&folder)?).as_bytes());
        }
        Ok(())
    }

    /// Writes the files under another name and renames the folder, so that it appears atomically.
    fn unpack(&self) -> io::Result<()> {
        let folder = self.folder();
        let unfinished = tempfile::Builder::new()
            .prefix(".unpacking")
            .tempdir_in(self.home.apps())?;
        for file in self.files {
            put(&unfinished.path().join(file.path), file)?;
        }
        fs::set_permissions(unfinished.path(), fs::Permissions::from_mode(0o755))?;
        names_below(unfinished.path())?;
        match fs::rename(unfinished.path(), &folder) {
            Ok(()) => {
                // It was renamed: there is nothing to clean up.
                let _ = unfinished.keep();
                durable::names(&self.home.apps())
            }
            // Another process was faster.
            Err(_) if folder.exists() => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Restores one file. A process that has it open keeps the old one.
    fn mend(&self, file: &EmbeddedFile) -> io::Result<()> {
        let path = self.folder().join(file.path);
        let folder = path.parent().unwrap_or(Path::new("/"));
        fs::create_dir_all(folder)?;
        let unfinished = tempfile::Builder::new()
            .prefix(".unpacking")
            .tempdir_in(self.home.apps())?;
        let whole = unfinished.path().join("file");
        put(&whole, file)?;
        fs::rename(whole, &path)?;
        durable::names(folder)
    }
}

/// Whether a file has the right length, and with `reads` the right contents.
fn is_whole(folder: &Path, file: &EmbeddedFile, reads: bool) -> io::Result<bool> {
    let path = folder.join(file.path);
    let there = match fs::metadata(&path) {
        Ok(there) => there,
        Err(error) if is_absent(&error) => return Ok(false),
        Err(error) => return Err(error),
    };
    let has_length = there.is_file() && there.len() == file.bytes.len() as u64;
    Ok(has_length && (!reads || fs::read(&path)? == file.bytes))
}

fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

fn put(path: &Path, file: &EmbeddedFile) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    File::create(path)?.write_all(file.bytes)?;
    // A cluster provides an application's files readable and executable (YARN's localizer); scripts rely on it.
    fs::set_permissions(path, fs::Permissions::from_mode(0o555))?;
    durable::file(path)
}

/// Syncs the directory entries of a folder, and of all below it.
fn names_below(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            names_below(&entry.path())?;
        }
    }
    durable::names(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    static FILES: [EmbeddedFile; 3] = [
        EmbeddedFile {
            path: "run.sh",
            bytes: b"#!/bin/sh\n",
            is_executable: true,
        },
        EmbeddedFile {
            path: "lib/a/b.jar",
            bytes: b"bytes",
            is_executable: false,
        },
        EmbeddedFile {
            path: "empty",
            bytes: b"",
            is_executable: false,
        },
    ];

    fn home() -> (tempfile::TempDir, Home) {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::open_at(folder.path().join("home")).unwrap();
        (folder, home)
    }

    fn unpacked(home: &Home) -> Unpacked<'_> {
        Unpacked {
            home,
            hash: "aa",
            files: &FILES,
        }
    }

    fn all_whole(home: &Home) -> bool {
        let folder = home.apps().join("aa");
        FILES
            .iter()
            .all(|file| is_whole(&folder, file, true).unwrap())
    }

    #[test]
    fn a_file_that_is_gone_or_another_is_put_there_again() {
        let (_folder, home) = home();
        let unpacked = unpacked(&home);
        unpacked.ensure().unwrap();
        assert!(all_whole(&home));
        let folder = home.apps().join("aa");
        fs::remove_dir_all(folder.join("lib")).unwrap();
        unpacked.ensure().unwrap();
        assert!(all_whole(&home));
        fs::remove_file(folder.join("run.sh")).unwrap();
        fs::write(folder.join("run.sh"), "#!/bin/sh\nexit 1").unwrap();
        unpacked.ensure().unwrap();
        assert!(all_whole(&home));
        // Of the same length, as after a power cut: found after the next boot.
        fs::remove_file(folder.join("run.sh")).unwrap();
        fs::write(folder.join("run.sh"), [0; 10]).unwrap();
        let seen = home.sums().join("aa/files");
        fs::write(&seen, "another boot").unwrap();
        unpacked.ensure().unwrap();
        assert!(all_whole(&home));
        let mode = fs::metadata(folder.join("run.sh"))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o555);
        let n_left = fs::read_dir(home.apps()).unwrap().count();
        assert_eq!(n_left, 1, "nothing unfinished stays");
    }

    /// Whether all files survive every simulated power cut.
    fn survives() -> bool {
        (0..256_u32).all(|seed| {
            let (_folder, home) = home();
            unpacked(&home).ensure().unwrap();
            let mut n = 0;
            let mut is_lost = || {
                n += 1;
                (seed >> (n % 8)) & 1 == 1
            };
            durable::testing::cut_power(&home.apps(), &mut is_lost);
            all_whole(&home)
        })
    }

    #[test]
    fn the_files_are_on_disk_when_they_are_unpacked() {
        assert!(survives());
        durable::testing::forget(true);
        assert!(!survives(), "a disk that nobody syncs loses them");
    }
}
