//! The `input-logic` section: which of the input events must be available.

use crate::{model::Template, source::Span};

/// `input-logic`.
#[derive(Clone, Debug)]
pub struct InputLogic {
    /// The name in the start tag.
    pub tag_span: Span,
    /// A valid section has one.
    pub nodes: Vec<LogicNode>,
}

/// An element of the logic.
#[derive(Clone, Debug)]
pub struct LogicNode {
    pub kind: LogicKind,
    /// The name in the start tag.
    pub tag_span: Span,
    pub name: Option<Template>,
    /// The minimum number of instances.
    pub min: Option<Template>,
    /// Minutes to wait for more than `min`.
    pub wait: Option<Template>,
    pub nodes: Vec<LogicNode>,
}

#[derive(Clone, Debug)]
pub enum LogicKind {
    And,
    Or,
    /// The same instances of several datasets, each taken from any that has it.
    Combine,
    /// A reference to an input event: its attribute `dataset`.
    DataIn(Template),
}

impl LogicNode {
    /// The texts of its own attributes.
    pub fn texts(&self) -> impl Iterator<Item = &Template> {
        let dataset = match &self.kind {
            LogicKind::And | LogicKind::Or | LogicKind::Combine => None,
            LogicKind::DataIn(dataset) => Some(dataset),
        };
        let others = [&self.name, &self.min, &self.wait];
        dataset.into_iter().chain(others.into_iter().flatten())
    }
}
