//! Processes that tests start, and what has become of them.

use std::{
    fs,
    io::Read,
    path::Path,
    process::{Child, Command, Stdio},
    thread::{self, JoinHandle},
};

use serde_json::Value;

use super::wait_for;

/// How a command ended.
#[derive(Debug)]
pub struct Ended {
    /// `None` if a signal ended it.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Ended {
    pub fn json_lines(&self) -> Vec<Value> {
        let lines = self.stdout.lines();
        lines
            .map(|line| serde_json::from_str(line).expect("a line of JSON"))
            .collect()
    }

    #[track_caller]
    pub fn expect(self, code: i32) -> Ended {
        assert_eq!(self.code, Some(code), "{}\n{}", self.stdout, self.stderr);
        self
    }
}

/// Waits for the end of a process that [`super::World::spawn`] started.
#[track_caller]
pub fn finish(child: Child) -> Ended {
    Background::of(child).finish()
}

/// A process whose output is read while it runs, so that it never waits for somebody who reads it.
pub struct Background {
    child: Child,
    stdout: JoinHandle<String>,
    stderr: JoinHandle<String>,
}

impl Background {
    /// Of a process whose output is piped.
    pub fn of(mut child: Child) -> Background {
        let stdout = read_all(child.stdout.take());
        let stderr = read_all(child.stderr.take());
        Background {
            child,
            stdout,
            stderr,
        }
    }

    pub fn pid(&self) -> i32 {
        pid_of(&self.child)
    }

    /// Waits until it has ended.
    #[track_caller]
    pub fn finish(mut self) -> Ended {
        let status = wait_for("a command to end", || {
            self.child.try_wait().expect("it is our child")
        });
        let text = |read: JoinHandle<String>| read.join().expect("reading does not panic");
        Ended {
            code: status.code(),
            stdout: text(self.stdout),
            stderr: text(self.stderr),
        }
    }
}

fn read_all(pipe: Option<impl Read + Send + 'static>) -> JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What it had printed when it was killed.
            let _ = pipe.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Kills a process, and waits until it has exited.
pub fn kill_dash_nine(mut child: Child) {
    // It may have exited already.
    let _ = child.kill();
    let _ = child.wait();
}

/// Sends a signal, by name, to a process.
pub fn signal(name: &str, pid: i32) {
    // The shell has it built in; a program `kill` does not exist everywhere.
    let sent = Command::new("sh")
        .arg("-c")
        .arg(format!("kill -{name} {pid}"))
        .status();
    assert!(sent.expect("sh exists").success(), "kill -{name} {pid}");
}

pub fn pid_of(child: &Child) -> i32 {
    i32::try_from(child.id()).expect("process numbers are small")
}

/// Whether a process runs. A zombie does not.
pub fn is_running(pid: i32) -> bool {
    state_of(pid).is_some_and(|state| state != 'Z' && state != 'X')
}

/// The state of a process from the kernel: `T` is stopped.
pub fn state_of(pid: i32) -> Option<char> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.chars().next()
}

pub(super) fn ended(output: std::process::Output) -> Ended {
    Ended {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Runs a program that belongs to no world to its end, with a state folder below `root`.
pub fn call_program(program: &Path, root: &Path, arguments: &[&str]) -> Ended {
    let output = Command::new(program)
        .args(arguments)
        .envs(hpdlc_tests::command::home_variables(root.join("home")))
        .env_remove("HPDL_SITE")
        .stdin(Stdio::null())
        .output();
    ended(output.expect("the program can be started"))
}
