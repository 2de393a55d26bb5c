//! Watches for missing files of this machine by inotify, without polling.
//!
//! A missing file is watched for in the nearest folder above it that exists. The name of a new entry determines which of the missing files
//! it may concern, so that one of ten thousand costs as little as one of ten.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    ffi::OsString,
    io,
    mem::MaybeUninit,
    os::{fd::OwnedFd, unix::ffi::OsStringExt},
    path::{Path, PathBuf},
    sync::Arc,
};

use hpdlc_files as files;
use hpdlc_host::home;
use rustix::{
    fs::inotify::{self, CreateFlags, ReadFlags, Reader, WatchFlags},
    io::Errno,
};
use tokio::io::{Interest, unix::AsyncFd};

/// The watched folders, and the missing files.
pub(super) struct DataWatch {
    inotify: AsyncFd<OwnedFd>,
    folders: HashMap<i32, WatchedFolder>,
    /// By URI.
    files: BTreeMap<Arc<str>, AwaitedFile>,
}

/// A missing file.
#[derive(Clone)]
struct AwaitedFile {
    path: PathBuf,
    /// The folder that is watched for it, and the missing entry in it.
    folder: i32,
    name: OsString,
}

#[derive(Default)]
struct WatchedFolder {
    /// By the missing entry in the folder: a file, or a folder above one.
    wanted: HashMap<OsString, BTreeSet<Arc<str>>>,
}

const BUFFER: usize = 16 * 1024;

impl DataWatch {
    /// Must be called inside an async runtime.
    pub(super) fn new() -> io::Result<DataWatch> {
        let fd = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?;
        #[expect(
            deprecated,
            reason = "its successor is unsafe for types that give other descriptors later; an owned one is always the same"
        )]
        let inotify = AsyncFd::with_interest(fd, Interest::READABLE)?;
        Ok(DataWatch {
            inotify,
            folders: HashMap::new(),
            files: BTreeMap::new(),
        })
    }

    /// Watches for the file at `uri`; `false` if that is impossible: it is not local, on a network, or too many are watched.
    pub(super) fn add(&mut self, uri: &Arc<str>) -> bool {
        if self.files.contains_key(uri) {
            return true;
        }
        let Ok(path) = files::local_path(uri) else {
            return false;
        };
        self.place(uri, path)
    }

    /// Watches the nearest existing folder above `path`.
    fn place(&mut self, uri: &Arc<str>, path: PathBuf) -> bool {
        let mut name = path.as_path();
        while let Some(folder) = name.parent() {
            match self.watched(folder) {
                Ok(descriptor) => {
                    let name = name.file_name().unwrap_or_default().to_owned();
                    if let Some(folder) = self.folders.get_mut(&descriptor) {
                        let uris = folder.wanted.entry(name.clone()).or_default();
                        uris.insert(Arc::clone(uri));
                    }
                    let wanted = AwaitedFile {
                        path,
                        folder: descriptor,
                        name,
                    };
                    self.files.insert(Arc::clone(uri), wanted);
                    return true;
                }
                Err(Errno::NOENT | Errno::NOTDIR) => name = folder,
                Err(_) => return false,
            }
        }
        false
    }

    fn watched(&mut self, folder: &Path) -> Result<i32, Errno> {
        if home::is_on_network(folder) {
            return Err(Errno::OPNOTSUPP);
        }
        let descriptor = inotify::add_watch(
            &self.inotify,
            folder,
            WatchFlags::CREATE
                | WatchFlags::MOVED_TO
                | WatchFlags::DELETE_SELF
                | WatchFlags::MOVE_SELF
                | WatchFlags::ONLYDIR,
        )?;
        self.folders.entry(descriptor).or_default();
        Ok(descriptor)
    }

    pub(super) fn remove(&mut self, uri: &str) {
        let Some(wanted) = self.files.remove(uri) else {
            return;
        };
        let Some(folder) = self.folders.get_mut(&wanted.folder) else {
            return;
        };
        if let Some(uris) = folder.wanted.get_mut(&wanted.name) {
            uris.remove(uri);
            if uris.is_empty() {
                folder.wanted.remove(&wanted.name);
            }
        }
        if folder.wanted.is_empty() {
            self.folders.remove(&wanted.folder);
            // It may have been removed with its folder.
            let _ = inotify::remove_watch(&self.inotify, wanted.folder);
        }
    }

    /// Waits for URIs whose files may have appeared.
    pub(super) async fn changed(&mut self) -> Vec<Arc<str>> {
        loop {
            let Ok(mut ready) = self.inotify.readable().await else {
                return std::future::pending().await;
            };
            let mut buffer = [MaybeUninit::uninit(); BUFFER];
            let mut reader = Reader::new(ready.get_inner(), &mut buffer);
            let mut events: Vec<(i32, ReadFlags, Option<OsString>)> = Vec::new();
            loop {
                match reader.next() {
                    Ok(event) => {
                        let name = event.file_name().map(|name| name.to_bytes().to_vec());
                        events.push((event.wd(), event.events(), name.map(OsString::from_vec)));
                        if reader.is_buffer_empty() {
                            break;
                        }
                    }
                    Err(_) => {
                        ready.clear_ready();
                        break;
                    }
                }
            }
            let mut touched = BTreeSet::new();
            for (descriptor, flags, name) in events {
                touched.extend(self.touched(descriptor, flags, name));
            }
            let found = self.moved_on(touched);
            if !found.is_empty() {
                return found;
            }
        }
    }

    /// The URIs that an event may concern.
    fn touched(&self, descriptor: i32, flags: ReadFlags, name: Option<OsString>) -> Vec<Arc<str>> {
        if flags.contains(ReadFlags::QUEUE_OVERFLOW) {
            return self.files.keys().cloned().collect();
        }
        let Some(folder) = self.folders.get(&descriptor) else {
            return Vec::new();
        };
        match name {
            Some(name) => folder
                .wanted
                .get(&name)
                .into_iter()
                .flatten()
                .cloned()
                .collect(),
            // The folder itself was removed.
            None => folder.wanted.values().flatten().cloned().collect(),
        }
    }

    /// Those whose files exist; the others are watched for in a nearer folder.
    fn moved_on(&mut self, touched: BTreeSet<Arc<str>>) -> Vec<Arc<str>> {
        let mut found = Vec::new();
        for uri in touched {
            let Some(AwaitedFile { path, .. }) = self.files.get(&uri).cloned() else {
                continue;
            };
            self.remove(&uri);
            // So that a file that appears in between is not missed.
            self.place(&uri, path.clone());
            if path.exists() {
                found.push(uri);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, time::Duration};

    use super::*;

    fn uri(path: &Path) -> Arc<str> {
        Arc::from(path.display().to_string())
    }

    #[test]
    fn what_comes_is_told_and_what_is_beside_it_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let mut watch = DataWatch::new().unwrap();
            let deep = uri(&root.join("logs/2009/01/_SUCCESS"));
            let other = uri(&root.join("logs/2009/02/_SUCCESS"));
            for wanted in [&deep, &other] {
                assert!(watch.add(wanted), "{wanted}");
            }
            fs::write(root.join("beside"), "").unwrap();
            fs::create_dir_all(root.join("logs/2009/02")).unwrap();
            fs::create_dir_all(root.join("logs/2009/01")).unwrap();
            let patience = Duration::from_millis(50);
            assert!(
                tokio::time::timeout(patience, watch.changed())
                    .await
                    .is_err()
            );
            fs::write(root.join("logs/2009/01/_SUCCESS"), "").unwrap();
            assert_eq!(watch.changed().await, [Arc::clone(&deep)]);
            watch.remove(&deep);
            // A folder that is removed and created again with the file in it.
            fs::remove_dir_all(root.join("logs")).unwrap();
            assert!(
                tokio::time::timeout(patience, watch.changed())
                    .await
                    .is_err()
            );
            fs::create_dir_all(root.join("new/2009/02")).unwrap();
            fs::write(root.join("new/2009/02/_SUCCESS"), "").unwrap();
            fs::rename(root.join("new"), root.join("logs")).unwrap();
            assert_eq!(watch.changed().await, [Arc::clone(&other)]);
            watch.remove(&other);
            assert!(watch.folders.is_empty() && watch.files.is_empty());
        });
    }

    #[test]
    fn what_is_elsewhere_is_not_watched() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let mut watch = DataWatch::new().unwrap();
            assert!(!watch.add(&Arc::from("hdfs://nn/logs/_SUCCESS")));
        });
    }
}
