//! Follows a growing file, line by line: a part of a secret would not be recognised, nor a part of a character.

use std::{
    fs::{self, File, Metadata},
    io::{self, Read, Seek, SeekFrom},
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

/// Bytes read at a time. A longer line is returned in pieces.
const PIECE: usize = 256 * 1024;

#[derive(Debug)]
pub(super) struct FileFollower {
    path: PathBuf,
    offset: u64,
    /// Read and not returned yet: the start of a line.
    kept: Vec<u8>,
}

impl FileFollower {
    pub(super) fn new(path: PathBuf) -> FileFollower {
        FileFollower {
            path,
            offset: 0,
            kept: Vec::new(),
        }
    }

    pub(super) fn path(&self) -> String {
        self.path.display().to_string()
    }

    /// The next piece, as it was written; `None` if there is no more at present. With `is_last`, an unterminated line is returned, too.
    pub(super) fn next(&mut self, is_last: bool) -> io::Result<Option<Vec<u8>>> {
        let mut read = Vec::new();
        match File::open(&self.path) {
            Ok(mut file) => {
                file.seek(SeekFrom::Start(self.offset))?;
                let room = u64::try_from(PIECE - self.kept.len().min(PIECE)).unwrap_or(u64::MAX);
                (&mut file).take(room).read_to_end(&mut read)?;
                // An empty file may have been reused for another action since it was opened.
                if !is_named(&file, &self.path) {
                    read.clear();
                }
            }
            // An action that has printed nothing yet, or has no process.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        self.offset += read.len() as u64;
        let is_at_end = read.is_empty();
        self.kept.append(&mut read);
        let n_whole = self
            .kept
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |place| place + 1);
        let n_given = match n_whole {
            0 if (is_at_end && is_last) || self.kept.len() >= PIECE => self.kept.len(),
            whole => whole,
        };
        if n_given == 0 {
            return Ok((!is_at_end).then(Vec::new));
        }
        Ok(Some(self.kept.drain(..n_given).collect()))
    }
}

/// Whether the path still refers to this file.
fn is_named(file: &File, path: &Path) -> bool {
    let numbers = |metadata: io::Result<Metadata>| {
        let metadata = metadata.ok()?;
        Some((metadata.dev(), metadata.ino()))
    };
    numbers(file.metadata()) == numbers(fs::metadata(path))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn all(follower: &mut FileFollower, is_last: bool) -> String {
        let mut text = String::new();
        while let Some(piece) = follower.next(is_last).unwrap() {
            text.push_str(std::str::from_utf8(&piece).unwrap());
        }
        text
    }

    #[test]
    fn lines_come_whole_and_the_last_one_at_the_end() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let mut follower = FileFollower::new(file.path().to_owned());
        assert_eq!(all(&mut follower, false), "");
        file.write_all("one\ntw".as_bytes()).unwrap();
        assert_eq!(all(&mut follower, false), "one\n");
        assert_eq!(all(&mut follower, false), "");
        file.write_all("o\nthr\u{e9}".as_bytes()).unwrap();
        assert_eq!(all(&mut follower, false), "two\n");
        assert_eq!(all(&mut follower, true), "thr\u{e9}");
        assert_eq!(all(&mut follower, true), "");
    }

    #[test]
    fn a_line_without_end_is_no_memory_without_end() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&vec![b'x'; 3 * PIECE + 5]).unwrap();
        let mut follower = FileFollower::new(file.path().to_owned());
        assert_eq!(all(&mut follower, false).len(), 3 * PIECE);
        assert_eq!(all(&mut follower, true).len(), 5);
    }

    #[test]
    fn a_file_that_got_another_name_is_another_file() {
        let folder = tempfile::tempdir().unwrap();
        let [path, other] = ["1.out", "2.out"].map(|name| folder.path().join(name));
        let file = File::create(&path).unwrap();
        assert!(is_named(&file, &path));
        fs::rename(&path, other).unwrap();
        assert!(!is_named(&file, &path));
        File::create(&path).unwrap();
        assert!(!is_named(&file, &path));
    }

    #[test]
    fn a_file_that_is_not_there_yet_is_empty() {
        let mut follower = FileFollower::new(PathBuf::from("/nonexistent/stdout"));
        assert_eq!(all(&mut follower, true), "");
    }
}
