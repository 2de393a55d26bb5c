//! Datasets with evaluated values: which instances they have, and their locations.

use chrono::{DateTime, Utc};

use crate::{
    coordinator::uri_template::UriTemplate,
    frequency::Interval,
    time::{ProcessingZone, Zone},
};

/// A synchronous dataset.
#[derive(Clone, Debug, PartialEq)]
pub struct Dataset {
    pub name: String,
    pub interval: Interval,
    /// Instance 0: the initial instance, moved to the end of its period if the frequency requires it.
    pub first: DateTime<Utc>,
    pub zone: Zone,
    pub processing_zone: ProcessingZone,
    pub uri_template: UriTemplate,
    pub done_flag: DoneFlag,
}

/// What marks an instance as complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DoneFlag {
    /// A file in its folder.
    File(String),
    /// The folder itself.
    Folder,
}

impl DoneFlag {
    /// Reads the value of a `done-flag`; the default is `_SUCCESS`.
    pub fn new(value: Option<&str>) -> DoneFlag {
        match value.map(str::trim) {
            None => DoneFlag::File("_SUCCESS".to_owned()),
            Some("") => DoneFlag::Folder,
            Some(name) => DoneFlag::File(name.to_owned()),
        }
    }
}

impl Dataset {
    /// The time of instance `k`. `None` before the first one, and beyond the range of the calendar.
    pub fn instance(&self, k: i64) -> Option<DateTime<Utc>> {
        if k < 0 {
            return None;
        }
        self.interval.occurrence(self.first, k, self.zone)
    }

    /// The number of the newest instance at or before `time`: `coord:current(0)` for that nominal time.
    ///
    /// Oozie steps from instance to instance, so it overshoots at the ends of months and fails when clocks go back; here each is
    /// computed from the first one.
    pub fn current(&self, time: DateTime<Utc>) -> Option<i64> {
        self.interval.last_until(self.first, time, self.zone)
    }

    /// The number of the oldest instance at or after `time`.
    pub fn first_from(&self, time: DateTime<Utc>) -> i64 {
        self.interval.first_from(self.first, time, self.zone)
    }

    /// The number of the instance at exactly this time.
    pub fn number_of(&self, time: DateTime<Utc>) -> Option<i64> {
        let k = self.current(time)?;
        (self.instance(k) == Some(time)).then_some(k)
    }

    pub fn uri(&self, time: DateTime<Utc>) -> String {
        self.uri_template.uri(time, self.processing_zone)
    }

    /// The URI that must exist for the instance at `uri` to be available. Tables have no done flag.
    pub fn done_uri(&self, uri: &str) -> String {
        match &self.done_flag {
            DoneFlag::File(name) if !uri.starts_with("hcat:") => {
                format!("{}/{name}", uri.trim_end_matches('/'))
            }
            DoneFlag::File(_) | DoneFlag::Folder => uri.to_owned(),
        }
    }
}
