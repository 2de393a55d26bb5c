//! The files of one attempt, beside its work folder: `N` is the folder, `N.claim`, `N.exit`, `N.out` and `N.err` stand by it.
//!
//! The exit file is the claim by another name, given once the end stands in it: making one more file takes three times as
//! long as giving one another name.

use std::{
    fs::{self, File, TryLockError},
    io::{self, Read},
    os::{
        fd::AsRawFd,
        unix::fs::{FileExt, MetadataExt},
    },
    path::{Path, PathBuf},
};

use rustix::{
    fs::{AtFlags, CWD, Mode, OFlags, linkat},
    io::Errno,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::launcher::Group;

/// How often a claim is given up: whoever dies that often will die again.
const MAX_FORGOTTEN: u32 = 5;

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
    /// The seconds that it was allowed to run, where it was ended because they were over.
    #[serde(default)]
    pub exceeded: Option<u64>,
    /// Milliseconds since 1970.
    pub ended: i64,
}

/// What stands in a claim file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimRecord {
    pub launcher: u32,
    /// The process, once it was spawned. Also the number of its process group.
    pub process: Option<u32>,
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
    /// [`Attempt::label`] of the attempt that it is for.
    of: Option<String>,
    /// Bytes of lines that stand in the file.
    length: u64,
    /// All bytes of the file: behind the lines there may be blanks.
    extent: u64,
}

/// A line of a claim or exit file.
#[derive(Serialize, Deserialize)]
struct Line<R> {
    /// [`Attempt::label`]: whoever opens a file that is used again at that moment, or finds what the machine had not put on disk
    /// when it went down, is not to take the line for that of another attempt.
    #[serde(default)]
    of: Option<String>,
    #[serde(flatten)]
    record: R,
}

/// A claim that is locked and that nobody can see yet.
#[derive(Debug)]
pub struct ClaimDraft {
    claim: Claim,
    /// Where the file system has no nameless files.
    own_name: Option<PathBuf>,
}

impl ClaimRecord {
    /// Everything that the process starts and does not send away.
    pub fn group(self) -> Option<Group> {
        // The launcher leads the session, and every process that it starts leads its group.
        self.process.map(|id| Group {
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

    /// What tells it from all other attempts of its job's run: the names of its node's folder and its own.
    fn label(&self) -> Option<String> {
        let node = self.folder.parent()?.file_name()?.to_str()?;
        Some(format!("{node}/{}", self.folder.file_name()?.to_str()?))
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
        let file = match rustix::fs::open(parent, flags, Mode::RUSR | Mode::WUSR) {
            Ok(file) => File::from(file),
            Err(Errno::OPNOTSUPP | Errno::ISDIR) => return self.draft_by_other_name(),
            Err(error) => return Err(error.into()),
        };
        Ok(ClaimDraft {
            claim: Claim::hold(file, self)?,
            own_name: None,
        })
    }

    /// For file systems without nameless files.
    fn draft_by_other_name(&self) -> io::Result<ClaimDraft> {
        let own = self.beside(&format!("claim.{}", std::process::id()));
        let file = File::create(&own)?;
        Ok(ClaimDraft {
            claim: Claim::hold(file, self)?,
            own_name: Some(own),
        })
    }

    /// Reads what the files say.
    ///
    /// # Errors
    ///
    /// The files are there and cannot be read.
    pub fn inspect(&self) -> io::Result<Found> {
        if let Some(record) = self.exit_record(&self.exit_file())? {
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
            // The launcher records the end before it lets go of the lock, in what may not have its other name yet.
            Ok(()) => match self.exit_record(&self.claim_file())? {
                Some(record) => Ok(Found::Exited(record)),
                None => Ok(Found::Lost(self.claim_record())),
            },
        }
    }

    /// Makes the attempt one that nobody has claimed: what it does goes on elsewhere and is found there. `false` where that
    /// has been done too often, or somebody holds it.
    pub fn forget(&self) -> bool {
        match self.inspect() {
            Ok(Found::Unclaimed) => return true,
            Ok(Found::Lost(_) | Found::Exited(_)) => {}
            Ok(Found::Running) | Err(_) => return false,
        }
        let place = (1..=MAX_FORGOTTEN)
            .map(|n| self.forgotten(n))
            .find(|path| !path.exists());
        let Some(place) = place else {
            return false;
        };
        // The exit file first: without a claim it would be the end of the next process.
        let gone = match fs::remove_file(self.exit_file()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            Ok(()) | Err(_) => fs::rename(self.claim_file(), place),
        };
        gone.is_ok()
    }

    /// [`Attempt::forget`] has been called.
    pub fn has_been_forgotten(&self) -> bool {
        self.forgotten(1).exists()
    }

    fn forgotten(&self, n: u32) -> PathBuf {
        self.beside(&format!("claim.lost.{n}"))
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
        self.last_record(&fs::read_to_string(self.claim_file()).ok()?)
    }

    /// A file that a crash of the machine cut short is as good as none.
    fn exit_record(&self, file: &Path) -> io::Result<Option<ExitRecord>> {
        let mut text = String::new();
        match File::open(file) {
            Ok(mut file) => file.read_to_string(&mut text)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        Ok(self.last_record(&text))
    }

    /// The last line that is such a record, where it is of this attempt.
    fn last_record<R: DeserializeOwned>(&self, text: &str) -> Option<R> {
        let mut lines = text.lines().rev();
        let line: Line<R> = lines.find_map(|line| serde_json::from_str(line).ok())?;
        let is_ours = line.of.is_none() || line.of == self.label();
        is_ours.then_some(line.record)
    }
}

impl ClaimDraft {
    /// Claims `attempt`, which this is the draft of, or says `None` because somebody has it already.
    ///
    /// # Errors
    ///
    /// The disk does not take the name; nothing is claimed then.
    pub fn appear(self, attempt: &Attempt) -> io::Result<Option<Claim>> {
        let ClaimDraft { claim, own_name } = self;
        let name = attempt.claim_file();
        let linked = match own_name {
            None => {
                let nameless = format!("/proc/self/fd/{}", claim.file.as_raw_fd());
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
            Ok(()) => Ok(Some(claim)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl Claim {
    /// Locks a file that nobody can see yet, and says who made it.
    fn hold(file: File, attempt: &Attempt) -> io::Result<Claim> {
        file.lock()?;
        let mut claim = Claim {
            file,
            of: attempt.label(),
            length: 0,
            extent: 0,
        };
        claim.write_line(&ClaimRecord {
            launcher: std::process::id(),
            process: None,
        })?;
        Ok(claim)
    }

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
    pub fn record_process(&mut self, process: u32) -> io::Result<()> {
        self.write_line(&ClaimRecord {
            launcher: std::process::id(),
            process: Some(process),
        })
    }

    /// Leaves the exit status of `attempt`, whole or not at all. May be tried again.
    ///
    /// # Errors
    ///
    /// The disk does not take the line or the name.
    pub fn record_exit(&mut self, attempt: &Attempt, record: &ExitRecord) -> io::Result<()> {
        self.write_exit(record)?;
        fs::hard_link(attempt.claim_file(), attempt.exit_file())
    }

    /// Leaves it in the claim, without the name of an exit file. May be tried again.
    ///
    /// # Errors
    ///
    /// The disk does not take the line.
    pub(super) fn write_exit(&mut self, record: &ExitRecord) -> io::Result<()> {
        self.write_line(record)
    }

    /// Takes the claim of an attempt that has ended; `None` where somebody looks at it, or has taken it.
    ///
    /// # Errors
    ///
    /// The file cannot be opened.
    pub(super) fn take_again(attempt: &Attempt) -> io::Result<Option<Claim>> {
        let file = File::options().write(true).open(attempt.claim_file())?;
        let metadata = file.metadata()?;
        let is_alone = file.try_lock().is_ok() && metadata.nlink() == 1;
        Ok(is_alone.then(|| Claim {
            file,
            of: attempt.label(),
            length: 0,
            extent: metadata.len(),
        }))
    }

    /// Makes it a claim of another attempt, that says who has it and nothing of what it was before.
    ///
    /// # Errors
    ///
    /// The disk does not take the line.
    pub(super) fn begin_again(&mut self, attempt: &Attempt) -> io::Result<()> {
        self.of = attempt.label();
        self.length = 0;
        self.write_line(&ClaimRecord {
            launcher: std::process::id(),
            process: None,
        })
    }

    /// Whether the state folder is gone, and the claim with it: nobody will look for the end.
    pub fn is_deleted(&self) -> bool {
        self.file
            .metadata()
            .is_ok_and(|metadata| metadata.nlink() == 0)
    }

    /// Adds a line, in the place of one that came in by half. What stands behind it becomes blank.
    fn write_line(&mut self, record: &impl Serialize) -> io::Result<()> {
        let of = self.of.take();
        let line = Line { of, record };
        let text = serde_json::to_vec(&line);
        self.of = line.of;
        let mut line = text?;
        line.push(b'\n');
        let length = self.length + line.len() as u64;
        self.extent = self.extent.max(length);
        let n_blank = usize::try_from(self.extent - length).unwrap_or_default();
        line.resize(line.len() + n_blank, b' ');
        self.file.write_all_at(&line, self.length)?;
        self.length = length;
        Ok(())
    }
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
            exceeded: None,
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
        let mut claim = attempt.claim().unwrap().unwrap();
        claim.record_process(42).unwrap();
        claim.record_exit(&attempt, &exit(7)).unwrap();
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
    fn an_end_in_the_claim_is_the_end_before_it_has_its_other_name() {
        let (_folder, attempt) = attempt();
        let mut claim = attempt.claim().unwrap().unwrap();
        claim.record_process(42).unwrap();
        claim.write_exit(&exit(0)).unwrap();
        assert_eq!(attempt.inspect().unwrap(), Found::Running, "it is held");
        drop(claim);
        assert_eq!(attempt.inspect().unwrap(), Found::Exited(exit(0)));
        let process = attempt.claim_record().unwrap().process;
        assert_eq!(process, Some(42));
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
        assert_eq!(attempt.inspect().unwrap(), Found::Lost(None));
    }

    #[test]
    fn an_exit_file_of_an_earlier_version_is_an_end() {
        let (_folder, attempt) = attempt();
        let text = r#"{"code":7,"signal":null,"error":null,"ended":0}"#;
        fs::write(attempt.exit_file(), text).unwrap();
        assert_eq!(attempt.inspect().unwrap(), Found::Exited(exit(7)));
    }

    #[test]
    fn a_claim_that_begins_again_has_nothing_of_before() {
        let (_folder, attempt) = attempt();
        let mut claim = attempt.claim().unwrap().unwrap();
        claim.record_process(4_000_000).unwrap();
        claim.write_exit(&exit(0)).unwrap();
        drop(claim);
        let mut claim = Claim::take_again(&attempt).unwrap().expect("free");
        assert!(Claim::take_again(&attempt).unwrap().is_none(), "it is held");
        claim.begin_again(&attempt).unwrap();
        assert_eq!(attempt.claim_record().unwrap().process, None);
        claim.record_process(7).unwrap();
        assert_eq!(attempt.claim_record().unwrap().process, Some(7));
        drop(claim);
        assert!(matches!(attempt.inspect().unwrap(), Found::Lost(_)));
    }

    #[test]
    fn the_claim_names_the_process_once_it_is_spawned() {
        let (_folder, attempt) = attempt();
        let mut claim = attempt.claim().unwrap().unwrap();
        assert_eq!(attempt.claim_record().unwrap().process, None);
        claim.record_process(42).unwrap();
        assert_eq!(attempt.claim_record().unwrap().process, Some(42));
        claim.record_exit(&attempt, &exit(0)).unwrap();
        assert_eq!(
            attempt.claim_record().unwrap().process,
            Some(42),
            "what it has started may outlive it"
        );
    }

    #[test]
    fn a_claim_is_deleted_when_its_last_name_is_and_not_when_its_folder_moves() {
        let folder = tempfile::tempdir().unwrap();
        let node = folder.path().join("node");
        fs::create_dir(&node).unwrap();
        let claim = Attempt::new(node.join("1")).claim().unwrap().unwrap();
        let moved = folder.path().join("moved");
        fs::rename(&node, &moved).unwrap();
        assert!(!claim.is_deleted());
        fs::remove_dir_all(&moved).unwrap();
        assert!(claim.is_deleted());
    }

    #[test]
    fn a_line_that_the_disk_took_by_half_is_written_over() {
        let (_folder, attempt) = attempt();
        let mut claim = attempt.claim().unwrap().unwrap();
        claim
            .file
            .write_all_at(b"{\"code\":99", claim.length)
            .unwrap();
        claim.record_exit(&attempt, &exit(7)).unwrap();
        assert_eq!(attempt.inspect().unwrap(), Found::Exited(exit(7)));
    }
}
