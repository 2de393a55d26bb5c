//! What is valid in Oozie, and what no program that we build can do yet: refused at compile time, never left out.
//!
//! The last of the passes: everything else about such an action is checked like that of any other.

use crate::{
    analysis::credentials,
    diagnostics::{Code, Sink},
    model::{ActionKind, WorkflowApp},
};

mod unsupported_action_type;
mod unsupported_credentials;

use self::unsupported_credentials::UnsupportedCredentials;

/// `H0801`, which nothing gives any more; its number stays taken.
pub static TYPE_CODES: &[&Code] = &[&unsupported_action_type::CODE];

/// What is not supported beside types.
pub static FEATURE_CODES: &[&Code] = &[&unsupported_credentials::CODE];

/// Reports each action that would need something to run it.
pub(crate) fn check(app: &WorkflowApp, sink: &mut Sink) {
    for (node, action) in app.actions() {
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

/// Whether codegen and the runtime know the type: they know all that a schema knows.
pub fn is_built(kind: &ActionKind) -> bool {
    match kind {
        ActionKind::Distcp(_)
        | ActionKind::Email(_)
        | ActionKind::Fs(_)
        | ActionKind::Git(_)
        | ActionKind::Hive(_)
        | ActionKind::Hive2(_)
        | ActionKind::Http(_)
        | ActionKind::Java(_)
        | ActionKind::MapReduce(_)
        | ActionKind::Pig(_)
        | ActionKind::Shell(_)
        | ActionKind::Spark(_)
        | ActionKind::Sqoop(_)
        | ActionKind::Ssh(_)
        | ActionKind::SubWorkflow(_) => true,
        ActionKind::Unknown(_) => false,
    }
}
