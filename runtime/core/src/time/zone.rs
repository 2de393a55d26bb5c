//! Time zones by the names that Java's `TimeZone` knows (`DateUtils.getTimeZone`).

use std::fmt;

use chrono::{DateTime, Duration, FixedOffset, NaiveDateTime, Utc};

use crate::time::zone_database::ZonePlace;

/// The zone that a coordinator's or a dataset's days and months are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zone {
    /// `GMT+hh:mm`, and the old names whose offset never changes.
    Fixed(FixedOffset),
    Region(ZonePlace),
}

/// A text that names no zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZoneError {
    /// A name that may have been meant.
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

/// Java's three-letter names that follow the rules of a place.
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

/// Java's three-letter names that stand for an offset, in hours.
const OLD_OFFSETS: [(&str, i32); 3] = [("EST", -5), ("MST", -7), ("HST", -10)];

/// Names of the zone database that Java leaves out.
const NOT_IN_JAVA: [&str; 3] = ["GMT+0", "GMT-0", "ROC"];

impl Zone {
    pub const UTC: Zone = Zone::Region(ZonePlace::UTC);

    /// Reads a zone's name, without blanks around it.
    ///
    /// # Errors
    ///
    /// Oozie refuses the name: an unknown one, another case, `UTC+1`, `GMT+5:30`.
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

    /// Whether `name` is one of Java's 28 three-letter names, which say less than they seem to: `PST` has summer time.
    pub fn is_old_name(name: &str) -> bool {
        OLD_PLACES.iter().any(|(old, _)| *old == name)
            || OLD_OFFSETS.iter().any(|(old, _)| *old == name)
    }

    /// The place whose rules the zone follows; none for a plain offset.
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

    /// What the zone's clocks are ahead of UTC by.
    pub fn offset_at(self, instant: DateTime<Utc>) -> FixedOffset {
        match self {
            Zone::Fixed(offset) => offset,
            Zone::Region(place) => place.offset_at(instant.naive_utc()),
        }
    }

    /// What the zone's clocks show.
    pub fn local(self, instant: DateTime<Utc>) -> NaiveDateTime {
        instant.naive_utc() + self.offset_at(instant)
    }

    /// The instant at which the zone's clocks show `local`, as Java's `Calendar` has it: of two the later one, which is
    /// standard time; of none the one as long after the gap's start as `local` is.
    pub fn resolve_local(self, local: NaiveDateTime) -> DateTime<Utc> {
        let offset = match self {
            Zone::Fixed(offset) => Some(offset),
            Zone::Region(place) => place.offset_of_local(local),
        };
        let offset = offset.unwrap_or_else(|| {
            // No gap is longer than a day; before it the old offset still holds.
            let before = (local - Duration::days(1)).and_utc();
            self.offset_at(before - self.offset_at(before))
        });
        (local - offset).and_utc()
    }

    /// When the clocks are changed from `from` on and before `to`: the first instants of the new offsets.
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

    /// Whether the clocks are ever changed between two instants.
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

/// The zone that somebody may have meant who wrote `name`: another case, a missing zero.
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
