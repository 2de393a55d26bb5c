//! Parsing of text to trees, in which every part has its span.
//!
//! [`xml`] parses a document into elements, attributes and text. The result is well-formed; the meaning of the names is left
//! to the next room. No input makes this room panic, overflow the stack, or use more than a bounded amount of memory.

use crate::diagnostics::Code;

mod not_utf8;
pub mod xml;

pub use self::not_utf8::NotUtf8Text;

/// The codes about files as such, before their contents matter.
pub static CODES: &[&Code] = &[&not_utf8::CODE];
