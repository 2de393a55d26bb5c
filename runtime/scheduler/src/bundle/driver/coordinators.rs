//! The coordinators of a bundle: made and asked in its transactions, driven in this process where nobody else does.

use hpdlc_core::{
    bundle::{Effect, Event},
    coordinator::{CoordinatorStatus, machine::ActionError},
    status::JobStatus,
};
use hpdlc_engine::{
    control::coordinator_request::CoordinatorRequest,
    detached_owner,
    engine::{Ended, Signals},
    owner::Ownership,
    registry,
};
use hpdlc_host::{
    clock,
    exit::{Exit, RunError},
    job_id::{self, JobKind},
};
use hpdlc_store::{JobRow, commands, coordinators as rows, query};

use super::Driver;
use crate::{
    bundle::new,
    coordinator::{
        self, NewCoordinator,
        submission::{self, SubmissionContext},
    },
};

impl Driver {
    /// Everything here shares the transaction of the step.
    pub(super) fn perform(&mut self, effect: Effect) {
        match effect {
            Effect::Submit { name } => {
                // One that could not be submitted ends the others.
                if self.state.record.status.is_terminal() {
                    return;
                }
                match self.make(&name) {
                    Ok(()) => {}
                    Err(error) if error.exit == Exit::Machine => {
                        self.failure.get_or_insert(error);
                    }
                    Err(error) => {
                        let error = ActionError {
                            code: "E1310".to_owned(),
                            message: error.message,
                        };
                        self.apply(Event::NotSubmitted { name, error });
                    }
                }
            }
            Effect::Suspend { name } => self.ask(&name, &CoordinatorRequest::Suspend),
            Effect::Resume { name } => self.ask(&name, &CoordinatorRequest::Resume),
            Effect::Kill { name } => self.ask(&name, &CoordinatorRequest::Kill),
            // Asked where the command is taken, which knows what else was said.
            Effect::Change { .. } | Effect::Rerun { .. } | Effect::Finished(_) => {}
        }
    }

    pub(super) fn job_of(&self, name: &str) -> Option<String> {
        self.submitted.job_of(name)
    }

    pub(super) fn ask(&mut self, name: &str, request: &CoordinatorRequest) {
        if let Some(job) = self.job_of(name) {
            self.asked.push((job, request.to_text()));
            self.after.push_back(name.to_owned());
            self.is_dirty = true;
        }
    }

    /// Makes the job of a coordinator.
    fn make(&mut self, name: &str) -> Result<(), RunError> {
        let coordinators = self.submitted.coordinators.iter();
        let Some(coordinator) = coordinators.clone().find(|it| it.name == name).cloned() else {
            return Ok(());
        };
        let program = self.session.program;
        let Some((index, table)) = new::coordinator_of(program, &self.conf, &coordinator.app_path)
        else {
            return Err(RunError::usage(format!(
                "`{}` is not compiled into this executable",
                coordinator.app_path
            )));
        };
        let folder = registry::unpack(&self.session.home, program)?;
        let around = SubmissionContext {
            program,
            folder: &folder,
            user: &self.row.user,
            site: &self.session.site,
            name: Some(name),
        };
        let given = new::given(&self.conf, &coordinator);
        let revision = submission::complete(table, given, around)?;
        let new = NewCoordinator::with_clock(revision, self.submitted.clock);
        let job = new.job(JobStatus::Running);
        let number = self
            .writer
            .next_job_number()
            .map_err(|error| self.store_failure(&error))?;
        let created = clock::now();
        let id = job_id::job(number, created, JobKind::Coordinator);
        let ownership = self.session.reserve(&id)?;
        let row = JobRow {
            app: job.app,
            app_path: job.app_path,
            user: self.row.user.clone(),
            status: job.status,
            conf: serde_json::to_string(&job.conf).expect("a map of strings is JSON"),
            hash: program.hash.to_owned(),
            app_index: i64::try_from(index).unwrap_or(i64::MAX),
            parent_id: Some(self.row.id.clone()),
            parent_node: Some(name.to_owned()),
            epoch: ownership.epoch(),
            owner_pid: Some(i64::from(std::process::id())),
            ..JobRow::new(&id, created.timestamp_millis())
        };
        self.new_jobs.push((row, new));
        self.fresh.insert(name.to_owned(), ownership);
        for coordinator in &mut self.submitted.coordinators {
            if coordinator.name == name {
                coordinator.job = Some(id.clone());
            }
        }
        self.journal
            .note(Some(name.to_owned()), "SUBMITTED", Some(id));
        self.after.push_back(name.to_owned());
        self.is_dirty = true;
        let status = CoordinatorStatus::Prep;
        self.state
            .coordinators
            .insert(name.to_owned(), Some(status));
        Ok(())
    }

    /// Drives a coordinator where nobody else does and somebody has to.
    pub(super) fn attach(&mut self, name: &str) -> Result<(), RunError> {
        if self.here.contains(name) {
            return Ok(());
        }
        let Some(job) = self.job_of(name) else {
            return Ok(());
        };
        if let Some(ownership) = self.fresh.remove(name) {
            self.spawn(name, ownership);
            return Ok(());
        }
        let connection = self.writer.connection();
        let describe = |error| self.session.describe(error);
        let Some(row) = query::job(connection, &job).map_err(describe)? else {
            return Ok(());
        };
        let is_open = !commands::open(connection, &job)
            .map_err(describe)?
            .is_empty();
        if (row.status == JobStatus::Running || is_open) && !self.session.has_owner(&job) {
            if row.hash != self.session.program.hash {
                detached_owner::start(&self.session, &row)?;
            } else if let Some(ownership) = self.session.own_briefly(&job)? {
                self.spawn(name, ownership);
            }
        }
        Ok(())
    }

    fn spawn(&mut self, name: &str, ownership: Ownership) {
        self.here.insert(name.to_owned());
        let (session, outbox) = (self.session.clone(), self.outbox.clone());
        let (name, progress) = (name.to_owned(), self.journal.progress());
        let signals = Signals::of_driver(self.drain.subscribe());
        tokio::task::spawn_local(async move {
            let result = coordinator::drive(session, ownership, progress, signals).await;
            // The bundle's driver may have let go.
            let _ = outbox.send((name, result));
        });
    }

    pub(super) fn driven(
        &mut self,
        name: &str,
        result: Result<Ended, RunError>,
    ) -> Result<(), RunError> {
        self.here.remove(name);
        match result {
            Ok(_) => self.look(true),
            Err(error) if error.exit == Exit::Machine => Err(error.and_recover(&self.row.id)),
            Err(error) => {
                let words = format!("coordinator {name}: {error}");
                self.journal.warn(Some(name.to_owned()), words);
                Ok(())
            }
        }
    }

    /// Hears of the states of the coordinators, and takes up those that nobody drives.
    pub(super) fn look(&mut self, takes_up: bool) -> Result<(), RunError> {
        let describe = |error| self.session.describe(error);
        let connection = self.writer.connection();
        let version = query::data_version(connection).map_err(describe)?;
        if version == self.seen_version && !takes_up {
            return Ok(());
        }
        self.seen_version = version;
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
                && !commands::is_asked(connection, job).map_err(describe)?
            {
                heard.push((coordinator.name.clone(), status));
            }
        }
        for (name, status) in heard {
            self.apply(Event::Coordinator { name, status });
        }
        if takes_up && self.is_started() {
            let coordinators = self.submitted.coordinators.iter();
            let names: Vec<String> = coordinators.map(|it| it.name.clone()).collect();
            for name in names {
                self.attach(&name)?;
            }
        }
        Ok(())
    }
}
