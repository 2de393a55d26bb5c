//! The `sla:info` of a coordinator's action.

use crate::{model::Template, source::Span};

/// A service level agreement: its texts, by the names of their elements.
#[derive(Clone, Debug)]
pub struct Sla {
    /// The name in the start tag.
    pub tag_span: Span,
    pub texts: Vec<(String, Template)>,
}
