//! Which events somebody is told of.

use crate::sla::SlaEvent;

/// The events of blocks without `alert-events`, where the site says nothing
/// (`oozie.sla.service.SLAService.alert.events`).
pub const USUAL_ALERT_EVENTS: &str = "END_MISS";

/// Nobody is told of what was due longer ago than this, in hours (`oozie.sla.disable.alerts.older.than`).
pub const USUAL_AGE_LIMIT: i64 = 48;

/// The events that a list names, separated by commas, in any case. What names no event is taken for `END_MISS`, as in
/// Oozie; nothing after the last comma is no event.
pub fn alert_events(list: &str) -> Vec<SlaEvent> {
    let mut events: Vec<SlaEvent> = split_alert_events(list)
        .map(|(_, event)| event.unwrap_or(SlaEvent::EndMiss))
        .collect();
    events.sort_unstable();
    events.dedup();
    events
}

/// The names in a list as they are written, with blanks around them, and the events that they name. An empty list has one
/// name, which is empty.
pub fn split_alert_events(list: &str) -> impl Iterator<Item = (&str, Option<SlaEvent>)> {
    let kept = list.trim_end_matches(',');
    kept.split(',')
        .map(|name| (name, SlaEvent::from_name(name.trim())))
}

/// Whether what was due at `nominal` is too old at `now` to tell anybody of it. A limit of 0 hours or less is none.
pub fn is_too_old(nominal: i64, now: i64, limit_hours: i64) -> bool {
    const MILLIS_PER_HOUR: i64 = 3_600_000;
    limit_hours > 0 && now.saturating_sub(nominal) > limit_hours.saturating_mul(MILLIS_PER_HOUR)
}
