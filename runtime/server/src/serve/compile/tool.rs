//! The compiler: where it is, and what it is asked.

use std::{
    collections::BTreeMap,
    env,
    ffi::{OsStr, OsString},
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

use crate::serve::{
    compile::{
        limits::{COMPILER, Limits},
        warm_up,
    },
    failure::Failure,
    process::{self, Ended, Stopped},
};

/// Wins over the setting of the same name.
const VARIABLE: &str = "HPDL_SERVER_COMPILER";
/// The value of the setting for a server that compiles nothing.
const NONE: &str = "none";
const NAME: &str = "hpdlc";

/// A compiler on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tool {
    path: PathBuf,
}

impl Tool {
    /// The compiler that the setting names, else `hpdlc` beside this program, else on `PATH`. `None` if there is none, or none is
    /// wanted. A file that the setting names is taken as it is: what is wrong with it is said when it is to run.
    pub(crate) fn find(site: &BTreeMap<String, String>) -> Option<Tool> {
        let given = env::var_os(VARIABLE).filter(|path| !path.is_empty());
        let given = given.or_else(|| site.get(COMPILER).map(OsString::from));
        let given = given.filter(|path| !path.is_empty());
        let beside = env::current_exe().ok();
        let beside = beside.as_deref().and_then(Path::parent);
        Tool::among(given.as_deref(), beside, env::var_os("PATH").as_deref())
    }

    fn among(given: Option<&OsStr>, beside: Option<&Path>, path: Option<&OsStr>) -> Option<Tool> {
        if let Some(given) = given {
            return (given != NONE).then(|| Tool {
                path: PathBuf::from(given),
            });
        }
        let folders = beside.map(Path::to_owned).into_iter();
        let folders = folders.chain(path.into_iter().flat_map(env::split_paths));
        let mut files = folders
            .filter(|folder| folder.is_absolute())
            .map(|folder| folder.join(NAME));
        let path = files.find(|file| file.is_file())?;
        Some(Tool { path })
    }

    /// Changes when the compiler is replaced.
    pub(crate) fn identity(&self) -> Result<String, Failure> {
        use std::os::unix::fs::MetadataExt;
        let failed = |error: std::io::Error| {
            Failure::runtime(&format!(
                "the compiler {} cannot be used: {error}; {COMPILER} names another",
                self.path.display()
            ))
            .with_status(axum::http::StatusCode::INTERNAL_SERVER_ERROR)
        };
        let path = fs::canonicalize(&self.path).map_err(failed)?;
        let metadata = fs::metadata(&path).map_err(failed)?;
        Ok(format!(
            "{} {} {} {}",
            path.display(),
            metadata.len(),
            metadata.mtime(),
            metadata.mtime_nsec()
        ))
    }

    /// Runs the compiler. Its temporary files are in `folder`.
    ///
    /// # Errors
    ///
    /// 500, if it cannot be started, takes too long, dies, or fails for another reason than a mistake of the application (exit 1).
    pub(crate) fn run(
        &self,
        folder: &Path,
        arguments: &[OsString],
        limits: &Limits,
        deadline: Instant,
    ) -> Result<Ended, Failure> {
        let mut command = Command::new(&self.path);
        command
            .args(arguments)
            .current_dir(folder)
            .env("TMPDIR", folder);
        let ended = process::run(&mut command, limits.memory, limits.file, deadline);
        let problem = match ended {
            Ok(ended) if matches!(ended.code(), Some(0 | 1)) => return Ok(ended),
            Ok(ended) => problem(&ended),
            Err(Stopped::Late) => {
                warm_up::begin(&self.path, self.identity()?);
                format!(
                    "took longer than {} s (hpdl.server.compiler.timeout) and was ended; if it had to compile its runtime first, that goes on in the background, once: try again in some minutes",
                    limits.time.as_secs()
                )
            }
            Err(Stopped::NotStarted(error)) => {
                format!("{} cannot be started: {error}", self.path.display())
            }
        };
        Err(Failure::runtime(&format!("the compiler {problem}"))
            .with_status(axum::http::StatusCode::INTERNAL_SERVER_ERROR))
    }
}

/// What is wrong with a compiler that has ended in another way than with success or a mistake of the user.
fn problem(ended: &Ended) -> String {
    let text = String::from_utf8_lossy(&ended.stderr);
    let said: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("error") || line.trim_start().starts_with("= note"))
        .take(4)
        .map(str::trim)
        .collect();
    let said = match said.is_empty() {
        true => String::new(),
        false => format!(": {}", said.join("; ")),
    };
    match (ended.code(), ended.signal()) {
        (Some(code), _) => format!("failed with exit code {code}{said}"),
        (None, Some(signal)) => format!(
            "was ended by signal {signal}{said}; hpdl.server.compiler.memory limits its memory"
        ),
        (None, None) => format!("failed{said}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_setting_then_the_neighbour_then_the_path() {
        let folder = tempfile::tempdir().unwrap();
        let (beside, bin) = (folder.path().join("beside"), folder.path().join("bin"));
        fs::create_dir(&beside).unwrap();
        fs::create_dir(&bin).unwrap();
        fs::write(bin.join(NAME), "").unwrap();
        let path = env::join_paths([Path::new("."), &beside, &bin]).unwrap();
        let find = |given: Option<&str>| {
            let found = Tool::among(given.map(OsStr::new), Some(&beside), Some(&path));
            found.map(|tool| tool.path)
        };
        assert_eq!(find(None), Some(bin.join(NAME)));
        fs::write(beside.join(NAME), "").unwrap();
        assert_eq!(find(None), Some(beside.join(NAME)));
        assert_eq!(find(Some("/opt/hpdlc")), Some(PathBuf::from("/opt/hpdlc")));
        assert_eq!(find(Some("none")), None);
        assert_eq!(Tool::among(None, None, None), None);
    }
}
