//! What a cluster says about the end of an application.

use crate::tool::yarn::YarnApplication;

/// `: ...`, the cluster's reason, and where to see more.
pub(super) fn because(app: &YarnApplication) -> String {
    let mut text = String::new();
    if let Some(line) = reason(&app.diagnostics) {
        text.push_str(": ");
        text.push_str(&line);
    }
    if !app.url.is_empty() {
        text.push_str("; see ");
        text.push_str(&app.url);
    }
    text
}

/// The first line of a cluster's diagnostics; where that only gives the exit code of a container that was not started, with the cause.
fn reason(diagnostics: &str) -> Option<String> {
    let mut lines = diagnostics
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty());
    let first = lines.next()?;
    if !first.contains("exitCode: -1000") {
        return Some(first.to_owned());
    }
    // What is too long is cut at its beginning: the first line of it may be the end of one.
    let lines: Vec<&str> = lines.collect();
    let root = lines.iter().find_map(|line| line.split_once("Caused by: "));
    let cause = match root {
        Some((_, cause)) => Some(cause),
        None => lines
            .iter()
            .find_map(|line| Some(line.split_once("Diagnostics:")?.1)),
    };
    // It may begin with the time.
    let cause = cause.map(str::trim).map(|cause| {
        let timed = cause
            .strip_prefix('[')
            .and_then(|rest| rest.split_once(']'));
        timed.map_or(cause, |(_, cause)| cause.trim())
    });
    Some(match cause {
        Some(cause) => format!("{first}: {cause}"),
        None => first.to_owned(),
    })
}

/// Whether a node has ended a container that needed more memory than it had asked for.
pub(super) fn is_too_large(diagnostics: &str) -> bool {
    diagnostics.contains("is running") && diagnostics.contains("memory limit")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_container_that_was_not_started_has_a_cause() {
        let first = "AM Container for x exited with  exitCode: -1000";
        let long = format!(
            "{first}\nFailing this attempt.Diagnostics: [2026-11-30 10:00:00.000]nn: Client cannot authenticate via:[TOKEN, KERBEROS]\n\tat x"
        );
        let cut = format!(
            "{first}\nFailing this attempt.Diagnostics: s(Client.java:795)\n\t... 42 more\nCaused by: x.E: not proved\n\tat x"
        );
        let expected = format!("{first}: nn: Client cannot authenticate via:[TOKEN, KERBEROS]");
        let of_cut = format!("{first}: x.E: not proved");
        for (diagnostics, expected) in [
            (long.as_str(), Some(expected.as_str())),
            (cut.as_str(), Some(of_cut.as_str())),
            (first, Some(first)),
            ("\nKilled by ada\nat x", Some("Killed by ada")),
            ("", None),
        ] {
            assert_eq!(reason(diagnostics).as_deref(), expected);
        }
    }

    #[test]
    fn a_container_that_is_too_large_is_told_from_one_that_is_lost() {
        for (diagnostics, expected) in [
            (
                "Container [pid=1] is running 1MB beyond the 'PHYSICAL' memory limit.",
                true,
            ),
            (
                "is running beyond physical memory limits. Current usage: 1 GB",
                true,
            ),
            ("Container released on a *lost* node", false),
        ] {
            assert_eq!(is_too_large(diagnostics), expected, "{diagnostics}");
        }
    }
}
