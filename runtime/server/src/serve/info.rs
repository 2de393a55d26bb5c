//! `show=info`: a job or an action by its id.

use hpdlc_core::coordinator::CoordinatorActionStatus;
use hpdlc_runtime::fleet::Masks;
use hpdlc_store::{ActionRow, query};

use crate::{
    api::{
        coordinator::CoordinatorJob,
        workflow::{WorkflowAction, WorkflowJob},
    },
    serve::{
        action_conf,
        call::Call,
        dates,
        failure::Failure,
        found::{self, Named, named},
        listing::{self, ActionFilter},
        query::Version,
        reply::{self, Reply},
    },
};

/// `oozie.coord.actions.default.length`.
pub(crate) const MOST_ACTIONS: i64 = 1_000;

pub(crate) fn info(call: &Call) -> Reply {
    let id = call.rest.as_str();
    match (named(id), call.version) {
        (Named::Workflow(_), _) => workflow(call),
        (_, Version::V0) => Err(Failure::no_job(id)),
        (Named::WorkflowAction(job, node), _) => workflow_action(call, job, node),
        (Named::Coordinator(_), _) => coordinator(call),
        (Named::CoordinatorAction(job, number), _) => {
            let connection = call.server.store()?;
            let (job, action) = found::expect_action(call, &connection, job, number)?;
            let mask = call.server.mask(&connection, &job)?;
            let actions = found::actions(call, &job, &[action], &mask)?;
            reply::json(&actions.first())
        }
        (Named::Bundle(_), _) => {
            let connection = call.server.store()?;
            let job = found::expect_job(call, &connection, id)?;
            reply::json(&found::bundle(call, &connection, &job, true)?)
        }
        (Named::NoAction(action), _) => Err(Failure::no_action(action)),
        (Named::Other, _) => Err(Failure::no_job(id)),
    }
}

/// An action. Version 1 shows the job on the cluster in place of the launcher's; here they are the same.
pub(crate) fn action(call: &Call, row: &ActionRow, mask: &Masks) -> WorkflowAction {
    WorkflowAction::of(row, &call.zone, mask, &call.server.url)
}

fn workflow(call: &Call) -> Reply {
    let offset = call.parameters.number("offset")?.filter(|it| *it >= 1);
    let len = call.parameters.number("len")?.filter(|it| *it >= 1);
    let connection = call.server.store()?;
    let job = found::expect_job(call, &connection, &call.rest)?;
    let failed = |error| call.server.failed(error);
    let mut rows = query::actions(&connection, &job.id).map_err(failed)?;
    listing::sort_actions(&connection, &job.id, &mut rows).map_err(failed)?;
    let page = |number: Option<i64>, default: usize| {
        number.map_or(default, |it| usize::try_from(it).unwrap_or(default))
    };
    let rows = rows
        .iter()
        .skip(page(offset, 1) - 1)
        .take(page(len, usize::MAX));
    let answer = found::with_facts(call, &connection, &job, |facts| {
        let actions = rows.map(|row| WorkflowAction::of(row, &call.zone, facts.mask, facts.url));
        WorkflowJob::whole(&job, facts, actions.collect())
    })?;
    reply::json(&answer)
}

fn workflow_action(call: &Call, job: &str, node: &str) -> Reply {
    let connection = call.server.store()?;
    let missing = || Failure::no_action(&call.rest);
    let job = found::job(call, &connection, job)?.ok_or_else(missing)?;
    let row = query::action(&connection, &job.id, node);
    let row = row
        .map_err(|error| call.server.failed(error))?
        .ok_or_else(missing)?;
    let mask = call.server.mask(&connection, &job)?;
    let mut shown = action(call, &row, &mask);
    shown.conf = action_conf::of(call, &job, &row, &mask);
    reply::json(&shown)
}

fn coordinator(call: &Call) -> Reply {
    let offset = call.parameters.number("offset")?.filter(|it| *it >= 1);
    let given = call.parameters.number("len")?;
    // Version 2 shows no actions unless it is told how many; a negative number means all, as many as are shown at once.
    let len = match (call.version, given) {
        (_, Some(len)) if len > 0 => len,
        (Version::V2, None | Some(0)) => 0,
        _ => MOST_ACTIONS,
    };
    let mut filter = action_filter(call.parameters.get("filter").unwrap_or_default())?;
    let order = call.parameters.get("order").unwrap_or_default();
    filter.is_descending = order.eq_ignore_ascii_case("desc");
    let connection = call.server.store()?;
    let job = found::expect_job(call, &connection, &call.rest)?;
    let page = listing::actions(&connection, &job.id, &filter, offset.unwrap_or(1), len);
    let page = page.map_err(|error| call.server.failed(error))?;
    let mask = call.server.mask(&connection, &job)?;
    let actions = found::actions(call, &job, &page.rows, &mask)?;
    let answer = found::with_coordinator(call, &connection, &job, |of| {
        CoordinatorJob::whole(of, &call.zone, page.total, actions)
    })?;
    reply::json(&answer)
}

/// The filter of a coordinator's actions (`CoordinatorEngine.parseJobFilter`): `status!=KILLED;nominaltime>=2009-01-01T00:00Z`.
fn action_filter(text: &str) -> Result<ActionFilter, Failure> {
    let wrong =
        |problem: &str| Failure::coded("E0421", format!("Invalid job filter [{text}], {problem}"));
    let comparisons = [">=", ">", "<=", "<", "!=", "="];
    let mut filter = ActionFilter::default();
    for part in text.split(';').filter(|part| !part.trim().is_empty()) {
        let split = comparisons
            .into_iter()
            .find_map(|comparison| Some((comparison, part.split_once(comparison)?)));
        let Some((comparison, (name, value))) = split else {
            return Err(wrong(
                "filter should be of format <key><comparator><value> pairs",
            ));
        };
        let (name, value) = (name.trim(), value.trim());
        match (name.to_lowercase().as_str(), comparison) {
            ("status", "=" | "!=") => {
                if CoordinatorActionStatus::from_name(value).is_none() {
                    return Err(wrong(&format!(
                        "invalid status value [{value}]. Valid status values are: [WAITING, READY, SUBMITTED, RUNNING, SUSPENDED, TIMEDOUT, SUCCEEDED, KILLED, FAILED, IGNORED, SKIPPED]"
                    )));
                }
                match comparison {
                    "=" => filter.statuses.push(value.to_owned()),
                    _ => filter.not_statuses.push(value.to_owned()),
                }
            }
            ("status", _) => {
                return Err(wrong(&format!(
                    "invalid comparator [{comparison}] for status. Valid are = and !="
                )));
            }
            ("nominaltime", _) => {
                let time = dates::parse_minute(value).ok_or_else(|| {
                    wrong(&format!(
                        "invalid nominal time [{value}]. Valid format: [yyyy-MM-dd'T'HH:mm'Z']"
                    ))
                })?;
                filter.nominal.push((comparison, time));
            }
            _ => {
                return Err(wrong(&format!(
                    "invalid filter [{name}]. Valid filters [status, nominaltime]"
                )));
            }
        }
    }
    Ok(filter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_comparison_in_the_list_of_oozie_counts() {
        let filter = action_filter("status!=KILLED;nominaltime>=1970-01-01T00:01Z;").unwrap();
        assert_eq!(filter.not_statuses, ["KILLED"]);
        assert_eq!(filter.nominal, [(">=", 60_000)]);
        for bad in [
            "status",
            "status=FOO",
            "foo=BAR",
            "nominaltime>=yesterday",
            "status>RUNNING",
        ] {
            let failure = action_filter(bad).unwrap_err();
            assert_eq!(failure.code.as_deref(), Some("E0421"), "{bad}");
        }
    }
}
