//! PUT `job`: `sla-enable`, `sla-disable` and `sla-change` of the actions of a coordinator, or of coordinators of a bundle.

use hpdlc_engine::control::{
    self, JobOrder,
    coordinator_request::{CoordinatorRequest, SlaOrder, SlaRequest},
};
use hpdlc_store::{JobRow, coordinators};

use crate::serve::{
    call::Call,
    failure::Failure,
    found::{self, Named, named},
    query::Version,
    reply::{self, Reply},
};

/// `V2JobServlet.slaEnableAlert` and its like.
pub(crate) fn put(call: &Call, word: &str) -> Reply {
    call.expect_xml()?;
    call.version.expect(Version::V2)?;
    let id = call.rest.as_str();
    if matches!(named(id), Named::Workflow(_) | Named::WorkflowAction(..)) {
        return Err(Failure::resource("Not supported for workflow"));
    }
    let order = match word {
        "sla-enable" => SlaOrder::Enable,
        "sla-disable" => SlaOrder::Disable,
        _ => SlaOrder::Change(call.parameters.required("value")?.to_owned()),
    };
    let request = CoordinatorRequest::Sla(SlaRequest {
        actions: call.parameters.filled("action-list").map(str::to_owned),
        dates: call.parameters.filled("date").map(str::to_owned),
        order,
    });
    let connection = call.server.store()?;
    let job = found::expect_job(call, &connection, id)?;
    let Named::Bundle(_) = named(id) else {
        return match named(id) {
            Named::Coordinator(_) => ask(call, &job, &request).and_then(|()| reply::empty()),
            _ => Err(Failure::no_job(id)),
        };
    };
    let coordinators = meant(call, &connection, id)?;
    drop(connection);
    if coordinators.is_empty() {
        return Err(failed("No record found"));
    }
    // One that refuses does not keep the others from it (`BundleSLAAlertsXCommand`).
    let mut report = String::new();
    for coordinator in coordinators {
        if let Err(failure) = ask(call, &coordinator, &request) {
            report.push_str(&format!(
                "SLA command for coord job {} failed. Error message is  : {}\n",
                coordinator.id, failure.message
            ));
        }
    }
    match report.is_empty() {
        true => reply::empty(),
        false => Err(failed(&report)),
    }
}

fn failed(why: &str) -> Failure {
    Failure::coded("E1026", format!("SLA alert update command failed: {why}"))
}

fn ask(call: &Call, job: &JobRow, request: &CoordinatorRequest) -> Result<(), Failure> {
    control::ask(&call.server.session, job, JobOrder::Coordinator(request)).map_err(Failure::from)
}

/// The coordinators of a bundle that the parameter `coordinators` names, by name or id; without it all.
fn meant(
    call: &Call,
    connection: &hpdlc_store::sql::Connection,
    bundle: &str,
) -> Result<Vec<JobRow>, Failure> {
    let ids = coordinators::coordinators_of(connection, bundle);
    let named = call.parameters.filled("coordinators");
    let mut meant = Vec::new();
    for id in ids.map_err(|error| call.server.failed(error))? {
        let job = found::expect_job(call, connection, &id)?;
        let name = job.parent_node.as_deref().unwrap_or(&job.app);
        let is_meant = named.is_none_or(|named| {
            let mut named = named.split(',').map(str::trim);
            named.any(|one| one == name || one == job.id)
        });
        if is_meant {
            meant.push(job);
        }
    }
    Ok(meant)
}
