//! Small files that only their user can read, and that appear or are replaced at once.

use std::{
    io::{self, Write},
    path::Path,
};

use tempfile::NamedTempFile;

/// Creates a file, on disk when this returns; one that another process has created in the meantime is kept.
///
/// # Errors
///
/// If the file cannot be written.
pub fn appear(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let written = beside(path, bytes)?;
    written.as_file().sync_all()?;
    match written.persist_noclobber(path) {
        Err(error) if error.error.kind() != io::ErrorKind::AlreadyExists => Err(error.error),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Replaces a file, without syncing it: it may be lost.
///
/// # Errors
///
/// If the file cannot be written.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    beside(path, bytes)?.persist(path)?;
    Ok(())
}

fn beside(path: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let folder = path.parent().unwrap_or(Path::new("/"));
    let mut file = NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt};

    use super::*;

    #[test]
    fn the_first_file_stays_unless_it_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        appear(&path, b"first").unwrap();
        appear(&path, b"second").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"first");
        replace(&path, b"third").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"third");
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o600
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
