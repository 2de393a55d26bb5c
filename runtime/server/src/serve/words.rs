//! Refusals of commands in the words that Oozie has for them, where scripts read them: the codes are those of the owners.

use crate::serve::failure::Failure;

/// The name and the value of the first part of `endtime=...;concurrency=...`.
fn first(value: &str) -> (&str, Option<&str>) {
    let part = value.split(';').next().unwrap_or_default();
    match part.split_once('=') {
        Some((name, value)) => (name.trim(), Some(value.trim())),
        None => (part.trim(), None),
    }
}

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

/// Of `change` of a coordinator in this state (`CoordChangeXCommand`).
pub(crate) fn coordinator_change(failure: Failure, value: &str, status: &str) -> Failure {
    let (name, given) = first(value);
    let why = match (name, given) {
        (name, None) => {
            format!("{name}, change value must be name=value pair or name=(empty string)")
        }
        ("concurrency", Some(given)) => format!("{given}, must be a valid integer"),
        ("endtime" | "pausetime", Some(given)) if failure.message.contains("form") => {
            format!("{given}, must be a valid date")
        }
        ("status", Some("RUNNING")) => format!(
            "RUNNING,  Only FAILED, KILLED, IGNORED job can be changed to RUNNING. Current job status is {status}"
        ),
        ("status", Some("IGNORED")) => return ignore(failure, status),
        ("status", Some(given)) if failure.message.contains("can be set") => {
            return Failure::argument(format!(
                "No enum constant org.apache.oozie.client.Job.Status.{given}"
            ));
        }
        ("endtime" | "pausetime" | "status", Some(_)) => return failure,
        (_, Some(_)) => {
            format!("{value}, must change endtime|concurrency|pausetime|status")
        }
    };
    worded(
        failure,
        &[
            (
                "E1015",
                format!("Invalid coordinator job change value {why}"),
            ),
            ("E1016", "Cannot change a killed coordinator job".to_owned()),
        ],
    )
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
pub(crate) fn bundle_change(failure: Failure, value: &str) -> Failure {
    let (name, given) = first(value);
    let why = match (name, given) {
        ("endtime" | "pausetime", Some(given)) if failure.message.contains("form") => {
            format!("{given}, is not a valid date")
        }
        ("endtime" | "pausetime", Some(_)) => return failure,
        (_, _) => format!("{value}, can only change pausetime or end time"),
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
        let change = |value: &str, message: &str| {
            coordinator_change(refused("E1015", message), value, "RUNNING").message
        };
        for (value, message, expected) in [
            (
                "foo=1",
                "x",
                "foo=1, must change endtime|concurrency|pausetime|status",
            ),
            ("concurrency=x", "x", "x, must be a valid integer"),
            (
                "endtime=yesterday",
                "not the form",
                "yesterday, must be a valid date",
            ),
            (
                "concurrency",
                "x",
                "concurrency, change value must be name=value pair or name=(empty string)",
            ),
        ] {
            let expected = format!("E1015: Invalid coordinator job change value {expected}");
            assert_eq!(change(value, message), expected);
        }
        let status = change("status=FOO", "what can be set is RUNNING and IGNORED");
        assert!(status.starts_with("No enum constant"), "{status}");
        let other = coordinator_change(
            refused("E1022", "x"),
            "endtime=2009-01-01T00:00Z",
            "RUNNING",
        );
        assert_eq!(other.message, "E1022: x");
        let again = rerun(refused("E0805", "x"), "PREP", "");
        assert_eq!(
            again.message,
            "E0805: Workflow job not completed, status [PREP]"
        );
        let bundle = bundle_change(refused("E1317", "x"), "foo=1");
        assert!(
            bundle
                .message
                .ends_with("foo=1, can only change pausetime or end time")
        );
        let ignored = ignore_actions(refused("E1024", "x"), &[1, 3]);
        assert!(
            ignored.message.ends_with("action number(s) [1, 3]]"),
            "{}",
            ignored.message
        );
    }
}
