//! The URIs that actions wait for, deduplicated: each is checked once for all waiting actions.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use chrono::{DateTime, Utc};

/// What waits for a URI: the number of an action, and that of the instance among those of its inputs.
pub(super) type Waiter = (u64, u32);

/// The URIs that actions wait for.
#[derive(Clone, Debug, Default)]
pub(super) struct InputChecks {
    wanted: BTreeMap<Arc<str>, InputCheck>,
    due: BTreeSet<(DateTime<Utc>, Arc<str>)>,
}

#[derive(Clone, Debug)]
struct InputCheck {
    by: BTreeSet<Waiter>,
    /// When it is to be checked; `None` while the answer is pending.
    due: Option<DateTime<Utc>>,
}

impl InputChecks {
    /// Adds a waiter for `uri`, which is checked from `now` on.
    pub(super) fn want(&mut self, uri: &Arc<str>, waiter: Waiter, now: DateTime<Utc>) {
        match self.wanted.get_mut(uri) {
            Some(wanted) => {
                wanted.by.insert(waiter);
                self.hurry(uri, now);
            }
            None => {
                let wanted = InputCheck {
                    by: BTreeSet::from([waiter]),
                    due: Some(now),
                };
                self.wanted.insert(Arc::clone(uri), wanted);
                self.due.insert((now, Arc::clone(uri)));
            }
        }
    }

    /// Schedules the check for `now`, unless the answer is pending.
    pub(super) fn hurry(&mut self, uri: &Arc<str>, now: DateTime<Utc>) {
        if let Some(wanted) = self.wanted.get_mut(uri)
            && let Some(due) = wanted.due
            && due > now
        {
            self.due.remove(&(due, Arc::clone(uri)));
            wanted.due = Some(now);
            self.due.insert((now, Arc::clone(uri)));
        }
    }

    /// An answer has arrived; it is checked again at `due` if it is still waited for.
    pub(super) fn answered(&mut self, uri: &Arc<str>, due: DateTime<Utc>) {
        if let Some(wanted) = self.wanted.get_mut(uri) {
            if let Some(before) = wanted.due.replace(due) {
                self.due.remove(&(before, Arc::clone(uri)));
            }
            self.due.insert((due, Arc::clone(uri)));
        }
    }

    pub(super) fn waiters(&self, uri: &Arc<str>) -> Vec<Waiter> {
        self.wanted
            .get(uri)
            .map_or_else(Vec::new, |wanted| wanted.by.iter().copied().collect())
    }

    /// Removes a waiter. Returns whether none is left.
    pub(super) fn leave(&mut self, uri: &Arc<str>, waiter: Waiter) -> bool {
        let Some(wanted) = self.wanted.get_mut(uri) else {
            return false;
        };
        wanted.by.remove(&waiter);
        if !wanted.by.is_empty() {
            return false;
        }
        if let Some(due) = wanted.due {
            self.due.remove(&(due, Arc::clone(uri)));
        }
        self.wanted.remove(uri);
        true
    }

    /// Takes all that are due; their answers are pending from now on.
    pub(super) fn take_due(&mut self, now: DateTime<Utc>) -> Vec<Arc<str>> {
        let mut uris = Vec::new();
        while let Some((due, _)) = self.due.first()
            && *due <= now
        {
            if let Some((_, uri)) = self.due.pop_first() {
                if let Some(wanted) = self.wanted.get_mut(&uri) {
                    wanted.due = None;
                }
                uris.push(uri);
            }
        }
        uris
    }

    pub(super) fn next_due(&self) -> Option<DateTime<Utc>> {
        self.due.first().map(|(due, _)| *due)
    }
}
