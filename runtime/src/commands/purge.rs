//! `purge`: old jobs and their files go.
//!
//! Whole trees only, and only such as have ended and that nobody owns; each in a transaction of its own, so that running
//! jobs wait for none of it for long.

use std::{collections::BTreeSet, fs, io, path::Path, sync::atomic::AtomicBool, time::Duration};

use clap::Args;
use rusqlite::Connection;

use crate::{
    clock,
    commands::{print, say},
    exit::{Exit, RunError},
    files::remove::{RemoveError, remove_tree},
    owner::Session,
    store::purge as rows,
};

mod size;

pub(super) use self::size::format_size;
use self::size::{size_of, writable};

#[derive(Debug, Args)]
pub(super) struct Purge {
    /// Jobs that ended longer ago than this go: 30d, 12h, 90m, 2w
    #[arg(long, value_name = "AGE", value_parser = parse_age)]
    older_than: Duration,
    /// Only say what would go
    #[arg(long)]
    dry_run: bool,
}

/// What has gone, or would go.
#[derive(Debug, Default)]
struct Freed {
    n_trees: usize,
    n_jobs: usize,
    n_folders: usize,
    n_executables: usize,
    bytes: u64,
}

impl Purge {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        let age = i64::try_from(self.older_than.as_millis()).unwrap_or(i64::MAX);
        let before = clock::now_millis().saturating_sub(age);
        let mut connection = session.store()?;
        let mut freed = Freed::default();
        let roots =
            rows::ended_trees(&connection, before).map_err(|error| session.describe(error))?;
        for root in roots {
            self.purge_tree(session, &mut connection, &root, before, &mut freed)?;
        }
        self.remove_orphans(session, &connection, before, &mut freed)?;
        self.remove_executables(session, &mut connection, &mut freed)?;
        self.tell(&freed)
    }

    /// One tree: its rows first, so that nothing is left of it that lacks its files.
    fn purge_tree(
        &self,
        session: &Session,
        connection: &mut Connection,
        root: &str,
        before: i64,
        freed: &mut Freed,
    ) -> Result<(), RunError> {
        // Held while it goes: nobody can take up the job, for a rerun say.
        let Some(_lock) = session.hold(root)? else {
            return Ok(());
        };
        let describe = |error| session.describe(error);
        let transaction = connection.transaction().map_err(describe)?;
        let ids = rows::tree_if_ended(&transaction, root, before).map_err(describe)?;
        if ids.is_empty() {
            return Ok(());
        }
        if self.dry_run {
            print(&format!("{root}\n"))?;
        } else {
            rows::delete_tree(&transaction, root).map_err(describe)?;
            transaction.commit().map_err(describe)?;
        }
        for id in &ids {
            self.remove(&session.home.work().join(id), freed)?;
        }
        self.remove_locks(session, root)?;
        freed.n_trees += 1;
        freed.n_jobs += ids.len();
        Ok(())
    }

    /// What a purge or a job's creation has left that was cut short: work folders and locks of no job.
    fn remove_orphans(
        &self,
        session: &Session,
        connection: &Connection,
        before: i64,
        freed: &mut Freed,
    ) -> Result<(), RunError> {
        let known = rows::job_ids(connection).map_err(|error| session.describe(error))?;
        for name in names_in(&session.home.work()) {
            let folder = session.home.work().join(&name);
            if known.contains(&name) || !is_older(&folder, before) {
                continue;
            }
            // A job's folder is there before the job is in the store; then its maker holds the lock.
            let Some(_lock) = session.hold(&name)? else {
                continue;
            };
            let is_job =
                rows::is_job(connection, &name).map_err(|error| session.describe(error))?;
            if !is_job {
                self.remove(&folder, freed)?;
                freed.n_folders += 1;
            }
            self.remove_locks(session, &name)?;
        }
        for name in names_in(&session.home.locks()) {
            let id = name.split('.').next().unwrap_or(&name);
            let path = session.home.locks().join(&name);
            if !["-W", "-C", "-B"].iter().any(|kind| id.ends_with(kind))
                || known.contains(id)
                || !is_older(&path, before)
            {
                continue;
            }
            if let Some(_lock) = session.hold(id)?
                && !rows::is_job(connection, id).map_err(|error| session.describe(error))?
            {
                self.remove_locks(session, id)?;
            }
        }
        Ok(())
    }

    /// Executables and unpacked files that no job uses any more, and that nobody has registered.
    fn remove_executables(
        &self,
        session: &Session,
        connection: &mut Connection,
        freed: &mut Freed,
    ) -> Result<(), RunError> {
        let describe = |error| session.describe(error);
        // Whoever makes a job keeps its executable in a transaction: none is made meanwhile.
        let transaction = connection.transaction().map_err(describe)?;
        let used = rows::used_definitions(&transaction).map_err(describe)?;
        let mut unused: BTreeSet<String> = BTreeSet::new();
        for folder in [session.home.bin(), session.home.apps()] {
            unused.extend(
                names_in(&folder)
                    .into_iter()
                    .filter(|name| !name.starts_with('.') && !used.contains(name)),
            );
        }
        for hash in unused {
            let copy = session.home.bin().join(&hash);
            freed.n_executables += usize::from(copy.exists());
            self.remove(&copy, freed)?;
            self.remove(&session.home.apps().join(&hash), freed)?;
            if !self.dry_run {
                rows::forget_definition(&transaction, &hash).map_err(describe)?;
            }
        }
        transaction.commit().map_err(describe)
    }

    fn remove(&self, path: &Path, freed: &mut Freed) -> Result<(), RunError> {
        let size = size_of(path);
        if !self.dry_run {
            // Actions may have left folders that not even their owner can write.
            writable(path);
            remove_tree(path, &AtomicBool::new(false)).map_err(|error| match error {
                RemoveError::Io { path, error } => RunError::machine(format!(
                    "cannot remove {}: {error}",
                    path.display()
                ))
                .with_help(
                    "the jobs that are gone are gone; once it can be removed, `purge` again",
                ),
                RemoveError::Canceled => RunError::machine("removing was stopped"),
            })?;
        }
        freed.bytes += size;
        Ok(())
    }

    fn remove_locks(&self, session: &Session, id: &str) -> Result<(), RunError> {
        if self.dry_run {
            return Ok(());
        }
        // Whatever stands beside the lock: `ID`, `ID.requests`, ...
        let of_job = |name: &String| name.split('.').next() == Some(id);
        for name in names_in(&session.home.locks()).into_iter().filter(of_job) {
            let path = session.home.locks().join(name);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(RunError::machine(format!(
                        "cannot remove {}: {error}",
                        path.display()
                    )));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn tell(&self, freed: &Freed) -> Result<Exit, RunError> {
        let n_children = freed.n_jobs - freed.n_trees;
        let what = if self.dry_run { "would free" } else { "freed" };
        let mut parts = vec![count(freed.n_trees, "job", "jobs")];
        if n_children > 0 {
            parts.push(count(
                n_children,
                "job of sub-workflows",
                "jobs of sub-workflows",
            ));
        }
        if freed.n_folders > 0 {
            parts.push(count(
                freed.n_folders,
                "folder of no job",
                "folders of no job",
            ));
        }
        if freed.n_executables > 0 {
            parts.push(count(freed.n_executables, "executable", "executables"));
        }
        say(&format!(
            "{what} {}: {} of files; the room in the store is used again",
            parts.join(", "),
            format_size(freed.bytes)
        ));
        Ok(Exit::Success)
    }
}

fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// `30d`, `12h`, `90m`, `45s`, `2w`.
fn parse_age(text: &str) -> Result<Duration, String> {
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
        .ok_or_else(|| "longer than anything lasts".to_owned())
}

fn is_older(path: &Path, before: i64) -> bool {
    let Ok(modified) = fs::symlink_metadata(path).and_then(|metadata| metadata.modified()) else {
        return false;
    };
    let millis = modified
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |since| {
            i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
        });
    millis < before
}

/// The names in a folder, in their order; none where there is no folder.
fn names_in(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
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
