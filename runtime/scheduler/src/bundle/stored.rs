//! A stored bundle: the initial state of its driver, and the basis for checking commands.

use std::collections::BTreeMap;

use hpdlc_core::{
    bundle::{self as machine, BundleChange, BundleEffect, BundleEvent, BundleState},
    coordinator::{
        CoordinatorStatus,
        machine::{CommandRefusal, Scope},
    },
    status::JobStatus,
    time::ProcessingZone,
};
use hpdlc_engine::{
    control::{bundle_request::BundleRequest, coordinator_request::CoordinatorRequest},
    doctor::{self, RowReader},
    owner::Session,
};
use hpdlc_host::exit::RunError;
use hpdlc_store::{JobRow, coordinators as rows, query, sql::Connection};

use crate::{
    bundle::{
        new::SubmittedBundle,
        passed_commands::{self, PassedCommand},
    },
    coordinator::{plan, submission},
};

/// The doctor's check of the rows of bundles.
pub const ROWS: RowReader = RowReader {
    table: "bundles",
    columns: "*",
    read: |row| {
        let bundle = rows::read_bundle(row)?;
        doctor::json::<SubmittedBundle>("state", &bundle.state)
    },
};

/// The parsed rows of a bundle.
pub struct StoredBundle {
    pub row: JobRow,
    pub submitted: SubmittedBundle,
    pub conf: BTreeMap<String, String>,
    pub state: BundleState,
}

impl StoredBundle {
    /// # Errors
    ///
    /// Exit 5 if the store cannot be read.
    pub fn load(
        session: &Session,
        store: &Connection,
        root: &str,
    ) -> Result<StoredBundle, RunError> {
        let describe = |error| session.describe(error);
        let gone = || RunError::machine(format!("bundle {root} no longer exists in the store"));
        let row = query::job(store, root)
            .map_err(describe)?
            .ok_or_else(gone)?;
        let bundle = rows::bundle(store, root)
            .map_err(describe)?
            .ok_or_else(gone)?;
        let unreadable = |error: serde_json::Error| {
            RunError::machine(format!("bundle {root} cannot be read: {error}"))
        };
        let submitted: SubmittedBundle = serde_json::from_str(&bundle.state).map_err(unreadable)?;
        let conf: BTreeMap<String, String> = serde_json::from_str(&row.conf).map_err(unreadable)?;
        let state = submitted.state(&bundle);
        Ok(StoredBundle {
            row,
            submitted,
            conf,
            state,
        })
    }

    /// Updates the states of the coordinators.
    fn hear(&mut self, session: &Session, connection: &Connection) -> Result<(), RunError> {
        for coordinator in &self.submitted.coordinators {
            let Some(job) = &coordinator.job else {
                continue;
            };
            let status = rows::status(connection, job).map_err(|error| session.describe(error))?;
            if let Some(status) = status.as_deref().and_then(CoordinatorStatus::from_name) {
                let name = coordinator.name.clone();
                let event = BundleEvent::Coordinator { name, status };
                machine::step(&mut self.state, self.submitted.clock.now(), event);
            }
        }
        Ok(())
    }

    /// The commands that the bundle would pass on to its coordinators for `request`, applying it to the bundle's own state.
    ///
    /// # Errors
    ///
    /// Exit 2 with the refusal; exit 5 if the store cannot be read.
    fn foresee(
        &mut self,
        session: &Session,
        connection: &Connection,
        request: &BundleRequest,
    ) -> Result<Vec<PassedCommand>, RunError> {
        self.hear(session, connection)?;
        let is_started = self.row.started.is_some() || self.row.status != JobStatus::Prep;
        let id = &self.row.id;
        if *request == BundleRequest::Start && is_started {
            return Err(RunError::usage(started_before(
                id,
                self.state.record.status,
            )));
        }
        let zone = submission::processing_zone(&session.site)?;
        let event = event(id, request, zone).map_err(RunError::usage)?;
        let now = self.submitted.clock.now();
        let step = machine::step(&mut self.state, now, event);
        if let Some(refusal) = step.refusal {
            return Err(RunError::usage(words(id, &refusal)));
        }
        let effects: Vec<BundleEffect> = step.effects;
        passed_commands::on(
            session,
            connection,
            &self.submitted,
            &effects,
            request,
            zone,
        )
        .map_err(|problem| RunError::usage(format!("bundle {id}: {problem}")))
    }
}

/// The state machine's event for a command.
pub fn event(
    id: &str,
    request: &BundleRequest,
    zone: ProcessingZone,
) -> Result<BundleEvent, String> {
    Ok(match request {
        BundleRequest::Start | BundleRequest::CoordinatorChanged => BundleEvent::Tick,
        BundleRequest::StartNow => BundleEvent::Start,
        BundleRequest::Suspend => BundleEvent::Suspend,
        BundleRequest::Resume => BundleEvent::Resume,
        BundleRequest::Kill => BundleEvent::Kill,
        BundleRequest::Change(text) => {
            let change = BundleChange::parse(text, zone);
            BundleEvent::Change(change.map_err(|refusal| words(id, &refusal))?)
        }
        BundleRequest::Rerun(request) => {
            let times = request.dates.as_deref();
            let times = times.map(|dates| Scope::times(dates, zone)).transpose();
            let named = !request.coordinators.is_empty();
            BundleEvent::Rerun {
                coordinators: named.then(|| request.coordinators.iter().cloned().collect()),
                times: times.map_err(|error| error.to_string())?,
            }
        }
    })
}

pub fn words(id: &str, refusal: &CommandRefusal) -> String {
    format!("bundle {id}: {} ({})", refusal.message, refusal.code)
}

pub fn started_before(id: &str, status: CoordinatorStatus) -> String {
    format!(
        "bundle {id} is {status} and was started before; only a PREP one can be started (E0801)"
    )
}

/// Checks whether a bundle would accept `request`, by the store's state of it and its coordinators.
///
/// # Errors
///
/// Exit 2 with the refusal; exit 5 if the store cannot be read.
pub fn check(session: &Session, job: &JobRow, request: &BundleRequest) -> Result<(), RunError> {
    let connection = session.store()?;
    let mut stored = StoredBundle::load(session, &connection, &job.id)?;
    stored.foresee(session, &connection, request).map(drop)
}

/// Describes what a rerun would do, for each coordinator, without doing it.
///
/// # Errors
///
/// As [`check`].
pub fn describe(
    session: &Session,
    job: &JobRow,
    request: &BundleRequest,
) -> Result<String, RunError> {
    let connection = session.store()?;
    let mut stored = StoredBundle::load(session, &connection, &job.id)?;
    let passed = stored.foresee(session, &connection, request)?;
    let mut text = format!(
        "rerun of bundle {} ({}), which is {} then\n",
        job.id, job.app, stored.state.record.status
    );
    for PassedCommand { job, request, .. } in passed {
        let row = query::job(&connection, &job).map_err(|error| session.describe(error))?;
        if let (Some(row), CoordinatorRequest::Rerun(rerun)) = (row, request) {
            text.push_str(&plan::describe(session, &row, &rerun)?);
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_whose_state_is_not_that_of_a_bundle_cannot_be_read() {
        let connection = Connection::open_in_memory().unwrap();
        let sql = "SELECT 'b' AS job_id, 'RUNNING' AS status, NULL AS kick_off_time, NULL AS pause_time, '{}' AS state";
        let error = connection.query_row(sql, [], ROWS.read).unwrap_err();
        assert!(error.to_string().starts_with("state: missing"), "{error}");
    }
}
