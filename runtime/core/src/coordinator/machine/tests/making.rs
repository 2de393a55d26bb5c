//! Materialization: which actions, and when.

use super::*;

#[test]
fn a_step_makes_so_many_at_most() {
    let mut played = Played::new("every=1 end=2026-01-03T00:00 concurrency=-1");
    let now = time("2026-01-02T00:00");
    let step = played.step(now, CoordinatorEvent::Tick);
    assert_eq!(step.actions.len(), super::super::MOST_MADE_AT_ONCE);
    let wake = played.state.wake(&played.revisions);
    assert!(wake.is_some_and(|wake| wake <= now));
    let step = played.step(now, CoordinatorEvent::Tick);
    assert_eq!(step.actions.len(), 441);
    let wake = played.state.wake(&played.revisions);
    assert_eq!(wake, Some(time("2026-01-02T00:01")));
}

#[test]
fn actions_may_be_made_ahead() {
    let mut played = Played::new("in=current(0)");
    played.state.settings.look_ahead = chrono::Duration::minutes(15);
    let start = time("2025-12-31T23:50");
    let made = |step: CoordinatorStep| -> Vec<(u64, Vec<String>)> {
        let effects: Vec<String> = step.effects.iter().map(shown).collect();
        step.actions.keys().map(|n| (*n, effects.clone())).collect()
    };
    assert_eq!(
        made(played.step(start, CoordinatorEvent::Tick)),
        [(1, vec![])]
    );
    assert_eq!(
        played.state.wake(&played.revisions),
        Some(time("2025-12-31T23:55"))
    );
    assert_eq!(
        made(played.step(time("2025-12-31T23:55"), CoordinatorEvent::Tick)),
        [(2, vec![])]
    );
    let record = played.rows[&1].clone();
    assert_eq!((record.created, record.since), (start, time("00:00")));
    // It checks its data at its nominal time.
    assert_eq!(played.state.wake(&played.revisions), Some(time("00:00")));
    let step = played.step(time("00:00"), CoordinatorEvent::Tick);
    assert_eq!(summary(&step), " [look /01-00:00]");
}

#[test]
fn an_action_says_why_its_instances_cannot_be_told() {
    let mut played = Played::new("in=absolute(\"2026-01-01T00:00Z\")");
    played.step(time("00:00"), CoordinatorEvent::Tick);
    let error = played.rows[&1].error.clone().expect("says why");
    assert_eq!(error.code, "E1010");
    assert!(
        error.message.starts_with("the instances of `in`: "),
        "{error:?}"
    );
}
