//! The pool of work folders that are used again ([`ReusedFolder`]): kept while so many short processes end well that it is faster
//! than making new ones.

use crate::{
    inotify::FolderWatch,
    orphans::Orphans,
    prepared::Start,
    reused_folder::{Again, ReusedFolder},
};

/// After so many short processes there will be more of them.
pub const ENOUGH: u32 = 24;

/// Folders that are used again.
pub(super) struct FolderPool {
    watch: FolderWatch,
    /// What may be used again once the end of that number is on disk.
    ended: Vec<(u64, ReusedFolder)>,
    /// What is used again.
    used: Vec<ReusedFolder>,
    /// How many more folders may turn out to be unusable before it is given up.
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

    /// From now on nothing goes unseen that actions leave, not what they leave running either; `None` where the system does not
    /// tell.
    pub(super) fn begin() -> Option<(FolderPool, Orphans)> {
        let orphans = Orphans::adopt()?;
        Some((FolderPool::new(FolderWatch::new().ok()?), orphans))
    }

    /// Whether so many folders could not be used again that it is not worth it.
    pub(super) fn is_over(&self) -> bool {
        self.patience == 0
    }

    /// There will be folders to be used again.
    pub(super) fn has_folders(&self) -> bool {
        !(self.used.is_empty() && self.ended.is_empty())
    }

    /// Looks after a folder that was just made, with a node's folder around it; `None` where it cannot be used again.
    pub(super) fn look_after(&self, start: &Start) -> Option<Again> {
        Again::of(start, &self.watch)
    }

    /// Such a folder is not used again.
    pub(super) fn give_up(&mut self, again: Again) {
        again.give_up(&mut self.watch);
        self.patience = self.patience.saturating_sub(1);
    }

    /// A folder is free once the end of that number is on disk.
    pub(super) fn keep(&mut self, end: u64, used: ReusedFolder) {
        self.ended.push((end, used));
    }

    /// The ends up to that number are on disk. What belongs to them is used again, unless something lives on that an action has
    /// started.
    pub(super) fn on_disk(&mut self, ends: u64, is_any_alive: bool) {
        let known = self.ended.extract_if(.., |(number, _)| *number <= ends);
        let known: Vec<ReusedFolder> = known.map(|(_, used)| used).collect();
        if is_any_alive {
            known.into_iter().for_each(|used| self.leave(used));
        } else {
            self.used.extend(known);
        }
    }

    /// A folder that is as it was made.
    pub(super) fn next(&mut self) -> Option<ReusedFolder> {
        let used = self.used.pop()?;
        if used.is_untouched(&mut self.watch) {
            self.patience = ENOUGH;
            return Some(used);
        }
        self.leave(used);
        None
    }

    /// What has been changed in the folder so far was us.
    pub(super) fn settle(&mut self, again: &Again) {
        again.settle(&mut self.watch);
    }

    /// It cannot be used again.
    pub(super) fn leave(&mut self, used: ReusedFolder) {
        self.give_up(used.leave());
    }

    /// Leaves all of them.
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
