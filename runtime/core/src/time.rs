//! Time as in Oozie's coordinators: dates as text, time zones by Java's names, calendar arithmetic.
//!
//! Instants are [`DateTime<Utc>`](chrono::DateTime), in whole minutes. There is no clock here: callers pass the time.

mod calendar;
mod date_time;
pub(crate) mod names;
mod zone;
mod zone_database;

#[cfg(test)]
mod tests;

pub(crate) use self::date_time::push_two_digits;
pub use self::{
    calendar::{EndOf, TimeUnit, add, end_of},
    date_time::{DateExtension, DateTimeError, ProcessingZone, ReadDateTime},
    zone::{Zone, ZoneError},
};
