//! Object stores: `s3a://` (also `s3`, `s3n`), `gs://`, and `abfs://` (also `abfss`, `wasb`, `wasbs`), by crate `object_store`.
//!
//! A store has named objects, and no folders: a folder exists while there is an object below it. So creating one does nothing, an
//! emptied folder no longer exists, a rename copies every object and then removes the old ones, and there are no permissions,
//! groups, replication or trash. Credentials come from Hadoop's properties or, if those have none, from the environment as in the
//! stores' own tools.

use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use object_store::{ObjectStore, ObjectStoreExt, path::Path as Key};

use crate::{
    error::Fault,
    hosts::{self, ClientKey, Clients, Hosts},
    remove::RemoveError,
    system::{DirEntry, EntryStatus, FileGroup, FileSystem, PART, next_part},
};

mod builders;

/// One bucket or container.
pub struct Objects<'a> {
    hosts: Hosts<'a>,
    store: Arc<dyn ObjectStore>,
    scheme: String,
    name: String,
}

static CLIENTS: Clients<Arc<dyn ObjectStore>> = Clients::new();

impl<'a> Objects<'a> {
    /// A client for `scheme://authority`. It does not connect yet.
    ///
    /// # Errors
    ///
    /// If no client can be created from the properties.
    pub fn open(hosts: Hosts<'a>, scheme: &str, authority: &str) -> io::Result<Objects<'a>> {
        let name = format!("{scheme}://{authority}");
        let key = ClientKey {
            uri: name.clone(),
            user: String::new(),
            properties: hosts.properties()?,
        };
        let store = CLIENTS.get(&key, || {
            hosts::install_tls();
            builders::store(scheme, authority, &key.properties)
        })?;
        Ok(Objects {
            hosts,
            store,
            scheme: scheme.to_owned(),
            name,
        })
    }

    fn call<T: Send + 'static, F>(
        &self,
        call: impl FnOnce(Arc<dyn ObjectStore>) -> F + Send + 'static,
    ) -> io::Result<T>
    where
        F: Future<Output = object_store::Result<T>> + Send,
    {
        let store = Arc::clone(&self.store);
        self.hosts
            .wait(async move { call(store).await.map_err(converted) })
            .map_err(|error| Fault::at(&self.name, error))
    }

    fn unsupported(&self, operation: &str) -> io::Error {
        Fault::unsupported(&self.scheme, operation)
    }

    /// The names of all objects below a folder, with one request per page.
    fn below(&self, folder: &Key) -> io::Result<Vec<Key>> {
        let folder = folder.clone();
        self.call(move |store| async move {
            let mut found = Vec::new();
            let mut folders = vec![folder];
            while let Some(folder) = folders.pop() {
                let listed = store.list_with_delimiter(Some(&folder)).await?;
                found.extend(listed.objects.into_iter().map(|object| object.location));
                folders.extend(listed.common_prefixes);
            }
            Ok(found)
        })
    }

    /// The object with that name, and those below it.
    fn all(&self, path: &Path) -> io::Result<Vec<Key>> {
        let own = key(path)?;
        let mut all = self.below(&own)?;
        if !own.as_ref().is_empty() && self.object(&own)?.is_some() {
            all.push(own);
        }
        Ok(all)
    }

    fn object(&self, key: &Key) -> io::Result<Option<u64>> {
        let key = key.clone();
        let found = self.call(move |store| async move { store.head(&key).await });
        match found {
            Ok(object) => Ok(Some(object.size)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// The object name of a path.
fn key(path: &Path) -> io::Result<Key> {
    let invalid = |message: String| io::Error::new(io::ErrorKind::InvalidInput, message);
    let text = path
        .to_str()
        .ok_or_else(|| invalid(format!("{} is not valid UTF-8", path.display())))?;
    Key::parse(text.trim_start_matches('/')).map_err(|error| invalid(error.to_string()))
}

fn converted(error: object_store::Error) -> io::Error {
    use object_store::Error;

    let message = error.to_string();
    let kind = match error {
        Error::NotFound { .. } => io::ErrorKind::NotFound,
        Error::AlreadyExists { .. } | Error::Precondition { .. } => io::ErrorKind::AlreadyExists,
        Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => {
            io::ErrorKind::PermissionDenied
        }
        Error::InvalidPath { .. } => io::ErrorKind::InvalidInput,
        Error::NotSupported { .. } | Error::NotImplemented { .. } => {
            return Fault::Unsupported.error(message);
        }
        // The client has already retried for a while: no response, or server errors.
        _ => return Fault::Interrupted.error(message),
    };
    io::Error::new(kind, message)
}

fn length(size: u64) -> i64 {
    i64::try_from(size).unwrap_or(i64::MAX)
}

impl FileSystem for Objects<'_> {
    fn name(&self) -> &str {
        &self.name
    }

    fn status(&self, path: &Path) -> io::Result<Option<EntryStatus>> {
        let key = key(path)?;
        let status = |is_folder, length| EntryStatus {
            is_folder,
            is_link: false,
            length,
            // Stores have no blocks; a file is one block.
            block_size: length,
            mode: None,
            group: None,
            modified: None,
        };
        if !key.as_ref().is_empty()
            && let Some(size) = self.object(&key)?
        {
            return Ok(Some(status(false, length(size))));
        }
        let is_root = key.as_ref().is_empty();
        let listed =
            self.call(move |store| async move { store.list_with_delimiter(Some(&key)).await })?;
        let is_folder =
            is_root || !(listed.objects.is_empty() && listed.common_prefixes.is_empty());
        Ok(is_folder.then(|| status(true, 0)))
    }

    fn list(&self, folder: &Path) -> io::Result<Option<Vec<DirEntry>>> {
        let key = key(folder)?;
        let is_root = key.as_ref().is_empty();
        let listed =
            self.call(move |store| async move { store.list_with_delimiter(Some(&key)).await })?;
        let name = |key: &Key| key.filename().unwrap_or_default().into();
        let files = listed.objects.iter().map(|object| DirEntry {
            name: name(&object.location),
            is_folder: false,
            is_link: false,
            length: Some(length(object.size)),
        });
        let folders = listed.common_prefixes.iter().map(|prefix| DirEntry {
            name: name(prefix),
            is_folder: true,
            is_link: false,
            length: Some(0),
        });
        let entries: Vec<DirEntry> = files.chain(folders).collect();
        Ok((is_root || !entries.is_empty()).then_some(entries))
    }

    fn make_folders(&self, _path: &Path) -> io::Result<()> {
        // A folder is created with the first object in it.
        Ok(())
    }

    fn rename(&self, from: &Path, to: &Path, is_redo: bool) -> io::Result<()> {
        if !is_redo && self.status(to)?.is_some() {
            return Err(io::Error::from(io::ErrorKind::AlreadyExists));
        }
        let (old, new) = (key(from)?, key(to)?);
        let moved = self.all(from)?;
        if moved.is_empty() {
            return Err(io::Error::from(io::ErrorKind::NotFound));
        }
        // All copies come before the first removal: if it is interrupted, nothing is lost.
        for source in &moved {
            let rest = source
                .as_ref()
                .strip_prefix(old.as_ref())
                .unwrap_or_default();
            let target = Key::parse(format!("{new}{rest}")).map_err(io::Error::other)?;
            let source = source.clone();
            self.call(move |store| async move { store.copy(&source, &target).await })?;
        }
        self.remove_all(moved)
    }

    fn remove(&self, path: &Path) -> Result<(), RemoveError> {
        self.all(path)
            .and_then(|objects| self.remove_all(objects))
            .map_err(|error| RemoveError::of(path, error))
    }

    fn set_permission(&self, _path: &Path, _mode: u32) -> io::Result<()> {
        Err(self.unsupported("have permissions"))
    }

    fn group(&self, _name: &str) -> io::Result<FileGroup> {
        Err(self.unsupported("have groups"))
    }

    fn set_group(&self, _path: &Path, _group: &FileGroup, _is_link: bool) -> io::Result<()> {
        Err(self.unsupported("have groups"))
    }

    fn set_replication(&self, _path: &Path, _factor: i16) -> io::Result<()> {
        Err(self.unsupported("have a number of copies"))
    }

    fn touch(&self, path: &Path) -> io::Result<()> {
        let key = key(path)?;
        self.call(move |store| async move { store.put(&key, Vec::new().into()).await })
            .map(drop)
    }

    fn read_part(&self, path: &Path, from: u64, length: u64) -> io::Result<Vec<u8>> {
        let key = key(path)?;
        self.call(move |store| async move {
            let object = store.get(&key).await?;
            let size = object.meta.size;
            let bytes = if from == 0 && size <= length {
                object.bytes().await?
            } else if from >= size {
                return Ok(Vec::new());
            } else {
                let end = from.saturating_add(length).min(size);
                store.get_range(&key, from..end).await?
            };
            Ok(bytes.to_vec())
        })
    }

    fn put(&self, from: &Path, to: &Path) -> io::Result<()> {
        let key = key(to)?;
        let mut file = File::open(from)?;
        if file.metadata()?.len() <= PART {
            let bytes = next_part(&mut file, PART)?;
            return self
                .call(move |store| async move { store.put(&key, bytes.into()).await })
                .map(drop);
        }
        let mut upload = self.call(move |store| async move { store.put_multipart(&key).await })?;
        loop {
            let part = next_part(&mut file, PART)?;
            if part.is_empty() {
                break;
            }
            upload = self.call(move |_| async move {
                upload.put_part(part.into()).await?;
                Ok(upload)
            })?;
        }
        self.call(move |_| async move { upload.complete().await })
            .map(drop)
    }

    fn home(&self) -> Option<PathBuf> {
        None
    }

    fn trash(&self) -> io::Result<PathBuf> {
        Err(self.unsupported("be put into a trash"))
    }
}

impl Objects<'_> {
    fn remove_all(&self, objects: Vec<Key>) -> io::Result<()> {
        for key in objects {
            let removed = self.call(move |store| async move { store.delete(&key).await });
            match removed {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                Ok(()) | Err(_) => {}
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
