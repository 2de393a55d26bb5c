//! The actions of a coordinator, on virtual time.

use std::{collections::BTreeMap, sync::Arc};

use chrono::{DateTime, Duration, Utc};
use hpdlc_core::{
    coordinator::{
        Coordinator, CoordinatorActionStatus, CoordinatorStatus,
        machine::{ActionRecord, Missing, SchedulerSettings, missing},
        simulate::{Arrivals, LineError, Outcomes, SimStatusChange, Simulation},
    },
    time::ProcessingZone,
};
use hpdlc_engine::job::submission::APP_PATH_PROPERTY;
use hpdlc_host::job_id::{self, JobKind};
use hpdlc_program::table::{Entry, Program};
use hpdlc_scheduler::coordinator::submission::{self, Revision, SubmissionContext};

use crate::{
    job::Job,
    refusal::Refusal,
    world::{NOWHERE, user_of},
};

/// A coordinator with a script of when its data arrive and how its workflows end.
///
/// It runs on the scheduler of executables, as their command `simulate` does: nothing is started, and no file is looked for.
#[derive(Clone, Debug)]
pub struct Schedule {
    program: &'static Program,
    given: BTreeMap<String, String>,
    site: BTreeMap<String, String>,
    from: Option<String>,
    to: Option<String>,
    arrivals: Vec<String>,
    outcomes: Vec<String>,
}

impl Schedule {
    /// The coordinator of a program.
    ///
    /// # Panics
    ///
    /// If the program is of a workflow or a bundle.
    #[track_caller]
    pub fn of(program: &'static Program) -> Schedule {
        match program.entry {
            Entry::Coordinator => {}
            Entry::Workflow | Entry::Bundle(_) => panic!(
                "the program is of a {}; a schedule is of one coordinator, compiled by itself",
                program.word()
            ),
        }
        Schedule {
            program,
            given: BTreeMap::new(),
            site: BTreeMap::new(),
            from: None,
            to: None,
            arrivals: Vec::new(),
            outcomes: Vec::new(),
        }
    }

    /// Gives a property of the coordinator.
    #[must_use]
    pub fn given(mut self, name: impl Into<String>, value: impl ToString) -> Schedule {
        self.given.insert(name.into(), value.to_string());
        self
    }

    /// Sets a setting of the site (`hpdl-site.xml`).
    #[must_use]
    pub fn site(mut self, name: impl Into<String>, value: impl ToString) -> Schedule {
        self.site.insert(name.into(), value.to_string());
        self
    }

    /// Sets the first nominal time, such as `2026-01-01T00:00Z`; otherwise the start of the coordinator.
    #[must_use]
    pub fn from(mut self, time: &str) -> Schedule {
        self.from = Some(time.to_owned());
        self
    }

    /// Sets when the test stops, exclusive; otherwise a day later.
    #[must_use]
    pub fn to(mut self, time: &str) -> Schedule {
        self.to = Some(time.to_owned());
        self
    }

    /// Says when data arrive: rules such as `logs * +10m` and `logs 2026-01-01T00:00Z never`, of which the last that fits counts.
    /// Without one, each instance arrives at its own time.
    #[must_use]
    pub fn arrivals<'r>(mut self, rules: impl IntoIterator<Item = &'r str>) -> Schedule {
        self.arrivals.extend(rules.into_iter().map(str::to_owned));
        self
    }

    /// Says how workflows end: rules such as `* SUCCEEDED 5m` and `3-7 KILLED`, of which the last that fits counts. Without one, they
    /// succeed at once.
    #[must_use]
    pub fn outcomes<'r>(mut self, rules: impl IntoIterator<Item = &'r str>) -> Schedule {
        self.outcomes.extend(rules.into_iter().map(str::to_owned));
        self
    }

    /// Runs the coordinator over the period.
    ///
    /// # Panics
    ///
    /// If the coordinator is refused, or if a time or a rule is malformed.
    #[must_use]
    #[track_caller]
    pub fn run(self) -> Scheduled {
        match self.try_run() {
            Ok(scheduled) => scheduled,
            Err(refusal) => panic!("{refusal}"),
        }
    }

    /// As [`Schedule::run`], for tests of what is refused.
    ///
    /// # Errors
    ///
    /// What a submission refuses: properties that are missing or malformed, and what Oozie refuses in a coordinator; a malformed time or
    /// rule.
    pub fn try_run(self) -> Result<Scheduled, Refusal> {
        let table = self.program.coordinators[0];
        let around = SubmissionContext {
            program: self.program,
            folder: NOWHERE,
            user: user_of(&self.given),
            site: &self.site,
            name: None,
        };
        let revision = submission::complete(table, self.given.clone(), around)?;
        let coordinator = Arc::clone(&revision.coordinator);
        let zone = coordinator.job.processing_zone();
        let from = match &self.from {
            Some(text) => date("from", text, zone)?,
            None => coordinator.schedule.start,
        };
        let to = match &self.to {
            Some(text) => date("to", text, zone)?,
            None => from + Duration::days(1),
        };
        let datasets: Vec<&str> = coordinator
            .inputs
            .iter()
            .map(|input| input.dataset.name.as_str())
            .collect();
        let wrong = |what: &str, rules: &[String], error: LineError| {
            let rule = &rules[error.line - 1];
            Refusal::new(format!("the {what} `{rule}`: {}", error.message))
        };
        let arrivals = Arrivals::parse(&self.arrivals.join("\n"), &datasets, zone)
            .map_err(|error| wrong("arrival", &self.arrivals, error))?;
        let outcomes = Outcomes::parse(&self.outcomes.join("\n"), zone)
            .map_err(|error| wrong("outcome", &self.outcomes, error))?;
        let simulation = Simulation {
            coordinator: Arc::clone(&coordinator),
            from,
            to,
            settings: SchedulerSettings::default(),
            outcomes,
            arrivals,
        };
        let app = revision.workflow(self.program, 0);
        let mut actions: BTreeMap<u64, ScheduledAction> = BTreeMap::new();
        let end = simulation.run(&mut |event| {
            let SimStatusChange::Action { transition, record } = event.what else {
                return;
            };
            let action = actions.entry(transition.number).or_insert_with(|| {
                let instances = missing(&coordinator, record).into_iter();
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
                        path: revision.app_path.clone(),
                        site: self.site.clone(),
                        is_own: revision.has_own_workflow(),
                    },
                }
            });
            action.follow(&revision, from, event.time, transition.to, record);
        });
        for record in &end.living {
            if let Some(action) = actions.get_mut(&record.number) {
                action.lack(&coordinator, record);
            }
        }
        Ok(Scheduled {
            status: end.status,
            actions: actions.into_values().collect(),
        })
    }
}

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

fn date(what: &str, text: &str, zone: ProcessingZone) -> Result<DateTime<Utc>, Refusal> {
    let read = zone.read(text).map_err(|error| {
        let form = format!("yyyy-MM-ddTHH:mm{}", zone.ending());
        Refusal::new(format!(
            "the time `{what}` is `{text}`: {error}; the form is {form}"
        ))
    });
    Ok(read?.instant)
}
