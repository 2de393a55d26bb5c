//! Drives one bundle: its coordinators are created in its own transactions, and run in the same process.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use chrono::{DateTime, Utc};
use hpdlc_core::{
    bundle::{self as machine, BundleEvent, BundleRecord, BundleState},
    coordinator::{CoordinatorStatus, machine::CommandRefusal},
};
use hpdlc_engine::{control::bundle_request::BundleRequest, engine::JobCompletion};
use hpdlc_host::{bell, exit::RunError, mask::Mask, settings::Settings};
use tokio::time::{self, Interval, MissedTickBehavior};

use crate::{
    bundle::{
        new::SubmittedBundle,
        passed_commands::{self, PassedCommand},
        stored::{self, StoredBundle, started_before, words},
    },
    coordinator::submission,
    event_loop::{CommandAnswer, OwnedJob, Supervisor},
};

mod coordinators;

/// The polling interval for the states of coordinators that run here: they are rows of the same store.
const STATUS_INTERVAL: Duration = Duration::from_millis(100);

/// A bundle that this process drives.
pub struct BundleDriver {
    job: OwnedJob<BundleDriver>,
    submitted: SubmittedBundle,
    state: BundleState,
    conf: BTreeMap<String, String>,
    /// Coordinators that this process drives, by name.
    here: BTreeSet<String>,
    status_due: Interval,
}

impl Supervisor for BundleDriver {
    /// A coordinator's name.
    type Child = String;
    /// The name of a coordinator that is to be driven.
    type Effect = String;
    /// The states of coordinators are due to be polled.
    type News = ();

    const NOUN: &'static str = "bundle";
    const CHILDREN: &'static str = "coordinators";
    const DRAIN_MARGIN: Duration = Duration::from_secs(10);

    fn load(mut job: OwnedJob<BundleDriver>) -> Result<BundleDriver, RunError> {
        let StoredBundle {
            submitted,
            conf,
            state,
            ..
        } = StoredBundle::load(&job.session, job.writer.connection(), job.id())?;
        job.set(submitted.clock, Mask::of(&conf));
        let mut status_due = time::interval(STATUS_INTERVAL);
        status_due.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Ok(BundleDriver {
            job,
            submitted,
            state,
            conf,
            here: BTreeSet::new(),
            status_due,
        })
    }

    fn job(&self) -> &OwnedJob<BundleDriver> {
        &self.job
    }

    fn job_mut(&mut self) -> &mut OwnedJob<BundleDriver> {
        &mut self.job
    }

    fn settings(&self) -> Option<Settings<'_>> {
        Some(Settings {
            conf: &self.conf,
            site: &self.job.session.site,
        })
    }

    fn take_up(&mut self) {
        self.job.begin();
        let names = self.submitted.coordinators.iter();
        let there = names.filter(|coordinator| coordinator.job.is_some());
        let names = there.map(|coordinator| coordinator.name.clone());
        self.job.after.extend(names);
        self.apply(BundleEvent::Tick);
    }

    fn wake(&self) -> Option<DateTime<Utc>> {
        self.state.wake()
    }

    fn tick(&mut self) {
        self.apply(BundleEvent::Tick);
    }

    fn kill(&mut self) {
        self.apply(BundleEvent::Kill);
    }

    fn obey(&mut self, _: i64, text: &str) -> Result<CommandAnswer, RunError> {
        // By the present states of the coordinators.
        self.look_at_coordinators(false)?;
        Ok(CommandAnswer::of(self.carry_out(text)))
    }

    async fn news(&mut self) {
        self.status_due.tick().await;
    }

    fn take(&mut self, (): ()) -> Result<(), RunError> {
        self.look_at_coordinators(false)
    }

    fn look(&mut self) -> Result<(), RunError> {
        self.look_at_coordinators(true)
    }

    fn let_go(&mut self, name: &String) {
        self.here.remove(name);
    }

    fn ended(&mut self, _: String, _: JobCompletion) -> Result<(), RunError> {
        self.look_at_coordinators(true)
    }

    fn is_clean(&self) -> bool {
        self.job.is_clean()
    }

    fn write(&mut self) -> Result<(), RunError> {
        self.job.is_dirty = false;
        self.job.set_status(self.state.record.status, true);
        let bundle = self.submitted.row(self.job.id(), &self.state);
        self.job.batch.jobs.push(self.job.row.clone());
        self.job.batch.scheduled.bundles.push(bundle);
        self.job.write()
    }

    fn perform(&mut self, names: Vec<String>) -> Result<(), RunError> {
        for name in names {
            if let Some(job) = self.submitted.job_of(&name) {
                bell::ring(&self.job.session.home, &job);
            }
            self.attach(&name)?;
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        match self.state.record.status {
            CoordinatorStatus::Prep | CoordinatorStatus::PrepPaused => !self.job.is_started(),
            CoordinatorStatus::Running | CoordinatorStatus::RunningWithError => false,
            _ => self.here.is_empty(),
        }
    }

    fn running(&self) -> Vec<String> {
        self.here.iter().cloned().collect()
    }

    fn title(name: &String) -> String {
        format!("coordinator {name}")
    }

    fn node(name: &String) -> Option<String> {
        Some(name.clone())
    }
}

impl BundleDriver {
    fn apply(&mut self, event: BundleEvent) -> Option<CommandRefusal> {
        let before = self.state.record.status;
        let now = self.job.clock.now();
        let step = machine::step(&mut self.state, now, event);
        if step.refusal.is_some() {
            return step.refusal;
        }
        self.job.is_dirty |= step.changed;
        let BundleRecord { status, error, .. } = &self.state.record;
        if *status != before {
            self.job.tell_status(*status, error.as_ref(), &self.conf);
        }
        for effect in step.effects {
            self.carry(effect);
        }
        None
    }

    /// Carries out a command.
    fn carry_out(&mut self, text: &str) -> Result<(), String> {
        let Some(request) = BundleRequest::parse(text) else {
            return Err(format!("unknown command `{text}`"));
        };
        let zone = submission::processing_zone(&self.job.session.site)
            .map_err(|error| error.to_string())?;
        if request == BundleRequest::Start {
            if self.job.is_started() {
                return Err(started_before(self.job.id(), self.state.record.status));
            }
            self.job.begin();
        }
        let event = stored::event(self.job.id(), &request, zone)?;
        // A command that a coordinator would refuse is refused as a whole, before anything is changed.
        let mut foreseen = self.state.clone();
        let step = machine::step(&mut foreseen, self.job.clock.now(), event.clone());
        let passed = passed_commands::on(
            &self.job.session,
            self.job.writer.connection(),
            &self.submitted,
            &step.effects,
            &request,
            zone,
        );
        let passed = match step.refusal {
            Some(refusal) => return Err(words(self.job.id(), &refusal)),
            None => passed.map_err(|problem| format!("bundle {}: {problem}", self.job.id()))?,
        };
        if let Some(refusal) = self.apply(event) {
            return Err(words(self.job.id(), &refusal));
        }
        if matches!(request, BundleRequest::Rerun(_) | BundleRequest::StartNow) {
            self.job.begin();
        }
        for PassedCommand { name, request, .. } in passed {
            self.ask(&name, &request);
        }
        Ok(())
    }
}
