//! What hpdlc itself has generated in an application's folder: otherwise each build there would embed the previous one.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use hpdlc_core::mark;

/// The list that `emit` stores in its folder.
pub const EMITTED: &str = ".hpdlc-emitted";

/// The number of bytes read at a time.
const CHUNK: usize = 1024 * 1024;

/// Whether the file at `path` is an executable with the mark, by any name.
///
/// # Errors
///
/// It cannot be read.
pub fn is_executable(path: &Path) -> io::Result<bool> {
    let mut file = File::open(path)?;
    let mut window = Vec::new();
    (&mut file).take(4).read_to_end(&mut window)?;
    if window != *b"\x7fELF" {
        return Ok(false);
    }
    let chunk = u64::try_from(CHUNK).unwrap_or(u64::MAX);
    while (&mut file).take(chunk).read_to_end(&mut window)? > 0 {
        if mark::is_in(&window) {
            return Ok(true);
        }
        // The mark may cross the boundary of two chunks.
        let seen = window.len().saturating_sub(mark::LENGTH - 1);
        window.drain(..seen);
    }
    Ok(false)
}

/// Whether `emit` has written the folder at `path`, or jobs have their state there.
pub fn is_folder(path: &Path) -> bool {
    path.join(EMITTED).is_file() || (path.join("jobs.db").is_file() && path.join("locks").is_dir())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn mark_is_found_across_the_borders_of_chunks() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("program");
        for before in [CHUNK - 40, CHUNK - 20, CHUNK, 2 * CHUNK - 1] {
            let mut bytes = b"\x7fELF".to_vec();
            bytes.resize(before, 0);
            fs::write(&path, &bytes).expect("writes");
            assert!(!is_executable(&path).expect("reads"), "{before}");
            bytes.extend(mark::mark());
            bytes.extend([1; 100]);
            fs::write(&path, &bytes).expect("writes");
            assert!(is_executable(&path).expect("reads"), "{before}");
        }
        fs::write(&path, "").expect("writes");
        assert!(!is_executable(&path).expect("reads"));
    }
}
