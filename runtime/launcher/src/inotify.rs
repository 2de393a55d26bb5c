//! Detects changes in a folder, by inotify.

use std::{collections::BTreeSet, mem::MaybeUninit, path::Path};

use rustix::{
    fd::OwnedFd,
    fs::inotify::{self, CreateFlags, ReadFlags, Reader, WatchFlags},
    io::{self, Errno},
};

/// All watched folders.
pub(super) struct FolderWatch {
    inotify: OwnedFd,
    changed: BTreeSet<i32>,
    /// The kernel's event queue has overflowed.
    is_blind: bool,
}

/// The folder of an attempt and that of its node.
pub(super) struct WatchedFolders([i32; 2]);

impl FolderWatch {
    /// # Errors
    ///
    /// The limit of inotify instances is reached.
    pub(super) fn new() -> io::Result<FolderWatch> {
        Ok(FolderWatch {
            inotify: inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?,
            changed: BTreeSet::new(),
            is_blind: false,
        })
    }

    /// Starts watching for files that are added, removed or changed in the folder of an attempt, and for files added or removed beside it.
    /// Renames of the folders do not end it.
    ///
    /// # Errors
    ///
    /// The limit of inotify watches is reached.
    pub(super) fn begin(&self, folder: &Path, node: &Path) -> io::Result<WatchedFolders> {
        let names = WatchFlags::CREATE
            | WatchFlags::DELETE
            | WatchFlags::MOVE
            | WatchFlags::ATTRIB
            | WatchFlags::DELETE_SELF;
        let content = WatchFlags::MODIFY | WatchFlags::CLOSE_WRITE | WatchFlags::MOVE_SELF;
        let inside = inotify::add_watch(&self.inotify, folder, names | content)?;
        let beside = inotify::add_watch(&self.inotify, node, names).inspect_err(|_| {
            let _ = inotify::remove_watch(&self.inotify, inside);
        })?;
        Ok(WatchedFolders([inside, beside]))
    }

    pub(super) fn end(&mut self, watched: &WatchedFolders) {
        for number in watched.0 {
            let _ = inotify::remove_watch(&self.inotify, number);
        }
        self.forgive(watched);
    }

    /// Ignores all changes so far.
    pub(super) fn forgive(&mut self, watched: &WatchedFolders) {
        self.listen();
        for number in watched.0 {
            self.changed.remove(&number);
        }
    }

    /// Whether something has changed, or may have.
    pub(super) fn has_changed(&mut self, watched: &WatchedFolders) -> bool {
        self.listen();
        self.is_blind || watched.0.iter().any(|number| self.changed.contains(number))
    }

    fn listen(&mut self) {
        let mut buffer = [MaybeUninit::uninit(); 4096];
        let mut events = Reader::new(&self.inotify, &mut buffer);
        loop {
            match events.next() {
                Ok(event) => {
                    self.is_blind |= event.events().contains(ReadFlags::QUEUE_OVERFLOW);
                    self.changed.insert(event.wd());
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return,
                Err(_) => {
                    self.is_blind = true;
                    return;
                }
            }
        }
    }
}
