//! Which events cause alerts.

use crate::sla::SlaEvent;

/// The alert events of blocks without `alert-events`, unless the site sets others (`oozie.sla.service.SLAService.alert.events`).
pub const USUAL_ALERT_EVENTS: &str = "END_MISS";

/// No alerts are sent for what was due longer ago than this, in hours (`oozie.sla.disable.alerts.older.than`).
pub const USUAL_AGE_LIMIT: i64 = 48;

/// The events in a comma-separated list, case-insensitively. An unknown name counts as `END_MISS`, as in Oozie; an empty item
/// after the last comma is ignored.
pub fn alert_events(list: &str) -> Vec<SlaEvent> {
    let mut events: Vec<SlaEvent> = split_alert_events(list)
        .map(|(_, event)| event.unwrap_or(SlaEvent::EndMiss))
        .collect();
    events.sort_unstable();
    events.dedup();
    events
}

/// The names in a list as written, including blanks, and the events that they name. An empty list has one empty name.
pub fn split_alert_events(list: &str) -> impl Iterator<Item = (&str, Option<SlaEvent>)> {
    let kept = list.trim_end_matches(',');
    kept.split(',')
        .map(|name| (name, SlaEvent::from_name(name.trim())))
}

/// Whether what was due at `nominal` is too old at `now` for an alert. A limit of 0 hours or less disables the check.
pub fn is_too_old(nominal: i64, now: i64, limit_hours: i64) -> bool {
    const MILLIS_PER_HOUR: i64 = 3_600_000;
    limit_hours > 0 && now.saturating_sub(nominal) > limit_hours.saturating_mul(MILLIS_PER_HOUR)
}
