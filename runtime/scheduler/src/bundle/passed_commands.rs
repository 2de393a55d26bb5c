//! Commands that a bundle passes on to its coordinators: to all, or if one would refuse it, to none.

use hpdlc_core::{
    bundle::BundleEffect, coordinator::machine::CoordinatorChange, time::ProcessingZone,
};
use hpdlc_engine::{
    control::{
        bundle_request::{BundleRequest, BundleRerun},
        coordinator_request::{CoordinatorRequest, CoordinatorRerun, Selection},
    },
    owner::Session,
};
use hpdlc_store::{
    coordinators as rows,
    sql::{self, Connection},
};

use crate::{bundle::new::SubmittedBundle, coordinator::StoredCoordinator};

/// A command for a coordinator.
#[derive(Debug)]
pub struct PassedCommand {
    /// The coordinator's name in the bundle.
    pub name: String,
    pub job: String,
    pub request: CoordinatorRequest,
}

/// The commands to the coordinators that result from `change` and `rerun` of a bundle, whose step had these effects.
///
/// # Errors
///
/// A coordinator would refuse its command. A coordinator without an action at the dates of a rerun is left out, as long as another one has
/// one.
pub fn on(
    session: &Session,
    connection: &Connection,
    submitted: &SubmittedBundle,
    effects: &[BundleEffect],
    request: &BundleRequest,
    zone: ProcessingZone,
) -> Result<Vec<PassedCommand>, String> {
    let mut passed = Vec::new();
    let mut refusals = Vec::new();
    let mut is_rerun = false;
    for effect in effects {
        let (name, request) = match (effect, request) {
            (BundleEffect::Change { name, change }, _) => {
                (name, CoordinatorRequest::Change(change_text(change, zone)))
            }
            (BundleEffect::Rerun { name, .. }, BundleRequest::Rerun(rerun)) => {
                is_rerun = true;
                match rerun_of(connection, submitted, name, rerun, zone)? {
                    Some(rerun) => (name, CoordinatorRequest::Rerun(rerun)),
                    None => continue,
                }
            }
            _ => continue,
        };
        let Some(job) = submitted.job_of(name) else {
            continue;
        };
        let stored =
            StoredCoordinator::load(session, connection, &job).map_err(|error| error.message)?;
        match stored.foresee(session, connection, &request) {
            Ok(_) => passed.push(PassedCommand {
                name: name.clone(),
                job,
                request,
            }),
            Err(words) => refusals.push(format!("`{name}`: {words}")),
        }
    }
    if !refusals.is_empty() {
        let code = if is_rerun { "E1018" } else { "E1320" };
        return Err(format!(
            "not every coordinator accepts it, so none is changed ({code}): {}",
            refusals.join("; ")
        ));
    }
    if is_rerun && passed.is_empty() {
        return Err("no coordinator has an action to run again (E1018)".to_owned());
    }
    Ok(passed)
}

/// The rerun of one coordinator; `None` if it has no selected action.
fn rerun_of(
    connection: &Connection,
    submitted: &SubmittedBundle,
    name: &str,
    request: &BundleRerun,
    zone: ProcessingZone,
) -> Result<Option<CoordinatorRerun>, String> {
    let failed = |error: sql::Error| format!("the store: {error}");
    let Some(job) = submitted.job_of(name) else {
        return Ok(None);
    };
    let Some(row) = rows::coordinator(connection, &job).map_err(failed)? else {
        return Ok(None);
    };
    if row.record.last_number == 0 {
        return Ok(None);
    }
    let dates = match &request.dates {
        Some(dates) => {
            let scope = hpdlc_core::coordinator::machine::Scope::times(dates, zone)
                .map_err(|error| error.to_string())?;
            if !has_any(connection, &job, &scope).map_err(failed)? {
                return Ok(None);
            }
            dates.clone()
        }
        None => format!("{}::{}", zone.write(row.start), zone.write(row.record.end)),
    };
    Ok(Some(CoordinatorRerun {
        selection: Selection::Dates(dates),
        refresh: request.refresh,
        nocleanup: request.nocleanup,
        failed: false,
    }))
}

fn has_any(
    connection: &Connection,
    job: &str,
    scope: &hpdlc_core::coordinator::machine::Scope,
) -> sql::Result<bool> {
    let hpdlc_core::coordinator::machine::Scope::Times(ranges) = scope else {
        return Ok(true);
    };
    for (first, end) in ranges {
        let (from, to) = (first.timestamp_millis(), end.timestamp_millis());
        if !rows::actions_between(connection, job, from, to)?.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A change in the syntax of a coordinator's command.
fn change_text(change: &CoordinatorChange, zone: ProcessingZone) -> String {
    let pause = change.pause_time.map(|pause| {
        let value = pause.map_or_else(String::new, |pause| zone.write(pause));
        format!("pausetime={value}")
    });
    let end = change.end.map(|end| format!("endtime={}", zone.write(end)));
    let parts: Vec<String> = pause.into_iter().chain(end).collect();
    parts.join(";")
}
