//! The creation of a coordinator job: its rows.

use hpdlc_core::{coordinator::machine::JobRecord, status::JobStatus};
use hpdlc_engine::owner::NewJob;
use hpdlc_host::job_id::JobKind;
use hpdlc_program::table::applications::COORDINATOR_PATH;
use hpdlc_store::{
    JobRow,
    coordinators::{self as rows, CoordinatorRow, RevisionRow},
    sql::{self, Connection},
};

use crate::{clock::Clock, coordinator::submission::Revision};

/// An evaluated coordinator with its clock.
pub struct NewCoordinator {
    revision: Revision,
    clock: Clock,
}

impl NewCoordinator {
    /// With `speed`, its clock begins at the start of the coordinator.
    pub fn new(revision: Revision, speed: Option<u32>) -> NewCoordinator {
        let start = revision.coordinator.schedule.start;
        let clock = speed.map_or_else(Clock::default, |speed| Clock::scaled(speed, start));
        NewCoordinator { revision, clock }
    }

    /// Uses the clock of the bundle that starts it.
    pub fn with_clock(revision: Revision, clock: Clock) -> NewCoordinator {
        NewCoordinator { revision, clock }
    }

    pub fn job(&self, status: JobStatus) -> NewJob {
        let conf = self.revision.conf.clone();
        let app_path = conf.get(COORDINATOR_PATH);
        NewJob {
            kind: JobKind::Coordinator,
            app: self.revision.coordinator.name.clone(),
            app_path: app_path.cloned().unwrap_or_default(),
            conf,
            status,
            slas: Vec::new(),
        }
    }

    /// Writes everything but the row of `jobs`, which has been written.
    pub fn write(&self, connection: &Connection, job: &JobRow) -> sql::Result<()> {
        let (row, revision) = self.rows(job);
        rows::write(connection, &row)?;
        rows::add_revision(connection, &job.id, &revision)
    }

    /// All rows but that of `jobs`.
    pub fn rows(&self, job: &JobRow) -> (CoordinatorRow, RevisionRow) {
        let Revision {
            coordinator, texts, ..
        } = &self.revision;
        let row = CoordinatorRow {
            job_id: job.id.clone(),
            record: JobRecord::new(coordinator),
            frequency: coordinator.schedule.frequency.to_string(),
            timezone: coordinator.schedule.zone.to_string(),
            start: coordinator.schedule.start,
            clock: self.clock.to_text(),
        };
        let revision = RevisionRow {
            revision: row.record.revision,
            hash: self.revision.hash.clone(),
            created: job.created,
            conf: job.conf.clone(),
            texts: serde_json::to_string(texts).expect("texts are JSON"),
        };
        (row, revision)
    }
}
