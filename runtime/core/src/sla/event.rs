//! What is told of a service level.

use std::fmt;

/// Something that is told of a service level (`SLAEvent.EventStatus`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Event {
    StartMet,
    StartMiss,
    DurationMet,
    DurationMiss,
    EndMet,
    EndMiss,
}

/// What an event is about; there is one of each at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Start,
    Duration,
    End,
}

impl Event {
    pub const ALL: [Event; 6] = [
        Event::StartMet,
        Event::StartMiss,
        Event::DurationMet,
        Event::DurationMiss,
        Event::EndMet,
        Event::EndMiss,
    ];

    pub fn kind(self) -> Kind {
        match self {
            Event::StartMet | Event::StartMiss => Kind::Start,
            Event::DurationMet | Event::DurationMiss => Kind::Duration,
            Event::EndMet | Event::EndMiss => Kind::End,
        }
    }

    pub fn is_miss(self) -> bool {
        match self {
            Event::StartMiss | Event::DurationMiss | Event::EndMiss => true,
            Event::StartMet | Event::DurationMet | Event::EndMet => false,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Event::StartMet => "START_MET",
            Event::StartMiss => "START_MISS",
            Event::DurationMet => "DURATION_MET",
            Event::DurationMiss => "DURATION_MISS",
            Event::EndMet => "END_MET",
            Event::EndMiss => "END_MISS",
        }
    }

    /// In any case.
    pub fn from_name(name: &str) -> Option<Event> {
        Event::ALL
            .into_iter()
            .find(|event| event.name().eq_ignore_ascii_case(name))
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
