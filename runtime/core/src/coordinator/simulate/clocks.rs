//! The effect of clock changes on a schedule: which local times occur twice, are skipped, or are shifted.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Duration, FixedOffset, NaiveDateTime, NaiveTime, Utc};

use crate::{
    coordinator::{Coordinator, Dataset, NominalAction, Schedule},
    frequency::{Frequency, Interval},
    time::{TimeUnit, Zone},
};

/// A clock change in a schedule's time zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockChange {
    pub at: DateTime<Utc>,
    pub before: FixedOffset,
    pub after: FixedOffset,
    /// Pairs of actions at different instants with the same local time.
    pub doubled: Vec<(NominalAction, NominalAction)>,
    /// The local times of actions that did not exist on that day.
    pub skipped: Vec<NaiveDateTime>,
    /// Actions at another time of day than those before and after them, with the time that they should have had.
    pub shifted: Vec<(NominalAction, NaiveDateTime)>,
    /// From here on all actions are at other times of day, because the schedule does not follow the clocks: by this many minutes.
    pub moved_by: i64,
}

/// The effect of clock changes on a coordinator, or on one of its datasets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Audit {
    /// Its name; `None` for the coordinator itself.
    pub dataset: Option<String>,
    pub zone: Zone,
    pub changes: Vec<ClockChange>,
}

/// The effect of the clock changes from `from` to before `to` on the actions of a coordinator, and on the instances of its
/// datasets, which count as actions of their own. Those without a clock change are omitted.
pub fn audit(coordinator: &Coordinator, from: DateTime<Utc>, to: DateTime<Utc>) -> Vec<Audit> {
    let own = (None, coordinator.schedule.clone());
    let events = coordinator.inputs.iter().chain(&coordinator.outputs);
    let datasets: BTreeMap<&str, &Dataset> = events
        .map(|event| (event.dataset.name.as_str(), &*event.dataset))
        .collect();
    let instances = datasets.into_iter().map(|(name, dataset)| {
        let schedule = Schedule {
            frequency: Frequency::Every(Interval {
                // The first instance is already at the end of its period.
                end_of: None,
                ..dataset.interval
            }),
            start: dataset.first,
            end: coordinator.schedule.end,
            zone: dataset.zone,
            processing_zone: dataset.processing_zone,
        };
        (Some(name.to_owned()), schedule)
    });
    std::iter::once(own)
        .chain(instances)
        .map(|(dataset, schedule)| Audit {
            dataset,
            zone: schedule.zone,
            changes: clock_changes(&schedule, from, to),
        })
        .filter(|audit| !audit.changes.is_empty())
        .collect()
}

/// The clock changes from `from` to before `to`, with their effect on the actions of `schedule`.
pub fn clock_changes(
    schedule: &Schedule,
    from: DateTime<Utc>,
    to: DateTime<Utc>,
) -> Vec<ClockChange> {
    let from = from.max(schedule.start);
    let to = to.min(schedule.end);
    schedule
        .zone
        .changes(from, to)
        .into_iter()
        .map(|at| change(schedule, at))
        .collect()
}

fn change(schedule: &Schedule, at: DateTime<Utc>) -> ClockChange {
    let zone = schedule.zone;
    let before = zone.offset_at(at - Duration::seconds(1));
    let after = zone.offset_at(at);
    let moved = i64::from(after.local_minus_utc() - before.local_minus_utc());
    let mut change = ClockChange {
        at,
        before,
        after,
        doubled: Vec::new(),
        skipped: Vec::new(),
        shifted: Vec::new(),
        moved_by: 0,
    };
    let length = Duration::seconds(moved.abs());
    if moved < 0 {
        change.doubled = doubled(schedule, at, length);
    }
    if follows_clocks(schedule) {
        change.shifted = shifted(schedule, at);
    } else {
        if moved > 0 {
            change.skipped = skipped(schedule, at, length, before);
        }
        if is_moved(schedule, at, moved) {
            change.moved_by = moved / 60;
        }
    }
    change
}

/// Days, weeks and months follow the time zone; minutes and cron expressions do not.
fn follows_clocks(schedule: &Schedule) -> bool {
    match &schedule.frequency {
        Frequency::Every(interval) => !matches!(interval.unit, TimeUnit::Minute | TimeUnit::Hour),
        Frequency::Cron(_) => false,
    }
}

fn between(
    schedule: &Schedule,
    from: DateTime<Utc>,
    to: DateTime<Utc>,
) -> impl Iterator<Item = NominalAction> + '_ {
    let actions = schedule.actions_from(from);
    actions.take_while(move |action| action.time < to)
}

/// The actions of the hour before and the hour after, which have the same local times.
fn doubled(
    schedule: &Schedule,
    at: DateTime<Utc>,
    length: Duration,
) -> Vec<(NominalAction, NominalAction)> {
    let local = |action: &NominalAction| schedule.zone.local(action.time);
    let first: BTreeMap<NaiveDateTime, NominalAction> = between(schedule, at - length, at)
        .map(|action| (local(&action), action))
        .collect();
    between(schedule, at, at + length)
        .filter_map(|action| first.get(&local(&action)).map(|first| (*first, action)))
        .collect()
}

/// The local times, without the change, of the actions in the hour that was skipped.
fn skipped(
    schedule: &Schedule,
    at: DateTime<Utc>,
    length: Duration,
    before: FixedOffset,
) -> Vec<NaiveDateTime> {
    between(schedule, at, at + length)
        .map(|action| action.time.with_timezone(&before).naive_local())
        .collect()
}

/// Whether a schedule that does not follow the clocks has its actions at other times of day after a change of this many seconds.
/// This depends on its frequency: it may start an hour before the change and end an hour after it.
fn is_moved(schedule: &Schedule, at: DateTime<Utc>, seconds: i64) -> bool {
    if schedule.start >= at || schedule.actions_from(at).next().is_none() {
        return false;
    }
    match &schedule.frequency {
        Frequency::Every(interval) => seconds % interval.n.saturating_mul(60) != 0,
        Frequency::Cron(_) => {
            let year = Duration::days(366);
            let endless = Schedule {
                start: at - year,
                end: at + year,
                ..schedule.clone()
            };
            times_of_day(&endless, at, true) != times_of_day(&endless, at, false)
        }
    }
}

/// The actions of the days around the change that are not at the usual time of day of the schedule.
fn shifted(schedule: &Schedule, at: DateTime<Utc>) -> Vec<(NominalAction, NaiveDateTime)> {
    let zone = schedule.zone;
    let Some(time) = schedule.first().map(|first| zone.local(first).time()) else {
        return Vec::new();
    };
    let day = Duration::days(1);
    between(schedule, at - day, at + day)
        .filter_map(|action| {
            let local = zone.local(action.time);
            let expected = local.date().and_time(time);
            (local != expected).then_some((action, expected))
        })
        .collect()
}

/// The times of day of the actions of the day before the change, or of the day after it. If there are none, that of the nearest
/// action within a year.
fn times_of_day(schedule: &Schedule, at: DateTime<Utc>, is_before: bool) -> BTreeSet<NaiveTime> {
    let zone = schedule.zone;
    let day = Duration::days(1);
    let time = |action: NominalAction| zone.local(action.time).time();
    let around = if is_before { at - day } else { at };
    let times: BTreeSet<NaiveTime> = between(schedule, around, around + day).map(time).collect();
    if !times.is_empty() {
        return times;
    }
    let nearest = if is_before {
        let mut spans = [31, 366].into_iter();
        spans.find_map(|days| between(schedule, at - day * days, at).last())
    } else {
        between(schedule, at, at + day * 366).next()
    };
    nearest.map(time).into_iter().collect()
}
