//! The service levels of one job, in the hands of its owner.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use hpdlc_core::{
    definition::NodeId,
    sla::{Event, Happened},
    status::ActionStatus,
};

use crate::{
    store::{ActionRow, SlaRow},
    table::App,
};

/// Those of a job and of its actions.
#[derive(Debug, Default)]
pub struct Slas {
    /// The job's own has no node.
    rows: BTreeMap<Option<NodeId>, SlaRow>,
    /// What is not on disk.
    dirty: BTreeSet<Option<NodeId>>,
    /// Actions are watched from the start of the job on (`SignalXCommand`).
    has_begun: bool,
}

/// An event to be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Told {
    pub node: Option<NodeId>,
    pub event: Event,
}

impl Slas {
    /// As the store has them.
    pub fn stored(app: &App, rows: Vec<SlaRow>, has_begun: bool) -> Slas {
        if rows.is_empty() {
            return Slas::default();
        }
        let ids: HashMap<&str, NodeId> = app.nodes().map(|(id, def)| (def.name, id)).collect();
        let rows = rows.into_iter().filter_map(|row| match &row.node {
            None => Some((None, row)),
            Some(name) => ids.get(name.as_str()).map(|&node| (Some(node), row)),
        });
        Slas {
            rows: rows.collect(),
            dirty: BTreeSet::new(),
            has_begun,
        }
    }

    /// Those of a job that this process has made, which the next transaction writes.
    pub fn new(app: &App, rows: Vec<SlaRow>) -> Slas {
        let mut slas = Slas::stored(app, rows, false);
        slas.dirty.extend(slas.rows.keys().copied());
        slas
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub fn row(&self, node: Option<NodeId>) -> Option<&SlaRow> {
        self.rows.get(&node)
    }

    /// The job runs for the first time in its run.
    pub fn job_began(&mut self, at: i64) -> Vec<Told> {
        self.has_begun = true;
        let nodes: Vec<Option<NodeId>> = self.rows.keys().copied().collect();
        // When they are to be looked at is known now.
        for node in nodes {
            self.take(node, None);
        }
        self.take(None, Some(Happened::Started { at }))
    }

    /// A node has another state.
    pub fn node_changed(&mut self, node: NodeId, row: &ActionRow, now: i64) -> Vec<Told> {
        let ended = |has_succeeded| Happened::Ended {
            at: row.ended.unwrap_or(now),
            has_succeeded,
        };
        let happened = match row.status {
            // What waits at the launcher does not run.
            ActionStatus::Running if !row.is_queued() => Happened::Started { at: now },
            ActionStatus::Ok => ended(true),
            ActionStatus::Error | ActionStatus::Killed | ActionStatus::Failed => ended(false),
            ActionStatus::Running
            | ActionStatus::Prep
            | ActionStatus::Done
            | ActionStatus::StartRetry
            | ActionStatus::StartManual
            | ActionStatus::UserRetry => return Vec::new(),
        };
        self.take(Some(node), Some(happened))
    }

    /// The job has ended. An action that never ran is missed, unless the job succeeded without it: Oozie takes it for missed
    /// in either case, so that a way not taken raises alarms.
    pub fn job_ended(&mut self, at: i64, has_succeeded: bool) -> Vec<Told> {
        let mut told = Vec::new();
        let nodes: Vec<NodeId> = self.rows.keys().filter_map(|node| *node).collect();
        for node in nodes {
            let never_ran = self
                .row(Some(node))
                .is_some_and(|row| row.state.actual_start.is_none());
            let happened = if has_succeeded && never_ran {
                Happened::PassedBy
            } else {
                Happened::Ended {
                    at,
                    has_succeeded: false,
                }
            };
            told.extend(self.take(Some(node), Some(happened)));
        }
        told.extend(self.take(None, Some(Happened::Ended { at, has_succeeded })));
        told
    }

    /// Time has passed.
    pub fn looked(&mut self, at: i64) -> Vec<Told> {
        let due = self.rows.iter().filter(|(_, row)| row.is_due(at));
        let due: Vec<Option<NodeId>> = due.map(|(node, _)| *node).collect();
        due.into_iter()
            .flat_map(|node| self.take(node, Some(Happened::Looked { at })))
            .collect()
    }

    fn take(&mut self, node: Option<NodeId>, happened: Option<Happened>) -> Vec<Told> {
        let Some(row) = self.rows.get_mut(&node) else {
            return Vec::new();
        };
        let before = (row.state.clone(), row.due);
        let events = match happened {
            Some(happened) => row.state.take(&row.record, happened),
            None => Vec::new(),
        };
        row.set_due(self.has_begun);
        if before != (row.state.clone(), row.due) {
            self.dirty.insert(node);
        }
        events
            .into_iter()
            .map(|event| Told { node, event })
            .collect()
    }

    pub fn is_clean(&self) -> bool {
        self.dirty.is_empty()
    }

    /// What is to be written; it counts as written then.
    pub fn take_dirty(&mut self) -> Vec<SlaRow> {
        let dirty = std::mem::take(&mut self.dirty).into_iter();
        dirty
            .filter_map(|node| self.rows.get(&node).cloned())
            .collect()
    }
}
