//! Owners that outlive the terminal: daemon processes in a session of their own, which inherit nothing from the process that started them.
//!
//! The owner runs the kept copy of the executable that the job belongs to, whichever executable starts it. Its output goes to `owner.log`
//! in the job's work folder.

use std::{
    env,
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::{Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

use hpdlc_host::{drain, exec_error, exit::RunError};
use hpdlc_store::JobRow;

use crate::{registry, session::Session};

/// The hidden command that makes a process the owner of a job.
pub const COMMAND: &str = "own";

/// How many bytes of an owner's last output are shown.
const MAX_WORDS: u64 = 4096;

const LOOK_AGAIN: Duration = Duration::from_millis(5);

/// A detached owner that this process has started.
#[derive(Debug)]
pub struct Detached {
    pid: u32,
    /// There until it is left behind.
    child: Option<Child>,
    log: PathBuf,
    /// Where its output begins in the log.
    log_begin: u64,
    ended: Option<ExitStatus>,
}

/// Starts an owner for the tree of `root`. It does not necessarily become the owner: another process may be faster.
///
/// # Errors
///
/// Exit 2 if the job belongs to a workflow embedded in a user's program; exit 5 if the executable's copy cannot be run.
pub fn start(session: &Session, root: &JobRow) -> Result<Detached, RunError> {
    let program = registry::program_of(session, root)?;
    let folder = session.home.work().join(&root.id);
    let log = folder.join("owner.log");
    let failed = |error: io::Error| RunError::machine(format!("{}: {error}", log.display()));
    fs::create_dir_all(&folder).map_err(failed)?;
    let file = File::options()
        .create(true)
        .append(true)
        .open(&log)
        .map_err(failed)?;
    let log_begin = file.metadata().map_err(failed)?.len();
    let mut command = Command::new(&program);
    command
        .arg0(&root.app)
        .args([COMMAND, &root.id])
        .current_dir("/")
        .env("HPDL_HOME", session.home.root())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(file);
    // The owner has another current folder, so a relative path is made absolute.
    if let Some(site) = env::var_os("HPDL_SITE").filter(|site| !site.is_empty())
        && let Ok(site) = std::path::absolute(Path::new(&site))
    {
        command.env("HPDL_SITE", site);
    }
    if drain::is_in_container() {
        command.env(drain::CONFINED, "1");
    }
    let child = command.spawn().map_err(|error| {
        RunError::machine(format!(
            "cannot start an owner for job {}: {}: {}",
            root.id,
            program.display(),
            exec_error::why(&program, &error)
        ))
    })?;
    Ok(Detached {
        pid: child.id(),
        child: Some(child),
        log,
        log_begin,
        ended: None,
    })
}

/// Owners that nothing here waits for any more: they stay children of this process.
static LEFT_BEHIND: Mutex<Vec<Child>> = Mutex::new(Vec::new());

/// Collects the owners that have ended since. For a process that lives on, such as a server: otherwise they stay as zombies.
pub fn collect_ended() {
    let mut left = LEFT_BEHIND.lock().unwrap_or_else(PoisonError::into_inner);
    left.retain_mut(|child| matches!(child.try_wait(), Ok(None)));
}

impl Drop for Detached {
    fn drop(&mut self) {
        if self.has_ended() {
            return;
        }
        let mut left = LEFT_BEHIND.lock().unwrap_or_else(PoisonError::into_inner);
        left.extend(self.child.take());
    }
}

impl Detached {
    pub fn pid(&self) -> u32 {
        self.pid
    }

    fn status(&mut self) -> Option<ExitStatus> {
        if self.ended.is_none() {
            // It fails only if this is not our child.
            let child = self.child.as_mut();
            self.ended = child.and_then(|child| child.try_wait().unwrap_or_default());
        }
        self.ended
    }

    pub fn has_ended(&mut self) -> bool {
        self.status().is_some()
    }

    /// Its exit code; `None` while it runs, or if a signal ended it.
    pub fn code(&mut self) -> Option<i32> {
        self.status()?.code()
    }

    /// Its error output, if it has ended for any reason but the end of the job. One that was ended by a signal has none.
    ///
    /// # Errors
    ///
    /// Its log cannot be read.
    pub fn problem(&mut self) -> Result<Option<String>, RunError> {
        if matches!(self.code(), None | Some(0 | 1 | 3 | 4 | 6)) {
            return Ok(None);
        }
        let words = self
            .words()
            .map_err(|error| RunError::machine(format!("{}: {error}", self.log.display())))?;
        Ok(Some(if words.is_empty() {
            format!("it printed nothing; its log is {}", self.log.display())
        } else {
            words
        }))
    }

    /// The last of its output.
    fn words(&self) -> io::Result<String> {
        let mut file = File::open(&self.log)?;
        let end = file.metadata()?.len();
        file.seek(SeekFrom::Start(
            self.log_begin.max(end.saturating_sub(MAX_WORDS)),
        ))?;
        let mut words = Vec::new();
        file.take(MAX_WORDS).read_to_end(&mut words)?;
        let words = String::from_utf8_lossy(&words);
        let lines: Vec<&str> = words
            .lines()
            .map(|line| line.strip_prefix("error: ").unwrap_or(line))
            .collect();
        Ok(lines.join("\n"))
    }

    /// Waits for its end, for at most `patience`.
    pub fn await_end(mut self, patience: Duration) {
        let begun = Instant::now();
        while !self.has_ended() && begun.elapsed() < patience {
            thread::sleep(LOOK_AGAIN);
        }
    }
}
