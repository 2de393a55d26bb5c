//! The bundle's machine.

use std::fmt::Write;

use expect_test::{Expect, expect};

use super::*;
use crate::{coordinator::CoordinatorStatus as C, time::ProcessingZone};

fn time(text: &str) -> DateTime<Utc> {
    let read = ProcessingZone::UTC.read(&format!("2026-01-01T{text}Z"));
    read.expect("is a time").instant
}

/// 7.4, in Oozie's order of rules; the state of the bundle, those of its coordinators, and what it comes to.
#[test]
fn bundles_are_as_their_coordinators() {
    for (status, coordinators, expected) in [
        (C::Running, &[C::Succeeded, C::Succeeded][..], C::Succeeded),
        (C::Running, &[C::Killed, C::Killed], C::Killed),
        (C::Running, &[C::Failed, C::Failed], C::Failed),
        (C::Running, &[C::Failed, C::Killed], C::DoneWithError),
        (C::Running, &[C::Succeeded, C::Killed], C::DoneWithError),
        (
            C::Running,
            &[C::DoneWithError, C::DoneWithError],
            C::DoneWithError,
        ),
        (
            C::Running,
            &[C::Succeeded, C::DoneWithError],
            C::DoneWithError,
        ),
        (C::Running, &[C::Succeeded, C::Ignored], C::Succeeded),
        (C::Killed, &[C::Succeeded], C::Killed),
        (C::Running, &[C::Succeeded, C::Running], C::Running),
        (C::Running, &[C::Failed, C::Running], C::RunningWithError),
        (C::Running, &[C::Killed, C::Prep], C::RunningWithError),
        (
            C::Running,
            &[C::RunningWithError, C::Running],
            C::RunningWithError,
        ),
        (C::RunningWithError, &[C::Running, C::Prep], C::Running),
        (C::Paused, &[C::Running, C::Paused], C::Paused),
        (
            C::Paused,
            &[C::Running, C::PausedWithError],
            C::PausedWithError,
        ),
        (C::Running, &[C::Paused, C::Paused], C::Paused),
        (
            C::Running,
            &[C::Paused, C::PausedWithError],
            C::PausedWithError,
        ),
        (C::Running, &[C::Paused, C::Running], C::Running),
        (C::Running, &[C::Suspended, C::Succeeded], C::Suspended),
        (
            C::Running,
            &[C::Suspended, C::Killed],
            C::SuspendedWithError,
        ),
        (
            C::Running,
            &[C::SuspendedWithError, C::Succeeded],
            C::SuspendedWithError,
        ),
        (C::Running, &[C::Suspended, C::Running], C::Running),
        // They were resumed one by one.
        (C::Suspended, &[C::Running, C::Succeeded], C::Running),
        (C::Prep, &[C::Running], C::Prep),
        (C::PrepSuspended, &[], C::PrepSuspended),
    ] {
        let found = aggregated(status, coordinators, true, false);
        assert_eq!(found, expected, "{status} with {coordinators:?}");
    }
    // A person has suspended it, and the coordinators follow.
    let suspended = aggregated(C::Suspended, &[C::Running, C::Killed], true, true);
    assert_eq!(suspended, C::SuspendedWithError);
    // One is not submitted yet.
    assert_eq!(
        aggregated(C::Running, &[C::Succeeded], false, false),
        C::Running
    );
}

fn event(words: &[&str]) -> Event {
    match words {
        ["tick"] => Event::Tick,
        ["start"] => Event::Start,
        ["suspend"] => Event::Suspend,
        ["resume"] => Event::Resume,
        ["kill"] => Event::Kill,
        ["change", change] => Event::Change(
            BundleChange::parse(&change.replace("T+", "2026-01-01T"), ProcessingZone::UTC)
                .unwrap_or_else(|refusal| panic!("{refusal}")),
        ),
        ["rerun"] => Event::Rerun {
            coordinators: None,
            times: None,
        },
        ["rerun", names] => Event::Rerun {
            coordinators: Some(names.split(',').map(str::to_owned).collect()),
            times: None,
        },
        ["not-submitted", name] => Event::NotSubmitted {
            name: (*name).to_owned(),
            error: ActionError {
                code: "E1003".to_owned(),
                message: "no start".to_owned(),
            },
        },
        [name, status] => Event::Coordinator {
            name: (*name).to_owned(),
            status: C::from_name(status).unwrap_or_else(|| panic!("`{status}`")),
        },
        _ => panic!("{words:?} is no event"),
    }
}

fn shown(effect: &Effect) -> String {
    match effect {
        Effect::Submit { name } => format!("submit {name}"),
        Effect::Suspend { name } => format!("suspend {name}"),
        Effect::Resume { name } => format!("resume {name}"),
        Effect::Kill { name } => format!("kill {name}"),
        Effect::Change { name, .. } => format!("change {name}"),
        Effect::Rerun { name, .. } => format!("rerun {name}"),
        Effect::Finished(status) => format!("finished {status}"),
    }
}

fn check(kick_off: Option<&str>, names: &[&str], events: &str, expected: Expect) {
    let names = names.iter().map(|name| (*name).to_owned());
    let mut state = BundleState::new(kick_off.map(time), names);
    let mut text = String::new();
    for line in events
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
    {
        let (at, words) = line.split_once(' ').expect("a time and an event");
        let words: Vec<&str> = words.split_whitespace().collect();
        let before = state.record.status;
        let step = step(&mut state, time(at), event(&words));
        let _ = write!(text, "{line} =>");
        if let Some(refusal) = &step.refusal {
            let _ = write!(text, " refused {refusal}");
        }
        if !step.passed_over.is_empty() {
            let _ = write!(text, " passed over {:?}", step.passed_over);
        }
        if !step.effects.is_empty() {
            let effects: Vec<String> = step.effects.iter().map(shown).collect();
            let _ = write!(text, " [{}]", effects.join(", "));
        }
        if state.record.status != before {
            let _ = write!(text, " {}", state.record.status);
        }
        text.push('\n');
    }
    if let Some(error) = &state.record.error {
        let _ = writeln!(text, "{}: {}", error.code, error.message);
    }
    expected.assert_eq(&text);
}

/// A coordinator that was over and runs again, by its own rerun or by that of one of its workflows, takes the bundle along.
#[test]
fn a_bundle_that_is_over_goes_on_with_a_coordinator() {
    check(
        None,
        &["a", "b"],
        "
        00:00 tick
        00:00 a RUNNING
        00:00 b RUNNING
        00:01 a SUCCEEDED
        00:01 b DONEWITHERROR
        00:02 b RUNNINGWITHERROR
        00:03 b SUCCEEDED
        00:04 a RUNNING
        00:05 kill
        00:05 a RUNNINGWITHERROR
        00:06 a KILLED
        ",
        expect![[r#"
            00:00 tick => [submit a, submit b] RUNNING
            00:00 a RUNNING =>
            00:00 b RUNNING =>
            00:01 a SUCCEEDED =>
            00:01 b DONEWITHERROR => [finished DONEWITHERROR] DONEWITHERROR
            00:02 b RUNNINGWITHERROR => RUNNINGWITHERROR
            00:03 b SUCCEEDED => [finished SUCCEEDED] SUCCEEDED
            00:04 a RUNNING => RUNNING
            00:05 kill => [kill a, finished KILLED] KILLED
            00:05 a RUNNINGWITHERROR =>
            00:06 a KILLED =>
        "#]],
    );
}

#[test]
fn a_bundle_starts_at_its_kick_off_time() {
    check(
        Some("01:00"),
        &["a", "b"],
        "
        00:00 tick
        01:00 tick
        01:00 a RUNNING
        01:00 b RUNNING
        02:00 a SUCCEEDED
        02:00 b DONEWITHERROR
        ",
        expect![[r#"
            00:00 tick =>
            01:00 tick => [submit a, submit b] RUNNING
            01:00 a RUNNING =>
            01:00 b RUNNING =>
            02:00 a SUCCEEDED =>
            02:00 b DONEWITHERROR => [finished DONEWITHERROR] DONEWITHERROR
        "#]],
    );
    check(
        None,
        &["a"],
        "00:00 tick",
        expect![[r#"
        00:00 tick => [submit a] RUNNING
    "#]],
    );
    check(
        Some("01:00"),
        &["a"],
        "00:00 start",
        expect![[r#"
        00:00 start => [submit a] RUNNING
    "#]],
    );
}

/// 7.3: E1318.
#[test]
fn a_bundle_without_enabled_coordinators_fails() {
    check(
        None,
        &[],
        "00:00 tick",
        expect![[r#"
        00:00 tick => [finished FAILED] FAILED
        E1318: no coordinator of the bundle is enabled
    "#]],
    );
}

/// 7.4: one that cannot be submitted takes the others with it.
#[test]
fn a_bundle_fails_with_a_coordinator_that_cannot_be_submitted() {
    check(
        None,
        &["a", "b"],
        "
        00:00 tick
        00:00 a PREP
        00:00 not-submitted b
        00:00 a KILLED
        ",
        expect![[r#"
            00:00 tick => [submit a, submit b] RUNNING
            00:00 a PREP =>
            00:00 not-submitted b => [kill a, finished FAILED] FAILED
            00:00 a KILLED =>
            E1003: coordinator `b`: no start
        "#]],
    );
}

#[test]
fn suspending_and_resuming_go_down() {
    check(
        None,
        &["a", "b", "c"],
        "
        00:00 tick
        00:00 a RUNNING
        00:00 b SUCCEEDED
        00:00 c PREP
        00:01 suspend
        00:01 a SUSPENDED
        00:01 c PREPSUSPENDED
        00:01 suspend
        00:02 resume
        00:02 a RUNNING
        00:02 c PREP
        00:02 resume
        ",
        expect![[r#"
            00:00 tick => [submit a, submit b, submit c] RUNNING
            00:00 a RUNNING =>
            00:00 b SUCCEEDED =>
            00:00 c PREP =>
            00:01 suspend => [suspend a, suspend c] SUSPENDED
            00:01 a SUSPENDED =>
            00:01 c PREPSUSPENDED =>
            00:01 suspend => refused E1312: the bundle is SUSPENDED already
            00:02 resume => [resume a, resume c] RUNNING
            00:02 a RUNNING =>
            00:02 c PREP =>
            00:02 resume => refused E1100: the bundle is RUNNING: only a suspended one can be resumed
        "#]],
    );
}

#[test]
fn a_bundle_that_has_not_started_is_suspended_and_paused() {
    check(
        Some("01:00"),
        &["a"],
        "
        00:00 suspend
        01:00 tick
        01:01 resume
        ",
        expect![[r#"
            00:00 suspend => PREPSUSPENDED
            01:00 tick =>
            01:01 resume => [submit a] RUNNING
        "#]],
    );
    check(
        Some("01:00"),
        &["a"],
        "
        00:00 change pausetime=T+00:30Z
        00:30 tick
        01:00 tick
        01:30 change pausetime=
        ",
        expect![[r#"
            00:00 change pausetime=T+00:30Z => passed over {"a"}
            00:30 tick => PREPPAUSED
            01:00 tick =>
            01:30 change pausetime= => passed over {"a"} [submit a] RUNNING
        "#]],
    );
}

#[test]
fn killing_goes_down() {
    check(
        None,
        &["a", "b"],
        "
        00:00 tick
        00:00 a RUNNING
        00:00 b SUCCEEDED
        00:01 kill
        00:01 a KILLED
        00:01 kill
        00:01 suspend
        00:01 rerun a
        ",
        expect![[r#"
            00:00 tick => [submit a, submit b] RUNNING
            00:00 a RUNNING =>
            00:00 b SUCCEEDED =>
            00:01 kill => [kill a, finished KILLED] KILLED
            00:01 a KILLED =>
            00:01 kill => refused E1323: the bundle is KILLED: it is over and cannot be killed
            00:01 suspend => refused E1312: the bundle is KILLED: it is over and cannot be suspended
            00:01 rerun a => refused E1100: the bundle is KILLED: its coordinators cannot be run again
        "#]],
    );
}

/// 7.5: a pause time goes to the coordinators, and to the bundle itself.
#[test]
fn changes_go_down() {
    check(
        None,
        &["a", "b", "c"],
        "
        00:00 tick
        00:00 a RUNNING
        00:00 b KILLED
        00:00 c SUCCEEDED
        00:01 change pausetime=T+00:10Z
        00:10 tick
        00:11 change pausetime=T+00:05Z
        00:11 change pausetime=
        00:12 change endtime=T+02:00Z
        00:13 a SUCCEEDED
        00:13 c SUCCEEDED
        00:14 change pausetime=T+01:00Z
        00:14 change endtime=T+03:00Z
        ",
        expect![[r#"
            00:00 tick => [submit a, submit b, submit c] RUNNING
            00:00 a RUNNING =>
            00:00 b KILLED => RUNNINGWITHERROR
            00:00 c SUCCEEDED =>
            00:01 change pausetime=T+00:10Z => passed over {"b"} [change a, change c]
            00:10 tick => PAUSEDWITHERROR
            00:11 change pausetime=T+00:05Z => refused E1317: the pause time has passed
            00:11 change pausetime= => passed over {"b"} [change a, change c] RUNNINGWITHERROR
            00:12 change endtime=T+02:00Z => passed over {"b"} [change a, change c]
            00:13 a SUCCEEDED =>
            00:13 c SUCCEEDED => [finished DONEWITHERROR] DONEWITHERROR
            00:14 change pausetime=T+01:00Z => refused E1312: the bundle is DONEWITHERROR: it is over and cannot be paused
            00:14 change endtime=T+03:00Z => passed over {"b"} [change a, change c] RUNNINGWITHERROR
        "#]],
    );
    check(
        Some("01:00"),
        &["a"],
        "00:00 change endtime=T+00:30Z",
        expect![[r#"
            00:00 change endtime=T+00:30Z => refused E1317: the end is before the kick-off time
        "#]],
    );
    for text in ["concurrency=1", "endtime=soon", "status=RUNNING"] {
        let refusal = BundleChange::parse(text, ProcessingZone::UTC).expect_err(text);
        assert_eq!(refusal.code, "E1317", "{text}");
    }
}

/// 7.5, and 10.4, 49: neither coordinators nor dates are a mistake.
#[test]
fn coordinators_run_again() {
    check(
        None,
        &["a", "b"],
        "
        00:00 tick
        00:00 a SUCCEEDED
        00:00 b DONEWITHERROR
        00:01 rerun
        00:01 rerun x
        00:01 rerun b
        00:02 b SUCCEEDED
        ",
        expect![[r#"
            00:00 tick => [submit a, submit b] RUNNING
            00:00 a SUCCEEDED =>
            00:00 b DONEWITHERROR => [finished DONEWITHERROR] DONEWITHERROR
            00:01 rerun => refused E1018: say which coordinators, which dates, or both
            00:01 rerun x => refused E1018: the bundle has submitted no coordinator `x`
            00:01 rerun b => [rerun b] RUNNING
            00:02 b SUCCEEDED => [finished SUCCEEDED] SUCCEEDED
        "#]],
    );
}
