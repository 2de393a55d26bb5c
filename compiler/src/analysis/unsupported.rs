//! What is valid in Oozie, and what no program that we build can do yet: refused at compile time, never left out.
//!
//! The last of the passes: everything else about such an action is checked like that of any other.

use hpdlc_core::el::functions::Dialect;

use crate::{
    diagnostics::{Code, Sink},
    model::{ActionKind, WorkflowApp},
};

mod unsupported_action_type;
mod unsupported_config_class;

use self::{
    unsupported_action_type::UnsupportedActionType,
    unsupported_config_class::UnsupportedConfigClass,
};

/// `H0801`, for a registry in the order of numbers.
pub static TYPE_CODES: &[&Code] = &[&unsupported_action_type::CODE];

/// What is not supported of single types.
pub static ELEMENT_CODES: &[&Code] = &[&unsupported_config_class::CODE];

/// Reports each action that would need something to run it.
pub(crate) fn check(app: &WorkflowApp, sink: &mut Sink) {
    for (_, action) in app.actions() {
        if !is_built(&action.kind) {
            sink.emit(UnsupportedActionType {
                kind: type_name(app.dialect, &action.kind).to_owned(),
                place: action.body_span,
                dialect: app.dialect,
            });
        }
        if let ActionKind::MapReduce(map_reduce) = &action.kind
            && let Some(class) = &map_reduce.config_class
        {
            sink.emit(UnsupportedConfigClass { place: class.span });
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
