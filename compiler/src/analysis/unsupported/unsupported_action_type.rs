//! `H0801`, an unsupported action type.

use crate::diagnostics::code;

// Retired: the compiler supports every type that a schema defines. The number is not reused.
code!("H0801", unsupported_action_type);
