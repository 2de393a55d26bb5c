//! The actions: plain functions, with plain tests.

use std::{fs::OpenOptions, io::Write, path::Path};

use hpdlc_flow::{Data, Result, action, error};

/// The numbers of a log.
#[derive(Data, Debug, PartialEq, Eq)]
pub struct Counted {
    pub requests: u64,
    pub failed: u64,
}

/// Counts the lines of a log, and those whose last word is a status of 500 or more.
#[action]
pub fn count(log: String) -> Result<Counted> {
    let text = std::fs::read_to_string(&log).map_err(|problem| error("NO_LOG", problem))?;
    let status = |line: &str| line.split_whitespace().last()?.parse::<u32>().ok();
    let failed = text
        .lines()
        .filter(|line| status(line).is_some_and(|status| status >= 500));
    Ok(Counted {
        requests: text.lines().count() as u64,
        failed: failed.count() as u64,
    })
}

/// What to think of a day.
#[derive(Data, Debug, PartialEq, Eq)]
pub enum Verdict {
    Alarm,
    Calm,
}

#[derive(Data, Debug, PartialEq, Eq)]
pub struct Judged {
    pub verdict: Verdict,
}

/// Whether more than `limit` of a hundred requests have failed.
#[action]
pub fn judge(requests: u64, failed: u64, limit: u64) -> Result<Judged> {
    let is_alarming = failed * 100 > requests * limit;
    Ok(Judged {
        verdict: if is_alarming {
            Verdict::Alarm
        } else {
            Verdict::Calm
        },
    })
}

/// Adds a line to the report.
#[action]
pub fn note(folder: String, line: String) -> Result {
    let report = Path::new(&folder).join("report.txt");
    let mut report = OpenOptions::new().create(true).append(true).open(report)?;
    writeln!(report, "{line}")?;
    Ok(())
}
