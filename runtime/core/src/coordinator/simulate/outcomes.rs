//! How the workflows of a simulated coordinator end, and when.

use chrono::{DateTime, Duration, Utc};

use super::rules::{KeyRange, KeyedRules, LineError, duration, lines, times};
use crate::{status::JobStatus, time::ProcessingZone};

/// How a workflow ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkflowEnd {
    /// SUCCEEDED, KILLED, FAILED, or SUSPENDED if it stays suspended.
    pub status: JobStatus,
    /// How long it runs.
    pub after: Duration,
}

/// How all workflows end: SUCCEEDED immediately, unless a rule says otherwise.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcomes {
    numbers: KeyedRules<u64, (usize, WorkflowEnd)>,
    times: KeyedRules<DateTime<Utc>, (usize, WorkflowEnd)>,
}

const STATUSES: [JobStatus; 4] = [
    JobStatus::Succeeded,
    JobStatus::Killed,
    JobStatus::Failed,
    JobStatus::Suspended,
];

impl Outcomes {
    /// Parses one rule per line: which actions (`*`, `3`, `3-7`, a nominal time, or two with `::` between), the status their
    /// workflows end with, and how long they run.
    ///
    /// # Errors
    ///
    /// The first line that is not a valid rule.
    pub fn parse(text: &str, zone: ProcessingZone) -> Result<Outcomes, LineError> {
        let mut outcomes = Outcomes::default();
        for (line, words) in lines(text) {
            outcomes
                .read(line, &words, zone)
                .map_err(|message| LineError { line, message })?;
        }
        Ok(outcomes)
    }

    fn read(&mut self, line: usize, words: &[&str], zone: ProcessingZone) -> Result<(), String> {
        let (which, status, after) = match words {
            [which, status] => (which, status, Duration::zero()),
            [which, status, after] => (which, status, duration(after)?),
            _ => {
                return Err(
                    "expected `WHICH STATUS [DURATION]`, such as `* SUCCEEDED 5m`".to_owned(),
                );
            }
        };
        let status = STATUSES
            .into_iter()
            .find(|known| known.name() == *status)
            .ok_or_else(|| {
                format!("`{status}` is none of SUCCEEDED, KILLED, FAILED and SUSPENDED")
            })?;
        let rule = (line, WorkflowEnd { status, after });
        match numbers(which) {
            Some(which) => self.numbers.add(which, rule),
            None => self.times.add(times(which, zone)?, rule),
        }
        Ok(())
    }

    pub fn of(&self, number: u64, nominal: DateTime<Utc>) -> WorkflowEnd {
        let by_number = self.numbers.of(number).map(|(_, rule)| rule);
        let by_time = self.times.of(nominal).map(|(_, rule)| rule);
        let rule = by_number
            .into_iter()
            .chain(by_time)
            .max_by_key(|(line, _)| *line);
        rule.map_or(
            WorkflowEnd {
                status: JobStatus::Succeeded,
                after: Duration::zero(),
            },
            |(_, outcome)| outcome,
        )
    }
}

/// `3` or `3-7`.
fn numbers(text: &str) -> Option<KeyRange<u64>> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last) = (first.parse().ok()?, last.parse().ok()?);
    (first <= last).then_some(KeyRange::Range(first, last))
}
