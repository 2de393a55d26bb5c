//! A coordinator of the store, as its driver has it in memory.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    rc::Rc,
    sync::Arc,
};

use hpdlc_core::coordinator::machine::{CoordinatorState, Revisions, Settings};
use tokio::sync::{mpsc, watch};

use super::{Driver, Incoming, workflows::Workflow};
use crate::{
    coordinator::{clock::Clock, data::Data, submission::Revision, texts::Texts},
    exit::RunError,
    files::AccessSettings,
    owner::{Ownership, Session},
    progress::{Journal, Shared},
    secrets::Mask,
    sla::ActionSlas,
    store::{
        JobRow,
        coordinators::{self as rows, RevisionRow},
        query, slas,
        writer::Writer,
    },
};

impl Driver {
    pub(super) fn load(
        session: Session,
        ownership: Ownership,
        progress: Shared,
        outbox: mpsc::UnboundedSender<Incoming>,
    ) -> Result<Driver, RunError> {
        let (root, epoch, store, lock) = ownership.into_parts();
        let describe = |error| session.describe(error);
        let gone = || RunError::machine(format!("coordinator {root} has gone from the store"));
        let row = query::job(&store, &root)
            .map_err(describe)?
            .ok_or_else(gone)?;
        if row.hash != session.program.hash {
            return Err(RunError::machine(format!(
                "coordinator {root} belongs to another definition than this executable's"
            )));
        }
        let coordinator = rows::coordinator(&store, &root)
            .map_err(describe)?
            .ok_or_else(gone)?;
        let living = rows::living(&store, &root).map_err(describe)?;
        let counts = rows::counts(&store, &root).map_err(describe)?;
        let current = coordinator.record.revision;
        let mut revisions = BTreeMap::new();
        for stored in rows::revisions(&store, &root).map_err(describe)? {
            let number = stored.revision;
            let is_needed =
                number == current || living.iter().any(|action| action.record.revision == number);
            if is_needed {
                revisions.insert(number, Rc::new(of_row(&session, &row, stored)?));
            }
        }
        let own = revisions.get(&current).map(Rc::clone).ok_or_else(gone)?;
        let definitions = definitions(&revisions, current).ok_or_else(gone)?;
        let settings = settings_of(&own.conf, &session);
        let workflows = living
            .iter()
            .filter_map(|action| {
                let id = action.workflow_id.clone()?;
                Some((action.record.number, Workflow::found(id)))
            })
            .collect();
        let living = living.into_iter().map(|action| action.record).collect();
        let state = CoordinatorState::rebuild(
            &definitions,
            settings,
            coordinator.record.clone(),
            living,
            counts,
        );
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
            post: None,
            handled: Vec::new(),
            after: VecDeque::new(),
            failure: None,
            has_moved: false,
            drain: watch::Sender::new(None),
        })
    }
}

/// What one revision of the store means.
pub fn of_row(session: &Session, job: &JobRow, row: RevisionRow) -> Result<Revision, RunError> {
    let unreadable = |error: serde_json::Error| {
        RunError::machine(format!("coordinator {} cannot be read: {error}", job.id))
    };
    let texts: Texts = serde_json::from_str(&row.texts).map_err(unreadable)?;
    let conf = serde_json::from_str(&row.conf).map_err(unreadable)?;
    let name = job.parent_node.as_deref();
    Revision::new(texts, conf, name, &session.site, row.hash)
        .map_err(|problem| RunError::machine(format!("coordinator {}: {problem}", job.id)))
}

pub(super) fn definitions(
    revisions: &BTreeMap<u32, Rc<Revision>>,
    current: u32,
) -> Option<Revisions> {
    let own = revisions.get(&current)?;
    let earlier = revisions
        .iter()
        .filter(|(number, _)| **number != current)
        .map(|(number, revision)| (*number, Arc::clone(&revision.coordinator)))
        .collect();
    Some(Revisions::new(Arc::clone(&own.coordinator), earlier))
}

fn settings_of(conf: &BTreeMap<String, String>, session: &Session) -> Settings {
    let settings = crate::settings::Settings {
        conf,
        site: &session.site,
    };
    let usual = Settings::default();
    let millis = |name: &str, otherwise: chrono::Duration| {
        let number = settings.text(name).and_then(|text| text.parse().ok());
        number
            .and_then(chrono::Duration::try_milliseconds)
            .filter(|wait| *wait > chrono::Duration::zero())
            .unwrap_or(otherwise)
    };
    let minutes = settings
        .text("oozie.coord.execution.none.tolerance")
        .and_then(|text| text.parse().ok());
    Settings {
        look_ahead: usual.look_ahead,
        poll: millis(
            "oozie.service.coord.input.check.requeue.interval",
            usual.poll,
        ),
        watched_poll: millis(
            "oozie.service.coord.push.check.requeue.interval",
            usual.watched_poll,
        ),
        tolerance: minutes.unwrap_or(usual.tolerance),
    }
}
