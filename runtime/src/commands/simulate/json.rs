//! A simulation as JSON: one line per event.

use std::io::{self, Write};

use chrono::NaiveDateTime;
use hpdlc_core::{
    coordinator::{
        Coordinator, CoordinatorActionStatus,
        machine::missing,
        simulate::{Audit, ClockChange, SimEvent, SimStatusChange, SimulationEnd},
    },
    time::ProcessingZone,
};
use serde_json::{Value, json};

use super::{SimulationView, counted};

pub(super) struct JsonSimulation<'c, W> {
    coordinator: &'c Coordinator,
    zone: ProcessingZone,
    out: W,
}

impl<'c, W: Write> JsonSimulation<'c, W> {
    pub(super) fn new(coordinator: &'c Coordinator, out: W) -> JsonSimulation<'c, W> {
        JsonSimulation {
            coordinator,
            zone: coordinator.job.processing_zone(),
            out,
        }
    }
}

impl<W: Write> SimulationView for JsonSimulation<'_, W> {
    fn happened(&mut self, happening: SimEvent<'_>) -> io::Result<()> {
        let zone = self.zone;
        let time = happening
            .time
            .to_rfc3339_opts(chrono::SecondsFormat::Millis, true);
        match happening.what {
            SimStatusChange::Coordinator(status) => {
                let line = json!({
                    "time": time,
                    "event": "coordinator",
                    "status": status.name(),
                });
                writeln!(self.out, "{line}")
            }
            SimStatusChange::Action { transition, record } => {
                let mut line = json!({
                    "time": time,
                    "event": "action",
                    "number": transition.number,
                    "nominal_time": zone.write(transition.nominal),
                    "status": transition.to.name(),
                });
                if transition.to == CoordinatorActionStatus::TimedOut {
                    let uris = missing(self.coordinator, record);
                    line["missing"] = uris.into_iter().map(|missing| missing.uri).collect();
                }
                writeln!(self.out, "{line}")
            }
        }
    }

    fn ended(&mut self, ending: &SimulationEnd, audits: &[Audit]) -> io::Result<()> {
        for audit in audits {
            for change in &audit.changes {
                self.clocks(audit.dataset.as_deref(), change)?;
            }
        }
        let all = CoordinatorActionStatus::ALL.into_iter();
        let counts = all.map(|status| (status.name(), ending.counts.of(status)));
        let line = json!({
            "event": "end",
            "status": ending.status.name(),
            "actions": counted(counts),
        });
        writeln!(self.out, "{line}")?;
        self.out.flush()
    }
}

impl<W: Write> JsonSimulation<'_, W> {
    fn clocks(&mut self, dataset: Option<&str>, change: &ClockChange) -> io::Result<()> {
        let zone = self.zone;
        let local = |time: &NaiveDateTime| time.format("%Y-%m-%dT%H:%M").to_string();
        let doubled: Vec<[String; 2]> = change
            .doubled
            .iter()
            .map(|(first, second)| [zone.write(first.time), zone.write(second.time)])
            .collect();
        let skipped: Vec<String> = change.skipped.iter().map(local).collect();
        let shifted: Vec<Value> = change
            .shifted
            .iter()
            .map(|(action, expected)| {
                json!({
                    "number": action.number,
                    "nominal_time": zone.write(action.time),
                    "expected": local(expected),
                })
            })
            .collect();
        let line = json!({
            "event": "clocks",
            "dataset": dataset,
            "at": zone.write(change.at),
            "offset_before": change.before.to_string(),
            "offset_after": change.after.to_string(),
            "doubled": doubled,
            "skipped": skipped,
            "shifted": shifted,
            "moved_by_minutes": change.moved_by,
        });
        writeln!(self.out, "{line}")
    }
}
