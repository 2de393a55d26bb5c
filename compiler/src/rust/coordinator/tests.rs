use hpdlc_tests::cases;

use crate::rust::{Coordinator, read_coordinator, tests::at_places};

/// The attributes of a case that has none.
const ATTRIBUTES: &str = "#[coordinator(workflow = daily, frequency = days(1), start = \"2026-01-01T00:00Z\", end = &end, timezone = \"UTC\")]
#[dataset(logs, frequency = hours(1), initial = \"2026-01-01T00:00Z\", timezone = \"UTC\", uri = \"file:///logs/${YEAR}\")]
";
/// The arguments of a case that has none.
const ARGUMENTS: &str = "fn nightly(end: String, limit: u64, #[input(logs, current(0))] log: Instance, action: CoordinatorAction) -> daily::Params {
";

/// The function around a case, and the number of lines before it.
fn function(given: &str) -> (String, usize) {
    let mut source = String::new();
    if !given.contains("#[coordinator") {
        source.push_str(ATTRIBUTES);
    }
    if !given.contains("fn nightly") {
        source.push_str(ARGUMENTS);
    }
    let n_lines = source.lines().count();
    source.push_str(given);
    if !given.contains("fn nightly") {
        source.push_str("\n}");
    }
    (source, n_lines)
}

fn coordinator(source: &str) -> Coordinator {
    let mut item: syn::ItemFn = syn::parse_str(source).expect("the case is a function");
    let is_ours = |it: &syn::Attribute| it.path().is_ident("coordinator");
    let attribute = item.attrs.iter().find(|it| is_ours(it));
    let arguments = attribute.and_then(|it| match &it.meta {
        syn::Meta::List(list) => Some(list.tokens.clone()),
        _ => None,
    });
    item.attrs.retain(|it| !is_ours(it));
    read_coordinator(arguments.unwrap_or_default(), &item)
}

/// The document, or the mistakes with their places.
fn shown(given: &str) -> String {
    let (source, n_lines_before) = function(given);
    let coordinator = coordinator(&source);
    let mistakes = at_places(&coordinator.mistakes, &source, n_lines_before);
    match coordinator.document {
        Some(document) => document
            .text
            .replace(" xmlns=\"uri:oozie:coordinator:0.5\"", ""),
        None if mistakes.is_empty() => "left to rustc".to_owned(),
        None => mistakes,
    }
}

fn check(path: &str) {
    cases::check(path, |case| shown(&case.given).trim().to_owned());
}

#[test]
fn functions_become_documents() {
    check("compiler/src/rust/coordinator/tests/documents.txt");
}

#[test]
fn what_is_no_coordinator_is_refused_at_its_place() {
    check("compiler/src/rust/coordinator/tests/refused.txt");
}

#[test]
fn fields_are_checked_against_the_properties_of_the_workflow() {
    let (source, _) =
        function("daily::Params { a: \"x\", #[property(\"in.dir\")] dir: log.uri(), c: None }");
    let passed = coordinator(&source).passed;
    let pairs: Vec<(String, &str)> = passed
        .iter()
        .map(|it| (it.name.to_string(), it.property.as_str()))
        .collect();
    let pairs: Vec<(&str, &str)> = pairs.iter().map(|(a, b)| (a.as_str(), *b)).collect();
    assert_eq!(pairs, [("a", "a"), ("dir", "in.dir"), ("c", "c")]);
}
