//! A model of the driver: a job with its store, its owner, its processes, and all faults that can affect them.
//!
//! A transaction is a copy of the state in memory. The owner and the machine may crash between any two actions; uncommitted state
//! is lost then, and the next owner continues from [`outstanding`].

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use hpdlc_core::{
    definition::{Definition, NodeId, Shape},
    status::{ActionStatus, JobStatus},
    step::{
        AttemptFailure, Effect, Event, FailureClass, JobState, Skip, SuspendPoints, outstanding,
        step,
    },
};

use super::{
    ending::check_end,
    graph::SimulatedGraph,
    invariants::{check_step, has_meaning},
    launcher::{Attempt, Fate, LauncherClaims},
    plan::{FatePlan, PlannedAttempt, PlannedEnd},
    random::Random,
    situations::{Situation, situations},
};

/// No run of these graphs needs that many actions; one that does is in a loop.
const MAX_ACTIONS: usize = 20_000;

/// The content of a transaction.
#[derive(Clone, Debug, Default)]
struct TransactionRecord {
    state: JobState,
    /// The evaluated values of each attempt, and the boot of the machine in which they were recorded.
    values: BTreeMap<Attempt, (u64, u32)>,
    /// Waits whose due time is known.
    due: BTreeSet<Attempt>,
    messages: BTreeSet<NodeId>,
    n_finished: u32,
    /// Effects that were requested once and must not be requested again, except on resume and recovery.
    prepared: BTreeSet<Attempt>,
    launched: BTreeSet<Attempt>,
}

/// An effect, and whether it may request what was done before.
type AskedEffect = (Effect, bool);

/// Reports that are pending as long as the owner lives.
#[derive(Clone, Copy, Debug)]
enum PendingReport {
    Evaluation(Attempt),
    Work(Attempt),
    Retry(Attempt),
    Canceled(NodeId),
}

/// The frequency of disturbances, in percent or as a maximum.
#[derive(Debug)]
struct Weather {
    suspend: usize,
    kill: usize,
    crash: usize,
    power_cut: usize,
    nonsense: usize,
    /// Commits happen immediately, or at any time.
    commits_late: bool,
}

pub struct StepWorld<'a> {
    graph: &'a SimulatedGraph,
    plan: &'a FatePlan,
    random: Random,
    weather: Weather,
    memory: TransactionRecord,
    disk: TransactionRecord,
    is_dirty: bool,
    /// Must not be performed before the current state is durable.
    uncommitted: VecDeque<AskedEffect>,
    /// May be performed, in this order.
    external: VecDeque<AskedEffect>,
    pending: Vec<PendingReport>,
    /// Attempts whose end will be reported to the current owner.
    watched: BTreeSet<Attempt>,
    launcher: LauncherClaims,
    boot: u32,
    n_crashes_left: usize,
    n_commands_left: usize,
    was_killed: bool,
    seen: BTreeSet<Situation>,
    log: Option<Vec<String>>,
}

/// A job that has not been started, with suspend points, and as a rerun with nodes to skip.
fn given(graph: &SimulatedGraph, plan: &FatePlan, random: &mut Random) -> JobState {
    let mut state = JobState::new();
    let stops = random.pick(&[0, 0, 0, 10, 40]);
    state.suspend_points = if stops == 40 && random.percent(20) {
        SuspendPoints::All
    } else {
        let nodes = graph.nodes().map(|(node, _)| node);
        SuspendPoints::Nodes(nodes.filter(|_| random.percent(stops)).collect())
    };
    let skipped = random.pick(&[0, 0, 0, 30, 80]);
    for (node, shape) in graph.nodes() {
        let is_work = matches!(shape, Shape::Action | Shape::Decision);
        if let (true, PlannedEnd::Follows(outcome)) = (is_work, plan.end(node))
            && random.percent(skipped)
        {
            let attempt = 1 + u32::try_from(random.below(3)).expect("it is small");
            state.skips.insert(node, Skip { outcome, attempt });
        }
    }
    state
}

impl<'a> StepWorld<'a> {
    pub fn new(
        graph: &'a SimulatedGraph,
        plan: &'a FatePlan,
        mut random: Random,
        is_logged: bool,
    ) -> StepWorld<'a> {
        let weather = Weather {
            suspend: random.pick(&[0, 0, 2, 10]),
            kill: random.pick(&[0, 0, 0, 0, 1, 3]),
            crash: random.pick(&[0, 2, 5, 20]),
            power_cut: random.pick(&[0, 20]),
            nonsense: random.pick(&[0, 5, 20]),
            commits_late: random.percent(50),
        };
        let record = TransactionRecord {
            state: given(graph, plan, &mut random),
            ..TransactionRecord::default()
        };
        StepWorld {
            graph,
            plan,
            weather,
            memory: record.clone(),
            disk: record,
            is_dirty: false,
            uncommitted: VecDeque::new(),
            external: VecDeque::new(),
            pending: Vec::new(),
            watched: BTreeSet::new(),
            launcher: LauncherClaims::default(),
            boot: 0,
            n_crashes_left: random.below(12),
            n_commands_left: random.below(8),
            was_killed: false,
            seen: BTreeSet::new(),
            log: is_logged.then(Vec::new),
            random,
        }
    }

    pub fn seen(&self) -> &BTreeSet<Situation> {
        &self.seen
    }

    pub fn into_log(self) -> Vec<String> {
        self.log.unwrap_or_default()
    }

    /// Runs the job to its end.
    pub fn run(&mut self) -> Result<(), String> {
        self.apply(Event::Start)?;
        for _ in 0..MAX_ACTIONS {
            self.disturb()?;
            if !self.act()? {
                return self.check_end();
            }
            self.check_processes()?;
        }
        Err("the job goes on for ever".to_owned())
    }

    /// Performs one of the possible actions; `false` if there is none.
    fn act(&mut self) -> Result<bool, String> {
        if self.is_dirty && (!self.weather.commits_late || self.random.percent(50)) {
            self.commit();
            return Ok(true);
        }
        let working: Vec<Attempt> = self.launcher.running().collect();
        let n_external = usize::from(!self.external.is_empty());
        let n = self.pending.len() + working.len() + n_external;
        if n == 0 {
            return self.rouse();
        }
        let choice = self.random.below(n);
        if choice < self.pending.len() {
            let pending = self.pending.swap_remove(choice);
            self.deliver(pending)?;
        } else if let Some(&attempt) = working.get(choice - self.pending.len()) {
            self.note(|| format!("{attempt:?} exits"));
            self.launcher.exit(attempt);
            if self.watched.remove(&attempt) {
                self.pending.push(PendingReport::Work(attempt));
            }
        } else if let Some(asked) = self.external.pop_front() {
            self.perform(asked)?;
        }
        Ok(true)
    }

    /// Nothing will happen without external input.
    fn rouse(&mut self) -> Result<bool, String> {
        if self.is_dirty {
            self.commit();
            return Ok(true);
        }
        match self.memory.state.status {
            JobStatus::Suspended => self.apply(Event::Resume)?,
            JobStatus::Prep | JobStatus::Running => return Err("the job is stuck".to_owned()),
            JobStatus::Succeeded | JobStatus::Killed | JobStatus::Failed => return Ok(false),
        }
        Ok(true)
    }

    /// Random events caused by users and machines.
    fn disturb(&mut self) -> Result<(), String> {
        if self.random.percent(self.weather.nonsense) {
            self.take_nonsense()?;
        }
        if self.n_crashes_left > 0 && self.random.percent(self.weather.crash) {
            self.n_crashes_left -= 1;
            self.crash()?;
        }
        if self.n_commands_left > 0 && self.random.percent(self.weather.suspend) {
            self.n_commands_left -= 1;
            let commands = [Event::Suspend, Event::Resume];
            let command = self.random.pick(&commands);
            self.apply(command)?;
        }
        if self.n_commands_left > 0 && self.random.percent(self.weather.kill) {
            self.n_commands_left -= 1;
            self.was_killed = true;
            self.apply(Event::Kill)?;
        }
        Ok(())
    }

    fn apply(&mut self, event: Event) -> Result<(), String> {
        let before = self.memory.state.clone();
        let had_meaning = has_meaning(self.graph, &before, event);
        let step = step(self.graph, &mut self.memory.state, event);
        self.note(|| format!("{event:?}\n      {:?}", step.effects));
        check_step(self.graph, &before, event, &step, &self.memory.state)?;
        let changed = before != self.memory.state;
        if !had_meaning && (changed || !step.effects.is_empty()) {
            return Err(format!("{event:?} has no meaning and did something"));
        }
        if had_meaning && !changed {
            return Err(format!("{event:?} was ignored"));
        }
        self.seen.extend(situations(
            self.graph,
            &before,
            event,
            &step,
            &self.memory.state,
        ));
        self.is_dirty |= changed;
        for effect in step.effects {
            self.settle((effect, event == Event::Resume))?;
        }
        Ok(())
    }

    /// Performs the effects that belong to the transaction, and queues the others.
    fn settle(&mut self, (effect, may_repeat): AskedEffect) -> Result<(), String> {
        match effect {
            Effect::Choose { node } => {
                let attempt = self.memory.state.nodes[&node].attempt;
                self.prepare((node, attempt), may_repeat)?;
            }
            Effect::Prepare { node, attempt } => self.prepare((node, attempt), may_repeat)?,
            Effect::Launch { node, attempt } => {
                if !self.memory.launched.insert((node, attempt)) && !may_repeat {
                    return Err(format!(
                        "attempt {attempt} of node {} is launched again",
                        node.0
                    ));
                }
                self.uncommitted.push_back((effect, may_repeat));
            }
            Effect::Cancel { .. } => self.uncommitted.push_back((effect, may_repeat)),
            Effect::Wait { node, delay } => {
                let attempt = (node, self.memory.state.nodes[&node].attempt);
                if delay.is_some() {
                    self.memory.due.insert(attempt);
                } else if !self.memory.due.contains(&attempt) {
                    return Err(format!("nobody knows how long {attempt:?} waits"));
                }
                self.uncommitted.push_back((effect, may_repeat));
            }
            Effect::Message { node } => {
                self.memory.messages.insert(node);
            }
            Effect::StrandEnded { .. } | Effect::Skipped { .. } | Effect::Suspended => {}
            Effect::Finished(_) => self.memory.n_finished += 1,
        }
        Ok(())
    }

    fn prepare(&mut self, attempt: Attempt, may_repeat: bool) -> Result<(), String> {
        if !self.memory.prepared.insert(attempt) && !may_repeat {
            return Err(format!("{attempt:?} is prepared again"));
        }
        self.pending.push(PendingReport::Evaluation(attempt));
        Ok(())
    }

    fn commit(&mut self) {
        self.note(|| "commit".to_owned());
        self.disk = self.memory.clone();
        self.is_dirty = false;
        self.external.append(&mut self.uncommitted);
    }

    fn perform(&mut self, (effect, may_repeat): AskedEffect) -> Result<(), String> {
        self.note(|| format!("perform {effect:?}"));
        match effect {
            Effect::Launch { node, attempt } => self.launch((node, attempt), may_repeat),
            Effect::Cancel { node, attempt } => {
                self.launcher.stop((node, attempt));
                self.pending.push(PendingReport::Canceled(node));
                Ok(())
            }
            Effect::Wait { node, .. } => {
                let attempt = self.memory.state.nodes[&node].attempt;
                self.pending.push(PendingReport::Retry((node, attempt)));
                Ok(())
            }
            Effect::Choose { .. }
            | Effect::Prepare { .. }
            | Effect::Message { .. }
            | Effect::StrandEnded { .. }
            | Effect::Skipped { .. }
            | Effect::Suspended
            | Effect::Finished(_) => Err(format!("{effect:?} does not reach outside")),
        }
    }

    fn launch(&mut self, attempt: Attempt, may_repeat: bool) -> Result<(), String> {
        let Some(&(values, boot)) = self.disk.values.get(&attempt) else {
            return Err(format!("{attempt:?} is launched without recorded values"));
        };
        match self.launcher.fate(attempt) {
            None if boot == self.boot => {
                self.launcher.start(attempt, values)?;
                self.watched.insert(attempt);
            }
            // The machine crashed after the intent was recorded.
            None => {
                self.seen.insert(Situation::LostBeforeItBegan);
                self.launcher.lose(attempt);
                self.pending.push(PendingReport::Work(attempt));
            }
            Some(_) if !may_repeat => return Err(format!("{attempt:?} was launched before")),
            Some(fate) => {
                self.seen.insert(Situation::Attached(fate));
                self.launcher.attach(attempt, values)?;
                match fate {
                    Fate::Runs => {
                        self.watched.insert(attempt);
                    }
                    Fate::Exited | Fate::Lost => self.pending.push(PendingReport::Work(attempt)),
                    Fate::Stopped => return Err(format!("{attempt:?} was canceled before")),
                }
            }
        }
        Ok(())
    }

    fn deliver(&mut self, pending: PendingReport) -> Result<(), String> {
        match pending {
            PendingReport::Evaluation(attempt) => self.evaluated(attempt),
            PendingReport::Work(attempt) => self.ended(attempt),
            PendingReport::Canceled(node) => self.apply(Event::Canceled { node }),
            PendingReport::Retry((node, attempt)) => {
                let state = &self.memory.state.nodes[&node];
                // Resume requests a wait that is already in progress.
                if state.attempt == attempt {
                    self.apply(Event::RetryDue { node })?;
                }
                Ok(())
            }
        }
    }

    fn evaluated(&mut self, attempt: Attempt) -> Result<(), String> {
        let (node, number) = attempt;
        match self.trial(attempt)? {
            PlannedAttempt::Unprepared(failure) => self.failed(attempt, failure),
            PlannedAttempt::Case(case) => self.apply(Event::Chosen { node, case }),
            PlannedAttempt::Failed(_) | PlannedAttempt::Succeeded => {
                let event = Event::Prepared {
                    node,
                    attempt: number,
                };
                if has_meaning(self.graph, &self.memory.state, event) {
                    let values = (self.random.next(), self.boot);
                    self.memory.values.insert(attempt, values);
                }
                self.apply(event)
            }
        }
    }

    fn ended(&mut self, attempt: Attempt) -> Result<(), String> {
        if self.launcher.fate(attempt) == Some(Fate::Lost) {
            return self.failed(attempt, self.plan.lost);
        }
        let (node, number) = attempt;
        match self.trial(attempt)? {
            PlannedAttempt::Failed(failure) => self.failed(attempt, failure),
            PlannedAttempt::Succeeded => self.apply(Event::Succeeded {
                node,
                attempt: number,
            }),
            PlannedAttempt::Unprepared(_) | PlannedAttempt::Case(_) => {
                Err(format!("{attempt:?} ran and should not have"))
            }
        }
    }

    fn failed(&mut self, (node, attempt): Attempt, failure: AttemptFailure) -> Result<(), String> {
        self.apply(Event::Failed {
            node,
            attempt,
            failure,
        })
    }

    fn trial(&self, attempt: Attempt) -> Result<PlannedAttempt, String> {
        let n_before = usize::try_from(attempt.1).expect("attempts are few") - 1;
        let n = n_before - self.launcher.lost_before(attempt);
        let trial = self.plan.trial(attempt.0, n);
        trial.ok_or_else(|| format!("{attempt:?} is one attempt too many"))
    }

    /// The owner crashes, possibly with the machine; another takes over.
    fn crash(&mut self) -> Result<(), String> {
        if self.random.percent(self.weather.power_cut) {
            self.note(|| "POWER CUT".to_owned());
            self.boot += 1;
            self.launcher.power_off();
        } else {
            self.note(|| "CRASH".to_owned());
        }
        if self.is_dirty {
            self.seen.insert(Situation::CrashBeforeCommit);
        }
        if !self.external.is_empty() {
            self.seen.insert(Situation::CrashBetweenEffects);
        }
        self.memory = self.disk.clone();
        self.is_dirty = false;
        self.uncommitted.clear();
        self.external.clear();
        self.pending.clear();
        self.watched.clear();
        if self.memory.state.status == JobStatus::Prep {
            return self.apply(Event::Start);
        }
        let effects = outstanding(self.graph, &self.memory.state);
        self.note(|| format!("outstanding\n      {effects:?}"));
        if self.memory.state.status == JobStatus::Suspended && !effects.is_empty() {
            return Err("a suspended job owes something".to_owned());
        }
        for effect in effects {
            self.settle((effect, true))?;
        }
        // All of this is durable now.
        self.external.append(&mut self.uncommitted);
        Ok(())
    }

    /// An event without a meaning in the current state.
    fn take_nonsense(&mut self) -> Result<(), String> {
        let n_nodes = u32::try_from(self.graph.len()).expect("graphs are small");
        let node = NodeId(u32::try_from(self.random.below(self.graph.len())).unwrap_or(n_nodes));
        let present = self
            .memory
            .state
            .nodes
            .get(&node)
            .map_or(0, |node| node.attempt);
        let attempt = match self.random.below(4) {
            0 => present + 1,
            1 => present.saturating_sub(1),
            _ => present,
        };
        let event = match self.random.below(9) {
            0 => Event::Start,
            1 => Event::Resume,
            2 => Event::Chosen { node, case: 0 },
            3 => Event::Prepared { node, attempt },
            4 | 5 => Event::Succeeded { node, attempt },
            6 => Event::RetryDue { node },
            7 => Event::Canceled { node },
            _ => {
                let classes = [
                    FailureClass::Error,
                    FailureClass::Failed,
                    FailureClass::NonTransient,
                ];
                let class = self.random.pick(&classes);
                let failure = AttemptFailure {
                    class,
                    ..self.plan.lost
                };
                Event::Failed {
                    node,
                    attempt,
                    failure,
                }
            }
        };
        if has_meaning(self.graph, &self.memory.state, event) {
            return Ok(());
        }
        self.apply(event)
    }

    /// Only attempts that the job considers running, or is stopping, are running.
    fn check_processes(&self) -> Result<(), String> {
        for (node, attempt) in self.launcher.running() {
            let known = self.memory.state.nodes.get(&node).is_some_and(|state| {
                let is_running = state.status == ActionStatus::Running || state.is_canceling;
                state.attempt == attempt && is_running
            });
            if !known {
                return Err(format!(
                    "attempt {attempt} of node {} runs unknown to the job",
                    node.0
                ));
            }
        }
        Ok(())
    }

    fn check_end(&self) -> Result<(), String> {
        if self.launcher.running().next().is_some() {
            return Err("something runs at the end".to_owned());
        }
        if self.disk.n_finished != 1 {
            return Err(format!("finished {} times", self.disk.n_finished));
        }
        let state = &self.disk.state;
        for (&node, node_state) in &state.nodes {
            let is_ok = node_state.status == ActionStatus::Ok;
            let has_message = self.disk.messages.contains(&node);
            let is_message = matches!(self.graph.shape(node), Shape::Kill | Shape::Fail);
            if is_message && is_ok != has_message {
                return Err(format!("no message of node {}", node.0));
            }
        }
        check_end(self.graph, self.plan, state, self.was_killed)
    }

    fn note(&mut self, what: impl FnOnce() -> String) {
        if let Some(log) = &mut self.log {
            log.push(what());
        }
    }
}
