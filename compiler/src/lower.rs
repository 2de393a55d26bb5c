//! XML trees to the typed model; the only room that knows both.
//!
//! [`workflow`] first holds the document against the schema tables ([`check`] reads [`schema`]) and reports whatever is
//! wrong with it, then takes what is there. Nothing stops at a mistake: what is missing becomes an empty name or an invalid
//! template in the model, which later rooms pass over.

mod action;
mod check;
mod configuration;
mod control;
mod parameters;
mod root;
mod schema;
mod template;
mod workflow;

#[cfg(test)]
mod tests;

use crate::{
    diagnostics::{Code, Lint, Sink},
    lower::{
        check::{Mode, Scope},
        root::unsupported_document::UnsupportedDocument,
        schema::WORKFLOW,
    },
    model::{Global, WorkflowApp, WorkflowVersion},
    source::Spanned,
    syntax::xml::XmlDocument,
};

/// The codes H02xx of this room.
pub static CODES: &[&Code] = &[
    &root::unknown_root_element::CODE,
    &root::unknown_namespace::CODE,
    &root::missing_namespace::CODE,
    &check::unknown_element::CODE,
    &check::element_not_in_version::CODE,
    &check::misplaced_element::CODE,
    &check::missing_element::CODE,
    &check::repeated_element::CODE,
    &check::conflicting_elements::CODE,
    &check::several_action_bodies::CODE,
    &check::unknown_action_type::CODE,
    &check::wrong_action_namespace::CODE,
    &check::wrong_element_namespace::CODE,
    &check::unexpected_text::CODE,
    &check::unknown_attribute::CODE,
    &check::attribute_not_in_version::CODE,
    &check::missing_attribute::CODE,
    &check::invalid_value::CODE,
    &check::invalid_node_name::CODE,
    &check::expression_in_name::CODE,
    &parameters::unnamed_parameter::CODE,
    &configuration::invalid_configuration_file::CODE,
];

/// The codes H04xx of this room.
pub static EXPRESSION_CODES: &[&Code] = &[&template::invalid_expression::CODE];

/// The codes H08xx of this room: valid in Oozie, and not built yet.
pub static UNSUPPORTED_CODES: &[&Code] = &[
    &action::unsupported_action_type::CODE,
    &root::unsupported_document::CODE,
    &check::unsupported_sla::CODE,
    &workflow::unsupported_credentials::CODE,
];

/// The lints of this room.
pub static LINTS: &[&Lint] = &[
    &check::features_missing_from_schema::LINT,
    &check::unknown_retry_policies::LINT,
];

/// What lowering carries along.
struct LowerCtx<'c> {
    scope: Scope<'c>,
    /// Lowered before any node, wherever it stands.
    global: Option<Global>,
    sink: &'c mut Sink,
}

/// Lowers a `workflow.xml`, with the `config-default.xml` beside it if there is one.
///
/// `None` where the document is not a workflow at all, which has been reported. A workflow with mistakes is lowered as far
/// as it goes; the mistakes are in the sink.
pub fn workflow(
    document: &XmlDocument<'_>,
    config_default: Option<&XmlDocument<'_>>,
    sink: &mut Sink,
) -> Option<WorkflowApp> {
    let root = &document.root;
    let config_default = match config_default {
        Some(document) => configuration::config_default(&document.root, sink),
        None => Vec::new(),
    };
    let found = root::of(root, Mode::Compile, sink)?;
    let scope = found.scope;
    check::check(root, found.shape, scope, Mode::Compile, "", sink);
    if !std::ptr::eq(found.vocabulary, &WORKFLOW) {
        sink.emit(UnsupportedDocument {
            name: Spanned::new(root.name.qualified(), root.name_span),
            language: match found.vocabulary.kind() {
                "bundle" => "bundles",
                _ => "coordinators",
            },
        });
        return None;
    }
    let version = WorkflowVersion::from_namespace(scope.namespace).unwrap_or(WorkflowVersion::V1_0);
    let mut cx = LowerCtx {
        scope,
        global: None,
        sink,
    };
    Some(workflow::workflow_app(
        &mut cx,
        root,
        version,
        config_default,
    ))
}

/// Holds a document of any kind against the published schemas, and against nothing else: what is in the sink afterwards
/// is what an XML Schema validator would refuse. `text` is what the document was read from.
pub fn schema_only(document: &XmlDocument<'_>, text: &str, sink: &mut Sink) {
    if let Some(found) = root::of(&document.root, Mode::SchemaOnly, sink) {
        let mode = Mode::SchemaOnly;
        check::check(&document.root, found.shape, found.scope, mode, text, sink);
    }
}
