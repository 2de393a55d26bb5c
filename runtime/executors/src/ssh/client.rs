//! Calls the system's `ssh`: sends a script, receives the host's output.

use std::{
    fs,
    io::{self, BufRead, BufReader, Read, Write},
    path::PathBuf,
    process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

use hpdlc_launcher::Attempt;
use hpdlc_program::failure::ActionError;

use crate::{program_path, ssh::Ssh};

/// Maximum bytes of `ssh`'s own messages that are kept.
const MAX_WORDS: u64 = 64 * 1024;

/// Polling interval for the exit of an `ssh` that has closed its output.
const LOOK_AGAIN: Duration = Duration::from_millis(5);

/// Defaults for what the user's configuration does not set.
const DEFAULTS: &str = "\
Host *
    StrictHostKeyChecking accept-new
    ConnectTimeout 20
    ServerAliveInterval 15
    ServerAliveCountMax 4
";

/// An `ssh` client for one host.
pub(super) struct Client<'a> {
    ssh: &'a Ssh,
    program: PathBuf,
    config: PathBuf,
    leash: Leash,
}

/// Ends the calls of a client at any time, from another thread.
#[derive(Clone, Debug, Default)]
pub(super) struct Leash(Arc<Mutex<SshProcess>>);

#[derive(Debug, Default)]
struct SshProcess {
    is_over: bool,
    /// The running `ssh`.
    child: Option<Child>,
}

impl Leash {
    /// Ends the running `ssh`, and prevents another one from starting.
    pub(super) fn pull(&self) {
        let mut held = self.held();
        held.is_over = true;
        if let Some(child) = &mut held.child {
            // It may have exited already.
            let _ = child.kill();
        }
    }

    /// Starts an `ssh`, unless the leash has been pulled.
    fn spawn(&self, command: &mut Command) -> io::Result<Pipes> {
        let mut held = self.held();
        if held.is_over {
            return Err(io::Error::other("the time for it is over"));
        }
        let mut child = command.spawn()?;
        let pipes = Pipes {
            stdin: child.stdin.take(),
            stdout: child.stdout.take(),
            stderr: child.stderr.take(),
        };
        held.child = Some(child);
        Ok(pipes)
    }

    /// Waits until the started `ssh` exits. It can be ended meanwhile.
    fn wait(&self) -> io::Result<Option<ExitStatus>> {
        loop {
            let mut held = self.held();
            let Some(child) = &mut held.child else {
                return Ok(None);
            };
            if let Some(status) = child.try_wait()? {
                held.child = None;
                return Ok(Some(status));
            }
            drop(held);
            thread::sleep(LOOK_AGAIN);
        }
    }

    fn held(&self) -> MutexGuard<'_, SshProcess> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The pipes to and from an `ssh`.
struct Pipes {
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
}

/// How one call ended.
#[derive(Debug)]
pub(super) struct SshCall {
    /// 255: there was no connection, or it broke. `None`: a signal.
    pub(super) code: Option<i32>,
    pub(super) stdout: Vec<u8>,
    /// Messages of `ssh` or the host.
    pub(super) words: String,
}

impl<'a> Client<'a> {
    /// # Errors
    ///
    /// There is no `ssh`, or its configuration cannot be written.
    pub(super) fn new(ssh: &'a Ssh, attempt: &Attempt) -> Result<Client<'a>, ActionError> {
        if ssh.host.is_empty() || ssh.host.contains(char::is_whitespace) {
            let problem = format!("`{}` is no host", ssh.host);
            return Err(ActionError::error("UNKNOWN_ERROR", problem));
        }
        let program = program_path::find_in_path(attempt, "ssh").map_err(|_| {
            let problem = "there is no program `ssh` in PATH; install the OpenSSH client";
            ActionError::non_transient("FNF", problem)
        })?;
        // The first value found is used: the user's configuration precedes the defaults.
        let user = ssh.settings.config.as_deref().unwrap_or("~/.ssh/config");
        let text = format!("Include \"{user}\"\nInclude /etc/ssh/ssh_config\n{DEFAULTS}");
        let config = attempt.beside("ssh_config");
        fs::write(&config, text).map_err(|error| {
            let problem = format!("{}: {error}", config.display());
            ActionError::transient("UNKNOWN_ERROR", problem)
        })?;
        Ok(Client {
            ssh,
            program,
            config,
            leash: Leash::default(),
        })
    }

    /// Allows the holder of `leash` to end the calls.
    pub(super) fn on(self, leash: Leash) -> Client<'a> {
        Client { leash, ..self }
    }

    /// Has a shell on the host run `script`; `line` is called with each line that it prints, up to the first that is not UTF-8.
    ///
    /// # Errors
    ///
    /// `ssh` cannot be run.
    pub(super) fn call(
        &self,
        script: &str,
        mut line: impl FnMut(&str),
    ) -> Result<SshCall, ActionError> {
        let failed = |error: io::Error| {
            let problem = format!("cannot run {}: {error}", self.program.display());
            ActionError::transient("UNKNOWN_ERROR", problem)
        };
        let mut command = Command::new(&self.program);
        command
            .arg("-F")
            .arg(&self.config)
            .args([
                "-T",
                "-o",
                "BatchMode=yes",
                "-o",
                "PasswordAuthentication=no",
            ])
            .args(["--", &self.ssh.host, "exec sh -s"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let pipes = self.leash.spawn(&mut command).map_err(failed)?;
        let stdin = pipes.stdin.map(|stdin| send(stdin, script));
        let words = pipes.stderr.map(|stderr| gather(stderr, MAX_WORDS));
        let mut stdout = Vec::new();
        if let Some(pipe) = pipes.stdout {
            let mut pipe = BufReader::new(pipe);
            loop {
                let begin = stdout.len();
                match pipe.read_until(b'\n', &mut stdout) {
                    Ok(0) => break,
                    Ok(_) => {
                        let text = String::from_utf8_lossy(&stdout[begin..]);
                        line(text.trim_end());
                    }
                    Err(error) => return Err(failed(error)),
                }
            }
        }
        let status = self.leash.wait().map_err(failed)?;
        if let Some(stdin) = stdin {
            // If the host reads no more of the script, its exit code shows that.
            let _ = stdin.join();
        }
        let words = words.and_then(|thread| thread.join().ok());
        Ok(SshCall {
            code: status.and_then(|status| status.code()),
            stdout,
            words: words.unwrap_or_default(),
        })
    }
}

fn send(mut stdin: ChildStdin, script: &str) -> thread::JoinHandle<io::Result<()>> {
    let script = script.to_owned();
    thread::spawn(move || stdin.write_all(script.as_bytes()))
}

fn gather(pipe: impl Read + Send + 'static, max: u64) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut pipe = pipe;
        let mut kept = Vec::new();
        let _ = pipe.by_ref().take(max).read_to_end(&mut kept);
        let _ = io::copy(&mut pipe, &mut io::sink());
        String::from_utf8_lossy(&kept).into_owned()
    })
}

impl SshCall {
    /// The last message, or how it ended.
    pub(super) fn problem(&self) -> String {
        let said = self.words.lines().map(str::trim).rfind(|line| {
            // The message of `accept-new` is no error.
            !line.is_empty() && !line.starts_with("Warning: Permanently added")
        });
        match (said, self.code) {
            (Some(line), _) => line.to_owned(),
            (None, Some(code)) => format!("ssh ended with exit code {code}"),
            (None, None) => "ssh was ended by a signal".to_owned(),
        }
    }

    /// Why nothing was started; `None` if something may have been, because the connection broke.
    pub(super) fn start_error(&self, host: &str) -> Option<ActionError> {
        let words = self.words.to_ascii_lowercase();
        let says = |texts: &[&str]| texts.iter().any(|text| words.contains(text));
        let problem = format!("{host}: {}", self.problem());
        match self.code {
            Some(255) if says(&["could not resolve"]) => {
                Some(ActionError::transient("COULD_NOT_RESOLVE_HOST", problem))
            }
            Some(255) if says(&REFUSED) => {
                Some(ActionError::transient("COULD_NOT_CONNECT", problem))
            }
            Some(255) if says(&DENIED) => Some(ActionError::non_transient("AUTH_FAILED", problem)),
            Some(255) if says(&UNUSABLE) => Some(ActionError::error("UNKNOWN_ERROR", problem)),
            Some(255) | None => None,
            Some(126 | 127) => Some(ActionError::non_transient("FNF", problem)),
            Some(_) => Some(ActionError::error("UNKNOWN_ERROR", problem)),
        }
    }
}

const REFUSED: [&str; 5] = [
    "connection refused",
    "connection timed out",
    "operation timed out",
    "no route to host",
    "network is unreachable",
];

const DENIED: [&str; 4] = [
    "permission denied",
    "host key verification failed",
    "too many authentication failures",
    "identification has changed",
];

/// `ssh` has not even tried to connect, or the protocols are incompatible.
const UNUSABLE: [&str; 4] = [
    "hostname contains invalid characters",
    "bad configuration option",
    "bad owner or permissions",
    "unable to negotiate",
];

#[cfg(test)]
mod tests {
    use hpdlc_core::step::FailureClass;

    use super::*;

    #[test]
    fn what_ssh_says_is_told_apart() {
        use FailureClass::{Error, NonTransient, Transient};
        for (code, words, expected) in [
            (
                255,
                "ssh: Could not resolve hostname nowhere: Name or service not known",
                Some(("COULD_NOT_RESOLVE_HOST", Transient)),
            ),
            (
                255,
                "ssh: connect to host a port 22: Connection refused",
                Some(("COULD_NOT_CONNECT", Transient)),
            ),
            (
                255,
                "ssh: connect to host a port 22: Connection timed out",
                Some(("COULD_NOT_CONNECT", Transient)),
            ),
            (
                255,
                "me@a: Permission denied (publickey).",
                Some(("AUTH_FAILED", NonTransient)),
            ),
            (
                255,
                "Host key verification failed.",
                Some(("AUTH_FAILED", NonTransient)),
            ),
            (
                255,
                "hostname contains invalid characters",
                Some(("UNKNOWN_ERROR", Error)),
            ),
            (
                255,
                "/home/me/.ssh/config: terminating, 1 bad configuration options",
                Some(("UNKNOWN_ERROR", Error)),
            ),
            (
                255,
                "Unable to negotiate with 10.0.0.1 port 22: no matching host key type found.",
                Some(("UNKNOWN_ERROR", Error)),
            ),
            (127, "sh: not found", Some(("FNF", NonTransient))),
            (
                1,
                "This account is not available.",
                Some(("UNKNOWN_ERROR", Error)),
            ),
            (255, "client_loop: send disconnect: Broken pipe", None),
        ] {
            let call = SshCall {
                code: Some(code),
                stdout: Vec::new(),
                words: words.to_owned(),
            };
            let found = call.start_error("a").map(|error| (error.code, error.class));
            let expected = expected.map(|(code, class)| (code.to_owned(), class));
            assert_eq!(found, expected, "{words}");
        }
    }
}
