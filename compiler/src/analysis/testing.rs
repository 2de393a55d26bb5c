//! For unit tests: text in, diagnostics out.

use std::fmt::Write as _;

use crate::{
    analysis::{self, Facts, FeatureSet, GivenProperty, Included, JobProperties, Needs},
    diagnostics::{Diagnostic, LintLevels, Place, Sink},
    lints::allow_comments::{self, UselessAllow},
    lower::{self, Language},
    model::WorkflowApp,
    rules::RULES,
    source::SourceMap,
    syntax::xml,
};

/// The diagnostics of a workflow with these nodes, as [`short`] prints them. Lines are those of `nodes`.
pub(crate) fn short_diagnostics(nodes: &str) -> String {
    short_diagnostics_given(nodes, &JobProperties::default())
}

/// Like [`short_diagnostics`], with given properties.
pub(crate) fn short_diagnostics_given(nodes: &str, given: &JobProperties) -> String {
    let (_, _, diagnostics) = analyse(&document(nodes), given);
    diagnostics
}

/// The notes of all diagnostics of a workflow with these nodes.
pub(crate) fn notes(nodes: &str) -> Vec<String> {
    let document = document(nodes);
    let mut sources = SourceMap::default();
    let file = sources.add("workflow.xml".to_owned(), document.clone());
    let mut sink = Sink::default();
    let tree = xml::parse(file, &document, &mut sink).expect("the test's document is well-formed");
    let app = lower::workflow(&tree, None, &mut sink).expect("the test's document is a workflow");
    analysis::workflow(&app, &JobProperties::default(), &mut sink);
    sink.into_sorted()
        .into_iter()
        .flat_map(|diagnostic| diagnostic.notes)
        .collect()
}

/// A `workflow-app` of schema 1.0 around `nodes`, which begin on its first line.
pub(crate) fn document(nodes: &str) -> String {
    format!(r#"<workflow-app xmlns="uri:oozie:workflow:1.0" name="test">{nodes}</workflow-app>"#)
}

/// The model, the facts, and the diagnostics. The document must be well-formed.
pub(crate) fn analyse(document: &str, given: &JobProperties) -> (WorkflowApp, Facts, String) {
    analyse_at(document, given, LintLevels::new(RULES))
}

/// Like [`analyse`], with lints at these levels.
pub(crate) fn analyse_at(
    document: &str,
    given: &JobProperties,
    levels: LintLevels,
) -> (WorkflowApp, Facts, String) {
    let mut sources = SourceMap::default();
    let file = sources.add("workflow.xml".to_owned(), document.to_owned());
    let mut sink = Sink::new(levels);
    let tree = xml::parse(file, document, &mut sink).expect("the test's document is well-formed");
    allow_comments::collect(&tree, document, &mut sink);
    let app = lower::workflow(&tree, None, &mut sink).expect("the test's document is a workflow");
    let facts = analysis::workflow(&app, given, &mut sink);
    for allow in sink.take_useless_allows() {
        sink.emit(UselessAllow::from(allow));
    }
    (app, facts, short(&sources, &sink.into_sorted()))
}

/// The runtime that a workflow with these nodes needs, if its job is given these properties.
pub(crate) fn feature_set(nodes: &str, given: &[(&str, &str)]) -> FeatureSet {
    let given = incomplete(given);
    let (app, facts, _) = analyse(&document(nodes), &given);
    analysis::feature_set(&app, &facts, &given)
}

/// How many nodes are left of a workflow with these nodes, and the diagnostics, if mistakes of unreached nodes are warnings.
pub(crate) fn without_unreached_mistakes(nodes: &str) -> (usize, String) {
    let document = document(nodes);
    let mut sources = SourceMap::default();
    let file = sources.add("workflow.xml".to_owned(), document.clone());
    let mut sink = Sink::default();
    let given = JobProperties::default();
    let tree = xml::parse(file, &document, &mut sink).expect("the test's document is well-formed");
    let mut app =
        lower::workflow(&tree, None, &mut sink).expect("the test's document is a workflow");
    let facts = analysis::workflow(&app, &given, &mut sink);
    analysis::without_unreached_mistakes(&mut app, facts, &given, &mut sink);
    (app.nodes.len(), short(&sources, &sink.into_sorted()))
}

/// Whether every job of a workflow with these nodes runs the node of this name, unless an action fails.
pub(crate) fn always_runs(nodes: &str, name: &str) -> bool {
    let (app, facts, _) = analyse(&document(nodes), &JobProperties::default());
    let node = app
        .node_named(name)
        .expect("the test's workflow has the node");
    analysis::always_runs(&app, &facts.graph, node)
}

/// What its job requires besides.
pub(crate) fn needs(nodes: &str, given: &[(&str, &str)]) -> Needs {
    let given = incomplete(given);
    let (app, facts, _) = analyse(&document(nodes), &given);
    analysis::needs(&app, &facts, &given)
}

/// Some of the properties that a job is given.
fn incomplete(given: &[(&str, &str)]) -> JobProperties {
    JobProperties {
        is_complete: false,
        zone: None,
        controls: None,
        properties: given
            .iter()
            .map(|&(name, value)| {
                let property = GivenProperty {
                    value: value.to_owned(),
                    span: None,
                };
                (name.to_owned(), property)
            })
            .collect(),
    }
}

/// The diagnostics of a document of any language.
pub(crate) fn analyse_any(document: &str, given: &JobProperties, levels: LintLevels) -> String {
    let mut sources = SourceMap::default();
    let file = sources.add("document.xml".to_owned(), document.to_owned());
    let mut sink = Sink::new(levels.clone());
    let tree = xml::parse(file, document, &mut sink).expect("the test's document is well-formed");
    match lower::language(&tree) {
        Language::Workflow => return analyse_at(document, given, levels).2,
        Language::Coordinator => {
            let app = lower::coordinator(&tree, None, &mut sink);
            analysis::coordinator(&app, &Included::default(), given, &mut sink);
        }
        Language::Bundle => {
            let app = lower::bundle(&tree, None, &mut sink);
            analysis::bundle(&app, given, &mut sink);
        }
    }
    short(&sources, &sink.into_sorted())
}

/// One line each: `line:column: rule message`. On the first line, columns do not count the start tag of [`document`].
pub(crate) fn short(sources: &SourceMap, diagnostics: &[Diagnostic]) -> String {
    let tag = document("").len() - "</workflow-app>".len();
    let mut text = String::new();
    for diagnostic in diagnostics {
        let at = match &diagnostic.place {
            Place::Span(span) => {
                let position = sources.position(span.file, span.start);
                let is_first = position.line == 1;
                let is_wrapped = sources.text(span.file).starts_with(&document("")[..tag]);
                let column = match is_first && is_wrapped {
                    true => usize::try_from(position.column)
                        .unwrap()
                        .saturating_sub(tag),
                    false => usize::try_from(position.column).unwrap(),
                };
                format!("{}:{column}: ", position.line)
            }
            Place::File(_) | Place::Path(_) => String::new(),
        };
        let (rule, message) = (diagnostic.rule.id(), &diagnostic.message);
        writeln!(text, "{at}{rule} {message}").expect("writing to a String cannot fail");
    }
    text
}
