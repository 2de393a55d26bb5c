//! Small private files of a state folder that are created once and never change.

use std::{
    fs::{self, File},
    io::{self, Read, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

/// Bytes of a secret.
const LENGTH: usize = 32;

/// The secret in a file, which is created if it does not exist.
///
/// # Errors
///
/// If the file is damaged, or cannot be read or created.
pub fn of(path: &Path) -> io::Result<Vec<u8>> {
    for _ in 0..2 {
        match fs::read(path) {
            Ok(secret) if secret.len() == LENGTH => return Ok(secret),
            Ok(_) => return Err(io::Error::other("it is damaged: remove it")),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        let mut secret = [0; LENGTH];
        File::open("/dev/urandom")?.read_exact(&mut secret)?;
        appear(path, &secret)?;
    }
    Err(io::Error::other("it disappears after it was written"))
}

/// Creates a private file atomically; one that another process has created in the meantime is kept.
///
/// # Errors
///
/// If the file cannot be written.
pub fn appear(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let own = beside(path);
    write(&own, bytes)?.sync_all()?;
    let linked = fs::hard_link(&own, path);
    fs::remove_file(&own)?;
    match linked {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Replaces a private file atomically, without syncing it.
///
/// # Errors
///
/// If the file cannot be written.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let own = beside(path);
    write(&own, bytes)?;
    fs::rename(&own, path)
}

/// A name that no other thread uses.
fn beside(path: &Path) -> PathBuf {
    path.with_extension(format!(
        "{}-{:?}",
        std::process::id(),
        std::thread::current().id()
    ))
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<File> {
    let mut file = File::options()
        .create(true)
        .truncate(true)
        .write(true)
        .mode(0o600)
        .open(path)?;
    file.write_all(bytes)?;
    Ok(file)
}
