//! Suspending, resuming, killing, ignoring.

use expect_test::expect;

use super::*;
use crate::coordinator::CoordinatorStatus;

#[test]
fn a_rerun_waits_for_workflows_that_are_being_killed() {
    let mut played = Played::new("end=00:20");
    played.step(time("00:00"), CoordinatorEvent::Tick);
    let running = played.event(&["1", "RUNNING"]);
    played.step(time("00:00"), running);
    let record = |played: &Played| played.state.action(1).cloned();
    let first = record(&played).expect("it runs");
    assert!(!played.state.awaits_kill(std::slice::from_ref(&first)));
    let kill = played.event(&["kill", "1"]);
    played.step(time("00:01"), kill);
    // Its row is older than what is in memory.
    assert!(played.state.awaits_kill(std::slice::from_ref(&first)));
    assert!(
        played
            .state
            .refuses_rerun(std::slice::from_ref(&first))
            .is_some()
    );
    let killed = played.event(&["1", "KILLED"]);
    played.step(time("00:01"), killed);
    let last = record(&played).unwrap_or(ActionRecord {
        status: CoordinatorActionStatus::Killed,
        ..first
    });
    assert!(!played.state.awaits_kill(std::slice::from_ref(&last)));
    assert!(played.state.refuses_rerun(&[last]).is_none());
}

/// 6.8 and 6.10: the effect of each command in each state.
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
            played.step(time("00:00"), CoordinatorEvent::Tick);
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
