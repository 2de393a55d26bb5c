//! Removes leftovers of interrupted purges and job creations: work folders and locks without a job.

use std::{collections::BTreeMap, fs, path::Path};

use hpdlc_host::{exit::RunError, home::names_in};
use hpdlc_store::sql::Connection;

use super::{PurgeWork, rows, trees::remove_file};

impl PurgeWork<'_> {
    pub(super) fn remove_orphans(&mut self, connection: &Connection) -> Result<(), RunError> {
        let known = rows::job_ids(connection).map_err(|error| self.describe(error))?;
        let home = self.session.home.clone();
        for name in names_in(&home.work()) {
            let folder = home.work().join(&name);
            if known.contains(&name) || !is_older(&folder, self.before) {
                continue;
            }
            // A job's folder is created before its row in the store; meanwhile its creator holds the lock.
            let Some(_locks) = self.hold(&name)? else {
                continue;
            };
            if !self.is_job(connection, &name)? {
                self.remove(&folder)?;
                self.n_folders += 1;
                self.remove_locks(&name)?;
            }
        }
        // All files whose name starts with the id of a job: `ID`, `ID.requests`, and those of other versions.
        let mut locks: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for name in names_in(&home.locks()) {
            let id = name.split('.').next().unwrap_or(&name).to_owned();
            let is_id = ["-W", "-C", "-B"].iter().any(|kind| id.ends_with(kind));
            if is_id && !known.contains(&id) {
                locks.entry(id).or_default().push(name);
            }
        }
        for (id, names) in locks {
            let paths: Vec<_> = names.iter().map(|name| home.locks().join(name)).collect();
            if self.dry_run || !paths.iter().all(|path| is_older(path, self.before)) {
                continue;
            }
            let Some(_locks) = self.hold(&id)? else {
                continue;
            };
            if !self.is_job(connection, &id)? {
                paths.iter().try_for_each(|path| remove_file(path))?;
                self.remove_locks(&id)?;
            }
        }
        Ok(())
    }

    /// Checked again while holding the lock.
    fn is_job(&self, connection: &Connection, id: &str) -> Result<bool, RunError> {
        rows::is_job(connection, id).map_err(|error| self.describe(error))
    }
}

pub(super) fn is_older(path: &Path, before: i64) -> bool {
    let Ok(modified) = fs::symlink_metadata(path).and_then(|metadata| metadata.modified()) else {
        return false;
    };
    chrono::DateTime::<chrono::Utc>::from(modified).timestamp_millis() < before
}
