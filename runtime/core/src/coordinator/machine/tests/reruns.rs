//! Rerunning actions.

use super::*;

#[test]
fn a_refresh_makes_the_action_anew() {
    let mut played = Played::new("end=00:10 in=latest(0)");
    played.step(time("00:00"), CoordinatorEvent::Tick);
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

/// A search that had not succeeded when the action ended was left in its row.
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
