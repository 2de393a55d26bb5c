//! The coordinators of a bundle, on virtual time.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use chrono::{DateTime, Duration, Utc};
use hpdlc_core::{
    coordinator::{Coordinator, machine::SchedulerSettings, simulate::Simulation},
    time::ProcessingZone,
};
use hpdlc_program::table::{self, Entry, Program};
use hpdlc_scheduler::{
    bundle::NewBundle,
    coordinator::submission::{self, SubmissionContext},
};

use crate::{
    refusal::Refusal,
    rules,
    scheduled::Submitted,
    scheduled_bundle::{self, Period, ScheduledBundle},
    world::{NOWHERE, user_of},
};

/// A bundle with a script of when the data of its coordinators arrive and how their workflows end.
///
/// The bundle starts its coordinators at its kick-off, and each runs as [`Schedule`](crate::Schedule) runs one: nothing is started, and no
/// file is looked for.
#[derive(Clone, Debug)]
pub struct BundleSchedule {
    program: &'static Program,
    bundle: &'static table::Bundle,
    given: BTreeMap<String, String>,
    site: BTreeMap<String, String>,
    submitted: Option<String>,
    to: Option<String>,
    arrivals: Vec<Rule>,
    outcomes: Vec<Rule>,
}

/// A rule of one coordinator or of all.
#[derive(Clone, Debug)]
struct Rule {
    coordinator: Option<String>,
    text: String,
}

/// A bundle as it is submitted.
struct Bundle<'a> {
    kick_off: Option<DateTime<Utc>>,
    zone: ProcessingZone,
    /// Those that are enabled, by name.
    coordinators: BTreeMap<String, Submitted<'a>>,
}

impl BundleSchedule {
    /// The bundle of a program.
    ///
    /// # Panics
    ///
    /// If the program is of a workflow or a coordinator.
    #[track_caller]
    pub fn of(program: &'static Program) -> BundleSchedule {
        let bundle = match program.entry {
            Entry::Bundle(bundle) => bundle,
            Entry::Coordinator => {
                panic!("the program is of a coordinator: Schedule::of runs one")
            }
            Entry::Workflow => {
                panic!("the program is of a workflow, which has no schedule: Job::of runs it")
            }
        };
        BundleSchedule {
            program,
            bundle,
            given: BTreeMap::new(),
            site: BTreeMap::new(),
            submitted: None,
            to: None,
            arrivals: Vec::new(),
            outcomes: Vec::new(),
        }
    }

    /// Gives a property of the bundle.
    #[must_use]
    pub fn given(mut self, name: impl Into<String>, value: impl ToString) -> BundleSchedule {
        self.given.insert(name.into(), value.to_string());
        self
    }

    /// Gives properties of the bundle, such as those of the generated `Params`.
    #[must_use]
    pub fn given_all<N: Into<String>, V: ToString>(
        self,
        properties: impl IntoIterator<Item = (N, V)>,
    ) -> BundleSchedule {
        let properties = properties.into_iter();
        properties.fold(self, |schedule, (name, value)| schedule.given(name, value))
    }

    /// Sets a setting of the site (`hpdl-site.xml`).
    #[must_use]
    pub fn site(mut self, name: impl Into<String>, value: impl ToString) -> BundleSchedule {
        self.site.insert(name.into(), value.to_string());
        self
    }

    /// Sets when the bundle is submitted, such as `2026-01-01T00:00Z`; otherwise at its kick-off, or without one when the first of its
    /// coordinators begins. What was due before the coordinators start is made up for at once, as by executables.
    #[must_use]
    pub fn submitted(mut self, time: &str) -> BundleSchedule {
        self.submitted = Some(time.to_owned());
        self
    }

    /// Sets when the test stops, exclusive; otherwise a day after the kick-off and the start of a coordinator.
    #[must_use]
    pub fn to(mut self, time: &str) -> BundleSchedule {
        self.to = Some(time.to_owned());
        self
    }

    /// Says when data arrive, by the rules of [`Schedule::arrivals`](crate::Schedule::arrivals), for each coordinator that has the dataset.
    #[must_use]
    pub fn arrivals<'r>(mut self, rules: impl IntoIterator<Item = &'r str>) -> BundleSchedule {
        add(&mut self.arrivals, None, rules);
        self
    }

    /// As [`BundleSchedule::arrivals`], for one coordinator.
    #[must_use]
    pub fn arrivals_of<'r>(
        mut self,
        coordinator: &str,
        rules: impl IntoIterator<Item = &'r str>,
    ) -> BundleSchedule {
        add(&mut self.arrivals, Some(coordinator), rules);
        self
    }

    /// Says how workflows end, by the rules of [`Schedule::outcomes`](crate::Schedule::outcomes), for each coordinator.
    #[must_use]
    pub fn outcomes<'r>(mut self, rules: impl IntoIterator<Item = &'r str>) -> BundleSchedule {
        add(&mut self.outcomes, None, rules);
        self
    }

    /// As [`BundleSchedule::outcomes`], for one coordinator.
    #[must_use]
    pub fn outcomes_of<'r>(
        mut self,
        coordinator: &str,
        rules: impl IntoIterator<Item = &'r str>,
    ) -> BundleSchedule {
        add(&mut self.outcomes, Some(coordinator), rules);
        self
    }

    /// Runs the bundle over the period.
    ///
    /// # Panics
    ///
    /// If the bundle or one of its coordinators is refused, or if a time or a rule is malformed.
    #[must_use]
    #[track_caller]
    pub fn run(self) -> ScheduledBundle {
        match self.try_run() {
            Ok(scheduled) => scheduled,
            Err(refusal) => panic!("{refusal}"),
        }
    }

    /// As [`BundleSchedule::run`], for tests of what is refused.
    ///
    /// # Errors
    ///
    /// What a submission refuses: properties that are missing or malformed, and what Oozie refuses in a bundle and its coordinators; a
    /// malformed time or rule.
    pub fn try_run(self) -> Result<ScheduledBundle, Refusal> {
        let bundle = self.bundle()?;
        self.check_rules(&bundle)?;
        let zone = bundle.zone;
        let coordinators = bundle.coordinators.values();
        let starts = coordinators.map(|it| it.revision.coordinator.schedule.start);
        let start = starts.min().unwrap_or_default();
        let submitted = match &self.submitted {
            Some(text) => rules::date("submitted", text, zone)?,
            None => bundle.kick_off.unwrap_or(start),
        };
        let kick_off = bundle
            .kick_off
            .map_or(submitted, |time| time.max(submitted));
        let to = match &self.to {
            Some(text) => rules::date("to", text, zone)?,
            None => kick_off.max(start) + Duration::days(1),
        };
        let mut simulations = Vec::new();
        for (name, submitted) in &bundle.coordinators {
            let coordinator = Arc::clone(&submitted.revision.coordinator);
            let arrivals = self.arrivals.iter().filter(|rule| {
                let dataset = rule.dataset();
                dataset == "*" || rules::datasets(&coordinator).contains(dataset)
            });
            let simulation = Simulation {
                from: coordinator.schedule.start,
                submitted: kick_off,
                to,
                settings: SchedulerSettings::default(),
                outcomes: rules::outcomes(&of(name, self.outcomes.iter()), zone)?,
                arrivals: rules::arrivals(&of(name, arrivals), &coordinator)?,
                coordinator,
            };
            simulations.push((name.clone(), submitted, simulation));
        }

        let period = Period {
            kick_off: bundle.kick_off,
            submitted: kick_off,
            to,
        };
        Ok(scheduled_bundle::run(&period, simulations))
    }

    /// The bundle and its coordinators with their properties.
    fn bundle(&self) -> Result<Bundle<'_>, Refusal> {
        let around = SubmissionContext {
            program: self.program,
            folder: NOWHERE,
            user: user_of(&self.given),
            site: &self.site,
            name: None,
        };
        let new = NewBundle::new(self.bundle, self.given.clone(), around, None)?;
        let mut coordinators = BTreeMap::new();
        for (name, table, given) in new.coordinators(self.program) {
            let around = SubmissionContext {
                name: Some(&name),
                ..around
            };
            let submitted = Submitted {
                program: self.program,
                place: submission::place_of(self.program, table),
                revision: submission::complete(table, given, around)?,
                site: &self.site,
            };
            coordinators.insert(name, submitted);
        }
        Ok(Bundle {
            kick_off: new.kick_off(),
            zone: submission::processing_zone(&self.site)?,
            coordinators,
        })
    }

    /// Refuses rules for what no coordinator of the bundle is or has.
    fn check_rules(&self, bundle: &Bundle<'_>) -> Result<(), Refusal> {
        for rule in self.arrivals.iter().chain(&self.outcomes) {
            if let Some(name) = &rule.coordinator
                && !bundle.coordinators.contains_key(name)
            {
                let known = bundle.coordinators.keys();
                return Err(Refusal::new(format!(
                    "the rule `{}`: {}",
                    rule.text,
                    scheduled_bundle::unknown(name, known)
                )));
            }
        }
        for rule in &self.arrivals {
            let meant = bundle.coordinators.iter().filter(|(name, _)| {
                let of = rule.coordinator.as_ref();
                of.is_none_or(|of| of == *name)
            });
            let coordinators: Vec<&Coordinator> = meant
                .map(|(_, submitted)| &*submitted.revision.coordinator)
                .collect();
            let known: BTreeSet<&str> = coordinators
                .iter()
                .flat_map(|coordinator| rules::datasets(coordinator))
                .collect();
            let dataset = rule.dataset();
            if dataset != "*" && !known.contains(dataset) {
                let known: Vec<&str> = known.into_iter().collect();
                let known = match known.as_slice() {
                    [] => "there are no inputs".to_owned(),
                    known => format!("those of the inputs are {}", known.join(", ")),
                };
                return Err(Refusal::new(format!(
                    "the arrival `{}`: there is no dataset `{dataset}`: {known}",
                    rule.text
                )));
            }
        }
        Ok(())
    }
}

impl Rule {
    /// The first word of an arrival.
    fn dataset(&self) -> &str {
        self.text.split_whitespace().next().unwrap_or("*")
    }
}

fn add<'r>(
    rules: &mut Vec<Rule>,
    coordinator: Option<&str>,
    texts: impl IntoIterator<Item = &'r str>,
) {
    rules.extend(texts.into_iter().map(|text| Rule {
        coordinator: coordinator.map(str::to_owned),
        text: text.to_owned(),
    }));
}

/// The rules that hold for a coordinator.
fn of<'r>(name: &str, rules: impl Iterator<Item = &'r Rule>) -> Vec<String> {
    let own = rules.filter(|rule| rule.coordinator.as_deref().is_none_or(|of| of == name));
    own.map(|rule| rule.text.clone()).collect()
}
