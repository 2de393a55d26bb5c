//! What actions wait for.

use expect_test::expect;

use super::*;

/// 10.5, 6: with a timeout of 5 it still waits at 5:59, and times out when it is looked at from 6:00 on.
#[test]
fn an_action_times_out_after_more_minutes_than_it_may_wait() {
    check(
        "in=current(0) timeout=5 end=00:10",
        "
        00:00 tick
        00:00 missing /01-00:00
        00:05:59 tick
        00:05:59 missing /01-00:00
        00:06:00 tick
        00:06:00 missing /01-00:00
        ",
        expect![[r#"
            00:00 tick => 1:WAITING [look /01-00:00] RUNNING
            00:00 missing /01-00:00 =>
            00:05:59 tick => [look /01-00:00]
            00:05:59 missing /01-00:00 =>
            00:06:00 tick => [look /01-00:00]
            00:06:00 missing /01-00:00 => 1:TIMEDOUT [forget /01-00:00, finished DONEWITHERROR] DONEWITHERROR
            DONEWITHERROR done next 2026-01-01T00:10 wake -
        "#]],
    );
}

#[test]
fn what_was_made_late_has_its_whole_time() {
    check(
        "in=current(0) timeout=5 end=00:10",
        "
        03:00 tick
        03:00 missing /01-00:00
        03:05 tick
        03:05 missing /01-00:00
        03:06 tick
        03:06 there /01-00:00
        ",
        expect![[r#"
            03:00 tick => 1:WAITING [look /01-00:00] RUNNING
            03:00 missing /01-00:00 =>
            03:05 tick => [look /01-00:00]
            03:05 missing /01-00:00 =>
            03:06 tick => [look /01-00:00]
            03:06 there /01-00:00 => 1:READY>SUBMITTED [forget /01-00:00, submit 1, start 1]
            RUNNING done next 2026-01-01T00:10 wake -
        "#]],
    );
}

#[test]
fn data_that_came_while_the_owner_was_away_counts() {
    check(
        "in=current(0) timeout=5 end=00:10",
        "
        00:00 tick
        00:00 missing /01-00:00
        00:01 crash
        09:00 tick
        09:00 there /01-00:00
        ",
        expect![[r#"
            00:00 tick => 1:WAITING [look /01-00:00] RUNNING
            00:00 missing /01-00:00 =>
            00:01 crash => owes []
            09:00 tick => [look /01-00:00]
            09:00 there /01-00:00 => 1:READY>SUBMITTED [forget /01-00:00, submit 1, start 1]
            RUNNING done next 2026-01-01T00:10 wake -
        "#]],
    );
}

/// 4.6: only the first that is missing is looked at again.
#[test]
fn all_are_looked_at_once_and_then_the_first_missing_one() {
    check(
        "in=currentRange(-2,0) timeout=30 end=00:10",
        "
        00:00 tick
        00:00 missing /01-00:00 /31-23:50
        00:00 there /31-23:40
        00:01 tick
        00:01 there /01-00:00
        00:01 missing /31-23:50
        00:02 tick
        00:02 there /31-23:50
        ",
        expect![[r#"
            00:00 tick => 1:WAITING [look /01-00:00, look /31-23:40, look /31-23:50] RUNNING
            00:00 missing /01-00:00 /31-23:50 => [forget /31-23:50]
            00:00 there /31-23:40 => [forget /31-23:40]
            00:01 tick => [look /01-00:00]
            00:01 there /01-00:00 => [forget /01-00:00, look /31-23:50]
            00:01 missing /31-23:50 =>
            00:02 tick => [look /31-23:50]
            00:02 there /31-23:50 => 1:READY>SUBMITTED [forget /31-23:50, submit 1, start 1]
            RUNNING done next 2026-01-01T00:10 wake -
        "#]],
    );
}

#[test]
fn an_instance_is_looked_at_once_for_all() {
    check(
        "in=currentRange(-1,0) end=00:20 concurrency=2",
        "
        00:10 tick
        00:10 there /01-00:00
        00:10 there /01-00:10 /31-23:50
        ",
        expect![[r#"
            00:10 tick => 1:WAITING 2:WAITING [look /01-00:00, look /01-00:10, look /31-23:50] RUNNING
            00:10 there /01-00:00 => [forget /01-00:00]
            00:10 there /01-00:10 /31-23:50 => 1:READY>SUBMITTED 2:READY>SUBMITTED [forget /01-00:10, forget /31-23:50, submit 1, start 1, submit 2, start 2]
            RUNNING done next 2026-01-01T00:20 wake -
        "#]],
    );
}

#[test]
fn what_cannot_be_looked_at_is_tried_again() {
    let mut played = Played::new("in=current(0) end=00:10");
    played.step(time("00:00"), Event::Tick);
    let unknown = played.event(&["unknown", "/01-00:00"]);
    played.step(time("00:00"), unknown);
    let error = played.rows[&1].error.clone().expect("says why");
    assert_eq!(error.code, "E1021");
    assert_eq!(error.message, "/01-00:00: connection refused");
    assert_eq!(played.state.wake(&played.revisions), Some(time("00:01")));
    played.step(time("00:01"), Event::Tick);
    let there = played.event(&["there", "/01-00:00"]);
    let step = played.step(time("00:01"), there);
    assert_eq!(step.actions[&1].error, None);
}

/// 4.6: all instances before the first one are nothing to wait for.
#[test]
fn instances_before_the_first_one_are_not_waited_for() {
    check(
        "in=current(-1000) end=00:10",
        "00:00 tick",
        expect![[r#"
        00:00 tick => 1:WAITING>READY>SUBMITTED [submit 1, start 1] RUNNING
        RUNNING done next 2026-01-01T00:10 wake -
    "#]],
    );
}

#[test]
fn searches_come_after_what_is_fixed() {
    check(
        "a=current(0) b=latest(0) timeout=30 end=00:10",
        "
        00:00 tick
        00:00 missing /01-00:00
        00:01 tick
        00:01 there /01-00:00
        00:01 searched 1 - -
        00:02 tick
        00:02 searched 1 - 00:00,2025-12-31T23:50
        ",
        expect![[r#"
            00:00 tick => 1:WAITING [look /01-00:00] RUNNING
            00:00 missing /01-00:00 =>
            00:01 tick => [look /01-00:00]
            00:01 there /01-00:00 => [forget /01-00:00, search 1 [1]]
            00:01 searched 1 - - =>
            00:02 tick => [search 1 [1]]
            00:02 searched 1 - 00:00,2025-12-31T23:50 => 1:READY>SUBMITTED [submit 1, start 1]
            RUNNING done next 2026-01-01T00:10 wake -
        "#]],
    );
}

#[test]
fn searches_go_on_when_something_arrives_and_time_out() {
    check(
        "in=latest(-3) timeout=5 end=00:10",
        "
        00:00 tick
        00:00 searched 1 -
        00:00:30 arrived
        00:00:30 searched 1 -
        00:06 tick
        00:06 searched 1 -
        ",
        expect![[r#"
            00:00 tick => 1:WAITING [search 1 [0]] RUNNING
            00:00 searched 1 - =>
            00:00:30 arrived => [search 1 [0]]
            00:00:30 searched 1 - =>
            00:06 tick => [search 1 [0]]
            00:06 searched 1 - => 1:TIMEDOUT [finished DONEWITHERROR] DONEWITHERROR
            DONEWITHERROR done next 2026-01-01T00:10 wake -
        "#]],
    );
}

#[test]
fn what_was_found_is_told_to_functions() {
    let mut played = Played::new("a=current(0) b=latest(0) end=00:10");
    played.step(time("00:00"), Event::Tick);
    for words in [
        &["there", "/01-00:00"][..],
        &["searched", "1", "-", "2025-12-31T23:50"],
    ] {
        let mut event = played.event(words);
        if let Event::Searched { found, .. } = &mut event {
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

/// 4.8: `a` alone until its wait has passed, then `b`.
#[test]
fn input_logic_waits_for_what_comes_first() {
    check(
        "a=current(0) b=current(-1) or=20,0 end=00:10",
        "
        00:00 tick
        00:00 missing /01-00:00
        00:00 there /31-23:50
        00:20 tick
        ",
        expect![[r#"
            00:00 tick => 1:WAITING [look /01-00:00, look /31-23:50] RUNNING
            00:00 missing /01-00:00 =>
            00:00 there /31-23:50 => [forget /31-23:50]
            00:20 tick => 1:READY>SUBMITTED [forget /01-00:00, submit 1, start 1]
            RUNNING done next 2026-01-01T00:10 wake -
        "#]],
    );
    check(
        "a=current(0) b=current(-1) or=20,0 end=00:10",
        "
        00:00 tick
        00:00 missing /01-00:00
        00:00 there /31-23:50
        00:19 there /01-00:00
        ",
        expect![[r#"
            00:00 tick => 1:WAITING [look /01-00:00, look /31-23:50] RUNNING
            00:00 missing /01-00:00 =>
            00:00 there /31-23:50 => [forget /31-23:50]
            00:19 there /01-00:00 => 1:READY>SUBMITTED [forget /01-00:00, submit 1, start 1]
            RUNNING done next 2026-01-01T00:10 wake -
        "#]],
    );
}

#[test]
fn input_logic_names_what_it_chose() {
    let mut played = Played::new("a=current(0) b=current(-1) or=0,0 end=00:10");
    played.step(time("00:00"), Event::Tick);
    for words in [["missing", "/01-00:00"], ["there", "/31-23:50"]] {
        let event = played.event(&words);
        played.step(time("00:00"), event);
    }
    let named = &played.rows[&1].inputs.named;
    assert_eq!(named["either"], ["/31-23:50"]);
}

#[test]
fn input_logic_searches_when_it_must() {
    check(
        "a=latest(0) b=current(0) or=0,0 timeout=30 end=00:10",
        "
        00:00 tick
        00:00 missing /01-00:00
        00:00 searched 1 -
        00:01 tick
        00:01 missing /01-00:00
        00:01 searched 1 2025-12-31T23:00
        ",
        expect![[r#"
            00:00 tick => 1:WAITING [look /01-00:00] RUNNING
            00:00 missing /01-00:00 => [search 1 [0]]
            00:00 searched 1 - =>
            00:01 tick => [search 1 [0], look /01-00:00]
            00:01 missing /01-00:00 =>
            00:01 searched 1 2025-12-31T23:00 => 1:READY>SUBMITTED [forget /01-00:00, submit 1, start 1]
            RUNNING done next 2026-01-01T00:10 wake -
        "#]],
    );
}

#[test]
fn many_wait_without_much_ado() {
    let mut played = Played::new("every=1 end=2026-02-01T00:00 in=current(0) timeout=-1");
    let mut coordinator = Coordinator::clone(played.revisions.current());
    coordinator.limits.throttle = 20_000;
    played.revisions = Revisions::new(Arc::new(coordinator), BTreeMap::new());
    let now = time("2026-01-08T00:00");
    let mut n_looks = 0;
    let mut n_answered = 0;
    for _ in 0..12 {
        let step = step(&played.revisions, &mut played.state, now, Event::Tick);
        let looks = step.effects.iter().filter_map(|effect| match effect {
            Effect::Look { uri } => Some((Arc::clone(uri), Answer::Missing { is_watched: true })),
            _ => None,
        });
        let answers: Vec<(Arc<str>, Answer)> = looks.collect();
        n_looks += answers.len();
        n_answered += 1;
        let quiet = super::super::step(
            &played.revisions,
            &mut played.state,
            now,
            Event::Looked(answers),
        );
        // What is still missing changes no row.
        assert!(n_answered < 12 || quiet.actions.is_empty(), "{quiet:?}");
    }
    assert_eq!(played.state.actions().count(), 10_081);
    // Ten actions share an instance; who comes later has it looked at once more, in a step of its own.
    assert!(n_looks < 1_100, "{n_looks}");
}

#[test]
fn rows_say_what_an_action_waits_for() {
    let mut played = Played::new("in=currentRange(-1,0) end=00:10");
    played.step(time("00:00"), Event::Tick);
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
