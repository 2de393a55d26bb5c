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

use self::{
    unsupported_action_type::UnsupportedActionType, unsupported_credentials::UnsupportedCredentials,
};

/// `H0801`, for a registry in the order of numbers.
pub static TYPE_CODES: &[&Code] = &[&unsupported_action_type::CODE];

/// What is not supported beside types.
pub static FEATURE_CODES: &[&Code] = &[&unsupported_credentials::CODE];

/// Reports each action that would need something to run it.
pub(crate) fn check(app: &WorkflowApp, sink: &mut Sink) {
    for (node, action) in app.actions() {
        if !is_built(&action.kind) {
            sink.emit(UnsupportedActionType {
                kind: type_name(app.dialect, &action.kind).to_owned(),
                place: action.body_span,
                dialect: app.dialect,
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
        ActionKind::Email(_) | ActionKind::Git(_) | ActionKind::Http(_) | ActionKind::Ssh(_) => {
            true
        }
        ActionKind::Distcp(_) | ActionKind::MapReduce(_) => true,
        ActionKind::Pig(pig) => pig.host.is_some(),
        ActionKind::Hive(_)
        | ActionKind::Hive2(_)
        | ActionKind::Spark(_)
        | ActionKind::Sqoop(_) => false,
        // Has been reported as what it is.
        ActionKind::Unknown(_) => true,
    }
}
