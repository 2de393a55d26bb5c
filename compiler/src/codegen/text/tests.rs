//! The representation in the table of texts from documents and from the corpus.

#![expect(
    clippy::disallowed_methods,
    reason = "a test of files that stay outside of the repository"
)]

use std::{
    fs,
    path::{Path, PathBuf},
};

use hpdlc_core::el::parser::parse_template;

use super::*;
use crate::{
    analysis::{self, JobProperties},
    codegen::{Application, CompiledBundle, CompiledCoordinator, testing},
    diagnostics::Sink,
    lower,
    source::SourceMap,
    syntax::xml,
};

#[test]
fn texts_of_properties_follow_from_their_parts() {
    for (source, expected) in [
        ("", Some(SimpleText::Text(""))),
        ("a $b {c}", Some(SimpleText::Text("a $b {c}"))),
        ("${a}", Some(SimpleText::Property("a"))),
        ("x${a}", Some(SimpleText::Around("x", "a", ""))),
        ("${a}/é", Some(SimpleText::Around("", "a", "/é"))),
        (
            "${a}/${b}${c}.",
            Some(SimpleText::Join(
                vec![("", "a"), ("/", "b"), ("", "c")],
                ".",
            )),
        ),
        // A different spelling, constants, other expressions.
        ("${ a }", None),
        ("${(a)}", None),
        ("${MB}", None),
        ("${1}", None),
        ("${a.b}", None),
        ("${a}${wf:id()}", None),
    ] {
        let ast = parse_template(source).expect("it parses");
        assert_eq!(SimpleText::of(&ast, source), expected, "{source}");
    }
}

/// The form of a part.
fn form(part: &PartExpr<'_>) -> &'static str {
    match part {
        PartExpr::Text(_) => "text",
        PartExpr::Constant(_) => "constant",
        PartExpr::Property(_) => "property",
        PartExpr::Call(..) => "call",
        PartExpr::Entry(_) | PartExpr::Member(..) | PartExpr::Captured(..) => "entry",
        PartExpr::Code(_) => "code",
    }
}

#[test]
fn only_operators_and_what_a_path_would_read_otherwise_are_not_data() {
    for (source, expected) in [
        ("a ${b}", "text property"),
        ("${a + 1}/${b}", "code text property"),
        ("${concat(a, b ? 1 : 2)}", "call"),
        ("${(a ? b : c)['k']}", "entry"),
        ("${wf:actionData('a')['k']}", "entry"),
        ("${10 * KB}${null}${'x'}", "constant constant constant"),
        ("${wf:conf('/a')}", "call"),
        ("${concat('/a', concat('/', 'b'))}", "constant"),
        // The value of an expression may be a lost part, a text of the author's is not.
        ("/a/${''}", "text code"),
        ("/a/${'/b'}", "text code"),
        ("/a/${trim(' ')}", "text call"),
        ("${concat('/a/', trim(' '))}", "call"),
    ] {
        let ast = parse_template(source).expect("it parses");
        let forms: Vec<&str> = parts::of(&ast, source).iter().map(form).collect();
        assert_eq!(forms.join(" "), expected, "{source}");
    }
}

/// The documents of the corpus with this file name; `None` if there is no corpus.
fn of_corpus(file_name: &str) -> Option<Vec<PathBuf>> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let folders = std::env::var_os("HPDL_SHARED").map(PathBuf::from);
    let folders = folders.into_iter().chain([beside]);
    let mut corpora = folders.map(|folder| folder.join("corpus"));
    let Some(corpus) = corpora.find(|corpus| corpus.is_dir()) else {
        eprintln!("skipped: no corpus in $HPDL_SHARED or beside the checkout");
        return None;
    };
    let mut found = Vec::new();
    collect(&corpus, file_name, &mut found);
    Some(found)
}

fn collect(folder: &Path, file_name: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, file_name, found);
        } else if path.file_name().is_some_and(|name| name == file_name) {
            found.push(path);
        }
    }
}

/// The program of a workflow, or `None` if it has errors.
fn program(text: &str) -> Option<String> {
    let mut sources = SourceMap::default();
    let file = sources.add("workflow.xml".to_owned(), text.to_owned());
    let mut sink = Sink::default();
    let tree = xml::parse(file, text, &mut sink)?;
    let app = lower::workflow(&tree, None, &mut sink)?;
    let facts = analysis::workflow(&app, &JobProperties::default(), &mut sink);
    if sink.has_errors() {
        return None;
    }
    Some(testing::inline_program(&sources, &app, &facts))
}

/// The program of a coordinator, or `None` if it has errors.
fn program_of_coordinator(text: &str) -> Option<String> {
    let mut sources = SourceMap::default();
    let file = sources.add("coordinator.xml".to_owned(), text.to_owned());
    let mut sink = Sink::default();
    let tree = xml::parse(file, text, &mut sink)?;
    let app = lower::coordinator(&tree, None, &mut sink);
    let included = analysis::Included::default();
    let facts = analysis::coordinator(&app, &included, &JobProperties::default(), &mut sink);
    if sink.has_errors() {
        return None;
    }
    Some(testing::inline_application(&Application {
        coordinators: vec![CompiledCoordinator {
            app: &app,
            facts: &facts,
            included: &included,
            source: "coordinator.xml",
            folder: "",
            workflows: Vec::new(),
        }],
        ..testing::empty_application(&sources)
    }))
}

/// The program of a bundle, or `None` if it has errors.
fn program_of_bundle(text: &str) -> Option<String> {
    let mut sources = SourceMap::default();
    let file = sources.add("bundle.xml".to_owned(), text.to_owned());
    let mut sink = Sink::default();
    let tree = xml::parse(file, text, &mut sink)?;
    let app = lower::bundle(&tree, None, &mut sink);
    let facts = analysis::bundle(&app, &JobProperties::default(), &mut sink);
    if sink.has_errors() {
        return None;
    }
    Some(testing::inline_application(&Application {
        bundle: Some(CompiledBundle {
            app: &app,
            facts: &facts,
            source: "bundle.xml",
            children: Vec::new(),
            started: Vec::new(),
        }),
        ..testing::empty_application(&sources)
    }))
}

/// Checks the programs of all real documents of this file name. A text that is parsed at run time would appear as
/// `Template::Source` or `evaluate_text`. `least`: of how many documents one at least has no errors when it stands alone.
fn check_corpus(file_name: &str, program: fn(&str) -> Option<String>, least: usize) {
    let Some(paths) = of_corpus(file_name) else {
        return;
    };
    let mut n_programs = 0;
    for path in &paths {
        let text = fs::read_to_string(path).unwrap();
        let Some(program) = program(&text) else {
            continue;
        };
        n_programs += 1;
        for parsed in ["Template::Source", "evaluate_text"] {
            assert!(!program.contains(parsed), "{}: {program}", path.display());
        }
    }
    assert!(least * n_programs > paths.len(), "{n_programs} programs");
}

#[test]
fn no_text_of_a_real_coordinator_or_bundle_is_parsed_when_it_runs() {
    check_corpus("coordinator.xml", program_of_coordinator, 10);
    check_corpus("bundle.xml", program_of_bundle, 10);
}

#[test]
fn no_text_of_a_real_workflow_is_parsed_when_it_runs() {
    check_corpus("workflow.xml", program, 2);
}
