//! `sla`: the service levels of jobs and actions, as the API of version 2 lists them. Version 1 has [`events`] in their place; what changes
//! them is in [`alerts`].

use axum::http::{Method, StatusCode};
use hpdlc_host::clock;
use hpdlc_store::{JobRow, SlaRow};

use crate::{
    api::level::{SlaDate, SlaSummaries, SlaSummary},
    serve::{
        call::Call,
        dates,
        failure::Failure,
        found, listing,
        query::Version,
        reply::{self, Reply},
        wire::workflow::owner,
    },
};

pub(crate) mod alerts;
mod events;

const MINUTE: i64 = 60_000;

/// `SLAServlet`, `V2SLAServlet`.
pub(crate) fn sla(call: &Call) -> Reply {
    if !call.rest.is_empty() {
        return Err(Failure::resource(&call.rest));
    }
    call.expect_method(&[Method::GET])?;
    if call.version == Version::V1 {
        return events::events(call);
    }
    let text = call.parameters.filled("filter");
    let filter = Filter::parse(text.ok_or_else(|| Failure::missing("filter"))?)?;
    let is_descending = match call.parameters.get("order") {
        None | Some("asc") => false,
        Some("desc") => true,
        Some(other) => return Err(Failure::value("order", other)),
    };
    let failed = |failure: Failure| failure.with_status(StatusCode::INTERNAL_SERVER_ERROR);
    if let Some(column) = call.parameters.get("sortby")
        && column != "nominalTime"
    {
        return Err(failed(Failure::value(
            &format!("invalid sortby column: {column}"),
            "{1}",
        )));
    }
    let len = match call.parameters.number("len") {
        Ok(len) => len.filter(|len| *len > 0).unwrap_or(1_000),
        Err(wrong) => return Err(failed(Failure::runtime(&wrong.message))),
    };
    let connection = call.server.store()?;
    let most = usize::try_from(len).unwrap_or(usize::MAX);
    let found = levels(call, &connection, &filter, is_descending, most)?;
    reply::json(&SlaSummaries {
        sla_summary_list: found.into_iter().map(|(_, summary)| summary).collect(),
    })
}

/// The service levels that fit a filter, by their nominal time, with the jobs that have them.
pub(crate) fn levels(
    call: &Call,
    connection: &hpdlc_store::sql::Connection,
    filter: &Filter,
    is_descending: bool,
    most: usize,
) -> Result<Vec<(JobRow, SlaSummary)>, Failure> {
    let rows = listing::service_levels(connection, is_descending);
    let mut summaries = Vec::new();
    for row in rows.map_err(|error| call.server.failed(error))? {
        if summaries.len() >= most {
            break;
        }
        let Some(job) = found::job(call, connection, &row.job_id)? else {
            continue;
        };
        let status = status(call, connection, &job, &row)?;
        let subject = Subject::of(&job, &row, status);
        if filter.takes(&subject, &row) {
            let summary = summary(call, &subject, &row);
            summaries.push((job, summary));
        }
    }
    Ok(summaries)
}

/// The state of the job or the action.
fn status(
    call: &Call,
    connection: &hpdlc_store::sql::Connection,
    job: &JobRow,
    row: &SlaRow,
) -> Result<String, Failure> {
    let failed = |error| call.server.failed(error);
    let Some(node) = &row.node else {
        return found::status(call, connection, job);
    };
    if let Ok(number) = node.parse() {
        let action = hpdlc_store::coordinators::action(connection, &job.id, number);
        if let Some(action) = action.map_err(failed)? {
            return Ok(action.record.status.name().to_owned());
        }
    }
    let action = hpdlc_store::query::action(connection, &job.id, node).map_err(failed)?;
    Ok(action.map_or_else(
        || "PREP".to_owned(),
        |row| row.shown_status().name().to_owned(),
    ))
}

/// Whose service level it is.
struct Subject<'a> {
    id: String,
    parent: Option<&'a str>,
    kind: &'static str,
    job: &'a JobRow,
    user: String,
    status: String,
}

impl Subject<'_> {
    fn of<'a>(job: &'a JobRow, row: &'a SlaRow, status: String) -> Subject<'a> {
        let (id, parent) = match &row.node {
            None => (job.id.clone(), None),
            Some(node) => (format!("{}@{node}", job.id), Some(job.id.as_str())),
        };
        Subject {
            id,
            parent,
            kind: kind(row),
            job,
            user: owner(job),
            status,
        }
    }
}

/// What has the service level, in the words of `AppType`.
fn kind(row: &SlaRow) -> &'static str {
    match &row.node {
        None => "WORKFLOW_JOB",
        Some(_) if row.job_id.ends_with("-C") => "COORDINATOR_ACTION",
        Some(_) => "WORKFLOW_ACTION",
    }
}

/// The events so far, which `eventStatus` lists.
fn events(row: &SlaRow) -> Vec<&'static str> {
    [&row.state.start, &row.state.duration, &row.state.end]
        .into_iter()
        .flatten()
        .map(|fired| fired.event.name())
        .collect()
}

/// `SLASummaryBean.toJSONObject`: dates in milliseconds unless a time zone was asked for; what has no value is left out.
fn summary(call: &Call, subject: &Subject<'_>, row: &SlaRow) -> SlaSummary {
    let (record, state) = (&row.record, &row.state);
    let date = |millis: Option<i64>| match call.parameters.get("timezone") {
        None => millis.map(SlaDate::Millis),
        Some(_) => call.zone.maybe(millis).map(SlaDate::Text),
    };
    let actual_duration = match (state.actual_start, state.actual_end) {
        (Some(start), Some(end)) => end - start,
        (Some(start), None) if record.expected_duration.is_some() => clock::now_millis() - start,
        _ => -1,
    };
    let delay = |expected: Option<i64>, actual: Option<i64>| {
        Some((actual.unwrap_or_else(clock::now_millis) - expected?) / MINUTE)
    };
    let has_duration = record.expected_duration.filter(|_| actual_duration >= 0);
    let last = [&state.start, &state.duration, &state.end]
        .into_iter()
        .flatten()
        .map(|it| it.at);
    let last = last.chain(state.actual_start).chain(state.actual_end).max();
    SlaSummary {
        id: subject.id.clone(),
        parent_id: subject.parent.map(str::to_owned),
        app_name: subject.job.app.clone(),
        app_type: subject.kind.to_owned(),
        user: subject.user.clone(),
        nominal_time: date(Some(record.nominal)),
        expected_start: date(record.expected_start),
        actual_start: date(state.actual_start),
        start_delay: delay(record.expected_start, state.actual_start),
        expected_end: date(Some(record.expected_end)),
        actual_end: date(state.actual_end),
        end_delay: delay(Some(record.expected_end), state.actual_end),
        expected_duration: record.expected_duration.unwrap_or(-1),
        actual_duration,
        duration_delay: has_duration.map(|it| (actual_duration - it) / MINUTE),
        job_status: subject.status.clone(),
        sla_status: state.status.name().to_owned(),
        event_status: events(row).join(","),
        last_modified: date(last.or(Some(subject.job.created))),
        sla_alert_status: if row.is_silent { "Disabled" } else { "Enabled" }.to_owned(),
    }
}

/// The filter of version 2: every part must fit; `,` between names of events and states is "or".
#[derive(Debug, Default)]
pub(crate) struct Filter {
    texts: Vec<(String, String)>,
    /// What is compared, whether the value is the least, and the value.
    bounds: Vec<(String, bool, i64)>,
}

impl Filter {
    /// With one more part: the name and the value of a text, as in [`Filter::parse`].
    pub(crate) fn with(mut self, name: &str, value: &str) -> Filter {
        self.texts.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Of nominal times in milliseconds, the first and the last one included.
    pub(crate) fn nominal(mut self, first: Option<i64>, last: Option<i64>) -> Filter {
        let bounds = [(true, first), (false, last)];
        let given = bounds
            .into_iter()
            .filter_map(|(is_least, bound)| Some(("nominal".to_owned(), is_least, bound?)));
        self.bounds.extend(given);
        self
    }

    fn parse(text: &str) -> Result<Filter, Failure> {
        let mut filter = Filter::default();
        for part in text.split(';').filter(|part| !part.is_empty()) {
            let Some((name, value)) = part.split_once('=').filter(|(_, value)| !value.is_empty())
            else {
                return Err(Failure::coded(
                    "E0401",
                    format!(
                        "Missing configuration property [elements must be semicolon-separated name=value pairs but was {part}]"
                    ),
                ));
            };
            let name = match name {
                "nominal_start" => "nominal_after",
                "nominal_end" => "nominal_before",
                name => name,
            };
            let bound = [
                ("_after", true),
                ("_before", false),
                ("_min", true),
                ("_max", false),
            ];
            let bound = bound
                .into_iter()
                .find_map(|(ending, is_least)| Some((name.strip_suffix(ending)?, is_least)));
            match (name, bound) {
                (
                    "id" | "parent_id" | "bundle" | "app_name" | "app_type" | "user_name"
                    | "job_status" | "sla_status" | "event_status",
                    _,
                ) => {
                    filter.texts.push((name.to_owned(), value.to_owned()));
                }
                (
                    _,
                    Some((
                        what @ ("nominal" | "created" | "expectedstart" | "expectedend"
                        | "actualstart" | "actualend"),
                        is_least,
                    )),
                ) => {
                    let time = dates::parse_minute(value).ok_or_else(|| {
                        Failure::value(part, &format!("Unparseable date: \"{value}\""))
                    })?;
                    filter.bounds.push((what.to_owned(), is_least, time));
                }
                (_, Some((what @ ("actual_duration" | "expected_duration"), is_least))) => {
                    let minutes: i64 = value.parse().map_err(|_| {
                        Failure::value(part, &format!("For input string: \"{value}\""))
                    })?;
                    let millis = minutes.saturating_mul(MINUTE);
                    filter.bounds.push((what.to_owned(), is_least, millis));
                }
                _ => {
                    return Err(Failure::coded(
                        "E0401",
                        format!(
                            "Missing configuration property [Invalid/unsupported names in filter: {name}]"
                        ),
                    ));
                }
            }
        }
        Ok(filter)
    }

    fn takes(&self, subject: &Subject<'_>, row: &SlaRow) -> bool {
        let (record, state) = (&row.record, &row.state);
        let one_of = |values: &str, own: &str| values.split(',').any(|value| value.trim() == own);
        let fits = |(name, value): &(String, String)| match name.as_str() {
            "id" => subject.id == *value || subject.job.id == *value,
            "parent_id" => subject.parent == Some(value),
            "bundle" => subject.job.parent_id.as_ref() == Some(value),
            "app_name" => subject.job.app == *value,
            "app_type" => one_of(value, subject.kind),
            "user_name" => subject.user == *value,
            "job_status" => one_of(value, &subject.status),
            "sla_status" => one_of(value, state.status.name()),
            _ => events(row).into_iter().any(|event| one_of(value, event)),
        };
        let lies = |(what, is_least, bound): &(String, bool, i64)| {
            let own = match what.as_str() {
                "nominal" => Some(record.nominal),
                "created" => Some(subject.job.created),
                "expectedstart" => record.expected_start,
                "expectedend" => Some(record.expected_end),
                "actualstart" => state.actual_start,
                "actualend" => state.actual_end,
                "expected_duration" => record.expected_duration,
                _ => state
                    .actual_start
                    .zip(state.actual_end)
                    .map(|(start, end)| end - start),
            };
            own.is_some_and(|own| {
                if *is_least {
                    own >= *bound
                } else {
                    own <= *bound
                }
            })
        };
        self.texts.iter().all(fits) && self.bounds.iter().all(lies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_has_known_names_and_values() {
        let filter = Filter::parse("id=a;nominal_start=1970-01-01T00:01Z;actual_duration_max=2;");
        let filter = filter.unwrap();
        assert_eq!(
            filter.bounds,
            [
                ("nominal".to_owned(), true, 60_000),
                ("actual_duration".to_owned(), false, 120_000),
            ]
        );
        for (text, code) in [
            ("foo=1", "E0401"),
            ("id", "E0401"),
            ("nominal_after=x", "E0303"),
        ] {
            assert_eq!(
                Filter::parse(text).unwrap_err().code.as_deref(),
                Some(code),
                "{text}"
            );
        }
    }
}
