//! Input and output events: which instances of which datasets an action reads and writes.

use crate::{
    model::Template,
    source::{Span, Spanned},
};

/// A `data-in`.
#[derive(Clone, Debug)]
pub struct DataIn {
    /// Empty if it is missing, which has been reported.
    pub name: Spanned<String>,
    /// The name in the start tag.
    pub tag_span: Span,
    pub dataset: Template,
    pub instances: Instances,
}

/// The instances that a `data-in` specifies.
#[derive(Clone, Debug)]
pub enum Instances {
    /// `instance` elements; empty if they are missing, which has been reported.
    Each(Vec<Template>),
    /// `start-instance` and `end-instance`.
    Range { start: Template, end: Template },
}

impl Instances {
    /// All texts.
    pub fn texts(&self) -> Vec<&Template> {
        match self {
            Instances::Each(instances) => instances.iter().collect(),
            Instances::Range { start, end } => vec![start, end],
        }
    }
}

/// A `data-out`.
#[derive(Clone, Debug)]
pub struct DataOut {
    /// Empty if it is missing, which has been reported.
    pub name: Spanned<String>,
    /// The name in the start tag.
    pub tag_span: Span,
    pub dataset: Template,
    /// Exactly one, by the schema.
    pub instances: Vec<Template>,
    /// Whether the data is kept when an action runs again.
    pub nocleanup: Option<Template>,
}
