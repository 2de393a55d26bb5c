//! A work folder that an attempt has left unchanged, which is reused for another.
//!
//! Creating a folder with its files takes longer than a short program runs; renaming one takes a tenth. So while many short programs run,
//! the folder of one that succeeded and has left nothing - no output, no file, no process - is given to the next, once the end is in the
//! store and its files are no longer needed.

use std::{
    fs::{self, File},
    io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use rustix::fs::{CWD, RenameFlags, renameat_with};

use crate::{
    attempt::Attempt,
    claim::Claim,
    inotify::{FolderWatch, WatchedFolders},
    prepared::{Opened, Start},
};

/// The name of a first attempt's folder.
const FIRST: &str = "1";

/// The folder of an attempt whose end is in its claim, which no process holds.
pub(super) struct ReusedFolder {
    attempt: Attempt,
    again: Again,
}

/// What a folder was created for.
struct FolderPattern {
    job_folder: PathBuf,
    /// Of `action.xml`; most actions of a job have the same.
    text: String,
}

/// The data that shows whether a folder is unchanged.
pub(super) struct Again {
    pattern: FolderPattern,
    watched: WatchedFolders,
}

impl FolderPattern {
    /// For a first attempt whose folder the launcher has to create: beside later ones are files of others.
    fn of(start: &Start) -> Option<FolderPattern> {
        let folder = start.attempt.folder();
        (folder.file_name()? == FIRST).then_some(())?;
        Some(FolderPattern {
            job_folder: folder.parent()?.parent()?.to_owned(),
            text: start.request.action_xml.clone()?,
        })
    }
}

impl Again {
    /// For a folder that was just created, with its node's folder; `None` if it cannot be reused.
    pub(super) fn of(start: &Start, watch: &FolderWatch) -> Option<Again> {
        let folder = start.attempt.folder();
        let pattern = FolderPattern::of(start)?;
        let watched = watch.begin(folder, folder.parent()?).ok()?;
        Some(Again { pattern, watched })
    }

    /// Ignores all changes so far, which were our own.
    pub(super) fn settle(&self, watch: &mut FolderWatch) {
        watch.forgive(&self.watched);
    }

    /// Stops watching a folder that will not be reused.
    pub(super) fn give_up(self, watch: &mut FolderWatch) {
        watch.end(&self.watched);
    }
}

impl ReusedFolder {
    pub(super) fn new(attempt: Attempt, again: Again) -> ReusedFolder {
        ReusedFolder { attempt, again }
    }

    /// Leaves the folder to its attempt.
    pub(super) fn leave(self) -> Again {
        // The exit file is a link to the claim, for those that do not read claims.
        if self.attempt.is_end_recorded() {
            let _ = fs::hard_link(self.attempt.claim_file(), self.attempt.exit_file());
        }
        self.again
    }

    /// Whether nothing has been added, removed or changed that the next process would find.
    pub(super) fn is_untouched(&self, watch: &mut FolderWatch) -> bool {
        !watch.has_changed(&self.again.watched)
    }

    /// Makes it the folder of the attempt that is to be started, with its claim. Settle it before the process runs.
    ///
    /// # Errors
    ///
    /// It cannot be reused, and is unchanged.
    pub(super) fn become_folder_of(self, start: &Start) -> Result<(Opened, Again), ReusedFolder> {
        match self.rename(start) {
            Ok(Some((opened, pattern))) => {
                let watched = self.again.watched;
                Ok((opened, Again { pattern, watched }))
            }
            Ok(None) | Err(_) => Err(self),
        }
    }

    fn rename(&self, start: &Start) -> io::Result<Option<(Opened, FolderPattern)>> {
        let (Some(wanted), Some(from), Some(to)) = (
            FolderPattern::of(start),
            self.attempt.folder().parent(),
            start.attempt.folder().parent(),
        ) else {
            return Ok(None);
        };
        // A process that has the claim open and waits for its lock would wait for the wrong process.
        let Some(mut claim) = Claim::take_again(&self.attempt)? else {
            return Ok(None);
        };
        let outputs = [
            silent(&self.attempt.stdout())?,
            silent(&self.attempt.stderr())?,
        ];
        let [Some(stdout), Some(stderr)] = outputs else {
            return Ok(None);
        };
        let action_xml = self.attempt.action_xml();
        if wanted.job_folder != self.again.pattern.job_folder
            || fs::symlink_metadata(&action_xml)?.nlink() != 1
        {
            return Ok(None);
        }
        if wanted.text != self.again.pattern.text {
            // The file has no other hard link.
            fs::write(&action_xml, &wanted.text)?;
        }
        // The store knows how that attempt ended: the content of its claim is no longer needed.
        claim.begin_again(&start.attempt)?;
        renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE)?;
        let outputs = [stdout, stderr];
        Ok(Some((Opened { claim, outputs }, wanted)))
    }
}

/// Opens an output file for reuse, if it is empty.
fn silent(path: &Path) -> io::Result<Option<File>> {
    let file = File::options().write(true).open(path)?;
    let metadata = file.metadata()?;
    let is_silent = metadata.is_file() && metadata.len() == 0 && metadata.nlink() == 1;
    Ok(is_silent.then_some(file))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::{
        attempt::{
            AttemptState,
            testing::{exit, left},
        },
        inotify::FolderWatch,
        prepared::{Beside, PreparedAttempt},
        protocol::StartRequest,
    };

    const TEXT: &str = "<configuration/>";

    fn start(job: &Path, attempt: &str, text: &str) -> Start {
        let request = StartRequest {
            attempt: job.join(attempt).display().to_string(),
            program: "/bin/true".to_owned(),
            argv: Vec::new(),
            env: Vec::new(),
            action_xml: Some(text.to_owned()),
            limit: None,
        };
        PreparedAttempt::later(request).start
    }

    /// The first attempt of `node`, which does something and then succeeds.
    fn used(
        watch: &FolderWatch,
        job: &Path,
        node: &str,
        deed: impl FnOnce(&Attempt),
    ) -> ReusedFolder {
        let start = start(job, &format!("{node}/1"), TEXT);
        let attempt = start.attempt.clone();
        let (made, beside) = start.make().unwrap();
        assert_eq!(beside, Beside::Nothing);
        let opened = made.appear(&attempt).unwrap();
        let mut claim = opened.expect("nobody has it").claim;
        let again = Again::of(&start, watch).expect("it may be");
        deed(&attempt);
        let record = exit(0);
        claim.write_exit(&record).unwrap();
        drop(claim);
        ReusedFolder::new(attempt, again)
    }

    fn watch() -> FolderWatch {
        FolderWatch::new().unwrap()
    }

    #[test]
    fn a_folder_that_is_as_it_was_becomes_that_of_the_next_with_a_held_claim() {
        let job = tempfile::tempdir().unwrap();
        let mut watch = watch();
        let mut folder = used(&watch, job.path(), "a", |_| {});
        for (node, text) in [("b", TEXT), ("c", "<other/>"), ("d", "")] {
            let before = folder.attempt.clone();
            assert!(folder.is_untouched(&mut watch), "{node}");
            let start = start(job.path(), &format!("{node}/1"), text);
            let attempt = start.attempt.clone();
            let Ok((opened, again)) = folder.become_folder_of(&start) else {
                panic!("{node} gets it");
            };
            again.settle(&mut watch);
            assert_eq!(before.inspect().unwrap(), AttemptState::Unclaimed);
            assert_eq!(attempt.inspect().unwrap(), AttemptState::Running);
            assert_eq!(attempt.claim_record().unwrap().process, None);
            assert_eq!(fs::read_to_string(attempt.action_xml()).unwrap(), text);
            let mut claim = opened.claim;
            let record = exit(0);
            claim.write_exit(&record).unwrap();
            drop(claim);
            assert_eq!(left(&attempt), AttemptState::Exited(record));
            assert!(!before.folder().exists());
            folder = ReusedFolder::new(attempt, again);
        }
    }

    #[test]
    fn whatever_is_left_keeps_a_folder() {
        type Deed = (&'static str, fn(&Attempt));
        let deeds: [Deed; 12] = [
            ("a file", |attempt| {
                fs::write(attempt.folder().join("left"), "").unwrap();
            }),
            ("a file that is gone", |attempt| {
                let file = attempt.folder().join("left");
                fs::write(&file, "").unwrap();
                fs::remove_file(file).unwrap();
            }),
            ("a folder", |attempt| {
                fs::create_dir(attempt.folder().join("left")).unwrap();
            }),
            ("output", |attempt| {
                fs::write(attempt.stdout(), "x").unwrap();
            }),
            ("errors", |attempt| {
                fs::write(attempt.stderr(), "x").unwrap();
            }),
            ("another configuration", |attempt| {
                fs::write(attempt.action_xml(), TEXT).unwrap();
            }),
            ("no configuration", |attempt| {
                fs::remove_file(attempt.action_xml()).unwrap();
            }),
            ("a configuration by another name", |attempt| {
                let elsewhere = attempt.folder().with_file_name("../elsewhere");
                fs::hard_link(attempt.action_xml(), elsewhere).unwrap();
            }),
            ("output by another name", |attempt| {
                let elsewhere = attempt.folder().with_file_name("../elsewhere");
                fs::hard_link(attempt.stdout(), elsewhere).unwrap();
            }),
            ("a file beside it", |attempt| {
                fs::write(attempt.beside("callback"), "").unwrap();
            }),
            ("rights", |attempt| {
                let rights = fs::Permissions::from_mode(0o500);
                fs::set_permissions(attempt.folder(), rights).unwrap();
            }),
            ("rights of its output", |attempt| {
                let rights = fs::Permissions::from_mode(0o400);
                fs::set_permissions(attempt.stdout(), rights).unwrap();
            }),
        ];
        for (what, deed) in deeds {
            let job = tempfile::tempdir().unwrap();
            let mut watch = watch();
            let folder = used(&watch, job.path(), "a", deed);
            let is_taken = folder.is_untouched(&mut watch)
                && folder
                    .become_folder_of(&start(job.path(), "b/1", TEXT))
                    .is_ok();
            assert!(!is_taken, "{what}");
            assert!(job.path().join("a/1").exists(), "{what}");
        }
    }

    #[test]
    fn a_folder_goes_to_no_attempt_that_has_one_and_to_no_other_job() {
        let job = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        let watch = watch();
        fs::create_dir(job.path().join("there")).unwrap();
        let mut folder = used(&watch, job.path(), "a", |_| {});
        for start in [
            start(job.path(), "there/1", TEXT),
            start(job.path(), "b/2", TEXT),
            start(elsewhere.path(), "b/1", TEXT),
        ] {
            let Err(left) = folder.become_folder_of(&start) else {
                panic!("{} got it", start.attempt.folder().display());
            };
            folder = left;
        }
    }

    #[test]
    fn nobody_who_waits_for_an_end_waits_for_another() {
        let job = tempfile::tempdir().unwrap();
        let watch = watch();
        let folder = used(&watch, job.path(), "a", |_| {});
        let claim = File::open(folder.attempt.claim_file()).unwrap();
        claim.lock_shared().unwrap();
        let start = start(job.path(), "b/1", TEXT);
        let Err(folder) = folder.become_folder_of(&start) else {
            panic!("somebody looks at it");
        };
        drop(claim);
        assert!(folder.become_folder_of(&start).is_ok());
    }

    #[test]
    fn what_is_not_used_again_gets_its_exit_file() {
        let job = tempfile::tempdir().unwrap();
        let mut watch = watch();
        let folder = used(&watch, job.path(), "a", |_| {});
        let attempt = folder.attempt.clone();
        assert!(!attempt.exit_file().exists());
        // The lock is held by a process that is being started while the claim is released.
        let claim = File::open(attempt.claim_file()).unwrap();
        claim.lock().unwrap();
        folder.leave().give_up(&mut watch);
        assert!(attempt.exit_file().exists());
        assert!(matches!(left(&attempt), AttemptState::Exited(_)));
    }
}
