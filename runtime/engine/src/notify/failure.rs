//! `hpdl.on.failure`: a URL that is called, or a command that is run, whenever a job fails.
//!
//! Like every notification it is committed with the state that it reports, sent by the owner or a sender process, retried on failure, and
//! delivered at least once: a command whose success was not recorded in time is run again.

use std::{
    collections::BTreeMap,
    io::Read,
    os::unix::process::CommandExt,
    process::{Command, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

use hpdlc_core::{el::functions::basic::form_encoded, visible};
use hpdlc_host::{home::Home, job_id::JobKind, mask::Mask, settings::Settings};
use hpdlc_store::{JobRow, notifications::NewNotice};
use serde::{Deserialize, Serialize};

use crate::notice::{WORKFLOW_PROXY, notice, replaced};

/// The URL or the command.
const SETTING: &str = "hpdl.on.failure";

/// How long the command may take, in seconds.
const TIMEOUT: &str = "hpdl.on.failure.timeout";
const BUILT_IN_TIMEOUT: u64 = 60;

/// The polling interval for the end of the command.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// How many bytes of the command's output are kept.
const MOST_SAID: u64 = 4096;

/// The number of commands that this process is running: an owner that ends waits for them.
static RUNNING: AtomicUsize = AtomicUsize::new(0);

/// A job, or an action of a coordinator, that has failed or was suspended by an error.
#[derive(Clone, Copy, Debug)]
pub struct JobFailure<'a> {
    pub job: &'a JobRow,
    /// Of a coordinator: the action's number.
    pub action: Option<u64>,
    pub status: &'a str,
    /// The node at which a workflow failed.
    pub node: Option<&'a str>,
    pub error_code: Option<&'a str>,
    pub error_message: Option<&'a str>,
    /// The secrets of the job that are not shown.
    pub mask: &'a Mask,
}

/// A command with its environment, as stored.
#[derive(Debug, Deserialize, Serialize)]
struct FailureCommand {
    command: String,
    environment: BTreeMap<String, String>,
}

/// Whether the setting is set.
pub fn is_wanted(settings: Settings<'_>) -> bool {
    settings.text(SETTING).is_some()
}

/// The notification for `failure`; `None` if the setting is not set.
pub fn of(failure: JobFailure<'_>, settings: Settings<'_>, time: i64) -> Option<NewNotice> {
    let wanted = settings.text(SETTING)?;
    let job = failure.job;
    let about = match (failure.action, failure.node) {
        (Some(number), _) => format!("@{number} {}", failure.status),
        (None, Some(node)) => format!("job {} at {node}", failure.status),
        (None, None) => format!("job {}", failure.status),
    };
    let facts = facts(failure);
    let is_url = ["http://", "https://"]
        .iter()
        .any(|scheme| wanted.starts_with(scheme));
    if is_url {
        let words: Vec<(&'static str, String)> = facts
            .into_iter()
            .map(|fact| (fact.token, form_encoded(&fact.value)))
            .collect();
        let url = replaced(wanted, &words);
        return Some(notice(job, about, url, WORKFLOW_PROXY, settings, time));
    }
    let told = FailureCommand {
        command: wanted.to_owned(),
        environment: facts
            .into_iter()
            .map(|fact| (fact.variable.to_owned(), fact.value))
            .collect(),
    };
    let seconds = settings.text(TIMEOUT).and_then(|text| text.parse().ok());
    let seconds: u64 = seconds.unwrap_or(BUILT_IN_TIMEOUT);
    let millis = i64::try_from(seconds.saturating_mul(1_000)).unwrap_or(i64::MAX);
    Some(NewNotice {
        mail: serde_json::to_string(&told).ok(),
        timeout: millis,
        ..notice(
            job,
            about,
            SETTING.to_owned(),
            WORKFLOW_PROXY,
            settings,
            time,
        )
    })
}

/// One value that is passed.
struct Fact {
    /// Its name in a URL.
    token: &'static str,
    /// Its name in the environment of a command.
    variable: &'static str,
    value: String,
}

fn facts(failure: JobFailure<'_>) -> Vec<Fact> {
    let JobFailure { job, mask, .. } = failure;
    let id = match failure.action {
        Some(number) => format!("{}@{number}", job.id),
        None => job.id.clone(),
    };
    let kind = match JobKind::of(&job.id) {
        JobKind::Workflow => "workflow",
        JobKind::Coordinator => "coordinator",
        JobKind::Bundle => "bundle",
    };
    let text = |text: Option<&str>| mask.text(text.unwrap_or_default());
    [
        ("$jobId", "HPDL_JOB_ID", id),
        ("$appName", "HPDL_APP_NAME", text(Some(&job.app))),
        ("$kind", "HPDL_JOB_KIND", kind.to_owned()),
        ("$status", "HPDL_STATUS", failure.status.to_owned()),
        ("$nodeName", "HPDL_NODE", text(failure.node)),
        ("$errorCode", "HPDL_ERROR_CODE", text(failure.error_code)),
        (
            "$errorMessage",
            "HPDL_ERROR_MESSAGE",
            text(failure.error_message),
        ),
        ("$user", "HPDL_USER", job.user.clone()),
        (
            "$parentId",
            "HPDL_PARENT_ID",
            text(job.parent_id.as_deref()),
        ),
    ]
    .into_iter()
    .map(|(token, variable, value)| Fact {
        token,
        variable,
        // Environment variables cannot contain NUL.
        value: value.replace('\0', ""),
    })
    .collect()
}

/// Whether this process is running a command.
pub(super) fn is_running() -> bool {
    RUNNING.load(Ordering::SeqCst) > 0
}

/// Runs the stored command and returns why it failed, if so; `None` if it is a mail and not a command.
pub(super) fn run(stored: &str, home: &Home, timeout: Duration) -> Option<Result<(), String>> {
    let told: FailureCommand = serde_json::from_str(stored).ok()?;
    RUNNING.fetch_add(1, Ordering::SeqCst);
    let ended = told.run(home, timeout);
    RUNNING.fetch_sub(1, Ordering::SeqCst);
    Some(ended)
}

impl FailureCommand {
    fn run(&self, home: &Home, timeout: Duration) -> Result<(), String> {
        // Its output goes to a file: a pipe would be held open by processes that it leaves behind.
        let mut said =
            tempfile::tempfile().map_err(|error| format!("a temporary file: {error}"))?;
        let output = |file: &std::fs::File| file.try_clone().map(Stdio::from);
        let stdio = output(&said).and_then(|out| Ok((out, output(&said)?)));
        let (stdout, stderr) = stdio.map_err(|error| format!("a temporary file: {error}"))?;
        let mut child = Command::new("/bin/sh")
            .args(["-c", &self.command])
            .envs(&self.environment)
            .env("HPDL_HOME", home.root())
            .current_dir(home.root())
            .stdin(Stdio::null())
            .stdout(stdout)
            .stderr(stderr)
            .process_group(0)
            .spawn()
            .map_err(|error| format!("/bin/sh: {error}"))?;
        let begun = Instant::now();
        let status = loop {
            match child.try_wait() {
                Ok(Some(status)) => break status,
                Ok(None) if begun.elapsed() >= timeout => {
                    if let Some(group) = i32::try_from(child.id())
                        .ok()
                        .and_then(rustix::process::Pid::from_raw)
                    {
                        let signal = rustix::process::Signal::KILL;
                        // It may have ended meanwhile.
                        let _ = rustix::process::kill_process_group(group, signal);
                    }
                    let _ = child.wait();
                    return Err(format!(
                        "{SETTING} took longer than {} s ({TIMEOUT}) and was ended",
                        timeout.as_secs()
                    ));
                }
                Ok(None) => thread::sleep(LOOK_AGAIN),
                Err(error) => return Err(format!("{SETTING}: {error}")),
            }
        };
        if status.success() {
            return Ok(());
        }
        Err(match last_line(&mut said) {
            Some(line) => format!("{SETTING}: {status}: {}", visible::line(&line)),
            None => format!("{SETTING}: {status}"),
        })
    }
}

/// The last line of its output.
fn last_line(said: &mut std::fs::File) -> Option<String> {
    use std::io::{Seek, SeekFrom};
    let length = said.metadata().ok()?.len();
    said.seek(SeekFrom::Start(length.saturating_sub(MOST_SAID)))
        .ok()?;
    let mut bytes = Vec::new();
    said.take(MOST_SAID).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let line = text.lines().rev().find(|line| !line.trim().is_empty())?;
    Some(line.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conf(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        let pairs = pairs.iter();
        pairs
            .map(|&(name, value)| (name.to_owned(), value.to_owned()))
            .collect()
    }

    fn told(job: &[(&str, &str)], site: &[(&str, &str)]) -> Option<NewNotice> {
        let (conf, site) = (conf(job), conf(site));
        let mut row = JobRow::new("0000001-261120093000123-hpdl-W", 0);
        row.app = "night & day".to_owned();
        let failure = JobFailure {
            job: &row,
            action: None,
            status: "KILLED",
            node: Some("load"),
            error_code: Some("JA018"),
            error_message: Some("login hunter22 failed"),
            mask: &Mask::of(&conf),
        };
        let settings = Settings {
            conf: &conf,
            site: &site,
        };
        of(failure, settings, 7)
    }

    #[test]
    fn a_url_gets_its_tokens_encoded_and_without_secrets() {
        let url = "http://h/?id=$jobId&a=$appName&s=$status&n=$nodeName&m=$errorMessage&k=$kind";
        let notice = told(&[("x.password", "hunter22")], &[("hpdl.on.failure", url)]).unwrap();
        assert_eq!(
            notice.url,
            "http://h/?id=0000001-261120093000123-hpdl-W&a=night+%26+day&s=KILLED&n=load\
             &m=login+********+failed&k=workflow"
        );
        assert_eq!(notice.about, "job KILLED at load");
        assert_eq!(notice.mail, None);
    }

    #[test]
    fn a_jobs_own_is_above_the_sites_and_nothing_is_nothing() {
        let site = [("hpdl.on.failure", "true")];
        let own = [
            ("hpdl.on.failure", "exit 3"),
            ("hpdl.on.failure.timeout", "5"),
        ];
        let notice = told(&own, &site).unwrap();
        assert!(notice.mail.is_some_and(|mail| mail.contains("exit 3")));
        assert_eq!(notice.timeout, 5_000);
        assert!(told(&[], &site).is_some());
        assert!(told(&[], &[]).is_none());
        assert!(told(&[("hpdl.on.failure", " ")], &[]).is_none());
    }

    #[test]
    fn a_command_is_told_by_its_environment_and_fails_with_its_last_line() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path());
        let run = |command: &str, timeout: Duration| {
            let notice = told(&[("hpdl.on.failure", command)], &[]).unwrap();
            run(&notice.mail.unwrap(), &home, timeout).unwrap()
        };
        let patience = Duration::from_secs(60);
        assert_eq!(
            run("test \"$HPDL_NODE $HPDL_STATUS\" = 'load KILLED'", patience),
            Ok(())
        );
        let failed = run("echo one; printf 'two\\033[1m\\n\\n' >&2; exit 3", patience);
        assert_eq!(
            failed,
            Err("hpdl.on.failure: exit status: 3: two\\x1b[1m".to_owned())
        );
        let late = run("sleep 600 & sleep 600", Duration::from_millis(50));
        assert!(late.unwrap_err().contains("hpdl.on.failure.timeout"));
        assert!(
            super::run(
                "{\"to\":\"a\",\"subject\":\"\",\"body\":\"\"}",
                &home,
                patience
            )
            .is_none()
        );
    }
}
