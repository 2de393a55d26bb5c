//! Tests of the step machine, one situation at a time.
//!
//! A graph is text, one node per line, and so are the events. [`played`] shows the result of each event and the final state, and
//! after every event compares [`outstanding`] with the effects requested and not answered yet.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
    time::Duration,
};

use hpdlc_tests::cases::{self, Case};

use super::{
    AttemptFailure, Effect, Event, FailureClass, JobState, NodeState, RetryPolicy, RetryRule, Skip,
    Step, SuspendPoints, outstanding, step,
};
use crate::{
    definition::{Definition, NodeId, Outcome, Shape},
    status::{ActionStatus, JobStatus},
};

mod commands;
mod oozie;
mod orders;
mod retries;
mod skips;
mod strands;

/// Two retries, 10 seconds apart.
const TRANSIENT: RetryRule = RetryRule {
    max: 2,
    interval: Duration::from_secs(10),
    policy: RetryPolicy::Periodic,
};

/// Three retries after 60, 120 and 240 seconds.
const USER: RetryRule = RetryRule {
    max: 3,
    interval: Duration::from_secs(60),
    policy: RetryPolicy::Exponential,
};

/// A workflow in memory.
///
/// `start > NODE`, `end NAME`, `kill NAME`, `action NAME > OK ERROR`, `decision NAME > CASE... DEFAULT`, `join NAME > NODE`,
/// `fork NAME JOIN > BRANCH...`, where `-` means no join, and as a target a missing transition.
struct TestGraph {
    nodes: Vec<(String, Shape)>,
    edges: BTreeMap<(NodeId, Outcome), NodeId>,
}

impl TestGraph {
    fn new(text: &str) -> TestGraph {
        let lines: Vec<(Vec<&str>, Vec<&str>)> = text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .map(|line| {
                let (head, targets) = line.split_once('>').unwrap_or((line, ""));
                (
                    head.split_whitespace().collect(),
                    targets.split_whitespace().collect(),
                )
            })
            .collect();
        let name_of = |head: &[&str]| head.get(1).unwrap_or(&head[0]).to_string();
        let names: Vec<String> = lines.iter().map(|(head, _)| name_of(head)).collect();
        let find = |name: &str| {
            let position = names.iter().position(|known| known == name);
            NodeId(u32::try_from(position.unwrap_or_else(|| panic!("no node `{name}`"))).unwrap())
        };
        let mut graph = TestGraph {
            nodes: Vec::new(),
            edges: BTreeMap::new(),
        };
        for (head, targets) in &lines {
            let name = name_of(head);
            let node = find(&name);
            let (shape, outcomes): (Shape, Vec<Outcome>) = match head[0] {
                "start" => (Shape::Start, vec![Outcome::Ok]),
                "end" => (Shape::End, vec![]),
                "kill" => (Shape::Kill, vec![]),
                "fail" => (Shape::Fail, vec![]),
                "join" => (Shape::Join, vec![Outcome::Joined]),
                "action" => (Shape::Action, vec![Outcome::Ok, Outcome::Error]),
                "decision" => (Shape::Decision, (0..).map(Outcome::Case).take(9).collect()),
                "fork" => {
                    let branches = u32::try_from(targets.len()).unwrap();
                    let join = Some(head[2]).filter(|&join| join != "-").map(find);
                    let outcomes = (0..branches).map(Outcome::Branch).collect();
                    (Shape::Fork { branches, join }, outcomes)
                }
                other => panic!("no kind of node is called `{other}`"),
            };
            graph.nodes.push((name, shape));
            for (outcome, target) in outcomes.into_iter().zip(targets) {
                if *target != "-" {
                    graph.edges.insert((node, outcome), find(target));
                }
            }
        }
        graph
    }

    fn node(&self, name: &str) -> NodeId {
        let position = self.nodes.iter().position(|(known, _)| known == name);
        NodeId(u32::try_from(position.unwrap_or_else(|| panic!("no node `{name}`"))).unwrap())
    }

    fn name(&self, node: NodeId) -> &str {
        &self.nodes[node.index()].0
    }
}

impl Definition for TestGraph {
    fn start(&self) -> NodeId {
        self.node("start")
    }

    fn shape(&self, node: NodeId) -> Shape {
        self.nodes[node.index()].1
    }

    fn next(&self, node: NodeId, outcome: Outcome) -> Option<NodeId> {
        self.edges.get(&(node, outcome)).copied()
    }
}

/// A job, and the effects it requested that have not been performed yet.
#[derive(Clone)]
struct StepJob<'a> {
    graph: &'a TestGraph,
    state: JobState,
    owed: BTreeMap<NodeId, Effect>,
}

impl StepJob<'_> {
    fn new(graph: &TestGraph) -> StepJob<'_> {
        StepJob {
            graph,
            state: JobState::new(),
            owed: BTreeMap::new(),
        }
    }

    fn give(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["stop", "*"] => self.state.suspend_points = SuspendPoints::All,
            ["stop", name] => {
                let mut nodes = match std::mem::take(&mut self.state.suspend_points) {
                    SuspendPoints::Nodes(nodes) => nodes,
                    SuspendPoints::None | SuspendPoints::All => BTreeSet::new(),
                };
                nodes.insert(self.graph.node(name));
                self.state.suspend_points = SuspendPoints::Nodes(nodes);
            }
            ["skip", name, ref how @ ..] => {
                let outcome = match how {
                    [] => Outcome::Ok,
                    ["error"] => Outcome::Error,
                    [case, ..] => Outcome::Case(case.parse().unwrap()),
                };
                let skip = Skip {
                    outcome,
                    attempt: 3,
                };
                self.state.skips.insert(self.graph.node(name), skip);
            }
            _ => panic!("nothing is given by `{line}`"),
        }
    }

    /// Applies `event`; [`outstanding`] must then match the requested effects.
    #[track_caller]
    fn take(&mut self, event: Event) -> Step {
        let before = self.state.clone();
        let step = step(self.graph, &mut self.state, event);
        for (node, now) in &self.state.nodes {
            if before.nodes.get(node) != Some(now) {
                assert!(
                    step.changed.contains(node),
                    "{event:?} changed {node:?} silently"
                );
            }
        }
        assert_eq!(step.job_changed, before.status != self.state.status);
        if step != Step::default() {
            self.settle(event, &step);
        }
        assert_eq!(
            outstanding(self.graph, &self.state),
            self.owed_now(),
            "after {event:?}"
        );
        step
    }

    fn settle(&mut self, event: Event, step: &Step) {
        match event {
            Event::Chosen { node, .. }
            | Event::Prepared { node, .. }
            | Event::Succeeded { node, .. }
            | Event::Failed { node, .. }
            | Event::RetryDue { node }
            | Event::Canceled { node } => {
                self.owed.remove(&node);
            }
            // Resume requests everything again.
            Event::Resume => self.owed.clear(),
            Event::Start | Event::Kill | Event::Suspend => {}
        }
        if self.state.status.is_terminal() {
            self.owed
                .retain(|_, effect| matches!(effect, Effect::Cancel { .. }));
        }
        for &effect in &step.effects {
            match effect {
                Effect::Choose { node }
                | Effect::Prepare { node, .. }
                | Effect::Launch { node, .. }
                | Effect::Cancel { node, .. } => {
                    self.owed.insert(node, effect);
                }
                Effect::Wait { node, .. } => {
                    self.owed.insert(node, Effect::Wait { node, delay: None });
                }
                Effect::Suspended => self.owed.clear(),
                Effect::Message { .. }
                | Effect::StrandEnded { .. }
                | Effect::Skipped { .. }
                | Effect::Finished(_) => {}
            }
        }
    }

    fn owed_now(&self) -> Vec<Effect> {
        if self.state.status == JobStatus::Suspended {
            return Vec::new();
        }
        self.owed.values().copied().collect()
    }

    /// Parses an event: `start`, `suspend`, `resume`, `kill`, or a word and a node, where `@n` names an attempt other than the
    /// current one.
    fn event(&self, text: &str) -> Event {
        let words: Vec<&str> = text.split_whitespace().collect();
        let Some(name) = words.get(1) else {
            return match words[0] {
                "start" => Event::Start,
                "suspend" => Event::Suspend,
                "resume" => Event::Resume,
                "kill" => Event::Kill,
                other => panic!("no command is called `{other}`"),
            };
        };
        let (name, attempt) = match name.split_once('@') {
            Some((name, attempt)) => (name, Some(attempt.parse().unwrap())),
            None => (*name, None),
        };
        let node = self.graph.node(name);
        let present = self.state.nodes.get(&node).map_or(1, |node| node.attempt);
        let attempt = attempt.unwrap_or(present);
        let failed = |class, user| Event::Failed {
            node,
            attempt,
            failure: AttemptFailure {
                class,
                transient: TRANSIENT,
                user,
            },
        };
        match words[0] {
            "case" => Event::Chosen {
                node,
                case: words[2].parse().unwrap(),
            },
            "prepared" => Event::Prepared { node, attempt },
            "ok" => Event::Succeeded { node, attempt },
            "error" => failed(FailureClass::Error, None),
            "failed" => failed(FailureClass::Failed, None),
            "retried-error" => failed(FailureClass::Error, Some(USER)),
            "retried-failed" => failed(FailureClass::Failed, Some(USER)),
            "transient" => failed(FailureClass::Transient, None),
            "non-transient" => failed(FailureClass::NonTransient, None),
            "due" => Event::RetryDue { node },
            "canceled" => Event::Canceled { node },
            other => panic!("no event is called `{other}`"),
        }
    }

    fn show_effect(&self, effect: Effect) -> String {
        let name = |node| self.graph.name(node);
        match effect {
            Effect::Choose { node } => format!("choose {}", name(node)),
            Effect::Prepare { node, attempt } => format!("prepare {}@{attempt}", name(node)),
            Effect::Launch { node, attempt } => format!("launch {}@{attempt}", name(node)),
            Effect::Cancel { node, attempt } => format!("cancel {}@{attempt}", name(node)),
            Effect::Wait {
                node,
                delay: Some(delay),
            } => format!("wait {} {}s", name(node), delay.as_secs()),
            Effect::Wait { node, delay: None } => format!("wait {}", name(node)),
            Effect::Message { node } => format!("message {}", name(node)),
            Effect::StrandEnded { node } => format!("strand ended at {}", name(node)),
            Effect::Skipped { node } => format!("skipped {}", name(node)),
            Effect::Suspended => "suspended".to_owned(),
            Effect::Finished(status) => format!("finished {status}"),
        }
    }

    fn show_state(&self) -> String {
        let mut text = self.state.status.to_string();
        for (&node, state) in &self.state.nodes {
            let _ = write!(text, " {}:{}", self.graph.name(node), state.status);
            if state.is_canceling {
                text.push_str("(canceling)");
            }
        }
        text
    }
}

/// Replays the events of a case, which precede the `: ` of its lines. The result of each event follows it; `-` if it was ignored,
/// `.` if only the state changed. The last line is the state.
///
/// `given` before the graph names suspend points, `stop NODE` or `stop *`, and nodes that a rerun skips, `skip NODE` or
/// `skip NODE error` or `skip NODE CASE`.
fn played(case: &Case) -> String {
    let (given, graph) = match case.given.strip_prefix("given ") {
        Some(rest) => rest.split_once('\n').expect("a graph follows"),
        None => ("", case.given.as_str()),
    };
    let graph = TestGraph::new(graph);
    let mut run = StepJob::new(&graph);
    for line in given.split(", ").filter(|line| !line.is_empty()) {
        run.give(line);
    }
    let mut text = String::new();
    let lines = case.expected.lines();
    for line in lines.filter_map(|line| Some(line.split_once(": ")?.0)) {
        let event = run.event(line);
        let before = run.state.clone();
        let step = run.take(event);
        let effects: Vec<String> = step.effects.iter().map(|&e| run.show_effect(e)).collect();
        let shown = if step == Step::default() {
            assert_eq!(before, run.state, "`{line}` is ignored and changes nothing");
            "-".to_owned()
        } else if effects.is_empty() {
            ".".to_owned()
        } else {
            effects.join(", ")
        };
        let _ = writeln!(text, "{line}: {shown}");
    }
    text + &run.show_state()
}

#[test]
fn situations() {
    cases::check("runtime/core/src/step/tests", played);
}
