//! Describes the effects of clock changes, as text.

use chrono::NaiveDateTime;
use hpdlc_core::{
    coordinator::simulate::{Audit, ClockChange},
    time::ProcessingZone,
};

/// One line per clock change, and one for each of its effects.
pub(super) fn lines(audit: &Audit, zone: ProcessingZone) -> Vec<String> {
    let place = audit.zone.place().unwrap_or("the time zone");
    let (what, of) = match &audit.dataset {
        None => ("action", String::new()),
        Some(dataset) => ("instance", format!(" of dataset `{dataset}`")),
    };
    let mut lines = Vec::new();
    for change in &audit.changes {
        let ClockChange { before, after, .. } = change;
        lines.push(format!(
            "the clocks of {place} change at {} from {before} to {after}:",
            zone.write(change.at)
        ));
        let n_before = lines.len();
        if let Some(times) = span(&change.skipped) {
            lines.push(format!(
                "  no clock shows {times}: no action is at that time of day"
            ));
        }
        let doubled: Vec<NaiveDateTime> = change
            .doubled
            .iter()
            .map(|(first, _)| first.time.naive_utc() + *before)
            .collect();
        if let (Some(times), Some((first, again))) = (span(&doubled), change.doubled.first()) {
            lines.push(format!(
                "  they show {times} twice: {what}s{of} are at it from {} on, and again from {} on",
                zone.write(first.time),
                zone.write(again.time)
            ));
        }
        for (action, expected) in &change.shifted {
            lines.push(format!(
                "  {what} {}{of} is at {}, which is not {} on these clocks",
                action.number,
                zone.write(action.time),
                expected.format("%H:%M")
            ));
        }
        if change.moved_by != 0 {
            let (minutes, when) = (
                change.moved_by.abs(),
                if change.moved_by > 0 {
                    "later"
                } else {
                    "earlier"
                },
            );
            lines.push(format!(
                "  from then on {what}s{of} are {minutes} minutes {when} on these clocks"
            ));
        }
        if lines.len() == n_before {
            lines.push(format!("  {what}s{of} keep their times of day"));
        }
    }
    lines
}

/// `02:00 to 02:45 (4 times)`.
fn span(times: &[NaiveDateTime]) -> Option<String> {
    let (first, last) = (times.first()?, times.last()?);
    let hour = |time: &NaiveDateTime| time.format("%H:%M").to_string();
    Some(match times.len() {
        1 => hour(first),
        n => format!("{} to {} ({n} times)", hour(first), hour(last)),
    })
}
