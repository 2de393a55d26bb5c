//! The pool of work folders for reuse ([`ReusedFolder`]): kept while so many short processes succeed that it is faster than creating new
//! ones.

use crate::{
    inotify::FolderWatch,
    orphans::Orphans,
    prepared::Start,
    reused_folder::{Again, ReusedFolder},
};

/// After this many short processes more of them are expected.
pub const ENOUGH: u32 = 24;

/// Folders for reuse.
pub(super) struct FolderPool {
    watch: FolderWatch,
    /// Folders that may be reused once the end with that number is on disk.
    ended: Vec<(u64, ReusedFolder)>,
    /// Folders that may be reused.
    used: Vec<ReusedFolder>,
    /// How many more folders may turn out to be unusable before the pool is given up.
    patience: u32,
}

impl FolderPool {
    pub(super) fn new(watch: FolderWatch) -> FolderPool {
        FolderPool {
            watch,
            ended: Vec::new(),
            used: Vec::new(),
            patience: ENOUGH,
        }
    }

    /// Starts observing what actions leave, including orphaned processes; `None` if the system does not support it.
    pub(super) fn begin() -> Option<(FolderPool, Orphans)> {
        let orphans = Orphans::adopt()?;
        Some((FolderPool::new(FolderWatch::new().ok()?), orphans))
    }

    /// Whether so many folders could not be reused that the pool is not worth it.
    pub(super) fn is_over(&self) -> bool {
        self.patience == 0
    }

    /// Whether there are folders for reuse, now or later.
    pub(super) fn has_folders(&self) -> bool {
        !(self.used.is_empty() && self.ended.is_empty())
    }

    /// Starts watching a folder that was just created, with its node's folder; `None` if it cannot be reused.
    pub(super) fn look_after(&self, start: &Start) -> Option<Again> {
        Again::of(start, &self.watch)
    }

    /// Stops watching a folder that cannot be reused.
    pub(super) fn give_up(&mut self, again: Again) {
        again.give_up(&mut self.watch);
        self.patience = self.patience.saturating_sub(1);
    }

    /// Keeps a folder, which is free once the end with that number is on disk.
    pub(super) fn keep(&mut self, end: u64, used: ReusedFolder) {
        self.ended.push((end, used));
    }

    /// Called when the ends up to that number are on disk. Their folders are reused, unless a process that an action has started is still
    /// alive.
    pub(super) fn on_disk(&mut self, ends: u64, is_any_alive: bool) {
        let known = self.ended.extract_if(.., |(number, _)| *number <= ends);
        let known: Vec<ReusedFolder> = known.map(|(_, used)| used).collect();
        if is_any_alive {
            known.into_iter().for_each(|used| self.leave(used));
        } else {
            self.used.extend(known);
        }
    }

    /// The next folder that is unchanged.
    pub(super) fn next(&mut self) -> Option<ReusedFolder> {
        let used = self.used.pop()?;
        if used.is_untouched(&mut self.watch) {
            self.patience = ENOUGH;
            return Some(used);
        }
        self.leave(used);
        None
    }

    /// Ignores all changes of the folder so far, which were our own.
    pub(super) fn settle(&mut self, again: &Again) {
        again.settle(&mut self.watch);
    }

    /// Leaves a folder that cannot be reused.
    pub(super) fn leave(&mut self, used: ReusedFolder) {
        self.give_up(used.leave());
    }

    /// Ends the pool and leaves all its folders.
    pub(super) fn end(mut self) {
        let ended = std::mem::take(&mut self.ended).into_iter();
        let all = ended
            .map(|(_, used)| used)
            .chain(std::mem::take(&mut self.used));
        for used in all {
            self.leave(used);
        }
    }
}
