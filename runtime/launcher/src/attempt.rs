//! The files of one attempt, beside its work folder: `N` is the folder, with `N.claim`, `N.exit`, `N.out` and `N.err` next to it.
//!
//! The exit file is a hard link to the claim, made once the exit status is in it: creating another file takes three times as long as
//! linking one.

use std::{
    fs::{self, File, TryLockError},
    io::{self, Read},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use hpdlc_host::home::lock;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::ProcessGroup;

/// How often a claim may be forgotten, which bounds the retries of an attempt whose process keeps dying.
const MAX_FORGOTTEN: u32 = 5;

/// How long a claim is awaited whose process has ended: its launcher is about to release it.
const RELEASE_PATIENCE: Duration = Duration::from_secs(2);

const RELEASE_POLL: Duration = Duration::from_millis(2);

/// One attempt of one action: the `N` of the path `work/<job>/<node>/N`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    folder: PathBuf,
}

/// How a process ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExitRecord {
    /// The exit code; `None` if a signal ended it or it never ran.
    pub code: Option<i32>,
    pub signal: Option<i32>,
    /// Why the program could not be executed.
    pub error: Option<String>,
    /// The time limit in seconds, if the process was ended because it exceeded it.
    #[serde(default)]
    pub exceeded: Option<u64>,
    /// Milliseconds since 1970.
    pub ended: i64,
}

/// The content of a claim file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimRecord {
    /// The process id of the launcher, which leads the session of its processes.
    pub launcher: u32,
    /// The process, once it was spawned. Its id is also that of its process group.
    pub process: Option<u32>,
}

/// A line of a claim or exit file.
#[derive(Serialize, Deserialize)]
pub(super) struct RecordLine<R> {
    /// [`Attempt::label`], which distinguishes the line from that of another attempt: for a process that opens a reused file at that
    /// moment, and after a crash of the machine before the file was synced.
    #[serde(default)]
    pub(super) of: Option<String>,
    #[serde(flatten)]
    pub(super) record: R,
}

/// The state of an attempt according to its files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttemptState {
    /// No process has claimed it.
    Unclaimed,
    /// A launcher holds it.
    Running,
    Exited(ExitRecord),
    /// Claimed, and its launcher died before it recorded an end.
    Lost(Option<ClaimRecord>),
}

impl ClaimRecord {
    /// The process with its descendants that have not left its group.
    pub fn group(self) -> Option<ProcessGroup> {
        // The launcher leads the session, and every process that it starts leads its group.
        self.process.map(|id| ProcessGroup {
            id,
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

    /// Identifies the attempt within a run of its job: the names of its node's folder and of its own.
    pub(super) fn label(&self) -> Option<String> {
        let node = self.folder.parent()?.file_name()?.to_str()?;
        Some(format!("{node}/{}", self.folder.file_name()?.to_str()?))
    }

    /// The attempt before this one; `None` for the first.
    pub fn earlier(&self) -> Option<Attempt> {
        let number: u32 = self.folder.file_name()?.to_str()?.parse().ok()?;
        let earlier = number.checked_sub(1).filter(|&number| number > 0)?;
        Some(Attempt::new(
            self.folder.with_file_name(earlier.to_string()),
        ))
    }

    /// The path of a file beside the folder: of the launcher, or of an executor, such as the journal of an `fs` action.
    pub fn beside(&self, ending: &str) -> PathBuf {
        let mut path = self.folder.clone().into_os_string();
        path.push(".");
        path.push(ending);
        PathBuf::from(path)
    }

    /// Reads the state from the files.
    ///
    /// # Errors
    ///
    /// The files exist but cannot be read.
    pub fn inspect(&self) -> io::Result<AttemptState> {
        loop {
            if let Some(record) = self.exit_record(&self.exit_file())? {
                return Ok(AttemptState::Exited(record));
            }
            let claim = match File::open(self.claim_file()) {
                Ok(claim) => claim,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return Ok(AttemptState::Unclaimed);
                }
                Err(error) => return Err(error),
            };
            if let Some(found) = self.inspect_claim(&claim)? {
                return Ok(found);
            }
        }
    }

    /// As [`Attempt::inspect`], of a process that is known to have ended: its launcher reports that before it releases the claim.
    fn inspect_released(&self) -> io::Result<AttemptState> {
        let until = Instant::now() + RELEASE_PATIENCE;
        loop {
            let state = self.inspect()?;
            if state != AttemptState::Running || Instant::now() >= until {
                return Ok(state);
            }
            thread::sleep(RELEASE_POLL);
        }
    }

    /// The state according to an open claim; `None` if it was withdrawn since it was opened.
    fn inspect_claim(&self, claim: &File) -> io::Result<Option<AttemptState>> {
        let path = self.claim_file();
        let found = match claim.try_lock_shared() {
            Err(TryLockError::WouldBlock) => AttemptState::Running,
            Err(TryLockError::Error(error)) => return Err(error),
            // The launcher records the end before it releases the lock, perhaps without the link to the exit file yet.
            Ok(()) => match self.exit_record(&path)? {
                Some(record) => AttemptState::Exited(record),
                None => AttemptState::Lost(self.claim_record()),
            },
        };
        Ok(lock::is_at(claim, &path)?.then_some(found))
    }

    /// Makes the attempt unclaimed again: its work goes on elsewhere and is found there. `false` if that was done too often, or a process
    /// holds the claim.
    pub fn forget(&self) -> bool {
        match self.inspect_released() {
            Ok(AttemptState::Unclaimed) => return true,
            Ok(AttemptState::Lost(_) | AttemptState::Exited(_)) => {}
            Ok(AttemptState::Running) | Err(_) => return false,
        }
        let place = (1..=MAX_FORGOTTEN)
            .map(|n| self.forgotten(n))
            .find(|path| !path.exists());
        let Some(place) = place else {
            return false;
        };
        // The exit file first: without a claim it would be taken for the end of the next process.
        let removed = match fs::remove_file(self.exit_file()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            Ok(()) | Err(_) => fs::rename(self.claim_file(), place),
        };
        removed.is_ok()
    }

    /// Notes that its process was ended because the host counts as gone.
    pub(super) fn mark_fenced(&self) {
        // Without it the reason is not known.
        let _ = File::create(self.fenced());
    }

    /// Whether its process was ended because the host counted as gone.
    pub fn was_fenced(&self) -> bool {
        self.fenced().exists()
    }

    fn fenced(&self) -> PathBuf {
        self.beside("fenced")
    }

    /// Whether [`Attempt::forget`] has been called.
    pub fn has_been_forgotten(&self) -> bool {
        self.forgotten(1).exists()
    }

    fn forgotten(&self, n: u32) -> PathBuf {
        self.beside(&format!("claim.lost.{n}"))
    }

    /// Waits until no launcher holds the attempt, then reads its state. Blocks.
    ///
    /// # Errors
    ///
    /// As [`Attempt::inspect`].
    pub fn wait(&self) -> io::Result<AttemptState> {
        loop {
            let claim = match File::open(self.claim_file()) {
                Ok(claim) => claim,
                Err(error) if error.kind() == io::ErrorKind::NotFound => return self.inspect(),
                Err(error) => return Err(error),
            };
            claim.lock_shared()?;
            // It may have been withdrawn and replaced by another.
            if lock::is_at(&claim, &self.claim_file())? {
                return self.inspect();
            }
        }
    }

    /// The last record of the claim, with the process if one was spawned.
    pub fn claim_record(&self) -> Option<ClaimRecord> {
        self.last_record(&fs::read_to_string(self.claim_file()).ok()?)
    }

    /// Whether the end is recorded in the claim, even if the lock is held: a process that was being started when the launcher released the
    /// lock has it until its exec.
    pub(super) fn is_end_recorded(&self) -> bool {
        matches!(self.exit_record(&self.claim_file()), Ok(Some(_)))
    }

    /// The end that a claim or exit file records. A file that was truncated by a crash of the machine counts as missing.
    fn exit_record(&self, file: &Path) -> io::Result<Option<ExitRecord>> {
        let mut text = String::new();
        match File::open(file) {
            Ok(mut file) => file.read_to_string(&mut text)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        Ok(self.last_record(&text))
    }

    /// The last line that is such a record, if it belongs to this attempt.
    fn last_record<R: DeserializeOwned>(&self, text: &str) -> Option<R> {
        let mut lines = text.lines().rev();
        let line: RecordLine<R> = lines.find_map(|line| serde_json::from_str(line).ok())?;
        let is_ours = line.of.is_none() || line.of == self.label();
        is_ours.then_some(line.record)
    }
}

#[cfg(test)]
pub(super) mod testing {
    use std::{
        thread,
        time::{Duration, Instant},
    };

    use super::*;

    pub fn attempt() -> (tempfile::TempDir, Attempt) {
        let folder = tempfile::tempdir().unwrap();
        let attempt = Attempt::new(folder.path().join("1"));
        (folder, attempt)
    }

    pub fn exit(code: i32) -> ExitRecord {
        ExitRecord {
            code: Some(code),
            signal: None,
            error: None,
            exceeded: None,
            ended: 0,
        }
    }

    /// The state of an attempt whose claim was released. A process that another test is starting also holds the claim for a moment.
    pub fn left(attempt: &Attempt) -> AttemptState {
        let deadline = Instant::now() + Duration::from_secs(10);
        loop {
            match attempt.inspect().unwrap() {
                AttemptState::Running if Instant::now() < deadline => {
                    thread::sleep(Duration::from_millis(1));
                }
                found => return found,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{
        testing::{attempt, exit, left},
        *,
    };

    #[test]
    fn an_attempt_that_nobody_claimed_is_unclaimed() {
        let (_folder, attempt) = attempt();
        assert_eq!(attempt.inspect().unwrap(), AttemptState::Unclaimed);
    }

    #[test]
    fn a_held_claim_is_running_and_a_free_one_without_exit_is_lost() {
        let (_folder, attempt) = attempt();
        let claim = attempt.claim().unwrap();
        assert_eq!(attempt.inspect().unwrap(), AttemptState::Running);
        drop(claim);
        assert!(matches!(
            attempt.inspect().unwrap(),
            AttemptState::Lost(Some(_))
        ));
    }

    #[test]
    fn a_claim_that_is_about_to_be_released_is_forgotten_then() {
        let (_folder, attempt) = attempt();
        let claim = attempt.claim().unwrap().unwrap();
        let releasing = thread::spawn(move || {
            thread::sleep(Duration::from_millis(30));
            drop(claim);
        });
        assert!(attempt.forget());
        releasing.join().unwrap();
        assert!(attempt.has_been_forgotten());
        assert_eq!(attempt.inspect().unwrap(), AttemptState::Unclaimed);
    }

    #[test]
    fn a_claim_that_was_withdrawn_after_it_was_opened_says_nothing() {
        let (_folder, attempt) = attempt();
        let withdrawn = attempt.claim().unwrap().unwrap();
        let opened = File::open(attempt.claim_file()).unwrap();
        assert_eq!(
            attempt.inspect_claim(&opened).unwrap(),
            Some(AttemptState::Running)
        );
        withdrawn.withdraw(&attempt).unwrap();
        assert_eq!(attempt.inspect_claim(&opened).unwrap(), None);
        assert_eq!(attempt.inspect().unwrap(), AttemptState::Unclaimed);
        let _next = attempt.claim().unwrap().unwrap();
        assert_eq!(attempt.inspect_claim(&opened).unwrap(), None);
        assert_eq!(attempt.inspect().unwrap(), AttemptState::Running);
    }

    #[test]
    fn an_exit_file_is_the_end_whoever_died() {
        let (_folder, attempt) = attempt();
        let mut claim = attempt.claim().unwrap().unwrap();
        claim.record_process(42).unwrap();
        claim.record_exit(&attempt, &exit(7)).unwrap();
        assert_eq!(
            attempt.inspect().unwrap(),
            AttemptState::Exited(exit(7)),
            "lock still held"
        );
        drop(claim);
        assert_eq!(attempt.wait().unwrap(), AttemptState::Exited(exit(7)));
    }

    #[test]
    fn an_exit_file_cut_short_is_none() {
        let (_folder, attempt) = attempt();
        drop(attempt.claim().unwrap());
        fs::write(attempt.exit_file(), "{\"code\":").unwrap();
        assert!(matches!(attempt.inspect().unwrap(), AttemptState::Lost(_)));
    }

    #[test]
    fn the_end_of_another_attempt_is_none() {
        let (_folder, attempt) = attempt();
        let other = Attempt::new(attempt.folder().with_file_name("2"));
        let mut claim = other.claim().unwrap().unwrap();
        claim.record_process(42).unwrap();
        claim.write_exit(&exit(0)).unwrap();
        drop(claim);
        fs::rename(other.claim_file(), attempt.claim_file()).unwrap();
        assert_eq!(attempt.claim_record(), None);
        assert_eq!(attempt.inspect().unwrap(), AttemptState::Lost(None));
    }

    #[test]
    fn an_exit_file_of_an_earlier_version_is_an_end() {
        let (_folder, attempt) = attempt();
        let text = r#"{"code":7,"signal":null,"error":null,"ended":0}"#;
        fs::write(attempt.exit_file(), text).unwrap();
        assert_eq!(left(&attempt), AttemptState::Exited(exit(7)));
    }
}
