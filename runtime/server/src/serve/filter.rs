//! The filter of lists of jobs: `name=value;name=value`, the same name is "or", different names are "and".
//!
//! As `DagEngine.parseFilter`, `CoordinatorEngine.parseJobsFilter` and `BundleEngine.parseFilter`.

use hpdlc_core::{coordinator::CoordinatorStatus, status::JobStatus};
use hpdlc_host::{clock, job_id::JobKind};

use crate::serve::{dates, failure::Failure};

/// Which jobs are meant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Filter {
    pub(crate) users: Vec<String>,
    pub(crate) names: Vec<String>,
    pub(crate) groups: Vec<String>,
    pub(crate) statuses: Vec<String>,
    pub(crate) ids: Vec<String>,
    /// Minutes, or the number of another unit.
    pub(crate) frequencies: Vec<i64>,
    /// As in the stored text: `minute`, `day`, `month`.
    pub(crate) unit: Option<&'static str>,
    /// Part of the name, user or id.
    pub(crate) text: Option<String>,
    pub(crate) created_from: Option<i64>,
    pub(crate) created_to: Option<i64>,
    pub(crate) by_last_change: bool,
}

/// Why a text is no filter.
#[derive(Debug)]
pub(crate) enum WrongFilter {
    /// A name that is not one of a filter.
    Name {
        name: String,
        failure: Failure,
    },
    Other(Failure),
}

impl From<Failure> for WrongFilter {
    fn from(failure: Failure) -> WrongFilter {
        WrongFilter::Other(failure)
    }
}

impl From<WrongFilter> for Failure {
    fn from(wrong: WrongFilter) -> Failure {
        match wrong {
            WrongFilter::Name { failure, .. } | WrongFilter::Other(failure) => failure,
        }
    }
}

/// # Errors
///
/// E0420 with the words of Oozie; E0603 for a time that cannot be read and for two texts.
pub(crate) fn parse(text: &str, kind: JobKind) -> Result<Filter, WrongFilter> {
    let wrong =
        |problem: &str| Failure::coded("E0420", format!("Invalid jobs filter [{text}], {problem}"));
    let in_sql = |problem: &str| {
        Failure::coded(
            "E0603",
            format!("SQL error in operation, E0302: Invalid parameter [{problem}]"),
        )
    };
    let mut filter = Filter::default();
    let mut unit = None;
    let mut hours = false;
    for part in text.split(';').filter(|part| !part.is_empty()) {
        let (name, value) = match part.split_once('=') {
            Some((name, value)) if !value.is_empty() && !value.contains('=') => (name, value),
            _ => {
                return Err(wrong("elements must be semicolon-separated name=value pairs").into());
            }
        };
        let name = name.to_lowercase();
        let value_of = value.to_owned();
        match (name.as_str(), kind) {
            ("user", _) => filter.users.push(value_of),
            ("name", _) => filter.names.push(value_of),
            ("group", _) => filter.groups.push(value_of),
            ("id", _) => filter.ids.push(value_of),
            ("status", _) => {
                if !is_status(value, kind) {
                    return Err(wrong(&format!("invalid status [{value}]")).into());
                }
                filter.statuses.push(value_of);
            }
            ("sortby", _) => filter.by_last_change = value == "lastModifiedTime",
            ("startcreatedtime" | "endcreatedtime", _) => {
                let time = dates::parse_minute(value)
                    .or_else(|| Some(clock::now_millis() - dates::parse_span(value)?))
                    .ok_or_else(|| in_sql(&format!("Unsupported time format: {value} Specify time either in UTC format (yyyy-MM-dd'T'HH:mm'Z') or a offset value in days/hours/minutes e.g. (-2d/h/m) from the current time.")))?;
                match name.as_str() {
                    "startcreatedtime" => filter.created_from = Some(time),
                    _ => filter.created_to = Some(time),
                }
            }
            ("text", _) if filter.text.is_some() => {
                return Err(in_sql("cannot specify multiple strings to search").into());
            }
            ("text", _) => filter.text = Some(value_of),
            ("frequency", JobKind::Coordinator) => {
                let number = value.parse().map_err(|_| {
                    wrong(&format!(
                        "invalid value [{value}] for frequency. A numerical value is expected"
                    ))
                })?;
                filter.frequencies.push(number);
            }
            ("unit", JobKind::Coordinator) => {
                hours = value.eq_ignore_ascii_case("hours");
                unit = Some(match value.to_lowercase().as_str() {
                    "minutes" | "hours" => "minute",
                    "days" => "day",
                    "months" => "month",
                    _ => {
                        return Err(wrong(&format!(
                            "invalid value [{value}] for time unit. Valid value is one of months, days, hours or minutes"
                        )).into());
                    }
                });
            }
            _ => {
                let failure = wrong(&format!("invalid name [{name}]"));
                return Err(WrongFilter::Name { name, failure });
            }
        }
    }
    if unit.is_some() && filter.frequencies.is_empty() {
        return Err(wrong(
            "time unit should be added only when frequency is specified. Either specify frequency also or else remove the time unit",
        ).into());
    }
    if hours {
        for frequency in &mut filter.frequencies {
            *frequency = frequency.saturating_mul(60);
        }
    }
    filter.unit = unit;
    Ok(filter)
}

fn is_status(name: &str, kind: JobKind) -> bool {
    match kind {
        JobKind::Workflow => JobStatus::from_name(name).is_some(),
        // PREMATER is Oozie's alone: no job here is in it.
        JobKind::Coordinator | JobKind::Bundle => {
            name == "PREMATER" || CoordinatorStatus::from_name(name).is_some()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_has_the_words_of_oozie_where_it_is_wrong() {
        let filter = parse("status=RUNNING;STATUS=PREP;name=a;", JobKind::Workflow).unwrap();
        assert_eq!(filter.statuses, ["RUNNING", "PREP"]);
        assert_eq!(filter.names, ["a"]);
        let hourly = parse("frequency=2;unit=hours", JobKind::Coordinator).unwrap();
        assert_eq!(
            (hourly.frequencies, hourly.unit),
            (vec![120], Some("minute"))
        );
        for (text, expected) in [
            (
                "status=succeeded",
                "[status=succeeded], invalid status [succeeded]",
            ),
            ("=x", "[=x], invalid name []"),
            (
                "name=a=b",
                "[name=a=b], elements must be semicolon-separated name=value pairs",
            ),
            (
                "status=",
                "[status=], elements must be semicolon-separated name=value pairs",
            ),
            ("unit=hours", "[unit=hours], invalid name [unit]"),
            ("status!=KILLED", "[status!=KILLED], invalid name [status!]"),
        ] {
            let failure = Failure::from(parse(text, JobKind::Workflow).unwrap_err());
            assert_eq!(
                failure.message,
                format!("E0420: Invalid jobs filter {expected}")
            );
        }
        let twice = Failure::from(parse("text=a;text=b", JobKind::Workflow).unwrap_err());
        assert_eq!(twice.code.as_deref(), Some("E0603"));
    }
}
