//! Time zones by the names of Java's `TimeZone` (`DateUtils.getTimeZone`).

use std::fmt;

use chrono::{DateTime, Duration, FixedOffset, NaiveDateTime, Utc};

use crate::time::zone_database::ZonePlace;

/// The time zone of a coordinator's or a dataset's days and months.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zone {
    /// `GMT+hh:mm`, and the legacy names whose offset never changes.
    Fixed(FixedOffset),
    Region(ZonePlace),
}

/// A text that is not a zone name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZoneError {
    /// A suggested name.
    pub meant: Option<String>,
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Zone::Fixed(offset) => write!(f, "GMT{offset}"),
            Zone::Region(place) => f.write_str(place.name()),
        }
    }
}

/// Java's three-letter names that follow the rules of a location.
const OLD_PLACES: [(&str, &str); 25] = [
    ("ACT", "Australia/Darwin"),
    ("AET", "Australia/Sydney"),
    ("AGT", "America/Argentina/Buenos_Aires"),
    ("ART", "Africa/Cairo"),
    ("AST", "America/Anchorage"),
    ("BET", "America/Sao_Paulo"),
    ("BST", "Asia/Dhaka"),
    ("CAT", "Africa/Harare"),
    ("CNT", "America/St_Johns"),
    ("CST", "America/Chicago"),
    ("CTT", "Asia/Shanghai"),
    ("EAT", "Africa/Addis_Ababa"),
    ("ECT", "Europe/Paris"),
    ("IET", "America/Indiana/Indianapolis"),
    ("IST", "Asia/Kolkata"),
    ("JST", "Asia/Tokyo"),
    ("MIT", "Pacific/Apia"),
    ("NET", "Asia/Yerevan"),
    ("NST", "Pacific/Auckland"),
    ("PLT", "Asia/Karachi"),
    ("PNT", "America/Phoenix"),
    ("PRT", "America/Puerto_Rico"),
    ("PST", "America/Los_Angeles"),
    ("SST", "Pacific/Guadalcanal"),
    ("VST", "Asia/Ho_Chi_Minh"),
];

/// Java's three-letter names for a fixed offset, in hours.
const OLD_OFFSETS: [(&str, i32); 3] = [("EST", -5), ("MST", -7), ("HST", -10)];

/// Names of the zone database that Java does not have.
const NOT_IN_JAVA: [&str; 3] = ["GMT+0", "GMT-0", "ROC"];

impl Zone {
    pub const UTC: Zone = Zone::Region(ZonePlace::UTC);

    /// Parses a zone's name, without surrounding blanks.
    ///
    /// # Errors
    ///
    /// A name that Oozie refuses: unknown, in another letter case, `UTC+1`, `GMT+5:30`.
    pub fn parse(name: &str) -> Result<Zone, ZoneError> {
        if let Some(offset) = gmt_offset(name) {
            return Ok(Zone::Fixed(offset));
        }
        if let Some((_, hours)) = OLD_OFFSETS.iter().find(|(old, _)| *old == name) {
            return Ok(Zone::Fixed(offset_of_minutes(hours * 60)));
        }
        let of_old = OLD_PLACES.iter().find(|(old, _)| *old == name);
        match ZonePlace::find(of_old.map_or(name, |(_, place)| place)) {
            Some(place) if !NOT_IN_JAVA.contains(&name) => Ok(Zone::Region(place)),
            Some(_) | None => Err(ZoneError { meant: meant(name) }),
        }
    }

    /// Whether `name` is one of Java's 28 three-letter names, which are misleading: `PST` has daylight saving time.
    pub fn is_old_name(name: &str) -> bool {
        OLD_PLACES.iter().any(|(old, _)| *old == name)
            || OLD_OFFSETS.iter().any(|(old, _)| *old == name)
    }

    /// The location whose rules the zone follows; `None` for a fixed offset.
    pub fn place(self) -> Option<&'static str> {
        match self {
            Zone::Fixed(_) => None,
            Zone::Region(place) => Some(place.name()),
        }
    }

    /// Every name of the zone database.
    pub fn names() -> impl Iterator<Item = &'static str> {
        ZonePlace::names()
    }

    /// The zone's offset from UTC.
    pub fn offset_at(self, instant: DateTime<Utc>) -> FixedOffset {
        match self {
            Zone::Fixed(offset) => offset,
            Zone::Region(place) => place.offset_at(instant.naive_utc()),
        }
    }

    /// The zone's local time.
    pub fn local(self, instant: DateTime<Utc>) -> NaiveDateTime {
        instant.naive_utc() + self.offset_at(instant)
    }

    /// The instant of a local time, as in Java's `Calendar`: of two the later one, which is standard time; in a gap the one as
    /// long after the gap's start as `local` is.
    pub fn resolve_local(self, local: NaiveDateTime) -> DateTime<Utc> {
        let offset = match self {
            Zone::Fixed(offset) => Some(offset),
            Zone::Region(place) => place.offset_of_local(local),
        };
        let offset = offset.unwrap_or_else(|| {
            // No gap is longer than a day; a day earlier the old offset still applies.
            let before = (local - Duration::days(1)).and_utc();
            self.offset_at(before - self.offset_at(before))
        });
        (local - offset).and_utc()
    }

    /// The clock changes from `from` to before `to`: the first instants of the new offsets.
    pub fn changes(self, from: DateTime<Utc>, to: DateTime<Utc>) -> Vec<DateTime<Utc>> {
        let mut changes = Vec::new();
        let mut day = from;
        while day < to {
            let next = (day + Duration::days(1)).min(to);
            if self.offset_at(day) != self.offset_at(next) {
                let (mut old, mut new) = (day, next);
                while new - old > Duration::seconds(1) {
                    let middle = old + (new - old) / 2;
                    if self.offset_at(middle) == self.offset_at(day) {
                        old = middle;
                    } else {
                        new = middle;
                    }
                }
                let exact = new - Duration::nanoseconds(i64::from(new.timestamp_subsec_nanos()));
                changes.push(exact);
            }
            day = next;
        }
        changes.retain(|change| *change < to);
        changes
    }

    /// Whether there is a clock change between two instants.
    pub fn has_changes(self, from: DateTime<Utc>, to: DateTime<Utc>) -> bool {
        let mut day = from;
        let first = self.offset_at(from);
        while day < to {
            if self.offset_at(day) != first {
                return true;
            }
            day += Duration::days(7);
        }
        self.offset_at(to) != first
    }
}

impl fmt::Display for ZoneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no time zone has this name")
    }
}

impl std::error::Error for ZoneError {}

/// The offset in `GMT+hh:mm` or `GMT+hhmm`.
pub(super) fn gmt_offset(name: &str) -> Option<FixedOffset> {
    let rest = name.strip_prefix("GMT")?;
    let (sign, digits) = match rest.as_bytes() {
        [b'+', ..] => (1, &rest[1..]),
        [b'-', ..] => (-1, &rest[1..]),
        _ => return None,
    };
    let digits: Vec<i32> = match digits.as_bytes() {
        [a, b, b':', c, d] | [a, b, c, d] => [a, b, c, d]
            .into_iter()
            .filter(|digit| digit.is_ascii_digit())
            .map(|digit| i32::from(digit - b'0'))
            .collect(),
        _ => return None,
    };
    let [a, b, c, d] = digits[..] else {
        return None;
    };
    let (hours, minutes) = (10 * a + b, 10 * c + d);
    (hours < 24 && minutes < 60).then(|| offset_of_minutes(sign * (60 * hours + minutes)))
}

fn offset_of_minutes(minutes: i32) -> FixedOffset {
    FixedOffset::east_opt(60 * minutes).expect("less than a day")
}

/// The zone probably meant by `name`: another letter case, a missing zero.
fn meant(name: &str) -> Option<String> {
    let same = Zone::names().find(|known| known.eq_ignore_ascii_case(name));
    if let Some(same) = same {
        return Some(same.to_owned());
    }
    let upper = name.to_ascii_uppercase();
    if Zone::is_old_name(&upper) {
        return Some(upper);
    }
    let rest = upper
        .strip_prefix("GMT")
        .or_else(|| upper.strip_prefix("UTC"))?;
    let (sign, digits) = rest.split_at_checked(1)?;
    if !["+", "-"].contains(&sign) {
        return None;
    }
    let (hours, minutes) = digits.split_once(':').unwrap_or((digits, "00"));
    let full = format!("GMT{sign}{hours:0>2}:{minutes:0>2}");
    gmt_offset(&full).map(|_| full)
}
