//! Which types of action programs can do: all that a schema knows.

use crate::{diagnostics::Code, model::ActionKind};

mod unsupported_action_type;

/// `H0801`, which nothing gives any more; its number stays taken.
pub static TYPE_CODES: &[&Code] = &[&unsupported_action_type::CODE];

/// Whether codegen and the runtime know the type: they know all that a schema knows.
pub fn is_built(kind: &ActionKind) -> bool {
    kind.body().is_some()
}
