//! The service levels that one owner monitors.

use std::collections::{BTreeMap, BTreeSet};

use hpdlc_core::{
    definition::NodeId,
    sla::{Happened, SlaEvent},
};
use hpdlc_store::SlaRow;

/// Those of a job, which has no part, and of its parts: nodes of a workflow, actions of a coordinator.
#[derive(Debug)]
pub struct WatchedSlas<P> {
    rows: BTreeMap<Option<P>, SlaRow>,
    /// The due times.
    looks: BTreeSet<(i64, Option<P>)>,
    /// Those that have to be written.
    dirty: BTreeSet<Option<P>>,
    /// Parts are monitored from the start of the job on (`SignalXCommand`).
    pub(super) has_begun: bool,
}

/// An event to be reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DueEvent<P = NodeId> {
    pub part: Option<P>,
    pub event: SlaEvent,
}

impl<P> Default for WatchedSlas<P> {
    fn default() -> WatchedSlas<P> {
        WatchedSlas {
            rows: BTreeMap::new(),
            looks: BTreeSet::new(),
            dirty: BTreeSet::new(),
            has_begun: false,
        }
    }
}

impl<P: Copy + Ord> WatchedSlas<P> {
    pub(super) fn with(
        rows: impl IntoIterator<Item = (Option<P>, SlaRow)>,
        has_begun: bool,
    ) -> WatchedSlas<P> {
        let rows: BTreeMap<Option<P>, SlaRow> = rows.into_iter().collect();
        let looks = rows
            .iter()
            .filter_map(|(part, row)| Some((row.due?, *part)));
        WatchedSlas {
            looks: looks.collect(),
            rows,
            dirty: BTreeSet::new(),
            has_begun,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub fn row(&self, part: Option<P>) -> Option<&SlaRow> {
        self.rows.get(&part)
    }

    pub(super) fn parts(&self) -> Vec<Option<P>> {
        self.rows.keys().copied().collect()
    }

    /// Marks all as to be written.
    pub(super) fn soil(&mut self) {
        self.dirty.extend(self.rows.keys().copied());
    }

    /// Adds one, replacing the existing one of the part.
    pub(super) fn put(&mut self, part: P, row: SlaRow) {
        self.remove(part);
        self.looks.extend(row.due.map(|due| (due, Some(part))));
        self.rows.insert(Some(part), row);
        self.dirty.insert(Some(part));
    }

    /// Changes the expectations of a part, or whether it is alerted. Returns whether it is monitored at all.
    pub fn edit(&mut self, part: P, change: impl FnOnce(&mut SlaRow)) -> bool {
        let Some(row) = self.rows.get_mut(&Some(part)) else {
            return false;
        };
        let before = row.due;
        change(row);
        row.set_due(self.has_begun);
        let after = row.due;
        self.dirty.insert(Some(part));
        if let Some(due) = before {
            self.looks.remove(&(due, Some(part)));
        }
        self.looks.extend(after.map(|due| (due, Some(part))));
        true
    }

    /// Removes a part, including its unwritten changes.
    pub(super) fn remove(&mut self, part: P) {
        self.dirty.remove(&Some(part));
        if let Some(row) = self.rows.remove(&Some(part))
            && let Some(due) = row.due
        {
            self.looks.remove(&(due, Some(part)));
        }
    }

    /// The next due time.
    pub fn next_look(&self) -> Option<i64> {
        self.looks.first().map(|(time, _)| *time)
    }

    /// Handles the passing of time.
    pub fn looked(&mut self, at: i64) -> Vec<DueEvent<P>> {
        let due = self.looks.iter().take_while(|(time, _)| *time <= at);
        let due: Vec<Option<P>> = due.map(|(_, part)| *part).collect();
        due.into_iter()
            .flat_map(|part| self.take(part, Some(Happened::Looked { at })))
            .collect()
    }

    pub(super) fn take(&mut self, part: Option<P>, happened: Option<Happened>) -> Vec<DueEvent<P>> {
        let Some(row) = self.rows.get_mut(&part) else {
            return Vec::new();
        };
        let before = (row.state.clone(), row.due);
        let events = match happened {
            Some(happened) => row.state.take(&row.record, happened),
            None => Vec::new(),
        };
        row.set_due(self.has_begun);
        let after = (row.state.clone(), row.due);
        if let Some(due) = before.1 {
            self.looks.remove(&(due, part));
        }
        self.looks.extend(after.1.map(|due| (due, part)));
        if before != after {
            self.dirty.insert(part);
        }
        events
            .into_iter()
            .map(|event| DueEvent { part, event })
            .collect()
    }

    pub fn is_clean(&self) -> bool {
        self.dirty.is_empty()
    }

    /// The changed rows; they count as written then.
    pub fn take_dirty(&mut self) -> Vec<SlaRow> {
        let dirty = std::mem::take(&mut self.dirty).into_iter();
        dirty
            .filter_map(|part| self.rows.get(&part).cloned())
            .collect()
    }
}
