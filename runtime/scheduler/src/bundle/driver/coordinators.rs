//! The coordinators of a bundle: created and commanded in its transactions, driven in this process if they have no other owner.

use hpdlc_core::{
    bundle::{BundleEffect, BundleEvent},
    coordinator::{CoordinatorStatus, machine::ActionFault},
    status::JobStatus,
};
use hpdlc_engine::{
    control::coordinator_request::CoordinatorRequest, detached_owner, owner::Ownership, registry,
};
use hpdlc_host::{
    exit::{Exit, RunError},
    job_id::JobKind,
};
use hpdlc_store::{
    JobRow, commands, coordinators as rows, query,
    sql::{self, Connection},
};

use super::BundleDriver;
use crate::{
    bundle::new,
    coordinator::{
        self, NewCoordinator,
        submission::{self, SubmissionContext},
    },
    event_loop,
};

impl BundleDriver {
    /// Performs an effect. All its changes share the transaction of the step.
    pub(super) fn carry(&mut self, effect: BundleEffect) {
        match effect {
            BundleEffect::Submit { name } => {
                // If another one could not be submitted, the bundle has ended.
                if self.state.record.status.is_terminal() {
                    return;
                }
                match self.make(&name) {
                    Ok(()) => {}
                    Err(error) if error.exit == Exit::Machine => {
                        self.job.failure.get_or_insert(error);
                    }
                    Err(error) => {
                        let error = ActionFault {
                            code: "E1310".to_owned(),
                            message: error.message,
                        };
                        self.apply(BundleEvent::NotSubmitted { name, error });
                    }
                }
            }
            BundleEffect::Suspend { name } => self.ask(&name, &CoordinatorRequest::Suspend),
            BundleEffect::Resume { name } => self.ask(&name, &CoordinatorRequest::Resume),
            BundleEffect::Kill { name } => self.ask(&name, &CoordinatorRequest::Kill),
            // Sent when the command is carried out, where its arguments are known.
            BundleEffect::Change { .. }
            | BundleEffect::Rerun { .. }
            | BundleEffect::Finished(_) => {}
        }
    }

    pub(super) fn ask(&mut self, name: &str, request: &CoordinatorRequest) {
        if let Some(job) = self.submitted.job_of(name) {
            let asked = &mut self.job.batch.scheduled.commands;
            asked.push((job, request.to_text()));
            self.job.after.push(name.to_owned());
            self.job.is_dirty = true;
        }
    }

    /// Creates the job of a coordinator.
    fn make(&mut self, name: &str) -> Result<(), RunError> {
        let coordinators = self.submitted.coordinators.iter();
        let Some(coordinator) = coordinators.clone().find(|it| it.name == name).cloned() else {
            return Ok(());
        };
        let program = self.job.session.program;
        let Some((index, table)) = new::coordinator_of(program, &self.conf, &coordinator.app_path)
        else {
            return Err(RunError::usage(format!(
                "`{}` is not compiled into this executable",
                coordinator.app_path
            )));
        };
        let folder = registry::unpack(&self.job.session.home, program)?;
        let around = SubmissionContext {
            program,
            folder: &folder,
            user: &self.job.row.user,
            site: &self.job.session.site,
            name: Some(name),
        };
        let given = new::given(&self.conf, &coordinator);
        let revision = submission::complete(table, given, around)?;
        let new = NewCoordinator::with_clock(revision, self.job.clock);
        let job = new.job(JobStatus::Running);
        let (id, created) = self.job.child_id(JobKind::Coordinator)?;
        let ownership = self.job.session.reserve(&id)?;
        let row = JobRow {
            app: job.app,
            app_path: job.app_path,
            user: self.job.row.user.clone(),
            status: job.status,
            conf: serde_json::to_string(&job.conf).expect("a map of strings is JSON"),
            hash: program.hash.to_owned(),
            app_index: i64::try_from(index).unwrap_or(i64::MAX),
            parent_id: Some(self.job.row.id.clone()),
            parent_node: Some(name.to_owned()),
            epoch: ownership.epoch(),
            owner_pid: Some(i64::from(std::process::id())),
            ..JobRow::new(&id, created)
        };
        let (coordinator, revision) = new.rows(&row);
        let batch = &mut self.job.batch;
        batch.scheduled.coordinators.push(coordinator);
        batch.scheduled.revisions.push((id.clone(), revision));
        batch.jobs.push(row);
        self.job.fresh.insert(name.to_owned(), ownership);
        for coordinator in &mut self.submitted.coordinators {
            if coordinator.name == name {
                coordinator.job = Some(id.clone());
            }
        }
        self.job
            .journal
            .note(Some(name.to_owned()), "SUBMITTED", Some(id));
        self.job.after.push(name.to_owned());
        self.job.is_dirty = true;
        let status = CoordinatorStatus::Prep;
        self.state
            .coordinators
            .insert(name.to_owned(), Some(status));
        Ok(())
    }

    /// Drives a coordinator if it needs an owner and has none.
    pub(super) fn attach(&mut self, name: &str) -> Result<(), RunError> {
        if self.here.contains(name) {
            return Ok(());
        }
        let Some(job) = self.submitted.job_of(name) else {
            return Ok(());
        };
        if let Some(ownership) = self.job.fresh.remove(name) {
            self.spawn(name, ownership);
            return Ok(());
        }
        let connection = self.job.writer.connection();
        let describe = |error| self.job.session.describe(error);
        let Some(row) = query::job(connection, &job).map_err(describe)? else {
            return Ok(());
        };
        let is_open = !commands::open(connection, &job)
            .map_err(describe)?
            .is_empty();
        if (row.status == JobStatus::Running || is_open) && !self.job.session.has_owner(&job) {
            if row.hash != self.job.session.program.hash {
                detached_owner::start(&self.job.session, &row)?;
            } else if let Some(ownership) = self.job.session.own_briefly(&job)? {
                self.spawn(name, ownership);
            }
        }
        Ok(())
    }

    fn spawn(&mut self, name: &str, ownership: Ownership) {
        self.here.insert(name.to_owned());
        self.job
            .spawn(name.to_owned(), |session, progress, signals| {
                event_loop::run::<coordinator::CoordinatorDriver>(
                    session, ownership, progress, signals,
                )
            });
    }

    /// Updates the states of the coordinators, and takes over those without an owner.
    pub(super) fn look_at_coordinators(&mut self, takes_up: bool) -> Result<(), RunError> {
        if !self.job.has_news()? && !takes_up {
            return Ok(());
        }
        let describe = |error| self.job.session.describe(error);
        let connection = self.job.writer.connection();
        let mut heard = Vec::new();
        for coordinator in &self.submitted.coordinators {
            let Some(job) = &coordinator.job else {
                continue;
            };
            let status = rows::status(connection, job).map_err(describe)?;
            let status = status.as_deref().and_then(CoordinatorStatus::from_name);
            let known = self.state.coordinators.get(&coordinator.name);
            if let Some(status) = status
                && known != Some(&Some(status))
                && !is_asked(connection, job).map_err(describe)?
            {
                heard.push((coordinator.name.clone(), status));
            }
        }
        for (name, status) in heard {
            self.apply(BundleEvent::Coordinator { name, status });
        }
        if takes_up && self.job.is_started() {
            let coordinators = self.submitted.coordinators.iter();
            let names: Vec<String> = coordinators.map(|it| it.name.clone()).collect();
            for name in names {
                self.attach(&name)?;
            }
        }
        Ok(())
    }
}

/// Whether a command on a coordinator is outstanding that may change its state: its row may be older than that. What its workflows report is
/// none: it follows one of them that was rerun by itself, and has said so before the next report arrives.
fn is_asked(connection: &Connection, job: &str) -> sql::Result<bool> {
    let open = commands::open(connection, job)?;
    Ok(open.iter().any(|command| {
        let request = CoordinatorRequest::parse(&command.verb);
        !matches!(request, Some(CoordinatorRequest::WorkflowChanged(_)))
    }))
}

#[cfg(test)]
mod tests {
    use hpdlc_engine::control::coordinator_request::WorkflowChange;
    use hpdlc_host::home::Home;

    use super::*;

    #[test]
    fn what_a_workflow_reports_leaves_the_state_of_its_coordinator_valid() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::open_at(folder.path().to_owned()).unwrap();
        let store = hpdlc_store::open(&home).unwrap();
        query::insert_job(&store, &JobRow::new("1-C", 0)).unwrap();
        assert!(!is_asked(&store, "1-C").unwrap());
        let told = CoordinatorRequest::WorkflowChanged(WorkflowChange {
            action: 1,
            workflow: "2-W".to_owned(),
        });
        for (request, expected) in [(told, false), (CoordinatorRequest::Suspend, true)] {
            commands::add(&store, "1-C", &request.to_text(), 0).unwrap();
            assert_eq!(is_asked(&store, "1-C").unwrap(), expected, "{request:?}");
        }
    }
}
