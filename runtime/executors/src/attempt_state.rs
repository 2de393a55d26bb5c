//! What the processes of an attempt tell each other: a file beside its folder, for the one that goes on after a crash.

use std::{
    fs::{self, File},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
};

use hpdlc_launcher::Attempt;
use serde::{Serialize, de::DeserializeOwned};

/// `None` before a process of the attempt has written it.
///
/// # Errors
///
/// The file exists and cannot be read.
pub(crate) fn read<T: DeserializeOwned>(attempt: &Attempt, ending: &str) -> io::Result<Option<T>> {
    match fs::read(attempt.beside(ending)) {
        Ok(text) => Ok(Some(serde_json::from_slice(&text)?)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns once it is on disk, whole.
///
/// # Errors
///
/// The file cannot be written.
pub(crate) fn write(attempt: &Attempt, ending: &str, state: &impl Serialize) -> io::Result<()> {
    let new = attempt.beside(&format!("{ending}.new"));
    let mut file = File::options()
        .create(true)
        .truncate(true)
        .write(true)
        .mode(0o600)
        .open(&new)?;
    file.write_all(&serde_json::to_vec(state)?)?;
    file.sync_all()?;
    fs::rename(new, attempt.beside(ending))?;
    match attempt.folder().parent() {
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}
