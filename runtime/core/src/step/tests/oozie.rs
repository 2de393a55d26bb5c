//! Ways in which Oozie's jobs got stuck or lost what they knew, by their numbers in Oozie's issue tracker: here they go on.
//!
//! Others have a name elsewhere: OOZIE-2023 (a rerun that stays in PREP) in the job store, since it needs two transactions to
//! go wrong; OOZIE-1893, 1940 and 3527 with the coordinators and bundles that they are about.

use expect_test::{Expect, expect};

use super::{Graph, Run, check};
use crate::{
    definition::Shape,
    status::{ActionStatus, JobStatus},
    step::Event,
};

/// Two branches, each a fork of its own.
const FORKS_IN_A_FORK: &str = "
    start > f
    fork f j > g h
    fork g i > a b
    fork h l > c d
    action a > i k
    action b > i k
    action c > l k
    action d > l k
    join i > j
    join l > j
    join j > end
    kill k
    end";

/// The start of a second branch was taken for that of the first, because the commands had one name, and was dropped.
#[test]
fn oozie_3717_no_branch_of_a_fork_is_taken_for_another() {
    check(
        FORKS_IN_A_FORK,
        "start, prepared a, prepared b, prepared c, prepared d, ok d, ok a, ok c, ok b",
        expect![[r#"
            start: prepare a@1, prepare b@1, prepare c@1, prepare d@1
            prepared a: launch a@1
            prepared b: launch b@1
            prepared c: launch c@1
            prepared d: launch d@1
            ok d: .
            ok a: .
            ok c: .
            ok b: finished SUCCEEDED
            SUCCEEDED start:OK f:OK g:OK h:OK a:OK b:OK c:OK d:OK i:OK l:OK j:OK end:OK
        "#]],
    );
}

/// Threads that started the branches of forks waited for threads that were all doing the same.
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
    let graph = Graph::new(&text);
    let mut run = Run::new(&graph);
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

/// One branch failed the job; the others stayed RUNNING, or PREP, for ever.
#[track_caller]
fn check_failing_branch(events: &str, expected: Expect) {
    check(
        "start > f\nfork f j > a b c\naction a > j k\naction b > j k\naction c > j k\njoin j > end\nkill k\nend",
        events,
        expected,
    );
}

#[test]
fn oozie_3670_nothing_goes_on_beside_a_branch_that_fails_the_job() {
    check_failing_branch(
        "start, prepared a, prepared b, failed b, ok a, prepared c, canceled a",
        expect![[r#"
            start: prepare a@1, prepare b@1, prepare c@1
            prepared a: launch a@1
            prepared b: launch b@1
            failed b: cancel a@1, finished FAILED
            ok a: -
            prepared c: -
            canceled a: .
            FAILED start:OK f:OK a:KILLED b:FAILED c:KILLED
        "#]],
    );
}

/// A value that cannot be evaluated in one branch left the job RUNNING.
#[test]
fn oozie_3584_a_branch_without_values_fails_the_job() {
    check_failing_branch(
        "start, failed a, prepared b, prepared c",
        expect![[r#"
            start: prepare a@1, prepare b@1, prepare c@1
            failed a: finished FAILED
            prepared b: -
            prepared c: -
            FAILED start:OK f:OK a:FAILED b:KILLED c:KILLED
        "#]],
    );
    check_failing_branch(
        "start, prepared b, failed a, canceled b",
        expect![[r#"
            start: prepare a@1, prepare b@1, prepare c@1
            prepared b: launch b@1
            failed a: cancel b@1, finished FAILED
            canceled b: .
            FAILED start:OK f:OK a:FAILED b:KILLED c:KILLED
        "#]],
    );
}

/// A kill node whose message could not be evaluated left the job RUNNING. Here the job has ended before its message is
/// looked at.
#[test]
fn oozie_2324_the_message_of_a_kill_node_ends_nothing() {
    check(
        "start > a\naction a > end k\nkill k\nend",
        "start, prepared a, error a",
        expect![[r#"
            start: prepare a@1
            prepared a: launch a@1
            error a: message k, finished KILLED
            KILLED start:OK a:ERROR k:OK
        "#]],
    );
}

/// An error edge that two branches share passed every check and failed the job with E0709 when it ran.
#[test]
fn e0709_a_node_that_two_strands_reach_runs_once() {
    check(
        super::strands::SHARED_HANDLER,
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
}

/// `ResumeXCommand` passes over actions that wait for a user retry: they waited for the recovery service.
#[test]
fn a_resumed_job_takes_up_its_user_retries() {
    check(
        "start > a\naction a > end k\nkill k\nend",
        "start, prepared a, retried-error a, suspend, due a, resume, due a, prepared a, ok a",
        expect![[r#"
            start: prepare a@1
            prepared a: launch a@1
            retried-error a: wait a 60s
            suspend: suspended
            due a: -
            resume: wait a
            due a: prepare a@2
            prepared a: launch a@2
            ok a: finished SUCCEEDED
            SUCCEEDED start:OK a:OK end:OK
        "#]],
    );
}

/// An error that a check found failed the job, and a failure for a person was passed over, so that the action ran for ever
/// (`ActionCheckXCommand`).
#[test]
fn a_failure_counts_the_same_whenever_it_is_found() {
    let graph = "start > a\naction a > end k\nkill k\nend";
    check(
        graph,
        "start, prepared a, non-transient a, resume, prepared a, error a",
        expect![[r#"
            start: prepare a@1
            prepared a: launch a@1
            non-transient a: .
            resume: prepare a@2
            prepared a: launch a@2
            error a: message k, finished KILLED
            KILLED start:OK a:ERROR k:OK
        "#]],
    );
}
