//! Where strands go: straight on, through decisions, apart at forks and together at joins.

use expect_test::expect;

use super::check;

/// Two actions side by side; both come to the handler `h` when they fail.
pub(super) const SHARED_HANDLER: &str = "
    start > f
    fork f j > a b
    action a > j h
    action b > j h
    action h > j k
    join j > end
    kill k
    end";

#[test]
fn an_empty_workflow_succeeds_at_once() {
    check(
        "start > end\n end",
        "start",
        expect![[r#"
        start: finished SUCCEEDED
        SUCCEEDED start:OK end:OK
    "#]],
    );
}

#[test]
fn an_action_is_prepared_then_launched_then_left() {
    let graph = "start > a\n action a > end k\n kill k\n end";
    check(
        graph,
        "start, prepared a, ok a",
        expect![[r#"
        start: prepare a@1
        prepared a: launch a@1
        ok a: finished SUCCEEDED
        SUCCEEDED start:OK a:OK end:OK
    "#]],
    );
    check(
        graph,
        "start, prepared a, error a",
        expect![[r#"
        start: prepare a@1
        prepared a: launch a@1
        error a: message k, finished KILLED
        KILLED start:OK a:ERROR k:OK
    "#]],
    );
}

#[test]
fn a_decision_takes_the_case_that_holds() {
    let graph = "start > d\n decision d > end k\n kill k\n end";
    check(
        graph,
        "start, case d 0",
        expect![[r#"
        start: choose d
        case d 0: finished SUCCEEDED
        SUCCEEDED start:OK d:OK end:OK
    "#]],
    );
    check(
        graph,
        "start, case d 1",
        expect![[r#"
        start: choose d
        case d 1: message k, finished KILLED
        KILLED start:OK d:OK k:OK
    "#]],
    );
}

#[test]
fn a_decision_that_cannot_be_evaluated_fails_the_job() {
    check(
        "start > d\n decision d > end\n end",
        "start, failed d",
        expect![[r#"
            start: choose d
            failed d: finished FAILED
            FAILED start:OK d:FAILED
        "#]],
    );
}

#[test]
fn a_join_waits_for_every_strand() {
    let graph = "start > f\n fork f j > a b c\n action a > j j\n action b > j j\n action c > j j\n join j > end\n end";
    check(
        graph,
        "start, prepared c, prepared a, ok c, prepared b, error a, ok b",
        expect![[r#"
            start: prepare a@1, prepare b@1, prepare c@1
            prepared c: launch c@1
            prepared a: launch a@1
            ok c: .
            prepared b: launch b@1
            error a: .
            ok b: finished SUCCEEDED
            SUCCEEDED start:OK f:OK a:ERROR b:OK c:OK j:OK end:OK
        "#]],
    );
}

#[test]
fn an_inner_join_goes_on_in_the_outer_strand() {
    let graph = "
        start > f
        fork f j > g a
        fork g i > b c
        action a > j j
        action b > i i
        action c > i i
        join i > d
        action d > j j
        join j > end
        end";
    check(
        graph,
        "start, prepared a, prepared b, prepared c, ok b, ok a, ok c, prepared d, ok d",
        expect![[r#"
            start: prepare b@1, prepare c@1, prepare a@1
            prepared a: launch a@1
            prepared b: launch b@1
            prepared c: launch c@1
            ok b: .
            ok a: .
            ok c: prepare d@1
            prepared d: launch d@1
            ok d: finished SUCCEEDED
            SUCCEEDED start:OK f:OK g:OK a:OK b:OK c:OK i:OK d:OK j:OK end:OK
        "#]],
    );
    check(
        graph,
        "start, prepared b, prepared c, ok b, ok c, prepared d, ok d, prepared a, ok a",
        expect![[r#"
            start: prepare b@1, prepare c@1, prepare a@1
            prepared b: launch b@1
            prepared c: launch c@1
            ok b: .
            ok c: prepare d@1
            prepared d: launch d@1
            ok d: .
            prepared a: launch a@1
            ok a: finished SUCCEEDED
            SUCCEEDED start:OK f:OK g:OK a:OK b:OK c:OK i:OK d:OK j:OK end:OK
        "#]],
    );
}

#[test]
fn a_decision_in_a_branch_stays_in_its_strand() {
    let graph = "
        start > f
        fork f j > d b
        decision d > a j
        action a > j j
        action b > j j
        join j > end
        end";
    check(
        graph,
        "start, case d 1, prepared b, ok b",
        expect![[r#"
        start: choose d, prepare b@1
        case d 1: .
        prepared b: launch b@1
        ok b: finished SUCCEEDED
        SUCCEEDED start:OK f:OK d:OK b:OK j:OK end:OK
    "#]],
    );
    check(
        graph,
        "start, case d 0, prepared a, prepared b, ok b, ok a",
        expect![[r#"
            start: choose d, prepare b@1
            case d 0: prepare a@1
            prepared a: launch a@1
            prepared b: launch b@1
            ok b: .
            ok a: finished SUCCEEDED
            SUCCEEDED start:OK f:OK d:OK a:OK b:OK j:OK end:OK
        "#]],
    );
}

#[test]
fn a_branch_straight_to_the_join_is_over_at_once() {
    check(
        "start > f\n fork f j > j a j\n action a > j j\n join j > end\n end",
        "start, prepared a, ok a",
        expect![[r#"
            start: prepare a@1
            prepared a: launch a@1
            ok a: finished SUCCEEDED
            SUCCEEDED start:OK f:OK a:OK j:OK end:OK
        "#]],
    );
    check(
        "start > f\n fork f j > j j\n join j > g\n fork g i > i i\n join i > end\n end",
        "start",
        expect![[r#"
            start: finished SUCCEEDED
            SUCCEEDED start:OK f:OK j:OK g:OK i:OK end:OK
        "#]],
    );
}

#[test]
fn a_branch_that_comes_to_a_kill_stops_its_siblings() {
    let graph = "
        start > f
        fork f j > a b c d
        action a > j k
        action b > j k
        action c > j k
        decision d > j k
        join j > end
        kill k
        end";
    check(
        graph,
        "start, prepared a, prepared b, ok b, prepared c, error a, ok c, canceled c, canceled c",
        expect![[r#"
            start: prepare a@1, prepare b@1, prepare c@1, choose d
            prepared a: launch a@1
            prepared b: launch b@1
            ok b: .
            prepared c: launch c@1
            error a: message k, cancel c@1, finished KILLED
            ok c: -
            canceled c: .
            canceled c: -
            KILLED start:OK f:OK a:ERROR b:OK c:KILLED d:KILLED j:KILLED k:OK
        "#]],
    );
}

#[test]
fn a_fork_with_a_branch_to_a_kill_begins_nothing() {
    check(
        "start > f\n fork f j > a k b\n action a > j j\n action b > j j\n join j > end\n kill k\n end",
        "start, prepared a",
        expect![[r#"
            start: message k, finished KILLED
            prepared a: -
            KILLED start:OK f:OK a:KILLED k:OK
        "#]],
    );
}

#[test]
fn a_fail_node_kills_the_other_branches_and_fails_the_job() {
    check(
        "start > f\n fork f j > a b\n action a > j x\n action b > j j\n join j > end\n fail x\n end",
        "start, prepared a, prepared b, error a, ok b, canceled b",
        expect![[r#"
            start: prepare a@1, prepare b@1
            prepared a: launch a@1
            prepared b: launch b@1
            error a: message x, cancel b@1, finished FAILED
            ok b: -
            canceled b: .
            FAILED start:OK f:OK a:ERROR b:KILLED x:OK
        "#]],
    );
}

#[test]
fn an_end_inside_a_fork_ends_the_job() {
    check(
        "start > f\n fork f j > a b\n action a > end j\n action b > j j\n join j > end\n end",
        "start, prepared a, prepared b, ok a, ok b, canceled b",
        expect![[r#"
            start: prepare a@1, prepare b@1
            prepared a: launch a@1
            prepared b: launch b@1
            ok a: cancel b@1, finished SUCCEEDED
            ok b: -
            canceled b: .
            SUCCEEDED start:OK f:OK a:OK b:KILLED end:OK
        "#]],
    );
}

#[test]
fn a_handler_that_two_strands_reach_runs_once() {
    check(
        SHARED_HANDLER,
        "start, prepared a, prepared b, error a, error b, prepared h, ok h",
        expect![[r#"
            start: prepare a@1, prepare b@1
            prepared a: launch a@1
            prepared b: launch b@1
            error a: prepare h@1
            error b: strand ended at h
            prepared h: launch h@1
            ok h: finished SUCCEEDED
            SUCCEEDED start:OK f:OK a:ERROR b:ERROR h:OK j:OK end:OK
        "#]],
    );
    check(
        SHARED_HANDLER,
        "start, prepared a, prepared b, error a, prepared h, ok h, error b",
        expect![[r#"
            start: prepare a@1, prepare b@1
            prepared a: launch a@1
            prepared b: launch b@1
            error a: prepare h@1
            prepared h: launch h@1
            ok h: .
            error b: strand ended at h, finished SUCCEEDED
            SUCCEEDED start:OK f:OK a:ERROR b:ERROR h:OK j:OK end:OK
        "#]],
    );
}

#[test]
fn a_strand_of_an_inner_fork_may_meet_a_strand_of_the_outer() {
    // The handler is in the outer fork; whichever strand enters it first takes it along.
    let graph = "
        start > f
        fork f j > g b
        fork g i > a i
        action a > i h
        action b > j h
        action h > j j
        join i > j
        join j > end
        end";
    check(
        graph,
        "start, prepared a, prepared b, error a, error b, prepared h, ok h",
        expect![[r#"
            start: prepare a@1, prepare b@1
            prepared a: launch a@1
            prepared b: launch b@1
            error a: prepare h@1
            error b: strand ended at h
            prepared h: launch h@1
            ok h: finished SUCCEEDED
            SUCCEEDED start:OK f:OK g:OK a:ERROR b:ERROR h:OK i:OK j:OK end:OK
        "#]],
    );
    check(
        graph,
        "start, prepared a, prepared b, error b, error a, prepared h, ok h",
        expect![[r#"
            start: prepare a@1, prepare b@1
            prepared a: launch a@1
            prepared b: launch b@1
            error b: prepare h@1
            error a: strand ended at h
            prepared h: launch h@1
            ok h: finished SUCCEEDED
            SUCCEEDED start:OK f:OK g:OK a:ERROR b:ERROR h:OK i:OK j:OK end:OK
        "#]],
    );
}

#[test]
fn a_fork_whose_strands_all_end_at_kills_needs_no_join() {
    let graph =
        "start > f\n fork f - > a b\n action a > h k\n action b > h k\n action h > k k\n kill k";
    check(
        graph,
        "start, prepared a, prepared b, ok a, ok b, prepared h, ok h",
        expect![[r#"
            start: prepare a@1, prepare b@1
            prepared a: launch a@1
            prepared b: launch b@1
            ok a: prepare h@1
            ok b: strand ended at h
            prepared h: launch h@1
            ok h: message k, finished KILLED
            KILLED start:OK f:OK a:OK b:OK h:OK k:OK
        "#]],
    );
}

#[test]
fn a_failed_strand_kills_its_siblings() {
    check(
        SHARED_HANDLER,
        "start, prepared a, prepared b, failed a, ok b, canceled b",
        expect![[r#"
            start: prepare a@1, prepare b@1
            prepared a: launch a@1
            prepared b: launch b@1
            failed a: cancel b@1, finished FAILED
            ok b: -
            canceled b: .
            FAILED start:OK f:OK a:FAILED b:KILLED
        "#]],
    );
}

#[test]
fn a_graph_that_no_compiler_makes_fails_and_does_not_wait() {
    // A way out that is missing.
    check(
        "start > a\n action a > - end\n end",
        "start, prepared a, ok a",
        expect![[r#"
            start: prepare a@1
            prepared a: launch a@1
            ok a: finished FAILED
            FAILED start:OK a:OK
        "#]],
    );
    check(
        "start > f\n fork f - > - -",
        "start",
        expect![[r#"
        start: finished FAILED
        FAILED start:OK f:OK
    "#]],
    );
    // A join outside every fork.
    check(
        "start > j\n join j > end\n end",
        "start",
        expect![[r#"
        start: finished FAILED
        FAILED start:OK j:KILLED
    "#]],
    );
    // A fork without strands.
    check(
        "start > f\n fork f j >\n join j > end\n end",
        "start",
        expect![[r#"
            start: finished FAILED
            FAILED start:OK f:OK
        "#]],
    );
    // Strands of a fork without a join that neither end the job.
    check(
        "start > f\n fork f - > a b\n action a > j j\n action b > j j\n join j > end\n end",
        "start, prepared a, ok a, prepared b, ok b",
        expect![[r#"
            start: prepare a@1, prepare b@1
            prepared a: launch a@1
            ok a: .
            prepared b: launch b@1
            ok b: finished FAILED
            FAILED start:OK f:OK a:OK b:OK j:KILLED
        "#]],
    );
    // A circle.
    check(
        "start > a\n action a > d d\n decision d > a",
        "start, prepared a, ok a, case d 0",
        expect![[r#"
            start: prepare a@1
            prepared a: launch a@1
            ok a: choose d
            case d 0: strand ended at a, finished FAILED
            FAILED start:OK a:OK d:OK
        "#]],
    );
}

#[test]
fn a_long_row_of_control_nodes_takes_no_stack() {
    let mut text = "start > f0\n".to_owned();
    let n = 2_000;
    for i in 0..n {
        let next = if i + 1 == n {
            "end".to_owned()
        } else {
            format!("f{}", i + 1)
        };
        text.push_str(&format!("fork f{i} j{i} > j{i} j{i}\njoin j{i} > {next}\n"));
    }
    text.push_str("end");
    let graph = super::Graph::new(&text);
    let mut run = super::Run::new(&graph);
    let step = run.take(super::Event::Start);
    assert_eq!(
        step.effects,
        [super::Effect::Finished(super::JobStatus::Succeeded)]
    );
}
