//! `jobs?bulk=`: actions of the coordinators of a bundle (`BulkJobsXCommand`).

use hpdlc_core::coordinator::CoordinatorActionStatus;
use hpdlc_host::job_id::JobKind;
use hpdlc_store::JobRow;
use serde_json::Value;

use crate::{
    api::{
        bundle::BundleJob,
        coordinator::CoordinatorJob,
        jobs::{BulkResponse, BulkResponses},
    },
    serve::{
        call::Call,
        dates,
        failure::Failure,
        filter::Filter,
        found,
        listing::{self, ActionFilter},
        reply::{self, Reply},
    },
};

/// What is asked for.
#[derive(Debug, Default, PartialEq, Eq)]
struct Bulk {
    bundles: Vec<String>,
    coordinators: Vec<String>,
    statuses: Vec<String>,
    created: [Option<i64>; 2],
    scheduled: [Option<i64>; 2],
}

/// As `BulkResponseRequest`'s filter: `,` between values is "or".
fn parse(text: &str) -> Result<Bulk, Failure> {
    let wrong = |of: &str, problem: &str| {
        Failure::coded("E0420", format!("Invalid jobs filter [{of}], {problem}"))
    };
    let mut bulk = Bulk::default();
    for part in text.split(';').filter(|part| !part.is_empty()) {
        let (name, value) = match part.split_once('=') {
            Some((name, value)) if !value.is_empty() && !value.contains('=') => (name, value),
            _ => {
                let problem = "elements must be semicolon-separated name=value pairs";
                return Err(wrong(part, problem));
            }
        };
        let values = || value.split(',').map(|it| it.trim().to_owned());
        let time = || {
            dates::parse_minute(value).ok_or_else(|| {
                wrong(part, &format!("invalid value [{value}] for time. A datetime value of pattern [yyyy-MM-dd'T'HH:mm'Z'] is expected"))
            })
        };
        match name.to_lowercase().as_str() {
            "bundle" => bulk.bundles.extend(values()),
            "coordinators" => bulk.coordinators.extend(values()),
            "actionstatus" => {
                for status in values() {
                    if CoordinatorActionStatus::from_name(&status).is_none() {
                        return Err(wrong(part, &format!("invalid action status [{status}]")));
                    }
                    bulk.statuses.push(status);
                }
            }
            "startcreatedtime" => bulk.created[0] = Some(time()?),
            "endcreatedtime" => bulk.created[1] = Some(time()?),
            "startscheduledtime" => bulk.scheduled[0] = Some(time()?),
            "endscheduledtime" => bulk.scheduled[1] = Some(time()?),
            other => return Err(wrong(part, &format!("invalid parameter name [{other}]"))),
        }
    }
    if bulk.bundles.is_empty() {
        return Err(Failure::missing("bundle"));
    }
    if bulk.statuses.is_empty() {
        // What Oozie shows where nothing is asked for: what went wrong.
        bulk.statuses = ["KILLED", "FAILED"].map(str::to_owned).to_vec();
    }
    Ok(bulk)
}

/// A page of actions, each with its coordinator and bundle.
pub(crate) fn list(call: &Call, text: &str, offset: i64, len: i64) -> Reply {
    let bulk = parse(text)?;
    let connection = call.server.store()?;
    let failed = |error| call.server.failed(error);
    let of_bundles = |filter: Filter| {
        listing::jobs(&connection, JobKind::Bundle, &filter, 1, -1).map_err(failed)
    };
    let mut bundles = of_bundles(Filter {
        names: bulk.bundles.clone(),
        ..Filter::default()
    })?
    .rows;
    bundles.extend(
        of_bundles(Filter {
            ids: bulk.bundles.clone(),
            ..Filter::default()
        })?
        .rows,
    );
    if bundles.is_empty() {
        return Err(Failure::coded(
            "E0603",
            "SQL error in operation, E0603: SQL error in operation, No entries found for given bundle(s)",
        ));
    }
    let mut found_rows = Vec::new();
    for bundle in &bundles {
        let members = hpdlc_store::coordinators::coordinators_of(&connection, &bundle.id);
        for id in members.map_err(failed)? {
            let member = found::expect_job(call, &connection, &id)?;
            let is_meant = bulk.coordinators.is_empty()
                || bulk.coordinators.contains(&member.app)
                || bulk.coordinators.contains(&member.id);
            if !is_meant {
                continue;
            }
            let [from, to] = bulk.scheduled;
            let nominal = from.map(|time| (">=", time)).into_iter();
            let filter = ActionFilter {
                statuses: bulk.statuses.clone(),
                nominal: nominal.chain(to.map(|time| ("<=", time))).collect(),
                ..ActionFilter::default()
            };
            let actions = listing::actions(&connection, &id, &filter, 1, -1).map_err(failed)?;
            let is_in_time = |created: i64| {
                bulk.created[0].is_none_or(|from| created >= from)
                    && bulk.created[1].is_none_or(|to| created <= to)
            };
            let actions = actions.rows.into_iter();
            let actions = actions.filter(|row| is_in_time(row.record.created.timestamp_millis()));
            found_rows.extend(actions.map(|action| (bundle, member.clone(), action)));
        }
    }
    let total = found_rows.len();
    let skipped = usize::try_from(offset - 1).unwrap_or_default();
    let most = usize::try_from(len).unwrap_or_default();
    let mut responses = Vec::new();
    for (bundle, member, action) in found_rows.into_iter().skip(skipped).take(most) {
        let mask = call.server.mask(&connection, &member)?;
        let actions = found::actions(call, &member, &[action], &mask)?;
        responses.push(BulkResponse {
            bulkbundle: brief_bundle(call, &connection, bundle)?,
            bulkcoord: brief_coordinator(call, &connection, &member)?,
            bulkaction: actions.into_iter().next(),
        });
    }
    reply::json(&BulkResponses {
        bulkresponses: responses,
        total: u64::try_from(total).unwrap_or(u64::MAX),
        offset,
        len,
    })
}

/// The keys of a bundle that Oozie fills here; the others are null.
fn brief_bundle(
    call: &Call,
    connection: &hpdlc_store::sql::Connection,
    job: &JobRow,
) -> Result<Value, Failure> {
    let whole: BundleJob = found::bundle(call, connection, job, false)?;
    let kept = [
        "bundleCoordJobs",
        "bundleJobId",
        "bundleJobName",
        "status",
        "timeOut",
        "timeUnit",
        "toString",
    ];
    brief(&whole, &kept)
}

fn brief_coordinator(
    call: &Call,
    connection: &hpdlc_store::sql::Connection,
    job: &JobRow,
) -> Result<Value, Failure> {
    let whole: CoordinatorJob = found::listed_coordinator(call, connection, job)?;
    let kept = [
        "actions",
        "concurrency",
        "coordJobId",
        "coordJobName",
        "executionPolicy",
        "frequency",
        "mat_throttling",
        "status",
        "timeOut",
        "timeUnit",
        "toString",
        "total",
    ];
    brief(&whole, &kept)
}

fn brief(whole: &impl serde::Serialize, kept: &[&str]) -> Result<Value, Failure> {
    let mut value =
        serde_json::to_value(whole).map_err(|error| Failure::server(error.to_string()))?;
    if let Value::Object(keys) = &mut value {
        for (key, value) in keys {
            if !kept.contains(&key.as_str()) {
                *value = Value::Null;
            }
        }
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bulk_filter_needs_a_bundle_and_known_names() {
        let bulk = parse("bundle=b;coordinators=l,r;actionstatus=KILLED").unwrap();
        assert_eq!(bulk.coordinators, ["l", "r"]);
        assert_eq!(bulk.statuses, ["KILLED"]);
        for (text, code) in [
            ("", "E0305"),
            ("coordinators=left", "E0305"),
            ("bundle", "E0420"),
            ("bundle=b;foo=1", "E0420"),
            ("bundle=b;actionstatus=FOO", "E0420"),
            ("bundle=b;startcreatedtime=x", "E0420"),
        ] {
            assert_eq!(
                parse(text).unwrap_err().code.as_deref(),
                Some(code),
                "{text}"
            );
        }
    }
}
