//! What a rerun does not run again: it ends as it once did, and the way goes on from there.

use expect_test::expect;

use super::{Graph, Run, check_given};

const CHAIN: &str = "start > a\n action a > b k\n action b > d k\n decision d > c end\n action c > end k\n kill k\n end";

#[test]
fn skipped_nodes_end_as_they_did_and_the_first_other_one_runs() {
    check_given(
        CHAIN,
        "skip a, skip d 0",
        "start, prepared b, ok b, prepared c, ok c",
        expect![[r#"
            start: skipped a, prepare b@1
            prepared b: launch b@1
            ok b: skipped d, prepare c@1
            prepared c: launch c@1
            ok c: finished SUCCEEDED
            SUCCEEDED start:OK a:OK b:OK d:OK c:OK end:OK
        "#]],
    );
}

#[test]
fn a_job_of_skipped_nodes_alone_ends_at_once() {
    check_given(
        CHAIN,
        "skip a, skip b, skip d 1",
        "start",
        expect![[r#"
        start: skipped a, skipped b, skipped d, finished SUCCEEDED
        SUCCEEDED start:OK a:OK b:OK d:OK end:OK
    "#]],
    );
}

#[test]
fn a_skipped_error_takes_its_edge_again() {
    check_given(
        CHAIN,
        "skip a error",
        "start",
        expect![[r#"
        start: skipped a, message k, finished KILLED
        KILLED start:OK a:ERROR k:OK
    "#]],
    );
}

#[test]
fn branches_are_skipped_and_the_join_waits_for_the_others() {
    check_given(
        "start > f\n fork f j > a b\n action a > j k\n action b > j k\n join j > end\n kill k\n end",
        "skip a",
        "start, prepared b, ok b",
        expect![[r#"
            start: skipped a, prepare b@1
            prepared b: launch b@1
            ok b: finished SUCCEEDED
            SUCCEEDED start:OK f:OK a:OK b:OK j:OK end:OK
        "#]],
    );
}

#[test]
fn a_skipped_node_is_no_suspend_point_and_waits_where_the_job_is_suspended() {
    check_given(
        CHAIN,
        "skip a, stop a, stop b",
        "start, resume",
        expect![[r#"
            start: skipped a, suspended
            resume: prepare b@1
            RUNNING start:OK a:OK b:PREP
        "#]],
    );
    check_given(
        "start > f\n fork f j > a b\n action a > j k\n action b > j k\n join j > end\n kill k\n end",
        "skip a, stop b",
        "start, resume, prepared b, ok b",
        expect![[r#"
            start: suspended
            resume: skipped a, prepare b@1
            prepared b: launch b@1
            ok b: finished SUCCEEDED
            SUCCEEDED start:OK f:OK a:OK b:OK j:OK end:OK
        "#]],
    );
}

/// The store keeps the mark of what is to be skipped with the node, and a node that was killed has none.
#[test]
fn a_node_that_is_killed_before_it_is_skipped_is_to_be_skipped_no_more() {
    let graph = Graph::new(
        "start > f\n fork f j > a b\n action a > j k\n action b > j k\n join j > end\n kill k\n end",
    );
    let mut run = Run::new(&graph);
    run.give("stop b");
    run.give("skip a");
    for line in ["start", "kill"] {
        let event = run.event(line);
        run.take(event);
    }
    assert_eq!(run.show_state(), "KILLED start:OK f:OK a:KILLED b:KILLED");
    assert!(run.state.skips.is_empty(), "{:?}", run.state.skips);
}
