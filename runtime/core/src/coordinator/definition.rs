//! A coordinator's document, its texts parsed but not evaluated.

use std::collections::BTreeMap;

use crate::el::ast::Template;

/// One coordinator.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CoordinatorDefinition {
    pub name: Template,
    pub frequency: Template,
    pub start: Template,
    /// Exclusive.
    pub end: Template,
    pub timezone: Template,
    pub controls: Controls,
    /// The datasets that events may name: those of the document and of its included files, each name once.
    pub datasets: BTreeMap<String, DatasetText>,
    pub inputs: Vec<EventText>,
    pub input_logic: Option<LogicText>,
    pub outputs: Vec<EventText>,
    pub sla: Option<SlaText>,
}

/// The `controls` that are present and not empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Controls {
    pub timeout: Option<Template>,
    pub concurrency: Option<Template>,
    pub execution: Option<Template>,
    pub throttle: Option<Template>,
}

/// A `dataset`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DatasetText {
    pub frequency: Template,
    pub initial_instance: Template,
    pub timezone: Template,
    pub uri_template: Template,
    pub done_flag: Option<Template>,
}

/// A `data-in` or a `data-out`.
#[derive(Clone, Debug, PartialEq)]
pub struct EventText {
    pub name: String,
    pub dataset: Template,
    pub instances: InstanceTexts,
}

/// The instances of an event.
#[derive(Clone, Debug, PartialEq)]
pub enum InstanceTexts {
    /// `instance` elements.
    Each(Vec<Template>),
    /// `start-instance` and `end-instance`.
    Range { start: Template, end: Template },
}

/// An element of the `input-logic`, its texts parsed.
#[derive(Clone, Debug, PartialEq)]
pub struct LogicText {
    pub kind: LogicTextKind,
    pub name: Option<Template>,
    pub min: Option<Template>,
    pub wait: Option<Template>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum LogicTextKind {
    And(Vec<LogicText>),
    Or(Vec<LogicText>),
    /// `combine` of elements that name inputs.
    Combine(Vec<LogicText>),
    /// The name of an input.
    Input(Template),
}

/// The texts of an SLA block by element, in document order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SlaText(pub Vec<(String, Template)>);
