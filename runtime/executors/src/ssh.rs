//! The `ssh` action: one command on another host, by the system's own `ssh` with the user's configuration.
//!
//! As in Oozie (`SshActionExecutor`) the command runs there in the background, in a folder that stores its process id, its
//! output and its exit code. So it continues when the connection breaks, or when the owner or this machine dies, and is
//! found again; starting it is idempotent. The folder is removed when the end is known here.
//!
//! The worker process that waits for it enforces the time limit there: the launcher could only end the connection.

use std::{
    fs::{self, File},
    io,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use hpdlc_launcher::{Attempt, TimeLimit};
use hpdlc_program::{
    failure::ActionError,
    table::{self, SshArguments},
};
use serde::{Deserialize, Serialize};

use crate::{
    Evaluate, Evaluation, Executor, RunsIn, Work,
    prepare::Prepare,
    process_end, time_limit,
    worker_process::{WorkContext, WorkError, WorkResult},
};

mod client;
mod remote;

pub use self::remote::quoted;
use self::{
    client::{Client, Leash},
    remote::RemoteFolder,
};

/// The command ended with another exit code than 0, or is unknown on the host.
const FAILED: &str = "E1111";

/// How long ending a command may take, in addition to its grace period: for a host that does not answer.
const KILL_PATIENCE: Duration = Duration::from_secs(30);

/// An ssh action with every expression evaluated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ssh {
    /// `user@host`, `host`, or a name from the user's configuration.
    pub host: String,
    /// For the shell there.
    pub line: String,
    pub capture_output: bool,
    /// Maximum bytes of captured output.
    pub max_output: u64,
    pub settings: SshSettings,
    /// Paths that are deleted and created before the command starts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prepare: Option<Prepare>,
    /// Time limit, from the start of the connection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<TimeLimit>,
}

/// The settings of the site or the job for all ssh actions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SshSettings {
    /// A file that replaces `~/.ssh/config` (`hpdl.ssh.config`).
    pub config: Option<String>,
    /// Maximum number of reconnects (`oozie.action.ssh.check.retries.max`).
    pub retries: u32,
    /// Milliseconds before the first reconnect; doubled each time (`oozie.action.ssh.check.initial.retry.wait.time`).
    pub retry_wait: u64,
    /// Whether the folder is removed (`oozie.action.ssh.delete.remote.tmp.dir`).
    pub removes_folder: bool,
    /// Seconds between SIGTERM and SIGKILL (`hpdl.kill.grace`).
    pub kill_grace: u64,
}

impl Executor for Ssh {
    fn runs_in(&self) -> RunsIn {
        RunsIn::Worker
    }

    fn goes_on_elsewhere(&self) -> bool {
        true
    }

    fn carry(&self, context: &WorkContext<'_>) -> Option<Result<WorkResult, WorkError>> {
        Some(self.run_command(context))
    }

    /// Removes the folder there; a leftover does no harm.
    fn tidy_up(&self, context: &WorkContext<'_>) {
        if self.settings.removes_folder
            && has_begun(context.attempt())
            && let Ok(client) = Client::new(self, context.attempt())
        {
            let _ = client.call(&RemoteFolder::new(context.attempt()).remove(), |_| {});
        }
    }

    /// Ends the command there with its process group; one that has not started never will.
    fn kill_elsewhere(&self, _job: &str, attempt: &Attempt) -> Result<(), String> {
        self.kill_on(attempt, Leash::default())
    }
}

impl Evaluate for table::Ssh {
    fn evaluate(&'static self, cx: &Evaluation<'_>) -> Result<Work, ActionError> {
        Ok(Work::Ssh(Ssh::evaluate(cx, self)?))
    }
}

impl Ssh {
    pub fn evaluate(cx: &Evaluation<'_>, def: &'static table::Ssh) -> Result<Ssh, ActionError> {
        let host = def.host.evaluate(cx.scope)?;
        let command = def.command.evaluate(cx.scope)?;
        let mut line = on_one_line(&command);
        for argument in cx.texts(def.arguments.templates())? {
            line.push(' ');
            let argument = on_one_line(&argument);
            match def.arguments {
                SshArguments::Flattened(_) => line.push_str(&argument),
                SshArguments::Preserved(_) => line.push_str(&kept_whole(&argument)),
            }
        }
        Ok(Ssh {
            line,
            capture_output: def.capture_output,
            ..Ssh::to(cx, &host)?
        })
    }

    /// An action without a command, on `host`.
    ///
    /// # Errors
    ///
    /// The site does not allow the named user.
    pub fn to(cx: &Evaluation<'_>, host: &str) -> Result<Ssh, ActionError> {
        let host = host.trim().to_owned();
        check_user(cx, &host)?;
        Ok(Ssh {
            host,
            line: String::new(),
            capture_output: false,
            max_output: cx.max_output(),
            settings: SshSettings::of(cx),
            prepare: None,
            limit: time_limit::time_limit(&|name| cx.setting(name))?,
        })
    }

    /// Starts the command or finds it, and waits for its end; ends it when its time limit is exceeded.
    ///
    /// # Errors
    ///
    /// It failed, could not be started, is lost, or exceeded its time limit.
    fn run_command(&self, context: &WorkContext<'_>) -> Result<WorkResult, WorkError> {
        let attempt = context.attempt();
        let Some(limit) = self.limit else {
            return self.attend(attempt, context.place.is_canceled, Leash::default());
        };
        let is_over = Arc::new(AtomicBool::new(false));
        let attended = {
            let (ssh, attempt, is_over) = (self.clone(), attempt.clone(), Arc::clone(&is_over));
            let time = Duration::from_secs(limit.seconds);
            within(time, move |leash| ssh.attend(&attempt, &is_over, leash))
        };
        attended.unwrap_or_else(|| {
            is_over.store(true, Ordering::Relaxed);
            Err(self.exceeded(attempt, limit.seconds).into())
        })
    }

    /// Ends a command that exceeded its time limit, and returns that error.
    fn exceeded(&self, attempt: &Attempt, seconds: u64) -> ActionError {
        let time = KILL_PATIENCE + Duration::from_secs(self.settings.kill_grace);
        let killed = {
            let (ssh, attempt) = (self.clone(), attempt.clone());
            within(time, move |leash| ssh.kill_on(&attempt, leash))
        };
        let mut error = time_limit::time_over(&format!("the command on {}", self.host), seconds);
        match killed {
            // Its folder was removed with it.
            Some(Ok(())) => {
                let _ = fs::remove_file(begun_file(attempt));
            }
            Some(Err(problem)) => {
                error.message.push_str("; ");
                error.message.push_str(&problem);
            }
            None => error
                .message
                .push_str("; FAILED_TO_KILL: its host does not answer, and the command may go on"),
        }
        error
    }

    fn attend(
        &self,
        attempt: &Attempt,
        is_over: &AtomicBool,
        leash: Leash,
    ) -> Result<WorkResult, WorkError> {
        let client = Client::new(self, attempt)?.on(leash);
        let remote = RemoteFolder::new(attempt);
        self.prepare_once(attempt, is_over)?;
        let mut has_begun = has_begun(attempt);
        let mut n_tries = 0;
        let end = loop {
            let call = client.call(&remote.start_and_wait(self), |line| {
                if line == remote.begun() {
                    has_begun = true;
                    // Without the file, a broken connection would mean that nothing was started.
                    let _ = File::create(begun_file(attempt));
                    n_tries = 0;
                }
            })?;
            if let Some(end) = remote.parse(&call.stdout) {
                break end;
            }
            if !has_begun {
                call.start_error(&self.host).map_or(Ok(()), Err)?;
            }
            if n_tries == self.settings.retries {
                let problem = format!("{}: {}", self.host, call.problem());
                return Err(ActionError::failed("COULD_NOT_CONNECT", problem).into());
            }
            thread::sleep(Duration::from_millis(
                self.settings.retry_wait << n_tries.min(16),
            ));
            n_tries += 1;
        };
        self.judge(attempt, end)
    }

    /// `prepare` must not delete what a command made that is found again.
    fn prepare_once(&self, attempt: &Attempt, is_over: &AtomicBool) -> Result<(), WorkError> {
        let prepared = attempt.beside("prepared");
        let Some(prepare) = self.prepare.as_ref().filter(|_| !prepared.exists()) else {
            return Ok(());
        };
        prepare.run(is_over)?;
        File::create(&prepared)
            .map(drop)
            .map_err(|error| WorkError::Lost(format!("{}: {error}", prepared.display())))
    }

    fn judge(&self, attempt: &Attempt, end: remote::RemoteExit) -> Result<WorkResult, WorkError> {
        let remote::RemoteExit::Exited {
            pid,
            code,
            stdout,
            stderr,
        } = end
        else {
            let problem = format!(
                "the command on {} has ended without leaving its exit code: its host went down, or it was killed",
                self.host
            );
            return Err(WorkError::Lost(problem));
        };
        let unreadable =
            |error: io::Error| WorkError::Lost(format!("{}: {error}", attempt.stdout().display()));
        fs::write(attempt.stdout(), &stdout).map_err(unreadable)?;
        fs::write(attempt.stderr(), &stderr).map_err(unreadable)?;
        if code != 0 {
            let mut message = format!("the command on {} ended with exit code {code}", self.host);
            if let Some(line) = process_end::last_line(&attempt.stderr()) {
                message.push_str(": ");
                message.push_str(&line);
            }
            let known = WorkResult {
                external_status: "ERROR".to_owned(),
                external_id: Some(pid),
                ..WorkResult::default()
            };
            let error = ActionError::error(FAILED, message);
            return Err(WorkError::Known(error, Box::new(known)));
        }
        let (data, warnings) = if self.capture_output {
            let captured = process_end::captured(attempt, &attempt.stdout(), self.max_output);
            match captured.map_err(unreadable)? {
                Ok(captured) => captured,
                Err(error) => {
                    let known = WorkResult {
                        external_status: "ERROR".to_owned(),
                        external_id: Some(pid),
                        ..WorkResult::default()
                    };
                    return Err(WorkError::Known(error, Box::new(known)));
                }
            }
        } else {
            Default::default()
        };
        Ok(WorkResult {
            external_id: Some(pid),
            data,
            warnings,
            ..WorkResult::default()
        })
    }

    fn kill_on(&self, attempt: &Attempt, leash: Leash) -> Result<(), String> {
        let client = Client::new(self, attempt).map_err(|error| error.message)?;
        let client = client.on(leash);
        let remote = RemoteFolder::new(attempt);
        let call = client
            .call(&remote.kill(self.settings.kill_grace), |_| {})
            .map_err(|error| error.message)?;
        if call.code == Some(0) {
            return Ok(());
        }
        Err(format!(
            "FAILED_TO_KILL: the command on {} may go on: {}",
            self.host,
            call.problem()
        ))
    }
}

impl SshSettings {
    fn of(cx: &Evaluation<'_>) -> SshSettings {
        let number = |name: &str| cx.setting(name).and_then(|text| text.trim().parse().ok());
        let wait = number("oozie.action.ssh.check.initial.retry.wait.time");
        let keeps = cx
            .setting("oozie.action.ssh.delete.remote.tmp.dir")
            .is_some_and(|value| value.trim() == "false");
        SshSettings {
            config: cx.setting("hpdl.ssh.config"),
            retries: number("oozie.action.ssh.check.retries.max")
                .and_then(|n| u32::try_from(n).ok())
                .unwrap_or(3),
            retry_wait: wait.unwrap_or(3_000),
            removes_folder: !keeps,
            kill_grace: number("hpdl.kill.grace").unwrap_or(10),
        }
    }
}

/// Runs `work` on a thread; after `time`, its calls are ended and its result is ignored.
fn within<T: Send + 'static>(
    time: Duration,
    work: impl FnOnce(Leash) -> T + Send + 'static,
) -> Option<T> {
    let (sender, receiver) = mpsc::channel();
    let leash = Leash::default();
    let own = leash.clone();
    thread::spawn(move || {
        let _ = sender.send(work(own));
    });
    let done = receiver.recv_timeout(time).ok();
    leash.pull();
    done
}

/// Exists once the command is known to run, or to have run.
fn begun_file(attempt: &Attempt) -> PathBuf {
    attempt.beside("begun")
}

fn has_begun(attempt: &Attempt) -> bool {
    begun_file(attempt).exists()
}

/// If the site requires it, only the user's own name may be used to log in.
fn check_user(cx: &Evaluation<'_>, host: &str) -> Result<(), ActionError> {
    let allows = cx
        .setting("oozie.action.ssh.allow.user.at.host")
        .is_none_or(|value| value.trim() != "false");
    let Some((user, _)) = host.rsplit_once('@').filter(|_| !allows) else {
        return Ok(());
    };
    let job = cx.scope.job();
    let own = job.map(|job| job.user.clone()).unwrap_or_default();
    if user == own {
        return Ok(());
    }
    let problem = format!(
        "the host is to be reached as user {user} and the job's user is {own}, which oozie.action.ssh.allow.user.at.host=false forbids"
    );
    Err(ActionError::error("ERR_USER_MISMATCH", problem))
}

fn on_one_line(text: &str) -> String {
    text.trim().replace(['\n', '\r', '\t'], " ")
}

/// A text with blanks as one word for the shell there; quotes of the author are kept.
fn kept_whole(text: &str) -> String {
    let is_quoted = ['"', '\'']
        .iter()
        .any(|&quote| text.len() > 1 && text.starts_with(quote) && text.ends_with(quote));
    if is_quoted || !text.contains(' ') {
        text.to_owned()
    } else {
        // As Hadoop's `StringUtils.escapeString`, which also doubles the backslashes of such a word.
        text.replace('\\', "\\\\").replace(' ', "\\ ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_argument_stays_one_word_and_keeps_its_quotes() {
        for (text, expected) in [
            ("a", "a"),
            ("a b", "a\\ b"),
            ("\"a b\"", "\"a b\""),
            ("'a b'", "'a b'"),
            ("$HOME/x", "$HOME/x"),
            ("a\\b", "a\\b"),
            ("a\\b c", "a\\\\b\\ c"),
            ("\"", "\""),
        ] {
            assert_eq!(kept_whole(text), expected, "{text}");
        }
    }
}
