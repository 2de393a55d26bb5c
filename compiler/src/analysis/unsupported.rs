//! What is valid in Oozie, and what no program that we build can do yet: refused at compile time, never left out.
//!
//! The last of the passes: everything else about such an action is checked like that of any other.

use crate::{
    diagnostics::{Code, Sink},
    model::{ActionKind, WorkflowApp},
};

mod unsupported_action_type;
mod unsupported_config_class;

use self::unsupported_config_class::UnsupportedConfigClass;

/// `H0801`, which nothing gives any more; its number stays taken.
pub static TYPE_CODES: &[&Code] = &[&unsupported_action_type::CODE];

/// What is not supported of single types.
pub static ELEMENT_CODES: &[&Code] = &[&unsupported_config_class::CODE];

/// Reports each action that would need something to run it.
pub(crate) fn check(app: &WorkflowApp, sink: &mut Sink) {
    for (_, action) in app.actions() {
        if let ActionKind::MapReduce(map_reduce) = &action.kind
            && let Some(class) = &map_reduce.config_class
        {
            sink.emit(UnsupportedConfigClass { place: class.span });
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
