//! What the proposal of 2009 requires of actions.

use hpdlc_core::el::functions::Dialect;

use crate::{
    analysis::actions::unnamed_cluster::UnnamedCluster,
    diagnostics::Sink,
    model::{
        Action, Node, WorkflowApp,
        action::{FILE_SYSTEM, JOB_TRACKER},
    },
};

/// Reports what an action of the proposal of 2009 must specify about its cluster and does not.
pub(super) fn check_cluster(app: &WorkflowApp, node: &Node, action: &Action, sink: &mut Sink) {
    if app.dialect != Dialect::Proposal || !action.kind.has_launcher() {
        return;
    }
    // The contents of a file, and a computed name, are known only when the action starts.
    let Some(settings) = action.kind.settings().filter(|it| it.job_xml.is_empty()) else {
        return;
    };
    let properties = || {
        let own = &settings.configuration.properties;
        app.config_default.iter().chain(own)
    };
    if properties().any(|property| property.name.literal().is_none()) {
        return;
    }
    let is_set = |name: &str| {
        let mut names = properties().filter_map(|property| property.name.literal());
        names.any(|other| other.trim() == name)
    };
    let missing: Vec<&'static str> = [
        (FILE_SYSTEM, &settings.name_node),
        (JOB_TRACKER, &settings.resource_manager),
    ]
    .into_iter()
    .filter(|(name, own)| own.is_none() && !is_set(name))
    .map(|(name, _)| name)
    .collect();
    if !missing.is_empty() {
        sink.emit(UnnamedCluster {
            action: node.name.value.clone(),
            missing,
            place: action.body_span,
        });
    }
}
