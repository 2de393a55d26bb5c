//! The fuzzing targets, for arbitrary bytes. They must not panic, hang, or need more memory than the input justifies.
//!
//! Each function is one target of `tests/fuzz/run`, and `tests/fuzz/replay.rs` passes it all inputs that were ever found.

use std::sync::{LazyLock, Mutex};

use hpdl::in_process::InProcess;
use hpdlc::{
    analysis::{self, Included, JobProperties},
    diagnostics::{
        LintLevels, Sink,
        render::{
            json, short,
            terminal::{self, Style},
        },
    },
    lints::allow_comments,
    lower::{self, Language},
    migrated,
    rules::RULES,
    source::{self, FileId, SourceMap},
    syntax::xml,
};
use hpdlc_core::{configuration, el::parser, properties};

/// A target's name, and its function.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const ALL: [Target; 5] = [
    ("xml", xml),
    ("document", document),
    ("properties", properties),
    ("template", template),
    ("request", request),
];

/// Decoding and the tree: the span of a parsed root is within the text.
fn xml(bytes: &[u8]) {
    let Some((sources, file)) = source_file(bytes) else {
        return;
    };
    let text = sources.text(file);
    let mut sink = Sink::default();
    if let Some(tree) = xml::parse(file, text, &mut sink) {
        let root = tree.root().span().range();
        assert!(root.end <= text.len());
        assert_eq!(text.as_bytes().get(root.start), Some(&b'<'));
        lower::schema_only(&tree, text, &mut sink);
    }
    rendered(sink, &sources);
}

/// A whole document, through every room that analyses it, with every message in every format.
fn document(bytes: &[u8]) {
    let Some((sources, file)) = source_file(bytes) else {
        return;
    };
    let text = sources.text(file);
    let mut sink = Sink::new(LintLevels::new(RULES));
    if let Some(tree) = xml::parse(file, text, &mut sink) {
        allow_comments::collect(&tree, text, &mut sink);
        let given = JobProperties {
            is_complete: bytes.len().is_multiple_of(2),
            ..JobProperties::default()
        };
        match lower::language(&tree) {
            Language::Workflow => {
                if let Some(app) = lower::workflow(&tree, None, &mut sink) {
                    analysis::workflow(&app, &given, &mut sink);
                }
            }
            Language::Coordinator => {
                let app = lower::coordinator(&tree, None, &mut sink);
                analysis::coordinator(&app, &Included::default(), &given, &mut sink);
            }
            Language::Bundle => {
                let app = lower::bundle(&tree, None, &mut sink);
                analysis::bundle(&app, &given, &mut sink);
            }
        }
        let is_right = !sink.has_errors();
        let new = migrated(&tree, text, None, &mut sink);
        // Only a document without errors has to be migrated to well-formed XML.
        if is_right {
            let mut mistakes = Sink::default();
            assert!(xml::parse(file, &new, &mut mistakes).is_some(), "{new}");
        }
    }
    rendered(sink, &sources);
}

/// A properties file and a Hadoop configuration.
fn properties(bytes: &[u8]) {
    // An error is as good a result as a value.
    let _ = properties::parse(bytes);
    if let Ok(text) = str::from_utf8(bytes) {
        properties::parse_captured(text);
        let _ = configuration::parse(text);
    }
}

/// A template: printing and parsing again gives the same tree.
fn template(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else {
        return;
    };
    if let Ok(template) = parser::parse_template(text) {
        let printed = template.to_string();
        let again = parser::parse_template(&printed)
            .unwrap_or_else(|error| panic!("`{printed}` does not parse: {error:?}"));
        assert_eq!(again.to_string(), printed);
    }
}

/// One server for all inputs: its state folder has no jobs, and no request of a stranger makes one.
static SERVER: LazyLock<Mutex<InProcess>> =
    LazyLock::new(|| Mutex::new(InProcess::start().expect("a temporary folder can be made")));

/// What a request is told with 500 and E0307, and is to be told: the server has no compiler for what nobody has registered, and Oozie
/// answers so where a number is none.
const DESERVED: [&str; 2] = ["hpdl.server.compiler names another", "For input string: "];

/// A request to `hpdl serve` as it comes over a connection, head and body: whatever it is, the server answers with a status that the
/// request deserves. A failure of the machine (E0307 with 500) or of the server itself is none.
fn request(bytes: &[u8]) {
    let server = SERVER
        .lock()
        .expect("an input that panics ends the program");
    let Some(answer) = server.answer(bytes) else {
        return;
    };
    let text = &answer.text;
    assert!(!text.contains("a bug in hpdl"), "{text}");
    assert!(matches!(answer.status, 200..=500 | 503), "{text}");
    let is_machine = answer.status == 500
        && text
            .to_ascii_lowercase()
            .contains("oozie-error-code: e0307")
        && !DESERVED.iter().any(|said| text.contains(said));
    assert!(!is_machine, "{text}");
}

/// The text, if the bytes are one, as the only source file.
fn source_file(bytes: &[u8]) -> Option<(SourceMap, FileId)> {
    let text = source::decode(bytes.to_vec()).ok()?;
    let mut sources = SourceMap::default();
    let file = sources.add("workflow.xml".to_owned(), text);
    Some((sources, file))
}

/// Renders all diagnostics, in the formats for people and for programs.
fn rendered(sink: Sink, sources: &SourceMap) {
    // A document with many errors has long output; each diagnostic is rendered alone.
    for diagnostic in sink.into_sorted().iter().take(64) {
        short::render(diagnostic, sources);
        json::render(diagnostic, sources);
        terminal::render(diagnostic, sources, Style::default());
    }
}
