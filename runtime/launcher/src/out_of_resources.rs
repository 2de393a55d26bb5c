//! Errors by which the machine has run out of resources, and their messages for the user.

use std::{io, path::Path};

use rustix::io::Errno;

/// Whether the machine has no room for another process, or this process for another file, which is not the program's fault.
pub(super) fn is_exhausted(error: &io::Error) -> bool {
    matches!(
        Errno::from_io_error(error),
        Some(Errno::AGAIN | Errno::NOMEM | Errno::MFILE | Errno::NFILE)
    )
}

/// The message to the owner for an error of the machine.
pub(super) fn problem(path: &Path, error: &io::Error) -> String {
    let path = path.display();
    match Errno::from_io_error(error) {
        Some(Errno::MFILE) => format!(
            "{path}: {error}: a launcher has one file open for each process; allow more (`ulimit -n`) or have fewer run at once (hpdl.local.processes.max)"
        ),
        Some(Errno::AGAIN) => format!(
            "{path}: {error}: the limit of processes is reached; allow more (`ulimit -u`) or have fewer run at once (hpdl.local.processes.max)"
        ),
        Some(_) | None => format!("{path}: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_done_about_it_is_told_where_there_is_something() {
        for (errno, has_no_room, words) in [
            (Errno::MFILE, true, "`ulimit -n`"),
            (Errno::AGAIN, true, "`ulimit -u`"),
            (Errno::NOMEM, true, "Cannot allocate memory"),
            (Errno::NOSPC, false, "No space left on device"),
        ] {
            let error = io::Error::from(errno);
            assert_eq!(is_exhausted(&error), has_no_room, "{errno}");
            let told = problem(Path::new("a/1"), &error);
            assert!(told.starts_with("a/1: ") && told.contains(words), "{told}");
        }
    }
}
