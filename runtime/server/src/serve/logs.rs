//! `show=log`, `errorlog` and `auditlog`: what the store has of a job, in lines that look like those of Oozie's log.

use chrono::DateTime;
use fancy_regex::Regex;
use hpdlc_store::{JobRow, LogRow, query, sql::Connection};

use crate::serve::{
    call::Call,
    dates,
    failure::Failure,
    found::{self, Named, named},
    query::Version,
    reply::{self, Reply, TEXT},
    selection,
    wire::workflow::{owner, property},
};

const LEVELS: [&str; 7] = ["ALL", "DEBUG", "ERROR", "INFO", "TRACE", "WARN", "FATAL"];

/// A part of the log that a client asked for (`XLogUserFilterParam`).
#[derive(Debug, Default)]
struct LogFilter {
    levels: Vec<String>,
    text: Option<Regex>,
    limit: Option<usize>,
    from: Option<i64>,
    to: Option<i64>,
    /// Milliseconds before the last line.
    recent: Option<i64>,
}

/// # Errors
///
/// E0307 around E0302, as Oozie wraps it.
fn parse(text: &str, created: i64) -> Result<LogFilter, Failure> {
    let wrong = |problem: &str| {
        Failure::runtime(&format!(
            "org.apache.oozie.command.CommandException: E0302: Invalid parameter [{problem}]"
        ))
    };
    let span = |value: &str| {
        dates::parse_span(value).ok_or_else(|| {
            wrong(&format!(
                "Unsupported offset [{value}]: a number and one of h and m is expected"
            ))
        })
    };
    let time = |value: &str| -> Result<i64, Failure> {
        let bare = value.trim();
        let full = chrono::NaiveDateTime::parse_from_str(bare, "%Y-%m-%d %H:%M:%S,%3f");
        match (dates::parse_minute(bare), full) {
            (Some(time), _) => Ok(time),
            (None, Ok(time)) => Ok(time.and_utc().timestamp_millis()),
            (None, Err(_)) => {
                let sign = if bare.starts_with('-') { -1 } else { 1 };
                Ok(created.saturating_add(sign * span(bare)?))
            }
        }
    };
    let mut filter = LogFilter::default();
    for part in text.split(';').filter(|part| !part.is_empty()) {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        match name.to_lowercase().as_str() {
            "recent" => filter.recent = Some(span(value)?),
            "start" => filter.from = Some(time(value)?),
            "end" => filter.to = Some(time(value)?),
            "loglevel" => {
                for level in value.split('|') {
                    let level = level.trim().to_uppercase();
                    if !LEVELS.contains(&level.as_str()) {
                        return Err(wrong(
                            "E0302: Invalid parameter [Supported log level are [TRACE, ALL, ERROR, INFO, DEBUG, FATAL, WARN]]",
                        ));
                    }
                    filter.levels.push(level);
                }
            }
            "limit" => {
                let limit = value
                    .parse()
                    .map_err(|_| wrong(&format!("For input string: \"{value}\"")))?;
                filter.limit = Some(limit);
            }
            "text" => {
                let pattern =
                    Regex::new(value).map_err(|error| Failure::runtime(&error.to_string()))?;
                filter.text = Some(pattern);
            }
            "debug" => {}
            _ => {
                return Err(wrong(&format!(
                    "Unsupported log filter {}",
                    name.to_uppercase()
                )));
            }
        }
    }
    Ok(filter)
}

impl LogFilter {
    fn takes(&self, line: &Line, last: i64) -> bool {
        let is_level = self.levels.is_empty()
            || self
                .levels
                .iter()
                .any(|level| level == line.level || level == "ALL");
        is_level
            && self.from.is_none_or(|from| line.time >= from)
            && self.to.is_none_or(|to| line.time <= to)
            && self.recent.is_none_or(|recent| line.time >= last - recent)
            && self
                .text
                .as_ref()
                .is_none_or(|text| text.is_match(&line.text).unwrap_or(false))
    }
}

/// A line of the log.
struct Line {
    time: i64,
    level: &'static str,
    text: String,
}

/// An event of the store as a line.
fn line(job: &JobRow, row: &LogRow, host: &str) -> Line {
    let level = match row.event.as_str() {
        "ERROR" | "FAILED" => "ERROR",
        "WARNING" | "KILLED" | "START_MANUAL" => "WARN",
        _ => "INFO",
    };
    let action = match &row.node {
        // Those of a coordinator's actions begin with it.
        Some(node) => format!("{}@{}", row.job_id, node.trim_start_matches('@')),
        None => String::new(),
    };
    let message = match &row.message {
        Some(message) => format!("{}: {message}", row.event),
        None => row.event.clone(),
    };
    let token = property(job, "oozie.wf.log.token").unwrap_or_default();
    Line {
        time: row.time,
        level,
        text: format!(
            "{} {level:>5} Engine:0 - SERVER[{host}] USER[{}] GROUP[-] TOKEN[{token}] APP[{}] JOB[{}] ACTION[{action}] {message}",
            stamp(row.time),
            owner(job),
            job.app,
            row.job_id,
        ),
    }
}

pub(crate) fn stamp(millis: i64) -> String {
    DateTime::from_timestamp_millis(millis)
        .map(|time| time.format("%Y-%m-%d %H:%M:%S,%3f").to_string())
        .unwrap_or_default()
}

/// The jobs whose log is asked for: those of a coordinator's actions with `type` and `scope`.
fn jobs_of(call: &Call, connection: &Connection) -> Result<(JobRow, Vec<JobRow>), Failure> {
    let id = call.rest.as_str();
    let missing = || match call.version {
        Version::V0 => Failure::no_job(id),
        Version::V1 | Version::V2 => Failure::runtime(&format!("E0604: Job does not exist [{id}]")),
    };
    let job = found::job(call, connection, id)?.ok_or_else(missing)?;
    if call.version == Version::V0 && !matches!(named(id), Named::Workflow(_)) {
        return Err(missing());
    }
    let wrapped = |failure: Failure| Failure::runtime(&failure.message);
    let (kind, scope) = (call.parameters.get("type"), call.parameters.filled("scope"));
    let selection = kind
        .zip(scope)
        .and_then(|(kind, scope)| selection::of(kind, scope));
    let jobs = match (named(id), selection) {
        (Named::Coordinator(_), Some(selection)) => {
            let rows = selection::rows(call, connection, &job, &selection).map_err(wrapped)?;
            if rows.is_empty() {
                let action = Failure::no_action(&format!("{id}@{}", scope.unwrap_or_default()));
                return Err(wrapped(action));
            }
            let mut jobs = Vec::new();
            for workflow in rows.iter().filter_map(|row| row.workflow_id.as_deref()) {
                jobs.extend(found::job(call, connection, workflow)?);
            }
            jobs
        }
        _ => vec![job.clone()],
    };
    Ok((job, jobs))
}

/// The lines that the filter of a call takes, and further ones.
fn lines(call: &Call, takes: impl Fn(&Line) -> bool) -> Reply {
    let connection = call.server.store()?;
    let (job, jobs) = jobs_of(call, &connection)?;
    let filter = parse(
        call.parameters.get("logfilter").unwrap_or_default(),
        job.created,
    )?;
    let host = host(call);
    let mut lines = Vec::new();
    for job in &jobs {
        let mask = call.server.mask(&connection, job)?;
        let tree = query::job_tree(&connection, &job.root_id);
        let tree = tree.map_err(|error| call.server.failed(error))?;
        let rows = query::log(&connection, &job.id, 0);
        for (_, row) in rows.map_err(|error| call.server.failed(error))? {
            let of = tree
                .iter()
                .find(|other| other.id == row.job_id)
                .unwrap_or(job);
            let mut line = line(of, &row, &host);
            line.text = mask.text(&line.text);
            lines.push(line);
        }
    }
    let last = lines.iter().map(|line| line.time).max().unwrap_or_default();
    let taken = lines
        .iter()
        .filter(|line| takes(line) && filter.takes(line, last));
    let mut text = String::new();
    for line in taken.take(filter.limit.unwrap_or(usize::MAX)) {
        text.push_str(&line.text);
        text.push('\n');
    }
    reply::text(TEXT, text)
}

/// The name of this server in lines: that in its URL.
fn host(call: &Call) -> String {
    let url = call.server.url.split("://").nth(1).unwrap_or_default();
    url.split([':', '/']).next().unwrap_or_default().to_owned()
}

pub(crate) fn log(call: &Call) -> Reply {
    lines(call, |_| true)
}

/// Warnings and errors.
pub(crate) fn error_log(call: &Call) -> Reply {
    since_version_2(call)?;
    lines(call, |line| matches!(line.level, "WARN" | "ERROR"))
}

/// `errorlog` and `auditlog` do not even exist in version 0.
pub(crate) fn since_version_2(call: &Call) -> Result<(), Failure> {
    if call.version == Version::V0 {
        return Err(Failure::coded("E0306", "Invalid parameter"));
    }
    call.version.expect(Version::V2)?;
    let connection = call.server.store()?;
    found::expect_job(call, &connection, &call.rest).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_filter_takes_what_fits_all_of_it() {
        let filter = parse("loglevel=WARN|ERROR;text=d.sk;limit=3;recent=1m;debug", 0).unwrap();
        let line = |level, time, text: &str| Line {
            time,
            level,
            text: text.to_owned(),
        };
        assert!(filter.takes(&line("WARN", 60_000, "the disk"), 100_000));
        assert!(!filter.takes(&line("INFO", 60_000, "the disk"), 100_000));
        assert!(!filter.takes(&line("WARN", 30_000, "the disk"), 100_000));
        assert!(!filter.takes(&line("WARN", 60_000, "the desert"), 100_000));
        assert_eq!(filter.limit, Some(3));
        assert_eq!(parse("start=-1m", 90_000).unwrap().from, Some(30_000));
        for bad in [
            "limit=x",
            "recent=x",
            "text=[",
            "foo",
            "loglevel=LOUD",
            "start=y",
        ] {
            assert_eq!(
                parse(bad, 0).unwrap_err().code.as_deref(),
                Some("E0307"),
                "{bad}"
            );
        }
    }
}
