//! Claims: the right to start an attempt. A claim is a file that only one process can create; its lock shows that the process is alive, and
//! the exit status is recorded in it.

use std::{
    fs::{self, File},
    io,
    os::{
        fd::AsRawFd,
        unix::fs::{FileExt, MetadataExt},
    },
    path::{Path, PathBuf},
};

use hpdlc_host::home::lock;
use rustix::{
    fs::{AtFlags, CWD, Mode, OFlags, linkat},
    io::Errno,
};
use serde::Serialize;

use crate::attempt::{Attempt, ClaimRecord, ExitRecord, RecordLine};

/// The right to start an attempt. The lock is held until this is dropped.
#[derive(Debug)]
pub struct Claim {
    file: File,
    /// [`Attempt::label`] of the attempt that it is for.
    of: Option<String>,
    /// The length in bytes of the lines in the file.
    length: u64,
    /// The length in bytes of the file: after the lines there may be blanks.
    extent: u64,
}

/// A claim that is locked and not visible yet.
#[derive(Debug)]
pub struct ClaimDraft {
    claim: Claim,
    /// If the file system has no unnamed files (`O_TMPFILE`).
    own_name: Option<PathBuf>,
}

impl Attempt {
    /// Claims the attempt; `None` if another process has claimed it already.
    ///
    /// # Errors
    ///
    /// The folder is missing or the file cannot be written; nothing is claimed then.
    pub fn claim(&self) -> io::Result<Option<Claim>> {
        ClaimDraft::new(self)?.appear(self)
    }
}

impl ClaimDraft {
    /// Prepares a claim of `attempt`. The file appears under its name with the lock already held: it is created and locked unnamed, and
    /// then linked.
    ///
    /// # Errors
    ///
    /// The folder is missing or the file cannot be written.
    pub fn new(attempt: &Attempt) -> io::Result<ClaimDraft> {
        let parent = attempt.folder().parent().unwrap_or(Path::new("/"));
        let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
        let file = match rustix::fs::open(parent, flags, Mode::RUSR | Mode::WUSR) {
            Ok(file) => File::from(file),
            Err(Errno::OPNOTSUPP | Errno::ISDIR) => return ClaimDraft::by_other_name(attempt),
            Err(error) => return Err(error.into()),
        };
        Ok(ClaimDraft {
            claim: Claim::hold(file, attempt)?,
            own_name: None,
        })
    }

    /// For file systems without unnamed files.
    fn by_other_name(attempt: &Attempt) -> io::Result<ClaimDraft> {
        let own = attempt.beside(&format!("claim.{}", std::process::id()));
        let file = File::create(&own)?;
        Ok(ClaimDraft {
            claim: Claim::hold(file, attempt)?,
            own_name: Some(own),
        })
    }

    /// Claims `attempt`, for which the draft was made; `None` if another process has claimed it already.
    ///
    /// # Errors
    ///
    /// The name cannot be created; nothing is claimed then.
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
                // A name that cannot be removed does no harm.
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
    /// Locks a file that is not visible yet, and records this process in it.
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

    /// Withdraws the claim: nothing was started.
    ///
    /// # Errors
    ///
    /// The file cannot be removed: the attempt counts as lost.
    pub fn withdraw(self, attempt: &Attempt) -> io::Result<()> {
        fs::remove_file(attempt.claim_file())
    }

    /// Records the spawned process.
    ///
    /// # Errors
    ///
    /// The line cannot be written; the process runs all the same.
    pub fn record_process(&mut self, process: u32) -> io::Result<()> {
        self.write_line(&ClaimRecord {
            launcher: std::process::id(),
            process: Some(process),
        })
    }

    /// Writes the exit file of `attempt` atomically. May be retried.
    ///
    /// # Errors
    ///
    /// The line or the link cannot be written.
    pub fn record_exit(&mut self, attempt: &Attempt, record: &ExitRecord) -> io::Result<()> {
        self.write_exit(record)?;
        fs::hard_link(attempt.claim_file(), attempt.exit_file())
    }

    /// Records the exit status in the claim, without the exit file. May be retried.
    ///
    /// # Errors
    ///
    /// The line cannot be written.
    pub(super) fn write_exit(&mut self, record: &ExitRecord) -> io::Result<()> {
        self.write_line(record)
    }

    /// Takes the claim of an attempt that has ended; `None` if another process has it open and locked, or has taken it.
    ///
    /// # Errors
    ///
    /// The file cannot be opened.
    pub(super) fn take_again(attempt: &Attempt) -> io::Result<Option<Claim>> {
        let file = File::options().write(true).open(attempt.claim_file())?;
        // The metadata is read once no other process can change it.
        let is_free = file.try_lock().is_ok() && lock::is_at(&file, &attempt.claim_file())?;
        let metadata = file.metadata()?;
        let is_alone = is_free && metadata.nlink() == 1;
        Ok(is_alone.then(|| Claim {
            file,
            of: attempt.label(),
            length: 0,
            extent: metadata.len(),
        }))
    }

    /// Makes it a claim of another attempt: records this process in it, and removes the former content.
    ///
    /// # Errors
    ///
    /// The line cannot be written.
    pub(super) fn begin_again(&mut self, attempt: &Attempt) -> io::Result<()> {
        self.of = attempt.label();
        self.length = 0;
        self.write_line(&ClaimRecord {
            launcher: std::process::id(),
            process: None,
        })
    }

    /// Whether the state folder, and the claim with it, was deleted: no process will look for the result.
    pub fn is_deleted(&self) -> bool {
        self.file
            .metadata()
            .is_ok_and(|metadata| metadata.nlink() == 0)
    }

    /// Appends a line, overwriting one that was written partially. The bytes after it become blanks.
    fn write_line(&mut self, record: &impl Serialize) -> io::Result<()> {
        let of = self.of.take();
        let line = RecordLine { of, record };
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
    use crate::attempt::{
        AttemptState,
        testing::{attempt, exit, left},
    };

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
        let claim = || {
            ClaimDraft::by_other_name(&attempt)
                .unwrap()
                .appear(&attempt)
        };
        assert!(claim().unwrap().is_some());
        assert!(claim().unwrap().is_none());
        assert!(attempt.claim().unwrap().is_none());
    }

    #[test]
    fn a_draft_claims_nothing_before_it_appears() {
        let (_folder, attempt) = attempt();
        let draft = ClaimDraft::new(&attempt).unwrap();
        assert_eq!(attempt.inspect().unwrap(), AttemptState::Unclaimed);
        assert!(attempt.claim().unwrap().is_some());
        assert!(draft.appear(&attempt).unwrap().is_none(), "too late");
    }

    #[test]
    fn an_end_in_the_claim_is_the_end_before_it_has_its_other_name() {
        let (_folder, attempt) = attempt();
        let mut claim = attempt.claim().unwrap().unwrap();
        claim.record_process(42).unwrap();
        claim.write_exit(&exit(0)).unwrap();
        assert_eq!(
            attempt.inspect().unwrap(),
            AttemptState::Running,
            "it is held"
        );
        drop(claim);
        assert_eq!(left(&attempt), AttemptState::Exited(exit(0)));
        let process = attempt.claim_record().unwrap().process;
        assert_eq!(process, Some(42));
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
        assert!(matches!(attempt.inspect().unwrap(), AttemptState::Lost(_)));
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
        assert_eq!(left(&attempt), AttemptState::Exited(exit(7)));
    }
}
