//! Runs a program with an embedded workflow, with its own job store.

use std::{
    fs::File,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;
use tempfile::TempDir;

/// Far longer than anything here takes on a slow machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A folder for a program to work in.
pub struct Workplace {
    folder: TempDir,
}

/// How a program ended.
#[derive(Debug)]
pub struct ProgramEnd {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// A program in the background; killed when the test ends.
pub struct Background(Child);

impl Workplace {
    pub fn new() -> Workplace {
        Workplace {
            folder: tempfile::tempdir().expect("a temporary folder"),
        }
    }

    pub fn path(&self, below: &str) -> PathBuf {
        self.folder.path().join(below)
    }

    fn command(&self, program: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .envs(hpdlc_tests::command::home_variables(self.path("home")));
        command
    }

    pub fn run(&self, program: &Path, arguments: &[&str]) -> ProgramEnd {
        let output = self
            .command(program, arguments)
            .output()
            .expect("the program was just built");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        ProgramEnd {
            code: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }

    pub fn start(&self, program: &Path, arguments: &[&str]) -> Background {
        let mut command = self.command(program, arguments);
        let command = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        Background(command.spawn().expect("the program was just built"))
    }

    /// `info` of the only job.
    pub fn only_job(&self, program: &Path) -> Value {
        let jobs = self.run(program, &["jobs", "--json"]).stdout;
        let ids: Vec<String> = jobs
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).expect("a line is an object"))
            .map(|job| job["id"].as_str().expect("it has an id").to_owned())
            .collect();
        let [id] = &ids[..] else { panic!("{ids:?}") };
        let info = self.run(program, &["info", id, "--json"]).stdout;
        serde_json::from_str(&info).expect("`info --json` is JSON")
    }

    /// Whether a living process owns the job.
    pub fn is_owned(&self, id: &str) -> bool {
        let lock = File::open(self.path("home/locks").join(id)).expect("a job has a lock");
        lock.try_lock().is_err()
    }
}

impl Background {
    /// `kill -9`.
    pub fn kill(mut self) {
        self.0.kill().expect("it still runs");
        self.0.wait().expect("it is our child");
    }

    pub fn is_running(&mut self) -> bool {
        self.0.try_wait().expect("it is our child").is_none()
    }

    /// Waits until it exits.
    pub fn finish(mut self) -> ProgramEnd {
        let mut stdout = String::new();
        let mut pipe = self.0.stdout.take().expect("it was piped");
        std::io::Read::read_to_string(&mut pipe, &mut stdout).expect("UTF-8");
        let code = self.0.wait().expect("it is our child").code();
        ProgramEnd {
            code,
            stdout,
            stderr: String::new(),
        }
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        // It has exited, or the test has failed.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// Waits until a condition is true.
#[track_caller]
pub fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "never: {what}");
        thread::sleep(Duration::from_millis(20));
    }
}
