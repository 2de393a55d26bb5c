//! What is valid in Oozie, and what no program that we build can do yet: refused at compile time, never left out.
//!
//! The last of the passes: everything else about such an action is checked like that of any other.

use hpdlc_core::el::functions::Dialect;

use crate::{
    analysis::credentials,
    diagnostics::{Code, Sink},
    model::{ActionKind, WorkflowApp},
};

mod unsupported_action_type;
mod unsupported_credentials;
mod unsupported_sla;

use self::{
    unsupported_action_type::UnsupportedActionType,
    unsupported_credentials::UnsupportedCredentials, unsupported_sla::UnsupportedSla,
};

/// `H0801`, for a registry in the order of numbers.
pub static TYPE_CODES: &[&Code] = &[&unsupported_action_type::CODE];

/// What is not supported beside types.
pub static FEATURE_CODES: &[&Code] = &[&unsupported_sla::CODE, &unsupported_credentials::CODE];

/// Reports each action and each SLA block that would need something to run it.
pub(crate) fn check(app: &WorkflowApp, sink: &mut Sink) {
    for (node, action) in app.actions() {
        if !is_built(&action.kind) {
            sink.emit(UnsupportedActionType {
                kind: type_name(app.dialect, &action.kind).to_owned(),
                place: action.body_span,
                dialect: app.dialect,
                is_without_executor: matches!(action.kind, ActionKind::Http(_)),
            });
        }
        let wanted = credentials::wanted(app, action);
        if let (Some(first), Some(last)) = (wanted.first(), wanted.last()) {
            sink.emit(UnsupportedCredentials {
                action: node.name.value.clone(),
                names: wanted.iter().map(|name| name.value.clone()).collect(),
                place: first.span.to(last.span),
            });
        }
    }
    let of_actions = app.actions().filter_map(|(_, action)| action.sla.as_ref());
    for sla in of_actions.chain(&app.sla) {
        sink.emit(UnsupportedSla {
            name: sla.name.clone(),
        });
    }
}

/// What the document calls the type.
fn type_name(dialect: Dialect, kind: &ActionKind) -> &str {
    match (dialect, kind) {
        (Dialect::Proposal, ActionKind::MapReduce(_)) => "hadoop",
        (Dialect::Proposal | Dialect::Oozie, kind) => kind.name(),
    }
}

/// Whether codegen and the runtime know the type.
pub fn is_built(kind: &ActionKind) -> bool {
    match kind {
        ActionKind::Fs(_)
        | ActionKind::Java(_)
        | ActionKind::Shell(_)
        | ActionKind::SubWorkflow(_) => true,
        ActionKind::Distcp(_)
        | ActionKind::Email(_)
        | ActionKind::Git(_)
        | ActionKind::Hive(_)
        | ActionKind::Hive2(_)
        | ActionKind::Http(_)
        | ActionKind::MapReduce(_)
        | ActionKind::Pig(_)
        | ActionKind::Spark(_)
        | ActionKind::Sqoop(_)
        | ActionKind::Ssh(_) => false,
        // Has been reported as what it is.
        ActionKind::Unknown(_) => true,
    }
}
