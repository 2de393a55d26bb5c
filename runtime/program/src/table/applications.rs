//! Finds the compiled-in application that a path refers to.

use std::collections::BTreeMap;

use hpdlc_core::app_uri::{self, APP_PATH};

use crate::table::{Child, Program};

/// The property with the path of a coordinator, as set by Oozie's clients.
pub const COORDINATOR_PATH: &str = "oozie.coord.application.path";

/// The user of a job with these properties.
pub fn user_of(conf: &BTreeMap<String, String>) -> &str {
    conf.get("user.name").map_or("", String::as_str)
}

/// The index of the workflow that `app_path` refers to in a coordinator job with the properties `conf`, if it is compiled
/// in; `coordinator` is the index of the coordinator.
pub fn workflow_of(
    program: &Program,
    coordinator: usize,
    conf: &BTreeMap<String, String>,
    app_path: &str,
) -> Option<usize> {
    let own_path = conf.get(COORDINATOR_PATH).map_or("", String::as_str);
    let uris = |children: &'static [Child]| {
        let children = children.iter().map(|child| (child.uri, child.app));
        app_uri::for_user(children, user_of(conf))
    };
    let own = program.coordinators.get(coordinator);
    let own = own.map_or(&[][..], |coordinator| coordinator.workflows);
    app_uri::find_from(&uris(own), &[APP_PATH], own_path, app_path)
        .or_else(|| app_uri::find(&uris(program.children), app_path))
}
