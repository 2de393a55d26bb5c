//! Invariants of notifications: for each change in the store's log that has a subscriber there is exactly one notification, in the same
//! order; whatever happens to owners and senders, each is delivered or given up.

use std::collections::BTreeMap;

use hpdlc_core::{
    sla::SlaEvent,
    status::{ActionStatus, JobStatus},
};
use hpdlc_store::sql::{self, Connection};

use super::transport::Delivery;

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotificationLine {
    pub job: String,
    pub node: Option<String>,
    pub event: String,
}

impl NotificationLine {
    pub fn is_rerun(&self) -> bool {
        self.node.is_none() && self.event == "RERUN"
    }

    fn is_end_of_job(&self) -> bool {
        let status = JobStatus::from_name(&self.event);
        self.node.is_none() && status.is_some_and(JobStatus::is_terminal)
    }

    /// Whether it is a change of state, not a note.
    fn is_change(&self) -> bool {
        match &self.node {
            None => JobStatus::from_name(&self.event).is_some(),
            Some(_) => ActionStatus::from_name(&self.event).is_some(),
        }
    }

    /// The subject as a notification names it.
    fn about(&self) -> String {
        let what = self.node.as_deref().unwrap_or("job");
        format!("{what} {}", self.event)
    }
}

/// Prefixes of log messages that note why an attempt failed: not a change of state, whatever follows for the action.
const FAILURES: [&str; 4] = [
    "transient failure",
    "non-transient failure",
    "error",
    "failure of the job",
];

/// All lines but those that note a failure, in the order in which they were written.
pub fn lines(store: &Connection) -> sql::Result<Vec<NotificationLine>> {
    let mut query =
        store.prepare_cached("SELECT job_id, node, event, message FROM log ORDER BY id")?;
    let mut rows = query.query([])?;
    let mut lines = Vec::new();
    while let Some(row) = rows.next()? {
        let line = NotificationLine {
            job: row.get(0)?,
            node: row.get(1)?,
            event: row.get(2)?,
        };
        let message: Option<String> = row.get(3)?;
        let message = message.unwrap_or_default();
        let is_note = line.event == ActionStatus::Error.name()
            && FAILURES.iter().any(|words| message.starts_with(words));
        if !is_note {
            lines.push(line);
        }
    }
    Ok(lines)
}

/// A notification as it is in the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noticed {
    pub id: i64,
    pub job: String,
    pub about: String,
    pub url: String,
    pub tries: i64,
    pub max_tries: i64,
    pub is_ended: bool,
    /// The reason, if it was given up.
    pub problem: Option<String>,
}

/// All notifications, in the order in which they were made.
pub fn all(store: &Connection) -> sql::Result<Vec<Noticed>> {
    store
        .prepare_cached(
            "SELECT id, job_id, about, url, tries, max_tries, ended IS NOT NULL, problem FROM notifications ORDER BY id",
        )?
        .query_map([], |row| {
            Ok(Noticed {
                id: row.get(0)?,
                job: row.get(1)?,
                about: row.get(2)?,
                url: row.get(3)?,
                tries: row.get(4)?,
                max_tries: row.get(5)?,
                is_ended: row.get(6)?,
                problem: row.get(7)?,
            })
        })?
        .collect()
}

/// A channel of notifications.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    Job,
    Action,
    JobOfProposal,
    ActionOfProposal,
    Sla,
    Mail,
}

impl Channel {
    pub const ALL: [Channel; 6] = [
        Channel::Job,
        Channel::Action,
        Channel::JobOfProposal,
        Channel::ActionOfProposal,
        Channel::Sla,
        Channel::Mail,
    ];

    /// The property that enables it, with the URL of the simulated worlds.
    pub fn property(self) -> Option<(&'static str, &'static str)> {
        match self {
            Channel::Job => Some((
                "oozie.wf.workflow.notification.url",
                "http://told/job?job=$jobId&status=$status",
            )),
            Channel::Action => Some((
                "oozie.wf.action.notification.url",
                "http://told/action?job=$jobId&node=$nodeName&status=$status",
            )),
            Channel::JobOfProposal => Some((
                "hws.workflow.notification.url",
                "http://told/hws-job?job=$wfId&status=$wfstatus",
            )),
            Channel::ActionOfProposal => Some((
                "hws.action.notification.url",
                "http://told/hws-action?job=$wfId&node=$nodeName&status=$nodeStatus",
            )),
            Channel::Sla => Some((
                "hpdl.sla.notification.url",
                "http://told/sla?job=$jobId&event=$event&status=$status",
            )),
            Channel::Mail => None,
        }
    }

    fn is_of(self, notice: &Noticed) -> bool {
        let path = match self {
            Channel::Job => "http://told/job?",
            Channel::Action => "http://told/action?",
            Channel::JobOfProposal => "http://told/hws-job?",
            Channel::ActionOfProposal => "http://told/hws-action?",
            Channel::Sla => "http://told/sla?",
            Channel::Mail => "mailto:",
        };
        notice.url.starts_with(path)
    }
}

/// The data needed to decide which changes have to be notified.
pub struct ExpectedNotices<'a> {
    /// Oozie's name of a node's type, by job and node.
    pub types: &'a BTreeMap<(String, String), &'static str>,
    /// Jobs of sub-workflows.
    pub children: &'a [String],
    /// The events of service levels that are notified.
    pub sla_events: &'a [SlaEvent],
    /// The jobs and actions whose service levels have a contact.
    pub contacts: &'a [(String, Option<String>)],
}

impl ExpectedNotices<'_> {
    /// Whether a channel has to notify of a change; `None` if it may.
    fn is_told(&self, door: Channel, line: &NotificationLine) -> Option<bool> {
        let node_type = line.node.as_ref().and_then(|node| {
            let key = (line.job.clone(), node.clone());
            self.types.get(&key).copied()
        });
        let job = JobStatus::from_name(&line.event).filter(|_| line.node.is_none());
        let action = ActionStatus::from_name(&line.event).filter(|_| line.node.is_some());
        let sla = SlaEvent::ALL.into_iter().find(|it| it.name() == line.event);
        let sla = sla.filter(|event| self.sla_events.contains(event));
        let is_child = self.children.contains(&line.job);
        match door {
            Channel::Job => match job {
                // When an action suspended the job, Oozie sends nothing.
                Some(JobStatus::Suspended) if !is_child => None,
                Some(JobStatus::Prep) | None => Some(false),
                Some(_) => Some(!is_child),
            },
            Channel::JobOfProposal => Some(job.is_some_and(JobStatus::is_terminal)),
            Channel::Action => match (action, node_type) {
                (Some(ActionStatus::Ok | ActionStatus::Error | ActionStatus::Failed), _) => {
                    Some(true)
                }
                (Some(ActionStatus::Running), Some("shell" | "sub-workflow")) => Some(true),
                // Of killed actions only those that ran.
                (Some(ActionStatus::Killed), _) => None,
                _ => Some(false),
            },
            Channel::ActionOfProposal => match (action, node_type) {
                (_, Some(of_control)) if of_control.starts_with(':') => Some(false),
                // There is none for the start of a further attempt.
                (Some(ActionStatus::Running), _) => None,
                (
                    Some(
                        ActionStatus::Ok
                        | ActionStatus::Error
                        | ActionStatus::Failed
                        | ActionStatus::StartRetry
                        | ActionStatus::UserRetry
                        | ActionStatus::StartManual,
                    ),
                    _,
                ) => Some(true),
                _ => Some(false),
            },
            Channel::Sla => Some(sla.is_some()),
            Channel::Mail => {
                let of = (line.job.clone(), line.node.clone());
                Some(sla.is_some_and(SlaEvent::is_miss) && self.contacts.contains(&of))
            }
        }
    }
}

/// Each change that a channel has to report has one notification, in the same order, and no other change has one.
pub fn check_made(
    door: Channel,
    wanted: &ExpectedNotices<'_>,
    lines: &[NotificationLine],
    notices: &[Noticed],
) -> Result<(), String> {
    let made = notices.iter().filter(|notice| door.is_of(notice));
    let mut made: Vec<(&str, String)> = made
        .map(|notice| (notice.job.as_str(), notice.about.clone()))
        .collect();
    made.reverse();
    for line in lines {
        let about = (line.job.as_str(), line.about());
        match (wanted.is_told(door, line), made.last() == Some(&about)) {
            (Some(true) | None, true) => {
                made.pop();
            }
            (Some(true), false) => {
                return Err(format!(
                    "{door:?} does not tell of {about:?}, but of {:?}",
                    made.last()
                ));
            }
            (None | Some(false), _) => {}
        }
    }
    match made.last() {
        Some(more) => Err(format!("{door:?} tells of {more:?}, which did not happen")),
        None => Ok(()),
    }
}

/// The values in a URL must be those of the change it reports.
pub fn check_words(notice: &Noticed) -> Result<(), String> {
    if Channel::Mail.is_of(notice) {
        return Ok(());
    }
    let event = notice.about.rsplit(' ').next().unwrap_or_default();
    let expected = match event {
        "OK" | "ERROR" if Channel::Action.is_of(notice) => "status=T:",
        "FAILED" if Channel::Action.is_of(notice) => "status=S:FAILED",
        "RUNNING" if Channel::Action.is_of(notice) => "status=S:RUNNING",
        event if Channel::Job.is_of(notice) => event,
        event if Channel::Sla.is_of(notice) => event,
        _ => "",
    };
    let job = format!("job={}&", notice.job);
    if notice.url.contains(&job) && notice.url.contains(expected) {
        Ok(())
    } else {
        Err(format!("{} is told by {}", notice.about, notice.url))
    }
}

/// Nothing may change in a job that has ended, unless it is run again.
pub fn check_silence(lines: &[NotificationLine]) -> Result<(), String> {
    let mut ended: BTreeMap<&str, bool> = BTreeMap::new();
    for line in lines {
        let ended = ended.entry(&line.job).or_default();
        if line.is_rerun() {
            *ended = false;
        } else if *ended && line.is_change() {
            return Err(format!("{line:?} after the end"));
        } else if line.is_end_of_job() {
            *ended = true;
        }
    }
    Ok(())
}

/// Each notification was delivered, and more than once only if its sender died before recording it (at-least-once delivery); or it was
/// given up after all tries, with a warning in the log.
pub fn check_delivered(
    notice: &Noticed,
    delivery: &Delivery,
    n_warnings: usize,
) -> Result<(), String> {
    let problem = if !notice.is_ended {
        "waits for ever"
    } else if notice.problem.is_some() {
        let all = i64::from(delivery.n_tries) >= notice.max_tries;
        if notice.tries != notice.max_tries || !all {
            "is given up too early"
        } else if n_warnings == 0 {
            "is given up, and nobody is warned"
        } else {
            return Ok(());
        }
    } else if delivery.n_taken == 0 {
        "counts as delivered, and nobody took it"
    } else if delivery.n_taken > 1 + delivery.n_unrecorded {
        "is delivered twice"
    } else {
        return Ok(());
    };
    Err(format!("{notice:?} {problem}: {delivery:?}"))
}

#[cfg(test)]
mod tests;
