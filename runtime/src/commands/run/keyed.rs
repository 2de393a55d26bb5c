//! `run --key`, idempotent: an existing job of the key is continued, or its result is reported.

use std::{collections::BTreeMap, time::Duration};

use hpdlc_engine::owner::Session;
use hpdlc_host::{
    exit::{Exit, RunError},
    signal_stream::SignalStream,
};
use hpdlc_store::JobRow;
use rustix::process::Signal;

use crate::commands::{find_job, recover, say};

/// The longest key, in characters.
const MAX_LENGTH: usize = 250;

/// Polling interval for the job's owner.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// Parses a key.
pub(super) fn parse(text: &str) -> Result<String, String> {
    if text.trim().is_empty() {
        return Err("a key has at least one character that is no blank".to_owned());
    }
    if text.chars().count() > MAX_LENGTH {
        return Err(format!("a key has at most {MAX_LENGTH} characters"));
    }
    if text.chars().any(char::is_control) {
        return Err("a key has no control characters".to_owned());
    }
    Ok(text.to_owned())
}

/// Drives the job to its end if it has no owner, else waits for its end; reports how it ended.
pub(super) fn go_on(
    session: &Session,
    job: &JobRow,
    given: &BTreeMap<String, String>,
    is_quiet: bool,
    json: bool,
) -> Result<Exit, RunError> {
    let key = job.key.as_deref().unwrap_or_default();
    let tell = |words: &str| {
        if !is_quiet && !json {
            say(words);
        }
    };
    let others = with_other_values(job, given);
    if !others.is_empty() {
        say(&format!(
            "warning: job {} of key `{key}` has other values of {}, and keeps them",
            job.id,
            others.join(", ")
        ));
    }
    if job.status.is_terminal() {
        tell(&format!(
            "job {} of key `{key}` has run before; nothing is run",
            job.id
        ));
    }
    loop {
        let root = find_job(session, &job.id)?;
        if let Some(exit) = recover::go_on(session, &root, json)? {
            return Ok(exit);
        }
        let owner = session.owner(&root.id)?.to_string();
        tell(&format!(
            "job {} of key `{key}` is driven by {owner}; waiting for its end",
            root.id
        ));
        wait(session, &root.id, &owner)?;
    }
}

/// The names of given properties whose values differ from the job's.
fn with_other_values(job: &JobRow, given: &BTreeMap<String, String>) -> Vec<String> {
    let stored: BTreeMap<String, String> = serde_json::from_str(&job.conf).unwrap_or_default();
    let others = given.iter().filter(|(name, value)| {
        // References to other properties were stored with their values.
        !value.contains("${") && stored.get(*name).is_some_and(|stored| stored != *value)
    });
    others.map(|(name, _)| format!("`{name}`")).collect()
}

/// Returns when the job no longer has an owner.
///
/// # Errors
///
/// Exit 5 if a signal asks this process to end: the job continues.
fn wait(session: &Session, id: &str, owner: &str) -> Result<(), RunError> {
    let failed = |error: std::io::Error| RunError::machine(format!("cannot wait: {error}"));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(failed)?;
    runtime.block_on(async {
        let mut interrupt = SignalStream::always(Signal::INT).map_err(failed)?;
        let mut terminate = SignalStream::always(Signal::TERM).map_err(failed)?;
        let mut hang_up = SignalStream::unless_ignored(Signal::HUP).map_err(failed)?;
        while session.has_owner(id) {
            let name = tokio::select! {
                () = tokio::time::sleep(LOOK_AGAIN) => continue,
                () = interrupt.next() => "SIGINT",
                () = terminate.next() => "SIGTERM",
                () = hang_up.next() => "SIGHUP",
            };
            return Err(RunError::machine(format!(
                "{name}: no longer waiting; job {id} continues under {owner}"
            ))
            .with_help(format!(
                "look at it with: info {id}; end it with: kill {id}"
            )));
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_some_text_of_one_line() {
        for key in ["2026-11-25", "daily logs/7", "ä"] {
            assert_eq!(parse(key).as_deref(), Ok(key));
        }
        for key in ["", "  ", "a\nb", "a\u{1b}[2J", &"k".repeat(251)] {
            assert!(parse(key).is_err(), "{key:?}");
        }
    }

    #[test]
    fn properties_with_other_values_are_named() {
        let job = JobRow {
            conf: r#"{"day":"1","at":"/data/1","same":"x"}"#.to_owned(),
            ..JobRow::new("job", 0)
        };
        let given = [("day", "2"), ("at", "/data/${day}"), ("same", "x")];
        let given = given.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(with_other_values(&job, &given.into()), ["`day`"]);
    }
}
