//! A coordinator of the store, as its driver has it in memory.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    rc::Rc,
};

use hpdlc_engine::{
    owner::{Ownership, Session},
    progress::{Journal, Shared},
    sla::ActionSlas,
};
use hpdlc_files::AccessSettings;
use hpdlc_host::{exit::RunError, mask::Mask};
use hpdlc_store::{slas, writer::Writer};
use tokio::sync::{mpsc, watch};

use super::{Driver, workflows::Workflow};
use crate::coordinator::{clock::Clock, data::Data, incoming::Incoming, stored::Stored};

impl Driver {
    pub(super) fn load(
        session: Session,
        ownership: Ownership,
        progress: Shared,
        outbox: mpsc::UnboundedSender<Incoming>,
    ) -> Result<Driver, RunError> {
        let (root, epoch, store, lock) = ownership.into_parts();
        let describe = |error| session.describe(error);
        let Stored {
            row,
            coordinator,
            revisions,
            definitions,
            state,
            workflows,
        } = Stored::load(&session, &store, &root)?;
        if row.hash != session.program.hash {
            return Err(RunError::machine(format!(
                "coordinator {root} belongs to another definition than this executable's"
            )));
        }
        let own = revisions.get(&coordinator.record.revision).map(Rc::clone);
        let own = own.ok_or_else(|| {
            RunError::machine(format!("coordinator {root} no longer exists in the store"))
        })?;
        let workflows = workflows
            .into_iter()
            .map(|(number, id)| (number, Workflow::found(id)))
            .collect();
        let told = state.job().status;
        let open_slas = slas::open(&store, &root).map_err(describe)?;
        let writer = Writer::start(store, root, epoch)
            .map_err(|error| error.describe(&session.home.store()))?;
        let mask = Mask::of_all(revisions.values().map(|revision| &revision.conf));
        let access = AccessSettings::of(&own.conf, &session.site);
        Ok(Driver {
            clock: Clock::stored(coordinator.clock.as_deref()),
            data: Data::new(access, outbox.clone()),
            journal: Journal::new(row.id.clone(), progress, mask).labeled(row.parent_node.clone()),
            session,
            writer,
            _lock: lock,
            row,
            coordinator,
            revisions,
            definitions,
            state,
            outbox,
            workflows,
            fresh: BTreeMap::new(),
            seen_version: -1,
            dirty_job: false,
            dirty_actions: BTreeMap::new(),
            deleted: BTreeSet::new(),
            new_jobs: Vec::new(),
            slas: ActionSlas::of_store(open_slas),
            new_slas: Vec::new(),
            new_runs: Vec::new(),
            unprepared: Vec::new(),
            added: Vec::new(),
            moved: None,
            notices: Vec::new(),
            sender: None,
            handled: Vec::new(),
            after: VecDeque::new(),
            failure: None,
            has_moved: false,
            drain: watch::Sender::new(None),
            postponed: None,
            told,
        })
    }
}
