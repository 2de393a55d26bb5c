//! The actions of a coordinator, on virtual time.

use std::{collections::BTreeMap, sync::Arc};

use chrono::Duration;
use hpdlc_core::coordinator::{machine::SchedulerSettings, simulate::Simulation};
use hpdlc_program::table::{Entry, Program};
use hpdlc_scheduler::coordinator::submission::{self, SubmissionContext};

use crate::{
    refusal::Refusal,
    rules,
    scheduled::{Scheduled, Submitted},
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
            Entry::Workflow => {
                panic!("the program is of a workflow, which has no schedule: Job::of runs it")
            }
            Entry::Bundle(_) => panic!(
                "the program is of a bundle: BundleSchedule::of runs all of its coordinators"
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

    /// Gives properties of the coordinator, such as those of the generated `Params`.
    #[must_use]
    pub fn given_all<N: Into<String>, V: ToString>(
        self,
        properties: impl IntoIterator<Item = (N, V)>,
    ) -> Schedule {
        let properties = properties.into_iter();
        properties.fold(self, |schedule, (name, value)| schedule.given(name, value))
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
            Some(text) => rules::date("from", text, zone)?,
            None => coordinator.schedule.start,
        };
        let to = match &self.to {
            Some(text) => rules::date("to", text, zone)?,
            None => from + Duration::days(1),
        };
        let simulation = Simulation {
            from,
            submitted: from,
            to,
            settings: SchedulerSettings::default(),
            outcomes: rules::outcomes(&self.outcomes, zone)?,
            arrivals: rules::arrivals(&self.arrivals, &coordinator)?,
            coordinator,
        };
        let submitted = Submitted {
            program: self.program,
            place: 0,
            revision,
            site: &self.site,
        };
        Ok(submitted.run(&simulation, &mut |_, _| {}))
    }
}
