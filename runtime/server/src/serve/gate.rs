//! From the route to the resource: `doAs`, the audit, and whether the caller may, on a thread that may wait.

use std::sync::Arc;

use axum::{
    response::Response,
    routing::{MethodRouter, any},
};

use crate::serve::{
    access, audit, call::Call, failure::Failure, proxy, reply::Reply, server::Server,
};

/// A resource: it may read files and the store, and runs on a thread that may wait.
pub(crate) type Resource = fn(&Call) -> Reply;

/// The route of a resource, by any method: which ones it has is its own to say. Commands are checked and recorded first.
pub(crate) fn route(resource: Resource) -> MethodRouter<Arc<Server>> {
    checked(resource, true)
}

/// As [`route`], of a resource that records its commands itself, since they end after its answer has begun.
pub(crate) fn recording_route(resource: Resource) -> MethodRouter<Arc<Server>> {
    checked(resource, false)
}

fn checked(resource: Resource, is_recorded: bool) -> MethodRouter<Arc<Server>> {
    any(move |call: Call| {
        run(call, move |mut call| {
            let named = proxy::doas(&call);
            if let Ok(Some(user)) = &named {
                call.proxy = call.user.replace(user.clone());
            }
            let work = || {
                named?;
                access::check(&call)?;
                resource(&call)
            };
            match is_recorded {
                true => audit::recorded(&call, work),
                false => work(),
            }
        })
    })
}

/// The route of what needs no proof: it can be called by whoever reaches the server.
pub(crate) fn open_route(resource: Resource) -> MethodRouter<Arc<Server>> {
    any(move |call: Call| run(call, move |call| resource(&call)))
}

async fn run(
    call: Call,
    work: impl FnOnce(Call) -> Reply + Send + 'static,
) -> Result<Response, Failure> {
    let done = tokio::task::spawn_blocking(move || work(call)).await;
    done.unwrap_or_else(|_| Err(Failure::server("a bug in hpdl; its output says more")))
}
