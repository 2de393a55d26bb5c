//! Which action types are supported: all that a schema defines.

use crate::{diagnostics::Code, model::ActionKind};

mod unsupported_action_type;

/// `H0801`, which is not emitted any more; its number stays reserved.
pub static TYPE_CODES: &[&Code] = &[&unsupported_action_type::CODE];

/// Whether codegen and the runtime support the type: they support all that a schema defines.
pub fn is_built(kind: &ActionKind) -> bool {
    kind.body().is_some()
}
