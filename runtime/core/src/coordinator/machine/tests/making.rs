//! Which actions are made, and when.

use expect_test::expect;

use super::*;

#[test]
fn actions_are_made_at_their_times() {
    check(
        "end=00:20",
        "
        00:00 tick
        00:00 1 RUNNING
        00:04 1 SUCCEEDED
        00:10 tick
        00:10 2 RUNNING
        00:12 2 SUCCEEDED
        ",
        expect![[r#"
            00:00 tick => 1:WAITING>READY>SUBMITTED [submit 1, start 1] RUNNING
            00:00 1 RUNNING => 1:RUNNING
            00:04 1 SUCCEEDED => 1:SUCCEEDED
            00:10 tick => 2:WAITING>READY>SUBMITTED [submit 2, start 2]
            00:10 2 RUNNING => 2:RUNNING
            00:12 2 SUCCEEDED => 2:SUCCEEDED [finished SUCCEEDED] SUCCEEDED
            SUCCEEDED done next 2026-01-01T00:20 wake -
        "#]],
    );
}

#[test]
fn a_coordinator_without_actions_succeeds() {
    check(
        "every=${coord:endOfDays(1)}",
        "00:00 tick",
        expect![[r#"
        00:00 tick => [finished SUCCEEDED] SUCCEEDED
        SUCCEEDED done next 2026-01-02T00:00 wake -
    "#]],
    );
}

/// 10.5, 4: three actions, and more only when fewer wait.
#[test]
fn the_throttle_limits_what_waits() {
    check(
        "every=5 throttle=3 in=current(0)",
        "
        01:00 tick
        01:00 missing /01-00:00 /01-00:10
        01:00 there /01-00:00
        01:00 missing /01-00:10
        ",
        expect![[r#"
            01:00 tick => 1:WAITING 2:WAITING 3:WAITING [look /01-00:00, look /01-00:10] RUNNING
            01:00 missing /01-00:00 /01-00:10 =>
            01:00 there /01-00:00 => 1:READY>SUBMITTED 2:READY [forget /01-00:00, submit 1, start 1]
            01:00 missing /01-00:10 => 4:WAITING [look /01-00:10]
            RUNNING next 2026-01-01T00:20 wake 2026-01-01T03:01:00
        "#]],
    );
}

/// 10.5, 5: the next one is of the fourth day.
#[test]
fn catching_up_goes_as_far_as_the_throttle() {
    check(
        "every=${coord:days(1)} start=2026-02-01T01:00 end=2026-03-01T00:00 throttle=3 in=current(0)",
        "2026-02-20T00:00 tick",
        expect![[r#"
            2026-02-20T00:00 tick => 1:WAITING 2:WAITING 3:WAITING [look /01-01:00, look /02-01:00, look /03-01:00] RUNNING
            RUNNING next 2026-02-04T01:00 wake 2026-02-20T02:01:00
        "#]],
    );
}

#[test]
fn what_is_ready_counts_for_the_throttle() {
    check(
        "every=1 throttle=3",
        "
        00:30 tick
        00:30 1 RUNNING
        00:31 1 SUCCEEDED
        ",
        expect![[r#"
            00:30 tick => 1:WAITING>READY>SUBMITTED 2:WAITING>READY 3:WAITING>READY 4:WAITING>READY [submit 1, start 1] RUNNING
            00:30 1 RUNNING => 1:RUNNING
            00:31 1 SUCCEEDED => 1:SUCCEEDED 2:SUBMITTED [submit 2, start 2]
            RUNNING next 2026-01-01T00:04 wake 2026-01-01T00:04:00
        "#]],
    );
}

#[test]
fn a_step_makes_so_many_at_most() {
    let mut played = Played::new("every=1 end=2026-01-03T00:00 concurrency=-1");
    let now = time("2026-01-02T00:00");
    let step = played.step(now, Event::Tick);
    assert_eq!(step.actions.len(), super::super::MOST_MADE_AT_ONCE);
    let wake = played.state.wake(&played.revisions);
    assert!(wake.is_some_and(|wake| wake <= now));
    let step = played.step(now, Event::Tick);
    assert_eq!(step.actions.len(), 441);
    let wake = played.state.wake(&played.revisions);
    assert_eq!(wake, Some(time("2026-01-02T00:01")));
}

/// T41: what is from the pause time on is not made.
#[test]
fn nothing_is_made_from_the_pause_time_on() {
    for (pause, expected) in [
        (
            "00:04",
            expect![[r#"
        00:00 change pausetime=T+00:04Z => 1:WAITING>READY>SUBMITTED [submit 1, start 1] RUNNING
        00:10 tick => PAUSED
        00:11 change pausetime= => 2:WAITING>READY>SUBMITTED 3:WAITING>READY>SUBMITTED [submit 2, start 2, submit 3, start 3] RUNNING
        RUNNING done next 2026-01-01T00:15 wake -
    "#]],
        ),
        (
            "00:08",
            expect![[r#"
        00:00 change pausetime=T+00:08Z => 1:WAITING>READY>SUBMITTED [submit 1, start 1] RUNNING
        00:10 tick => 2:WAITING>READY>SUBMITTED [submit 2, start 2] PAUSED
        00:11 change pausetime= => 3:WAITING>READY>SUBMITTED [submit 3, start 3] RUNNING
        RUNNING done next 2026-01-01T00:15 wake -
    "#]],
        ),
    ] {
        check(
            "every=5 end=00:14 concurrency=3",
            &format!(
                "
                00:00 change pausetime=T+{pause}Z
                00:10 tick
                00:11 change pausetime=
                "
            ),
            expected,
        );
    }
}

#[test]
fn a_paused_coordinator_goes_on_with_what_it_has() {
    check(
        "in=current(0)",
        "
        00:00 tick
        00:01 change pausetime=T+00:01Z
        00:02 there /01-00:00
        00:02 1 RUNNING
        00:20 1 FAILED
        00:30 change pausetime=T+00:40Z
        ",
        expect![[r#"
            00:00 tick => 1:WAITING [look /01-00:00] RUNNING
            00:01 change pausetime=T+00:01Z => PAUSED
            00:02 there /01-00:00 => 1:READY>SUBMITTED [forget /01-00:00, submit 1, start 1]
            00:02 1 RUNNING => 1:RUNNING
            00:20 1 FAILED => 1:FAILED PAUSEDWITHERROR
            00:30 change pausetime=T+00:40Z => 2:WAITING 3:WAITING 4:WAITING [look /01-00:10, look /01-00:20, look /01-00:30] RUNNINGWITHERROR
            RUNNINGWITHERROR next 2026-01-01T00:40 wake 2026-01-01T00:40:00
        "#]],
    );
}

#[test]
fn a_coordinator_may_be_paused_before_it_starts() {
    check(
        "start=2026-01-01T00:10",
        "
        00:00 change pausetime=T+00:05Z
        00:05 tick
        00:20 tick
        00:20 suspend
        00:20 resume
        00:20 change pausetime=
        ",
        expect![[r#"
            00:00 change pausetime=T+00:05Z =>
            00:05 tick => PREPPAUSED
            00:20 tick =>
            00:20 suspend => PREPSUSPENDED
            00:20 resume => PREPPAUSED
            00:20 change pausetime= => 1:WAITING>READY>SUBMITTED 2:WAITING>READY [submit 1, start 1] RUNNING
            RUNNING next 2026-01-01T00:30 wake 2026-01-01T00:30:00
        "#]],
    );
}

#[test]
fn actions_may_be_made_ahead() {
    let mut played = Played::new("in=current(0)");
    played.state.settings.look_ahead = chrono::Duration::minutes(15);
    let start = time("2025-12-31T23:50");
    let made = |step: Step| -> Vec<(u64, Vec<String>)> {
        let effects: Vec<String> = step.effects.iter().map(shown).collect();
        step.actions.keys().map(|n| (*n, effects.clone())).collect()
    };
    assert_eq!(made(played.step(start, Event::Tick)), [(1, vec![])]);
    assert_eq!(
        played.state.wake(&played.revisions),
        Some(time("2025-12-31T23:55"))
    );
    assert_eq!(
        made(played.step(time("2025-12-31T23:55"), Event::Tick)),
        [(2, vec![])]
    );
    let record = played.rows[&1].clone();
    assert_eq!((record.created, record.since), (start, time("00:00")));
    // It looks for its data at its nominal time.
    assert_eq!(played.state.wake(&played.revisions), Some(time("00:00")));
    let step = played.step(time("00:00"), Event::Tick);
    assert_eq!(summary(&step), " [look /01-00:00]");
}

#[test]
fn instances_that_cannot_be_told_fail_the_action() {
    check(
        "in=absolute(\"2026-01-01T00:00Z\")",
        "
        00:00 tick
        00:10 tick
        ",
        expect![[r#"
            00:00 tick => 1:WAITING>FAILED RUNNINGWITHERROR
            00:10 tick => 2:WAITING>FAILED
            RUNNINGWITHERROR next 2026-01-01T00:20 wake 2026-01-01T00:20:00
        "#]],
    );
    let mut played = Played::new("in=absolute(\"2026-01-01T00:00Z\")");
    played.step(time("00:00"), Event::Tick);
    let error = played.rows[&1].error.clone().expect("says why");
    assert_eq!(error.code, "E1010");
    assert!(
        error.message.starts_with("the instances of `in`: "),
        "{error:?}"
    );
}
