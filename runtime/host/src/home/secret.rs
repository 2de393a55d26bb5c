//! The secrets of a state folder, which are made once.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

use super::private_file;

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
        private_file::appear(path, &secret)?;
    }
    Err(io::Error::other("it disappears after it was written"))
}
