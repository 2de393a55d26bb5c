//! `jobs`: lists the jobs of the state folder, the newest first, whatever executable they belong to.

use chrono::{DateTime, Local, NaiveDate, NaiveDateTime, TimeZone};
use clap::Args;
use hpdlc_core::{coordinator::CoordinatorStatus, status::JobStatus};
use hpdlc_engine::owner::{OwnerPlace, Session};
use hpdlc_host::{
    clock::{self, format_duration},
    exit::{Exit, RunError},
    job_id::{self, JobKind},
    shown,
};
use hpdlc_store::{
    JobRow,
    jobs::{self, JobFilter},
};

use crate::{
    commands::{
        info::{self, columns::Columns},
        print,
        purge::parse_age,
        say, short_id, write_out,
    },
    masks::ListMasks,
};

#[derive(Debug, Args)]
pub struct Jobs {
    /// Only jobs in these states, such as RUNNING,KILLED
    #[arg(long, value_name = "STATUS", value_delimiter = ',', value_parser = parse_status)]
    status: Vec<String>,
    /// Only jobs of this application; `*` and `?` stand for any text and any character
    #[arg(long, value_name = "NAME")]
    app: Option<String>,
    /// Only jobs created since: 2h, 7d, 2026-11-25, 2026-11-25T09:30, 2026-11-25T09:30Z
    #[arg(long, value_name = "TIME", value_parser = parse_since)]
    since: Option<i64>,
    /// How many jobs; 0 for all
    #[arg(short = 'n', long, value_name = "N", default_value_t = 50)]
    limit: u64,
    /// A JSON object a line
    #[arg(long)]
    json: bool,
}

impl Jobs {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        let connection = session.store()?;
        let limit = (self.limit > 0).then_some(self.limit);
        let filter = JobFilter {
            statuses: self.status.clone(),
            app: self.app.clone(),
            since: self.since,
            // One more row shows that there are more.
            limit: limit.map(|limit| limit.saturating_add(1)),
        };
        let mut found =
            jobs::list(&connection, &filter).map_err(|error| session.describe(error))?;
        let most = limit.map_or(usize::MAX, |limit| {
            usize::try_from(limit).unwrap_or(usize::MAX)
        });
        let has_more = found.len() > most;
        found.truncate(most);
        let mut listed = ListMasks::of(session.program, &connection);
        if self.json {
            let mut text = String::new();
            for (job, status) in &found {
                let mut shown = info::job_json(job);
                shown["status"] = status.as_str().into();
                let owner = owner(session, job)?;
                shown["owner"] = owner.as_ref().and_then(OwnerPlace::recorded_pid).into();
                if let Some(machine) = owner.as_ref().and_then(OwnerPlace::machine) {
                    shown["owner_host"] = machine.into();
                }
                listed.mask(job).json(&mut shown);
                text.push_str(&shown::json(&shown));
                text.push('\n');
            }
            write_out(&text)?;
        } else if found.is_empty() {
            let is_filtered = !self.status.is_empty() || self.app.is_some() || self.since.is_some();
            print(if is_filtered {
                "no such jobs\n"
            } else {
                "no jobs yet\n"
            })?;
        } else {
            print(&table(session, &found, listed))?;
        }
        if has_more {
            let n_jobs =
                jobs::count(&connection, &filter).map_err(|error| session.describe(error))?;
            say(&format!(
                "the newest {most} of {n_jobs} jobs; `-n 0` lists all"
            ));
        }
        Ok(Exit::Success)
    }
}

/// Who drives a running job.
fn owner(session: &Session, job: &JobRow) -> Result<Option<OwnerPlace>, RunError> {
    if job.status.is_terminal() || !session.has_owner(&job.root_id) {
        return Ok(None);
    }
    session.owner(&job.root_id).map(Some)
}

/// One line per job, as wide as the terminal.
fn table(session: &Session, found: &[(JobRow, String)], mut listed: ListMasks<'_>) -> String {
    let now = clock::now_millis();
    let titles = [
        "JOB",
        "KIND",
        "STATUS",
        "CREATED",
        "DURATION",
        "APPLICATION",
    ];
    let mut columns = Columns::new(&titles).states(2);
    for (job, status) in found {
        let mut status = status.clone();
        // A job that waits for the user has no owner, and needs none.
        if job.status == JobStatus::Running && !session.has_owner(&job.root_id) {
            status.push_str(", no owner");
        }
        let duration = job.started.map_or_else(
            || "-".to_owned(),
            |started| format_duration(job.ended.unwrap_or(now) - started),
        );
        let created = info::format_local(Some(job.created));
        columns.row(vec![
            short_id(&job.id).to_owned(),
            kind(job).to_owned(),
            status,
            created.get(..16).unwrap_or(&created).to_owned(),
            duration,
            listed.mask(job).text(&application(job)),
        ]);
    }
    columns.text_within(info::columns::width())
}

fn kind(job: &JobRow) -> &'static str {
    match JobKind::of(&job.id) {
        JobKind::Workflow => "W",
        JobKind::Coordinator => "C",
        JobKind::Bundle => "B",
    }
}

/// `load`, or with its parent `load (8@3)`.
fn application(job: &JobRow) -> String {
    let Some(parent) = &job.parent_id else {
        return job.app.clone();
    };
    let parent = match (job_id::coordinator_action(parent), &job.parent_node) {
        (Some((coordinator, number)), _) => format!("{}@{number}", short_id(coordinator)),
        (None, Some(node)) => format!("{} {node}", short_id(parent)),
        (None, None) => short_id(parent).to_owned(),
    };
    format!("{} ({parent})", job.app)
}

fn parse_status(text: &str) -> Result<String, String> {
    let name = text.trim().to_uppercase();
    let is_known =
        JobStatus::from_name(&name).is_some() || CoordinatorStatus::from_name(&name).is_some();
    if is_known {
        return Ok(name);
    }
    let names = CoordinatorStatus::ALL.map(CoordinatorStatus::name);
    Err(format!(
        "no job has this state; they are {}",
        names.join(", ")
    ))
}

/// Milliseconds since 1970, from an age, or from a time in the local time zone unless it ends in `Z`.
fn parse_since(text: &str) -> Result<i64, String> {
    let text = text.trim();
    if let Ok(age) = parse_age(text) {
        let age = i64::try_from(age.as_millis()).unwrap_or(i64::MAX);
        return Ok(clock::now_millis().saturating_sub(age));
    }
    if let Ok(time) = DateTime::parse_from_rfc3339(text) {
        return Ok(time.timestamp_millis());
    }
    let formats = [
        "%Y-%m-%dT%H:%M",
        "%Y-%m-%d %H:%M",
        "%Y-%m-%dT%H:%M:%S",
        "%Y-%m-%d %H:%M:%S",
    ];
    let bare = text.strip_suffix('Z');
    let read = |text: &str| {
        let mut read = formats.into_iter();
        let time = read.find_map(|format| NaiveDateTime::parse_from_str(text, format).ok());
        time.or_else(|| {
            let day = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?;
            day.and_hms_opt(0, 0, 0)
        })
    };
    let time = match bare {
        Some(bare) => read(bare).map(|time| time.and_utc().timestamp_millis()),
        None => read(text)
            // A time that a clock change skips is invalid; one that it repeats means the first.
            .and_then(|time| Local.from_local_datetime(&time).earliest())
            .map(|time| time.timestamp_millis()),
    };
    time.ok_or_else(|| {
        "expected an age such as 2h or 7d, or a time such as 2026-11-25 or 2026-11-25T09:30Z"
            .to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_an_age_or_a_date() {
        let utc = |text: &str| {
            DateTime::parse_from_rfc3339(text)
                .unwrap()
                .timestamp_millis()
        };
        for (text, expected) in [
            ("2026-11-25T09:30Z", "2026-11-25T09:30:00Z"),
            ("2026-11-25T09:30:05Z", "2026-11-25T09:30:05Z"),
            ("2026-11-25T09:30:05+01:00", "2026-11-25T08:30:05Z"),
            ("2026-11-25Z", "2026-11-25T00:00:00Z"),
        ] {
            assert_eq!(parse_since(text), Ok(utc(expected)), "{text}");
        }
        let local = Local.with_ymd_and_hms(2026, 11, 25, 9, 30, 0).unwrap();
        for text in [
            "2026-11-25T09:30",
            "2026-11-25 09:30",
            "2026-11-25 09:30:00",
        ] {
            assert_eq!(parse_since(text), Ok(local.timestamp_millis()), "{text}");
        }
        let hour = clock::now_millis() - parse_since("1h").unwrap();
        assert!((3_600_000..3_660_000).contains(&hour), "{hour}");
        for text in ["", "yesterday", "2026-13-01", "1y", "-1h"] {
            assert!(parse_since(text).is_err(), "{text}");
        }
    }

    #[test]
    fn states_are_those_of_all_kinds_of_jobs_in_any_case() {
        assert_eq!(parse_status("killed"), Ok("KILLED".to_owned()));
        assert_eq!(
            parse_status("DoneWithError"),
            Ok("DONEWITHERROR".to_owned())
        );
        assert!(parse_status("OK").unwrap_err().contains("PREPSUSPENDED"));
    }

    #[test]
    fn an_application_has_what_started_it() {
        let row = |parent: Option<&str>, node: Option<&str>| JobRow {
            app: "load".to_owned(),
            parent_id: parent.map(str::to_owned),
            parent_node: node.map(str::to_owned),
            ..JobRow::new("0000009-1-hpdl-W", 0)
        };
        assert_eq!(application(&row(None, None)), "load");
        let action = row(Some("0000008-1-hpdl-C@3"), None);
        assert_eq!(application(&action), "load (8@3)");
        let node = row(Some("0000007-1-hpdl-W"), Some("report"));
        assert_eq!(application(&node), "load (7 report)");
    }
}
