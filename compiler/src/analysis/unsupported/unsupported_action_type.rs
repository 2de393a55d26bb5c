//! `H0801`, a type of action that the compiler did not build.

use crate::diagnostics::{Code, Level};

/// Retired: the compiler builds every type that a schema knows. The number is not used again.
pub(super) static CODE: Code = Code {
    id: "H0801",
    name: "unsupported_action_type",
    level: Level::Error,
    oozie: &[],
    explanation: include_str!("unsupported_action_type.md"),
};
