//! Tests of lowering, from text to model.

mod actions;
mod coordinators;
mod corpus;
mod damage;
mod elements;
mod explanations;
mod model;
mod schema_only;
mod schemas;
mod shown;

use hpdlc_tests::cases;

use crate::{
    diagnostics::{Diagnostic, Place, Sink},
    model::WorkflowApp,
    source::SourceMap,
    syntax::xml,
};

/// Parses and lowers a workflow with the `config-default.xml` beside it.
pub(super) fn lower(
    text: &str,
    config_default: Option<&str>,
) -> (Option<WorkflowApp>, Vec<Diagnostic>) {
    let mut sources = SourceMap::default();
    let file = sources.add("workflow.xml".to_owned(), text.to_owned());
    let mut sink = Sink::default();
    let defaults = config_default.map(|text| {
        let file = sources.add("config-default.xml".to_owned(), text.to_owned());
        xml::parse(file, text, &mut sink).expect("the configuration is well-formed")
    });
    let document = xml::parse(file, text, &mut sink).expect("the workflow is well-formed");
    let app = super::workflow(&document, defaults.as_ref(), &mut sink);
    (app, sink.into_sorted())
}

/// One line per diagnostic: `line:column: CODE message`.
pub(super) fn short(text: &str, diagnostics: &[Diagnostic]) -> String {
    let mut sources = SourceMap::default();
    let file = sources.add("workflow.xml".to_owned(), text.to_owned());
    diagnostics
        .iter()
        .map(|diagnostic| match &diagnostic.place {
            Place::Span(span) if span.file == file => {
                let position = sources.position(file, span.start);
                format!(
                    "{}:{}: {} {}\n",
                    position.line,
                    position.column,
                    diagnostic.rule.id(),
                    diagnostic.message
                )
            }
            Place::Span(_) | Place::File(_) | Place::Path(_) => {
                format!("{} {}\n", diagnostic.rule.id(), diagnostic.message)
            }
        })
        .collect()
}

/// A workflow of that version with `nodes` from the second line on.
fn document(version: &str, nodes: &str) -> String {
    format!(
        "<workflow-app name='w' xmlns='uri:oozie:workflow:{version}'><start to='n'/>\n{nodes}\n<end name='n'/></workflow-app>"
    )
}

/// A workflow of that version with one action, whose body starts on the second line.
fn with_body(version: &str, body: &str) -> String {
    let action = format!("{body}<ok to='n'/><error to='n'/></action>");
    document(version, &action).replacen(
        "<start to='n'/>\n",
        "<start to='n'/><action name='a'>\n",
        1,
    )
}

/// The diagnostics of a document.
fn said(text: &str) -> String {
    short(text, &lower(text, None).1)
}

/// Root elements, sections and namespaces.
#[test]
fn documents() {
    cases::check("compiler/src/lower/tests/documents.txt", |case| {
        said(&case.given)
    });
}

/// Nodes, after the version of the schema.
#[test]
fn nodes() {
    cases::check("compiler/src/lower/tests/nodes.txt", |case| {
        let (version, nodes) = case.given.split_once(' ').unwrap_or((&case.given, ""));
        said(&document(version, nodes))
    });
}

/// Bodies of actions, after the version of the schema.
#[test]
fn bodies() {
    cases::check("compiler/src/lower/tests/bodies.txt", |case| {
        let (version, body) = case.given.split_once(' ').expect("a version and a body");
        said(&with_body(version, body))
    });
}
