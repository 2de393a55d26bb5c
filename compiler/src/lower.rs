//! Lowering: XML trees to the typed model; the only room that knows both.
//!
//! [`workflow`] first validates the document against the schema tables ([`check`] reads [`schema`]) and reports all
//! violations, then lowers what is there. No mistake stops it: what is missing becomes an empty name or an invalid template
//! in the model, which later rooms skip.

mod action;
mod bundle;
mod check;
mod configuration;
mod control_nodes;
mod coordinator;
mod credentials;
mod oversized_definitions;
mod parameters;
mod proposal;
mod root;
pub(crate) mod schema;
mod sla;
mod template;
mod workflow;

#[cfg(test)]
mod tests;

use hpdlc_core::el::functions::Dialect;

pub(crate) use self::root::unsupported_document::UnsupportedDocument;
pub use self::schema::Extensions;
use crate::{
    diagnostics::{Code, Lint, Sink},
    lower::{
        check::{CheckMode, Scope},
        oversized_definitions::{LARGEST_FOR_OOZIE, OversizedDefinition},
        schema::WORKFLOW,
        template::TextSink,
    },
    model::{
        BundleApp, CoordinatorApp, Global, WorkflowApp, WorkflowVersion, coordinator::IncludedFile,
    },
    parallel::{self, BothEnds},
    source::Spanned,
    syntax::xml::{Element, XmlDocument},
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

/// The codes H08xx of this room: valid in Oozie, but not supported yet.
pub static UNSUPPORTED_CODES: &[&Code] = &[&root::unsupported_document::CODE];

/// Unsupported features of the dialect of 2009.
pub static UNSUPPORTED_PROPOSAL_CODES: &[&Code] = &[&proposal::unsupported_host_url::CODE];

/// `H0814`, for a registry in the order of numbers.
pub static CUSTOM_TYPE_CODES: &[&Code] = &[&check::custom_action_type::CODE];

/// The lints of this room.
pub static LINTS: &[&Lint] = &[
    &check::features_missing_from_schema::LINT,
    &oversized_definitions::LINT,
    &check::unknown_retry_policies::LINT,
];

/// The context of lowering.
struct LowerCtx<'c> {
    scope: Scope<'c>,
    global: Option<&'c Global>,
    sink: &'c mut TextSink,
}

/// Documents with fewer elements are checked faster than a thread starts.
const ENOUGH_FOR_TWO_THREADS: usize = 2_000;

/// The number of children of the root that a thread takes at once from the work queue.
const N_AT_ONCE: usize = 64;

/// Lowers a `workflow.xml`, with the `config-default.xml` beside it if there is one; for the dialect of 2009 that is the
/// `configuration.xml`.
///
/// `None` if the document is not a workflow, which has been reported. A workflow with mistakes is lowered as far as
/// possible; the mistakes are in the sink.
pub fn workflow(
    document: &XmlDocument<'_>,
    config_default: Option<&XmlDocument<'_>>,
    sink: &mut Sink,
) -> Option<WorkflowApp> {
    workflow_with(document, config_default, Extensions::NONE, sink)
}

/// Like [`workflow`], for a document whose actions may be of types of these extensions.
pub fn workflow_with(
    document: &XmlDocument<'_>,
    config_default: Option<&XmlDocument<'_>>,
    extensions: Extensions,
    sink: &mut Sink,
) -> Option<WorkflowApp> {
    let root = &document.root();
    let dialect = Dialect::of_root(root.name.local);
    let mut texts = TextSink::new(sink.beside(), dialect);
    let config_default = match config_default {
        Some(document) => configuration::config_default(&document.root(), &mut texts),
        None => Vec::new(),
    };
    if dialect == Dialect::Proposal {
        proposal::check(root, sink);
        let app = proposal::workflow_app(root, config_default, &mut texts);
        sink.append(texts.into_sink());
        return Some(app);
    }
    let Some(found) = root::of(root, CheckMode::Compile, sink) else {
        sink.append(texts.into_sink());
        return None;
    };
    let scope = Scope {
        extensions,
        ..found.scope
    };
    if !std::ptr::eq(found.vocabulary, &WORKFLOW) {
        check::check(root, found.shape, scope, CheckMode::Compile, "", sink);
        sink.append(texts.into_sink());
        sink.emit(UnsupportedDocument {
            name: Spanned::new(root.name.qualified(), root.name_span),
            language: match found.vocabulary.kind() {
                "bundle" => "bundle",
                _ => "coordinator",
            },
        });
        return None;
    }
    if document.n_bytes() > LARGEST_FOR_OOZIE {
        sink.emit(OversizedDefinition {
            length: document.n_bytes(),
            root: root.name_span,
        });
    }
    let version = WorkflowVersion::from_namespace(scope.namespace).unwrap_or(WorkflowVersion::V1_0);
    let children: Vec<Element<'_>> = root.elements().collect();
    let is_large = document.n_elements() >= ENOUGH_FOR_TWO_THREADS;
    let unlowered = BothEnds::of(&children, N_AT_ONCE);
    let global = workflow::global(root, &mut texts);
    let nodes = |children: &[Element<'_>], sink: &mut TextSink| {
        let mut cx = LowerCtx {
            scope,
            global: global.as_ref(),
            sink,
        };
        workflow::nodes(&mut cx, children)
    };
    // The two are independent: lowering does not report what the check reports.
    let mut checked = sink.beside();
    let mut texts_beside = TextSink::new(sink.beside(), dialect);
    let beside = || {
        check::check(
            root,
            found.shape,
            scope,
            CheckMode::Compile,
            "",
            &mut checked,
        );
        let mut from_end = Vec::new();
        while let Some(children) = unlowered.last() {
            from_end.push(nodes(children, &mut texts_beside));
        }
        (from_end, checked)
    };
    let mut here = || {
        let mut all = Vec::with_capacity(children.len());
        while let Some(children) = unlowered.first() {
            all.append(&mut nodes(children, &mut texts));
        }
        all
    };
    let ((from_end, checked), mut nodes) = if is_large {
        parallel::both(beside, here)
    } else {
        let nodes = here();
        (beside(), nodes)
    };
    nodes.extend(from_end.into_iter().rev().flatten());
    let mut app = workflow::workflow_app(root, version, config_default, global, nodes, &mut texts);
    app.extensions = extensions.all();
    app.has_all_extensions = extensions.is_complete;
    sink.append(texts_beside.into_sink());
    sink.append(checked);
    sink.append(texts.into_sink());
    Some(app)
}

/// The language of a document, determined by its root element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// A workflow of the current dialect, or unknown, which [`workflow`] reports.
    Workflow,
    Coordinator,
    Bundle,
}

/// The language of a document, and so which function of this room lowers it.
pub fn language(document: &XmlDocument<'_>) -> Language {
    language_of(document.root().name.local)
}

/// The language of documents whose root element has that local name.
pub fn language_of(root: &str) -> Language {
    match root {
        "coordinator-app" => Language::Coordinator,
        "bundle-app" => Language::Bundle,
        _ => Language::Workflow,
    }
}

/// Lowers a `coordinator.xml`, with the `coord-config-default.xml` beside it if there is one, as far as possible.
pub fn coordinator(
    document: &XmlDocument<'_>,
    config_default: Option<&XmlDocument<'_>>,
    sink: &mut Sink,
) -> CoordinatorApp {
    let mut texts = TextSink::new(sink.beside(), Dialect::Oozie);
    let config_default = config_default.map_or_else(Vec::new, |document| {
        configuration::config_default(&document.root(), &mut texts)
    });
    check_document(document, sink);
    let app = coordinator::coordinator_app(&document.root(), config_default, &mut texts);
    sink.append(texts.into_sink());
    app
}

/// Lowers a file that an `include` of a coordinator refers to.
pub fn included_file(document: &XmlDocument<'_>, sink: &mut Sink) -> IncludedFile {
    let mut texts = TextSink::new(sink.beside(), Dialect::Oozie);
    let file = coordinator::included_file(&document.root(), &mut texts);
    sink.append(texts.into_sink());
    file
}

/// Lowers a `bundle.xml`, with the `bundle-config-default.xml` beside it if there is one, as far as possible.
pub fn bundle(
    document: &XmlDocument<'_>,
    config_default: Option<&XmlDocument<'_>>,
    sink: &mut Sink,
) -> BundleApp {
    let mut texts = TextSink::new(sink.beside(), Dialect::Oozie);
    let config_default = config_default.map_or_else(Vec::new, |document| {
        configuration::config_default(&document.root(), &mut texts)
    });
    check_document(document, sink);
    let app = bundle::bundle_app(&document.root(), config_default, &mut texts);
    sink.append(texts.into_sink());
    app
}

/// Validates a document against the tables of its language, if that is known.
fn check_document(document: &XmlDocument<'_>, sink: &mut Sink) {
    let root = &document.root();
    if let Some(found) = root::of(root, CheckMode::Compile, sink) {
        check::check(root, found.shape, found.scope, CheckMode::Compile, "", sink);
    }
}

/// Validates a document of any kind against the published schemas only: the sink then has what an XML Schema validator would
/// reject. `text` is the source of the document.
pub fn schema_only(document: &XmlDocument<'_>, text: &str, sink: &mut Sink) {
    let root = &document.root();
    if let Some(found) = root::of(root, CheckMode::SchemaOnly, sink) {
        check::check(
            root,
            found.shape,
            found.scope,
            CheckMode::SchemaOnly,
            text,
            sink,
        );
    }
}
