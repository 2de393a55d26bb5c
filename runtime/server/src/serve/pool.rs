//! Connections to the store that requests leave for later ones: opening one takes as long as most requests.

use std::{
    fs,
    ops::Deref,
    os::unix::fs::MetadataExt,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use hpdlc_engine::owner::Session;
use hpdlc_host::exit::RunError;
use hpdlc_store::sql::Connection;

/// How many are kept: each has half a megabyte of the store in memory.
const MOST_KEPT: usize = 4;

/// Kept connections, each with the file that it is to.
#[derive(Debug)]
pub(crate) struct Pool {
    /// The file of the store, if it is in one.
    path: Option<PathBuf>,
    kept: Mutex<Vec<(Connection, FileId)>>,
}

/// Device and inode: another file may be put in the place of the store.
type FileId = (u64, u64);

/// A connection of one request.
#[derive(Debug)]
pub(crate) struct Pooled {
    /// There until it is given back.
    connection: Option<(Connection, FileId)>,
    pool: Arc<Pool>,
}

impl Pool {
    pub(crate) fn new(session: &Session) -> Arc<Pool> {
        Arc::new(Pool {
            path: session
                .home
                .store_location()
                .is_file()
                .then(|| session.home.store()),
            kept: Mutex::new(Vec::new()),
        })
    }

    fn file(&self) -> Option<FileId> {
        let Some(path) = &self.path else {
            // A server is always the same.
            return Some(FileId::default());
        };
        let metadata = fs::metadata(path).ok()?;
        Some((metadata.dev(), metadata.ino()))
    }

    /// # Errors
    ///
    /// As of [`Session::store`].
    pub(crate) fn take(self: &Arc<Pool>, session: &Session) -> Result<Pooled, RunError> {
        let now = self.file();
        let kept = {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.retain(|(_, file)| Some(*file) == now);
            kept.pop()
        };
        let connection = match kept {
            Some(kept) => kept,
            // A file that is replaced meanwhile is noticed by the next request.
            None => {
                let connection = session.store()?;
                (connection, now.or_else(|| self.file()).unwrap_or_default())
            }
        };
        Ok(Pooled {
            connection: Some(connection),
            pool: Arc::clone(self),
        })
    }
}

impl Drop for Pooled {
    fn drop(&mut self) {
        let Some((connection, file)) = self.connection.take() else {
            return;
        };
        // What a panic has left open ends with the connection.
        if !connection.is_autocommit() {
            return;
        }
        let mut kept = self
            .pool
            .kept
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if kept.len() < MOST_KEPT {
            kept.push((connection, file));
        }
    }
}

impl Deref for Pooled {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        let (connection, _) = self
            .connection
            .as_ref()
            .expect("it is there until it is dropped");
        connection
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serve::tests::TestServer;

    #[test]
    fn connections_are_kept_until_the_store_is_another_file() {
        let server = TestServer::new();
        let session = &server.session;
        let pool = Pool::new(session);
        let n_kept = || pool.kept.lock().unwrap().len();
        let all: Vec<Pooled> = (0..MOST_KEPT + 2)
            .map(|_| pool.take(session).unwrap())
            .collect();
        assert_eq!(n_kept(), 0);
        drop(all);
        assert_eq!(n_kept(), MOST_KEPT);
        let open = pool.take(session).unwrap();
        open.execute_batch("BEGIN").unwrap();
        drop(open);
        assert_eq!(n_kept(), MOST_KEPT - 1);
        let path = session.home.store();
        let aside = path.with_extension("aside");
        fs::copy(&path, &aside).unwrap();
        fs::rename(&aside, &path).unwrap();
        drop(pool.take(session).unwrap());
        assert_eq!(n_kept(), 1);
    }
}
