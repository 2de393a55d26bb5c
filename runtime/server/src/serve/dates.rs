//! Dates as Oozie's JSON has them: `Fri, 02 Jan 2009 23:00:00 GMT` (`JsonUtils.formatDateRfc822`).

use chrono::{DateTime, FixedOffset, NaiveDateTime, TimeZone, Utc};
use chrono_tz::Tz;

const FORMAT: &str = "%a, %d %b %Y %H:%M:%S";

/// The time zone that a client asked for.
#[derive(Clone, Debug)]
pub(crate) enum Zone {
    Gmt,
    Named(Tz),
    /// `GMT+02:00`, with its spelling.
    Offset(FixedOffset, String),
}

impl Zone {
    /// As `TimeZone.getTimeZone`: what is unknown is GMT.
    pub(crate) fn of(id: Option<&str>) -> Zone {
        let id = id.unwrap_or_default();
        // Java's short names of zones, of which some are no names of the time zone database.
        let id = match id {
            "PST" => "America/Los_Angeles",
            "CST" => "America/Chicago",
            "JST" => "Asia/Tokyo",
            "IST" => "Asia/Kolkata",
            "ECT" => "Europe/Paris",
            "CTT" => "Asia/Shanghai",
            "AST" => "America/Anchorage",
            "" | "GMT" => return Zone::Gmt,
            other => other,
        };
        if let Some(offset) = id.strip_prefix("GMT").and_then(fixed) {
            return Zone::Offset(offset, id.to_owned());
        }
        id.parse().map_or(Zone::Gmt, Zone::Named)
    }

    /// A time in milliseconds since 1970.
    pub(crate) fn write(&self, millis: i64) -> Option<String> {
        let time = DateTime::from_timestamp_millis(millis)?;
        Some(match self {
            Zone::Gmt => format!("{} GMT", time.format(FORMAT)),
            Zone::Named(zone) => {
                let local = time.with_timezone(zone);
                local.format(&format!("{FORMAT} %Z")).to_string()
            }
            Zone::Offset(offset, name) => {
                format!("{} {name}", time.with_timezone(offset).format(FORMAT))
            }
        })
    }

    pub(crate) fn maybe(&self, millis: Option<i64>) -> Option<String> {
        millis.and_then(|millis| self.write(millis))
    }
}

/// `+02:00`, `-8`.
fn fixed(text: &str) -> Option<FixedOffset> {
    let sign = match text.get(..1)? {
        "+" => 1,
        "-" => -1,
        _ => return None,
    };
    let (hours, minutes) = text[1..].split_once(':').unwrap_or((&text[1..], "0"));
    let (hours, minutes): (i32, i32) = (hours.parse().ok()?, minutes.parse().ok()?);
    let is_valid = (0..24).contains(&hours) && (0..60).contains(&minutes);
    is_valid.then(|| FixedOffset::east_opt(sign * (hours * 3600 + minutes * 60)))?
}

/// `2009-01-01T00:00Z` in milliseconds since 1970.
pub(crate) fn parse_minute(text: &str) -> Option<i64> {
    let parsed = NaiveDateTime::parse_from_str(text.trim(), "%Y-%m-%dT%H:%MZ").ok()?;
    Some(Utc.from_utc_datetime(&parsed).timestamp_millis())
}

/// `-10d`, `3h`, `30m`: how long, in milliseconds; the sign is ignored.
pub(crate) fn parse_span(text: &str) -> Option<i64> {
    let text = text.trim().trim_start_matches('-');
    let unit = match text.chars().last()? {
        'd' => 86_400_000,
        'h' => 3_600_000,
        'm' => 60_000,
        _ => return None,
    };
    let number: i64 = text.get(..text.len() - 1)?.parse().ok()?;
    (number >= 0).then(|| number.checked_mul(unit))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_in_the_zone_that_is_asked_for() {
        let time = 1_795_600_205_585;
        for (zone, expected) in [
            (None, "Wed, 25 Nov 2026 09:50:05 GMT"),
            (Some("UTC"), "Wed, 25 Nov 2026 09:50:05 UTC"),
            (Some("PST"), "Wed, 25 Nov 2026 01:50:05 PST"),
            (Some("America/Los_Angeles"), "Wed, 25 Nov 2026 01:50:05 PST"),
            (Some("Asia/Tokyo"), "Wed, 25 Nov 2026 18:50:05 JST"),
            (Some("GMT+02:00"), "Wed, 25 Nov 2026 11:50:05 GMT+02:00"),
            (Some("Nowhere/Land"), "Wed, 25 Nov 2026 09:50:05 GMT"),
            (Some("GMT+99:99"), "Wed, 25 Nov 2026 09:50:05 GMT"),
        ] {
            let written = Zone::of(zone).write(time);
            assert_eq!(written.as_deref(), Some(expected), "{zone:?}");
        }
    }

    #[test]
    fn times_of_filters_are_dates_or_spans() {
        assert_eq!(parse_minute("1970-01-01T00:01Z"), Some(60_000));
        assert_eq!(parse_minute("x"), None);
        assert_eq!(parse_span("-2h"), Some(7_200_000));
        assert_eq!(parse_span("30m"), Some(1_800_000));
        for bad in ["", "-", "x", "5y", "é", "99999999999999999d"] {
            assert_eq!(parse_span(bad), None, "{bad}");
        }
    }
}
