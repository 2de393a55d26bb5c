//! Running actions again.

use expect_test::expect;

use super::*;

#[test]
fn an_action_runs_again() {
    check(
        "end=00:20 concurrency=2",
        "
        00:10 tick
        00:11 1 FAILED
        00:11 2 SUCCEEDED
        00:12 rerun 1
        00:13 1 RUNNING
        00:14 1 SUCCEEDED
        00:15 rerun 1,2
        ",
        expect![[r#"
            00:10 tick => 1:WAITING>READY>SUBMITTED 2:WAITING>READY>SUBMITTED [submit 1, start 1, submit 2, start 2] RUNNING
            00:11 1 FAILED => 1:FAILED RUNNINGWITHERROR
            00:11 2 SUCCEEDED => 2:SUCCEEDED [finished DONEWITHERROR] DONEWITHERROR
            00:12 rerun 1 => 1:WAITING>READY>SUBMITTED [submit 1, start 1] RUNNING
            00:13 1 RUNNING => 1:RUNNING
            00:14 1 SUCCEEDED => 1:SUCCEEDED [finished SUCCEEDED] SUCCEEDED
            00:15 rerun 1,2 => 1:WAITING>READY>SUBMITTED 2:WAITING>READY>SUBMITTED [submit 1, start 1, submit 2, start 2] RUNNING
            RUNNING done next 2026-01-01T00:20 wake -
        "#]],
    );
}

/// `CoordActionUpdateXCommand`: what somebody does to a workflow by itself is its action's affair too.
#[test]
fn an_action_follows_its_workflow_that_is_rerun_by_itself() {
    check(
        "end=00:20 concurrency=2",
        "
        00:10 tick
        00:11 1 KILLED
        00:11 2 SUCCEEDED
        00:12 again 1
        00:12 1 RUNNING
        00:13 crash
        00:13 1 SUSPENDED
        00:14 1 RUNNING
        00:15 again 1
        00:16 1 SUCCEEDED
        00:17 again 2
        00:18 2 FAILED
        ",
        expect![[r#"
            00:10 tick => 1:WAITING>READY>SUBMITTED 2:WAITING>READY>SUBMITTED [submit 1, start 1, submit 2, start 2] RUNNING
            00:11 1 KILLED => 1:KILLED RUNNINGWITHERROR
            00:11 2 SUCCEEDED => 2:SUCCEEDED [finished DONEWITHERROR] DONEWITHERROR
            00:12 again 1 => 1:RUNNING RUNNING
            00:12 1 RUNNING =>
            00:13 crash => owes []
            00:13 1 SUSPENDED => 1:SUSPENDED SUSPENDED
            00:14 1 RUNNING => 1:RUNNING
            00:15 again 1 =>
            00:16 1 SUCCEEDED => 1:SUCCEEDED [finished SUCCEEDED] SUCCEEDED
            00:17 again 2 => 2:RUNNING RUNNING
            00:18 2 FAILED => 2:FAILED [finished DONEWITHERROR] DONEWITHERROR
            DONEWITHERROR done next 2026-01-01T00:20 wake -
        "#]],
    );
    // A coordinator that a person has killed, suspended or ignored.
    check(
        "end=00:30 concurrency=2",
        "
        00:10 tick
        00:11 1 KILLED
        00:12 suspend
        00:13 again 1
        00:14 1 SUCCEEDED
        00:15 kill
        00:15 2 KILLED
        00:16 again 1
        00:17 1 KILLED
        00:18 change status=IGNORED
        00:19 again 1
        ",
        expect![[r#"
            00:10 tick => 1:WAITING>READY>SUBMITTED 2:WAITING>READY>SUBMITTED [submit 1, start 1, submit 2, start 2] RUNNING
            00:11 1 KILLED => 1:KILLED RUNNINGWITHERROR
            00:12 suspend => SUSPENDEDWITHERROR
            00:13 again 1 => 1:RUNNING SUSPENDED
            00:14 1 SUCCEEDED => 1:SUCCEEDED
            00:15 kill => 2:KILLED [kill 2, finished KILLED] KILLED
            00:15 2 KILLED =>
            00:16 again 1 => 1:RUNNING RUNNINGWITHERROR
            00:17 1 KILLED => 1:KILLED [finished KILLED] KILLED
            00:18 change status=IGNORED => IGNORED
            00:19 again 1 =>
            IGNORED done next 2026-01-01T00:20 wake -
        "#]],
    );
}

#[test]
fn failed_nodes_alone_run_again_in_the_same_workflow() {
    check(
        "end=00:10",
        "
        00:00 tick
        00:01 1 FAILED
        00:02 rerun 1 failed
        ",
        expect![[r#"
            00:00 tick => 1:WAITING>READY>SUBMITTED [submit 1, start 1] RUNNING
            00:01 1 FAILED => 1:FAILED [finished FAILED] FAILED
            00:02 rerun 1 failed => 1:WAITING>READY>SUBMITTED [submit 1 again, start 1] RUNNING
            RUNNING done next 2026-01-01T00:10 wake -
        "#]],
    );
    // There is no workflow to run on.
    check(
        "end=00:10 in=current(0) timeout=1",
        "
        00:00 tick
        00:00 missing /01-00:00
        00:05 tick
        00:05 missing /01-00:00
        00:06 rerun 1 failed
        00:06 there /01-00:00
        ",
        expect![[r#"
            00:00 tick => 1:WAITING [look /01-00:00] RUNNING
            00:00 missing /01-00:00 =>
            00:05 tick => [look /01-00:00]
            00:05 missing /01-00:00 => 1:TIMEDOUT [forget /01-00:00, finished DONEWITHERROR] DONEWITHERROR
            00:06 rerun 1 failed => 1:WAITING [look /01-00:00] RUNNING
            00:06 there /01-00:00 => 1:READY>SUBMITTED [forget /01-00:00, submit 1 again, start 1]
            RUNNING done next 2026-01-01T00:10 wake -
        "#]],
    );
}

/// 6.10: what was found is not looked for again, but for a refresh.
#[test]
fn inputs_are_kept_unless_they_are_refreshed() {
    for (how, expected) in [
        (
            "",
            expect![[r#"
        00:00 tick => 1:WAITING [look /01-00:00] RUNNING
        00:00 there /01-00:00 => 1:READY>SUBMITTED [forget /01-00:00, submit 1, start 1]
        00:01 1 KILLED => 1:KILLED [finished KILLED] KILLED
        09:00 rerun 1 => 1:WAITING>READY>SUBMITTED [submit 1, start 1] RUNNING
        RUNNING done next 2026-01-01T00:10 wake -
    "#]],
        ),
        (
            "refresh",
            expect![[r#"
        00:00 tick => 1:WAITING [look /01-00:00] RUNNING
        00:00 there /01-00:00 => 1:READY>SUBMITTED [forget /01-00:00, submit 1, start 1]
        00:01 1 KILLED => 1:KILLED [finished KILLED] KILLED
        09:00 rerun 1 refresh => 1:WAITING [look /01-00:00] RUNNING
        RUNNING done next 2026-01-01T00:10 wake 2026-01-01T11:01:00
    "#]],
        ),
    ] {
        check(
            "end=00:10 in=current(0)",
            &format!(
                "
                00:00 tick
                00:00 there /01-00:00
                00:01 1 KILLED
                09:00 rerun 1 {how}
                "
            ),
            expected,
        );
    }
}

#[test]
fn a_refresh_makes_the_action_anew() {
    let mut played = Played::new("end=00:10 in=latest(0)");
    played.step(time("00:00"), Event::Tick);
    for words in [&["searched", "1", "00:00"][..], &["1", "KILLED"]] {
        let event = played.event(words);
        played.step(time("00:01"), event);
    }
    let rerun = played.event(&["rerun", "1"]);
    let step = played.step(time("05:00"), rerun);
    let record = &step.actions[&1];
    assert_eq!(
        (record.created, record.since, record.run),
        (time("00:00"), time("05:00"), 1)
    );
    assert!(!record.inputs.searched.is_empty());
    let killed = played.event(&["1", "KILLED"]);
    played.step(time("05:01"), killed);
    let rerun = played.event(&["rerun", "1", "refresh"]);
    let step = played.step(time("06:00"), rerun);
    let record = &step.actions[&1];
    assert_eq!(
        (record.created, record.since, record.run),
        (time("06:00"), time("06:00"), 2)
    );
    assert_eq!(record.inputs, super::super::Inputs::default());
}

/// A person who asks for a late action means it.
#[test]
fn reruns_are_not_skipped() {
    check(
        "execution=LAST_ONLY end=00:30",
        "
        00:25 tick
        00:25 3 SUCCEEDED
        00:26 rerun 1
        00:27 tick
        ",
        expect![[r#"
            00:25 tick => 1:WAITING>SKIPPED 2:WAITING>SKIPPED 3:WAITING>READY>SUBMITTED [submit 3, start 3] RUNNING
            00:25 3 SUCCEEDED => 3:SUCCEEDED [finished SUCCEEDED] SUCCEEDED
            00:26 rerun 1 => 1:WAITING>READY>SUBMITTED [submit 1, start 1] RUNNING
            00:27 tick =>
            RUNNING done next 2026-01-01T00:30 wake -
        "#]],
    );
}

#[test]
fn only_what_is_over_runs_again() {
    check(
        "end=00:30",
        "
        00:20 tick
        00:21 1 RUNNING
        00:21 rerun 1,2
        00:21 rerun 9
        00:22 kill 1
        00:22 rerun 1
        00:22 1 KILLED
        00:23 rerun 1
        ",
        expect![[r#"
            00:20 tick => 1:WAITING>READY>SUBMITTED 2:WAITING>READY 3:WAITING>READY [submit 1, start 1] RUNNING
            00:21 1 RUNNING => 1:RUNNING
            00:21 rerun 1,2 => refused E1018: only actions that are over can be run again: 1 is RUNNING, 2 is READY
            00:21 rerun 9 => refused E1018: no action was selected
            00:22 kill 1 => 1:KILLED [kill 1] RUNNINGWITHERROR
            00:22 rerun 1 => refused E1018: only actions that are over can be run again: the workflow of 1 is still being killed
            00:22 1 KILLED => 2:SUBMITTED [submit 2, start 2]
            00:23 rerun 1 => 1:WAITING>READY RUNNING
            RUNNING done next 2026-01-01T00:30 wake -
        "#]],
    );
}

/// What a search had not found when the action ended was left in its row.
#[test]
fn searches_that_found_too_little_leave_nothing() {
    let mut played = Played::new("end=00:10 in=latest(-3) timeout=0");
    for (at, words) in [
        ("00:00", &["tick"][..]),
        ("00:01", &["searched", "1", "-"]),
        ("00:02", &["rerun", "1"]),
        ("00:02", &["searched", "1", "-"]),
    ] {
        let event = played.event(words);
        played.step(time(at), event);
    }
    let record = &played.rows[&1];
    assert_eq!(record.status, CoordinatorActionStatus::Waiting);
    assert_eq!(record.inputs, super::super::Inputs::default());
}
