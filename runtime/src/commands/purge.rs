//! `purge`: removes old jobs and their files.
//!
//! Only whole trees that have ended and have no owner; in batches of one transaction each, so that running jobs
//! are not blocked for long. Nothing is listed or scanned per tree.

use std::{collections::BTreeSet, path::Path, sync::atomic::AtomicBool, time::Duration};

use clap::Args;
use hpdlc_engine::owner::Session;
use hpdlc_files::remove::{RemoveError, remove_tree};
use hpdlc_host::{
    clock,
    exit::{Exit, RunError},
};
use hpdlc_store::{audit, purge as rows};

use crate::commands::{say, steps::Steps};

mod copies;
mod orphans;
mod size;
mod trees;

pub(super) use self::size::format_size;
use self::size::{size_of, writable};

#[derive(Debug, Args)]
pub struct Purge {
    /// Remove jobs that ended longer ago than this: 30d, 12h, 90m, 2w
    #[arg(long, value_name = "AGE", value_parser = parse_age)]
    older_than: Duration,
    /// Only print what would be removed
    #[arg(long)]
    dry_run: bool,
}

/// The state of a purge: its options, and what was removed or would be.
struct PurgeWork<'s> {
    session: &'s Session,
    dry_run: bool,
    /// Milliseconds since 1970: what ended, or was last modified, before this is removed.
    before: i64,
    /// The roots of trees that were removed from the store, or would be.
    gone: BTreeSet<String>,
    n_jobs: usize,
    n_folders: usize,
    n_executables: usize,
    n_audited: usize,
    bytes: u64,
}

impl Purge {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        let age = i64::try_from(self.older_than.as_millis()).unwrap_or(i64::MAX);
        let mut work = PurgeWork {
            session,
            dry_run: self.dry_run,
            before: clock::now_millis().saturating_sub(age),
            gone: BTreeSet::new(),
            n_jobs: 0,
            n_folders: 0,
            n_executables: 0,
            n_audited: 0,
            bytes: 0,
        };
        let connection = session.store()?;
        work.remove_trees(&connection)?;
        work.remove_orphans(&connection)?;
        work.remove_copies(&connection)?;
        if !self.dry_run {
            work.n_audited =
                audit::purge(&connection, work.before).map_err(|error| session.describe(error))?;
        }
        work.tell();
        Ok(Exit::Success)
    }
}

impl PurgeWork<'_> {
    fn describe(&self, error: hpdlc_store::sql::Error) -> RunError {
        self.session.describe(error)
    }

    /// Removes a file or folder recursively; in a dry run only counts it.
    fn remove(&mut self, path: &Path) -> Result<(), RunError> {
        let size = size_of(path);
        if !self.dry_run {
            // Actions may have left folders without write permission for their owner.
            writable(path);
            remove_tree(path, &AtomicBool::new(false)).map_err(|error| match error {
                RemoveError::Io { path, error } => RunError::machine(format!(
                    "cannot remove {}: {error}",
                    path.display()
                ))
                .with_help(
                    "jobs that are no longer listed were removed; correct the problem and run `purge` again",
                ),
                RemoveError::Canceled => RunError::machine("the removal was canceled"),
            })?;
        }
        self.bytes += size;
        Ok(())
    }

    fn tell(&self) {
        let n_trees = self.gone.len();
        let n_children = self.n_jobs.saturating_sub(n_trees);
        let what = if self.dry_run { "would free" } else { "freed" };
        let mut parts = vec![count(n_trees, "job", "jobs")];
        if n_children > 0 {
            parts.push(count(
                n_children,
                "job of sub-workflows",
                "jobs of sub-workflows",
            ));
        }
        if self.n_folders > 0 {
            parts.push(count(
                self.n_folders,
                "folder without a job",
                "folders without a job",
            ));
        }
        if self.n_executables > 0 {
            parts.push(count(self.n_executables, "executable", "executables"));
        }
        if self.n_audited > 0 {
            parts.push(count(
                self.n_audited,
                "entry of the audit",
                "entries of the audit",
            ));
        }
        say(&format!(
            "{what} {}: {} of files; the {} keeps its size, and its free space is reused",
            parts.join(", "),
            format_size(self.bytes),
            match self.session.home.store_location().is_file() {
                true => "store file",
                false => "database",
            }
        ));
    }
}

fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// `30d`, `12h`, `90m`, `45s`, `2w`.
///
/// # Errors
///
/// What was expected, if it is no such age.
pub fn parse_age(text: &str) -> Result<Duration, String> {
    let problem = || "expected a number and one of s, m, h, d, w, such as 30d".to_owned();
    let text = text.trim();
    let unit = text.chars().last().ok_or_else(problem)?;
    let seconds: u64 = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3_600,
        'd' => 86_400,
        'w' => 604_800,
        _ => return Err(problem()),
    };
    let number: u64 = text[..text.len() - unit.len_utf8()]
        .trim()
        .parse()
        .map_err(|_| problem())?;
    number
        .checked_mul(seconds)
        .map(Duration::from_secs)
        .ok_or_else(|| "too long".to_owned())
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod ages {
    use super::*;

    #[test]
    fn ages_are_numbers_with_a_unit() {
        let seconds = |text: &str| parse_age(text).map(|age| age.as_secs()).ok();
        let given = ["30d", "12h", "90m", "45s", "2w", "0s", " 1 d "].map(seconds);
        let expected = [2_592_000, 43_200, 5_400, 45, 1_209_600, 0, 86_400].map(Some);
        assert_eq!(given, expected);
        for refused in [
            "",
            "d",
            "30",
            "-1d",
            "1.5h",
            "1y",
            "99999999999999999999w",
            "1é",
        ] {
            assert_eq!(seconds(refused), None, "{refused}");
        }
    }
}
