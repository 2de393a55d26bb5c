//! Nodes before which a job stops (`oozie.suspend.on.nodes`).

use expect_test::expect;

use super::check_given;

const FORK: &str =
    "start > f\n fork f j > a b\n action a > j k\n action b > j k\n join j > end\n kill k\n end";

#[test]
fn the_job_stops_before_the_node_once() {
    check_given(
        "start > a\n action a > b k\n action b > end k\n kill k\n end",
        "stop b",
        "start, prepared a, ok a, suspend, resume, prepared b, ok b",
        expect![[r#"
            start: prepare a@1
            prepared a: launch a@1
            ok a: suspended
            suspend: -
            resume: prepare b@1
            prepared b: launch b@1
            ok b: finished SUCCEEDED
            SUCCEEDED start:OK a:OK b:OK end:OK
        "#]],
    );
}

#[test]
fn control_nodes_are_suspend_points_too() {
    check_given(
        "start > d\n decision d > end k\n kill k\n end",
        "stop *",
        "start, resume, resume, case d 0, resume",
        expect![[r#"
            start: suspended
            resume: suspended
            resume: choose d
            case d 0: suspended
            resume: finished SUCCEEDED
            SUCCEEDED start:OK d:OK end:OK
        "#]],
    );
}

#[test]
fn no_branch_begins_where_the_job_stops_before_one() {
    check_given(
        FORK,
        "stop b",
        "start, prepared a, resume, prepared a, prepared b, ok a, ok b",
        expect![[r#"
            start: suspended
            prepared a: -
            resume: prepare a@1, prepare b@1
            prepared a: launch a@1
            prepared b: launch b@1
            ok a: .
            ok b: finished SUCCEEDED
            SUCCEEDED start:OK f:OK a:OK b:OK j:OK end:OK
        "#]],
    );
}

#[test]
fn every_node_of_a_fork_stops_the_job_once() {
    check_given(
        FORK,
        "stop *",
        "start, resume, resume, resume, prepared a, ok a, prepared b, ok b, resume, resume",
        expect![[r#"
            start: suspended
            resume: suspended
            resume: suspended
            resume: prepare a@1, prepare b@1
            prepared a: launch a@1
            ok a: .
            prepared b: launch b@1
            ok b: suspended
            resume: suspended
            resume: finished SUCCEEDED
            SUCCEEDED start:OK f:OK a:OK b:OK j:OK end:OK
        "#]],
    );
}

#[test]
fn an_inner_fork_that_stops_keeps_its_siblings_from_beginning() {
    check_given(
        "start > f
         fork f j > a g
         fork g i > b c
         action a > j k
         action b > i k
         action c > i k
         join i > j
         join j > end
         kill k
         end",
        "stop b",
        "start, resume, prepared a, prepared b, prepared c, ok a, ok b, ok c",
        expect![[r#"
            start: suspended
            resume: prepare a@1, prepare b@1, prepare c@1
            prepared a: launch a@1
            prepared b: launch b@1
            prepared c: launch c@1
            ok a: .
            ok b: .
            ok c: finished SUCCEEDED
            SUCCEEDED start:OK f:OK g:OK a:OK b:OK c:OK i:OK j:OK end:OK
        "#]],
    );
}

#[test]
fn what_is_parked_may_lead_to_the_next_suspend_point() {
    check_given(
        FORK,
        "stop j",
        "start, prepared a, prepared b, suspend, ok a, ok b, resume, kill",
        expect![[r#"
            start: prepare a@1, prepare b@1
            prepared a: launch a@1
            prepared b: launch b@1
            suspend: suspended
            ok a: .
            ok b: .
            resume: suspended
            kill: finished KILLED
            KILLED start:OK f:OK a:OK b:OK j:KILLED
        "#]],
    );
}

#[test]
fn a_job_that_waits_before_a_node_can_be_killed() {
    check_given(
        FORK,
        "stop f",
        "start, kill, resume",
        expect![[r#"
        start: suspended
        kill: finished KILLED
        resume: -
        KILLED start:OK f:KILLED
    "#]],
    );
}
