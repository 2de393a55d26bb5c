//! `H0805`, a sub-workflow on another instance.

use crate::diagnostics::code;

// Retired: such a child is started by requests to its instance. The number is not reused.
code!("H0805", unsupported_host_url);
