//! Constant arguments of functions, checked before there is a job.

use chrono::{DateTime, Utc};

use crate::{
    coordinator::{arguments::whole_number, dates, java_date_format},
    el::error::ElError,
    time::{DateTimeError, ProcessingZone},
};

/// An argument that no call can be made with, and what is wrong with it.
#[derive(Clone, Debug, PartialEq)]
pub struct RefusedConstant {
    /// Counted from 0.
    pub at: usize,
    pub error: ElError,
}

/// Checks the arguments of `coord:NAME` that are constants, the others being `None`. Without a processing time zone, dates of
/// every zone are accepted.
///
/// # Errors
///
/// The first argument with which the function fails in every job.
pub fn check_constants(
    name: &str,
    args: &[Option<&str>],
    zone: Option<ProcessingZone>,
) -> Result<(), RefusedConstant> {
    let function = format!("coord:{name}");
    let date = |text: &str| date(&function, text, zone);
    let nothing = |_: &str| Ok(());
    let unit = |text: &str| dates::unit(&function, text).map(|_| ());
    let number = |text: &str| whole_number(name, text).map(|_| ());
    let other_zone = |text: &str| dates::other_zone(text).map(|_| ());
    let pattern = |text: &str| {
        java_date_format::format(DateTime::<Utc>::UNIX_EPOCH, text, ProcessingZone::UTC)
            .map(|_| ())
            .map_err(|problem| ElError::function(&function, problem))
    };
    type Check<'c> = &'c dyn Fn(&str) -> Result<(), ElError>;
    let checks: &[Check<'_>] = match name {
        "dateOffset" => &[&date, &number, &unit],
        "dateTzOffset" => &[&date, &other_zone],
        "formatTime" => &[&date, &pattern],
        "epochTime" => &[&date, &nothing],
        _ => &[],
    };
    for (at, (check, arg)) in checks.iter().zip(args).enumerate() {
        if let Some(Err(error)) = arg.map(check) {
            return Err(RefusedConstant { at, error });
        }
    }
    Ok(())
}

/// Whether the function returns a date, which is never a number.
pub fn returns_date(name: &str) -> bool {
    matches!(
        name,
        "nominalTime" | "actualTime" | "dateOffset" | "dateTzOffset"
    )
}

fn date(function: &str, text: &str, zone: Option<ProcessingZone>) -> Result<(), ElError> {
    let zone_or_utc = zone.unwrap_or_default();
    match zone_or_utc.read(text) {
        Err(DateTimeError::Ending)
            if zone.is_none() && ProcessingZone::of_ending(text).is_some() =>
        {
            Ok(())
        }
        _ => dates::read(function, text, zone_or_utc).map(|_| ()),
    }
}
