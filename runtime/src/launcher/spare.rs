//! A node's folder that is made before it is known of which node it will be. While a process runs the launcher has time for
//! it, and between the end of one and the start of the next it has not: giving a folder another name takes a fifth of making
//! it with what is in it.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use rustix::fs::{CWD, RenameFlags, renameat_with};

use crate::launcher::{
    attempt::{Attempt, ClaimDraft},
    protocol::StartRequest,
};

/// The number of the attempt that a new folder is for.
const FIRST: &str = "1";

/// What every first attempt of a job begins with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    job_folder: PathBuf,
    /// Of `action.xml`; most actions of a job have the same.
    text: String,
}

/// Such a folder, with a claim that nobody can see yet.
#[derive(Debug)]
pub(super) struct Spare {
    pattern: Pattern,
    folder: PathBuf,
    made: Made,
}

/// What is open of an attempt's files.
#[derive(Debug)]
pub(super) struct Made {
    pub(super) claim: ClaimDraft,
    pub(super) stdout: File,
    pub(super) stderr: File,
}

impl Pattern {
    /// That of a first attempt whose folder the launcher is to make.
    pub(super) fn of(request: &StartRequest) -> Option<Pattern> {
        let folder = Path::new(&request.attempt);
        let text = request.action_xml.clone()?;
        (folder.file_name()? == FIRST).then_some(())?;
        Some(Pattern {
            job_folder: folder.parent()?.parent()?.to_owned(),
            text,
        })
    }
}

impl Made {
    /// Makes the files beside an attempt's folder.
    ///
    /// # Errors
    ///
    /// The disk does not take a file.
    pub(super) fn beside(attempt: &Attempt) -> io::Result<Made> {
        // Not cut short: until the claim has appeared they may be those of somebody's process.
        let output = |path| {
            File::options()
                .create(true)
                .truncate(false)
                .write(true)
                .open(path)
        };
        Ok(Made {
            claim: attempt.draft_claim()?,
            stdout: output(attempt.stdout())?,
            stderr: output(attempt.stderr())?,
        })
    }
}

impl Spare {
    /// Makes one; nothing where the disk does not take it, since nobody has asked for it.
    pub(super) fn make(pattern: Pattern) -> Option<Spare> {
        // No node has such a name.
        let folder = pattern
            .job_folder
            .join(format!(".spare-{}", std::process::id()));
        let attempt = Attempt::new(folder.join(FIRST));
        let make = || -> io::Result<Made> {
            fs::create_dir(&folder)?;
            fs::create_dir(attempt.folder())?;
            fs::write(attempt.action_xml(), &pattern.text)?;
            Made::beside(&attempt)
        };
        match make() {
            // Where a file system has no nameless files the claim's name would be another by then.
            Ok(made) if made.claim.is_nameless() => Some(Spare {
                pattern,
                folder,
                made,
            }),
            Ok(_) | Err(_) => {
                let _ = fs::remove_dir_all(&folder);
                None
            }
        }
    }

    /// Makes it the folder that is asked for; gives it back where it is not such a one, or the node has one already.
    pub(super) fn take(self, request: &StartRequest) -> Result<Made, Spare> {
        let Some(wanted) = Pattern::of(request) else {
            return Err(self);
        };
        let attempt = Attempt::new(&request.attempt);
        let node = attempt.folder().parent();
        if wanted.job_folder != self.pattern.job_folder
            || node.is_none_or(|node| {
                renameat_with(CWD, &self.folder, CWD, node, RenameFlags::NOREPLACE).is_err()
            })
        {
            return Err(self);
        }
        if wanted.text == self.pattern.text || fs::write(attempt.action_xml(), wanted.text).is_ok()
        {
            return Ok(self.made);
        }
        // As if it had not been taken: what is wrong with the disk is told of where it is made anew.
        let _ = node.map(fs::remove_dir_all);
        Err(self)
    }

    /// Removes it.
    pub(super) fn discard(self) {
        // What stays behind goes with the job.
        let _ = fs::remove_dir_all(self.folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::launcher::attempt::Found;

    fn request(job: &Path, attempt: &str, text: Option<&str>) -> StartRequest {
        StartRequest {
            attempt: job.join(attempt).display().to_string(),
            program: "/bin/true".to_owned(),
            argv: Vec::new(),
            env: Vec::new(),
            action_xml: text.map(str::to_owned),
            limit: None,
        }
    }

    fn spare(job: &Path, text: &str) -> Spare {
        let pattern = Pattern::of(&request(job, "first/1", Some(text))).expect("a first attempt");
        Spare::make(pattern).expect("room on the disk")
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn it_becomes_the_folder_of_any_first_attempt() {
        let job = tempfile::tempdir().unwrap();
        for (node, text) in [("same", "<a/>"), ("other", "<b/>")] {
            let made = spare(job.path(), "<a/>");
            let request = request(job.path(), &format!("{node}/1"), Some(text));
            let made = made.take(&request).expect("taken");
            let attempt = Attempt::new(&request.attempt);
            assert_eq!(names(&job.path().join(node)), ["1", "1.err", "1.out"]);
            assert_eq!(fs::read_to_string(attempt.action_xml()).unwrap(), text);
            assert_eq!(attempt.inspect().unwrap(), Found::Unclaimed);
            let claim = made.claim.appear(&attempt).unwrap();
            assert!(claim.is_some());
            assert_eq!(attempt.inspect().unwrap(), Found::Running);
        }
        assert_eq!(names(job.path()), ["other", "same"]);
    }

    #[test]
    fn what_is_no_first_attempt_leaves_it_as_it_is() {
        let job = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        fs::create_dir(job.path().join("known")).unwrap();
        let mut spare = spare(job.path(), "<a/>");
        for request in [
            request(job.path(), "act/2", Some("<a/>")),
            request(job.path(), "act/1", None),
            request(elsewhere.path(), "act/1", Some("<a/>")),
            request(job.path(), "known/1", Some("<a/>")),
        ] {
            spare = spare.take(&request).expect_err("not its folder");
            assert!(!Path::new(&request.attempt).exists());
        }
        spare.discard();
        assert_eq!(names(job.path()), ["known"]);
    }

    #[test]
    fn a_disk_that_refuses_leaves_nothing_behind() {
        let job = tempfile::tempdir().unwrap();
        let gone = job.path().join("gone");
        let pattern = Pattern::of(&request(&gone, "act/1", Some(""))).unwrap();
        assert!(Spare::make(pattern).is_none());
        assert_eq!(names(job.path()), [""; 0]);
    }
}
