//! `H0801`, a type of action that the compiler did not build.

use crate::diagnostics::code;

// Retired: the compiler builds every type that a schema knows. The number is not used again.
code!("H0801", unsupported_action_type);
