//! Drives one coordinator: the state machine's events become rows and effects, and its workflows run in this process.

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
    sync::Arc,
    time::{Duration, Instant},
};

use chrono::{DateTime, Utc};
use hpdlc_core::{
    coordinator::{
        CoordinatorActionStatus, CoordinatorStatus,
        machine::{ActionRecord, CoordinatorEffect, CoordinatorEvent, CoordinatorState, Revisions},
    },
    status::JobStatus,
};
use hpdlc_engine::{
    control::coordinator_request::CoordinatorRequest, engine::JobCompletion, sla::ActionSlas,
};
use hpdlc_files::AccessSettings;
use hpdlc_host::{drain, exit::RunError, mask::Mask, settings::Settings};
use hpdlc_store::{JobRow, coordinators::CoordinatorRow, query, slas as sla_rows};

use crate::{
    clock::Clock,
    coordinator::{
        data::{DataLookup, DataNews},
        limits,
        stored::StoredCoordinator,
        submission::Revision,
    },
    event_loop::{CommandAnswer, OwnedJob, Supervisor},
};

mod commands;
mod record;
mod slas;
mod workflows;

use self::workflows::Workflow;

/// A coordinator that this process drives.
pub struct CoordinatorDriver {
    job: OwnedJob<CoordinatorDriver>,
    coordinator: CoordinatorRow,
    /// The definitions and properties of actions, by number.
    revisions: BTreeMap<u32, Rc<Revision>>,
    /// The same, for the state machine.
    definitions: Revisions,
    state: CoordinatorState,
    data: DataLookup,
    slas: ActionSlas,
    /// Those of actions that are not over.
    workflows: BTreeMap<u64, Workflow>,
    // For the next transaction.
    dirty_actions: BTreeMap<u64, ActionRecord>,
    deleted: BTreeSet<u64>,
    /// The job belongs to another definition by now: its own executable continues it.
    has_moved: bool,
    /// A command that waits until its subject has stopped, and since when.
    postponed: Option<(i64, Instant)>,
    /// The state last reported to the bundle above.
    told: CoordinatorStatus,
}

impl Supervisor for CoordinatorDriver {
    /// An action's number.
    type Child = u64;
    type Effect = CoordinatorEffect;
    type News = DataNews;

    const NOUN: &'static str = "coordinator";
    const CHILDREN: &'static str = "workflows";
    const DRAIN_MARGIN: Duration = Duration::from_secs(5);

    fn load(mut job: OwnedJob<CoordinatorDriver>) -> Result<CoordinatorDriver, RunError> {
        let (session, store, root) = (&job.session, job.writer.connection(), job.id());
        let StoredCoordinator {
            row,
            coordinator,
            revisions,
            definitions,
            state,
            workflows,
        } = StoredCoordinator::load(session, store, root)?;
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
        let unfinished_slas =
            sla_rows::unfinished(store, root).map_err(|error| session.describe(error))?;
        let mask = Mask::of_all(revisions.values().map(|revision| &revision.conf));
        let access = AccessSettings::of(&own.conf, &session.site);
        job.set(Clock::stored(coordinator.clock.as_deref()), mask);
        Ok(CoordinatorDriver {
            data: DataLookup::new(access, job.outbox.clone()),
            job,
            coordinator,
            revisions,
            definitions,
            state,
            workflows,
            dirty_actions: BTreeMap::new(),
            deleted: BTreeSet::new(),
            slas: ActionSlas::of_store(unfinished_slas),
            has_moved: false,
            postponed: None,
            told,
        })
    }

    fn job(&self) -> &OwnedJob<CoordinatorDriver> {
        &self.job
    }

    fn job_mut(&mut self) -> &mut OwnedJob<CoordinatorDriver> {
        &mut self.job
    }

    /// Those of the job by its current definition.
    fn settings(&self) -> Option<Settings<'_>> {
        let revision = self.revisions.get(&self.state.job().revision)?;
        Some(Settings {
            conf: &revision.conf,
            site: &self.job.session.site,
        })
    }

    fn take_up(&mut self) {
        self.begin();
        self.job.after.extend(self.state.outstanding());
        // The results of workflows that ran or were suspended meanwhile.
        let numbers: Vec<u64> = self
            .state
            .actions()
            .filter(|action| {
                matches!(
                    action.status,
                    CoordinatorActionStatus::Running | CoordinatorActionStatus::Suspended
                )
            })
            .map(|action| action.number)
            .collect();
        for number in numbers {
            self.attach(number);
        }
        self.apply(CoordinatorEvent::Tick);
    }

    fn wake(&self) -> Option<DateTime<Utc>> {
        let sla = self.slas.next_look();
        let sla = sla.and_then(DateTime::from_timestamp_millis);
        let wake = self.state.wake(&self.definitions);
        wake.into_iter().chain(sla).min()
    }

    fn tick(&mut self) {
        self.look_at_slas();
        let due = self.state.wake(&self.definitions);
        if due.is_some_and(|due| due <= self.job.clock.now()) {
            self.apply(CoordinatorEvent::Tick);
        }
    }

    fn kill(&mut self) {
        self.apply(CoordinatorEvent::Kill);
    }

    fn obey(&mut self, id: i64, text: &str) -> Result<CommandAnswer, RunError> {
        if self.has_moved {
            // The next owner carries it out.
            return Ok(CommandAnswer::Postponed);
        }
        let Some(request) = CoordinatorRequest::parse(text) else {
            // A newer executable may send a command unknown to this one.
            let words = format!("unknown command `{text}`");
            self.job.journal.warn(None, words.clone());
            return Ok(CommandAnswer::Refused(words));
        };
        if self.must_wait(id, &request)? {
            return Ok(CommandAnswer::Postponed);
        }
        self.postponed = None;
        Ok(CommandAnswer::of(self.carry_out(request)))
    }

    async fn news(&mut self) -> DataNews {
        self.data.arrived().await
    }

    fn take(&mut self, news: DataNews) -> Result<(), RunError> {
        match news {
            DataNews::Arrived(uris) => self.data.look(uris),
            DataNews::Looked(answers) => {
                self.data.answered(&answers);
                self.apply(CoordinatorEvent::Looked(answers));
            }
            DataNews::Searched(event) => {
                self.apply(*event);
            }
        }
        Ok(())
    }

    fn look(&mut self) -> Result<(), RunError> {
        self.look_elsewhere()
    }

    fn let_go(&mut self, number: &u64) {
        if let Some(workflow) = self.workflows.get_mut(number) {
            workflow.left();
        }
    }

    fn ended(&mut self, number: u64, ended: JobCompletion) -> Result<(), RunError> {
        let status = match ended.suspended {
            // If a sub-workflow waits for the user, the workflow counts as suspended.
            Some(_) => JobStatus::Suspended,
            None => ended.job.status,
        };
        let id = ended.job.id;
        if !status.is_terminal() && self.is_asked(&id) {
            // A command arrived while the engine released it: it is taken over again.
            self.attach(number);
        } else {
            self.report(number, status);
        }
        Ok(())
    }

    fn is_clean(&self) -> bool {
        self.job.is_clean()
            && self.dirty_actions.is_empty()
            && self.deleted.is_empty()
            && self.slas.is_clean()
    }

    fn write(&mut self) -> Result<(), RunError> {
        self.record()
    }

    fn perform(&mut self, effects: Vec<CoordinatorEffect>) -> Result<(), RunError> {
        let mut looks = Vec::new();
        for effect in effects {
            match effect {
                CoordinatorEffect::Start { number } => self.start(number),
                CoordinatorEffect::Command { number, command } => self.command(number, command),
                CoordinatorEffect::Look { uri } => looks.push(uri),
                CoordinatorEffect::Search { number, inputs } => {
                    if let Some(record) = self.state.action(number) {
                        let coordinator = Arc::clone(self.definitions.of(record.revision));
                        self.data.search(coordinator, record.clone(), inputs);
                    }
                }
                CoordinatorEffect::Forget { uri } => self.data.forget(&uri),
                CoordinatorEffect::Submit { .. } | CoordinatorEffect::Finished(_) => {}
            }
        }
        if !looks.is_empty() {
            self.data.look(looks);
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        if self.has_moved {
            return true;
        }
        if self.postponed.is_some() {
            return false;
        }
        let runs_here = self.workflows.values().any(Workflow::is_here);
        let has_work = self.state.actions().next().is_some();
        match self.state.job().status {
            CoordinatorStatus::Prep | CoordinatorStatus::PrepPaused => !self.job.is_started(),
            CoordinatorStatus::Running | CoordinatorStatus::RunningWithError => false,
            CoordinatorStatus::Paused | CoordinatorStatus::PausedWithError => !has_work,
            CoordinatorStatus::PrepSuspended
            | CoordinatorStatus::Suspended
            | CoordinatorStatus::SuspendedWithError => {
                !runs_here && self.state.outstanding().is_empty()
            }
            CoordinatorStatus::Succeeded
            | CoordinatorStatus::DoneWithError
            | CoordinatorStatus::Killed
            | CoordinatorStatus::Failed
            | CoordinatorStatus::Ignored => !runs_here && !has_work,
        }
    }

    fn running(&self) -> Vec<String> {
        let here = self.workflows.iter().filter(|(_, it)| it.is_here());
        here.map(|(number, workflow)| format!("{} of action {number}", workflow.id))
            .collect()
    }

    fn title(number: &u64) -> String {
        format!("action {number}")
    }

    fn drain_elsewhere(&self) -> Vec<JobRow> {
        let elsewhere = self.workflows.values().filter(|it| !it.is_here());
        let connection = self.job.writer.connection();
        let rows = elsewhere.filter_map(|workflow| query::job(connection, &workflow.id).ok()?);
        rows.filter(|row| drain::pass_on(&row.id, row.owner_pid).is_some())
            .collect()
    }
}

impl CoordinatorDriver {
    /// The secrets of all revisions that are in use.
    fn mask(&self) -> Mask {
        Mask::of_all(self.revisions.values().map(|revision| &revision.conf))
    }

    fn begin(&mut self) {
        if self.job.begin() {
            for words in limits::capped(&self.definitions.current().controls) {
                self.job.journal.warn(None, words);
            }
        }
    }
}
