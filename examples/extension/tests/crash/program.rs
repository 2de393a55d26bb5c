//! A job of the program, and the processes that run it.

use std::{
    cell::RefCell,
    fs,
    path::PathBuf,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use tempfile::TempDir;

use crate::warehouse::Warehouse;

const PROGRAM: &str = env!("CARGO_BIN_EXE_nightly");

/// Far longer than anything here takes on a slow machine.
const PATIENCE: Duration = Duration::from_secs(90);

/// What dies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Victim {
    /// The process that follows the work.
    Worker,
    Launcher,
    Owner,
    All,
}

impl Victim {
    pub const ALL: [Victim; 4] = [Victim::Worker, Victim::Launcher, Victim::Owner, Victim::All];
}

pub struct Job {
    home: TempDir,
    /// The process that drives the job, until it is killed.
    owner: RefCell<Child>,
}

impl Job {
    pub fn start(warehouse: &Warehouse, given: &[&str]) -> Job {
        let home = tempfile::tempdir().expect("a temporary folder");
        let warehouse = format!("warehouse={}", warehouse.address());
        let mut arguments = vec!["run", "-D", &warehouse];
        arguments.extend(given.iter().flat_map(|property| ["-D", property]));
        let owner = command(&home, &arguments).spawn();
        Job {
            owner: RefCell::new(owner.expect("the program was just built")),
            home,
        }
    }

    /// `kill -9` of one of its processes, or of all.
    pub fn kill_process(&self, victim: Victim) {
        let (launcher, worker) = self.claimed();
        match victim {
            Victim::Worker => kill_9(worker),
            Victim::Launcher => kill_9(launcher),
            Victim::Owner => self.kill_owner(),
            Victim::All => {
                self.kill_owner();
                kill_9(launcher);
                kill_9(worker);
            }
        }
    }

    fn kill_owner(&self) {
        let mut owner = self.owner.borrow_mut();
        owner.kill().expect("it is our child");
        owner.wait().expect("it is our child");
    }

    /// The launcher and the process of the attempt, from its claim.
    fn claimed(&self) -> (u32, u32) {
        let path = self.below_work("totals/1.claim");
        let start = Instant::now();
        loop {
            let text = fs::read_to_string(&path).unwrap_or_default();
            let line = text.lines().last().unwrap_or_default();
            if let (Some(launcher), Some(process)) =
                (number(line, "launcher"), number(line, "process"))
            {
                return (launcher, process);
            }
            assert!(start.elapsed() < PATIENCE, "no claim: {text}");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// A path in the folder of the only job.
    fn below_work(&self, path: &str) -> PathBuf {
        let work = self.home.path().join("work");
        let jobs = fs::read_dir(work).expect("the job has begun");
        let job = jobs.flatten().next().expect("there is one job");
        job.path().join(path)
    }

    /// The job has an owner: the first one, or after its death another one.
    pub fn keep_driven(&self) {
        let mut owner = self.owner.borrow_mut();
        if owner.try_wait().expect("it is our child").is_some() {
            *owner = command(&self.home, &["recover"]).spawn().expect("starts");
        }
    }

    /// The command `kill`.
    pub fn kill(&self) {
        let killed = command(&self.home, &["kill", &self.id()]).status();
        assert!(killed.expect("starts").success());
    }

    fn id(&self) -> String {
        let job = self.below_work("");
        job.file_name()
            .expect("it has one")
            .to_string_lossy()
            .into_owned()
    }

    /// Waits until nothing drives the job any more, and returns `info --json` without blanks.
    pub fn finished(self) -> String {
        self.keep_driven();
        let start = Instant::now();
        while self
            .owner
            .borrow_mut()
            .try_wait()
            .expect("it is our child")
            .is_none()
        {
            assert!(start.elapsed() < PATIENCE, "{}", self.info());
            thread::sleep(Duration::from_millis(10));
        }
        self.info()
    }

    fn info(&self) -> String {
        let mut command = command(&self.home, &["info", &self.id(), "--json"]);
        let output = command.stdout(Stdio::piped()).output().expect("starts");
        let text = String::from_utf8_lossy(&output.stdout).replace(": ", ":");
        text.replace(", ", ",")
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        let mut owner = self.owner.borrow_mut();
        // It has exited, or the test has failed.
        let _ = owner.kill();
        let _ = owner.wait();
    }
}

fn command(home: &TempDir, arguments: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command
        .args(arguments)
        .current_dir(home.path())
        .env("HPDL_HOME", home.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// A number of a line of JSON.
fn number(line: &str, key: &str) -> Option<u32> {
    let (_, rest) = line.split_once(&format!("\"{key}\":"))?;
    let end = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    rest[..end].parse().ok()
}

fn kill_9(process: u32) {
    let killed = Command::new("kill")
        .args(["-9", &process.to_string()])
        .status();
    assert!(killed.expect("there is `kill`").success());
}
