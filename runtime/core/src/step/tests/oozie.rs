//! Deadlocks and lost state in Oozie's jobs, by their numbers in Oozie's issue tracker: here these jobs continue.
//!
//! Others are tested elsewhere: OOZIE-2023 (a rerun that stays in PREP) in the job store, since it requires two transactions;
//! OOZIE-1893, 1940 and 3527 with the coordinators and bundles that they are about.

use super::{StepJob, TestGraph};
use crate::{
    definition::Shape,
    status::{ActionStatus, JobStatus},
    step::Event,
};

/// Threads that started the branches of forks waited for threads that did the same: a thread pool deadlock.
#[test]
fn oozie_3646_branches_begin_whatever_else_begins() {
    const WIDTH: usize = 300;
    let names: Vec<String> = (0..WIDTH).map(|n| format!("a{n}")).collect();
    let actions: String = names
        .iter()
        .map(|name| format!("action {name} > j k\n"))
        .collect();
    let text = format!(
        "start > f\nfork f j > {}\n{actions}join j > end\nkill k\nend",
        names.join(" ")
    );
    let graph = TestGraph::new(&text);
    let mut run = StepJob::new(&graph);
    run.take(Event::Start);
    let nodes: Vec<_> = names.iter().map(|name| graph.node(name)).collect();
    for &node in &nodes {
        assert_eq!(graph.nodes[node.index()].1, Shape::Action);
        run.take(Event::Prepared { node, attempt: 1 });
        assert_eq!(run.state.nodes[&node].status, ActionStatus::Running);
    }
    for &node in nodes.iter().rev() {
        assert_eq!(run.state.status, JobStatus::Running);
        run.take(Event::Succeeded { node, attempt: 1 });
    }
    assert_eq!(run.state.status, JobStatus::Succeeded);
}
