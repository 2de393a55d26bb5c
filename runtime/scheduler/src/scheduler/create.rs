//! Creates jobs of coordinators and bundles, owned by this process.

use std::collections::BTreeMap;

use hpdlc_engine::{
    owner::{JobToDrive, NewJobOptions, Session},
    registry,
};
use hpdlc_host::{exit::RunError, user};
use hpdlc_program::table::Entry;

use crate::{
    bundle::NewBundle,
    coordinator::{
        NewCoordinator,
        submission::{self, SubmissionContext},
    },
};

/// Creates a job of the program's own coordinator or bundle from properties, as [`Session::create_or_find`] does for its workflow.
pub fn create(
    session: &Session,
    given: BTreeMap<String, String>,
    wanted: NewJobOptions<'_>,
) -> Result<JobToDrive, RunError> {
    let NewJobOptions { status, speed, .. } = wanted;
    let user = user::name();
    let mut coordinators = session.program.coordinators.iter();
    // Included files may be among those of the application.
    let folder = if coordinators.all(|coordinator| coordinator.includes.is_empty()) {
        registry::folder(&session.home, session.program)
    } else {
        registry::unpack(&session.home, session.program)?
    };
    let around = SubmissionContext {
        program: session.program,
        folder: &folder,
        user: &user,
        site: &session.site,
        name: None,
    };
    match session.program.entry {
        Entry::Bundle(table) => {
            let new = NewBundle::new(table, given, around, speed)?;
            let job = new.job(status);
            session.insert(job, around.user, wanted, &|connection, row| {
                new.write(connection, row)
            })
        }
        Entry::Coordinator | Entry::Workflow => {
            let table = session.program.coordinators[0];
            let revision = submission::complete(table, given, around)?;
            let new = NewCoordinator::new(revision, speed);
            let job = new.job(status);
            session.insert(job, around.user, wanted, &|connection, row| {
                new.write(connection, row)
            })
        }
    }
}
