//! The coordinator application: what is started when, and on which data.
//!
//! Dates, numbers and names of zones are still text here: they may come from properties. `analysis` parses those that are
//! known.

pub mod dataset;
pub mod event;
pub mod input_logic;

pub use self::{
    dataset::{Dataset, IncludedFile},
    event::{DataIn, DataOut, Instances},
    input_logic::{InputLogic, LogicKind, LogicNode},
};
use crate::{
    model::{Configuration, Parameter, Property, Sla, Template, schema::CoordinatorVersion},
    source::{FileId, Span, Spanned},
};

/// A coordinator application: a `coordinator.xml` and the files beside it.
#[derive(Clone, Debug)]
pub struct CoordinatorApp {
    pub file: FileId,
    /// The name in the root element's start tag.
    pub root_span: Span,
    pub version: CoordinatorVersion,
    /// Evaluated with properties alone; a bundle replaces it by its own name for the coordinator.
    pub name: Template,
    pub frequency: Template,
    pub start: Template,
    /// Exclusive.
    pub end: Template,
    pub timezone: Template,
    pub parameters: Vec<Parameter>,
    pub controls: Controls,
    /// URIs of files with more datasets.
    pub includes: Vec<Template>,
    /// The datasets of the document itself.
    pub datasets: Vec<Dataset>,
    /// The names of `async-dataset`s, which Oozie ignores.
    pub async_datasets: Vec<Spanned<String>>,
    pub input_events: Vec<DataIn>,
    pub input_logic: Option<InputLogic>,
    pub output_events: Vec<DataOut>,
    /// The workflow that each action starts. If it is missing, that has been reported.
    pub workflow: Option<StartedWorkflow>,
    pub sla: Option<Box<Sla>>,
    /// Properties of `coord-config-default.xml` beside the document.
    pub config_default: Vec<Property>,
}

/// The `controls` section. An empty element is kept: Oozie rejects some of those.
pub type Controls = hpdlc_core::coordinator::Controls<Template>;

/// The `workflow` of the `action` element.
#[derive(Clone, Debug)]
pub struct StartedWorkflow {
    /// The name in the start tag.
    pub tag_span: Span,
    pub app_path: Template,
    /// The properties that the workflow receives besides those of the coordinator.
    pub configuration: Configuration,
}
