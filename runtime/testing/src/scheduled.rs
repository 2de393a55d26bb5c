//! What became of a coordinator in the period, and how it is run over it.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use hpdlc_core::coordinator::{
    Coordinator, CoordinatorActionStatus, CoordinatorStatus,
    machine::{ActionRecord, Missing, missing},
    simulate::{SimStatusChange, Simulation},
};
use hpdlc_engine::job::submission::APP_PATH_PROPERTY;
use hpdlc_host::job_id::{self, JobKind};
use hpdlc_program::table::Program;
use hpdlc_scheduler::coordinator::submission::Revision;

use crate::job::Job;

/// What became of a coordinator in the period.
#[derive(Clone, Debug)]
pub struct Scheduled {
    /// At the end of the period.
    pub status: CoordinatorStatus,
    /// The actions that were made, by number.
    pub actions: Vec<ScheduledAction>,
}

impl Scheduled {
    /// The action with this number; the first of a coordinator is 1.
    ///
    /// # Panics
    ///
    /// If there is none in the period.
    #[track_caller]
    pub fn action(&self, number: u64) -> &ScheduledAction {
        let mut actions = self.actions.iter();
        match actions.find(|action| action.number == number) {
            Some(action) => action,
            None => {
                let numbers = self.actions.iter().map(|action| action.number.to_string());
                let numbers: Vec<String> = numbers.collect();
                panic!(
                    "there is no action {number} in the period; there are {}",
                    numbers.join(", ")
                )
            }
        }
    }
}

/// One action of a coordinator.
#[derive(Clone, Debug)]
pub struct ScheduledAction {
    pub number: u64,
    pub nominal: DateTime<Utc>,
    /// At the end of the period.
    pub status: CoordinatorActionStatus,
    /// When it was made, when all its data were there, when its workflow started, and when it was over.
    pub created: DateTime<Utc>,
    pub ready: Option<DateTime<Utc>>,
    pub started: Option<DateTime<Utc>>,
    pub ended: Option<DateTime<Utc>>,
    /// The instances that it needs, without those that `latest` and `future` look for.
    pub waits_for: Vec<Instance>,
    /// Those of them that it lacks: it waits for them, or has timed out.
    pub missing: Vec<Instance>,
    /// Why it FAILED: its properties have no value, for instance.
    pub error: Option<String>,
    /// The properties of its workflow; empty until it starts.
    pub properties: BTreeMap<String, String>,
    workflow: Workflow,
}

/// The workflow that an action starts.
#[derive(Clone, Debug)]
struct Workflow {
    program: &'static Program,
    /// Its index, if it is compiled in.
    app: Option<usize>,
    path: String,
    site: BTreeMap<String, String>,
    /// It is in the coordinator's own folder.
    is_own: bool,
}

/// An instance of a dataset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// The name of the `data-in`.
    pub event: String,
    pub dataset: String,
    pub time: DateTime<Utc>,
    /// What has to exist: the done flag, if there is one.
    pub uri: String,
}

impl Instance {
    fn of(missing: Missing) -> Instance {
        Instance {
            event: missing.event,
            dataset: missing.dataset,
            time: missing.instance,
            uri: missing.uri,
        }
    }
}

impl ScheduledAction {
    fn follow(
        &mut self,
        revision: &Revision,
        created: DateTime<Utc>,
        time: DateTime<Utc>,
        status: CoordinatorActionStatus,
        record: &ActionRecord,
    ) {
        use CoordinatorActionStatus as A;
        if self.error.is_some() {
            // It was over before it had a workflow.
            return;
        }
        self.status = status;
        match status {
            A::Ready => self.ready = Some(time),
            A::Submitted => {
                let job = job_id::job(0, created, JobKind::Coordinator);
                let id = format!("{job}@{}", self.number);
                match revision.workflow_properties(record, id) {
                    Ok(properties) => self.properties = properties,
                    Err(error) => {
                        self.status = A::Failed;
                        self.ended = Some(time);
                        self.error = Some(format!("{}: {}", error.code, error.message));
                    }
                }
            }
            A::Running => self.started = self.started.or(Some(time)),
            _ if status.is_terminal() => {
                self.ended = Some(time);
                let error = record.error.as_ref();
                self.error = error.map(|error| format!("{}: {}", error.code, error.message));
                if status == A::TimedOut {
                    self.lack(&revision.coordinator, record);
                }
            }
            _ => {}
        }
    }

    fn lack(&mut self, coordinator: &Coordinator, record: &ActionRecord) {
        let instances = missing(coordinator, record).into_iter();
        self.missing = instances.map(Instance::of).collect();
    }

    /// A job of its workflow with its properties, to run in the same test.
    ///
    /// # Panics
    ///
    /// If it has not started, or if its workflow is not compiled in.
    #[track_caller]
    pub fn job(&self) -> Job {
        let Some(started) = self.started else {
            panic!(
                "action {} is {} and has started no workflow",
                self.number, self.status
            );
        };
        let Some(app) = self.workflow.app else {
            panic!(
                "workflow `{}` is not compiled into the program",
                self.workflow.path
            );
        };
        let mut properties = self.properties.clone();
        if self.workflow.is_own {
            // The folder is the job's own.
            properties.remove(APP_PATH_PROPERTY);
        }
        let job = Job::of_app(self.workflow.program, app).begins(started);
        let site = self.workflow.site.iter();
        site.fold(job.given_all(properties), |job, (name, value)| {
            job.site(name, value)
        })
    }
}

/// A coordinator of a program, with its properties.
pub(crate) struct Submitted<'a> {
    pub(crate) program: &'static Program,
    /// Its index in the program.
    pub(crate) place: usize,
    pub(crate) revision: Revision,
    pub(crate) site: &'a BTreeMap<String, String>,
}

impl Submitted<'_> {
    /// Runs it as the simulation says; `status` hears of its states.
    pub(crate) fn run(
        &self,
        simulation: &Simulation,
        status: &mut dyn FnMut(DateTime<Utc>, CoordinatorStatus),
    ) -> Scheduled {
        let coordinator = &simulation.coordinator;
        let app = self.revision.workflow(self.program, self.place);
        let mut actions: BTreeMap<u64, ScheduledAction> = BTreeMap::new();
        let end = simulation.run(&mut |event| {
            let (transition, record) = match event.what {
                SimStatusChange::Action { transition, record } => (transition, record),
                SimStatusChange::Coordinator(now) => return status(event.time, now),
            };
            let action = actions.entry(transition.number).or_insert_with(|| {
                let instances = missing(coordinator, record).into_iter();
                ScheduledAction {
                    number: transition.number,
                    nominal: transition.nominal,
                    status: transition.to,
                    created: event.time,
                    ready: None,
                    started: None,
                    ended: None,
                    waits_for: instances.map(Instance::of).collect(),
                    missing: Vec::new(),
                    error: None,
                    properties: BTreeMap::new(),
                    workflow: Workflow {
                        program: self.program,
                        app,
                        path: self.revision.app_path.clone(),
                        site: self.site.clone(),
                        is_own: self.revision.has_own_workflow(),
                    },
                }
            });
            let begin = simulation.submitted;
            action.follow(&self.revision, begin, event.time, transition.to, record);
        });
        for record in &end.living {
            if let Some(action) = actions.get_mut(&record.number) {
                action.lack(coordinator, record);
            }
        }
        Scheduled {
            status: end.status,
            actions: actions.into_values().collect(),
        }
    }
}
