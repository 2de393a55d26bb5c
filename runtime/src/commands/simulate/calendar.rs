//! Draws a simulation as a calendar of its period.

use std::collections::BTreeMap;

use hpdlc_core::coordinator::simulate::{SimEvent, SimStatusChange, Simulation};

use crate::{
    commands::timeline::PictureForm,
    timeline::{self, CalendarEntry},
};

/// The current actions of the period.
#[derive(Default)]
pub(super) struct Calendar {
    entries: BTreeMap<u64, CalendarEntry>,
}

impl Calendar {
    pub(super) fn happened(&mut self, happening: SimEvent<'_>) {
        if let SimStatusChange::Action { transition, .. } = happening.what {
            let entry = CalendarEntry {
                number: transition.number,
                nominal: transition.nominal,
                status: transition.to,
            };
            self.entries.insert(transition.number, entry);
        }
    }

    pub(super) fn drawn(&self, simulation: &Simulation, form: PictureForm) -> String {
        let Simulation {
            coordinator,
            from,
            to,
            ..
        } = simulation;
        let zone = coordinator.job.processing_zone();
        let title = format!(
            "{}, simulated from {} to {}",
            coordinator.name,
            zone.write(*from),
            zone.write(*to)
        );
        let notes = timeline::notes(coordinator, *from, *to);
        let entries = self.entries.values().copied();
        match form {
            PictureForm::Svg => timeline::calendar(&title, zone, entries, &notes),
            PictureForm::Text(paper) => {
                timeline::calendar_text(&title, zone, entries, &notes, paper)
            }
        }
    }
}
