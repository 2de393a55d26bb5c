//! Input and output events: which instances of which dataset an action needs and makes.

use crate::{
    model::Template,
    source::{Span, Spanned},
};

/// A `data-in`.
#[derive(Clone, Debug)]
pub struct DataIn {
    /// Empty where it is missing, which has been reported.
    pub name: Spanned<String>,
    /// The name in the start tag.
    pub tag_span: Span,
    pub dataset: Template,
    pub instances: Instances,
}

/// What a `data-in` asks for.
#[derive(Clone, Debug)]
pub enum Instances {
    /// `instance` elements; none where they are missing, which has been reported.
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
    /// Empty where it is missing, which has been reported.
    pub name: Spanned<String>,
    /// The name in the start tag.
    pub tag_span: Span,
    pub dataset: Template,
    /// One, by the schema.
    pub instances: Vec<Template>,
    /// Whether the data stays where an action runs again.
    pub nocleanup: Option<Template>,
}
