//! The schedule of a coordinator: when its actions are due.
//!
//! Oozie corrects the times of a cron expression where clocks change, but by rules that depend on how many actions it happens to
//! create at once. In steady operation it never does; neither does hpdlc.

use chrono::{DateTime, Utc};

use crate::{
    frequency::Frequency,
    time::{ProcessingZone, Zone},
};

/// Start, end and frequency, parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    pub frequency: Frequency,
    /// The time of the first action, if the frequency includes it.
    pub start: DateTime<Utc>,
    /// Exclusive.
    pub end: DateTime<Utc>,
    /// The time zone of an interval's days and months.
    pub zone: Zone,
    /// The time zone of a cron expression's hours and days.
    pub processing_zone: ProcessingZone,
}

/// One action of a coordinator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NominalAction {
    /// 1-based.
    pub number: u64,
    /// The nominal time.
    pub time: DateTime<Utc>,
}

impl Schedule {
    /// All actions.
    pub fn actions(&self) -> NominalActions<'_> {
        self.actions_from(DateTime::<Utc>::MIN_UTC)
    }

    /// The actions at or after `from`, with their numbers in the whole schedule. Times between the start and `from` are not
    /// visited.
    pub fn actions_from(&self, from: DateTime<Utc>) -> NominalActions<'_> {
        let (number, position) = match &self.frequency {
            Frequency::Every(interval) => match interval.origin(self.start, self.zone) {
                Some(origin) => {
                    let k = interval.first_from(origin, from, self.zone);
                    let number = u64::try_from(k).unwrap_or(0).saturating_add(1);
                    (number, SchedulePosition::Interval { origin, k })
                }
                None => (1, SchedulePosition::Done),
            },
            Frequency::Cron(cron) => {
                let from = from.max(self.start);
                let before = cron.count_between(self.start, from, self.processing_zone);
                let next = cron.first_from(from, self.processing_zone);
                let position = next.map_or(SchedulePosition::Done, SchedulePosition::Cron);
                (before.saturating_add(1), position)
            }
        };
        NominalActions {
            schedule: self,
            number,
            position,
        }
    }

    /// The time of the first action, even if it is not before the end. `None` beyond the range of the calendar.
    pub fn first(&self) -> Option<DateTime<Utc>> {
        match &self.frequency {
            Frequency::Every(interval) => interval.origin(self.start, self.zone),
            Frequency::Cron(cron) => cron.first_from(self.start, self.processing_zone),
        }
    }

    /// The time of the action after `action`, even if it is not before the end. `None` beyond the range of the calendar.
    pub fn following(&self, action: NominalAction) -> Option<DateTime<Utc>> {
        match &self.frequency {
            Frequency::Every(interval) => {
                let origin = interval.origin(self.start, self.zone)?;
                let k = i64::try_from(action.number).ok()?;
                interval.occurrence(origin, k, self.zone)
            }
            Frequency::Cron(cron) => cron.next_after(action.time, self.processing_zone),
        }
    }

    /// How many actions there are before `instant`.
    pub fn count_before(&self, instant: DateTime<Utc>) -> u64 {
        let until = instant.min(self.end);
        match &self.frequency {
            Frequency::Every(interval) => interval
                .origin(self.start, self.zone)
                .map(|origin| interval.first_from(origin, until, self.zone))
                .and_then(|k| u64::try_from(k).ok())
                .unwrap_or(0),
            Frequency::Cron(cron) => cron.count_between(self.start, until, self.processing_zone),
        }
    }
}

/// The actions of a [`Schedule`], in order.
#[derive(Clone, Debug)]
pub struct NominalActions<'a> {
    schedule: &'a Schedule,
    number: u64,
    position: SchedulePosition,
}

/// Position of the next action.
#[derive(Clone, Debug)]
enum SchedulePosition {
    Interval { origin: DateTime<Utc>, k: i64 },
    Cron(DateTime<Utc>),
    Done,
}

impl Iterator for NominalActions<'_> {
    type Item = NominalAction;

    fn next(&mut self) -> Option<NominalAction> {
        let schedule = self.schedule;
        let (time, following) = match (&self.position, &schedule.frequency) {
            (SchedulePosition::Interval { origin, k }, Frequency::Every(interval)) => {
                let time = interval.occurrence(*origin, *k, schedule.zone);
                let following = k
                    .checked_add(1)
                    .map(|k| SchedulePosition::Interval { origin: *origin, k });
                (time, following)
            }
            (SchedulePosition::Cron(time), Frequency::Cron(cron)) => {
                let following = cron.next_after(*time, schedule.processing_zone);
                (Some(*time), following.map(SchedulePosition::Cron))
            }
            (
                SchedulePosition::Done
                | SchedulePosition::Interval { .. }
                | SchedulePosition::Cron(_),
                _,
            ) => (None, None),
        };
        let Some(time) = time.filter(|time| *time < schedule.end) else {
            self.position = SchedulePosition::Done;
            return None;
        };
        self.position = following.unwrap_or(SchedulePosition::Done);
        let action = NominalAction {
            number: self.number,
            time,
        };
        self.number = self.number.saturating_add(1);
        Some(action)
    }
}
