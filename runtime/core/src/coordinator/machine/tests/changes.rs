//! Changing and updating.

use expect_test::expect;

use super::*;
use crate::coordinator::machine::refuses_update;

/// 10.5, 9: what waits beyond the new end is taken back.
#[test]
fn an_earlier_end_takes_back_what_has_not_begun() {
    check(
        "throttle=5",
        "
        00:50 tick
        00:50 1 RUNNING
        00:51 change endtime=T+00:20Z
        00:52 1 SUCCEEDED
        00:52 2 RUNNING
        00:53 2 SUCCEEDED
        00:54 change endtime=T+00:30Z
        00:54 3 RUNNING
        00:55 3 SUCCEEDED
        ",
        expect![[r#"
            00:50 tick => 1:WAITING>READY>SUBMITTED 2:WAITING>READY 3:WAITING>READY 4:WAITING>READY 5:WAITING>READY 6:WAITING>READY [submit 1, start 1] RUNNING
            00:50 1 RUNNING => 1:RUNNING
            00:51 change endtime=T+00:20Z => 3:deleted 4:deleted 5:deleted 6:deleted
            00:52 1 SUCCEEDED => 1:SUCCEEDED 2:SUBMITTED [submit 2, start 2]
            00:52 2 RUNNING => 2:RUNNING
            00:53 2 SUCCEEDED => 2:SUCCEEDED [finished SUCCEEDED] SUCCEEDED
            00:54 change endtime=T+00:30Z => 3:WAITING>READY>SUBMITTED [submit 3, start 3] RUNNING
            00:54 3 RUNNING => 3:RUNNING
            00:55 3 SUCCEEDED => 3:SUCCEEDED [finished SUCCEEDED] SUCCEEDED
            SUCCEEDED done next 2026-01-01T00:30 wake -
        "#]],
    );
}

/// 10.5, 9: E1022, and nothing changes.
#[test]
fn what_has_begun_cannot_be_taken_back() {
    check(
        "concurrency=3",
        "
        00:30 tick
        00:31 1 SUCCEEDED
        00:32 change endtime=T+00:20Z
        00:32 change endtime=T+00:00Z
        ",
        expect![[r#"
            00:30 tick => 1:WAITING>READY>SUBMITTED 2:WAITING>READY>SUBMITTED 3:WAITING>READY>SUBMITTED 4:WAITING>READY [submit 1, start 1, submit 2, start 2, submit 3, start 3] RUNNING
            00:31 1 SUCCEEDED => 1:SUCCEEDED 4:SUBMITTED [submit 4, start 4]
            00:32 change endtime=T+00:20Z => refused E1022: action 4 is not before 2026-01-01T00:20Z and is SUBMITTED: only WAITING and READY ones can be taken back
            00:32 change endtime=T+00:00Z => refused E1022: action 4 is not before 2026-01-01T00:00Z and is SUBMITTED: only WAITING and READY ones can be taken back
            RUNNING next 2026-01-01T00:40 wake 2026-01-01T00:40:00
        "#]],
    );
}

/// 10.5, 9.
#[test]
fn an_end_before_the_start_is_the_end() {
    check(
        "in=current(0)",
        "
        00:20 tick
        00:21 change endtime=T+00:00Z
        ",
        expect![[r#"
            00:20 tick => 1:WAITING 2:WAITING 3:WAITING [look /01-00:00, look /01-00:10, look /01-00:20] RUNNING
            00:21 change endtime=T+00:00Z => 1:deleted 2:deleted 3:deleted [forget /01-00:00, forget /01-00:10, forget /01-00:20, finished SUCCEEDED] SUCCEEDED
            SUCCEEDED done next 2026-01-01T00:00 wake -
        "#]],
    );
}

#[test]
fn a_later_end_opens_a_coordinator_again() {
    check(
        "end=00:10",
        "
        00:00 tick
        00:01 1 SUCCEEDED
        00:02 change endtime=T+00:20Z
        00:10 tick
        00:11 2 FAILED
        00:12 change endtime=T+00:30Z
        ",
        expect![[r#"
            00:00 tick => 1:WAITING>READY>SUBMITTED [submit 1, start 1] RUNNING
            00:01 1 SUCCEEDED => 1:SUCCEEDED [finished SUCCEEDED] SUCCEEDED
            00:02 change endtime=T+00:20Z => RUNNING
            00:10 tick => 2:WAITING>READY>SUBMITTED [submit 2, start 2]
            00:11 2 FAILED => 2:FAILED [finished DONEWITHERROR] DONEWITHERROR
            00:12 change endtime=T+00:30Z => RUNNINGWITHERROR
            RUNNINGWITHERROR next 2026-01-01T00:20 wake 2026-01-01T00:20:00
        "#]],
    );
}

#[test]
fn more_places_are_filled_at_once() {
    check(
        "",
        "
        00:30 tick
        00:31 change concurrency=3
        00:32 change concurrency=-1
        ",
        expect![[r#"
            00:30 tick => 1:WAITING>READY>SUBMITTED 2:WAITING>READY 3:WAITING>READY 4:WAITING>READY [submit 1, start 1] RUNNING
            00:31 change concurrency=3 => 2:SUBMITTED 3:SUBMITTED [submit 2, start 2, submit 3, start 3]
            00:32 change concurrency=-1 => 4:SUBMITTED [submit 4, start 4]
            RUNNING next 2026-01-01T00:40 wake 2026-01-01T00:40:00
        "#]],
    );
}

#[test]
fn an_earlier_pause_time_takes_back_what_has_not_begun() {
    check(
        "in=current(0)",
        "
        00:20 tick
        00:20 change pausetime=T+00:10Z
        00:21 change pausetime=T+00:20Z
        ",
        expect![[r#"
            00:20 tick => 1:WAITING 2:WAITING 3:WAITING [look /01-00:00, look /01-00:10, look /01-00:20] RUNNING
            00:20 change pausetime=T+00:10Z => 2:deleted 3:deleted [forget /01-00:10, forget /01-00:20] PAUSED
            00:21 change pausetime=T+00:20Z => 2:WAITING [look /01-00:10]
            PAUSED next 2026-01-01T00:20 wake 2026-01-01T02:21:00
        "#]],
    );
}

/// 6.10: `change status`.
#[test]
fn a_killed_coordinator_goes_on() {
    check(
        "",
        "
        00:10 tick
        00:11 1 RUNNING
        00:12 kill
        00:12 change concurrency=2
        00:12 change status=IGNORED
        00:12 1 KILLED
        00:12 change status=IGNORED
        00:13 change status=RUNNING
        00:20 tick
        ",
        expect![[r#"
            00:10 tick => 1:WAITING>READY>SUBMITTED 2:WAITING>READY [submit 1, start 1] RUNNING
            00:11 1 RUNNING => 1:RUNNING
            00:12 kill => 1:KILLED 2:KILLED [kill 1, finished KILLED] KILLED
            00:12 change concurrency=2 => refused E1016: the coordinator is KILLED: only its status can be changed
            00:12 change status=IGNORED => refused E1015: the workflows of the coordinator are still being killed: try again when they are gone
            00:12 1 KILLED =>
            00:12 change status=IGNORED => IGNORED
            00:13 change status=RUNNING => RUNNINGWITHERROR
            00:20 tick => 3:WAITING>READY>SUBMITTED [submit 3, start 3]
            RUNNINGWITHERROR next 2026-01-01T00:30 wake 2026-01-01T00:30:00
        "#]],
    );
}

#[test]
fn changes_that_make_no_sense_are_refused() {
    for (text, message) in [
        ("", "nothing is to be changed"),
        ("endtime", "not of the form"),
        ("frequency=5", "`frequency` cannot be changed"),
        ("concurrency=1;concurrency=2", "stands there twice"),
        ("concurrency=many", "which is no number"),
        ("concurrency=", "which is no number"),
        ("endtime=", "`endtime` is ``"),
        ("endtime=tomorrow", "the form is `yyyy-MM-ddTHH:mmZ`"),
        ("pausetime=soon", "`pausetime` is `soon`"),
        ("status=KILLED", "what can be set is RUNNING and IGNORED"),
    ] {
        let refusal = Change::parse(text, ProcessingZone::UTC).expect_err(text);
        assert_eq!(refusal.code, "E1015");
        assert!(refusal.message.contains(message), "{text}: {refusal}");
    }
    let change = Change::parse(" pausetime = ; concurrency=-3;", ProcessingZone::UTC);
    let expected = Change {
        concurrency: Some(None),
        pause_time: Some(None),
        ..Change::default()
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
        ("every=5", Some("the frequency differs")),
        ("start=2025-12-31T00:00", Some("the start differs")),
        (
            "end=02:00",
            Some("the end is 2026-01-01T02:00Z, and that of the coordinator"),
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
    // What was changed stands in the new definition.
    job = super::super::JobRecord::new(&old);
    job.end = time("02:00");
    assert_eq!(refuses_update(&job, &old, &coordinator("end=02:00")), None);
}

#[test]
fn actions_keep_the_definition_that_they_were_made_with() {
    let mut played = Played::new("in=current(0) timeout=60");
    played.step(time("00:00"), Event::Tick);
    let old = Arc::clone(played.revisions.current());
    let new = Arc::new(coordinator("in=current(-1) timeout=7 concurrency=4"));
    played.revisions = Revisions::new(new, BTreeMap::from([(1, old)]));
    let step = played.step(time("00:01"), Event::Update);
    assert_eq!(summary(&step), "");
    assert_eq!(
        (played.state.job().revision, played.state.job().concurrency),
        (2, Some(4))
    );
    let step = played.step(time("00:10"), Event::Tick);
    assert_eq!(summary(&step), " 2:WAITING");
    assert_eq!((played.rows[&1].revision, played.rows[&2].revision), (1, 2));
    assert_eq!(
        (played.rows[&1].timeout, played.rows[&2].timeout),
        (Some(60), Some(7))
    );
}
