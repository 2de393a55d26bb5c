//! The state machine of a service level.

use std::fmt;

use crate::sla::{SlaEvent, SlaEventKind, SlaRecord};

/// The state of a service level (`SLAEvent.SLAStatus`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlaStatus {
    NotStarted,
    InProcess,
    Met,
    Miss,
}

/// An event with the time at which it was detected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fired {
    pub event: SlaEvent,
    pub at: i64,
}

/// The progress of a service level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlaState {
    pub status: SlaStatus,
    pub actual_start: Option<i64>,
    pub actual_end: Option<i64>,
    pub start: Option<Fired>,
    pub duration: Option<Fired>,
    pub end: Option<Fired>,
    /// Nothing can change it any more.
    pub is_over: bool,
}

/// An input of a service level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happened {
    /// The job or action is running. A second start, by a retry, has no effect.
    Started { at: i64 },
    /// It has ended, finally.
    Ended { at: i64, has_succeeded: bool },
    /// The clock was checked.
    Looked { at: i64 },
    /// It will never run, and is not missed: the job took another path.
    PassedBy,
}

impl SlaState {
    pub const NEW: SlaState = SlaState {
        status: SlaStatus::NotStarted,
        actual_start: None,
        actual_end: None,
        start: None,
        duration: None,
        end: None,
        is_over: false,
    };

    /// Applies what happened, and returns the resulting events in order.
    pub fn take(&mut self, record: &SlaRecord, happened: Happened) -> Vec<SlaEvent> {
        if self.is_over {
            return Vec::new();
        }
        let mut events = Vec::new();
        match happened {
            Happened::Started { at } => self.started(record, at, &mut events),
            Happened::Looked { at } => self.looked(record, at, &mut events),
            Happened::Ended { at, has_succeeded } => {
                self.ended(record, at, has_succeeded, &mut events);
            }
            Happened::PassedBy => self.is_over = true,
        }
        events
    }

    /// When to check the clock next, if nothing happens before.
    pub fn next_look(&self, record: &SlaRecord) -> Option<i64> {
        if self.is_over {
            return None;
        }
        let start = record
            .expected_start
            .filter(|_| self.start.is_none() && self.actual_start.is_none());
        let duration = record
            .expected_duration
            .zip(self.actual_start)
            .filter(|_| self.duration.is_none())
            .map(|(longest, start)| start.saturating_add(longest));
        let end = Some(record.expected_end).filter(|_| self.end.is_none());
        // An exact match counts as met.
        [start, duration, end]
            .into_iter()
            .flatten()
            .min()
            .map(|time| time.saturating_add(1))
    }

    /// The event of a kind.
    pub fn fired(&self, kind: SlaEventKind) -> Option<Fired> {
        match kind {
            SlaEventKind::Start => self.start,
            SlaEventKind::Duration => self.duration,
            SlaEventKind::End => self.end,
        }
    }

    fn started(&mut self, record: &SlaRecord, at: i64, events: &mut Vec<SlaEvent>) {
        if self.actual_start.is_some() {
            return;
        }
        self.actual_start = Some(at);
        if self.status == SlaStatus::NotStarted {
            self.status = SlaStatus::InProcess;
        }
        if let Some(expected) = record.expected_start {
            let event = if at > expected {
                SlaEvent::StartMiss
            } else {
                SlaEvent::StartMet
            };
            self.fire(event, at, events);
        }
    }

    fn looked(&mut self, record: &SlaRecord, at: i64, events: &mut Vec<SlaEvent>) {
        if self.actual_start.is_none() && record.expected_start.is_some_and(|time| at > time) {
            self.fire(SlaEvent::StartMiss, at, events);
        }
        if let (Some(longest), Some(start)) = (record.expected_duration, self.actual_start)
            && at.saturating_sub(start) > longest
        {
            self.fire(SlaEvent::DurationMiss, at, events);
        }
        if at > record.expected_end {
            self.fire(SlaEvent::EndMiss, at, events);
        }
    }

    fn ended(
        &mut self,
        record: &SlaRecord,
        at: i64,
        has_succeeded: bool,
        events: &mut Vec<SlaEvent>,
    ) {
        self.actual_end = Some(at);
        if let (Some(longest), Some(start)) = (record.expected_duration, self.actual_start) {
            let event = if at.saturating_sub(start) > longest {
                SlaEvent::DurationMiss
            } else {
                SlaEvent::DurationMet
            };
            self.fire(event, at, events);
        }
        let event = if has_succeeded && at <= record.expected_end {
            SlaEvent::EndMet
        } else {
            SlaEvent::EndMiss
        };
        self.fire(event, at, events);
        self.is_over = true;
    }

    /// Fires each kind of event once.
    fn fire(&mut self, event: SlaEvent, at: i64, events: &mut Vec<SlaEvent>) {
        let place = match event.kind() {
            SlaEventKind::Start => &mut self.start,
            SlaEventKind::Duration => &mut self.duration,
            SlaEventKind::End => &mut self.end,
        };
        if place.is_some() {
            return;
        }
        *place = Some(Fired { event, at });
        match event {
            SlaEvent::EndMet => self.status = SlaStatus::Met,
            SlaEvent::EndMiss => self.status = SlaStatus::Miss,
            SlaEvent::StartMet
            | SlaEvent::StartMiss
            | SlaEvent::DurationMet
            | SlaEvent::DurationMiss => {}
        }
        events.push(event);
    }
}

impl SlaStatus {
    const ALL: [SlaStatus; 4] = [
        SlaStatus::NotStarted,
        SlaStatus::InProcess,
        SlaStatus::Met,
        SlaStatus::Miss,
    ];

    pub fn name(self) -> &'static str {
        match self {
            SlaStatus::NotStarted => "NOT_STARTED",
            SlaStatus::InProcess => "IN_PROCESS",
            SlaStatus::Met => "MET",
            SlaStatus::Miss => "MISS",
        }
    }

    pub fn from_name(name: &str) -> Option<SlaStatus> {
        SlaStatus::ALL
            .into_iter()
            .find(|status| status.name() == name)
    }
}

impl fmt::Display for SlaStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
