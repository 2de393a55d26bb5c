//! Which types of action programs can do: all that a schema knows.

use crate::{diagnostics::Code, model::ActionKind};

mod unsupported_action_type;

/// `H0801`, which nothing gives any more; its number stays taken.
pub static TYPE_CODES: &[&Code] = &[&unsupported_action_type::CODE];

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
