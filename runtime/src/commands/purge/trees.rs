//! Removes trees of jobs that have ended.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io,
    path::Path,
    sync::Arc,
};

use hpdlc_host::{exit::RunError, home::lock};
use hpdlc_store::{WriteLock, purge::EndedTree, sql::Connection};

use super::{PurgeWork, Steps, rows};
use crate::commands::print;

/// Trees per transaction: each has a handful of files open meanwhile.
const AT_ONCE: usize = 50;

/// Locks that keep other processes from a tree while it is removed. Empty in a dry run.
type Locks = Vec<Arc<File>>;

impl PurgeWork<'_> {
    pub(super) fn remove_trees(&mut self, connection: &Connection) -> Result<(), RunError> {
        let trees =
            rows::ended_trees(connection, self.before).map_err(|error| self.describe(error))?;
        let steps = Steps::new("purge: jobs", trees.len());
        let mut kept = BTreeSet::new();
        for (n, some) in trees.chunks(AT_ONCE).enumerate() {
            self.remove_some(connection, some, &mut kept)?;
            steps.at((n + 1) * AT_ONCE);
        }
        Ok(())
    }

    /// Rows are deleted first, so that no job without its files remains.
    fn remove_some(
        &mut self,
        connection: &Connection,
        trees: &[EndedTree],
        kept: &mut BTreeSet<String>,
    ) -> Result<(), RunError> {
        let mut held = Vec::with_capacity(trees.len());
        for tree in trees {
            match self.hold(&tree.root)? {
                Some(locks) => held.push((tree, locks)),
                None => {
                    kept.insert(tree.root.clone());
                }
            }
        }
        let describe = |error| self.session.describe(error);
        let write_lock = (!self.dry_run).then(|| self.session.write_lock());
        let write_lock = write_lock.as_ref().map(WriteLock::wait);
        let transaction = connection.transaction().map_err(describe)?;
        let mut gone = Vec::with_capacity(held.len());
        for (tree, locks) in held {
            let stays = tree
                .starter
                .as_ref()
                .is_some_and(|starter| kept.contains(starter));
            let ids = if stays {
                Vec::new()
            } else {
                rows::tree_if_ended(&transaction, &tree.root, self.before).map_err(describe)?
            };
            if ids.is_empty() {
                kept.insert(tree.root.clone());
                continue;
            }
            if !self.dry_run {
                rows::delete_tree(&transaction, &tree.root).map_err(describe)?;
            }
            gone.push((tree, ids, locks));
        }
        if self.dry_run {
            drop(transaction);
        } else {
            transaction.commit().map_err(describe)?;
        }
        drop(write_lock);
        for (tree, ids, locks) in gone {
            if self.dry_run {
                print(&format!("{}\n", tree.root))?;
            }
            for id in &ids {
                let folder = self.session.home.work().join(id);
                self.remove(&folder)?;
            }
            self.remove_locks(&tree.root)?;
            drop(locks);
            self.n_jobs += ids.len();
            self.gone.insert(tree.root.clone());
        }
        Ok(())
    }

    /// Locks a tree against new owners, for example of a rerun, and against senders of notifications; `None` if a process holds a lock.
    /// A dry run creates no lock files.
    pub(super) fn hold(&self, root: &str) -> Result<Option<Locks>, RunError> {
        let home = &self.session.home;
        let others = [home.pending_requests(root), home.post_lock(root)];
        if self.dry_run {
            let is_held =
                self.session.has_owner(root) || others.iter().any(|path| lock::is_held(path));
            return Ok((!is_held).then(Vec::new));
        }
        let Some(owner) = self.session.hold(root)? else {
            return Ok(None);
        };
        let mut locks = vec![owner];
        for path in others.iter().filter(|path| path.exists()) {
            match lock::take(path)? {
                Some(file) => locks.push(Arc::new(file)),
                None => return Ok(None),
            }
        }
        Ok(Some(locks))
    }

    /// Removes the lock files that [`PurgeWork::hold`] has locked, and the others of the tree.
    pub(super) fn remove_locks(&self, root: &str) -> Result<(), RunError> {
        if self.dry_run {
            return Ok(());
        }
        let files = self.session.home.lock_files(root);
        files.iter().try_for_each(|path| remove_file(path))
    }
}

pub(super) fn remove_file(path: &Path) -> Result<(), RunError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(RunError::machine(format!(
            "cannot remove {}: {error}",
            path.display()
        ))),
        Ok(()) | Err(_) => Ok(()),
    }
}
