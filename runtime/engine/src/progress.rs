//! Progress output for the user or a script while a job runs.

use std::{
    cell::RefCell,
    io::{self, Write as _},
    rc::Rc,
};

use hpdlc_core::{
    status::{ActionStatus, JobStatus},
    visible,
};
use hpdlc_host::{
    clock::{self, format_duration},
    shown,
};
use hpdlc_store::{ActionRow, JobRow, LogRow};
use serde_json::json;

mod journal;
mod json;
mod labels;
mod lines;
pub mod style;
mod terminal;

pub use self::{
    journal::EventJournal,
    json::JsonLines,
    labels::Labels,
    lines::EventLines,
    terminal::{JobOutlook, Terminal},
};

/// An event of a job, after it is on disk.
#[derive(Clone, Debug)]
pub struct ProgressEvent {
    /// Milliseconds since 1970.
    pub time: i64,
    /// The job.
    pub id: String,
    pub node: Option<String>,
    /// The new state, or a word such as `WARNING`.
    pub event: String,
    /// The new state, if the event is one.
    pub status: Option<String>,
    pub message: Option<String>,
}

/// Shows events. Called on the engine's own thread: must not block for long.
pub trait Progress {
    /// May buffer its output until [`Progress::flush`].
    fn event(&mut self, event: &ProgressEvent);

    /// Called when all events so far have been passed.
    fn flush(&mut self) {}

    /// Records an event that happened before this process watched; it is not shown as new.
    fn past(&mut self, _event: &ProgressEvent) {}

    /// Shows a line that belongs to no event.
    fn say(&mut self, line: &str) {
        // If standard error is closed, the line cannot be shown.
        let _ = writeln!(io::stderr(), "{line}");
    }
}

/// Shows nothing.
#[derive(Debug)]
pub struct Silent;

impl Progress for Silent {
    fn event(&mut self, _event: &ProgressEvent) {}
}

/// The output that several drivers of one process share.
#[derive(Clone)]
pub struct Shared(Rc<RefCell<Box<dyn Progress>>>);

impl Shared {
    pub fn new(progress: Box<dyn Progress>) -> Shared {
        Shared(Rc::new(RefCell::new(progress)))
    }
}

impl Progress for Shared {
    fn event(&mut self, event: &ProgressEvent) {
        self.0.borrow_mut().event(event);
    }

    fn flush(&mut self) {
        self.0.borrow_mut().flush();
    }

    fn past(&mut self, event: &ProgressEvent) {
        self.0.borrow_mut().past(event);
    }

    fn say(&mut self, line: &str) {
        self.0.borrow_mut().say(line);
    }
}

/// Passes events to a function.
#[derive(Debug)]
pub struct Observed<F>(pub F);

impl<F: FnMut(&ProgressEvent)> Progress for Observed<F> {
    fn event(&mut self, event: &ProgressEvent) {
        (self.0)(event);
    }
}

impl ProgressEvent {
    pub fn of_node(row: &ActionRow, time: i64) -> ProgressEvent {
        let message = match row.status {
            ActionStatus::Running if row.attempt > 1 => Some(format!("attempt {}", row.attempt)),
            ActionStatus::Ok | ActionStatus::Error => where_to(row),
            // The failure was reported before, as an event of its own.
            ActionStatus::Failed
            | ActionStatus::StartManual
            | ActionStatus::Prep
            | ActionStatus::Running
            | ActionStatus::Done
            | ActionStatus::StartRetry
            | ActionStatus::UserRetry
            | ActionStatus::Killed => None,
        };
        ProgressEvent {
            time,
            id: row.job_id.clone(),
            node: Some(row.name.clone()),
            event: row.status.name().to_owned(),
            status: Some(row.status.name().to_owned()),
            message,
        }
    }

    pub fn of_job(row: &JobRow, time: i64) -> ProgressEvent {
        let message = match row.status {
            JobStatus::Running => Some(row.app.clone()),
            JobStatus::Killed | JobStatus::Failed => row.error_message.clone(),
            JobStatus::Prep | JobStatus::Suspended | JobStatus::Succeeded => None,
        };
        ProgressEvent {
            time,
            id: row.id.clone(),
            node: None,
            event: row.status.name().to_owned(),
            status: Some(row.status.name().to_owned()),
            message,
        }
    }

    /// With texts of one line, with control characters made visible.
    pub fn visible(&self) -> ProgressEvent {
        let one = |text: &Option<String>| {
            text.as_ref()
                .map(|text| visible::line(&shown::text(text)).into_owned())
        };
        ProgressEvent {
            node: one(&self.node),
            message: one(&self.message),
            ..self.clone()
        }
    }

    pub fn to_log(&self) -> LogRow {
        LogRow {
            job_id: self.id.clone(),
            time: self.time,
            node: self.node.clone(),
            event: self.event.clone(),
            message: self.message.clone(),
        }
    }

    /// The stable format of `run --json`: `{"time","id","node","event","status"}`, and the message.
    pub fn to_json(&self) -> serde_json::Value {
        json!({
            "time": clock::format_millis(self.time),
            "id": self.id,
            "node": self.node,
            "event": self.event,
            "status": self.status,
            "message": self.message,
        })
    }
}

/// `-> join (0.4s)`: the next node, and the duration unless it is a control node or a decision.
fn where_to(row: &ActionRow) -> Option<String> {
    let next = row.transition.as_ref().map(|next| format!("-> {next}"));
    let is_control = row.type_name.starts_with(':') || row.type_name == "switch";
    let duration = match (row.started, row.ended) {
        (Some(started), Some(ended)) if !is_control => Some(format_duration(ended - started)),
        (_, _) => None,
    };
    match (next, duration) {
        (Some(next), Some(duration)) => Some(format!("{next} ({duration})")),
        (next, _) => next,
    }
}

/// A line of an action's output, without its colors; other control characters are made visible.
pub fn plain(line: &str) -> String {
    let line = line.replace('\t', " ");
    let mut parts = line.split("\u{1b}[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
        match rest.strip_prefix(['m', 'K']) {
            Some(rest) => plain.push_str(rest),
            None => {
                plain.push_str("\u{1b}[");
                plain.push_str(part);
            }
        }
    }
    visible::line(plain.trim()).into_owned()
}

/// `09:30:00`, in local time.
#[derive(Debug, Default)]
pub struct TimeOfDay {
    /// Events come by the hundred in a second, and formatting the time takes longer than the rest of their lines.
    last: Option<(i64, String)>,
}

impl TimeOfDay {
    /// `millis` are milliseconds since 1970.
    pub fn format(&mut self, millis: i64) -> &str {
        let second = millis.div_euclid(1000);
        let text = match self.last.take() {
            Some((last, text)) if last == second => text,
            Some(_) | None => chrono::DateTime::from_timestamp(second, 0)
                .map(|time| {
                    time.with_timezone(&chrono::Local)
                        .format("%H:%M:%S")
                        .to_string()
                })
                .unwrap_or_default(),
        };
        &self.last.insert((second, text)).1
    }
}

/// Appends `09:30:00 status-codes       OK       -> join`: a line of plain text, without its line end. A node is shown by the name that
/// `labels` gives it.
pub fn push_line(line: &mut String, time: &str, event: &ProgressEvent, labels: &mut Labels) {
    use std::fmt::Write as _;
    let status = &event.event;
    let visible = |text: &str| visible::line(text).into_owned();
    // Writing to a string does not fail.
    let _ = match &event.node {
        Some(node) => {
            let node = visible(&labels.name(&event.id, node));
            write!(line, "{time} {node:<24} {status:<12}")
        }
        None => {
            let number = event.id.split('-').next().unwrap_or(&event.id);
            let subject = format!("job {number}");
            write!(line, "{time} {subject:<24} {status:<12}")
        }
    };
    if let Some(message) = &event.message {
        line.push(' ');
        line.push_str(&visible(message));
    }
    line.truncate(line.trim_end().len());
}

/// The event that tells why a decision chose its case.
pub const DECIDED: &str = "DECIDED";

/// Control nodes are over within one step; the user is shown actions and decisions.
pub fn is_worth_a_line(event: &ProgressEvent) -> bool {
    match event.event.as_str() {
        "PREP" | DECIDED => false,
        "OK" => !event
            .node
            .as_deref()
            .is_some_and(|node| node.starts_with(':')),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::{Labels, ProgressEvent, TimeOfDay, push_line};

    fn line(node: Option<&str>, event: &str, message: Option<&str>) -> String {
        let event = ProgressEvent {
            time: 0,
            id: "0000012-261120093000123-hpdl-W".to_owned(),
            node: node.map(str::to_owned),
            event: event.to_owned(),
            status: None,
            message: message.map(str::to_owned),
        };
        let mut line = "before\n".to_owned();
        push_line(&mut line, "09:30:00", &event, &mut Labels::new(None));
        line
    }

    #[test]
    fn a_line_has_time_subject_event_and_message_in_columns() {
        for (node, event, message, expected) in [
            (
                Some("load"),
                "OK",
                Some("-> end"),
                "before\n09:30:00 load                     OK           -> end",
            ),
            (
                None,
                "RUNNING",
                None,
                "before\n09:30:00 job 0000012              RUNNING",
            ),
        ] {
            assert_eq!(line(node, event, message), expected);
        }
    }

    #[test]
    fn the_time_of_day_follows_the_clock() {
        let mut time = TimeOfDay::default();
        let of = |millis: i64| {
            let time = chrono::DateTime::from_timestamp_millis(millis).unwrap();
            let local = time.with_timezone(&chrono::Local);
            local.format("%H:%M:%S").to_string()
        };
        for millis in [0, 999, 1_000, 59_999, 86_400_000, 1_000, -1, -1_000] {
            assert_eq!(time.format(millis), of(millis), "{millis}");
        }
    }
}
