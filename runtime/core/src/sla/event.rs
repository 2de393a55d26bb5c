//! The events of a service level.

use std::fmt;

/// An event of a service level (`SLAEvent.EventStatus`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SlaEvent {
    StartMet,
    StartMiss,
    DurationMet,
    DurationMiss,
    EndMet,
    EndMiss,
}

/// What an event is about; at most one event of each kind occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SlaEventKind {
    Start,
    Duration,
    End,
}

impl SlaEvent {
    pub const ALL: [SlaEvent; 6] = [
        SlaEvent::StartMet,
        SlaEvent::StartMiss,
        SlaEvent::DurationMet,
        SlaEvent::DurationMiss,
        SlaEvent::EndMet,
        SlaEvent::EndMiss,
    ];

    pub fn kind(self) -> SlaEventKind {
        match self {
            SlaEvent::StartMet | SlaEvent::StartMiss => SlaEventKind::Start,
            SlaEvent::DurationMet | SlaEvent::DurationMiss => SlaEventKind::Duration,
            SlaEvent::EndMet | SlaEvent::EndMiss => SlaEventKind::End,
        }
    }

    pub fn is_miss(self) -> bool {
        match self {
            SlaEvent::StartMiss | SlaEvent::DurationMiss | SlaEvent::EndMiss => true,
            SlaEvent::StartMet | SlaEvent::DurationMet | SlaEvent::EndMet => false,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            SlaEvent::StartMet => "START_MET",
            SlaEvent::StartMiss => "START_MISS",
            SlaEvent::DurationMet => "DURATION_MET",
            SlaEvent::DurationMiss => "DURATION_MISS",
            SlaEvent::EndMet => "END_MET",
            SlaEvent::EndMiss => "END_MISS",
        }
    }

    /// Case-insensitive.
    pub fn from_name(name: &str) -> Option<SlaEvent> {
        SlaEvent::ALL
            .into_iter()
            .find(|event| event.name().eq_ignore_ascii_case(name))
    }
}

impl fmt::Display for SlaEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
