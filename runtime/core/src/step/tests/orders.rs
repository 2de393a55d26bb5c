//! Small graphs in every possible order of events.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    ActionStatus, AttemptFailure, Effect, Event, FailureClass, JobStatus, Outcome, Shape, StepJob,
    TRANSIENT, TestGraph, strands::SHARED_HANDLER,
};

/// The results of all orders of a run.
#[derive(Debug, Default, PartialEq, Eq)]
struct Orders {
    count: usize,
    /// Final states of the job and of its nodes.
    ends: BTreeSet<String>,
    /// How often each action was launched, and each join fired, in one run.
    launches: BTreeMap<String, BTreeSet<usize>>,
    joins: BTreeMap<String, BTreeSet<usize>>,
}

struct Explorer<'a> {
    graph: &'a TestGraph,
    errors: &'a [&'a str],
    orders: Orders,
}

impl Explorer<'_> {
    fn explore(&mut self, run: &StepJob<'_>, launched: &[String], joined: &[String]) {
        if run.owed.is_empty() {
            assert!(
                run.state.status.is_terminal(),
                "stuck: {}",
                run.show_state()
            );
            self.orders.count += 1;
            self.orders.ends.insert(run.show_state());
            for (name, shape) in &self.graph.nodes {
                let count = |names: &[String]| names.iter().filter(|known| *known == name).count();
                match shape {
                    Shape::Action => {
                        let counts = self.orders.launches.entry(name.clone()).or_default();
                        counts.insert(count(launched));
                    }
                    Shape::Join => {
                        let counts = self.orders.joins.entry(name.clone()).or_default();
                        counts.insert(count(joined));
                    }
                    Shape::Start
                    | Shape::End
                    | Shape::Kill
                    | Shape::Fail
                    | Shape::Decision
                    | Shape::Fork { .. } => {}
                }
            }
        }
        for effect in run.owed_now() {
            let (mut run, mut launched, mut joined) =
                (run.clone(), launched.to_vec(), joined.to_vec());
            let joins_before = joins_done(&run);
            let event = self.answer(effect);
            let step = run.take(event);
            for effect in step.effects {
                if let Effect::Launch { node, .. } = effect {
                    launched.push(self.graph.name(node).to_owned());
                }
            }
            joined.extend(joins_done(&run).difference(&joins_before).cloned());
            self.explore(&run, &launched, &joined);
        }
    }

    /// Decisions take their default, which is listed first here.
    fn answer(&self, effect: Effect) -> Event {
        match effect {
            Effect::Choose { node } => Event::Chosen { node, case: 0 },
            Effect::Prepare { node, attempt } => Event::Prepared { node, attempt },
            Effect::Launch { node, attempt } if self.errors.contains(&self.graph.name(node)) => {
                let class = FailureClass::Error;
                let failure = AttemptFailure {
                    class,
                    transient: TRANSIENT,
                    user: None,
                };
                Event::Failed {
                    node,
                    attempt,
                    failure,
                }
            }
            Effect::Launch { node, attempt } => Event::Succeeded { node, attempt },
            Effect::Cancel { node, .. } => Event::Canceled { node },
            Effect::Wait { node, .. } => Event::RetryDue { node },
            Effect::Message { .. }
            | Effect::Skipped { .. }
            | Effect::Suspended
            | Effect::StrandEnded { .. }
            | Effect::Finished(_) => {
                unreachable!("nobody answers {effect:?}")
            }
        }
    }
}

/// Joins that have fired.
fn joins_done(run: &StepJob<'_>) -> BTreeSet<String> {
    let fired = |outcome| outcome == Some(Outcome::Joined);
    let nodes = run.state.nodes.iter();
    nodes
        .filter(|(_, state)| state.status == ActionStatus::Ok && fired(state.outcome))
        .map(|(&node, _)| run.graph.name(node).to_owned())
        .collect()
}

fn every_order(graph: &TestGraph, errors: &[&str]) -> Orders {
    let mut explorer = Explorer {
        graph,
        errors,
        orders: Orders::default(),
    };
    let mut run = StepJob::new(graph);
    run.take(Event::Start);
    explorer.explore(&run, &[], &[]);
    explorer.orders
}

#[track_caller]
fn check(graph: &str, errors: &[&str], launched: &[&str], status: JobStatus) {
    let graph = TestGraph::new(graph);
    let orders = every_order(&graph, errors);
    assert!(orders.count > 1, "there is more than one order");
    for end in &orders.ends {
        assert_eq!(end.split(' ').next(), Some(status.name()), "{orders:?}");
        assert!(
            !end.contains("KILLED:") && !end.contains(":KILLED"),
            "{orders:?}"
        );
    }
    for (name, counts) in &orders.launches {
        let expected = usize::from(launched.contains(&name.as_str()));
        assert_eq!(counts, &BTreeSet::from([expected]), "launches of {name}");
    }
    for (name, counts) in &orders.joins {
        assert_eq!(counts, &BTreeSet::from([1]), "{name} fires once");
    }
}

#[test]
fn a_shared_handler_runs_once_in_every_order() {
    check(
        SHARED_HANDLER,
        &["a", "b"],
        &["a", "b", "h"],
        JobStatus::Succeeded,
    );
    check(
        SHARED_HANDLER,
        &["b"],
        &["a", "b", "h"],
        JobStatus::Succeeded,
    );
    check(SHARED_HANDLER, &[], &["a", "b"], JobStatus::Succeeded);
}

#[test]
fn an_error_into_a_sibling_branch_joins_in_every_order() {
    let graph = "
        start > f
        fork f j > a b
        action a > j c
        action b > c j
        action c > j j
        join j > end
        end";
    check(graph, &["a"], &["a", "b", "c"], JobStatus::Succeeded);
    check(graph, &["a", "b"], &["a", "b", "c"], JobStatus::Succeeded);
}

#[test]
fn nested_forks_join_in_every_order() {
    let graph = "
        start > f
        fork f j > g a
        fork g i > b c
        action a > j h
        action b > i h
        action c > i i
        action h > j j
        join i > d
        decision d > j
        join j > e
        action e > end end
        end";
    check(graph, &[], &["a", "b", "c", "e"], JobStatus::Succeeded);
    // The handler of the outer fork, entered by strands of both.
    check(
        graph,
        &["a", "b"],
        &["a", "b", "c", "h", "e"],
        JobStatus::Succeeded,
    );
}
