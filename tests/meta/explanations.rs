//! Runs the examples of every explanation through all pure rooms: a wrong one yields exactly the rule that is explained,
//! a right one nothing.

use std::collections::BTreeMap;

use hpdlc::{
    analysis::{self, Included, JobProperties},
    diagnostics::{Diagnostic, Example, LintLevel, LintLevels, Rule, Sink, check_explanation},
    driver::{
        application::{self, Arguments, Session},
        properties::PropertyArguments,
    },
    lints::allow_comments::{self, UselessAllow},
    lower::{self, Language},
    rules::RULES,
    source::SourceMap,
    syntax::xml,
};

use hpdlc_tests::folder::write;

const SMALLEST: &str = "<workflow-app name='daily' xmlns='uri:oozie:workflow:1.0'><start to='done'/><end name='done'/></workflow-app>";

/// How far an example is processed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// A fragment, for the rules of XML.
    Syntax,
    /// A whole document.
    Workflow,
}

/// Rules about commands and files, covered by `tests/ui`; they have no input for a room.
const ABOUT_FILES: [&str; 30] = [
    "H0001",
    "H0002",
    "H0003",
    "H0004",
    "H0008",
    "H0009",
    "H0010",
    "H0614",
    "H0708",
    "H0723",
    "H0724",
    "H0802",
    "H0813",
    "byte_order_marks",
    "embedded_secrets",
    "endless_sub_workflows",
    "missing_files",
    "unrendered_templates",
    "namespaced_datasets",
    "migration_losses",
    "skipped_files",
    "unknown_data_keys",
    "hiveconf_parameters",
    "misspelt_data_keys",
    "missing_script_parameters",
    "unused_script_parameters",
    "unreachable_mistakes",
    "unresolved_includes",
    "unresolved_sub_workflows",
    "unresolved_workflows",
];

/// Rules whose examples cannot be shown as text: invalid UTF-8, input longer than a page, and the declaration of an
/// encoding, which is only valid in a file. Their tests are in the room.
const NOT_AS_TEXT: [&str; 5] = ["H0101", "H0103", "H0104", "H0114", "oversized_definitions"];

/// Rules that are no longer reported, as their explanations say.
const RETIRED: [&str; 2] = ["H0801", "H0805"];

/// Rules that are only reported if all properties are known.
const WITH_PROPERTIES: [&str; 5] = ["H0511", "H0512", "H0514", "H0515", "unset_properties"];

fn report(id: &str, example: &Example<'_>) -> Vec<String> {
    match example.language {
        "properties" => report_on_file("job.properties", example.text),
        "configuration" => report_on_file("job.xml", example.text),
        "config-default" => report_on_document(id, SMALLEST, Some(example.text)),
        "xml" => report_on_document(id, example.text, None),
        "toml" => report_on_settings(example.text),
        other => panic!("{id} has an example in {other}"),
    }
}

/// The rules that a file given with `-c` yields.
fn report_on_file(name: &str, text: &str) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    write(&path, text);
    let session = Session::new(&Arguments {
        properties: PropertyArguments {
            files: vec![path],
            ..PropertyArguments::default()
        },
        ..Arguments::new(RULES)
    });
    ids(session.finish().0)
}

/// The rules that an application with this `hpdl.toml` yields.
fn report_on_settings(text: &str) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    write(&folder.path().join("hpdl.toml"), text);
    write(&folder.path().join("workflow.xml"), SMALLEST);
    let mut session = Session::new(&Arguments::new(RULES));
    let application = application::load(folder.path(), &mut session);
    let found = ids(session.finish().0);
    assert!(application.is_some() || !found.is_empty());
    found
}

fn ids(diagnostics: Vec<Diagnostic>) -> Vec<String> {
    diagnostics
        .iter()
        .map(|diagnostic| diagnostic.rule.id().to_owned())
        .collect()
}

/// The rules that a document yields.
fn report_on_document(id: &str, document: &str, defaults: Option<&str>) -> Vec<String> {
    let mut sources = SourceMap::default();
    let mut levels = LintLevels::new(RULES);
    if RULES.lints().any(|lint| lint.name == id) {
        // The lint may be allowed by default.
        levels.set(id, LintLevel::Warn).expect("it is registered");
    }
    let mut sink = Sink::new(levels);
    let depth = if id.starts_with("H01") {
        Depth::Syntax
    } else {
        Depth::Workflow
    };
    let file = sources.add("workflow.xml".to_owned(), document.to_owned());
    let tree = xml::parse(file, document, &mut sink);
    if let Some(tree) = &tree {
        allow_comments::collect(tree, document, &mut sink);
    }
    let defaults = defaults.and_then(|text| {
        let file = sources.add("config-default.xml".to_owned(), text.to_owned());
        xml::parse(file, text, &mut sink)
    });
    if let (Some(tree), Depth::Workflow) = (&tree, depth) {
        let given = JobProperties {
            is_complete: WITH_PROPERTIES.contains(&id),
            zone: None,
            controls: None,
            properties: BTreeMap::new().into(),
        };
        analyse(tree, defaults.as_ref(), &given, &mut sink);
    }
    for allow in sink.take_useless_allows() {
        sink.emit(UselessAllow::from(allow));
    }
    ids(sink.into_sorted())
}

fn analyse(
    tree: &xml::XmlDocument<'_>,
    defaults: Option<&xml::XmlDocument<'_>>,
    given: &JobProperties,
    sink: &mut Sink,
) {
    match lower::language(tree) {
        Language::Workflow => {
            if let Some(app) = lower::workflow(tree, defaults, sink) {
                analysis::workflow(&app, given, sink);
            }
        }
        Language::Coordinator => {
            let app = lower::coordinator(tree, defaults, sink);
            analysis::coordinator(&app, &Included::default(), given, sink);
        }
        Language::Bundle => {
            let app = lower::bundle(tree, defaults, sink);
            analysis::bundle(&app, given, sink);
        }
    }
}

fn rules() -> impl Iterator<Item = Rule> {
    RULES.all()
}

#[test]
fn examples_do_what_they_promise() {
    let broken: Vec<String> = rules()
        .filter(|rule| {
            ![&ABOUT_FILES[..], &NOT_AS_TEXT, &RETIRED]
                .iter()
                .any(|exceptions| exceptions.contains(&rule.id()))
        })
        .filter_map(|rule| {
            check_explanation(rule.id(), rule.explanation(), |example| {
                let mut found = report(rule.id(), example);
                // An example for another rule may use something that is not built yet.
                found.retain(|found| found == rule.id() || !found.starts_with("H080"));
                found
            })
            .err()
        })
        .collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn every_rule_is_explained_in_full() {
    for rule in rules() {
        let explanation = rule.explanation();
        assert!(explanation.len() > 200, "{}: {explanation}", rule.id());
        assert!(explanation.contains("```"), "{} has no example", rule.id());
        assert!(explanation.ends_with('\n'), "{}", rule.id());
    }
}

#[test]
fn exceptions_are_rules() {
    for id in ABOUT_FILES
        .iter()
        .chain(&NOT_AS_TEXT)
        .chain(&WITH_PROPERTIES)
        .chain(&RETIRED)
    {
        assert!(rules().any(|rule| rule.id() == *id), "{id}");
    }
}
