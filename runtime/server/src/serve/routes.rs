//! All paths, and the resource of each.

use axum::http::Method;

use crate::{
    api::command as remote_command,
    serve::{
        admin,
        call::Call,
        callback, command,
        gate::Resource,
        hws, job, jobs, metrics, openapi,
        place::{ALL, ONLY_2, Place, SINCE_1},
        reply::{self, Reply},
        sla, validate,
    },
};

/// How a request comes to its resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Who calls is known, may do it, and commands are recorded.
    Checked,
    /// The same, and the resource records its commands itself.
    Recording,
    /// Nobody is asked who calls.
    Open,
    /// As [`Way::Checked`]; its bodies may be as large as the ZIP of an application.
    Upload,
    /// As [`Way::Checked`]; every request is refused, as Oozie refuses it.
    Refused,
}

/// A path, with `{*rest}` for what the resource finds in it.
pub(crate) struct Route {
    pub(crate) place: Place,
    pub(crate) path: &'static str,
    pub(crate) way: Way,
    pub(crate) resource: Resource,
}

const fn route(place: Place, path: &'static str, way: Way, resource: Resource) -> Route {
    Route {
        place,
        path,
        way,
        resource,
    }
}

/// All routes but those of [`crate::serve::health`].
pub(crate) const ROUTES: [Route; 24] = [
    route(Place::Base, "/versions", Way::Checked, versions),
    route(Place::Base, "/callback", Way::Open, callback::callback),
    route(
        Place::Base,
        remote_command::PATH,
        Way::Recording,
        command::command,
    ),
    route(ALL, "/jobs", Way::Checked, jobs::jobs),
    route(ALL, "/job", Way::Refused, job::job),
    route(ALL, "/job/", Way::Refused, job::job),
    route(ALL, "/job/{*rest}", Way::Checked, job::job),
    route(ALL, "/admin", Way::Refused, admin::admin),
    route(ALL, "/admin/", Way::Refused, admin::admin),
    route(ALL, "/admin/{*rest}", Way::Checked, admin::admin),
    route(SINCE_1, "/sla", Way::Checked, sla::sla),
    route(SINCE_1, "/sla/{*rest}", Way::Refused, sla::sla),
    route(ONLY_2, "/validate", Way::Checked, validate::validate),
    route(Place::Root, "/metrics", Way::Checked, metrics::metrics),
    route(Place::Root, openapi::PATH, Way::Checked, openapi::openapi),
    route(
        Place::Root,
        "/hws/v1/applications",
        Way::Upload,
        hws::applications,
    ),
    route(
        Place::Root,
        "/hws/v1/applications/{*rest}",
        Way::Checked,
        hws::application,
    ),
    route(Place::Root, "/hws/v1/jobs", Way::Checked, hws::jobs),
    route(Place::Root, "/hws/v1/jobs/{*rest}", Way::Checked, hws::job),
    route(
        Place::Root,
        "/hws/v1/admin/status",
        Way::Checked,
        hws::status,
    ),
    route(
        Place::Root,
        "/hws/v1/admin/instrumentation",
        Way::Checked,
        hws::instrumentation,
    ),
    route(
        Place::Root,
        "/hws/v1/admin/environment",
        Way::Checked,
        hws::environment,
    ),
    route(
        Place::Root,
        "/hws/v1/admin/properties",
        Way::Checked,
        hws::properties,
    ),
    route(Place::Root, "/hws/v1/admin/purge", Way::Checked, hws::purge),
];

/// The versions of the API, newest last (`VersionServlet`).
fn versions(call: &Call) -> Reply {
    call.expect_method(&[Method::GET])?;
    reply::json(&[0, 1, 2])
}
