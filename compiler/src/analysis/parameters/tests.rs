use hpdlc_tests::cases;

use crate::{
    analysis::{
        Facts, GivenProperty, JobProperties,
        testing::{analyse, document},
    },
    source::{FileId, Span},
};

fn given(properties: &[(&str, &str)]) -> JobProperties {
    JobProperties {
        is_complete: true,
        zone: None,
        controls: None,
        properties: properties
            .iter()
            .map(|(name, value)| {
                let property = GivenProperty {
                    value: (*value).to_owned(),
                    span: None,
                };
                ((*name).to_owned(), property)
            })
            .collect(),
    }
}

/// A workflow with these `parameters` and one `fs` action with these operations, on line 3.
fn workflow(parameters: &str, operations: &str) -> String {
    let parameters = match parameters {
        "" => String::new(),
        declared => format!("<parameters>{declared}</parameters>"),
    };
    document(&format!(
        r#"{parameters}
<start to="a"/><action name="a"><fs>
{operations}
</fs><ok to="end"/><error to="end"/></action>
<end name="end"/>"#
    ))
}

#[test]
fn similar_name_in_a_properties_file_is_labelled() {
    let mut given = given(&[("rot", "/r")]);
    let key = Span::new(FileId(7), 3, 6);
    for property in given.properties.values_mut() {
        property.span = Some(key);
    }
    let mut sink = crate::diagnostics::Sink::default();
    let text = workflow("", r#"<mkdir path="${root}/a"/>"#);
    let mut sources = crate::source::SourceMap::default();
    let file = sources.add("workflow.xml".to_owned(), text.clone());
    let tree = crate::syntax::xml::parse(file, &text, &mut sink).unwrap();
    let app = crate::lower::workflow(&tree, None, &mut sink).unwrap();
    crate::analysis::workflow(&app, &given, &mut sink);
    let diagnostics = sink.into_sorted();
    assert!(
        diagnostics
            .iter()
            .any(|diagnostic| diagnostic.labels.iter().any(|label| label.span == key)),
        "{diagnostics:?}"
    );
}

/// `parameters ELEMENTS` and `given NAME=VALUE NAME=VALUE`, if any, and the operations.
fn analysed(lines: &str) -> (Facts, String) {
    let (parameters, rest) = match lines.strip_prefix("parameters ") {
        Some(behind) => behind.split_once('\n').expect("operations follow"),
        None => ("", lines),
    };
    let (given, operations) = match rest.strip_prefix("given") {
        Some(behind) => {
            let (words, operations) = behind.split_once('\n').expect("operations follow");
            let words = words.split_whitespace();
            let properties: Vec<(&str, &str)> = words
                .map(|word| word.split_once('=').expect("NAME=VALUE"))
                .collect();
            (given(&properties), operations)
        }
        None => (JobProperties::default(), rest),
    };
    let (_, facts, diagnostics) = analyse(&workflow(parameters, operations), &given);
    (facts, diagnostics)
}

#[test]
fn diagnostics() {
    cases::check(
        "compiler/src/analysis/parameters/tests/diagnostics.txt",
        |case| analysed(&case.given).1,
    );
}

/// Name, type, whether it is required, and the number of uses of each property.
#[test]
fn uses() {
    cases::check("compiler/src/analysis/parameters/tests/uses.txt", |case| {
        let (facts, _) = analysed(&case.given);
        let lines = facts.properties.iter().map(|property| {
            let presence = match (property.is_required(), property.default()) {
                (true, _) => "required".to_owned(),
                (false, Some(default)) => format!("default {default:?}"),
                (false, None) => "optional".to_owned(),
            };
            let (name, r#type) = (&property.name, property.r#type.name());
            format!("{name}: {type}, {presence}, {} uses\n", property.uses.len())
        });
        lines.collect()
    });
}
