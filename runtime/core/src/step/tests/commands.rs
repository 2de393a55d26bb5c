//! What people ask of a job, in each state that it can be in, and events without a meaning.

use expect_test::expect;

use super::{
    ActionStatus, Event, Graph, JobStatus, NodeId, NodeState, Outcome, Run, Step, check, step,
    strands::SHARED_HANDLER,
};

const ONE_ACTION: &str = "start > a\n action a > end k\n kill k\n end";

#[test]
fn commands_are_taken_only_where_they_have_a_meaning() {
    check(
        ONE_ACTION,
        "suspend, resume, start, start, resume, suspend, suspend, start, resume, prepared a, ok a,
         start, suspend, resume, kill",
        expect![[r#"
            suspend: -
            resume: -
            start: prepare a@1
            start: -
            resume: -
            suspend: suspended
            suspend: -
            start: -
            resume: prepare a@1
            prepared a: launch a@1
            ok a: finished SUCCEEDED
            start: -
            suspend: -
            resume: -
            kill: -
            SUCCEEDED start:OK a:OK end:OK
        "#]],
    );
}

#[test]
fn a_job_is_killed_in_any_state() {
    check(
        ONE_ACTION,
        "kill, start, kill",
        expect![[r#"
        kill: finished KILLED
        start: -
        kill: -
        KILLED
    "#]],
    );
    check(
        ONE_ACTION,
        "start, kill, prepared a",
        expect![[r#"
        start: prepare a@1
        kill: finished KILLED
        prepared a: -
        KILLED start:OK a:KILLED
    "#]],
    );
    check(
        ONE_ACTION,
        "start, prepared a, kill, ok a, kill, canceled a, canceled a",
        expect![[r#"
            start: prepare a@1
            prepared a: launch a@1
            kill: cancel a@1, finished KILLED
            ok a: -
            kill: -
            canceled a: .
            canceled a: -
            KILLED start:OK a:KILLED
        "#]],
    );
    check(
        ONE_ACTION,
        "start, suspend, kill, resume",
        expect![[r#"
            start: prepare a@1
            suspend: suspended
            kill: finished KILLED
            resume: -
            KILLED start:OK a:KILLED
        "#]],
    );
    check(
        ONE_ACTION,
        "start, prepared a, suspend, kill, resume, canceled a",
        expect![[r#"
            start: prepare a@1
            prepared a: launch a@1
            suspend: suspended
            kill: cancel a@1, finished KILLED
            resume: -
            canceled a: .
            KILLED start:OK a:KILLED
        "#]],
    );
    check(
        ONE_ACTION,
        "start, prepared a, suspend, ok a, kill",
        expect![[r#"
            start: prepare a@1
            prepared a: launch a@1
            suspend: suspended
            ok a: .
            kill: finished KILLED
            KILLED start:OK a:KILLED
        "#]],
    );
    check(
        ONE_ACTION,
        "start, transient a, kill, due a",
        expect![[r#"
            start: prepare a@1
            transient a: wait a 10s
            kill: cancel a@1, finished KILLED
            due a: -
            KILLED start:OK a:KILLED(canceling)
        "#]],
    );
    check(
        ONE_ACTION,
        "start, prepared a, retried-error a, kill, due a",
        expect![[r#"
            start: prepare a@1
            prepared a: launch a@1
            retried-error a: wait a 60s
            kill: finished KILLED
            due a: -
            KILLED start:OK a:KILLED
        "#]],
    );
    check(
        ONE_ACTION,
        "start, prepared a, non-transient a, kill, resume",
        expect![[r#"
            start: prepare a@1
            prepared a: launch a@1
            non-transient a: .
            kill: cancel a@1, finished KILLED
            resume: -
            KILLED start:OK a:KILLED(canceling)
        "#]],
    );
    check(
        "start > d\n decision d > end\n end",
        "start, kill, case d 0, failed d",
        expect![[r#"
            start: choose d
            kill: finished KILLED
            case d 0: -
            failed d: -
            KILLED start:OK d:KILLED
        "#]],
    );
    check(
        SHARED_HANDLER,
        "start, prepared a, ok a, prepared b, kill, canceled b",
        expect![[r#"
            start: prepare a@1, prepare b@1
            prepared a: launch a@1
            ok a: .
            prepared b: launch b@1
            kill: cancel b@1, finished KILLED
            canceled b: .
            KILLED start:OK f:OK a:OK b:KILLED j:KILLED
        "#]],
    );
}

#[test]
fn a_killed_action_shows_no_way_out() {
    let graph = Graph::new(ONE_ACTION);
    let mut run = Run::new(&graph);
    for text in ["start", "prepared a", "suspend", "ok a"] {
        run.take(run.event(text));
    }
    let outcome = |run: &Run<'_>| run.state.nodes[&graph.node("a")].outcome;
    assert_eq!(outcome(&run), Some(Outcome::Ok));
    run.take(Event::Kill);
    assert_eq!(outcome(&run), None);
}

#[test]
fn evaluation_while_suspended_is_done_again() {
    check(
        ONE_ACTION,
        "start, suspend, prepared a, resume, prepared a, ok a",
        expect![[r#"
            start: prepare a@1
            suspend: suspended
            prepared a: -
            resume: prepare a@1
            prepared a: launch a@1
            ok a: finished SUCCEEDED
            SUCCEEDED start:OK a:OK end:OK
        "#]],
    );
    check(
        "start > d\n decision d > end\n end",
        "start, suspend, case d 0, resume, case d 0, case d 0",
        expect![[r#"
            start: choose d
            suspend: suspended
            case d 0: -
            resume: choose d
            case d 0: finished SUCCEEDED
            case d 0: -
            SUCCEEDED start:OK d:OK end:OK
        "#]],
    );
}

#[test]
fn resume_attaches_to_what_was_launched() {
    check(
        ONE_ACTION,
        "start, prepared a, suspend, resume, ok a",
        expect![[r#"
            start: prepare a@1
            prepared a: launch a@1
            suspend: suspended
            resume: launch a@1
            ok a: finished SUCCEEDED
            SUCCEEDED start:OK a:OK end:OK
        "#]],
    );
}

#[test]
fn events_for_nodes_of_another_kind_are_ignored() {
    check(
        "start > f\n fork f j > j a d\n action a > j j\n decision d > j\n join j > end\n end",
        "start, case a 0, case j 0, failed j, ok j, prepared j, non-transient j, prepared d, ok d, ok a, canceled a,
         due a, case f 0, failed f, ok start, case end 0, failed end, due j, prepared a, case d 0, case a 0, ok a",
        expect![[r#"
            start: prepare a@1, choose d
            case a 0: -
            case j 0: -
            failed j: -
            ok j: -
            prepared j: -
            non-transient j: -
            prepared d: -
            ok d: -
            ok a: -
            canceled a: -
            due a: -
            case f 0: -
            failed f: -
            ok start: -
            case end 0: -
            failed end: -
            due j: -
            prepared a: launch a@1
            case d 0: .
            case a 0: -
            ok a: finished SUCCEEDED
            SUCCEEDED start:OK f:OK a:OK d:OK j:OK end:OK
        "#]],
    );
}

#[test]
fn a_parked_action_whose_way_out_is_lost_fails_the_job() {
    let graph = Graph::new(ONE_ACTION);
    let mut run = Run::new(&graph);
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
    let graph = Graph::new(SHARED_HANDLER);
    let mut run = Run::new(&graph);
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
    let graph = Graph::new(SHARED_HANDLER);
    let mut run = Run::new(&graph);
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
