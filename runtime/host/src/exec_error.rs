//! Explains why an existing program could not be executed: the system's own message refers to another file, or gives no cause.

use std::{
    ffi::OsStr,
    fs::{self, File},
    io::{self, BufRead, BufReader, Read},
    os::unix::{ffi::OsStrExt, fs::PermissionsExt},
    path::Path,
};

use rustix::{
    fs::{StatVfsMountFlags, statvfs},
    io::Errno,
};

/// The kernel reads no more of a shebang line.
const FIRST_LINE: u64 = 256;

/// The message for `error`, which occurred when `program` was executed.
pub fn why(program: &Path, error: &io::Error) -> String {
    let cause = match Errno::from_io_error(error) {
        Some(Errno::NOENT) => missing(program),
        Some(Errno::ACCESS) => forbidden(program),
        Some(_) | None => None,
    };
    match cause {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    }
}

/// The program exists, but another program that it needs does not.
fn missing(program: &Path) -> Option<String> {
    if !program.is_file() {
        return None;
    }
    let interpreter = interpreter(program);
    Some(match interpreter {
        Some(name) if name.ends_with(b"\r") => {
            "its first line ends with CR LF, and the CR counts as part of the interpreter's name; save it with Unix line endings".to_owned()
        }
        Some(name) => {
            let name = String::from_utf8_lossy(&name).into_owned();
            format!("its first line asks for {name}, which this machine does not have")
        }
        None => "its dynamic loader does not exist on this machine".to_owned(),
    })
}

/// The program, or its interpreter, must not be executed.
fn forbidden(program: &Path) -> Option<String> {
    let interpreter = interpreter(program);
    let interpreter = interpreter.as_deref().map(OsStr::from_bytes).map(Path::new);
    [Some(program), interpreter]
        .into_iter()
        .flatten()
        .find_map(|file| {
            let mode = fs::metadata(file).ok()?.permissions().mode();
            let is_noexec = || statvfs(file).is_ok_and(|system| system.f_flag.contains(StatVfsMountFlags::NOEXEC));
            let shown = file.display();
            if mode & 0o111 == 0 {
                Some(format!("{shown} is not executable"))
            } else if is_noexec() {
                Some(format!(
                    "the file system of {shown} is mounted noexec; HPDL_HOME can name a folder on another"
                ))
            } else {
                None
            }
        })
}

/// The interpreter in the shebang line of a script.
fn interpreter(program: &Path) -> Option<Vec<u8>> {
    let mut line = Vec::new();
    let file = File::open(program).ok()?;
    BufReader::new(file.take(FIRST_LINE))
        .read_until(b'\n', &mut line)
        .ok()?;
    let line = line.strip_prefix(b"#!")?;
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let mut words = line.split(|byte| matches!(byte, b' ' | b'\t'));
    words.find(|word| !word.is_empty()).map(<[u8]>::to_vec)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// The message for a program with this text and mode, without the system's own message.
    fn said(text: &[u8], mode: u32) -> String {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("program");
        fs::write(&program, text).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(mode)).unwrap();
        let error = Command::new(&program).spawn().unwrap_err();
        let said = why(&program, &error).replace(&format!("{}", folder.path().display()), "");
        match said.split_once(": ") {
            Some((_, cause)) => cause.to_owned(),
            None => said,
        }
    }

    #[test]
    fn scripts_and_programs_that_need_what_is_not_there() {
        assert_eq!(
            said(b"#!/bin/sh\r\necho\r\n", 0o755),
            "its first line ends with CR LF, and the CR counts as part of the interpreter's name; save it with Unix line endings"
        );
        for text in [
            "#!/no/such/python3\n",
            "#! /no/such/python3 -u\r\n",
            "#!/no/such/python3",
        ] {
            assert_eq!(
                said(text.as_bytes(), 0o755),
                "its first line asks for /no/such/python3, which this machine does not have",
                "{text}"
            );
        }
    }

    #[test]
    fn files_that_must_not_be_run() {
        assert_eq!(said(b"#!/bin/sh\n", 0o644), "/program is not executable");
        assert_eq!(
            said(b"#!/etc/passwd\n", 0o755),
            "/etc/passwd is not executable"
        );
    }

    #[test]
    fn what_is_not_there_is_said_as_it_is() {
        let error = io::Error::from_raw_os_error(2);
        assert_eq!(why(Path::new("/no/such"), &error), error.to_string());
    }
}
