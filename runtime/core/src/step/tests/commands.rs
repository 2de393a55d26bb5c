//! Commands to a job in each possible state, and events without a meaning.

use super::{
    ActionStatus, Event, JobStatus, NodeId, NodeState, Outcome, Step, StepJob, TestGraph, step,
    strands::SHARED_HANDLER,
};

const ONE_ACTION: &str = "start > a\n action a > end k\n kill k\n end";

#[test]
fn a_killed_action_shows_no_way_out() {
    let graph = TestGraph::new(ONE_ACTION);
    let mut run = StepJob::new(&graph);
    for text in ["start", "prepared a", "suspend", "ok a"] {
        run.take(run.event(text));
    }
    let outcome = |run: &StepJob<'_>| run.state.nodes[&graph.node("a")].outcome;
    assert_eq!(outcome(&run), Some(Outcome::Ok));
    run.take(Event::Kill);
    assert_eq!(outcome(&run), None);
}

#[test]
fn a_parked_action_whose_way_out_is_lost_fails_the_job() {
    let graph = TestGraph::new(ONE_ACTION);
    let mut run = StepJob::new(&graph);
    for text in ["start", "prepared a", "suspend", "ok a"] {
        run.take(run.event(text));
    }
    let parked = run.state.nodes.get_mut(&graph.node("a")).unwrap();
    *parked = NodeState {
        outcome: None,
        ..parked.clone()
    };
    run.take(Event::Resume);
    assert_eq!(run.state.status, JobStatus::Failed);
}

#[test]
fn nothing_touches_a_job_that_has_ended() {
    let graph = TestGraph::new(SHARED_HANDLER);
    let mut run = StepJob::new(&graph);
    for text in ["start", "prepared a", "prepared b", "ok a", "ok b"] {
        run.take(run.event(text));
    }
    assert_eq!(run.state.status, JobStatus::Succeeded);
    let ended = run.state.clone();
    let commands = ["start", "suspend", "resume", "kill"].map(str::to_owned);
    let words = [
        "prepared",
        "ok",
        "error",
        "failed",
        "retried-error",
        "transient",
        "non-transient",
        "due",
        "canceled",
    ];
    let reports = graph.nodes.iter().flat_map(|(name, _)| {
        let chosen = format!("case {name} 0");
        words
            .map(|word| format!("{word} {name}"))
            .into_iter()
            .chain([chosen])
    });
    for text in commands.into_iter().chain(reports) {
        let step = run.take(run.event(&text));
        assert_eq!(step, Step::default(), "{text}");
        assert_eq!(run.state, ended, "{text}");
    }
}

#[test]
fn events_for_nodes_that_were_not_entered_are_ignored() {
    let graph = TestGraph::new(SHARED_HANDLER);
    let mut run = StepJob::new(&graph);
    run.take(Event::Start);
    let node = graph.node("h");
    let stranger = NodeId(1_000);
    for event in [
        run.event("prepared h"),
        run.event("ok h"),
        run.event("failed h"),
        run.event("due h"),
        run.event("case h 0"),
        Event::Canceled { node },
        Event::Chosen {
            node: stranger,
            case: 0,
        },
        Event::Prepared {
            node: stranger,
            attempt: 1,
        },
        Event::RetryDue { node: stranger },
    ] {
        let mut state = run.state.clone();
        assert_eq!(
            step(&graph, &mut state, event),
            Step::default(),
            "{event:?}"
        );
        assert_eq!(state, run.state, "{event:?}");
    }
    assert!(
        run.state
            .nodes
            .values()
            .all(|node| node.status != ActionStatus::Running)
    );
}
