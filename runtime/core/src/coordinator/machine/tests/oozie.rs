//! Ways in which Oozie's coordinators got stuck or lost what they knew, by their numbers in Oozie's issue tracker: here they go
//! on. OOZIE-1893 is about bundles, and where their executables are tested.

use expect_test::expect;

use super::check;

/// The command that looks for data was lost, and its action waited for ever. What was asked and not answered is asked again by
/// whoever takes the coordinator over, and what is missing is looked at again though nobody says that it has come.
#[test]
fn oozie_3527_a_look_that_is_lost_is_taken_again() {
    check(
        "end=00:10 timeout=-1 in=current(0)",
        "
        00:00 tick
        00:01 crash
        00:01 tick
        00:01 missing /01-00:00
        00:02 tick
        00:02 crash
        00:03 tick
        00:03 there /01-00:00
        ",
        expect![[r#"
            00:00 tick => 1:WAITING [look /01-00:00] RUNNING
            00:01 crash => owes []
            00:01 tick => [look /01-00:00]
            00:01 missing /01-00:00 =>
            00:02 tick => [look /01-00:00]
            00:02 crash => owes []
            00:03 tick => [look /01-00:00]
            00:03 there /01-00:00 => 1:READY>SUBMITTED [forget /01-00:00, submit 1, start 1]
            RUNNING done next 2026-01-01T00:10 wake -
        "#]],
    );
}

/// Whoever computed the state of a coordinator from those of its actions wrote it over that of a command that came meanwhile.
/// What a workflow reports late changes neither the action nor the coordinator that was killed.
#[test]
fn oozie_1940_the_state_of_a_command_is_not_written_over() {
    check(
        "end=00:20 concurrency=2",
        "
        00:10 tick
        00:10 1 RUNNING
        00:10 2 RUNNING
        00:11 1 SUCCEEDED
        00:11 kill
        00:12 2 RUNNING
        00:12 tick
        00:12 crash
        00:13 2 SUCCEEDED
        00:13 tick
        ",
        expect![[r#"
            00:10 tick => 1:WAITING>READY>SUBMITTED 2:WAITING>READY>SUBMITTED [submit 1, start 1, submit 2, start 2] RUNNING
            00:10 1 RUNNING => 1:RUNNING
            00:10 2 RUNNING => 2:RUNNING
            00:11 1 SUCCEEDED => 1:SUCCEEDED
            00:11 kill => 2:KILLED [kill 2, finished KILLED] KILLED
            00:12 2 RUNNING =>
            00:12 tick =>
            00:12 crash => owes [kill 2]
            00:13 2 SUCCEEDED =>
            00:13 tick =>
            KILLED done next 2026-01-01T00:20 wake -
        "#]],
    );
}
