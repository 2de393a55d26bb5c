//! Copies of executables in `bin`: synced before a job relies on them, and verified by checksum before they are run.
//!
//! `sums/HASH/digests` has the SHA-256 and the length of what was copied to `bin/HASH`, a line each: there may be more than one build of
//! one definition, and the next one is added before its copy replaces the last. A copy that matches none of them is damaged.
//! `sums/HASH/seen` identifies the file last found intact, and the boot of the machine: that one is not read again.

use std::{
    fs::{self, File, Metadata},
    io::{self, Read, Write},
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
};

use hpdlc_host::{
    exit::RunError,
    home::{Home, durable, private_file},
    liveness,
};
use ring::digest::{Context, SHA256};

/// The state of the file in `bin` under the hash of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeptCopy {
    Missing,
    /// It is intact.
    Whole,
    /// An earlier version copied it without recording its digest. Only its header and length are plausible.
    Unrecorded,
    Damaged,
}

impl KeptCopy {
    pub fn can_run(self) -> bool {
        matches!(self, KeptCopy::Whole | KeptCopy::Unrecorded)
    }
}

/// Copies an executable to where its jobs find it; it is synced when this returns.
///
/// # Errors
///
/// It cannot be written.
pub fn keep(home: &Home, hash: &str, source: &Path) -> io::Result<()> {
    let kept = home.bin().join(hash);
    let unfinished = tempfile::NamedTempFile::new_in(home.bin())?;
    // The kernel shares the blocks if it can (reflink).
    fs::copy(source, unfinished.path())?;
    fs::set_permissions(unfinished.path(), fs::Permissions::from_mode(0o700))?;
    durable::file(unfinished.path())?;
    record(home, hash, &digest(source)?)?;
    unfinished.persist(&kept)?;
    durable::names(&home.bin())?;
    // So that the next check need not read it.
    match look(home, hash)? {
        KeptCopy::Whole => Ok(()),
        KeptCopy::Missing | KeptCopy::Unrecorded | KeptCopy::Damaged => Err(io::Error::other(
            "the copy differs from the original: the executable was changed meanwhile, or the disk is failing",
        )),
    }
}

/// Checks a copy, reading it if that was not done in this boot of the machine.
///
/// # Errors
///
/// It cannot be read.
pub fn look(home: &Home, hash: &str) -> io::Result<KeptCopy> {
    let Some(metadata) = metadata(&home.bin().join(hash))? else {
        return Ok(KeptCopy::Missing);
    };
    let seen = seen_file(home, hash);
    let stamp = stamp(&metadata);
    if fs::read_to_string(&seen).is_ok_and(|text| text == stamp) {
        return Ok(KeptCopy::Whole);
    }
    let found = examine(home, hash)?;
    if found == KeptCopy::Whole {
        // If that fails it is read again next time.
        let _ = private_file::replace(&seen, stamp.as_bytes());
    }
    Ok(found)
}

/// Checks a copy by reading it, whatever the result of an earlier check.
///
/// # Errors
///
/// It cannot be read.
pub fn examine(home: &Home, hash: &str) -> io::Result<KeptCopy> {
    let kept = home.bin().join(hash);
    let Some(metadata) = metadata(&kept)? else {
        return Ok(KeptCopy::Missing);
    };
    let recorded = recorded(home, hash);
    if recorded.is_empty() {
        return Ok(if has_an_end(&kept, metadata.len())? {
            KeptCopy::Unrecorded
        } else {
            KeptCopy::Damaged
        });
    }
    let length = format!(" {}", metadata.len());
    let is_whole =
        recorded.iter().any(|line| line.ends_with(&length)) && recorded.contains(&digest(&kept)?);
    Ok(if is_whole {
        KeptCopy::Whole
    } else {
        KeptCopy::Damaged
    })
}

/// Renames everything that belongs to a definition; returns the new names, for the caller to remove.
///
/// # Errors
///
/// The files cannot be renamed.
pub fn set_aside(home: &Home, hash: &str) -> Result<Vec<PathBuf>, RunError> {
    let mut removed = Vec::new();
    for folder in [home.bin(), home.apps(), home.sums()] {
        let path = folder.join(hash);
        let aside = folder.join(format!(".removed-{hash}-{}", std::process::id()));
        match fs::rename(&path, &aside) {
            Ok(()) => removed.push(aside),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => {
                return Err(RunError::machine(format!(
                    "cannot remove {}: {error}",
                    path.display()
                )));
            }
        }
    }
    Ok(removed)
}

fn seen_file(home: &Home, hash: &str) -> PathBuf {
    home.sums().join(hash).join("seen")
}

/// The recorded digests of a definition's copies, a line each.
fn recorded(home: &Home, hash: &str) -> Vec<String> {
    let text = fs::read_to_string(home.sums().join(hash).join("digests")).unwrap_or_default();
    // A line that was cut short does not count.
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    whole.lines().map(str::to_owned).collect()
}

/// Adds a line, synced when this returns.
fn record(home: &Home, hash: &str, line: &str) -> io::Result<()> {
    let mut lines = recorded(home, hash);
    if lines.iter().any(|recorded| recorded == line) {
        return Ok(());
    }
    lines.push(line.to_owned());
    let folder = home.sums().join(hash);
    fs::create_dir_all(&folder)?;
    let path = folder.join("digests");
    let mut unfinished = tempfile::NamedTempFile::new_in(&folder)?;
    unfinished.write_all(format!("{}\n", lines.join("\n")).as_bytes())?;
    durable::file(unfinished.path())?;
    unfinished.persist(&path)?;
    durable::names(&folder)?;
    durable::names(&home.sums())
}

/// Digest and length, as in a line.
///
/// By `ring`, whose code is assembly: that of `sha2` takes seconds for an executable of the profile `dev`, which is large, and where it is
/// not optimized itself.
pub(super) fn digest(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hasher = Context::new(&SHA256);
    let mut buffer = vec![0; 256 * 1024];
    let mut length = 0;
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            n => {
                hasher.update(&buffer[..n]);
                length += n;
            }
        }
    }
    let digest = hex::encode(hasher.finish().as_ref());
    Ok(format!("{digest} {length}"))
}

fn metadata(path: &Path) -> io::Result<Option<Metadata>> {
    match fs::metadata(path) {
        Ok(metadata) => Ok(Some(metadata)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// A text that differs after every change of a file and every boot of the machine.
pub(super) fn stamp(metadata: &Metadata) -> String {
    format!(
        "{} {} {} {} {} {}",
        liveness::boot_id(),
        metadata.ino(),
        metadata.len(),
        metadata.mtime(),
        metadata.ctime(),
        metadata.ctime_nsec()
    )
}

/// Whether an ELF file is as long as its header says, so that it was not truncated.
fn has_an_end(path: &Path, length: u64) -> io::Result<bool> {
    let mut header = [0; 64];
    match File::open(path)?.read_exact(&mut header) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
        Err(error) => return Err(error),
    }
    let number = |at: usize, n: usize| {
        let bytes = header[at..at + n].iter().rev();
        bytes.fold(0_u64, |number, byte| (number << 8) | u64::from(*byte))
    };
    // In a 64-bit header: e_phoff, e_shoff, e_phentsize, e_phnum, e_shentsize, e_shnum.
    let programs = number(32, 8).saturating_add(number(54, 2) * number(56, 2));
    let sections = number(40, 8).saturating_add(number(58, 2) * number(60, 2));
    Ok(header.starts_with(b"\x7fELF") && programs <= length && sections <= length)
}

#[cfg(any(test, feature = "testing"))]
pub mod testing {
    /// The shortest file that passes for an executable.
    pub fn elf() -> Vec<u8> {
        let mut elf = vec![0; 64];
        elf[..4].copy_from_slice(b"\x7fELF");
        elf
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn home() -> (tempfile::TempDir, Home, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::open_at(folder.path().join("home")).unwrap();
        let source = folder.path().join("program");
        let mut bytes = testing::elf();
        bytes.extend((0..600_000_u32).map(|n| n.to_le_bytes()[1]));
        fs::write(&source, bytes).unwrap();
        (folder, home, source)
    }

    #[track_caller]
    fn check(home: &Home, expected: KeptCopy) {
        assert_eq!(look(home, "aa").unwrap(), expected);
        assert_eq!(examine(home, "aa").unwrap(), expected);
    }

    #[test]
    fn a_copy_is_whole_until_anything_of_it_changes() {
        let (_folder, home, source) = home();
        check(&home, KeptCopy::Missing);
        keep(&home, "aa", &source).unwrap();
        check(&home, KeptCopy::Whole);
        let kept = home.bin().join("aa");
        assert_eq!(fs::read(&kept).unwrap(), fs::read(&source).unwrap());
        let bytes = fs::read(&kept).unwrap();
        for change in [0, bytes.len() / 2, bytes.len() - 1] {
            let mut bytes = bytes.clone();
            bytes[change] ^= 1;
            fs::write(&kept, bytes).unwrap();
            check(&home, KeptCopy::Damaged);
        }
        fs::write(&kept, "").unwrap();
        check(&home, KeptCopy::Damaged);
        fs::write(&kept, &bytes).unwrap();
        check(&home, KeptCopy::Whole);
    }

    #[test]
    fn another_build_of_the_definition_is_whole_too() {
        let (_folder, home, source) = home();
        keep(&home, "aa", &source).unwrap();
        let first = fs::read(&source).unwrap();
        fs::write(&source, [first.as_slice(), b"more"].concat()).unwrap();
        keep(&home, "aa", &source).unwrap();
        check(&home, KeptCopy::Whole);
        // After a crash between recording the next digest and renaming its copy, the last copy is there.
        fs::write(home.bin().join("aa"), first).unwrap();
        check(&home, KeptCopy::Whole);
    }

    #[test]
    fn what_an_earlier_version_has_kept_must_have_an_end() {
        let (_folder, home, source) = home();
        let kept = home.bin().join("aa");
        fs::copy("/proc/self/exe", &kept).unwrap();
        check(&home, KeptCopy::Unrecorded);
        let length = fs::metadata(&kept).unwrap().len();
        for cut in [length - 1, 63, 0] {
            File::options()
                .write(true)
                .open(&kept)
                .and_then(|file| file.set_len(cut))
                .unwrap();
            check(&home, KeptCopy::Damaged);
        }
        keep(&home, "aa", &source).unwrap();
        check(&home, KeptCopy::Whole);
    }

    #[test]
    fn what_is_set_aside_is_gone_under_its_name() {
        let (_folder, home, source) = home();
        keep(&home, "aa", &source).unwrap();
        fs::create_dir(home.apps().join("aa")).unwrap();
        let removed = set_aside(&home, "aa").unwrap();
        assert_eq!(removed.len(), 3);
        check(&home, KeptCopy::Missing);
        for folder in [home.bin(), home.apps(), home.sums()] {
            let names = fs::read_dir(folder).unwrap();
            for name in names {
                assert!(removed.contains(&name.unwrap().path()));
            }
        }
    }

    /// Whether a copy that was reported as kept survives every simulated power cut.
    fn survives() -> bool {
        (0..64_u32).all(|seed| {
            let (_folder, home, source) = home();
            keep(&home, "aa", &source).unwrap();
            let mut n = 0;
            let mut is_lost = || {
                n += 1;
                (seed >> (n % 6)) & 1 == 1
            };
            for folder in [home.bin(), home.sums()] {
                durable::testing::cut_power(&folder, &mut is_lost);
            }
            look(&home, "aa").unwrap() == KeptCopy::Whole
        })
    }

    #[test]
    fn a_copy_is_on_disk_when_it_is_answered_for() {
        assert!(survives());
        durable::testing::forget(true);
        assert!(!survives(), "a disk that nobody syncs loses it");
    }
}
