//! Suspending, resuming, killing, ignoring.

use expect_test::expect;

use super::*;
use crate::coordinator::CoordinatorStatus;

#[test]
fn suspending_suspends_the_workflows_that_run() {
    check(
        "concurrency=2 end=00:30",
        "
        00:10 tick
        00:10 1 RUNNING
        00:11 suspend
        00:11 crash
        00:11 1 SUSPENDED
        00:12 2 RUNNING
        00:12 2 SUSPENDED
        00:25 tick
        00:26 resume
        00:26 1 RUNNING
        00:26 2 RUNNING
        00:27 1 SUCCEEDED
        ",
        expect![[r#"
            00:10 tick => 1:WAITING>READY>SUBMITTED 2:WAITING>READY>SUBMITTED [submit 1, start 1, submit 2, start 2] RUNNING
            00:10 1 RUNNING => 1:RUNNING
            00:11 suspend => 1:SUSPENDED [suspend 1] SUSPENDED
            00:11 crash => owes [suspend 1]
            00:11 1 SUSPENDED =>
            00:12 2 RUNNING => 2:RUNNING>SUSPENDED [suspend 2]
            00:12 2 SUSPENDED =>
            00:25 tick =>
            00:26 resume => 1:RUNNING 2:RUNNING 3:WAITING>READY [resume 1, resume 2] RUNNING
            00:26 1 RUNNING =>
            00:26 2 RUNNING =>
            00:27 1 SUCCEEDED => 1:SUCCEEDED 3:SUBMITTED [submit 3, start 3]
            RUNNING done next 2026-01-01T00:30 wake -
        "#]],
    );
}

#[test]
fn a_workflow_that_ends_instead_of_being_suspended_has_ended() {
    check(
        "end=00:10",
        "
        00:00 tick
        00:00 1 RUNNING
        00:01 suspend
        00:01 1 RUNNING
        00:01 1 SUCCEEDED
        ",
        expect![[r#"
            00:00 tick => 1:WAITING>READY>SUBMITTED [submit 1, start 1] RUNNING
            00:00 1 RUNNING => 1:RUNNING
            00:01 suspend => 1:SUSPENDED [suspend 1] SUSPENDED
            00:01 1 RUNNING =>
            00:01 1 SUCCEEDED => 1:SUCCEEDED [finished SUCCEEDED] SUCCEEDED
            SUCCEEDED done next 2026-01-01T00:10 wake -
        "#]],
    );
}

#[test]
fn starts_are_held_back_while_suspended() {
    check(
        "end=00:20",
        "
        00:00 tick
        00:01 suspend
        00:02 crash
        00:03 resume
        ",
        expect![[r#"
            00:00 tick => 1:WAITING>READY>SUBMITTED [submit 1, start 1] RUNNING
            00:01 suspend => SUSPENDED
            00:02 crash => owes []
            00:03 resume => [start 1] RUNNING
            RUNNING next 2026-01-01T00:10 wake 2026-01-01T00:10:00
        "#]],
    );
}

/// 6.3 and 10.2, 24: time goes on while nothing is looked at.
#[test]
fn what_waits_is_looked_at_again_when_it_is_resumed() {
    check(
        "in=current(0) timeout=5 end=00:20",
        "
        00:00 tick
        00:00 missing /01-00:00
        00:01 suspend
        00:02 there /01-00:00
        00:30 resume
        00:30 missing /01-00:10
        ",
        expect![[r#"
            00:00 tick => 1:WAITING [look /01-00:00] RUNNING
            00:00 missing /01-00:00 =>
            00:01 suspend => SUSPENDED
            00:02 there /01-00:00 => [forget /01-00:00]
            00:30 resume => 1:READY>SUBMITTED 2:WAITING [submit 1, start 1, look /01-00:10] RUNNING
            00:30 missing /01-00:10 =>
            RUNNING done next 2026-01-01T00:20 wake 2026-01-01T00:31:00
        "#]],
    );
    check(
        "in=current(0) timeout=5 end=00:10",
        "
        00:00 tick
        00:01 suspend
        00:01 missing /01-00:00
        00:30 resume
        00:30 missing /01-00:00
        ",
        expect![[r#"
            00:00 tick => 1:WAITING [look /01-00:00] RUNNING
            00:01 suspend => SUSPENDED
            00:01 missing /01-00:00 =>
            00:30 resume => [look /01-00:00] RUNNING
            00:30 missing /01-00:00 => 1:TIMEDOUT [forget /01-00:00, finished DONEWITHERROR] DONEWITHERROR
            DONEWITHERROR done next 2026-01-01T00:10 wake -
        "#]],
    );
}

#[test]
fn killing_ends_all_that_is_not_over() {
    check(
        "execution=LAST_ONLY in=current(0)",
        "
        00:00 tick
        00:00 there /01-00:00
        00:00 1 RUNNING
        00:25 tick
        00:26 kill
        00:26 crash
        00:27 1 SUCCEEDED
        00:30 tick
        ",
        expect![[r#"
            00:00 tick => 1:WAITING [look /01-00:00] RUNNING
            00:00 there /01-00:00 => 1:READY>SUBMITTED [forget /01-00:00, submit 1, start 1]
            00:00 1 RUNNING => 1:RUNNING
            00:25 tick => 2:WAITING>SKIPPED 3:WAITING [look /01-00:20]
            00:26 kill => 1:KILLED 3:KILLED [kill 1, forget /01-00:20, finished KILLED] KILLED
            00:26 crash => owes [kill 1]
            00:27 1 SUCCEEDED =>
            00:30 tick =>
            KILLED done next 2026-01-01T00:30 wake -
        "#]],
    );
}

/// 10.4, 46: what is over is not killed again.
#[test]
fn single_actions_are_killed() {
    check(
        "concurrency=2 end=00:40",
        "
        00:30 tick
        00:30 1 RUNNING
        00:31 1 SUCCEEDED
        00:31 2 RUNNING
        00:32 kill 1,2,4,9
        00:32 2 KILLED
        ",
        expect![[r#"
            00:30 tick => 1:WAITING>READY>SUBMITTED 2:WAITING>READY>SUBMITTED 3:WAITING>READY 4:WAITING>READY [submit 1, start 1, submit 2, start 2] RUNNING
            00:30 1 RUNNING => 1:RUNNING
            00:31 1 SUCCEEDED => 1:SUCCEEDED 3:SUBMITTED [submit 3, start 3]
            00:31 2 RUNNING => 2:RUNNING
            00:32 kill 1,2,4,9 => 2:KILLED 4:KILLED passed over {1, 9} [kill 2] RUNNINGWITHERROR
            00:32 2 KILLED =>
            RUNNINGWITHERROR done next 2026-01-01T00:40 wake -
        "#]],
    );
}

#[test]
fn failed_actions_are_ignored() {
    check(
        "concurrency=3 end=00:30",
        "
        00:20 tick
        00:21 1 FAILED
        00:21 2 SUCCEEDED
        00:21 ignore 1,2
        00:21 ignore 1
        00:22 3 SUCCEEDED
        ",
        expect![[r#"
            00:20 tick => 1:WAITING>READY>SUBMITTED 2:WAITING>READY>SUBMITTED 3:WAITING>READY>SUBMITTED [submit 1, start 1, submit 2, start 2, submit 3, start 3] RUNNING
            00:21 1 FAILED => 1:FAILED RUNNINGWITHERROR
            00:21 2 SUCCEEDED => 2:SUCCEEDED
            00:21 ignore 1,2 => refused E1024: only FAILED, KILLED and TIMEDOUT actions can be ignored: 2 is SUCCEEDED
            00:21 ignore 1 => 1:IGNORED RUNNING
            00:22 3 SUCCEEDED => 3:SUCCEEDED [finished SUCCEEDED] SUCCEEDED
            SUCCEEDED done next 2026-01-01T00:30 wake -
        "#]],
    );
}

/// 6.8 and 6.10: what each state makes of each command.
#[test]
fn commands_are_refused_where_they_make_no_sense() {
    let mut table = String::new();
    for status in CoordinatorStatus::ALL {
        let _ = write!(table, "{:18}", status.name());
        for command in [
            "suspend",
            "resume",
            "kill",
            "kill 1",
            "change status=RUNNING",
            "change status=IGNORED",
            "rerun 1",
        ] {
            let mut played = Played::new("end=00:20");
            played.step(time("00:00"), Event::Tick);
            for event in [["1", "RUNNING"], ["1", "KILLED"]] {
                let event = played.event(&event);
                played.step(time("00:00"), event);
            }
            played.state.job.status = status;
            let words: Vec<&str> = command.split_whitespace().collect();
            let event = played.event(&words);
            let step = played.step(time("00:01"), event);
            let result = match step.refusal {
                Some(refusal) => refusal.code,
                None => played.state.job().status.name(),
            };
            let _ = write!(table, " {result:18}");
        }
        table.truncate(table.trim_end().len());
        table.push('\n');
    }
    expect![[r#"
        PREP               PREPSUSPENDED      E1100              KILLED             E1020              E1015              E1015              E1018
        RUNNING            SUSPENDEDWITHERROR E1100              KILLED             E1020              E1015              E1015              RUNNING
        RUNNINGWITHERROR   SUSPENDEDWITHERROR E1100              KILLED             E1020              E1015              E1015              RUNNING
        PREPSUSPENDED      E0728              RUNNINGWITHERROR   KILLED             E1020              E1015              E1015              RUNNING
        SUSPENDED          E0728              RUNNINGWITHERROR   KILLED             E1020              E1015              E1015              RUNNING
        SUSPENDEDWITHERROR E0728              RUNNINGWITHERROR   KILLED             E1020              E1015              E1015              RUNNING
        PREPPAUSED         PREPSUSPENDED      E1100              KILLED             E1020              E1015              E1015              RUNNING
        PAUSED             SUSPENDEDWITHERROR E1100              KILLED             E1020              E1015              E1015              RUNNING
        PAUSEDWITHERROR    SUSPENDEDWITHERROR E1100              KILLED             E1020              E1015              E1015              RUNNING
        SUCCEEDED          E0728              E1100              E1020              E1020              E1015              E1015              RUNNING
        DONEWITHERROR      E0728              E1100              E1020              E1020              E1015              E1015              RUNNING
        KILLED             E0728              E1100              E1020              E1020              RUNNINGWITHERROR   IGNORED            RUNNING
        FAILED             E0728              E1100              E1020              E1020              RUNNINGWITHERROR   IGNORED            RUNNING
        IGNORED            E0728              E1100              E1020              E1020              RUNNINGWITHERROR   E1015              E1018
    "#]].assert_eq(&table);
}
