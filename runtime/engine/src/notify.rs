//! Notifications: GET requests about changes of a job (transactional outbox, at-least-once delivery).
//!
//! A notification is written in the transaction that changes the state ([`collect`]), so that a crash loses nothing, and sent after it by a
//! thread of the owner ([`NotificationSender`]), which neither waits for nor fails because of any server. The rest is sent by a separate
//! process when the owner ends ([`sender_process`]); what that leaves, `recover` sends. A notification whose delivery was not recorded in
//! time may arrive twice.

use std::{collections::BTreeMap, time::Duration};

use hpdlc_core::status::{ActionStatus, JobStatus};
use hpdlc_host::settings::Settings;
use hpdlc_store::{ActionRow, JobRow, notifications::NewNotice};

use crate::{
    job::Job,
    notice::{WORKFLOW_PROXY, notice, replaced},
    progress::ProgressEvent,
};

pub mod failure;
mod proposal;
pub mod sender;
pub mod sender_process;
pub mod sending;

pub use self::sender::NotificationSender;

/// The values of the tokens of a URL; `None` if nothing is to be sent.
type TokenWords = Option<Vec<(&'static str, String)>>;

/// A property that holds the URL to call.
struct UrlSetting {
    property: &'static str,
    words: fn(&StateChange<'_>) -> TokenWords,
}

/// Oozie's two properties, and those of the proposal of 2009, with their own tokens.
const DOORS: [UrlSetting; 4] = [
    UrlSetting {
        property: "oozie.wf.workflow.notification.url",
        words: oozie_job,
    },
    UrlSetting {
        property: "oozie.wf.action.notification.url",
        words: oozie_action,
    },
    UrlSetting {
        property: "hws.workflow.notification.url",
        words: proposal::job,
    },
    UrlSetting {
        property: "hws.action.notification.url",
        words: proposal::action,
    },
];

/// A change of state that may have to be notified.
struct StateChange<'a> {
    job: &'a JobRow,
    status: JobChange,
    /// A node with its new state, which may not be its latest by now.
    node: Option<(&'a ActionRow, ActionStatus)>,
}

/// The change of the job; `None` for a change of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum JobChange {
    To(JobStatus),
    /// It was suspended by an error, which Oozie does not notify.
    StoppedByError,
    None,
}

/// The notifications for `news`, which are about to be written.
pub fn collect<'a>(
    news: &[ProgressEvent],
    job: impl Fn(&str) -> Option<&'a Job>,
    site: &BTreeMap<String, String>,
) -> Vec<NewNotice> {
    let mut notices = Vec::new();
    for event in news.iter().filter(|event| event.status.is_some()) {
        let Some(job) = job(&event.id) else { continue };
        let conf: &BTreeMap<String, String> = &job.view.conf;
        let settings = Settings { conf, site };
        let has_door = DOORS
            .iter()
            .any(|door| settings.text(door.property).is_some());
        if !has_door && !failure::is_wanted(settings) {
            continue;
        }
        let node = match &event.node {
            Some(name) => {
                let row = job.rows().find(|row| &row.name == name);
                match row.zip(ActionStatus::from_name(&event.event)) {
                    Some(node) => Some(node),
                    None => continue,
                }
            }
            None => None,
        };
        let status = match (node, JobStatus::from_name(&event.event)) {
            (None, Some(JobStatus::Suspended)) if needs_person(news, &event.id) => {
                JobChange::StoppedByError
            }
            (None, Some(status)) => JobChange::To(status),
            (_, _) => JobChange::None,
        };
        let told = StateChange {
            job: &job.row,
            status,
            node,
        };
        notices.extend(of_event(&told, event, settings));
        notices.extend(of_failure(job, status, settings, event.time));
    }
    notices
}

/// Whether an action of the job suspended it in the same step.
fn needs_person(news: &[ProgressEvent], job: &str) -> bool {
    news.iter().any(|event| {
        event.id == job && event.status.as_deref() == Some(ActionStatus::StartManual.name())
    })
}

fn of_event(
    told: &StateChange<'_>,
    event: &ProgressEvent,
    settings: Settings<'_>,
) -> Vec<NewNotice> {
    DOORS
        .iter()
        .filter_map(|door| {
            let url = settings.text(door.property)?;
            let words = (door.words)(told)?;
            let about = match &event.node {
                Some(node) => format!("{node} {}", event.event),
                None => format!("job {}", event.event),
            };
            let url = replaced(url, &words);
            Some(notice(
                told.job,
                about,
                url,
                WORKFLOW_PROXY,
                settings,
                event.time,
            ))
        })
        .collect()
}

/// The notification for a coordinator's action whose state has changed (`CoordActionNotificationXCommand`): for all states, while Oozie
/// leaves out some.
pub fn of_coordinator_action(
    job: &JobRow,
    number: u64,
    status: &str,
    settings: Settings<'_>,
    time: i64,
) -> Option<NewNotice> {
    let url = settings.text("oozie.coord.action.notification.url")?;
    let words = [
        ("$actionId", format!("{}@{number}", job.id)),
        ("$status", status.to_owned()),
    ];
    let url = replaced(url, &words);
    let proxy = "oozie.coord.action.notification.proxy";
    let about = format!("@{number} {status}");
    Some(notice(job, about, url, proxy, settings, time))
}

/// The notification for a job that has failed or was suspended by an error. Not for a sub-workflow: it fails the action that runs it, and
/// its parent is reported.
fn of_failure(
    job: &Job,
    change: JobChange,
    settings: Settings<'_>,
    time: i64,
) -> Option<NewNotice> {
    if job.row.parent_node.is_some() {
        return None;
    }
    let row = &job.row;
    let failure = match change {
        JobChange::To(status @ (JobStatus::Killed | JobStatus::Failed)) => failure::JobFailure {
            job: row,
            action: None,
            status: status.name(),
            node: row.last_error_node.as_deref(),
            error_code: row.error_code.as_deref(),
            error_message: row.error_message.as_deref(),
            mask: &job.mask,
        },
        JobChange::StoppedByError => {
            let mut rows = job.rows();
            let stopped = rows.find(|row| row.status == ActionStatus::StartManual)?;
            failure::JobFailure {
                job: row,
                action: None,
                status: JobStatus::Suspended.name(),
                node: Some(&stopped.name),
                error_code: stopped.error_code.as_deref(),
                error_message: stopped.error_message.as_deref(),
                mask: &job.mask,
            }
        }
        JobChange::To(_) | JobChange::None => return None,
    };
    failure::of(failure, settings, time)
}

/// For every state but PREP (`WorkflowNotificationXCommand`). A sub-workflow notifies only its parent: Oozie replaces its property by a
/// callback.
fn oozie_job(told: &StateChange<'_>) -> TokenWords {
    let JobChange::To(status) = told.status else {
        return None;
    };
    if status == JobStatus::Prep || told.job.parent_node.is_some() {
        return None;
    }
    Some(vec![
        ("$jobId", told.job.id.clone()),
        ("$parentId", told.job.parent_id.clone().unwrap_or_default()),
        ("$status", status.name().to_owned()),
    ])
}

/// For the start of asynchronous actions, and the end of every node.
fn oozie_action(told: &StateChange<'_>) -> TokenWords {
    let (row, status) = told.node?;
    let transition = || format!("T:{}", row.transition.as_deref().unwrap_or("null"));
    let status = match status {
        ActionStatus::Running if is_asynchronous(row) => "S:RUNNING".to_owned(),
        ActionStatus::Ok | ActionStatus::Error => transition(),
        ActionStatus::Killed if was_running(row) => "T:null".to_owned(),
        ActionStatus::Failed => "S:FAILED".to_owned(),
        ActionStatus::Prep
        | ActionStatus::Running
        | ActionStatus::Done
        | ActionStatus::StartRetry
        | ActionStatus::StartManual
        | ActionStatus::UserRetry
        | ActionStatus::Killed => return None,
    };
    // A node that a rerun skips was notified before.
    if row.skip.is_some() {
        return None;
    }
    Some(vec![
        ("$jobId", told.job.id.clone()),
        ("$nodeName", row.name.clone()),
        ("$status", status),
    ])
}

/// Oozie starts and ends `fs`, `email` and decisions in one command.
fn is_asynchronous(row: &ActionRow) -> bool {
    !row.type_name.starts_with(':') && !matches!(row.type_name.as_str(), "fs" | "email" | "switch")
}

/// Whether a killed action had been started. A sub-workflow is killed at once with its parent.
fn was_running(row: &ActionRow) -> bool {
    row.is_canceling || (row.type_name == "sub-workflow" && row.external_id.is_some())
}

/// How long the end of a job waits for notifications that can be sent at once.
pub const LINGER: Duration = Duration::from_millis(300);

#[cfg(test)]
mod tests;
