//! Date functions: `coord:dateOffset`, `coord:dateTzOffset`, `coord:formatTime`, `coord:epochTime`.

use chrono::{DateTime, Utc};

use crate::{
    coordinator::java_date_format,
    el::error::ElError,
    time::{self, ProcessingZone, TimeUnit, Zone},
};

/// Parses a date argument of `function`.
pub(super) fn read(
    function: &str,
    text: &str,
    zone: ProcessingZone,
) -> Result<DateTime<Utc>, ElError> {
    zone.read(text).map(|read| read.instant).map_err(|error| {
        ElError::function(function, format_args!("`{text}` is no date: {error}"))
            .with_help(format!("the form is `yyyy-MM-ddTHH:mm{}`", zone.ending()))
    })
}

/// Parses the name of a unit (`TimeUnit`). Ends of periods count as the periods.
pub(super) fn unit(function: &str, name: &str) -> Result<TimeUnit, ElError> {
    let plain = match name {
        "END_OF_DAY" => "DAY",
        "END_OF_WEEK" => "WEEK",
        "END_OF_MONTH" => "MONTH",
        other => other,
    };
    let mut units = TimeUnit::ALL.into_iter();
    units.find(|unit| unit.name() == plain).ok_or_else(|| {
        ElError::function(function, format_args!("`{name}` is no unit of time"))
            .with_help("the units are MINUTE, HOUR, DAY, WEEK, MONTH and YEAR")
    })
}

/// `coord:dateOffset(base, n, unit)`: in the processing time zone, which has no daylight saving time.
pub(super) fn offset(
    base: &str,
    n: i64,
    unit_name: &str,
    zone: ProcessingZone,
) -> Result<String, ElError> {
    const NAME: &str = "coord:dateOffset";
    let base = read(NAME, base, zone)?;
    let unit = unit(NAME, unit_name)?;
    match time::add(base, n, unit, Zone::Fixed(zone.offset())) {
        Some(moved) => Ok(zone.write(moved)),
        None => Err(ElError::function(
            NAME,
            format_args!("{n} is beyond the calendar"),
        )),
    }
}

/// `coord:dateTzOffset(base, zone)`: the local time in the zone, but with the suffix of the processing time zone.
pub(super) fn tz_offset(
    base: &str,
    zone_name: &str,
    zone: ProcessingZone,
) -> Result<String, ElError> {
    let base = read(TZ_OFFSET, base, zone)?;
    let other = other_zone(zone_name)?;
    let difference = other.offset_at(base).local_minus_utc() - zone.offset().local_minus_utc();
    let moved = base.checked_add_signed(chrono::Duration::seconds(i64::from(difference)));
    Ok(zone.write(moved.unwrap_or(base)))
}

const TZ_OFFSET: &str = "coord:dateTzOffset";

/// Parses the zone argument of `coord:dateTzOffset`.
pub(super) fn other_zone(name: &str) -> Result<Zone, ElError> {
    Zone::parse(name.trim()).map_err(|error| {
        let plain = ElError::function(TZ_OFFSET, format_args!("`{name}`: {error}"));
        match error.meant {
            Some(meant) => plain.with_help(format!("did you mean `{meant}`?")),
            None => plain,
        }
    })
}

/// `coord:formatTime(date, pattern)`: always in the processing time zone.
pub(super) fn format(date: &str, pattern: &str, zone: ProcessingZone) -> Result<String, ElError> {
    const NAME: &str = "coord:formatTime";
    let instant = read(NAME, date, zone)?;
    java_date_format::format(instant, pattern, zone)
        .map_err(|problem| ElError::function(NAME, problem))
}

/// `coord:epochTime(date, millis)`: milliseconds since 1970 if `millis` is `true`, else seconds.
pub(super) fn epoch(date: &str, millis: &str, zone: ProcessingZone) -> Result<String, ElError> {
    let instant = read("coord:epochTime", date, zone)?;
    let number = if millis.eq_ignore_ascii_case("true") {
        instant.timestamp_millis()
    } else {
        instant.timestamp()
    };
    Ok(number.to_string())
}
