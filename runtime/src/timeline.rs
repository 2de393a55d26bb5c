//! Builds a timeline of the nodes of a job, from the store's rows and log.
//!
//! The rows of actions have their start and end; what happened in between, above all retries, is in the log.

use std::collections::BTreeMap;

use hpdlc_core::status::ActionStatus;
use hpdlc_graph::Look;
use hpdlc_host::clock::format_duration;
use hpdlc_store::{ActionRow, JobRow, LogRow};

use crate::{masks::Masks, picture::look};

mod calendar;
mod svg;
mod text;

pub use self::{
    calendar::{CalendarEntry, calendar, calendar_text, notes},
    svg::{STYLE, svg},
    text::{TextCanvas, text},
};

/// A job over time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline {
    pub title: String,
    /// Milliseconds since 1970.
    pub begin: i64,
    pub end: i64,
    /// The job has not ended: open segments end at `end` only in the picture.
    pub is_open: bool,
    pub rows: Vec<TimelineRow>,
    /// In chronological order.
    pub owners: Vec<OwnerChange>,
}

/// The moment in which another process took the job over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnerChange {
    /// When the former owner was last heard of: it had died, or handed the job over, before `to`.
    pub from: i64,
    /// When the next one was first heard of.
    pub to: i64,
    pub text: String,
}

/// A node, or a job of a sub-workflow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimelineRow {
    /// The nesting depth below the job at the top.
    pub depth: usize,
    pub name: String,
    pub kind: SegmentKind,
    /// In chronological order.
    pub segments: Vec<Segment>,
    /// The text after its end.
    pub label: String,
    /// All details.
    pub tooltip: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SegmentKind {
    Action,
    /// A node without duration: a decision, or the end of the job.
    Moment,
}

/// A period in which a node was in one state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    pub look: Look,
    pub from: i64,
    pub to: i64,
    /// From 1; 0 if there was no attempt.
    pub attempt: u32,
}

/// The input of a timeline: a job and the jobs of its sub-workflows.
pub struct TimelineRecords {
    /// The one at the top first.
    pub jobs: Vec<JobRow>,
    /// By job.
    pub actions: BTreeMap<String, Vec<ActionRow>>,
    pub log: Vec<LogRow>,
    /// Milliseconds since 1970.
    pub now: i64,
}

/// The labels of the states in the legend.
fn meaning(look: Look) -> &'static str {
    match look {
        Look::Untouched => "not reached",
        Look::Waiting => "waiting",
        Look::Good => "OK",
        Look::Running => "running",
        Look::Stuck => "needs attention",
        Look::Bad => "failed",
        Look::Killed => "killed",
    }
}

/// The timeline of the first job of `source`; secrets are masked by `masks`.
pub fn of(source: &TimelineRecords, masks: &Masks) -> Option<Timeline> {
    let top = source.jobs.first()?;
    let mut changes: BTreeMap<(&str, &str), Vec<(i64, ActionStatus)>> = BTreeMap::new();
    for line in &source.log {
        let status = ActionStatus::from_name(&line.event);
        if let (Some(node), Some(status)) = (&line.node, status) {
            let key = (line.job_id.as_str(), node.as_str());
            changes.entry(key).or_default().push((line.time, status));
        }
    }
    let is_open = top.ended.is_none();
    let end = top.ended.unwrap_or(source.now);
    let mut rows = Vec::new();
    add_job(source, top, 0, &changes, end, masks, &mut rows);
    let segments = || rows.iter().flat_map(|row| &row.segments);
    let begin = top.started.unwrap_or(top.created);
    let begin = segments().map(|segment| segment.from).fold(begin, i64::min);
    let end = segments().map(|segment| segment.to).fold(end, i64::max);
    let owners = owner_changes(&source.log, begin, masks);
    Some(Timeline {
        title: masks.text(&format!("{} {} {}", top.app, top.id, top.status)),
        begin,
        end: end.max(begin + 1),
        is_open,
        rows,
        owners,
    })
}

/// What a new owner says first of what it finds running.
const TAKEN_OVER: [&str; 2] = ["ATTACHED", "REATTACHED"];
/// What an owner says last when it is told to hand over.
const HANDED_OVER: &str = "DRAIN";
/// The lines of one owner, which finds several nodes, are at about the same time.
const AT_ONCE: i64 = 2_000;

/// The changes of owners of a run that began at `begin`, by what they say in the log: nothing else is written when one dies.
pub fn owner_changes(log: &[LogRow], begin: i64, masks: &Masks) -> Vec<OwnerChange> {
    let mut changes: Vec<OwnerChange> = Vec::new();
    let mut last = begin;
    let mut is_handed_over = false;
    for line in log.iter().filter(|line| line.time >= begin) {
        let is_first = changes
            .last()
            .is_none_or(|change| line.time - change.to > AT_ONCE);
        if line.event == HANDED_OVER {
            is_handed_over = true;
        } else if TAKEN_OVER.contains(&line.event.as_str()) && is_first {
            let node = line.node.as_deref().unwrap_or_default();
            let how = match is_handed_over {
                true => "another process took the job over, which was handed over",
                false => "another process took the job over: its owner had died",
            };
            changes.push(OwnerChange {
                from: last,
                to: line.time,
                text: masks.text(&format!("{how}; {node} was still running")),
            });
            is_handed_over = false;
        }
        last = last.max(line.time);
    }
    changes
}

fn add_job(
    source: &TimelineRecords,
    job: &JobRow,
    depth: usize,
    changes: &BTreeMap<(&str, &str), Vec<(i64, ActionStatus)>>,
    end: i64,
    masks: &Masks,
    rows: &mut Vec<TimelineRow>,
) {
    let Some(actions) = source.actions.get(&job.id) else {
        return;
    };
    for action in actions {
        let kind = match action.type_name.as_str() {
            ":START:" | ":FORK:" | ":JOIN:" => continue,
            ":END:" | ":KILL:" | ":FAIL:" | "switch" => SegmentKind::Moment,
            _ => SegmentKind::Action,
        };
        let of_node = changes.get(&(job.id.as_str(), action.name.as_str()));
        rows.push(row(
            action,
            kind,
            depth,
            of_node.map_or(&[], Vec::as_slice),
            job.ended.unwrap_or(end),
            masks,
        ));
        let is_child = |child: &&JobRow| {
            child.parent_id.as_deref() == Some(job.id.as_str())
                && child.parent_node.as_deref() == Some(action.name.as_str())
        };
        for child in source.jobs.iter().filter(is_child) {
            add_job(source, child, depth + 1, changes, end, masks, rows);
        }
    }
}

fn row(
    action: &ActionRow,
    kind: SegmentKind,
    depth: usize,
    changes: &[(i64, ActionStatus)],
    end: i64,
    masks: &Masks,
) -> TimelineRow {
    // A rerun starts over: earlier log lines belong to earlier runs.
    let begun = action.started.unwrap_or(i64::MIN);
    let first = changes.partition_point(|(time, _)| *time < begun);
    let mut segments = match action.run {
        // It ran in an earlier run, whose times are not on this axis.
        Some(_) => Vec::new(),
        None => segments(action, &changes[first..], action.ended.unwrap_or(end)),
    };
    if kind == SegmentKind::Moment && action.run.is_none() {
        // A node without duration is shown when it ended.
        let time = action.ended.or(action.started).unwrap_or(end);
        // A node of this kind that ends OK means that the job did not.
        let is_bad_end = matches!(action.type_name.as_str(), ":KILL:" | ":FAIL:");
        segments = vec![Segment {
            look: match look(action.shown_status()) {
                Look::Good if is_bad_end => Look::Bad,
                other => other,
            },
            from: time,
            to: time,
            attempt: 0,
        }];
    }
    let took = action
        .started
        .map(|started| action.ended.unwrap_or(end) - started);
    let mut label = String::new();
    if let (SegmentKind::Action, Some(took)) = (kind, took) {
        label.push_str(&format_duration(took));
    }
    match action.shown_status() {
        ActionStatus::Ok => {}
        status => label = format!("{status} {label}").trim_end().to_owned(),
    }
    if let Some(run) = action.run {
        label = match label.as_str() {
            "" => format!("skipped: run {run}"),
            label => format!("skipped: {label} in run {run}"),
        };
    }
    if let Some(code) = &action.error_code {
        label.push_str(&format!(" {code}"));
    }
    if action.attempt > 1 {
        label.push_str(&format!(", {} attempts", action.attempt));
    }
    let mut tooltip = format!("{} ({}) {label}", action.name, action.type_name);
    if let Some(message) = &action.error_message {
        tooltip.push_str(&format!("\n{message}"));
    }
    TimelineRow {
        depth,
        name: action.name.clone(),
        kind,
        segments,
        label: masks.text(&label),
        tooltip: masks.text(&tooltip),
    }
}

/// The periods between the changes of a node's state.
fn segments(action: &ActionRow, changes: &[(i64, ActionStatus)], end: i64) -> Vec<Segment> {
    let mut segments: Vec<Segment> = Vec::new();
    let first = changes.first().map(|(time, _)| *time);
    let began = action.started.or(first);
    // Without log lines, the state of the row is used.
    let Some(began) = began else {
        return segments;
    };
    let mut attempt = 0;
    let mut open = match first {
        Some(_) => Some((Look::Waiting, began)),
        None => Some((look(action.shown_status()), began)),
    };
    let mut close = |open: &mut Option<(Look, i64)>, look: Look, time: i64, attempt: u32| {
        if let Some((_, from)) = open.take()
            && (time > from || attempt > 0)
        {
            let to = time.max(from);
            segments.push(Segment {
                look,
                from,
                to,
                attempt,
            });
        }
    };
    for &(time, status) in changes {
        let was_running = matches!(open, Some((Look::Running, _)));
        let closed_as = match (was_running, status) {
            // The current attempt continues.
            (true, ActionStatus::Running) => continue,
            (true, ActionStatus::Prep | ActionStatus::Done | ActionStatus::Ok) => Look::Good,
            (
                true,
                ActionStatus::Error
                | ActionStatus::Failed
                | ActionStatus::StartRetry
                | ActionStatus::UserRetry
                | ActionStatus::StartManual,
            ) => Look::Bad,
            (true, ActionStatus::Killed) => Look::Killed,
            (false, _) => open.map_or(Look::Waiting, |(look, _)| look),
        };
        let shown_attempt = if was_running { attempt } else { 0 };
        close(&mut open, closed_as, time, shown_attempt);
        match status {
            ActionStatus::Running => {
                attempt += 1;
                open = Some((Look::Running, time));
            }
            ActionStatus::Prep
            | ActionStatus::StartRetry
            | ActionStatus::UserRetry
            | ActionStatus::StartManual => open = Some((look(status), time)),
            ActionStatus::Done
            | ActionStatus::Ok
            | ActionStatus::Error
            | ActionStatus::Killed
            | ActionStatus::Failed => {}
        }
    }
    if let Some((look, _)) = open {
        let attempt = if look == Look::Running { attempt } else { 0 };
        close(&mut open, look, end, attempt);
    }
    segments
}

#[cfg(test)]
mod tests;
