//! A coordinator's document, its texts not evaluated.

use std::collections::BTreeMap;

use crate::{el::text::Text, sla::SlaTexts};

/// One coordinator.
#[derive(Clone, Debug, Default)]
pub struct CoordinatorDefinition {
    pub name: Text,
    pub frequency: Text,
    pub start: Text,
    /// Exclusive.
    pub end: Text,
    pub timezone: Text,
    pub controls: Controls,
    /// The datasets that events may name: those of the document and of its included files, each name once.
    pub datasets: BTreeMap<String, DatasetText>,
    pub inputs: Vec<EventText>,
    pub input_logic: Option<LogicText>,
    pub outputs: Vec<EventText>,
    pub sla: Option<SlaTexts<Text>>,
}

/// The `controls` section. An empty element is kept: Oozie refuses some of those.
#[derive(Clone, Copy, Debug)]
pub struct Controls<T = Text> {
    /// Minutes that an action waits for its data.
    pub timeout: Option<T>,
    /// The maximum number of actions running at once.
    pub concurrency: Option<T>,
    /// Which of the ready actions starts first.
    pub execution: Option<T>,
    /// The maximum number of actions waiting at once.
    pub throttle: Option<T>,
}

element_texts! {
    Controls {
        timeout: "timeout",
        concurrency: "concurrency",
        execution: "execution",
        throttle: "throttle",
    }
}

impl<T> Default for Controls<T> {
    fn default() -> Controls<T> {
        Controls::EMPTY
    }
}

/// A `dataset`.
#[derive(Clone, Debug, Default)]
pub struct DatasetText {
    pub frequency: Text,
    pub initial_instance: Text,
    pub timezone: Text,
    pub uri_template: Text,
    pub done_flag: Option<Text>,
}

/// A `data-in` or a `data-out`.
#[derive(Clone, Debug)]
pub struct EventText {
    pub name: String,
    pub dataset: Text,
    pub instances: InstanceTexts,
}

/// The instances of an event.
#[derive(Clone, Debug)]
pub enum InstanceTexts {
    /// `instance` elements.
    Each(Vec<Text>),
    /// `start-instance` and `end-instance`.
    Range { start: Text, end: Text },
}

/// An element of the `input-logic`.
#[derive(Clone, Debug)]
pub struct LogicText {
    pub kind: LogicTextKind,
    pub name: Option<Text>,
    pub min: Option<Text>,
    pub wait: Option<Text>,
}

#[derive(Clone, Debug)]
pub enum LogicTextKind {
    And(Vec<LogicText>),
    Or(Vec<LogicText>),
    /// `combine` of elements that name inputs.
    Combine(Vec<LogicText>),
    /// The name of an input.
    Input(Text),
}
