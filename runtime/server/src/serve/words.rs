//! Refusals of commands in the words that Oozie has for them, where scripts read them: the codes are those of the owners.

use hpdlc_core::{
    coordinator::machine::{CoordinatorChange, RefusalKind},
    time::ProcessingZone,
};

use crate::serve::failure::Failure;

/// A failure with other words, if its code is among these.
fn worded(failure: Failure, words: &[(&str, String)]) -> Failure {
    let found = words
        .iter()
        .find(|(code, _)| failure.code.as_deref() == Some(code));
    match found {
        Some((code, words)) => Failure::coded(code, words).with_status(failure.status),
        None => failure,
    }
}

/// The part of what is to be changed that no job would take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WrongPart<'v> {
    kind: RefusalKind,
    name: &'v str,
    given: &'v str,
}

/// The first part of `endtime=...;concurrency=...` that is wrong by itself, if there is one: then the refusal is about it, and not about the
/// state of the job.
pub(crate) fn wrong_part(value: &str, zone: ProcessingZone) -> Option<WrongPart<'_>> {
    let whole = CoordinatorChange::parse(value, zone).err()?;
    let parts = value.split(';').filter(|part| !part.trim().is_empty());
    let mut wrong = parts.filter_map(|part| {
        let refusal = CoordinatorChange::parse(part, zone).err()?;
        let (name, given) = part.split_once('=').unwrap_or((part, ""));
        Some(WrongPart {
            kind: refusal.kind,
            name: name.trim(),
            given: given.trim(),
        })
    });
    // Parts may contradict each other.
    wrong.next().or(Some(WrongPart {
        kind: whole.kind,
        name: value,
        given: "",
    }))
}

/// Of a change that would delete an action that has begun: `action 3 is RUNNING ...`.
fn begun(failure: &Failure, job: &str) -> Option<(&'static str, String)> {
    let (_, behind) = failure.message.split_once("action ")?;
    let number: u64 = behind.split(' ').next()?.parse().ok()?;
    let words = format!("Cannot delete running/completed coordinator action: [{job}@{number}]");
    Some(("E1022", words))
}

/// Of `change` of a coordinator in this state (`CoordChangeXCommand`).
pub(crate) fn coordinator_change(
    failure: Failure,
    job: &str,
    wrong: Option<WrongPart<'_>>,
    value: &str,
    status: &str,
) -> Failure {
    let why = match wrong {
        Some(WrongPart {
            kind: RefusalKind::NoPair,
            name,
            ..
        }) => format!("{name}, change value must be name=value pair or name=(empty string)"),
        // Nothing is given.
        Some(WrongPart {
            kind: RefusalKind::Count,
            ..
        }) if !value.contains('=') => {
            format!("{value}, change value must be name=value pair or name=(empty string)")
        }
        Some(WrongPart {
            kind: RefusalKind::NoNumber,
            given,
            ..
        }) => format!("{given}, must be a valid integer"),
        Some(WrongPart {
            kind: RefusalKind::NoDate,
            given,
            ..
        }) => format!("{given}, must be a valid date"),
        Some(WrongPart {
            kind: RefusalKind::NoStatus,
            given,
            ..
        }) => {
            return Failure::argument(format!(
                "No enum constant org.apache.oozie.client.Job.Status.{given}"
            ));
        }
        Some(WrongPart {
            kind: RefusalKind::UnknownKey,
            ..
        }) => format!("{value}, must change endtime|concurrency|pausetime|status"),
        Some(WrongPart {
            kind: RefusalKind::Count | RefusalKind::State,
            ..
        }) => return failure,
        None => match new_status(value) {
            Some("RUNNING") => format!(
                "RUNNING,  Only FAILED, KILLED, IGNORED job can be changed to RUNNING. Current job status is {status}"
            ),
            Some("IGNORED") => return ignore(failure, status),
            _ => {
                let mut words = vec![killed()];
                words.extend(begun(&failure, job));
                return worded(failure, &words);
            }
        },
    };
    worded(
        failure,
        &[
            (
                "E1015",
                format!("Invalid coordinator job change value {why}"),
            ),
            killed(),
        ],
    )
}

fn killed() -> (&'static str, String) {
    ("E1016", "Cannot change a killed coordinator job".to_owned())
}

/// The state that a change asks for.
fn new_status(value: &str) -> Option<&str> {
    let mut pairs = value.split(';').filter_map(|part| part.split_once('='));
    let (_, status) = pairs.find(|(name, _)| name.trim() == "status")?;
    Some(status.trim())
}

/// Of `update` of a coordinator (`CoordUpdateXCommand`).
pub(crate) fn update(failure: &Failure, job: &str) -> Failure {
    let words = match failure.code.as_deref() {
        Some("E1023") => {
            let why = failure.message.trim_start_matches("E1023: ");
            let why = why
                .strip_prefix(&format!("coordinator {job}: "))
                .unwrap_or(why);
            format!("E1023: Coord Job update Error: [{why}]")
        }
        _ => failure.message.clone(),
    };
    Failure::coded("E0803", format!("IO error, {words}"))
}

/// Of `ignore` of a coordinator in this state.
pub(crate) fn ignore(failure: Failure, status: &str) -> Failure {
    let words = format!(
        "Invalid coordinator job change value IGNORED,  Only FAILED or KILLED non-pending job can be changed to IGNORED. Current job status is {status} and pending status is false"
    );
    worded(failure, &[("E1015", words)])
}

/// Of `ignore` of actions (`CoordActionsIgnoreXCommand`).
pub(crate) fn ignore_actions(failure: Failure, numbers: &[u64]) -> Failure {
    let words = format!(
        "Cannot run ignore command: [part or all actions are not eligible to ignore, check state of action number(s) {numbers:?}]"
    );
    worded(failure, &[("E1024", words)])
}

/// Of `change` of a bundle (`BundleJobChangeXCommand`).
pub(crate) fn bundle_change(
    failure: Failure,
    wrong: Option<WrongPart<'_>>,
    value: &str,
) -> Failure {
    let is_for_bundles = |name: &str| matches!(name, "endtime" | "pausetime");
    let names = value.split(';').map(|part| part.split('=').next());
    let mut names = names.map(|name| name.unwrap_or_default().trim());
    let why = match wrong {
        Some(WrongPart {
            kind: RefusalKind::NoDate,
            name,
            given,
        }) if is_for_bundles(name) => format!("{given}, is not a valid date"),
        None if names.all(is_for_bundles) => return failure,
        Some(_) | None => format!("{value}, can only change pausetime or end time"),
    };
    let words = format!("Invalid bundle job change value {why}");
    worded(failure, &[("E1317", words)])
}

/// Of `rerun` of a workflow in this state (`ReRunXCommand`).
pub(crate) fn rerun(failure: Failure, status: &str, skipped: &str) -> Failure {
    worded(
        failure,
        &[
            (
                "E0805",
                format!("Workflow job not completed, status [{status}]"),
            ),
            (
                "E0404",
                "Only one of the properties are allowed [oozie.wf.rerun.skip.nodes OR oozie.wf.rerun.failnodes]".to_owned(),
            ),
            (
                "E0807",
                format!("Some skip actions were not executed [{skipped}]"),
            ),
        ],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_have_the_words_of_oozie() {
        let refused = |code: &str, message: &str| Failure::coded(code, message);
        let zone = ProcessingZone::UTC;
        let change = |code: &str, value: &str| {
            let wrong = wrong_part(value, zone);
            coordinator_change(refused(code, "our words"), "1-C", wrong, value, "RUNNING").message
        };
        for (value, expected) in [
            (
                "foo=1",
                "foo=1, must change endtime|concurrency|pausetime|status",
            ),
            ("concurrency=x", "x, must be a valid integer"),
            ("endtime=yesterday", "yesterday, must be a valid date"),
            (
                "concurrency=1;endtime=yesterday",
                "yesterday, must be a valid date",
            ),
            (
                "concurrency",
                "concurrency, change value must be name=value pair or name=(empty string)",
            ),
            (
                "",
                ", change value must be name=value pair or name=(empty string)",
            ),
            (
                "status=RUNNING",
                "RUNNING,  Only FAILED, KILLED, IGNORED job can be changed to RUNNING. Current job status is RUNNING",
            ),
        ] {
            let expected = format!("E1015: Invalid coordinator job change value {expected}");
            assert_eq!(change("E1015", value), expected);
        }
        let status = change("E1015", "status=FOO");
        assert!(status.starts_with("No enum constant"), "{status}");
        let killed = change("E1016", "endtime=2009-01-01T00:00Z");
        assert_eq!(killed, "E1016: Cannot change a killed coordinator job");
        // What is about the state of the job is not explained by the form of the value, whatever its words are.
        for value in ["endtime=2009-01-01T00:00Z", "concurrency=1;concurrency=2"] {
            assert_eq!(change("E1022", value), "E1022: our words");
        }
        let begun = coordinator_change(
            refused("E1022", "action 3 is not before 12:00 and is RUNNING"),
            "1-C",
            None,
            "endtime=2009-01-01T00:00Z",
            "RUNNING",
        );
        assert_eq!(
            begun.message,
            "E1022: Cannot delete running/completed coordinator action: [1-C@3]"
        );
        let updated = update(
            &refused("E1023", "coordinator 1-C: Frequency can't be changed."),
            "1-C",
        );
        assert_eq!(
            updated.message,
            "E0803: IO error, E1023: Coord Job update Error: [Frequency can't be changed.]"
        );
        let again = rerun(refused("E0805", "x"), "PREP", "");
        assert_eq!(
            again.message,
            "E0805: Workflow job not completed, status [PREP]"
        );
        for (value, expected) in [
            (
                "foo=1",
                "Invalid bundle job change value foo=1, can only change pausetime or end time",
            ),
            (
                "concurrency=x",
                "Invalid bundle job change value concurrency=x, can only change pausetime or end time",
            ),
            (
                "concurrency=1",
                "Invalid bundle job change value concurrency=1, can only change pausetime or end time",
            ),
            (
                "endtime=x",
                "Invalid bundle job change value x, is not a valid date",
            ),
            ("endtime=2009-01-01T00:00Z", "our words"),
        ] {
            let wrong = wrong_part(value, zone);
            let bundle = bundle_change(refused("E1317", "our words"), wrong, value);
            assert_eq!(bundle.message, format!("E1317: {expected}"));
        }
        let ignored = ignore_actions(refused("E1024", "x"), &[1, 3]);
        assert!(
            ignored.message.ends_with("action number(s) [1, 3]]"),
            "{}",
            ignored.message
        );
    }
}
