//! What actions wait for.

use super::*;

#[test]
fn what_cannot_be_looked_at_is_tried_again() {
    let mut played = Played::new("in=current(0) end=00:10");
    played.step(time("00:00"), CoordinatorEvent::Tick);
    let unknown = played.event(&["unknown", "/01-00:00"]);
    played.step(time("00:00"), unknown);
    let error = played.rows[&1].error.clone().expect("says why");
    assert_eq!(error.code, "E1021");
    assert_eq!(error.message, "/01-00:00: connection refused");
    assert_eq!(played.state.wake(&played.revisions), Some(time("00:01")));
    played.step(time("00:01"), CoordinatorEvent::Tick);
    let there = played.event(&["there", "/01-00:00"]);
    let step = played.step(time("00:01"), there);
    assert_eq!(step.actions[&1].error, None);
}

#[test]
fn what_was_found_is_told_to_functions() {
    let mut played = Played::new("a=current(0) b=latest(0) end=00:10");
    played.step(time("00:00"), CoordinatorEvent::Tick);
    for words in [
        &["there", "/01-00:00"][..],
        &["searched", "1", "-", "2025-12-31T23:50"],
    ] {
        let mut event = played.event(words);
        if let CoordinatorEvent::Searched { found, .. } = &mut event {
            found.remove(0);
        }
        played.step(time("00:00"), event);
    }
    let record = &played.rows[&1];
    assert_eq!(
        record.inputs.to_json(),
        r#"{"found":1,"searched":[null,[1767225000]]}"#
    );
    assert_eq!(
        super::super::Inputs::from_json(&record.inputs.to_json()),
        Some(record.inputs.clone())
    );
    let coordinator = played.revisions.current();
    let facts = super::super::facts(coordinator, record, "J@1".to_owned()).expect("has instances");
    let value = |text: &str| {
        let value = coordinator.job.evaluate_for_action(&template(text), &facts);
        value.unwrap_or_else(|error| panic!("{text}: {error}"))
    };
    assert_eq!(value("${coord:dataIn('a')}"), "/01-00:00");
    assert_eq!(value("${coord:dataIn('b')}"), "/31-23:50");
    assert_eq!(value("${coord:actionId()}"), "J@1");
    assert_eq!(value("${coord:actualTime()}"), "2026-01-01T00:00Z");
}

#[test]
fn input_logic_names_what_it_chose() {
    let mut played = Played::new("a=current(0) b=current(-1) or=0,0 end=00:10");
    played.step(time("00:00"), CoordinatorEvent::Tick);
    for words in [["missing", "/01-00:00"], ["there", "/31-23:50"]] {
        let event = played.event(&words);
        played.step(time("00:00"), event);
    }
    let named = &played.rows[&1].inputs.named;
    assert_eq!(named["either"], ["/31-23:50"]);
}

#[test]
fn many_wait_without_much_ado() {
    let mut played = Played::new("every=1 end=2026-02-01T00:00 in=current(0) timeout=-1");
    let mut coordinator = Coordinator::clone(played.revisions.current());
    coordinator.controls.throttle = 20_000;
    played.revisions = Revisions::new(Arc::new(coordinator), BTreeMap::new());
    let now = time("2026-01-08T00:00");
    let mut n_looks = 0;
    let mut n_answered = 0;
    for _ in 0..12 {
        let step = step(
            &played.revisions,
            &mut played.state,
            now,
            CoordinatorEvent::Tick,
        );
        let looks = step.effects.iter().filter_map(|effect| match effect {
            CoordinatorEffect::Look { uri } => {
                Some((Arc::clone(uri), Presence::Missing { is_watched: true }))
            }
            _ => None,
        });
        let answers: Vec<(Arc<str>, Presence)> = looks.collect();
        n_looks += answers.len();
        n_answered += 1;
        let quiet = super::super::step(
            &played.revisions,
            &mut played.state,
            now,
            CoordinatorEvent::Looked(answers),
        );
        // Missing data changes no row.
        assert!(n_answered < 12 || quiet.actions.is_empty(), "{quiet:?}");
    }
    assert_eq!(played.state.actions().count(), 10_081);
    // Ten actions share an instance; a later one causes one more check, in a step of its own.
    assert!(n_looks < 1_100, "{n_looks}");
}

#[test]
fn rows_say_what_an_action_waits_for() {
    let mut played = Played::new("in=currentRange(-1,0) end=00:10");
    played.step(time("00:00"), CoordinatorEvent::Tick);
    let there = played.event(&["there", "/01-00:00"]);
    played.step(time("00:00"), there);
    let missing = super::super::missing(played.revisions.current(), &played.rows[&1]);
    let uris: Vec<&str> = missing.iter().map(|missing| missing.uri.as_str()).collect();
    assert_eq!(uris, ["/31-23:50"]);
    assert_eq!(
        (missing[0].event.as_str(), missing[0].dataset.as_str()),
        ("in", "d")
    );
    assert_eq!(missing[0].instance, time("2025-12-31T23:50"));
}
