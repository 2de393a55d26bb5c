//! The `git` action: the installed `git` clones a repository, whose content is copied to a file system (`GitActionExecutor`,
//! `GitMain`).
//!
//! The clone is a folder of the attempt; then every file is copied, `.git` too, over what exists, and the clone is removed.
//! git never prompts for a password, and unknown hosts are trusted, as in Oozie.

use std::{
    borrow::Cow,
    fs::{self, File},
    io::{self, Write},
    iter,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    process::Command,
};

use hpdlc_files::{LocatedFile, Uri, error};
use hpdlc_launcher::{StartRequest, TimeLimit};
use hpdlc_program::{
    failure::ActionError,
    table::{self, Template},
};
use serde::{Deserialize, Serialize};

use crate::{
    AttemptPlace, Evaluate, Evaluation, Executor, RunsIn, StartError, Work, empty_parts, http,
    process::{ProcessBody, Setting, leave_none},
    program_path,
    worker_process::{self, WorkContext, WorkError, WorkResult},
};

mod copy;

/// Maximum bytes of a private key; far above any real one.
const MAX_KEY: u64 = 1024 * 1024;

/// A git action with every expression evaluated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Git {
    pub setting: Setting,
    pub git_uri: String,
    pub branch: Option<String>,
    pub key_path: Option<String>,
    pub destination_uri: String,
}

impl Executor for Git {
    fn runs_in(&self) -> RunsIn {
        RunsIn::Worker
    }

    fn when_lost(&self) -> Option<&str> {
        self.setting.when_lost()
    }

    fn is_slow_to_start(&self) -> bool {
        true
    }

    fn start(&self, place: &AttemptPlace<'_>, work: &Work) -> Result<StartRequest, StartError> {
        self.setting.set_up(place, &mut leave_none)?;
        worker_process::request(place, work, self.worker_limit())
    }

    fn worker_limit(&self) -> Option<TimeLimit> {
        self.setting.limit
    }

    fn carry(&self, context: &WorkContext<'_>) -> Option<Result<WorkResult, WorkError>> {
        Some(self.clone_and_copy(context))
    }
}

impl Evaluate for table::Git {
    fn evaluate(&'static self, cx: &Evaluation<'_>) -> Result<Work, ActionError> {
        Ok(Work::Git(Git::evaluate(cx, self)?))
    }
}

impl Git {
    pub fn evaluate(cx: &Evaluation<'_>, def: &'static table::Git) -> Result<Git, ActionError> {
        let optional = |text: Option<&Template>| -> Result<Option<String>, ActionError> {
            let Some(text) = text else {
                return Ok(None);
            };
            let text = text.evaluate(cx.scope)?.trim().to_owned();
            Ok(Some(text).filter(|text| !text.is_empty()))
        };
        let required = |name: &str, text: &Template| -> Result<String, ActionError> {
            optional(Some(text))?
                .ok_or_else(|| ActionError::error("GIT010", format!("{name} is empty")))
        };
        empty_parts::refuse(cx, iter::once(&def.destination_uri))?;
        Ok(Git {
            setting: Setting::evaluate(
                cx,
                &ProcessBody {
                    settings: &def.settings,
                    prepare: def.prepare,
                    files: &[],
                    archives: &[],
                    capture_output: false,
                },
            )?,
            git_uri: required("git-uri", &def.git_uri)?,
            branch: optional(def.branch.as_ref())?,
            key_path: optional(def.key_path.as_ref())?,
            destination_uri: required("destination-uri", &def.destination_uri)?,
        })
    }

    /// Clones and copies.
    ///
    /// # Errors
    ///
    /// The failure, with Oozie's codes.
    fn clone_and_copy(&self, context: &WorkContext<'_>) -> Result<WorkResult, WorkError> {
        for (element, uri) in [
            ("git-uri", &self.git_uri),
            ("destination-uri", &self.destination_uri),
        ] {
            if !uri.contains(":/") {
                let problem = format!(
                    "{element}: `{}` has no scheme, such as ssh:// or file://",
                    http::shown(uri)
                );
                return Err(ActionError::error("JA018", problem).into());
            }
        }
        let access = context.access(&self.setting.prepare.access);
        let locate = |uri: &str| {
            access
                .locate(&Uri::parse(uri))
                .map_err(|error| ActionError::error("JA018", error.to_string()))
        };
        let key = match &self.key_path {
            Some(path) => {
                let uri = self.key_uri(path);
                Some(self.fetch_key(context, &locate(&uri)?, &uri)?)
            }
            None => None,
        };
        let destination = locate(&self.destination_uri)?;
        let clone = self.clone_into(context, key.as_deref())?;
        let copied = copy::copy(&clone, &destination.path(), &*destination.system);
        // It is not needed again; what cannot be removed is removed with the job.
        let _ = fs::remove_dir_all(&clone);
        let left_out = copied.map_err(|error| self.copy_error(&error))?;
        let warning = copy::warning(&left_out);
        Ok(WorkResult {
            warnings: warning.into_iter().collect(),
            ..WorkResult::default()
        })
    }

    /// A path without a scheme is a local file if that exists, else one on the action's name node.
    fn key_uri<'a>(&self, path: &'a str) -> Cow<'a, str> {
        let is_elsewhere = Uri::parse(path).scheme.is_none() && !Path::new(path).exists();
        let name_node = self.setting.prepare.name_node.as_deref();
        match name_node.filter(|_| is_elsewhere) {
            Some(name_node) => format!("{}{path}", name_node.trim_end_matches('/')).into(),
            None => path.into(),
        }
    }

    /// Fetches the private key into a file that only this user can read.
    fn fetch_key(
        &self,
        context: &WorkContext<'_>,
        located: &LocatedFile<'_>,
        uri: &str,
    ) -> Result<PathBuf, ActionError> {
        let path = located.path();
        let missing =
            |problem: String| ActionError::error("GIT011", format!("key-path {uri}: {problem}"));
        let status = located
            .system
            .status(&path)
            .map_err(|error| missing(error.to_string()))?
            .ok_or_else(|| missing("there is no such file".to_owned()))?;
        if status.mode.is_some_and(|mode| mode & 0o007 != 0) {
            let problem =
                format!("key-path {uri}: others can use the private key; `chmod o-rwx` it");
            return Err(ActionError::error("GIT012", problem));
        }
        let bytes = located
            .system
            .read(&path, MAX_KEY)
            .map_err(|error| missing(error.to_string()))?;
        let own = context.attempt().beside("key");
        let written = File::options()
            .create(true)
            .truncate(true)
            .write(true)
            .mode(0o600)
            .open(&own)
            .and_then(|mut file| file.write_all(&bytes));
        written.map_err(|error| {
            ActionError::transient("GIT009", format!("{}: {error}", own.display()))
        })?;
        Ok(own)
    }

    fn clone_into(
        &self,
        context: &WorkContext<'_>,
        key: Option<&Path>,
    ) -> Result<PathBuf, ActionError> {
        let attempt = context.attempt();
        let program = program_path::find_in_path(attempt, "git").map_err(|_| {
            ActionError::error("JA018", "there is no program `git` in PATH; install it")
        })?;
        let clone = attempt.folder().join("repository");
        let mut ssh = "ssh -o BatchMode=yes -o StrictHostKeyChecking=no".to_owned();
        if let Some(key) = key {
            ssh.push_str(&format!(" -o IdentitiesOnly=yes -i '{}'", key.display()));
        }
        let mut command = Command::new(program);
        command
            .arg("clone")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_SSH_COMMAND", ssh)
            // Its messages are parsed.
            .env("LC_ALL", "C");
        if let Some(branch) = &self.branch {
            command.args(["--single-branch", "--branch", branch]);
        }
        let status = command.arg("--").arg(&self.git_uri).arg(&clone).status();
        if let Some(key) = key {
            // It is not needed any more.
            let _ = fs::remove_file(key);
        }
        match status {
            Ok(status) if status.success() => Ok(clone),
            Ok(_) => {
                let words = fs::read(attempt.stderr()).unwrap_or_default();
                Err(self.clone_error(&String::from_utf8_lossy(&words)))
            }
            Err(error) => Err(ActionError::transient("GIT009", format!("git: {error}"))),
        }
    }

    /// Maps git's messages to Oozie's codes.
    fn clone_error(&self, words: &str) -> ActionError {
        let fatal = words
            .lines()
            .map(str::trim)
            .find(|line| line.starts_with("fatal:"))
            .or_else(|| words.lines().map(str::trim).rfind(|line| !line.is_empty()))
            .unwrap_or("git ended without a word");
        let problem = format!(
            "cannot clone {}: {}",
            http::shown(&self.git_uri),
            self.without_password(fatal)
        );
        let words = words.to_ascii_lowercase();
        let says = |texts: &[&str]| texts.iter().any(|text| words.contains(text));
        if says(&["could not resolve"]) {
            ActionError::transient("GIT001", problem)
        } else if says(&[
            "permission denied",
            "authentication failed",
            "could not read username",
        ]) {
            ActionError::non_transient("GIT002", problem)
        } else if says(&["no space left"]) {
            ActionError::non_transient("GIT003", problem)
        } else if says(&[
            "connection refused",
            "connection timed out",
            "failed to connect",
            "couldn't connect",
            "no route to host",
        ]) {
            ActionError::transient("GIT006", problem)
        } else {
            ActionError::error("JA018", problem)
        }
    }

    fn without_password(&self, text: &str) -> String {
        let user_info = self
            .git_uri
            .split_once("://")
            .and_then(|(_, rest)| rest.split('/').next()?.rsplit_once('@'))
            .and_then(|(user_info, _)| user_info.split_once(':'));
        match user_info {
            Some((_, password)) if !password.is_empty() => text.replace(password, "********"),
            Some(_) | None => text.to_owned(),
        }
    }

    fn copy_error(&self, error: &io::Error) -> ActionError {
        let problem = format!("cannot copy to {}: {error}", self.destination_uri);
        if let Some(fault) = error::Fault::of(error).and_then(error::Fault::transient_code) {
            // The same kinds of failure have codes of their own here.
            let code = fault.replace("JA", "GIT");
            return if code == "GIT005" {
                ActionError::non_transient(code, problem)
            } else {
                ActionError::transient(code, problem)
            };
        }
        match error.kind() {
            io::ErrorKind::PermissionDenied => ActionError::non_transient("GIT002", problem),
            io::ErrorKind::StorageFull => ActionError::non_transient("GIT003", problem),
            io::ErrorKind::QuotaExceeded => ActionError::non_transient("GIT004", problem),
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
                ActionError::error("GIT008", problem)
            }
            _ => ActionError::transient("GIT009", problem),
        }
    }
}

#[cfg(test)]
mod tests {
    use hpdlc_core::step::FailureClass;

    use super::*;

    fn git() -> Git {
        Git {
            setting: Setting::default(),
            git_uri: "https://ann:pass/word@host/x.git".to_owned(),
            branch: None,
            key_path: None,
            destination_uri: "file:///x".to_owned(),
        }
    }

    #[test]
    fn a_key_without_a_scheme_is_sought_on_the_name_node() {
        let mut git = git();
        git.setting.prepare.name_node = Some("hdfs://nn:8020/".to_owned());
        let here = std::env::temp_dir().display().to_string();
        for (path, expected) in [
            ("/no/such/key", "hdfs://nn:8020/no/such/key"),
            ("file:///no/such/key", "file:///no/such/key"),
            (&here, &here),
        ] {
            assert_eq!(git.key_uri(path), expected);
        }
        git.setting.prepare.name_node = None;
        assert_eq!(git.key_uri("/no/such/key"), "/no/such/key");
    }

    #[test]
    fn what_git_says_is_told_apart() {
        use FailureClass::{Error, NonTransient, Transient};
        for (words, code, class) in [
            (
                "fatal: unable to access 'https://h/x/': Could not resolve host: h",
                "GIT001",
                Transient,
            ),
            (
                "ssh: Could not resolve hostname h: Name or service not known\nfatal: Could not read from remote repository.",
                "GIT001",
                Transient,
            ),
            (
                "a@h: Permission denied (publickey).\nfatal: Could not read from remote repository.",
                "GIT002",
                NonTransient,
            ),
            (
                "fatal: could not read Username for 'https://h': terminal prompts disabled",
                "GIT002",
                NonTransient,
            ),
            (
                "fatal: write error: No space left on device",
                "GIT003",
                NonTransient,
            ),
            (
                "fatal: unable to access 'http://h/': Failed to connect to h port 80",
                "GIT006",
                Transient,
            ),
            (
                "ssh: connect to host h port 22: Connection refused\nfatal: Could not read",
                "GIT006",
                Transient,
            ),
            (
                "fatal: Remote branch b not found in upstream origin",
                "JA018",
                Error,
            ),
            ("fatal: repository '/x' does not exist", "JA018", Error),
            ("", "JA018", Error),
        ] {
            let error = git().clone_error(words);
            assert_eq!((error.code.as_str(), error.class), (code, class), "{words}");
        }
    }

    #[test]
    fn what_copying_says_is_told_apart() {
        use FailureClass::{Error, NonTransient, Transient};
        use io::ErrorKind;
        for (kind, code, class) in [
            (ErrorKind::PermissionDenied, "GIT002", NonTransient),
            (ErrorKind::StorageFull, "GIT003", NonTransient),
            (ErrorKind::QuotaExceeded, "GIT004", NonTransient),
            (ErrorKind::NotADirectory, "GIT008", Error),
            (ErrorKind::BrokenPipe, "GIT009", Transient),
        ] {
            let error = git().copy_error(&io::Error::from(kind));
            assert_eq!((error.code.as_str(), error.class), (code, class), "{kind}");
        }
    }

    #[test]
    #[cfg(feature = "full")]
    fn what_a_name_node_says_is_told_apart() {
        use hpdlc_files::error::Fault;
        for (fault, code, class) in [
            (Fault::UnknownHost, "GIT001", FailureClass::Transient),
            (Fault::SafeMode, "GIT005", FailureClass::NonTransient),
            (Fault::Unreachable, "GIT006", FailureClass::Transient),
            (Fault::Interrupted, "GIT009", FailureClass::Transient),
        ] {
            let error = git().copy_error(&fault.error("x"));
            assert_eq!((error.code.as_str(), error.class), (code, class));
        }
    }

    #[test]
    fn a_password_is_not_repeated() {
        let mut git = git();
        git.git_uri = "https://ann:hunter22@host/x.git".to_owned();
        let error =
            git.clone_error("fatal: unable to access 'https://ann:hunter22@host/x.git/': 403");
        assert!(!error.message.contains("hunter22"), "{}", error.message);
        assert!(
            error.message.contains("cannot clone https://host/x.git"),
            "{}",
            error.message
        );
    }
}
