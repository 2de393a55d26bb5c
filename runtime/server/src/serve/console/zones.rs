//! Zones of coordinators, and when their clocks change.

use chrono::{DateTime, Utc};
use hpdlc_core::time::Zone;
use serde_json::{Value, json};

/// A zone by the name that a document gives, and the name to show; UTC for an unknown one.
pub(crate) fn of(name: &str) -> (Zone, String) {
    match Zone::parse(name.trim()) {
        Ok(zone) => (zone, name.trim().to_owned()),
        Err(_) => (Zone::UTC, "UTC".to_owned()),
    }
}

/// A time as a processing zone writes it: `2026-11-28T12:00Z`, `2026-11-28T13:00+0100`.
pub(crate) fn read(text: &str) -> Option<DateTime<Utc>> {
    let bare = text.strip_suffix('Z').map(|bare| format!("{bare}+0000"));
    let read = DateTime::parse_from_str(bare.as_deref().unwrap_or(text), "%Y-%m-%dT%H:%M%z");
    read.ok().map(|time| time.to_utc())
}

/// The changes of clocks in a period, in words.
pub(crate) fn changes(
    zone: Zone,
    name: &str,
    from: DateTime<Utc>,
    to: DateTime<Utc>,
) -> Vec<Value> {
    let all = zone.changes(from, to).into_iter();
    all.map(|change| {
        let (before, after) = (
            zone.offset_at(change - chrono::Duration::seconds(1)),
            zone.offset_at(change),
        );
        let was = change.naive_utc() + before;
        let is = change.naive_utc() + after;
        let effect = match is < was {
            true => format!("the times from {} on are there twice", is.format("%H:%M")),
            false => format!(
                "no clock shows the times from {} to {}",
                was.format("%H:%M"),
                is.format("%H:%M")
            ),
        };
        json!({
            "at": change.timestamp_millis(),
            "text": format!(
                "The clocks of {name} change on {} from {} to {} ({before} to {after}): {effect}.",
                was.format("%Y-%m-%d"),
                was.format("%H:%M"),
                is.format("%H:%M")
            ),
        })
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_changes_of_a_year_are_told() {
        let (zone, name) = of(" Europe/Berlin ");
        let day = |text: &str| text.parse::<DateTime<Utc>>().unwrap();
        let of_year = changes(
            zone,
            &name,
            day("2026-01-01T00:00:00Z"),
            day("2027-01-01T00:00:00Z"),
        );
        let texts: Vec<&str> = of_year
            .iter()
            .filter_map(|it| it["text"].as_str())
            .collect();
        assert_eq!(
            texts,
            [
                "The clocks of Europe/Berlin change on 2026-03-29 from 02:00 to 03:00 (+01:00 to +02:00): no clock shows the times from 02:00 to 03:00.",
                "The clocks of Europe/Berlin change on 2026-10-25 from 03:00 to 02:00 (+02:00 to +01:00): the times from 02:00 on are there twice."
            ]
        );
        assert_eq!(of("Mars/Base").1, "UTC");
    }
}
