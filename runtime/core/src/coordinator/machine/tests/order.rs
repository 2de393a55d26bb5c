//! Which actions start, and which are skipped.

use expect_test::expect;

use super::*;

#[test]
fn fifo_starts_the_oldest() {
    check(
        "concurrency=2",
        "
        00:30 tick
        00:30 1 RUNNING
        00:30 2 RUNNING
        00:31 2 SUCCEEDED
        00:32 1 KILLED
        ",
        expect![[r#"
            00:30 tick => 1:WAITING>READY>SUBMITTED 2:WAITING>READY>SUBMITTED 3:WAITING>READY 4:WAITING>READY [submit 1, start 1, submit 2, start 2] RUNNING
            00:30 1 RUNNING => 1:RUNNING
            00:30 2 RUNNING => 2:RUNNING
            00:31 2 SUCCEEDED => 2:SUCCEEDED 3:SUBMITTED [submit 3, start 3]
            00:32 1 KILLED => 1:KILLED 4:SUBMITTED [submit 4, start 4] RUNNINGWITHERROR
            RUNNINGWITHERROR next 2026-01-01T00:40 wake 2026-01-01T00:40:00
        "#]],
    );
}

#[test]
fn lifo_starts_the_newest() {
    check(
        "execution=LIFO",
        "
        00:00 tick
        00:00 1 RUNNING
        00:30 tick
        00:31 1 SUCCEEDED
        00:31 4 FAILED
        ",
        expect![[r#"
            00:00 tick => 1:WAITING>READY>SUBMITTED [submit 1, start 1] RUNNING
            00:00 1 RUNNING => 1:RUNNING
            00:30 tick => 2:WAITING>READY 3:WAITING>READY 4:WAITING>READY
            00:31 1 SUCCEEDED => 1:SUCCEEDED 4:SUBMITTED [submit 4, start 4]
            00:31 4 FAILED => 4:FAILED 3:SUBMITTED [submit 3, start 3] RUNNINGWITHERROR
            RUNNINGWITHERROR next 2026-01-01T00:40 wake 2026-01-01T00:40:00
        "#]],
    );
}

/// 6.5: an older one that waits holds up nobody.
#[test]
fn fifo_does_not_wait_for_an_older_one() {
    check(
        "in=current(0)",
        "
        00:10 tick
        00:10 there /01-00:10
        00:10 missing /01-00:00
        ",
        expect![[r#"
            00:10 tick => 1:WAITING 2:WAITING [look /01-00:00, look /01-00:10] RUNNING
            00:10 there /01-00:10 => 2:READY>SUBMITTED [forget /01-00:10, submit 2, start 2]
            00:10 missing /01-00:00 =>
            RUNNING next 2026-01-01T00:20 wake 2026-01-01T00:11:00
        "#]],
    );
}

/// 6.5 and 10.5, 7: the six of an hour are made, and the newest alone runs.
#[test]
fn last_only_skips_all_but_the_newest() {
    check(
        "execution=LAST_ONLY",
        "
        00:55 tick
        00:55 6 RUNNING
        00:56 6 SUCCEEDED
        ",
        expect![[r#"
            00:55 tick => 1:WAITING>SKIPPED 2:WAITING>SKIPPED 3:WAITING>SKIPPED 4:WAITING>SKIPPED 5:WAITING>SKIPPED 6:WAITING>READY>SUBMITTED [submit 6, start 6] RUNNING
            00:55 6 RUNNING => 6:RUNNING
            00:56 6 SUCCEEDED => 6:SUCCEEDED [finished SUCCEEDED] SUCCEEDED
            SUCCEEDED done next 2026-01-01T01:00 wake -
        "#]],
    );
}

#[test]
fn last_only_skips_what_waits_when_the_next_time_has_passed() {
    check(
        "execution=LAST_ONLY in=current(0) end=00:20",
        "
        00:00 tick
        00:00 missing /01-00:00
        00:10 tick
        00:10:01 tick
        00:10:01 missing /01-00:10
        01:00 there /01-00:10
        ",
        expect![[r#"
            00:00 tick => 1:WAITING [look /01-00:00] RUNNING
            00:00 missing /01-00:00 =>
            00:10 tick => 2:WAITING [look /01-00:00, look /01-00:10]
            00:10:01 tick => 1:SKIPPED [forget /01-00:00]
            00:10:01 missing /01-00:10 =>
            01:00 there /01-00:10 => 2:READY>SUBMITTED [forget /01-00:10, submit 2, start 2]
            RUNNING done next 2026-01-01T00:20 wake -
        "#]],
    );
}

#[test]
fn none_skips_what_cannot_run_at_once() {
    check(
        "execution=NONE end=00:30",
        "
        00:00 tick
        00:00 1 RUNNING
        00:10 tick
        00:11 tick
        00:11:01 tick
        00:12 1 SUCCEEDED
        00:22 tick
        ",
        expect![[r#"
            00:00 tick => 1:WAITING>READY>SUBMITTED [submit 1, start 1] RUNNING
            00:00 1 RUNNING => 1:RUNNING
            00:10 tick => 2:WAITING>READY
            00:11 tick =>
            00:11:01 tick => 2:SKIPPED
            00:12 1 SUCCEEDED => 1:SUCCEEDED
            00:22 tick => 3:WAITING>SKIPPED [finished SUCCEEDED] SUCCEEDED
            SUCCEEDED done next 2026-01-01T00:30 wake -
        "#]],
    );
}

#[test]
fn concurrency_may_have_no_limit_or_leave_no_place() {
    check(
        "concurrency=-1",
        "00:30 tick",
        expect![[r#"
        00:30 tick => 1:WAITING>READY>SUBMITTED 2:WAITING>READY>SUBMITTED 3:WAITING>READY>SUBMITTED 4:WAITING>READY>SUBMITTED [submit 1, start 1, submit 2, start 2, submit 3, start 3, submit 4, start 4] RUNNING
        RUNNING next 2026-01-01T00:40 wake 2026-01-01T00:40:00
    "#]],
    );
    check(
        "concurrency=0",
        "00:30 tick",
        expect![[r#"
        00:30 tick => 1:WAITING>READY 2:WAITING>READY 3:WAITING>READY 4:WAITING>READY RUNNING
        RUNNING next 2026-01-01T00:40 wake 2026-01-01T00:40:00
    "#]],
    );
}

/// 6.5: suspended actions hold no place.
#[test]
fn suspended_actions_free_their_places() {
    check(
        "",
        "
        00:10 tick
        00:10 1 RUNNING
        00:11 1 SUSPENDED
        00:11 2 RUNNING
        00:12 1 RUNNING
        00:20 tick
        00:21 1 SUCCEEDED
        00:22 2 SUCCEEDED
        ",
        expect![[r#"
            00:10 tick => 1:WAITING>READY>SUBMITTED 2:WAITING>READY [submit 1, start 1] RUNNING
            00:10 1 RUNNING => 1:RUNNING
            00:11 1 SUSPENDED => 1:SUSPENDED 2:SUBMITTED [submit 2, start 2]
            00:11 2 RUNNING => 2:RUNNING
            00:12 1 RUNNING => 1:RUNNING
            00:20 tick => 3:WAITING>READY
            00:21 1 SUCCEEDED => 1:SUCCEEDED
            00:22 2 SUCCEEDED => 2:SUCCEEDED 3:SUBMITTED [submit 3, start 3]
            RUNNING next 2026-01-01T00:30 wake 2026-01-01T00:30:00
        "#]],
    );
}

/// 6.4: what is ready never times out.
#[test]
fn what_is_ready_waits_for_ever() {
    check(
        "timeout=1 end=00:20",
        "
        00:00 tick
        00:00 1 RUNNING
        00:10 tick
        05:00 tick
        05:00 1 SUCCEEDED
        ",
        expect![[r#"
            00:00 tick => 1:WAITING>READY>SUBMITTED [submit 1, start 1] RUNNING
            00:00 1 RUNNING => 1:RUNNING
            00:10 tick => 2:WAITING>READY
            05:00 tick =>
            05:00 1 SUCCEEDED => 1:SUCCEEDED 2:SUBMITTED [submit 2, start 2]
            RUNNING done next 2026-01-01T00:20 wake -
        "#]],
    );
}

#[test]
fn what_cannot_be_submitted_fails_and_makes_room() {
    check(
        "end=00:20",
        "
        00:10 tick
        00:10 not-made 1
        00:10 tick
        00:10 not-made 2
        ",
        expect![[r#"
            00:10 tick => 1:WAITING>READY>SUBMITTED 2:WAITING>READY [submit 1, start 1] RUNNING
            00:10 not-made 1 => 1:FAILED RUNNINGWITHERROR
            00:10 tick => 2:SUBMITTED [submit 2, start 2]
            00:10 not-made 2 => 2:FAILED [finished FAILED] FAILED
            FAILED done next 2026-01-01T00:20 wake -
        "#]],
    );
}

#[test]
fn what_cannot_be_made_fails_while_it_waits_and_what_runs_does_not() {
    check(
        "end=00:20 concurrency=1 in=current(0)",
        "
        00:10 tick
        00:10 not-made 1
        00:10 there /01-00:10
        00:10 2 RUNNING
        00:10 not-made 2
        ",
        expect![[r#"
            00:10 tick => 1:WAITING 2:WAITING [look /01-00:00, look /01-00:10] RUNNING
            00:10 not-made 1 => 1:FAILED [forget /01-00:00] RUNNINGWITHERROR
            00:10 there /01-00:10 => 2:READY>SUBMITTED [forget /01-00:10, submit 2, start 2]
            00:10 2 RUNNING => 2:RUNNING
            00:10 not-made 2 =>
            RUNNINGWITHERROR done next 2026-01-01T00:20 wake 1970-01-01T00:00:00
        "#]],
    );
}

#[test]
fn after_a_crash_starts_are_owed() {
    check(
        "concurrency=2",
        "
        00:10 tick
        00:10 1 RUNNING
        00:11 crash
        00:11 tick
        00:11 2 RUNNING
        00:12 crash
        00:12 tick
        ",
        expect![[r#"
            00:10 tick => 1:WAITING>READY>SUBMITTED 2:WAITING>READY>SUBMITTED [submit 1, start 1, submit 2, start 2] RUNNING
            00:10 1 RUNNING => 1:RUNNING
            00:11 crash => owes [start 2]
            00:11 tick =>
            00:11 2 RUNNING => 2:RUNNING
            00:12 crash => owes []
            00:12 tick =>
            RUNNING next 2026-01-01T00:20 wake 2026-01-01T00:20:00
        "#]],
    );
}
