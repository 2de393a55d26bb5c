//! Rows of the store as plain structs.

use std::borrow::Cow;

use crate::sql::{self, ColumnIndex, Row};
use hpdlc_core::{
    coded_message::coded,
    status::{ActionStatus, JobStatus},
};

mod write;

/// A row of `jobs`.
#[derive(Clone, Debug)]
pub struct JobRow {
    pub id: String,
    pub app: String,
    pub app_path: String,
    pub user: String,
    pub status: JobStatus,
    pub run: i64,
    pub created: i64,
    pub started: Option<i64>,
    pub ended: Option<i64>,
    /// A JSON object of the job's properties.
    pub conf: String,
    pub hash: String,
    pub app_index: i64,
    pub root_id: String,
    pub parent_id: Option<String>,
    pub parent_node: Option<String>,
    pub parent_attempt: Option<i64>,
    pub depth: i64,
    pub last_error_node: Option<String>,
    pub error_code: Option<String>,
    pub error_message: Option<String>,
    pub epoch: i64,
    pub owner_pid: Option<i64>,
    /// The id of the owner's host; none for a store in a file.
    pub owner_host: Option<String>,
    /// The run of the parent that this job belongs to; `None` is the first.
    pub parent_run: Option<i64>,
    /// The key of `run --key`.
    pub key: Option<String>,
}

impl JobRow {
    pub const COLUMNS: &'static str = "id, app, app_path, \"user\", status, run, created, started, ended, conf, hash, \
         app_index, root_id, parent_id, parent_node, parent_attempt, depth, last_error_node, error_code, error_message, \
         epoch, owner_pid, parent_run, key, owner_host";

    /// A job at the top of its own tree that waits for its start: PREP, with only an id and a creation time in milliseconds.
    pub fn new(id: &str, created: i64) -> JobRow {
        JobRow {
            id: id.to_owned(),
            app: String::new(),
            app_path: String::new(),
            user: String::new(),
            status: JobStatus::Prep,
            run: 0,
            created,
            started: None,
            ended: None,
            conf: "{}".to_owned(),
            hash: String::new(),
            app_index: 0,
            root_id: id.to_owned(),
            parent_id: None,
            parent_node: None,
            parent_attempt: None,
            depth: 0,
            last_error_node: None,
            error_code: None,
            error_message: None,
            epoch: 0,
            owner_pid: None,
            owner_host: None,
            parent_run: None,
            key: None,
        }
    }

    /// By position in [`JobRow::COLUMNS`]: look-ups by name are slow.
    pub fn read(row: &Row<'_>) -> sql::Result<JobRow> {
        let mut column = 0..;
        let mut next = || column.next().unwrap_or_default();
        Ok(JobRow {
            id: row.get(next())?,
            app: row.get(next())?,
            app_path: row.get(next())?,
            user: row.get(next())?,
            status: read_name(row, next(), JobStatus::from_name)?,
            run: row.get(next())?,
            created: row.get(next())?,
            started: row.get(next())?,
            ended: row.get(next())?,
            conf: row.get(next())?,
            hash: row.get(next())?,
            app_index: row.get(next())?,
            root_id: row.get(next())?,
            parent_id: row.get(next())?,
            parent_node: row.get(next())?,
            parent_attempt: row.get(next())?,
            depth: row.get(next())?,
            last_error_node: row.get(next())?,
            error_code: row.get(next())?,
            error_message: row.get(next())?,
            epoch: row.get(next())?,
            owner_pid: row.get(next())?,
            parent_run: row.get(next())?,
            key: row.get(next())?,
            owner_host: row.get(next())?,
        })
    }
}

/// A row of `actions`.
#[derive(Clone, Debug)]
pub struct ActionRow {
    pub job_id: String,
    pub name: String,
    pub type_name: String,
    pub status: ActionStatus,
    pub transition: Option<String>,
    pub external_id: Option<String>,
    pub external_status: Option<String>,
    pub error_code: Option<String>,
    pub error_message: Option<String>,
    pub retries: i64,
    /// A JSON object of captured output.
    pub data: Option<String>,
    /// Why the action is in its state, as shown to the user.
    pub note: Option<String>,
    pub started: Option<i64>,
    pub ended: Option<i64>,
    pub attempt: i64,
    pub user_retries: i64,
    pub transient_retries: i64,
    pub strand: Option<String>,
    pub live_strands: i64,
    /// The outcome of the node: `OK`, `ERROR`, `CASE n`, `JOINED`.
    pub outcome: Option<String>,
    pub is_canceling: bool,
    /// When a scheduled retry is due.
    pub due: Option<i64>,
    /// The evaluated body, as JSON: the input of the attempt.
    pub work: Option<String>,
    /// The boot of the machine in which the intent to start was recorded.
    pub boot_id: Option<String>,
    /// The earlier run of the job in which it ran: it is skipped in this one.
    pub run: Option<i64>,
    pub skip: Option<SkipMark>,
    /// The intended wait before `due`, in milliseconds: the wall clock may be set meanwhile.
    pub retry_wait: Option<i64>,
    /// How many of the nodes that follow by `ok` the launcher may start by itself when this attempt succeeds. Negative if that was in an
    /// earlier boot of the machine.
    pub ahead: Option<i64>,
}

/// The progress of a rerun with an action that it skips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkipMark {
    /// Not reached yet.
    Waits,
    /// Reached while the job was suspended: it is skipped when the job is resumed.
    Entered,
    Taken,
}

impl SkipMark {
    pub fn name(self) -> &'static str {
        match self {
            SkipMark::Waits => "WAITS",
            SkipMark::Entered => "ENTERED",
            SkipMark::Taken => "TAKEN",
        }
    }

    /// Whether its row has only the results of an earlier run so far.
    pub fn is_ahead(self) -> bool {
        matches!(self, SkipMark::Waits | SkipMark::Entered)
    }

    fn from_name(name: &str) -> Option<SkipMark> {
        [SkipMark::Waits, SkipMark::Entered, SkipMark::Taken]
            .into_iter()
            .find(|mark| mark.name() == name)
    }
}

/// The external status of an action whose intent to start is on disk and which waits for a free process slot.
const QUEUED: &str = "QUEUED";

impl ActionRow {
    /// Its error: the code and the message, or what there is of them.
    pub fn error_text(&self) -> Option<Cow<'_, str>> {
        match (&self.error_code, &self.error_message) {
            (Some(code), Some(message)) => Some(coded(code, message)),
            (None, Some(text)) | (Some(text), None) => Some(Cow::Borrowed(text)),
            (None, None) => None,
        }
    }

    /// A node of the job that the step machine has just entered.
    pub fn new(job_id: &str, name: &str, type_name: &str) -> ActionRow {
        ActionRow {
            job_id: job_id.to_owned(),
            name: name.to_owned(),
            type_name: type_name.to_owned(),
            status: ActionStatus::Prep,
            transition: None,
            external_id: None,
            external_status: None,
            error_code: None,
            error_message: None,
            retries: 0,
            data: None,
            note: None,
            started: None,
            ended: None,
            attempt: 0,
            user_retries: 0,
            transient_retries: 0,
            strand: None,
            live_strands: 0,
            outcome: None,
            is_canceling: false,
            due: None,
            work: None,
            boot_id: None,
            run: None,
            skip: None,
            retry_wait: None,
            ahead: None,
        }
    }

    /// Whether it is recorded as running but waits at the launcher until a process ends.
    pub fn is_queued(&self) -> bool {
        self.status == ActionStatus::Running && self.external_status.as_deref() == Some(QUEUED)
    }

    /// Marks the next recorded intent as one that has to wait.
    pub fn set_queued(&mut self) {
        self.external_status = Some(QUEUED.to_owned());
    }

    /// The status that is shown to the user: a waiting action does not run.
    pub fn shown_status(&self) -> ActionStatus {
        if self.is_queued() {
            ActionStatus::Prep
        } else {
            self.status
        }
    }

    pub const COLUMNS: &'static str = "job_id, name, type, status, transition, external_id, external_status, \
         error_code, error_message, retries, data, note, started, ended, attempt, user_retries, transient_retries, strand, \
         live_strands, outcome, canceling, due, work, boot_id, run, skip, retry_wait, ahead";

    /// By position in [`ActionRow::COLUMNS`]: look-ups by name are slow.
    pub fn read(row: &Row<'_>) -> sql::Result<ActionRow> {
        let mut column = 0..;
        let mut next = || column.next().unwrap_or_default();
        Ok(ActionRow {
            job_id: row.get(next())?,
            name: row.get(next())?,
            type_name: row.get(next())?,
            status: read_name(row, next(), ActionStatus::from_name)?,
            transition: row.get(next())?,
            external_id: row.get(next())?,
            external_status: row.get(next())?,
            error_code: row.get(next())?,
            error_message: row.get(next())?,
            retries: row.get(next())?,
            data: row.get(next())?,
            note: row.get(next())?,
            started: row.get(next())?,
            ended: row.get(next())?,
            attempt: row.get(next())?,
            user_retries: row.get(next())?,
            transient_retries: row.get(next())?,
            strand: row.get(next())?,
            live_strands: row.get(next())?,
            outcome: row.get(next())?,
            is_canceling: row.get(next())?,
            due: row.get(next())?,
            work: row.get(next())?,
            boot_id: row.get(next())?,
            run: row.get(next())?,
            skip: row
                .get::<_, Option<String>>(next())?
                .and_then(|name| SkipMark::from_name(&name)),
            retry_wait: row.get(next())?,
            ahead: row.get(next())?,
        })
    }
}

/// A row of `commands`: a command from another terminal to the owner.
#[derive(Clone, Debug)]
pub struct CommandRow {
    pub id: i64,
    pub job_id: String,
    /// Such as `kill`.
    pub verb: String,
}

/// A row of `log`: an event of a job.
#[derive(Clone, Debug)]
pub struct LogRow {
    pub job_id: String,
    pub time: i64,
    pub node: Option<String>,
    /// A fixed word, such as `RUNNING` or `WARNING`.
    pub event: String,
    pub message: Option<String>,
}

impl LogRow {
    pub fn read(row: &Row<'_>) -> sql::Result<LogRow> {
        Ok(LogRow {
            job_id: row.get("job_id")?,
            time: row.get("time")?,
            node: row.get("node")?,
            event: row.get("event")?,
            message: row.get("message")?,
        })
    }
}

pub(super) fn read_name<T>(
    row: &Row<'_>,
    column: impl ColumnIndex,
    from_name: fn(&str) -> Option<T>,
) -> sql::Result<T> {
    let name: String = row.get(column)?;
    from_name(&name).ok_or_else(|| sql::Error::Value(format!("unknown state {name}")))
}
