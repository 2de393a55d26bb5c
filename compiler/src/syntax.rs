//! Text to trees, with the place of everything.
//!
//! [`xml`] reads a document into elements, attributes and text. What it gives is well-formed; what the names mean is
//! for the next room. No input makes this room panic, overflow the stack, or take more than a bounded amount of memory.

use crate::diagnostics::Code;

mod not_utf8;
pub mod xml;

pub use self::not_utf8::NotUtf8Text;

/// The codes of files as such, before it matters what they hold.
pub static CODES: &[&Code] = &[&not_utf8::CODE];
