//! A simulation as text: one line per action, and a summary.

use std::{
    collections::BTreeMap,
    io::{self, Write},
};

use chrono::{DateTime, Utc};
use hpdlc_core::{
    coordinator::{
        CoordinatorActionStatus as A,
        machine::{ActionRecord, missing},
        simulate::{Audit, SimEvent, SimStatusChange, Simulation, SimulationEnd},
    },
    time::ProcessingZone,
};

use super::{SimulationView, clocks, counted};
use crate::commands::info::columns::Columns;

/// The known facts of an action.
struct TableRow {
    nominal: DateTime<Utc>,
    status: A,
    ready: Option<DateTime<Utc>>,
    started: Option<DateTime<Utc>>,
    ended: Option<DateTime<Utc>>,
    note: String,
}

pub(super) struct SimulationTable<'s, W> {
    simulation: &'s Simulation,
    zone: ProcessingZone,
    rows: BTreeMap<u64, TableRow>,
    /// The current number of each, and the maximum.
    n_waiting: Peak,
    n_ready: Peak,
    n_running: Peak,
    /// When the coordinator entered its current state.
    since: Option<DateTime<Utc>>,
    out: W,
}

#[derive(Default)]
struct Peak {
    now: u64,
    most: u64,
}

impl Peak {
    fn follow(&mut self, from: Option<A>, to: A, of: &[A]) {
        self.now -= u64::from(from.is_some_and(|from| of.contains(&from)));
        self.now += u64::from(of.contains(&to));
        self.most = self.most.max(self.now);
    }
}

impl<'s, W: Write> SimulationTable<'s, W> {
    pub(super) fn new(simulation: &'s Simulation, out: W) -> SimulationTable<'s, W> {
        SimulationTable {
            simulation,
            zone: simulation.coordinator.job.processing_zone(),
            rows: BTreeMap::new(),
            n_waiting: Peak::default(),
            n_ready: Peak::default(),
            n_running: Peak::default(),
            since: None,
            out,
        }
    }

    /// The data that a waiting or timed-out action lacks.
    fn lacks(&self, record: &ActionRecord) -> String {
        let coordinator = &self.simulation.coordinator;
        let missing = missing(coordinator, record);
        let Some(first) = missing.first() else {
            return "`latest` and `future` do not find enough".to_owned();
        };
        let instance = self.zone.write(first.instance);
        let more = match missing.len() {
            1 => String::new(),
            n => format!(" and {} more", n - 1),
        };
        format!(
            "{} {instance} is missing: {}{more}",
            first.dataset, first.uri
        )
    }
}

impl<W: Write> SimulationView for SimulationTable<'_, W> {
    fn happened(&mut self, happening: SimEvent<'_>) -> io::Result<()> {
        let (transition, record) = match happening.what {
            SimStatusChange::Action { transition, record } => (transition, record),
            SimStatusChange::Coordinator(_) => {
                self.since = Some(happening.time);
                return Ok(());
            }
        };
        let (from, to) = (transition.from, transition.to);
        self.n_waiting.follow(from, to, &[A::Waiting]);
        self.n_ready.follow(from, to, &[A::Ready]);
        self.n_running.follow(from, to, &[A::Submitted, A::Running]);
        let note = match to {
            A::TimedOut => self.lacks(record),
            A::Failed => record.error.as_ref().map_or_else(String::new, |error| {
                format!("{}: {}", error.code, error.message)
            }),
            _ => String::new(),
        };
        let time = Some(happening.time);
        let row = self.rows.entry(transition.number).or_insert(TableRow {
            nominal: transition.nominal,
            status: to,
            ready: None,
            started: None,
            ended: None,
            note: String::new(),
        });
        row.status = to;
        row.note = note;
        match to {
            A::Ready => row.ready = time,
            A::Running => row.started = time,
            _ if to.is_terminal() => row.ended = time,
            _ => {}
        }
        Ok(())
    }

    fn ended(&mut self, ending: &SimulationEnd, audits: &[Audit]) -> io::Result<()> {
        for record in &ending.living {
            if record.status == A::Waiting {
                let lacks = self.lacks(record);
                if let Some(row) = self.rows.get_mut(&record.number) {
                    row.note = lacks;
                }
            }
        }
        let mut columns = Columns::new(&[
            "ACTION",
            "NOMINAL TIME",
            "STATUS",
            "READY",
            "STARTED",
            "ENDED",
            "",
        ]);
        let after = |row: &TableRow, time: Option<DateTime<Utc>>| {
            time.map_or_else(String::new, |time| format_after(time - row.nominal))
        };
        for (number, row) in &self.rows {
            columns.row(vec![
                number.to_string(),
                self.zone.write(row.nominal),
                row.status.to_string(),
                after(row, row.ready),
                after(row, row.started),
                after(row, row.ended),
                row.note.clone(),
            ]);
        }
        let (from, to) = (self.simulation.from, self.simulation.to);
        if self.rows.is_empty() {
            writeln!(
                self.out,
                "no action from {} to {}",
                self.zone.write(from),
                self.zone.write(to)
            )?;
        } else {
            write!(self.out, "{}", columns.text())?;
        }
        let all = A::ALL.into_iter();
        let counts = counted(all.map(|status| (status.name(), ending.counts.of(status))));
        let counts: Vec<String> = counts
            .into_iter()
            .map(|(name, n)| format!("{n} {name}"))
            .collect();
        writeln!(self.out)?;
        if !counts.is_empty() {
            writeln!(
                self.out,
                "{} actions: {}",
                self.rows.len(),
                counts.join(", ")
            )?;
            writeln!(
                self.out,
                "at once at most: {} waiting, {} ready, {} running",
                self.n_waiting.most, self.n_ready.most, self.n_running.most
            )?;
        }
        let status = ending.status;
        match self.since.filter(|_| status.is_terminal()) {
            Some(since) => writeln!(
                self.out,
                "the coordinator ends at {}: {status}",
                self.zone.write(since)
            )?,
            None => writeln!(
                self.out,
                "the coordinator is {status} at {}",
                self.zone.write(to)
            )?,
        }
        for line in audits
            .iter()
            .flat_map(|audit| clocks::lines(audit, self.zone))
        {
            writeln!(self.out, "{line}")?;
        }
        self.out.flush()
    }
}

/// Time after the nominal time: `+0`, `+10m`, `+1h05m`, `+2d03h`.
fn format_after(after: chrono::Duration) -> String {
    let seconds = after.num_seconds().max(0);
    let (days, hours) = (seconds / 86_400, seconds / 3_600 % 24);
    let (minutes, rest) = (seconds / 60 % 60, seconds % 60);
    match (days, hours, minutes, rest) {
        (0, 0, 0, 0) => "+0".to_owned(),
        (0, 0, 0, _) => format!("+{rest}s"),
        (0, 0, _, 0) => format!("+{minutes}m"),
        (0, 0, ..) => format!("+{minutes}m{rest:02}s"),
        (0, ..) => format!("+{hours}h{minutes:02}m"),
        _ => format!("+{days}d{hours:02}h"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_short() {
        let texts = [0, 9, 600, 605, 3_900, 90_000]
            .map(|seconds| format_after(chrono::Duration::seconds(seconds)));
        assert_eq!(texts, ["+0", "+9s", "+10m", "+10m05s", "+1h05m", "+1d01h"]);
    }
}
