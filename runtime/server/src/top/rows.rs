//! The jobs that `top` shows: those that need somebody, those that run or wait, and those that ended within a day.

use hpdlc_core::status::JobStatus;
use hpdlc_engine::owner::Session;
use hpdlc_host::{
    clock::format_duration,
    exit::RunError,
    job_id::{JobKind, coordinator_action},
};
use hpdlc_runtime::fleet::{ListMasks, short_id};
use hpdlc_store::{
    JobRow,
    jobs::{self, JobFilter},
};

/// How long an ended job is shown, in milliseconds.
const RECENT: i64 = 24 * 60 * 60 * 1_000;

/// How many ended jobs are shown.
const N_ENDED: u64 = 200;

/// Why a job is shown; in the order of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Group {
    /// It failed, or waits for somebody.
    Attention,
    Running,
    /// It was not started yet.
    Waiting,
    Ended,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TopRow {
    pub(super) id: String,
    /// The shortest text that identifies it.
    pub(super) short: String,
    pub(super) group: Group,
    pub(super) kind: &'static str,
    pub(super) status: String,
    pub(super) duration: String,
    pub(super) app: String,
    pub(super) user: String,
}

/// Reads the rows at `now`, in milliseconds since 1970.
///
/// # Errors
///
/// Exit 5 if the store cannot be read.
pub(super) fn read(session: &Session, now: i64) -> Result<Vec<TopRow>, RunError> {
    let connection = session.store()?;
    let describe = |error| session.describe(error);
    let filter = JobFilter {
        since: Some(now - RECENT),
        limit: Some(N_ENDED),
        ..JobFilter::default()
    };
    let mut found = jobs::unfinished(&connection).map_err(describe)?;
    let recent = jobs::list(&connection, &filter).map_err(describe)?;
    found.extend(
        recent
            .into_iter()
            .filter(|(job, _)| job.status.is_terminal()),
    );
    let mut masks = ListMasks::of(session.program, &connection);
    let mut rows: Vec<TopRow> = found
        .iter()
        .filter(|(job, _)| is_shown(job))
        .map(|(job, status)| {
            let has_owner = job.status == JobStatus::Running && session.has_owner(&job.root_id);
            let app = masks.mask(job).text(&job.app);
            row(job, status, has_owner, app, now)
        })
        .collect();
    // Within a group the newest first, as they were read.
    rows.sort_by_key(|row| row.group);
    Ok(rows)
}

/// A sub-workflow is part of its parent.
fn is_shown(job: &JobRow) -> bool {
    let Some(parent) = &job.parent_id else {
        return true;
    };
    coordinator_action(parent).is_some() || JobKind::of(parent) == JobKind::Bundle
}

fn row(job: &JobRow, status: &str, has_owner: bool, app: String, now: i64) -> TopRow {
    let is_driven = job.status != JobStatus::Running || has_owner;
    let group = match job.status {
        JobStatus::Running if is_driven => Group::Running,
        JobStatus::Prep => Group::Waiting,
        JobStatus::Succeeded => Group::Ended,
        JobStatus::Running | JobStatus::Suspended | JobStatus::Killed | JobStatus::Failed => {
            Group::Attention
        }
    };
    let status = match is_driven {
        true => status.to_owned(),
        false => format!("{status}, no owner"),
    };
    let duration = job.started.map_or_else(
        || "-".to_owned(),
        |started| format_duration(job.ended.unwrap_or(now) - started),
    );
    TopRow {
        id: job.id.clone(),
        short: short_id(&job.id).to_owned(),
        group,
        kind: match JobKind::of(&job.id) {
            JobKind::Workflow => "W",
            JobKind::Coordinator => "C",
            JobKind::Bundle => "B",
        },
        status,
        duration,
        app,
        user: job.user.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_failed_or_has_no_owner_needs_somebody() {
        let of = |status: JobStatus, has_owner: bool| {
            let job = JobRow {
                status,
                started: Some(0),
                ..JobRow::new("0000009-1-hpdl-W", 0)
            };
            let row = row(&job, status.name(), has_owner, "load".to_owned(), 1_000);
            (row.group, row.status)
        };
        for (status, has_owner, expected) in [
            (JobStatus::Running, true, (Group::Running, "RUNNING")),
            (
                JobStatus::Running,
                false,
                (Group::Attention, "RUNNING, no owner"),
            ),
            (JobStatus::Suspended, false, (Group::Attention, "SUSPENDED")),
            (JobStatus::Prep, false, (Group::Waiting, "PREP")),
            (JobStatus::Succeeded, false, (Group::Ended, "SUCCEEDED")),
            (JobStatus::Failed, false, (Group::Attention, "FAILED")),
        ] {
            let (group, name) = of(status, has_owner);
            assert_eq!((group, name.as_str()), expected);
        }
    }

    #[test]
    fn sub_workflows_are_part_of_their_parents() {
        let of = |parent: Option<&str>| {
            is_shown(&JobRow {
                parent_id: parent.map(str::to_owned),
                ..JobRow::new("0000009-1-hpdl-W", 0)
            })
        };
        assert!(of(None));
        assert!(of(Some("0000008-1-hpdl-C@3")));
        assert!(of(Some("0000008-1-hpdl-B")));
        assert!(!of(Some("0000008-1-hpdl-W")));
    }
}
