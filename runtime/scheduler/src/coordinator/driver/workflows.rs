//! The workflow jobs of a coordinator's actions: created in the transaction that records the intent, driven here or polled.

use std::{collections::BTreeMap, rc::Rc};

use hpdlc_core::{
    coordinator::{
        CoordinatorActionStatus,
        machine::{ActionFault, Command, CoordinatorEvent},
    },
    status::JobStatus,
};
use hpdlc_engine::{
    control::Verb,
    detached_owner,
    job::rerun_plan::{self, Busy},
    job::submission,
    owner::Ownership,
    registry, sla,
};
use hpdlc_host::{
    bell, clock,
    exit::{Exit, RunError},
    job_id::JobKind,
    settings::Settings,
};
use hpdlc_store::{JobRow, commands, query};

use crate::coordinator::{
    driver::CoordinatorDriver,
    plan,
    submission::{Revision, unknown_workflow},
};

/// The code for an action whose workflow is not found (E0710).
const NOT_FOUND: &str = "E0710";

/// The workflow job of an action that is not over.
#[derive(Debug)]
pub(super) struct Workflow {
    pub(super) id: String,
    place: DriverPlace,
    /// The status last reported to the state machine.
    reported: Option<JobStatus>,
}

/// Where its owner is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DriverPlace {
    /// In this process.
    Here,
    /// In another one, or nowhere.
    Elsewhere,
}

impl Workflow {
    pub(super) fn found(id: String) -> Workflow {
        Workflow {
            id,
            place: DriverPlace::Elsewhere,
            reported: None,
        }
    }

    pub(super) fn is_here(&self) -> bool {
        self.place == DriverPlace::Here
    }

    /// This process has released it.
    pub(super) fn left(&mut self) {
        self.place = DriverPlace::Elsewhere;
        self.reported = None;
    }
}

impl CoordinatorDriver {
    /// Creates the workflow job of an action, to be written with the other changes.
    pub(super) fn submit(&mut self, number: u64, keeps_workflow: bool) {
        let record = self.state.action(number);
        if record.is_none_or(|record| record.status != CoordinatorActionStatus::Submitted) {
            // It failed in the same step.
            return;
        }
        let kept = keeps_workflow.then(|| self.workflow_row(number)).flatten();
        let made = match kept {
            Some(row) => self.make_rerun(number, &row.id),
            None => self.make_workflow(number),
        };
        match made {
            Ok(()) => {}
            Err(Unmade::Refused(error)) => {
                self.apply(CoordinatorEvent::NotMade { number, error });
            }
            Err(Unmade::Machine(error)) => {
                self.job.failure.get_or_insert(error);
            }
        }
    }

    fn make_workflow(&mut self, number: u64) -> Result<(), Unmade> {
        let (revision, conf) = self.configuration_of(number)?;
        let child = self.job.child_id(JobKind::Workflow);
        let (id, created) = child.map_err(Unmade::Machine)?;
        let row = JobRow {
            app_path: revision.app_path.clone(),
            user: self.job.row.user.clone(),
            status: JobStatus::Running,
            conf: String::new(),
            hash: revision.hash.clone(),
            parent_id: Some(format!("{}@{number}", self.job.row.id)),
            ..JobRow::new(&id, created)
        };
        let own = if revision.hash == self.job.session.program.hash {
            let own = usize::try_from(self.job.row.app_index).unwrap_or_default();
            revision.workflow(self.job.session.program, own)
        } else {
            None
        };
        let row = match own {
            Some(index) => {
                let app = self.job.session.program.apps[index];
                let folder = self.job.session.home.apps().join(&revision.hash);
                let folder = folder.join(app.folder).display().to_string();
                let mut conf = conf;
                if revision.has_own_workflow() {
                    conf.insert(submission::APP_PATH_PROPERTY.to_owned(), folder.clone());
                }
                let submission = submission::complete(app, conf, &folder, &self.job.row.user)
                    .map_err(|error| refused("E0738", error.line()))?;
                let settings = Settings {
                    conf: &submission.conf,
                    site: &self.job.session.site,
                };
                self.job
                    .batch
                    .slas
                    .extend(sla::registered(&id, &submission.slas, settings));
                let ownership = self.job.session.reserve(&id).map_err(Unmade::Machine)?;
                let row = JobRow {
                    app: submission.app_name,
                    app_path: submission.app_path,
                    conf: json(&submission.conf),
                    app_index: i64::try_from(index).unwrap_or(i64::MAX),
                    epoch: ownership.epoch(),
                    owner_pid: Some(i64::from(std::process::id())),
                    ..row
                };
                self.job.fresh.insert(number, ownership);
                row
            }
            // Its own executable completes it before it starts.
            None => {
                let hash = self.executable_of(&revision)?;
                self.job.batch.scheduled.unprepared.push(id.clone());
                JobRow {
                    app: self.job.row.app.clone(),
                    conf: json(&conf),
                    hash,
                    ..row
                }
            }
        };
        self.job.batch.jobs.push(row);
        self.workflows.insert(number, Workflow::found(id));
        Ok(())
    }

    /// The properties of an action's workflow, and their revision.
    fn configuration_of(
        &self,
        number: u64,
    ) -> Result<(Rc<Revision>, BTreeMap<String, String>), Unmade> {
        let lost = || {
            Unmade::Machine(RunError::machine(format!(
                "action {number} of coordinator {} is not known to its driver",
                self.job.row.id
            )))
        };
        let record = self.state.action(number).ok_or_else(lost)?;
        let current = self.state.job().revision;
        let revision = self.revisions.get(&record.revision);
        let revision = revision.or_else(|| self.revisions.get(&current));
        let revision = Rc::clone(revision.ok_or_else(lost)?);
        let id = format!("{}@{number}", self.job.row.id);
        let conf = revision.workflow_properties(record, id);
        let conf = conf.map_err(Unmade::Refused)?;
        Ok((revision, conf))
    }

    /// The executable with the workflow of a revision: that of the revision, or a registered one.
    fn executable_of(&self, revision: &Revision) -> Result<String, Unmade> {
        let app_path = &revision.app_path;
        if revision.hash != self.job.session.program.hash
            && registry::is_runnable(&self.job.session.home, &revision.hash)
        {
            return Ok(revision.hash.clone());
        }
        let registered = self
            .job
            .writer
            .registered(app_path)
            .map_err(|error| Unmade::Machine(self.job.store_failure(&error)))?;
        match registered {
            Some(definition) => Ok(definition.hash),
            None => Err(refused(NOT_FOUND, unknown_workflow(app_path))),
        }
    }

    /// Prepares a further run of the failed nodes of an action's workflow. The plan is based on the state read after no other process can
    /// change it.
    fn make_rerun(&mut self, number: u64, id: &str) -> Result<(), Unmade> {
        let owned = rerun_plan::own(&self.job.session, id).map_err(Unmade::Machine)?;
        let Some(row) = self.workflow_row(number) else {
            return self.make_workflow(number);
        };
        if !row.status.is_terminal() {
            // It was rerun by itself meanwhile: that is the requested run.
            return Ok(());
        }
        let ownership = owned.map_err(|busy| {
            let why = match busy {
                Busy::Owner => "its owner is still at work",
                Busy::Canceling => "its processes are still being ended",
            };
            refused("E1018", format!("the workflow {id} has ended, and {why}"))
        })?;
        if row.hash != self.job.session.program.hash {
            let problem = format!(
                "the workflow {id} belongs to another definition ({}); type: rerun {id} --failed",
                row.hash
            );
            return Err(refused("E1018", problem));
        }
        let prepared = plan::again(&self.as_known(), &row).map_err(|error| match error.exit {
            Exit::Machine => Unmade::Machine(error),
            _ => refused("E1018", error.message),
        })?;
        let mut new_run = prepared.new_run();
        new_run.job.status = JobStatus::Running;
        self.job.fresh.insert(number, ownership);
        self.job.batch.new_runs.push(new_run);
        self.workflows
            .insert(number, Workflow::found(id.to_owned()));
        Ok(())
    }

    /// Starts the workflow of an action, or finds it again.
    pub(super) fn start(&mut self, number: u64) {
        let fresh = self.job.fresh.remove(&number);
        let Some(row) = self.workflow_row(number) else {
            return;
        };
        if let Some(ownership) = fresh {
            self.spawn(number, ownership, false);
            self.report(number, JobStatus::Running);
            return;
        }
        self.attach(number);
        if row.status == JobStatus::Running {
            self.report(number, JobStatus::Running);
        }
    }

    /// Drives the workflow of an action if it has no owner, and reports its status to the state machine.
    pub(super) fn attach(&mut self, number: u64) {
        if self.workflows.get(&number).is_none_or(Workflow::is_here) {
            return;
        }
        let Some(row) = self.workflow_row(number) else {
            return;
        };
        let connection = self.job.writer.connection();
        let is_open = commands::open(connection, &row.id).is_ok_and(|open| !open.is_empty());
        // It has ended when nothing of it runs any more.
        let is_canceling =
            row.status.is_terminal() && query::is_canceling(connection, &row.id).unwrap_or(true);
        let needs_owner = row.status == JobStatus::Running || is_open || is_canceling;
        if needs_owner && !self.job.session.has_owner(&row.id) {
            let is_ours = row.hash == self.job.session.program.hash && !self.is_unprepared(&row.id);
            let result = if is_ours {
                self.job.session.own_briefly(&row.id).map(|ownership| {
                    if let Some(ownership) = ownership {
                        self.spawn(number, ownership, true);
                    }
                })
            } else {
                // Its row shows whether it goes on.
                detached_owner::start(&self.job.session, &row).map(drop)
            };
            if let Err(error) = result {
                let words = format!("workflow {}: {error}", row.id);
                self.job.journal.warn(None, words);
            }
        }
        if !is_canceling && !self.workflows.get(&number).is_some_and(Workflow::is_here) {
            self.report_row(number, &row);
        }
    }

    /// Reports the status of a row, unless it is older than a command that the workflow has not handled yet.
    fn report_row(&mut self, number: u64, row: &JobRow) {
        if row.status.is_terminal() || !self.is_asked(&row.id) {
            self.report(number, row.status);
        }
    }

    pub(super) fn is_asked(&self, id: &str) -> bool {
        commands::is_asked(self.job.writer.connection(), id).unwrap_or(false)
    }

    fn is_unprepared(&self, id: &str) -> bool {
        hpdlc_store::coordinators::is_unprepared(self.job.writer.connection(), id).unwrap_or(false)
    }

    fn spawn(&mut self, number: u64, ownership: Ownership, is_recovery: bool) {
        if let Some(workflow) = self.workflows.get_mut(&number) {
            workflow.place = DriverPlace::Here;
        }
        self.job
            .spawn(number, |session, progress, signals| async move {
                session
                    .drive_workflow(ownership, is_recovery, Box::new(progress), signals, false)
                    .await
            });
    }

    pub(super) fn report(&mut self, number: u64, status: JobStatus) {
        if let Some(workflow) = self.workflows.get_mut(&number) {
            workflow.reported = Some(status);
        }
        self.apply(CoordinatorEvent::Workflow { number, status });
    }

    /// Passes a command on to the workflow of an action.
    pub(super) fn command(&mut self, number: u64, command: Command) {
        let Some(row) = self.workflow_row(number) else {
            return;
        };
        let verb = match command {
            Command::Suspend => Verb::Suspend,
            Command::Resume => Verb::Resume,
            Command::Kill => Verb::Kill,
        };
        if row.status.is_terminal() {
            self.attach(number);
            return;
        }
        let asked = match commands::open_since(self.job.writer.connection(), &row.id) {
            Ok(asked) => asked,
            Err(error) => {
                self.job
                    .failure
                    .get_or_insert(self.job.session.describe(error));
                return;
            }
        };
        let last = asked.last().map(|(verb, _)| verb.as_str());
        if last.is_none() && verb.refusal(&row.id, row.status).is_some() {
            self.report(number, row.status);
            return;
        }
        // An earlier owner of the coordinator may have sent the same.
        if last != Some(verb.name()) {
            let now = clock::now_millis();
            let added = commands::add(self.job.writer.connection(), &row.id, verb.name(), now);
            if let Err(error) = added {
                self.job
                    .failure
                    .get_or_insert(self.job.session.describe(error));
                return;
            }
        }
        if let Some(workflow) = self.workflows.get_mut(&number) {
            // Its next status is new, whatever it is.
            workflow.reported = None;
        }
        bell::ring(&self.job.session.home, &row.id);
        self.attach(number);
    }

    /// Checks the workflows that other processes drive, or that have no owner.
    pub(super) fn look_elsewhere(&mut self) -> Result<(), RunError> {
        let has_changed = self.job.has_news()?;
        let elsewhere: Vec<u64> = self
            .workflows
            .iter()
            .filter(|(_, workflow)| {
                let is_at_rest = workflow.reported == Some(JobStatus::Suspended);
                !workflow.is_here() && (has_changed || !is_at_rest)
            })
            .map(|(number, _)| *number)
            .collect();
        for number in elsewhere {
            self.attach(number);
        }
        if has_changed {
            self.look_here();
        }
        Ok(())
    }

    /// Checks whether a workflow that is driven here was suspended or resumed by itself: its engine may go on with a sub-workflow.
    fn look_here(&mut self) {
        let here = self.workflows.iter().filter(|(_, it)| it.is_here());
        let known: Vec<(u64, Option<JobStatus>)> =
            here.map(|(number, it)| (*number, it.reported)).collect();
        for (number, reported) in known {
            let Some(row) = self.workflow_row(number) else {
                continue;
            };
            let is_news = Some(row.status) != reported
                && matches!(row.status, JobStatus::Running | JobStatus::Suspended);
            if is_news {
                self.report_row(number, &row);
            }
        }
    }

    fn workflow_row(&mut self, number: u64) -> Option<JobRow> {
        let id = match self.workflows.get(&number) {
            Some(workflow) => workflow.id.clone(),
            None => {
                let connection = self.job.writer.connection();
                let row = hpdlc_store::coordinators::action(connection, &self.job.row.id, number)
                    .ok()??;
                let id = row.workflow_id?;
                self.workflows.insert(number, Workflow::found(id.clone()));
                id
            }
        };
        match query::job(self.job.writer.connection(), &id) {
            Ok(row) => row,
            Err(error) => {
                self.job
                    .failure
                    .get_or_insert(self.job.session.describe(error));
                None
            }
        }
    }
}

/// Why the workflow job was not created.
enum Unmade {
    /// The action fails.
    Refused(ActionFault),
    Machine(RunError),
}

fn refused(code: &str, message: String) -> Unmade {
    Unmade::Refused(ActionFault {
        code: code.to_owned(),
        message,
    })
}

fn json(conf: &BTreeMap<String, String>) -> String {
    serde_json::to_string(conf).expect("a map of strings is JSON")
}
