//! A simulated, random environment of a coordinator: driver, store, workflows and data.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::Arc,
};

use chrono::{DateTime, Duration, Utc};
use hpdlc_core::{
    coordinator::{
        ActionCounts, Coordinator, CoordinatorActionStatus as A, CoordinatorStatus as C,
        DataAvailability, Execution,
        machine::{
            ActionFault, ActionRecord, Command, CoordinatorChange, CoordinatorEffect,
            CoordinatorEvent, CoordinatorState, CoordinatorStep, JobRecord, Presence, Revisions,
            SchedulerSettings, search_inputs, step,
        },
    },
    status::JobStatus,
};

use super::{commands, invariants, random::Random};

/// A workflow of an action.
#[derive(Clone, Debug)]
pub struct Workflow {
    pub status: JobStatus,
    /// The status last reported to the coordinator.
    pub reported: Option<JobStatus>,
    pub ends: Option<(DateTime<Utc>, JobStatus)>,
}

pub struct CoordinatorWorld {
    pub revisions: Revisions,
    pub state: CoordinatorState,
    pub now: DateTime<Utc>,
    /// The store: what survives a crash.
    pub job: JobRecord,
    rows: BTreeMap<u64, ActionRecord>,
    pub workflows: BTreeMap<u64, Workflow>,
    /// The effects that have not been performed yet. A crash loses them.
    effects: VecDeque<CoordinatorEffect>,
    /// What arrives, and when; determined once.
    arrivals: BTreeMap<String, Option<DateTime<Utc>>>,
    random: Random,
    log: Option<Vec<String>>,
    seen: BTreeSet<String>,
}

/// Every situation that must occur.
pub fn situations() -> BTreeSet<String> {
    let jobs = C::ALL.into_iter().map(|status| format!("job {status}"));
    let actions = A::ALL.into_iter().map(|status| format!("action {status}"));
    let others = [
        "crash",
        "crash with effects",
        "deleted",
        "refused",
        "rerun",
        "search",
        "not submitted",
        "look unknown",
        "kept workflow",
        "SUSPEND",
        "RESUME",
        "KILL",
    ];
    let others = others.into_iter().map(str::to_owned);
    jobs.chain(actions).chain(others).collect()
}

impl CoordinatorWorld {
    pub fn new(coordinator: Coordinator, random: Random, is_logged: bool) -> CoordinatorWorld {
        let coordinator = Arc::new(coordinator);
        let state = CoordinatorState::new(&coordinator, SchedulerSettings::default());
        CoordinatorWorld {
            now: coordinator.schedule.start - Duration::minutes(3),
            job: state.job().clone(),
            state,
            revisions: Revisions::new(coordinator, BTreeMap::new()),
            rows: BTreeMap::new(),
            workflows: BTreeMap::new(),
            effects: VecDeque::new(),
            arrivals: BTreeMap::new(),
            random,
            log: is_logged.then(Vec::new),
            seen: BTreeSet::new(),
        }
    }

    pub fn rows(&self) -> &BTreeMap<u64, ActionRecord> {
        &self.rows
    }

    pub fn start(&self) -> DateTime<Utc> {
        self.coordinator().schedule.start
    }

    pub fn coordinator(&self) -> &Arc<Coordinator> {
        self.revisions.current()
    }

    pub fn seen(&self) -> &BTreeSet<String> {
        &self.seen
    }

    pub fn into_log(self) -> Vec<String> {
        self.log.unwrap_or_default()
    }

    fn see(&mut self, situation: impl Into<String>) {
        self.seen.insert(situation.into());
    }

    fn note(&mut self, text: impl FnOnce() -> String) {
        if let Some(log) = &mut self.log {
            log.push(format!("{} {}", self.now.format("%H:%M:%S"), text()));
        }
    }

    /// Runs for a random time with commands and crashes, then lets everything end.
    ///
    /// # Errors
    ///
    /// The violated invariant.
    pub fn run(&mut self) -> Result<(), String> {
        let n_moves = self.random.between(20, 250);
        let has_commands = self.random.percent(60);
        if self.random.percent(3) {
            let pause_time = Some(Some(self.start() - Duration::minutes(1)));
            self.take(CoordinatorEvent::Change(CoordinatorChange {
                pause_time,
                ..CoordinatorChange::default()
            }))?;
        }
        for _ in 0..n_moves {
            match self.random.below(100) {
                0..3 => self.crash()?,
                3..8 if has_commands => {
                    let mut random = self.random.clone();
                    let event = commands::random(&mut random, self);
                    self.random = random;
                    self.take(event)?;
                }
                8..12 => self.take(CoordinatorEvent::Tick)?,
                _ => self.go_on()?,
            }
        }
        self.finish()
    }

    /// Performs the driver's next action.
    fn go_on(&mut self) -> Result<(), String> {
        if let Some(effect) = self.effects.pop_front() {
            return self.perform(effect);
        }
        if let Some((number, status)) = self.unreported() {
            return self.report(number, status);
        }
        if self
            .state
            .wake(&self.revisions)
            .is_some_and(|wake| wake <= self.now)
        {
            return self.take(CoordinatorEvent::Tick);
        }
        let wake = self.state.wake(&self.revisions);
        let ends = self
            .workflows
            .values()
            .filter(|workflow| workflow.status == JobStatus::Running)
            .filter_map(|workflow| workflow.ends);
        let next = ends.map(|(time, _)| time).chain(wake).min();
        let Some(next) = next else {
            self.now += Duration::minutes(1);
            return Ok(());
        };
        // A driver may be delayed.
        let late = self.random.percent(20);
        let seconds = if late { self.random.below(900) } else { 0 };
        let seconds = i64::try_from(seconds).unwrap_or(0);
        self.now = self.now.max(next) + Duration::seconds(seconds);
        let now = self.now;
        for workflow in self.workflows.values_mut() {
            if workflow.status == JobStatus::Running
                && let Some((time, status)) = workflow.ends
                && time <= now
            {
                workflow.status = status;
            }
        }
        Ok(())
    }

    fn unreported(&self) -> Option<(u64, JobStatus)> {
        let mut workflows = self.workflows.iter();
        workflows
            .find(|(_, workflow)| workflow.reported != Some(workflow.status))
            .map(|(number, workflow)| (*number, workflow.status))
    }

    fn report(&mut self, number: u64, status: JobStatus) -> Result<(), String> {
        if let Some(workflow) = self.workflows.get_mut(&number) {
            workflow.reported = Some(status);
        }
        self.take(CoordinatorEvent::Workflow { number, status })
    }

    /// A step and its transaction.
    fn take(&mut self, event: CoordinatorEvent) -> Result<(), String> {
        let name = format!("{event:?}");
        let before = self.state.clone();
        let step = step(&self.revisions, &mut self.state, self.now, event.clone());
        self.note(|| format!("{name} => {step:?}"));
        invariants::check(self, &before, &event, &step)?;
        if step.refusal.is_some() {
            self.see("refused");
        }
        self.see(format!("job {}", self.state.job().status));
        for transition in &step.transitions {
            self.see(format!("action {}", transition.to));
        }
        if !step.deleted.is_empty() {
            self.see("deleted");
        }
        if matches!(event, CoordinatorEvent::Rerun { .. }) && step.refusal.is_none() {
            self.see("rerun");
        }
        self.write(&step);
        let mut failed = Vec::new();
        for effect in step.effects {
            match effect {
                CoordinatorEffect::Submit {
                    number,
                    keeps_workflow,
                } => {
                    // The configuration of some workflows cannot be evaluated.
                    if self.random.percent(2) {
                        failed.push(number);
                    } else {
                        self.submit(number, keeps_workflow)?;
                    }
                }
                effect => self.effects.push_back(effect),
            }
        }
        for number in failed {
            self.see("not submitted");
            self.effects
                .retain(|effect| *effect != CoordinatorEffect::Start { number });
            let error = ActionFault {
                code: "E1004".to_owned(),
                message: "no value".to_owned(),
            };
            self.take(CoordinatorEvent::NotMade { number, error })?;
        }
        invariants::check_rows(self)
    }

    fn write(&mut self, step: &CoordinatorStep) {
        if step.job_changed {
            self.job = self.state.job().clone();
        }
        self.rows.extend(step.actions.clone());
        for number in &step.deleted {
            self.rows.remove(number);
        }
    }

    fn submit(&mut self, number: u64, keeps_workflow: bool) -> Result<(), String> {
        if let Some(workflow) = self.workflows.get(&number) {
            if !workflow.status.is_terminal() {
                return Err(format!("action {number} was submitted twice"));
            }
            if keeps_workflow {
                self.see("kept workflow");
            }
        }
        self.workflows.insert(
            number,
            Workflow {
                status: JobStatus::Prep,
                reported: Some(JobStatus::Prep),
                ends: None,
            },
        );
        invariants::check_concurrency(self, number)
    }

    fn perform(&mut self, effect: CoordinatorEffect) -> Result<(), String> {
        self.note(|| format!("perform {effect:?}"));
        match effect {
            CoordinatorEffect::Submit { .. } => {
                Err("a submission outside of its transaction".to_owned())
            }
            CoordinatorEffect::Forget { .. } | CoordinatorEffect::Finished(_) => Ok(()),
            CoordinatorEffect::Start { number } => {
                let minutes = i64::try_from(self.random.below(40)).unwrap_or(0);
                let ends = self.now + Duration::minutes(minutes);
                let how = [
                    JobStatus::Succeeded,
                    JobStatus::Succeeded,
                    JobStatus::Succeeded,
                    JobStatus::Failed,
                    JobStatus::Killed,
                    JobStatus::Suspended,
                ];
                let how = self.random.pick(&how);
                let Some(workflow) = self.workflows.get_mut(&number) else {
                    return Err(format!("action {number} is started and has no workflow"));
                };
                if workflow.status == JobStatus::Prep {
                    workflow.status = JobStatus::Running;
                    workflow.ends = Some((ends, how));
                }
                let status = workflow.status;
                self.report(number, status)
            }
            CoordinatorEffect::Command { number, command } => {
                self.see(command.name());
                let now = self.now;
                let Some(workflow) = self.workflows.get_mut(&number) else {
                    return Err(format!("action {number} has no workflow to {command:?}"));
                };
                let status = &mut workflow.status;
                *status = match (command, *status) {
                    (_, same) if same.is_terminal() => same,
                    (Command::Kill, _) => JobStatus::Killed,
                    (Command::Suspend, JobStatus::Running) => JobStatus::Suspended,
                    (Command::Resume, JobStatus::Suspended) => {
                        workflow.ends = Some((now + Duration::minutes(2), JobStatus::Succeeded));
                        JobStatus::Running
                    }
                    (_, same) => same,
                };
                let status = *status;
                self.report(number, status)
            }
            CoordinatorEffect::Look { uri } => {
                let mut uris = vec![uri];
                while let Some(CoordinatorEffect::Look { .. }) = self.effects.front()
                    && self.random.percent(80)
                {
                    if let Some(CoordinatorEffect::Look { uri }) = self.effects.pop_front() {
                        uris.push(uri);
                    }
                }
                let answers = uris
                    .into_iter()
                    .map(|uri| {
                        let answer = self.answer(&uri);
                        (uri, answer)
                    })
                    .collect();
                self.take(CoordinatorEvent::Looked(answers))
            }
            CoordinatorEffect::Search { number, inputs } => self.search(number, &inputs),
        }
    }

    fn answer(&mut self, uri: &str) -> Presence {
        if self.random.percent(3) {
            self.see("look unknown");
            return Presence::Unknown("no connection".to_owned());
        }
        if self.is_there(uri) {
            Presence::There
        } else {
            Presence::Missing { is_watched: false }
        }
    }

    fn search(&mut self, number: u64, inputs: &[usize]) -> Result<(), String> {
        self.see("search");
        let Some(record) = self.rows.get(&number).cloned() else {
            return Ok(());
        };
        let coordinator = Arc::clone(self.coordinator());
        let found = search_inputs(&coordinator, &record, inputs, &mut WorldData(self));
        let found = found.unwrap_or_else(|never| match never {});
        self.take(CoordinatorEvent::Searched {
            number,
            found,
            error: None,
        })
    }

    /// Whether something has arrived. Most data does so within the hours of the coordinator, some never.
    pub fn is_there(&mut self, uri: &str) -> bool {
        let start = self.start();
        if !self.arrivals.contains_key(uri) {
            let minutes = i64::try_from(self.random.below(200)).unwrap_or(0);
            let arrival = start - Duration::minutes(60) + Duration::minutes(minutes);
            let arrival = (!self.random.percent(10)).then_some(arrival);
            self.arrivals.insert(uri.to_owned(), arrival);
        }
        self.has_arrived(uri)
    }

    pub fn has_arrived(&self, uri: &str) -> bool {
        let arrival = self.arrivals.get(uri).copied().flatten();
        arrival.is_some_and(|arrival| arrival <= self.now)
    }

    /// The owner crashes: only what was written remains. Another one takes over some time later.
    fn crash(&mut self) -> Result<(), String> {
        self.see("crash");
        if !self.effects.is_empty() {
            self.see("crash with effects");
        }
        self.note(|| "crash".to_owned());
        let away = i64::try_from(self.random.below(30)).unwrap_or(0);
        self.now += Duration::minutes(away);
        self.state = invariants::rebuilt(self);
        self.effects = self.state.outstanding().into();
        for workflow in self.workflows.values_mut() {
            workflow.reported = None;
        }
        self.take(CoordinatorEvent::Tick)
    }

    /// No more commands or crashes, except those needed to end it.
    fn finish(&mut self) -> Result<(), String> {
        for _ in 0..20_000 {
            let busy = !self.effects.is_empty() || self.unreported().is_some();
            let status = self.state.job().status;
            if !busy {
                match status {
                    C::PrepSuspended | C::Suspended | C::SuspendedWithError => {
                        self.take(CoordinatorEvent::Resume)?;
                        continue;
                    }
                    C::PrepPaused | C::Paused | C::PausedWithError => {
                        self.take(CoordinatorEvent::Change(CoordinatorChange {
                            pause_time: Some(None),
                            ..CoordinatorChange::default()
                        }))?;
                        continue;
                    }
                    _ if status.is_terminal() => return invariants::check_end(self),
                    _ => {}
                }
                // The user resumes workflows that have suspended themselves.
                let suspended = self
                    .workflows
                    .iter()
                    .find(|(_, workflow)| workflow.status == JobStatus::Suspended)
                    .map(|(number, _)| *number);
                if let Some(number) = suspended
                    && self.random.percent(30)
                    && let Some(workflow) = self.workflows.get_mut(&number)
                {
                    workflow.status = JobStatus::Running;
                    workflow.ends = Some((self.now, JobStatus::Succeeded));
                    continue;
                }
                // Actions that never time out and whose data never arrives.
                let waits_for_ever = self.now > self.start() + Duration::hours(40);
                if waits_for_ever {
                    self.take(CoordinatorEvent::Kill)?;
                    continue;
                }
            }
            self.go_on()?;
        }
        Err(format!("it never ends: {:?}", self.state.job()))
    }

    /// Whether a coordinator of this order starts `number` before `other`.
    pub fn precedes(&self, number: u64, other: u64) -> bool {
        match self.coordinator().controls.execution {
            Execution::Fifo => number <= other,
            Execution::Lifo | Execution::LastOnly | Execution::None => number >= other,
        }
    }

    pub fn counts(&self) -> ActionCounts {
        let mut counts = ActionCounts::default();
        for row in self.rows.values() {
            counts.add(row.status, 1);
        }
        counts
    }
}

/// The data of a world.
struct WorldData<'a>(&'a mut CoordinatorWorld);

impl DataAvailability for WorldData<'_> {
    type Error = std::convert::Infallible;

    fn is_there(&mut self, uri: &str) -> Result<bool, Self::Error> {
        Ok(self.0.is_there(uri))
    }
}
