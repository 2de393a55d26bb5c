//! Actions that wait for their data (`CoordActionInputCheckXCommand`).

use std::{collections::BTreeMap, sync::Arc};

use chrono::{DateTime, Utc};

use crate::coordinator::{
    CoordinatorActionStatus, Logic, LogicDecision, Searched,
    machine::{
        ActionFault, CoordinatorEffect, Presence,
        advance::Machine,
        state::Timer,
        waiting::{FixedInstance, Waiting},
    },
    policy,
};

/// How many instances of an action are checked beyond the first missing one, so that the user sees them all and available ones
/// cause no delay. After that, as in Oozie, only the first missing one is checked again.
const LOOKED_AHEAD: usize = 64;

impl Machine<'_> {
    /// Starts to wait for data when the time of an action has come.
    pub(super) fn look_for_data(&mut self, number: u64) {
        if self.status_of(number) != Some(CoordinatorActionStatus::Waiting) {
            return;
        }
        let coordinator = self.coordinator_of(number);
        let Some(record) = self.state.action(number) else {
            return;
        };
        if coordinator.inputs.is_empty() {
            return self.make_ready(number);
        }
        let (since, timeout) = (record.since, record.timeout);
        let waiting = match Waiting::new(&coordinator, record) {
            Ok(waiting) => waiting,
            Err((event, error)) => {
                let message = format!("the instances of `{event}`: {error}");
                return self.fail_action(number, error.oozie_code(), message);
            }
        };
        if let Some(live) = self.state.actions.get_mut(&number) {
            live.waiting = Some(Box::new(waiting));
        }
        let late = policy::timed_out_from(timeout, since);
        let mut times: Vec<(DateTime<Utc>, Timer)> = late
            .map(|time| (time, Timer::TimeOut))
            .into_iter()
            .collect();
        let waits = coordinator.input_logic.iter().flat_map(Logic::waits);
        for minutes in waits.filter(|minutes| *minutes > 0) {
            let passed = chrono::Duration::try_minutes(minutes);
            let time = passed.and_then(|passed| since.checked_add_signed(passed));
            times.extend(time.map(|time| (time, Timer::Consider)));
        }
        for (time, timer) in times {
            self.state.add_timer(number, time, timer);
        }
        self.consider(number);
    }

    /// Processes answers, or data that was seen to arrive.
    pub(super) fn looked(&mut self, answers: Vec<(Arc<str>, Presence)>) {
        let mut concerned: BTreeMap<u64, Option<String>> = BTreeMap::new();
        for (uri, answer) in answers {
            let waiters = self.state.looks.waiters(&uri);
            let interval = match answer {
                Presence::Missing { is_watched: true } => self.state.settings.watched_poll,
                Presence::There | Presence::Missing { .. } | Presence::Unknown(_) => {
                    self.state.settings.poll
                }
            };
            self.state.looks.answered(&uri, self.now + interval);
            for (number, n) in waiters {
                let problem = match &answer {
                    Presence::Unknown(problem) => Some(format!("{uri}: {problem}")),
                    Presence::There | Presence::Missing { .. } => None,
                };
                let known = concerned.entry(number).or_default();
                *known = known.take().or(problem);
                self.answered(number, n, &uri, answer == Presence::There);
            }
        }
        for (number, problem) in concerned {
            self.set_problem(number, problem);
            self.consider(number);
        }
    }

    fn answered(&mut self, number: u64, n: u32, uri: &Arc<str>, is_there: bool) {
        let has_logic = self.coordinator_of(number).input_logic.is_some();
        let Some(live) = self.state.actions.get_mut(&number) else {
            return;
        };
        let found = &mut live.record.inputs.found;
        if is_there {
            found.insert(n);
            self.changed.insert(number);
        }
        let Some(waiting) = &mut live.waiting else {
            return;
        };
        waiting.unanswered.remove(&n);
        // Input logic may accept any of them; without it, the first missing one decides.
        let stays = !is_there && (has_logic || live.record.inputs.found.first_missing() == n);
        if !stays {
            waiting.wanted.remove(&n);
            if self.state.looks.leave(uri, (number, n)) {
                self.step.effects.push(CoordinatorEffect::Forget {
                    uri: Arc::clone(uri),
                });
            }
        }
    }

    /// Processes what a search found for each input.
    pub(super) fn searched(
        &mut self,
        number: u64,
        found: Vec<(usize, Option<Vec<DateTime<Utc>>>)>,
        error: Option<String>,
    ) {
        let coordinator = self.coordinator_of(number);
        let Some(live) = self.state.actions.get_mut(&number) else {
            return;
        };
        let Some(waiting) = live.waiting.as_mut().filter(|waiting| waiting.is_searching) else {
            return;
        };
        waiting.is_searching = false;
        for (input, times) in found {
            waiting.has_found(&coordinator, input, times);
        }
        self.set_problem(number, error);
        self.consider(number);
        if let Some(live) = self.state.actions.get_mut(&number)
            && let Some(waiting) = live
                .waiting
                .as_mut()
                .filter(|waiting| !waiting.is_searching)
        {
            waiting.search_again();
            let time = self.now + self.state.settings.poll;
            self.state.remove_timers(number, Timer::Search);
            self.state.add_timer(number, time, Timer::Search);
        }
    }

    /// Data arrived in a searched location.
    pub(super) fn arrived(&mut self) {
        let searching: Vec<u64> = self
            .state
            .actions
            .iter()
            .filter(|(_, live)| {
                let waiting = live.waiting.as_ref();
                waiting.is_some_and(|waiting| !waiting.searching.is_empty())
            })
            .map(|(number, _)| *number)
            .collect();
        for number in searching {
            self.consider(number);
        }
    }

    /// The timeout of an action has passed: what is missing is checked once more, and the answer decides.
    pub(super) fn may_time_out(&mut self, number: u64) {
        let Some(live) = self.state.actions.get_mut(&number) else {
            return;
        };
        let Some(waiting) = &mut live.waiting else {
            return;
        };
        for n in &waiting.wanted {
            waiting.unanswered.insert(*n);
            if let Some(fixed) = waiting.fixed.get(*n as usize) {
                self.state.looks.hurry(&fixed.done_uri, self.now);
            }
        }
        self.consider(number);
    }

    /// Determines whether an action has its inputs, and requests what is still needed.
    pub(super) fn consider(&mut self, number: u64) {
        if !self.state.is_active() {
            return;
        }
        let coordinator = self.coordinator_of(number);
        let Some(live) = self.state.actions.get(&number) else {
            return;
        };
        let Some(waiting) = &live.waiting else {
            return;
        };
        let found = &live.record.inputs.found;
        let is_there = match &coordinator.input_logic {
            None => {
                let first = found.first_missing();
                if (first as usize) < waiting.fixed.len() {
                    if waiting.wanted.is_empty() {
                        self.want(number, LOOKED_AHEAD, |_| true);
                    }
                    false
                } else {
                    let inputs = waiting.searching.clone();
                    self.has_searched(number, &inputs)
                }
            }
            Some(logic) => {
                let inputs = logic.inputs();
                self.want(number, usize::MAX, |fixed| inputs.contains(&fixed.input));
                self.decide(number, logic)
            }
        };
        if is_there {
            return self.make_ready(number);
        }
        let Some(live) = self.state.actions.get(&number) else {
            return;
        };
        let record = &live.record;
        let late = policy::timed_out_from(record.timeout, record.since);
        let is_answered = live
            .waiting
            .as_ref()
            .is_some_and(|waiting| waiting.is_answered());
        if is_answered && late.is_some_and(|late| late <= self.now) {
            self.end_action(number, CoordinatorActionStatus::TimedOut);
        }
    }

    /// Requests at most `most` missing instances.
    fn want(&mut self, number: u64, most: usize, is_wanted: impl Fn(&FixedInstance) -> bool) {
        let Some(live) = self.state.actions.get_mut(&number) else {
            return;
        };
        let Some(waiting) = &mut live.waiting else {
            return;
        };
        let found = &live.record.inputs.found;
        let first = found.first_missing();
        let missing = (first..)
            .zip(waiting.fixed.iter().skip(first as usize))
            .filter(|(n, fixed)| !found.contains(*n) && is_wanted(fixed))
            .take(most);
        for (n, fixed) in missing {
            if waiting.wanted.insert(n) {
                waiting.unanswered.insert(n);
                self.state
                    .looks
                    .want(&fixed.done_uri, (number, n), self.now);
            }
        }
    }

    /// Whether the searches of these inputs have found enough; requests those not yet made in this pass.
    fn has_searched(&mut self, number: u64, inputs: &[usize]) -> bool {
        let Some(live) = self.state.actions.get_mut(&number) else {
            return false;
        };
        let Some(waiting) = &mut live.waiting else {
            return false;
        };
        let open: Vec<usize> = inputs
            .iter()
            .copied()
            .filter(|input| waiting.searched.get(*input) == Some(&Searched::Open))
            .collect();
        if open.is_empty() {
            let mut searched = inputs.iter().map(|input| waiting.searched.get(*input));
            return searched.all(|searched| matches!(searched, Some(Searched::Found(_))));
        }
        if !waiting.is_searching {
            waiting.is_searching = true;
            self.step.effects.push(CoordinatorEffect::Search {
                number,
                inputs: open,
            });
        }
        false
    }

    /// Evaluates the input logic once everything that it may need has been checked.
    fn decide(&mut self, number: u64, logic: &Logic) -> bool {
        let Some(live) = self.state.actions.get_mut(&number) else {
            return false;
        };
        let Some(waiting) = live
            .waiting
            .as_ref()
            .filter(|waiting| waiting.is_answered())
        else {
            return false;
        };
        let states = waiting.input_states(&live.record.inputs.found);
        let minutes = (self.now - live.record.since).num_minutes();
        match logic.decide(&states, minutes) {
            LogicDecision::Ready(named) => {
                live.record.inputs.named = named;
                true
            }
            LogicDecision::NotReady => false,
            LogicDecision::Search(inputs) => self.has_searched(number, &inputs),
        }
    }

    fn make_ready(&mut self, number: u64) {
        let n_inputs = self.coordinator_of(number).inputs.len();
        if let Some(live) = self.state.actions.get_mut(&number)
            && let Some(waiting) = &mut live.waiting
            && !waiting.found.is_empty()
        {
            let found = (0..n_inputs).map(|input| waiting.found.remove(&input));
            live.record.inputs.searched = found.collect();
        }
        self.stop_looking(number);
        if let Some(record) = self.record(number) {
            record.error = None;
        }
        self.set_status(number, CoordinatorActionStatus::Ready);
        self.state.set_timers(self.revisions, number);
    }

    /// An action stops waiting for data.
    pub(super) fn stop_looking(&mut self, number: u64) {
        let Some(live) = self.state.actions.get_mut(&number) else {
            return;
        };
        let Some(waiting) = live.waiting.take() else {
            return;
        };
        for n in &waiting.wanted {
            let Some(fixed) = waiting.fixed.get(*n as usize) else {
                continue;
            };
            if self.state.looks.leave(&fixed.done_uri, (number, *n)) {
                self.step.effects.push(CoordinatorEffect::Forget {
                    uri: Arc::clone(&fixed.done_uri),
                });
            }
        }
    }

    /// Records why the availability of an action's data cannot be determined (E1021); it keeps waiting.
    fn set_problem(&mut self, number: u64, problem: Option<String>) {
        let error = problem.map(|message| ActionFault {
            code: "E1021".to_owned(),
            message,
        });
        let known = self.state.action(number).map(|record| &record.error);
        if known.is_some_and(|known| *known != error)
            && let Some(record) = self.record(number)
        {
            record.error = error;
        }
    }
}
