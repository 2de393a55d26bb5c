//! The service levels of a workflow job and of its actions.

use std::collections::HashMap;

use hpdlc_core::{definition::NodeId, sla::Happened, status::ActionStatus};
use hpdlc_program::table::App;
use hpdlc_store::{ActionRow, SlaRow};

use super::watched::{DueEvent, WatchedSlas};

pub type Slas = WatchedSlas<NodeId>;

impl Slas {
    /// Those in the store.
    pub fn stored(app: &App, rows: Vec<SlaRow>, has_begun: bool) -> Slas {
        if rows.is_empty() {
            return Slas::default();
        }
        let ids: HashMap<&str, NodeId> = app.nodes().map(|(id, def)| (def.name, id)).collect();
        let rows = rows.into_iter().filter_map(|row| match &row.node {
            None => Some((None, row)),
            Some(name) => ids.get(name.as_str()).map(|&node| (Some(node), row)),
        });
        Slas::with(rows, has_begun)
    }

    /// Those of a job that this process has created, which the next transaction writes.
    pub fn new(app: &App, rows: Vec<SlaRow>) -> Slas {
        let mut slas = Slas::stored(app, rows, false);
        slas.soil();
        slas
    }

    /// The job is RUNNING for the first time in its run.
    pub fn job_began(&mut self, at: i64) -> Vec<DueEvent> {
        self.has_begun = true;
        // Their due times are known now.
        for part in self.parts() {
            self.take(part, None);
        }
        self.take(None, Some(Happened::Started { at }))
    }

    /// Handles a new state of a node.
    pub fn node_changed(&mut self, node: NodeId, row: &ActionRow, now: i64) -> Vec<DueEvent> {
        let ended = |has_succeeded| Happened::Ended {
            at: row.ended.unwrap_or(now),
            has_succeeded,
        };
        let happened = match row.status {
            // An attempt that waits at the launcher does not run.
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

    /// Handles the end of the job. An action that never ran is missed, unless the job succeeded without it: Oozie counts it as missed in
    /// either case, so that an untaken branch raises alerts.
    pub fn job_ended(&mut self, at: i64, has_succeeded: bool) -> Vec<DueEvent> {
        let mut told = Vec::new();
        for part in self.parts().into_iter().filter(Option::is_some) {
            let never_ran = self
                .row(part)
                .is_some_and(|row| row.state.actual_start.is_none());
            let happened = if has_succeeded && never_ran {
                Happened::PassedBy
            } else {
                Happened::Ended {
                    at,
                    has_succeeded: false,
                }
            };
            told.extend(self.take(part, Some(happened)));
        }
        told.extend(self.take(None, Some(Happened::Ended { at, has_succeeded })));
        told
    }
}
