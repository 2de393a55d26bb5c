//! A stored coordinator: the initial state of its driver, and the basis for checking commands.

use std::{collections::BTreeMap, rc::Rc, sync::Arc};

use hpdlc_core::coordinator::machine::{CoordinatorState, Revisions, SchedulerSettings};
use hpdlc_engine::owner::Session;
use hpdlc_host::exit::RunError;
use hpdlc_program::coordinator_texts::CoordinatorTexts;
use hpdlc_store::{
    JobRow,
    coordinators::{self as rows, CoordinatorRow, RevisionRow},
    query,
    sql::Connection,
};

use crate::coordinator::submission::{Revision, compiled_texts};

/// The parsed rows of a coordinator.
pub struct StoredCoordinator {
    pub row: JobRow,
    pub coordinator: CoordinatorRow,
    /// The current revision and those of the actions that are not over, by number.
    pub revisions: BTreeMap<u32, Rc<Revision>>,
    /// The same, for the state machine.
    pub definitions: Revisions,
    pub state: CoordinatorState,
    /// The workflow jobs of the actions that are not over.
    pub workflows: BTreeMap<u64, String>,
}

impl StoredCoordinator {
    /// # Errors
    ///
    /// Exit 5 if the store cannot be read.
    pub fn load(
        session: &Session,
        store: &Connection,
        root: &str,
    ) -> Result<StoredCoordinator, RunError> {
        let describe = |error| session.describe(error);
        let gone =
            || RunError::machine(format!("coordinator {root} no longer exists in the store"));
        let row = query::job(store, root)
            .map_err(describe)?
            .ok_or_else(gone)?;
        let coordinator = rows::coordinator(store, root)
            .map_err(describe)?
            .ok_or_else(gone)?;
        let living = rows::living(store, root).map_err(describe)?;
        let counts = rows::counts(store, root).map_err(describe)?;
        let current = coordinator.record.revision;
        let mut revisions = BTreeMap::new();
        for stored in rows::revisions(store, root).map_err(describe)? {
            let number = stored.revision;
            let is_needed =
                number == current || living.iter().any(|action| action.record.revision == number);
            if is_needed {
                revisions.insert(number, Rc::new(of_row(session, &row, stored)?));
            }
        }
        let own = revisions.get(&current).map(Rc::clone).ok_or_else(gone)?;
        let definitions = definitions(&revisions, current).ok_or_else(gone)?;
        let workflows = living
            .iter()
            .filter_map(|action| Some((action.record.number, action.workflow_id.clone()?)))
            .collect();
        let living = living.into_iter().map(|action| action.record).collect();
        let state = CoordinatorState::rebuild(
            &definitions,
            settings_of(&own.conf, session),
            coordinator.record.clone(),
            living,
            counts,
        );
        Ok(StoredCoordinator {
            row,
            coordinator,
            revisions,
            definitions,
            state,
            workflows,
        })
    }
}

/// Reads a revision of the store.
pub fn of_row(session: &Session, job: &JobRow, row: RevisionRow) -> Result<Revision, RunError> {
    let unreadable = |error: serde_json::Error| {
        RunError::machine(format!("coordinator {} cannot be read: {error}", job.id))
    };
    let texts: CoordinatorTexts = serde_json::from_str(&row.texts).map_err(unreadable)?;
    let conf = serde_json::from_str(&row.conf).map_err(unreadable)?;
    let name = job.parent_node.as_deref();
    let compiled = compiled_texts(session.program, job);
    Revision::new(texts, compiled, conf, name, &session.site, row.hash)
        .map_err(|problem| RunError::machine(format!("coordinator {}: {problem}", job.id)))
}

/// The definitions for the state machine; `None` if the current one is missing.
pub fn definitions(revisions: &BTreeMap<u32, Rc<Revision>>, current: u32) -> Option<Revisions> {
    let own = revisions.get(&current)?;
    let earlier = revisions
        .iter()
        .filter(|(number, _)| **number != current)
        .map(|(number, revision)| (*number, Arc::clone(&revision.coordinator)))
        .collect();
    Some(Revisions::new(Arc::clone(&own.coordinator), earlier))
}

fn settings_of(conf: &BTreeMap<String, String>, session: &Session) -> SchedulerSettings {
    let settings = hpdlc_host::settings::Settings {
        conf,
        site: &session.site,
    };
    let usual = SchedulerSettings::default();
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
    SchedulerSettings {
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
