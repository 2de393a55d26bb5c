//! Changing and updating.

use super::*;
use crate::coordinator::machine::refuses_update;

#[test]
fn changes_that_make_no_sense_are_refused() {
    for (text, message) in [
        ("", "nothing is to be changed"),
        ("endtime", "not of the form"),
        ("frequency=5", "`frequency` cannot be changed"),
        ("concurrency=1;concurrency=2", "is given twice"),
        ("concurrency=many", "which is no number"),
        ("concurrency=", "which is no number"),
        ("endtime=", "`endtime` is ``"),
        ("endtime=tomorrow", "the form is `yyyy-MM-ddTHH:mmZ`"),
        ("pausetime=soon", "`pausetime` is `soon`"),
        ("status=KILLED", "what can be set is RUNNING and IGNORED"),
    ] {
        let refusal = CoordinatorChange::parse(text, ProcessingZone::UTC).expect_err(text);
        assert_eq!(refusal.code, "E1015");
        assert!(refusal.message.contains(message), "{text}: {refusal}");
    }
    let change = CoordinatorChange::parse(" pausetime = ; concurrency=-3;", ProcessingZone::UTC);
    let expected = CoordinatorChange {
        concurrency: Some(None),
        pause_time: Some(None),
        ..CoordinatorChange::default()
    };
    assert_eq!(change, Ok(expected));
}

#[test]
fn updates_keep_the_schedule() {
    let old = coordinator("");
    let mut job = super::super::JobRecord::new(&old);
    for (words, message) in [
        ("", None),
        ("concurrency=3 throttle=2 in=current(0)", None),
        (
            "every=5",
            Some("Frequency can't be changed. Old frequency = 10 new frequency = 5"),
        ),
        (
            "start=2025-12-31T00:00",
            Some("Start time can't be changed. Old start time = "),
        ),
        (
            "end=02:00",
            Some("End time can't be changed. Old end time = "),
        ),
    ] {
        let refusal = refuses_update(&job, &old, &coordinator(words));
        let found = refusal.map(|refusal| refusal.to_string());
        match message {
            None => assert_eq!(found, None),
            Some(message) => assert!(
                found
                    .as_ref()
                    .is_some_and(|found| found.starts_with(&format!("E1023: {message}"))),
                "{words}: {found:?}"
            ),
        }
    }
    job.status = crate::coordinator::CoordinatorStatus::DoneWithError;
    assert!(refuses_update(&job, &old, &old).is_some());
    // The changed values are in the new definition.
    job = super::super::JobRecord::new(&old);
    job.end = time("02:00");
    assert_eq!(refuses_update(&job, &old, &coordinator("end=02:00")), None);
}

#[test]
fn actions_keep_the_definition_that_they_were_made_with() {
    let mut played = Played::new("in=current(0) timeout=60");
    played.step(time("00:00"), CoordinatorEvent::Tick);
    let old = Arc::clone(played.revisions.current());
    let new = Arc::new(coordinator("in=current(-1) timeout=7 concurrency=4"));
    played.revisions = Revisions::new(new, BTreeMap::from([(1, old)]));
    let step = played.step(time("00:01"), CoordinatorEvent::Update);
    assert_eq!(summary(&step), "");
    assert_eq!(
        (played.state.job().revision, played.state.job().concurrency),
        (2, Some(4))
    );
    let step = played.step(time("00:10"), CoordinatorEvent::Tick);
    assert_eq!(summary(&step), " 2:WAITING");
    assert_eq!((played.rows[&1].revision, played.rows[&2].revision), (1, 2));
    assert_eq!(
        (played.rows[&1].timeout, played.rows[&2].timeout),
        (Some(60), Some(7))
    );
}
