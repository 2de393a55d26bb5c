//! Documents to Rust and back.

#![expect(
    clippy::disallowed_methods,
    reason = "the corpus is a folder that the environment may name"
)]

mod shown;

use std::{collections::BTreeMap, fs, path::Path};

use hpdlc_tests::{cases, corpus};

use self::shown::shown;
use crate::{
    diagnostics::{Level, Sink},
    lower,
    model::WorkflowApp,
    rust::{Refusal, from_xml, read},
    source::SourceMap,
    syntax::xml,
};

/// The model of a document and its Rust, if it has no mistakes.
fn written(text: &str) -> Option<(WorkflowApp, Result<String, Refusal>)> {
    let mut sources = SourceMap::default();
    let file = sources.add("workflow.xml".to_owned(), text.to_owned());
    let mut sink = Sink::default();
    let document = xml::parse(file, text, &mut sink)?;
    let app = lower::workflow(&document, None, &mut sink)?;
    let is_mistake = |it: &crate::diagnostics::Diagnostic| {
        it.level == Level::Error && !it.rule.id().starts_with("H08")
    };
    if sink.into_sorted().iter().any(is_mistake) {
        return None;
    }
    let rust = from_xml(&document, &app, None);
    Some((app, rust))
}

/// The document that a Rust file means.
fn document(rust: &str) -> Result<String, String> {
    let file = syn::parse_file(rust).map_err(|error| error.to_string())?;
    let function = file.items.iter().find_map(|item| match item {
        syn::Item::Fn(function) => Some(function),
        _ => None,
    });
    let mut function = function.ok_or("there is no function")?.clone();
    let attributes = std::mem::take(&mut function.attrs);
    // rustc takes this one away before it calls the macro.
    let is_ours = |it: &syn::Attribute| it.path().is_ident("workflow");
    let (ours, others): (Vec<_>, Vec<_>) = attributes.into_iter().partition(is_ours);
    function.attrs = others;
    let arguments = ours.into_iter().find_map(|it| match it.meta {
        syn::Meta::List(list) => Some(list.tokens),
        _ => None,
    });
    let workflow = read(arguments.unwrap_or_default(), &function);
    let mistakes: Vec<String> = workflow.mistakes.into_iter().map(|it| it.message).collect();
    let document = workflow.document.ok_or_else(|| format!("{mistakes:?}"))?;
    Ok(document.text)
}

/// The first lines in which the model of a document and that of its Rust differ; `None` if they do not.
fn difference(app: &WorkflowApp, rust: &str) -> Option<String> {
    let new = match document(rust) {
        Ok(new) => new,
        Err(mistakes) => return Some(mistakes),
    };
    let Some((again, _)) = written(&new) else {
        return Some(format!("a document with mistakes:\n{new}"));
    };
    let (expected, found) = (shown(app), shown(&again));
    if expected == found {
        return None;
    }
    let mut both = expected.lines().zip(found.lines());
    let lines = both.find(|(one, other)| one != other);
    Some(format!("{lines:#?}"))
}

/// A document for nodes, unless it is one.
fn whole(given: &str) -> String {
    if given.contains("<workflow-app") {
        return given.to_owned();
    }
    format!("<workflow-app name='work' xmlns='uri:oozie:workflow:1.0'>{given}</workflow-app>")
}

#[test]
fn nodes_become_statements() {
    cases::check("compiler/src/rust/from_xml/tests/statements.txt", |case| {
        let (app, rust) = written(&whole(&case.given)).expect("the document has no mistakes");
        let rust = match rust {
            Ok(rust) => rust,
            Err(refusal) => return format!("refused: {}", refusal.message),
        };
        assert_eq!(difference(&app, &rust), None, "{rust}");
        rust
    });
}

/// Every document of the corpus is refused, or means the same after its way through Rust.
#[test]
fn documents_of_the_corpus_mean_the_same_in_rust() {
    let Some(corpus) = corpus::folder() else {
        return;
    };
    let mut n_equal = 0;
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    let mut different = Vec::new();
    for path in corpus::documents_below(&corpus) {
        let Some(text) = newest(&path) else {
            continue;
        };
        let Some((app, rust)) = written(&text) else {
            continue;
        };
        match rust {
            Ok(rust) => match difference(&app, &rust) {
                None => n_equal += 1,
                Some(difference) => {
                    different.push(format!("{}\n{difference}\n{rust}", path.display()));
                }
            },
            Err(refusal) => *refused.entry(refusal.cause).or_default() += 1,
        }
    }
    println!("{n_equal} are equal, refused are {refused:#?}");
    assert!(
        different.is_empty(),
        "{} differ:\n{}",
        different.len(),
        different.join("\n")
    );
    assert!(n_equal > 0, "the corpus has workflows that Rust can say");
}

/// A workflow of the corpus, with the namespaces of the newest schemas.
fn newest(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    if !text.contains("<workflow-app") {
        return None;
    }
    let mut sources = SourceMap::default();
    let file = sources.add("workflow.xml".to_owned(), text.clone());
    let mut sink = Sink::default();
    let document = xml::parse(file, &text, &mut sink)?;
    Some(crate::migrate::migrated(&document, &text, None, &mut sink))
}
