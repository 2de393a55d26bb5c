//! The files of one attempt, beside its work folder: `N` is the folder, `N.claim`, `N.exit`, `N.out` and `N.err` stand by it.

use std::{
    fs::{self, File, TryLockError},
    io::{self, Read, Write},
    os::fd::AsRawFd,
    path::{Path, PathBuf},
};

use rustix::{
    fs::{AtFlags, CWD, Mode, OFlags, linkat},
    io::Errno,
};
use serde::{Deserialize, Serialize};

use crate::launcher::{Group, process::Liveness};

/// One attempt of one action: the `N` of the path `work/<job>/<node>/N`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    folder: PathBuf,
}

/// How a process ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExitRecord {
    /// The exit code; `None` where a signal ended it or it never ran.
    pub code: Option<i32>,
    pub signal: Option<i32>,
    /// Why the program could not be executed.
    pub error: Option<String>,
    /// Milliseconds since 1970.
    pub ended: i64,
}

/// What stands in a claim file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimRecord {
    pub launcher: u32,
    /// The process, once it was spawned.
    pub process: Option<Liveness>,
}

/// What an attempt's files say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// Nobody has claimed it.
    Unclaimed,
    /// A launcher holds it.
    Running,
    Exited(ExitRecord),
    /// Claimed, and its launcher died before it recorded an end.
    Lost(Option<ClaimRecord>),
}

/// The right to start an attempt. The lock is held until this is dropped.
#[derive(Debug)]
pub struct Claim {
    file: File,
}

/// A claim that is locked and that nobody can see yet.
#[derive(Debug)]
pub struct ClaimDraft {
    file: File,
    /// Where the file system has no nameless files.
    own_name: Option<PathBuf>,
}

impl ClaimRecord {
    /// Everything that the process starts and does not send away.
    pub fn group(self) -> Option<Group> {
        // The launcher leads the session, and every process that it starts leads its group.
        self.process.map(|process| Group {
            id: process.pid,
            session: self.launcher,
        })
    }
}

impl Attempt {
    pub fn new(folder: impl Into<PathBuf>) -> Attempt {
        Attempt {
            folder: folder.into(),
        }
    }

    /// The working folder of the process.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn stdout(&self) -> PathBuf {
        self.beside("out")
    }

    pub fn stderr(&self) -> PathBuf {
        self.beside("err")
    }

    /// The action's configuration, in the folder of the process.
    pub fn action_xml(&self) -> PathBuf {
        self.folder.join("action.xml")
    }

    pub fn claim_file(&self) -> PathBuf {
        self.beside("claim")
    }

    pub fn exit_file(&self) -> PathBuf {
        self.beside("exit")
    }

    /// The attempt before this one; none before the first.
    pub fn earlier(&self) -> Option<Attempt> {
        let number: u32 = self.folder.file_name()?.to_str()?.parse().ok()?;
        let earlier = number.checked_sub(1).filter(|&number| number > 0)?;
        Some(Attempt::new(
            self.folder.with_file_name(earlier.to_string()),
        ))
    }

    /// A file of the executor, such as the journal of an `fs` action.
    pub fn beside(&self, ending: &str) -> PathBuf {
        let mut path = self.folder.clone().into_os_string();
        path.push(".");
        path.push(ending);
        PathBuf::from(path)
    }

    /// Claims the attempt, or says `None` because somebody has it already.
    ///
    /// # Errors
    ///
    /// The folder is missing or the disk does not take the file; nothing is claimed then.
    pub fn claim(&self) -> io::Result<Option<Claim>> {
        self.draft_claim()?.appear(self)
    }

    /// Makes a claim ready. The file appears under its name with the lock already held: it is made and locked without a
    /// name and linked.
    ///
    /// # Errors
    ///
    /// The folder is missing or the disk does not take the file.
    pub fn draft_claim(&self) -> io::Result<ClaimDraft> {
        let parent = self.folder.parent().unwrap_or(Path::new("/"));
        let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
        let mut file = match rustix::fs::open(parent, flags, Mode::RUSR | Mode::WUSR) {
            Ok(file) => File::from(file),
            Err(Errno::OPNOTSUPP | Errno::ISDIR) => return self.draft_by_other_name(),
            Err(error) => return Err(error.into()),
        };
        hold(&mut file)?;
        Ok(ClaimDraft {
            file,
            own_name: None,
        })
    }

    /// For file systems without nameless files.
    fn draft_by_other_name(&self) -> io::Result<ClaimDraft> {
        let own = self.beside(&format!("claim.{}", std::process::id()));
        let mut file = File::create(&own)?;
        hold(&mut file)?;
        Ok(ClaimDraft {
            file,
            own_name: Some(own),
        })
    }

    /// Leaves the exit status, whole or not at all.
    ///
    /// # Errors
    ///
    /// The disk does not take the file.
    pub fn record_exit(&self, record: &ExitRecord) -> io::Result<()> {
        let unfinished = self.beside("exit.new");
        let mut file = File::create(&unfinished)?;
        write_line(&mut file, record)?;
        fs::rename(&unfinished, self.exit_file())
    }

    /// Reads what the files say.
    ///
    /// # Errors
    ///
    /// The files are there and cannot be read.
    pub fn inspect(&self) -> io::Result<Found> {
        if let Some(record) = self.exit_record()? {
            return Ok(Found::Exited(record));
        }
        let claim = match File::open(self.claim_file()) {
            Ok(claim) => claim,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Unclaimed),
            Err(error) => return Err(error),
        };
        match claim.try_lock_shared() {
            Err(TryLockError::WouldBlock) => Ok(Found::Running),
            Err(TryLockError::Error(error)) => Err(error),
            // The launcher records the end before it lets go of the lock: look once more.
            Ok(()) => match self.exit_record()? {
                Some(record) => Ok(Found::Exited(record)),
                None => Ok(Found::Lost(self.claim_record())),
            },
        }
    }

    /// Waits until no launcher holds the attempt, then reads what the files say. Blocks.
    ///
    /// # Errors
    ///
    /// As [`Attempt::inspect`].
    pub fn wait(&self) -> io::Result<Found> {
        match File::open(self.claim_file()) {
            Ok(claim) => claim.lock_shared()?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        self.inspect()
    }

    /// The process behind the claim, where one was spawned.
    pub fn claim_record(&self) -> Option<ClaimRecord> {
        let text = fs::read_to_string(self.claim_file()).ok()?;
        text.lines()
            .rev()
            .find_map(|line| serde_json::from_str(line).ok())
    }

    /// A file that a crash of the machine cut short is as good as none.
    fn exit_record(&self) -> io::Result<Option<ExitRecord>> {
        let mut text = String::new();
        match File::open(self.exit_file()) {
            Ok(mut file) => file.read_to_string(&mut text)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        Ok(serde_json::from_str(&text).ok())
    }
}

impl ClaimDraft {
    /// Claims `attempt`, which this is the draft of, or says `None` because somebody has it already.
    ///
    /// # Errors
    ///
    /// The disk does not take the name; nothing is claimed then.
    pub fn appear(self, attempt: &Attempt) -> io::Result<Option<Claim>> {
        let ClaimDraft { file, own_name } = self;
        let name = attempt.claim_file();
        let linked = match own_name {
            None => {
                let nameless = format!("/proc/self/fd/{}", file.as_raw_fd());
                linkat(CWD, nameless, CWD, name, AtFlags::SYMLINK_FOLLOW).map_err(io::Error::from)
            }
            Some(own_name) => {
                let linked = fs::hard_link(&own_name, name);
                // A name that stays behind is in nobody's way.
                let _ = fs::remove_file(own_name);
                linked
            }
        };
        match linked {
            Ok(()) => Ok(Some(Claim { file })),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl Claim {
    /// Gives the claim back: nothing was started.
    ///
    /// # Errors
    ///
    /// The file cannot be removed: the attempt counts as lost.
    pub fn withdraw(self, attempt: &Attempt) -> io::Result<()> {
        fs::remove_file(attempt.claim_file())
    }

    /// Adds the process that was spawned.
    ///
    /// # Errors
    ///
    /// The disk does not take the line; the process runs all the same.
    pub fn record_process(&mut self, process: Liveness) -> io::Result<()> {
        let record = ClaimRecord {
            launcher: std::process::id(),
            process: Some(process),
        };
        write_line(&mut self.file, &record)
    }
}

/// Locks a claim that nobody can see yet, and says who made it.
fn hold(file: &mut File) -> io::Result<()> {
    file.lock()?;
    let record = ClaimRecord {
        launcher: std::process::id(),
        process: None,
    };
    write_line(file, &record)
}

fn write_line(file: &mut File, record: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(record)?;
    line.push(b'\n');
    file.write_all(&line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempt() -> (tempfile::TempDir, Attempt) {
        let folder = tempfile::tempdir().unwrap();
        let attempt = Attempt::new(folder.path().join("1"));
        (folder, attempt)
    }

    fn exit(code: i32) -> ExitRecord {
        ExitRecord {
            code: Some(code),
            signal: None,
            error: None,
            ended: 0,
        }
    }

    #[test]
    fn an_attempt_that_nobody_claimed_is_unclaimed() {
        let (_folder, attempt) = attempt();
        assert_eq!(attempt.inspect().unwrap(), Found::Unclaimed);
    }

    #[test]
    fn an_attempt_is_claimed_once() {
        let (_folder, attempt) = attempt();
        let first = attempt.claim().unwrap();
        assert!(first.is_some());
        assert!(attempt.claim().unwrap().is_none(), "while it is held");
        drop(first);
        assert!(attempt.claim().unwrap().is_none(), "and after");
    }

    #[test]
    fn file_systems_without_nameless_files_claim_once_too() {
        let (_folder, attempt) = attempt();
        let claim = || attempt.draft_by_other_name().unwrap().appear(&attempt);
        assert!(claim().unwrap().is_some());
        assert!(claim().unwrap().is_none());
        assert!(attempt.claim().unwrap().is_none());
    }

    #[test]
    fn a_draft_claims_nothing_before_it_appears() {
        let (_folder, attempt) = attempt();
        let draft = attempt.draft_claim().unwrap();
        assert_eq!(attempt.inspect().unwrap(), Found::Unclaimed);
        assert!(attempt.claim().unwrap().is_some());
        assert!(draft.appear(&attempt).unwrap().is_none(), "too late");
    }

    #[test]
    fn a_held_claim_is_running_and_a_free_one_without_exit_is_lost() {
        let (_folder, attempt) = attempt();
        let claim = attempt.claim().unwrap();
        assert_eq!(attempt.inspect().unwrap(), Found::Running);
        drop(claim);
        assert!(matches!(attempt.inspect().unwrap(), Found::Lost(Some(_))));
    }

    #[test]
    fn an_exit_file_is_the_end_whoever_died() {
        let (_folder, attempt) = attempt();
        let claim = attempt.claim().unwrap();
        attempt.record_exit(&exit(7)).unwrap();
        assert_eq!(
            attempt.inspect().unwrap(),
            Found::Exited(exit(7)),
            "lock still held"
        );
        drop(claim);
        assert_eq!(attempt.wait().unwrap(), Found::Exited(exit(7)));
    }

    #[test]
    fn an_exit_file_cut_short_is_none() {
        let (_folder, attempt) = attempt();
        drop(attempt.claim().unwrap());
        fs::write(attempt.exit_file(), "{\"code\":").unwrap();
        assert!(matches!(attempt.inspect().unwrap(), Found::Lost(_)));
    }

    #[test]
    fn the_claim_names_the_process_once_it_is_spawned() {
        let (_folder, attempt) = attempt();
        let mut claim = attempt.claim().unwrap().unwrap();
        assert_eq!(attempt.claim_record().unwrap().process, None);
        let process = Liveness {
            pid: 42,
            start_time: 7,
        };
        claim.record_process(process).unwrap();
        assert_eq!(attempt.claim_record().unwrap().process, Some(process));
    }
}
