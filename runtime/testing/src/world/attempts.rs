//! Attempts of actions: answered, completed, tried again.

use std::time::Duration;

use hpdlc_core::{
    definition::NodeId,
    status::{ActionStatus, JobStatus},
    step::Event,
};
use hpdlc_engine::job::Job;
use hpdlc_executors::Completion;
use hpdlc_host::settings::LOST;
use hpdlc_program::failure::ActionError;

use crate::{
    answer::{ActionCall, Answer, AttemptEnd},
    values::Values,
    world::{AttemptKey, Happening, World, millis},
};

impl World {
    /// Starts the work of an attempt: a child, or an answer.
    pub(super) fn launch(&mut self, id: &str, node: NodeId, attempt: u32) {
        let key = (id.to_owned(), node, attempt);
        let job = &self.jobs[id];
        let is_to_run = job.state.status == JobStatus::Running
            && job.state.nodes.get(&node).is_some_and(|state| {
                state.status == ActionStatus::Running && state.attempt == attempt
            });
        // Resumed while it runs: it ends once.
        if !is_to_run || self.in_flight.contains(&key) {
            return;
        }
        let place = self.place(id, node);
        let child = job.work(node).and_then(|work| work.child().cloned());
        if let Some(child) = child
            && !self.script.answers.contains_key(&place)
            && self.start_child(&key, &child)
        {
            return;
        }
        let answer = self.answer(id, node, &place);
        let end = self.now + millis(answer.takes);
        self.in_flight.insert(key.clone());
        self.schedule(end, key, Happening::Ended(answer));
    }

    /// The answer to an attempt that begins.
    fn answer(&mut self, id: &str, node: NodeId, place: &str) -> Answer {
        let nothing = Values::default();
        let values = self.tracks[id].values(node).unwrap_or(&nothing);
        let own = self.script.answers.get(place);
        let job = &self.jobs[id];
        let call = ActionCall {
            job: id,
            node: job.def(node).name,
            attempt: job.state.nodes.get(&node).map_or(1, |state| state.attempt),
        };
        let n_taken = self.n_taken.entry(place.to_owned()).or_default();
        *n_taken += 1;
        if let Some(explorer) = &mut self.explorer {
            let is_ok = explorer.is_ok(place);
            let own = own.and_then(|answers| answers.find(is_ok, values, call));
            let other = if is_ok {
                Answer::ok()
            } else {
                Answer::error("ERROR", "an error is one of the ways")
            };
            return own.unwrap_or(other).takes(Duration::ZERO);
        }
        match own {
            Some(answers) => answers.take(*n_taken - 1, values, call),
            None if self.script.is_strict => panic!(
                "action `{place}` has no answer, and the job is strict; give it one: .answer(\"{place}\", Answer::ok())"
            ),
            None => Answer::ok(),
        }
    }

    pub(super) fn ended(&mut self, key: &AttemptKey, answer: Answer) {
        match answer.into_end() {
            AttemptEnd::Completed(completion) => self.completed(key, completion),
            AttemptEnd::Lost(problem) => {
                self.in_flight.remove(key);
                let place = format!("configuration/property[{LOST}]/value");
                let values = self.tracks[&key.0].values(key.1);
                let own = values.and_then(|values| values.get(&place));
                let error = Job::lost(self.settings(&key.0).when_lost(own), &problem);
                self.failed(key, &error);
            }
        }
    }

    pub(super) fn completed(&mut self, key: &AttemptKey, completion: Completion) {
        self.in_flight.remove(key);
        let (id, node, attempt) = (&key.0, key.1, key.2);
        let Some(job) = self.jobs.get_mut(id) else {
            return;
        };
        match job.take_completion(node, completion) {
            None => self.apply(id, Event::Succeeded { node, attempt }),
            Some(error) => self.failed(key, &error),
        }
    }

    /// Records a failure and lets the step machine decide what it means.
    pub(super) fn failed(&mut self, (id, node, attempt): &AttemptKey, error: &ActionError) {
        let failure = self.jobs[id].failure_of(self.settings(id), *node, error);
        let Some(job) = self.jobs.get_mut(id) else {
            return;
        };
        job.set_error(*node, &error.code, &error.message);
        let (node, attempt) = (*node, *attempt);
        self.apply(
            id,
            Event::Failed {
                node,
                attempt,
                failure,
            },
        );
    }

    /// Waits for a retry; without a delay, for the one that was interrupted by a suspension.
    pub(super) fn wait(&mut self, id: &str, node: NodeId, delay: Option<Duration>) {
        let now = self.now;
        let Some(job) = self.jobs.get_mut(id) else {
            return;
        };
        let row = job.row_of(node);
        if let Some(delay) = delay {
            row.due = Some(now.saturating_add(millis(delay)));
        }
        let due = row.due.unwrap_or(now);
        let attempt = u32::try_from(row.attempt).unwrap_or_default();
        self.schedule(due, (id.to_owned(), node, attempt), Happening::RetryDue);
    }
}
