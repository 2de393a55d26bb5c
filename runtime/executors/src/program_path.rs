//! Finds the program of a local process.

use std::{
    collections::BTreeMap,
    env,
    ffi::{OsStr, OsString},
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use hpdlc_launcher::Attempt;
use hpdlc_program::failure::ActionError;

use crate::environment;

/// Finds a program as `execvp` would with `.` first: in the attempt's folder, then in `PATH`.
pub fn find_program(attempt: &Attempt, name: &str) -> Result<PathBuf, ActionError> {
    if is_program(&attempt.folder().join(name)) {
        return Ok(attempt.folder().join(name));
    }
    find_in_path(attempt, name)
}

/// Finds the program of an attempt whose folder will contain only its configuration.
pub fn find_in_path(attempt: &Attempt, name: &str) -> Result<PathBuf, ActionError> {
    let key = (environment::search_path(), name.to_owned());
    if let Some(program) = found_programs().get(&key)
        && is_program(program)
    {
        return Ok(program.clone());
    }
    let program = search_program(attempt, name, &key.0)?;
    found_programs().insert(key, program.clone());
    Ok(program)
}

/// A cache of found programs by `PATH` and name. As in shells, an entry is used as long as the program exists.
fn found_programs() -> MutexGuard<'static, BTreeMap<(OsString, String), PathBuf>> {
    static FOUND: Mutex<BTreeMap<(OsString, String), PathBuf>> = Mutex::new(BTreeMap::new());
    FOUND.lock().unwrap_or_else(PoisonError::into_inner)
}

fn is_program(path: &Path) -> bool {
    fs::metadata(path)
        .is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

fn search_program(attempt: &Attempt, name: &str, path: &OsStr) -> Result<PathBuf, ActionError> {
    let mut not_executable = None;
    let folders = std::iter::once(attempt.folder().to_owned()).chain(env::split_paths(path));
    for folder in folders {
        let program = folder.join(name);
        match fs::metadata(&program) {
            Ok(metadata) if metadata.is_file() && metadata.permissions().mode() & 0o111 != 0 => {
                return Ok(program);
            }
            Ok(metadata) if metadata.is_file() => not_executable = Some(program),
            Ok(_) | Err(_) => {}
        }
    }
    Err(match not_executable {
        Some(program) => {
            let file = fs::canonicalize(&program).unwrap_or(program);
            let problem = format!(
                "cannot run program `{name}`: {} is not executable",
                file.display()
            );
            ActionError::error("JA018", problem)
        }
        None => ActionError::error(
            "JA018",
            format!(
                "cannot run program `{name}`: it is neither a `file` of the action nor in PATH"
            ),
        ),
    })
}
