//! Some of the actions of a coordinator, as `type` and `scope` name them: by number, or by nominal time.

use chrono::{NaiveDateTime, TimeZone, Utc};
use hpdlc_engine::control::coordinator_request::Selection;
use hpdlc_store::{
    JobRow,
    coordinators::{self, CoordinatorActionRow},
    sql::Connection,
};

use crate::serve::{call::Call, failure::Failure};

/// The actions that are named by `type` (`action` or `date`) and `scope`; `None` for another type.
pub(crate) fn of(kind: &str, scope: &str) -> Option<Selection> {
    match kind {
        "action" => Some(Selection::Actions(scope.to_owned())),
        "date" => Some(Selection::Dates(scope.to_owned())),
        _ => None,
    }
}

/// The numbers in `1,3-4` as ranges in their order, both ends included, each number once (`CoordUtils.getCoordActionsFromIds`).
///
/// # Errors
///
/// E0302 with Oozie's words.
pub(crate) fn numbers(text: &str) -> Result<Vec<(u64, u64)>, Failure> {
    let number = |text: &str| {
        text.trim().parse::<u64>().map_err(|_| {
            Failure::parameter(&format!(
                "format is wrong for action id'{}'. Integer only.",
                text.trim()
            ))
        })
    };
    let mut ranges = Vec::new();
    for part in text
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
    {
        let (from, to) = match part.split_once('-') {
            Some((from, to)) => (number(from)?, number(to)?),
            None => (number(part)?, number(part)?),
        };
        if from > to {
            return Err(Failure::parameter(&format!(
                "format is wrong for action's range '{part}', starting actionnumber of the range should be less than ending action number, an example will be 1-4"
            )));
        }
        ranges.push((from, to));
    }
    ranges.sort_unstable();
    let mut apart: Vec<(u64, u64)> = Vec::new();
    for (from, to) in ranges {
        match apart.last_mut() {
            Some((_, last)) if from <= *last => *last = to.max(*last),
            _ => apart.push((from, to)),
        }
    }
    Ok(apart)
}

/// `2009-01-01T00:00Z::2009-02-01T00:00Z`, or one time, in milliseconds; several with commas between.
fn times(text: &str) -> Result<Vec<(i64, i64)>, Failure> {
    let time = |text: &str| {
        let parsed = NaiveDateTime::parse_from_str(text.trim(), "%Y-%m-%dT%H:%MZ");
        parsed
            .map(|time| Utc.from_utc_datetime(&time).timestamp_millis())
            .map_err(|_| {
                Failure::coded("E0308", format!(
                    "Could not parse date range parameter [Error in parsing start or end date. java.text.ParseException: Could not parse [{}] using [yyyy-MM-dd'T'HH:mm'Z'] mask]",
                    text.trim()
                ))
            })
    };
    text.split(',')
        .filter(|part| !part.trim().is_empty())
        .map(|part| match part.split_once("::") {
            Some((from, to)) => Ok((time(from)?, time(to)?)),
            None => Ok((time(part)?, time(part)?)),
        })
        .collect()
}

/// The rows of selected actions that exist.
///
/// # Errors
///
/// E0302 or E0308 if the selection cannot be read.
pub(crate) fn rows(
    call: &Call,
    connection: &Connection,
    job: &JobRow,
    selection: &Selection,
) -> Result<Vec<CoordinatorActionRow>, Failure> {
    let failed = |error| call.server.failed(error);
    let mut rows: Vec<CoordinatorActionRow> = Vec::new();
    match selection {
        Selection::Dates(text) => {
            for (from, to) in times(text)? {
                let found = coordinators::actions_between(connection, &job.id, from, to);
                rows.extend(found.map_err(failed)?);
            }
        }
        Selection::Actions(text) => {
            let row = coordinators::coordinator(connection, &job.id).map_err(failed)?;
            let last = row.map_or(0, |row| row.record.last_number);
            for (from, to) in numbers(text)? {
                for number in from.max(1)..=to.min(last) {
                    let found = coordinators::action(connection, &job.id, number);
                    rows.extend(found.map_err(failed)?);
                }
            }
        }
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_are_numbers_and_ranges_of_them() {
        assert_eq!(numbers("1, 3-4").unwrap(), [(1, 1), (3, 4)]);
        assert_eq!(numbers("3-5,1-4,5,1-2,9").unwrap(), [(1, 5), (9, 9)]);
        for bad in ["x", "3-1", "1-x", "-", "99999999999999999999"] {
            assert_eq!(
                numbers(bad).unwrap_err().code.as_deref(),
                Some("E0302"),
                "{bad}"
            );
        }
        assert_eq!(
            times("1970-01-01T00:01Z::1970-01-01T00:02Z").unwrap(),
            [(60_000, 120_000)]
        );
        assert_eq!(times("x::y").unwrap_err().code.as_deref(), Some("E0308"));
    }
}
