//! Files that the user names on the command line or in settings: read completely, and only if they are finite.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

/// The maximum file size in bytes.
const MAX_SIZE: u64 = 64 * 1024 * 1024;

/// Paths of an open file of this process, such as bash's `<(command)`.
const STREAMS: [&str; 4] = ["/dev/fd/", "/dev/stdin", "/proc/self/fd/", "/dev/null"];

/// The bytes of the file at `path`.
///
/// # Errors
///
/// If it cannot be read, has more than 64 MiB, or is a pipe or a device, which may be endless, and not one passed to the process.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let refused = |problem: &str| io::Error::other(problem.to_owned());
    let is_stream = path
        .to_str()
        .is_some_and(|path| STREAMS.iter().any(|stream| path.starts_with(stream)));
    let metadata = fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(io::Error::from(io::ErrorKind::IsADirectory));
    }
    if !metadata.is_file() && !is_stream {
        return Err(refused(
            "it is a pipe, a socket or a device, where a file is needed",
        ));
    }
    let mut bytes = Vec::new();
    File::open(path)?
        .take(MAX_SIZE + 1)
        .read_to_end(&mut bytes)?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length > MAX_SIZE) {
        return Err(refused("it has more than 64 MiB"));
    }
    Ok(bytes)
}

/// The text of the file at `path`.
///
/// # Errors
///
/// As [`read`], and if it is not UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8"))
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn what_has_no_end_is_refused_at_once() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = |name: &str| folder.path().join(name);
        fs::write(path("file"), "a=1").expect("writes");
        assert_eq!(read(&path("file")).expect("reads"), b"a=1");
        let made = Command::new("mkfifo").arg(path("fifo")).status();
        assert!(made.expect("it is there").success());
        for special in [path("fifo"), "/dev/zero".into(), "/dev/urandom".into()] {
            let error = read(&special).expect_err("it is no file");
            assert!(error.to_string().contains("a file is needed"), "{error}");
        }
        let error = read(folder.path()).expect_err("a folder");
        assert_eq!(error.kind(), io::ErrorKind::IsADirectory);
        assert_eq!(read(Path::new("/dev/null")).expect("it ends"), b"");
        fs::write(path("bytes"), b"\xff").expect("writes");
        assert!(read_text(&path("bytes")).is_err());
        File::create(path("large"))
            .and_then(|file| file.set_len(MAX_SIZE + 1))
            .expect("a hole");
        assert!(read(&path("large")).is_err());
    }
}
