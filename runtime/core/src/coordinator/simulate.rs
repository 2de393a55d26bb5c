//! Simulation of a coordinator on virtual time: the production state machine in a simulated environment.
//!
//! [`Arrivals`] and [`Outcomes`] define when data arrives and how workflows end; no data is checked and no workflow is run.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    convert::Infallible,
    sync::Arc,
};

use chrono::{DateTime, Duration, Utc};

use crate::{
    coordinator::{
        ActionCounts, Coordinator, CoordinatorStatus,
        machine::{
            ActionRecord, ActionStatusChange, CoordinatorEffect, CoordinatorEvent,
            CoordinatorState, CoordinatorStep, JobRecord, Presence, Revisions, SchedulerSettings,
            search_instances, step,
        },
    },
    status::JobStatus,
};

mod arrivals;
mod clocks;
mod outcomes;
mod rules;
#[cfg(test)]
mod tests;

pub use self::{
    arrivals::{Arrivals, InstanceArrival},
    clocks::{Audit, ClockChange, audit, clock_changes},
    outcomes::{Outcomes, WorkflowEnd},
    rules::LineError,
};

/// What is simulated.
#[derive(Clone, Debug)]
pub struct Simulation {
    pub coordinator: Arc<Coordinator>,
    /// No earlier actions are materialized.
    pub from: DateTime<Utc>,
    /// When the coordinator is submitted; actions before that are materialized at once.
    pub submitted: DateTime<Utc>,
    /// Exclusive: what is still active then is left as it is.
    pub to: DateTime<Utc>,
    pub settings: SchedulerSettings,
    pub outcomes: Outcomes,
    pub arrivals: Arrivals,
}

/// An event of the simulation.
#[derive(Clone, Copy, Debug)]
pub struct SimEvent<'a> {
    pub time: DateTime<Utc>,
    pub what: SimStatusChange<'a>,
}

#[derive(Clone, Copy, Debug)]
pub enum SimStatusChange<'a> {
    /// The coordinator has entered this state.
    Coordinator(CoordinatorStatus),
    Action {
        transition: ActionStatusChange,
        /// The record after the step, of which the transition may be one of several.
        record: &'a ActionRecord,
    },
}

/// The state at the end of a simulation.
#[derive(Clone, Debug)]
pub struct SimulationEnd {
    pub status: CoordinatorStatus,
    /// Of the actions in the period.
    pub counts: ActionCounts,
    /// Those that have not ended.
    pub living: Vec<ActionRecord>,
}

impl Simulation {
    /// Runs from `submitted` to `to` and reports all events in order.
    pub fn run(&self, report: &mut dyn FnMut(SimEvent<'_>)) -> SimulationEnd {
        // Missing data arrives at a known time, so it need not be polled.
        let settings = SchedulerSettings {
            watched_poll: Duration::days(36_500),
            ..self.settings
        };
        let coordinator = &self.coordinator;
        let first = coordinator.schedule.actions_from(self.from).next();
        let mut job = JobRecord::new(coordinator);
        match first {
            Some(first) => {
                job.last_number = first.number - 1;
                job.next_time = Some(first.time);
            }
            None => job.next_time = None,
        }
        let revisions = Revisions::new(Arc::clone(coordinator), BTreeMap::new());
        let state = CoordinatorState::rebuild(
            &revisions,
            settings,
            job,
            Vec::new(),
            ActionCounts::default(),
        );
        let mut world = SimulatedCoordinator {
            simulation: self,
            revisions,
            state,
            now: self.submitted,
            queue: BTreeMap::new(),
            n_queued: 0,
            on_their_way: BTreeSet::new(),
            at_once: VecDeque::new(),
        };
        world.run(report);
        let state = world.state;
        SimulationEnd {
            status: state.job().status,
            counts: *state.counts(),
            living: state.actions().cloned().collect(),
        }
    }
}

struct SimulatedCoordinator<'a> {
    simulation: &'a Simulation,
    revisions: Revisions,
    state: CoordinatorState,
    now: DateTime<Utc>,
    /// Future events, by time and then by insertion order.
    queue: BTreeMap<(DateTime<Utc>, u64), CoordinatorEvent>,
    n_queued: u64,
    /// The URIs whose arrival is in the queue.
    on_their_way: BTreeSet<Arc<str>>,
    /// Events to be processed immediately.
    at_once: VecDeque<CoordinatorEvent>,
}

impl SimulatedCoordinator<'_> {
    fn run(&mut self, report: &mut dyn FnMut(SimEvent<'_>)) {
        loop {
            let event = match self.at_once.pop_front() {
                Some(event) => event,
                None => match self.next() {
                    Some(event) => event,
                    None => return,
                },
            };
            let before = self.state.job().status;
            let step = step(&self.revisions, &mut self.state, self.now, event);
            self.tell(&step, before, report);
            self.perform(step);
        }
    }

    /// The next event, and its time. `None` at the end.
    fn next(&mut self) -> Option<CoordinatorEvent> {
        let wake = self.state.wake(&self.revisions);
        let queued = self.queue.first_key_value().map(|((time, _), _)| *time);
        let time = match (wake, queued) {
            (Some(wake), Some(queued)) => wake.min(queued),
            (Some(time), None) | (None, Some(time)) => time,
            (None, None) => return None,
        };
        if time >= self.simulation.to {
            return None;
        }
        self.now = self.now.max(time);
        if queued == Some(time) {
            let (_, event) = self.queue.pop_first()?;
            if let CoordinatorEvent::Looked(answers) = &event {
                for (uri, _) in answers {
                    self.on_their_way.remove(uri);
                }
            }
            return Some(event);
        }
        Some(CoordinatorEvent::Tick)
    }

    fn tell(
        &self,
        step: &CoordinatorStep,
        before: CoordinatorStatus,
        report: &mut dyn FnMut(SimEvent<'_>),
    ) {
        for transition in &step.transitions {
            if let Some(record) = step.actions.get(&transition.number) {
                let what = SimStatusChange::Action {
                    transition: *transition,
                    record,
                };
                let time = self.now;
                report(SimEvent { time, what });
            }
        }
        let status = self.state.job().status;
        if status != before {
            let what = SimStatusChange::Coordinator(status);
            let time = self.now;
            report(SimEvent { time, what });
        }
    }

    fn perform(&mut self, step: CoordinatorStep) {
        let mut answers = Vec::new();
        for effect in step.effects {
            match effect {
                CoordinatorEffect::Submit { .. }
                | CoordinatorEffect::Forget { .. }
                | CoordinatorEffect::Finished(_) => {}
                CoordinatorEffect::Start { number } => self.start(number),
                CoordinatorEffect::Command { number, command } => {
                    let status = command.expected();
                    self.at_once
                        .push_back(CoordinatorEvent::Workflow { number, status });
                }
                CoordinatorEffect::Look { uri } => {
                    let answer = self.look(&uri);
                    answers.push((uri, answer));
                }
                CoordinatorEffect::Search { number, inputs } => self.search(number, &inputs),
            }
        }
        if !answers.is_empty() {
            self.at_once.push_back(CoordinatorEvent::Looked(answers));
        }
    }

    fn start(&mut self, number: u64) {
        let Some(record) = self.state.action(number) else {
            return;
        };
        let outcome = self.simulation.outcomes.of(record.number, record.nominal);
        let status = JobStatus::Running;
        self.at_once
            .push_back(CoordinatorEvent::Workflow { number, status });
        let status = outcome.status;
        self.later(outcome.after, CoordinatorEvent::Workflow { number, status });
    }

    fn later(&mut self, after: Duration, event: CoordinatorEvent) {
        // Times beyond the range of the calendar are never reached.
        if let Some(time) = self.now.checked_add_signed(after) {
            self.n_queued += 1;
            self.queue.insert((time, self.n_queued), event);
        }
    }

    fn look(&mut self, uri: &Arc<str>) -> Presence {
        let Some((dataset, instance)) = self.state.wanted(&self.revisions, uri) else {
            return Presence::Missing { is_watched: true };
        };
        let arrival = self.simulation.arrivals.of(&dataset, instance);
        match arrival {
            Some(time) if time <= self.now => return Presence::There,
            Some(time) if self.on_their_way.insert(Arc::clone(uri)) => {
                let arrived = vec![(Arc::clone(uri), Presence::There)];
                self.later(time - self.now, CoordinatorEvent::Looked(arrived));
            }
            Some(_) | None => {}
        }
        Presence::Missing { is_watched: true }
    }

    fn search(&mut self, number: u64, inputs: &[usize]) {
        let Some(record) = self.state.action(number) else {
            return;
        };
        let coordinator = self.revisions.of(record.revision);
        let found = search_instances(coordinator, record, inputs, |dataset, time| {
            let arrival = self.simulation.arrivals.of(&dataset.name, time);
            Ok(arrival.is_some_and(|time| time <= self.now))
        });
        let found = found.unwrap_or_else(|never: Infallible| match never {});
        self.at_once.push_back(CoordinatorEvent::Searched {
            number,
            found,
            error: None,
        });
    }
}
