//! Removes unused copies of executables and unpacked applications.

use std::collections::BTreeSet;

use hpdlc_engine::{control::coordinator_request::CoordinatorRequest, registry::kept};
use hpdlc_host::{exit::RunError, home::names_in};
use hpdlc_store::{WriteLock, definitions, sql::Connection};

use super::{PurgeWork, orphans::is_older};

/// Age in milliseconds from which a temporary file in these folders is a leftover: creating one never takes an hour.
const UNFINISHED: i64 = 3_600_000;

impl PurgeWork<'_> {
    pub(super) fn remove_copies(&mut self, connection: &Connection) -> Result<(), RunError> {
        let session = self.session;
        let describe = |error| session.describe(error);
        let home = &session.home;
        let folders = [home.bin(), home.apps(), home.sums()];
        let mut removed = Vec::new();
        // A process that creates a job checks within a transaction that the copy of its executable exists, so none is created meanwhile.
        // Unused copies are renamed in the transaction, and removed afterwards.
        let write_lock = (!self.dry_run).then(|| session.write_lock());
        let write_lock = write_lock.as_ref().map(WriteLock::wait);
        let transaction = connection.transaction().map_err(describe)?;
        let used = definitions::used(&transaction, &self.gone, CoordinatorRequest::definition)
            .map_err(describe)?;
        let mut unused: BTreeSet<String> = BTreeSet::new();
        for folder in &folders {
            let names = names_in(folder).into_iter();
            unused.extend(names.filter(|name| !name.starts_with('.') && !used.contains(name)));
        }
        for hash in unused {
            self.n_executables += usize::from(home.bin().join(&hash).exists());
            if self.dry_run {
                for folder in &folders {
                    self.remove(&folder.join(&hash))?;
                }
            } else {
                removed.extend(kept::set_aside(home, &hash)?);
                definitions::forget(&transaction, &hash).map_err(describe)?;
            }
        }
        transaction.commit().map_err(describe)?;
        drop(write_lock);
        for path in removed {
            self.remove(&path)?;
        }
        // Temporary files of processes that died.
        let before = self
            .before
            .min(hpdlc_host::clock::now_millis() - UNFINISHED);
        for folder in &folders {
            for name in names_in(folder).iter().filter(|name| name.starts_with('.')) {
                let path = folder.join(name);
                if is_older(&path, before) {
                    self.remove(&path)?;
                }
            }
        }
        Ok(())
    }
}
