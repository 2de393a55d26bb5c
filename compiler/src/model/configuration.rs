//! Configuration blocks, the `global` section and declared parameters.

use crate::{
    model::Template,
    source::{Span, Spanned},
};

/// One `property` of a `configuration`, in document order. The value is trimmed, except in `config-default.xml`.
#[derive(Clone, Debug)]
pub struct Property {
    pub name: Template,
    pub value: Template,
}

/// A `configuration` element, or an equivalent: `launcher` children are merged in as `oozie.launcher.*` properties, before
/// the configuration's own inside an action, after them inside `global` (`LiteWorkflowAppParser`).
#[derive(Clone, Debug, Default)]
pub struct Configuration {
    pub properties: Vec<Property>,
}

/// The `global` section: defaults for every action that supports them.
#[derive(Clone, Debug)]
pub struct Global {
    pub span: Span,
    pub name_node: Option<Template>,
    /// `resource-manager` or its older name `job-tracker`.
    pub resource_manager: Option<Template>,
    pub job_xml: Vec<Template>,
    pub configuration: Configuration,
}

/// A declared property of the workflow: `parameters/property`.
#[derive(Clone, Debug)]
pub struct Parameter {
    pub name: Spanned<String>,
    /// The trimmed `value`; `None` makes the property required, an empty `<value/>` is the default "".
    pub default: Option<Spanned<String>>,
    pub description: Option<String>,
}
