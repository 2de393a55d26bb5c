//! Tests of the bundle's state machine.

use std::fmt::Write;

use hpdlc_tests::cases::{self, Case};

use super::*;
use crate::{coordinator::CoordinatorStatus as C, time::ProcessingZone};

fn time(text: &str) -> DateTime<Utc> {
    let read = ProcessingZone::UTC.read(&format!("2026-01-01T{text}Z"));
    read.expect("is a time").instant
}

/// 7.4, in the order of Oozie's rules: the state of the bundle, those of its coordinators, and the result.
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
    // The user has suspended it, and the coordinators follow.
    let suspended = aggregated(C::Suspended, &[C::Running, C::Killed], true, true);
    assert_eq!(suspended, C::SuspendedWithError);
    // One is not submitted yet.
    assert_eq!(
        aggregated(C::Running, &[C::Succeeded], false, false),
        C::Running
    );
}

fn event(words: &[&str]) -> BundleEvent {
    match words {
        ["tick"] => BundleEvent::Tick,
        ["start"] => BundleEvent::Start,
        ["suspend"] => BundleEvent::Suspend,
        ["resume"] => BundleEvent::Resume,
        ["kill"] => BundleEvent::Kill,
        ["change", change] => BundleEvent::Change(
            BundleChange::parse(&change.replace("T+", "2026-01-01T"), ProcessingZone::UTC)
                .unwrap_or_else(|refusal| panic!("{refusal}")),
        ),
        ["rerun"] => BundleEvent::Rerun {
            coordinators: None,
            times: None,
        },
        ["rerun", names] => BundleEvent::Rerun {
            coordinators: Some(names.split(',').map(str::to_owned).collect()),
            times: None,
        },
        ["not-submitted", name] => BundleEvent::NotSubmitted {
            name: (*name).to_owned(),
            error: ActionFault {
                code: "E1003".to_owned(),
                message: "no start".to_owned(),
            },
        },
        [name, status] => BundleEvent::Coordinator {
            name: (*name).to_owned(),
            status: C::from_name(status).unwrap_or_else(|| panic!("`{status}`")),
        },
        _ => panic!("{words:?} is no event"),
    }
}

fn shown(effect: &BundleEffect) -> String {
    match effect {
        BundleEffect::Submit { name } => format!("submit {name}"),
        BundleEffect::Suspend { name } => format!("suspend {name}"),
        BundleEffect::Resume { name } => format!("resume {name}"),
        BundleEffect::Kill { name } => format!("kill {name}"),
        BundleEffect::Change { name, .. } => format!("change {name}"),
        BundleEffect::Rerun { name, .. } => format!("rerun {name}"),
        BundleEffect::Finished(status) => format!("finished {status}"),
    }
}

/// Replays the events of a case, which precede the ` =>` of its lines, and shows the result of each; last, the error of the
/// bundle.
fn played(case: &Case) -> String {
    let words = case.given.strip_prefix("bundle");
    let (options, names): (Vec<&str>, Vec<&str>) = words
        .expect("a bundle is given")
        .split_whitespace()
        .partition(|word| word.contains('='));
    let kick_off = options.first().map(|option| {
        let at = option.strip_prefix("kick-off=");
        time(at.expect("there is no other option"))
    });
    let names = names.iter().map(|name| (*name).to_owned());
    let mut state = BundleState::new(kick_off, names);
    let mut text = String::new();
    let lines = case.expected.lines();
    for line in lines.filter_map(|line| Some(line.split_once(" =>")?.0)) {
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
    text
}

#[test]
fn situations() {
    cases::check("runtime/core/src/bundle/tests.txt", played);
}

/// 7.5: a pause time is passed to the coordinators and also applies to the bundle itself.
#[test]
fn changes_that_are_none_are_refused() {
    for text in ["concurrency=1", "endtime=soon", "status=RUNNING"] {
        let refusal = BundleChange::parse(text, ProcessingZone::UTC).expect_err(text);
        assert_eq!(refusal.code, "E1317", "{text}");
    }
}
