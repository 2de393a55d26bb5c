//! What a cluster says about an application: why it does not take it, what it waits for, how it ended.

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

/// `: ...`, what the cluster says about an application that waits for its container; empty if it says nothing.
pub(super) fn waits_for(app: &YarnApplication) -> String {
    let line = app.diagnostics.lines().map(str::trim);
    match line.map(without_time).find(|line| !line.is_empty()) {
        Some(line) => format!(": {}", line.trim_end_matches([' ', ';'])),
        None => String::new(),
    }
}

/// `; ...`, what to do where a cluster does not take an application for this reason; empty if that is not known.
pub(super) fn next_step(reason: &str) -> &'static str {
    let has = |words: &str| reason.contains(words);
    if has("labelExpression") || has("node label") {
        "; hpdl.launcher.yarn.node.label can name a label that the queue may use, or none"
    } else if has("permission to submit") {
        "; the administrator of the queue can add the user to its acl_submit_applications, or oozie.launcher.queue can name another queue"
    } else if has("unknown queue") || has("not a leaf queue") || has("non-leaf queue") {
        "; oozie.launcher.queue can name a queue that is there"
    } else if has("Invalid resource request") || has("Requested more ") {
        "; memory.mb and vcores of the launcher can be smaller"
    } else {
        ""
    }
}

/// The first line of a cluster's diagnostics; where that only gives YARN's own exit code of a container, which is negative (it was not
/// started, its node was lost, it was preempted), with the cause.
fn reason(diagnostics: &str) -> Option<String> {
    let mut lines = diagnostics
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty());
    let first = lines.next()?;
    if !first.contains("exitCode: -") {
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
    let cause = cause.map(str::trim).map(without_time);
    let cause = cause.map(|cause| match cause.split_once("For more detailed output") {
        Some((cause, _)) => cause,
        None => cause,
    });
    Some(match cause {
        Some(cause) => format!("{first}: {cause}"),
        None => first.to_owned(),
    })
}

/// A line without the time in brackets that it may begin with.
fn without_time(line: &str) -> &str {
    let timed = line.strip_prefix('[').and_then(|it| it.split_once(']'));
    timed.map_or(line, |(_, rest)| rest.trim())
}

/// Whether the cluster has taken a container back: its node was lost (`ContainerExitStatus.ABORTED`), had no disks, or it was preempted.
pub(super) fn is_taken_back(diagnostics: &str) -> bool {
    let codes = ["-100", "-101", "-102"];
    let has = |code| diagnostics.contains(&format!("exitCode: {code}\n"));
    codes.into_iter().any(has)
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
            (
                "AM Container for x exited with  exitCode: -102\nFailing this attempt.Diagnostics: Container preempted by schedulerFor more \
                 detailed output, check the application tracking page: http://rm",
                Some(
                    "AM Container for x exited with  exitCode: -102: Container preempted by scheduler",
                ),
            ),
            (
                "AM Container for x exited with  exitCode: 1\nFailing this attempt.Diagnostics: [x]Exception from container-launch.",
                Some("AM Container for x exited with  exitCode: 1"),
            ),
            ("\nKilled by ada\nat x", Some("Killed by ada")),
            ("", None),
        ] {
            assert_eq!(reason(diagnostics).as_deref(), expected);
        }
    }

    #[test]
    fn a_container_that_was_taken_back_has_a_code_of_its_own() {
        for (code, expected) in [
            (-100, true),
            (-102, true),
            (-1000, false),
            (-104, false),
            (1, false),
        ] {
            let text =
                format!("AM Container for x exited with  exitCode: {code}\nFailing this attempt.");
            assert_eq!(is_taken_back(&text), expected, "{code}");
        }
    }

    #[test]
    fn a_refusal_has_a_next_step() {
        for (reason, setting) in [
            (
                "Invalid resource request, queue=etl doesn't have permission to access all labels in resource request. labelExpression of \
                 resource request=x. Queue labels=gpu",
                "hpdl.launcher.yarn.node.label",
            ),
            (
                "User ada does not have permission to submit application_1_1 to queue closed",
                "oozie.launcher.queue",
            ),
            (
                "Application application_1_1 submitted by user ada to unknown queue: x",
                "oozie.launcher.queue",
            ),
            (
                "Invalid resource request! Cannot allocate containers as requested resource is greater than maximum allowed allocation",
                "memory.mb",
            ),
            ("Requested more memory than configured max", "memory.mb"),
        ] {
            let step = next_step(reason);
            assert!(step.starts_with("; ") && step.contains(setting), "{step}");
        }
        assert_eq!(next_step("Killed by ada"), "");
    }

    #[test]
    fn what_an_application_waits_for_is_said_without_the_time() {
        let of = |diagnostics: &str| {
            waits_for(&YarnApplication {
                diagnostics: diagnostics.to_owned(),
                ..YarnApplication::default()
            })
        };
        let long =
            "[Mon Nov 30 13:45:53 +0000 2026] Application is Activated, waiting for resources ; ";
        assert_eq!(
            of(long),
            ": Application is Activated, waiting for resources"
        );
        assert_eq!(of("\n"), "");
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
