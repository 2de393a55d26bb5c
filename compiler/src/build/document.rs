//! Documents in memory, such as the one that a workflow in Rust becomes: compiled by the same rooms, with messages about the
//! source that they were made from.

use std::{
    ops::Range,
    path::{Path, PathBuf},
};

use proc_macro2::TokenStream;

use super::{NotCompiled, compiled, from_here};
use crate::{
    diagnostics::{Diagnostic, Level, render::short},
    driver::{
        application::{Arguments, Session},
        locate::{COORDINATOR_XML, WORKFLOW_XML},
        location::Location,
        read::{DerivedDocument, MemoryDocument, unusable},
    },
    model::OwnFunction,
    rules::RULES,
    source::{FileId, Origins, Piece, SourceMap, Span},
};

/// What a document is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DocumentKind {
    /// The workflows that it runs by paths below its own are other documents of the program.
    Workflow { children: Vec<String> },
    /// Its workflow is another document of the program, which it starts by this path.
    Coordinator { workflow: String },
    /// Its coordinators are other documents of the program, which it starts by these paths.
    Bundle { coordinators: Vec<String> },
}

impl DocumentKind {
    fn file(&self) -> &'static str {
        match self {
            DocumentKind::Workflow { .. } => WORKFLOW_XML,
            DocumentKind::Coordinator { .. } => COORDINATOR_XML,
            DocumentKind::Bundle { .. } => "bundle.xml",
        }
    }

    /// The name of a file with default properties beside the document.
    fn defaults(&self) -> &'static str {
        match self {
            DocumentKind::Workflow { .. } => "config-default.xml",
            DocumentKind::Coordinator { .. } => "coord-config-default.xml",
            DocumentKind::Bundle { .. } => "bundle-config-default.xml",
        }
    }
}

/// A document that was made from a file of a Rust program.
#[derive(Debug)]
pub struct Document {
    pub kind: DocumentKind,
    /// The folder of the package.
    pub package: PathBuf,
    /// The Rust file, below the package.
    pub path: PathBuf,
    /// The text of the Rust file.
    pub source: String,
    /// The document.
    pub text: String,
    /// Ranges of the document, and the ranges of the Rust file that they come from, in bytes.
    pub pieces: Vec<(Range<u32>, Range<u32>)>,
    /// The range of the Rust file that the document as a whole comes from.
    pub whole: Range<u32>,
    /// The folder of the application's files, below the package. Without one there are no files, and the paths of
    /// sub-workflows begin at the package.
    pub files: Option<PathBuf>,
    /// A file of default properties, below the package.
    pub config: Option<PathBuf>,
    /// The functions of the program that its expressions can call.
    pub functions: Vec<OwnFunction>,
}

/// A diagnostic about a [`Document`], for somebody who sees its source beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentMessage {
    pub level: Level,
    /// The range of the document that it is about; `None` for a message about something else.
    pub range: Option<Range<u32>>,
    /// Message, further places, facts and proposals, a line each.
    pub text: String,
}

/// A compiled document.
#[derive(Debug)]
pub struct EmbeddedDocument {
    /// Items for a module of the program.
    pub tokens: TokenStream,
    /// Every file that was read or is embedded, as absolute paths.
    pub inputs: Vec<PathBuf>,
    /// Warnings.
    pub messages: Vec<DocumentMessage>,
}

/// Compiles a document, and its sub-workflows.
///
/// # Errors
///
/// All errors of the application, each with its place in the document.
pub fn embed_document(document: &Document) -> Result<EmbeddedDocument, Vec<DocumentMessage>> {
    let package = from_here(&document.package);
    let folder = match &document.files {
        Some(files) => package.join(files),
        None => package.clone(),
    };
    let location = Location {
        document: folder.join(document.kind.file()),
        folder,
        archive: None,
    };
    let files = document.files.as_ref();
    let problem = files.and_then(|files| unusable(&files.to_string_lossy(), &location.folder));
    if let Some(problem) = problem {
        return Err(vec![DocumentMessage {
            level: Level::Error,
            range: None,
            text: problem,
        }]);
    }
    let mut session = Session::for_program(&Arguments::new(RULES));
    let text = add(document, &package, &location, &mut session);
    let application = session.application(location);
    let messages = |diagnostics: Vec<Diagnostic>, sources: &SourceMap| {
        diagnostics
            .into_iter()
            .map(|diagnostic| message(&diagnostic, sources, text))
            .collect()
    };
    match compiled(session, application) {
        Ok(compiled) => Ok(EmbeddedDocument {
            tokens: compiled.tokens,
            inputs: compiled.inputs,
            messages: messages(compiled.diagnostics, &compiled.sources),
        }),
        Err(NotCompiled::Mistakes(diagnostics, sources)) => Err(messages(diagnostics, &sources)),
        Err(NotCompiled::Failed(failure)) => Err(vec![DocumentMessage {
            level: Level::Error,
            range: None,
            text: failure.to_string(),
        }]),
    }
}

/// Makes the texts of a document known to the session.
fn add(document: &Document, package: &Path, location: &Location, session: &mut Session) -> FileId {
    let files = &mut session.files;
    let rust_file = package.join(&document.path).display().to_string();
    let rust = files.sources.add(rust_file, document.source.clone());
    let origin = |range: &Range<u32>| Span::new(rust, range.start, range.end);
    let pieces = document.pieces.iter().map(|(range, from)| Piece {
        range: range.clone(),
        origin: origin(from),
    });
    let derived = DerivedDocument {
        path: &location.document,
        text: &document.text,
        origins: Origins::new(pieces.collect(), origin(&document.whole)),
        in_memory: MemoryDocument {
            package: package.to_owned(),
            has_files: document.files.is_some(),
            functions: document.functions.clone(),
            defaults: None,
            linked: match &document.kind {
                DocumentKind::Workflow { children } => Some(children.clone()),
                DocumentKind::Coordinator { workflow } => Some(vec![workflow.clone()]),
                DocumentKind::Bundle { coordinators } => Some(coordinators.clone()),
            },
        },
        config: document.config.as_deref(),
        defaults: document.kind.defaults(),
    };
    files.add_derived(derived, &mut session.sink)
}

/// A diagnostic for somebody who sees the Rust source beside it.
fn message(diagnostic: &Diagnostic, sources: &SourceMap, document: FileId) -> DocumentMessage {
    let range = diagnostic
        .span()
        .filter(|span| span.file == document)
        .map(|span| span.start..span.end);
    let mut text = format!("[{}] {}", diagnostic.rule.id(), diagnostic.message);
    if range.is_none() {
        text.push_str(&format!("\n  {}", short::render(diagnostic, sources)));
    }
    for label in &diagnostic.labels {
        let place = sources.start(label.span);
        if label.primary {
            text.push_str(&format!("\n  {}", label.text));
        } else {
            text.push_str(&format!(
                "\n  {}:{}:{}: {}",
                sources.path(label.span.file),
                place.line,
                place.column,
                label.text
            ));
        }
    }
    for note in &diagnostic.notes {
        text.push_str(&format!("\n  note: {note}"));
    }
    for help in diagnostic.help_without_xml() {
        text.push_str(&format!("\n  help: {help}"));
    }
    DocumentMessage {
        level: diagnostic.level,
        range,
        text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn embedded(argument: &str) -> Result<EmbeddedDocument, Vec<DocumentMessage>> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let bucket = OwnFunction {
            prefix: "acme".to_owned(),
            name: "bucket".to_owned(),
            n_arguments: 2,
            path: "super::FUNCTIONS[0]".to_owned(),
            described: None,
        };
        let unused = OwnFunction {
            name: "other".to_owned(),
            path: "::acme::other::FUNCTION".to_owned(),
            ..bucket.clone()
        };
        embed_document(&Document {
            kind: DocumentKind::Workflow {
                children: Vec::new(),
            },
            package: folder.path().to_owned(),
            path: PathBuf::from("src/main.rs"),
            source: String::new(),
            text: format!(
                "<workflow-app name=\"w\" xmlns=\"uri:oozie:workflow:1.0\"><start to=\"a\"/><action name=\"a\"><shell xmlns=\"uri:oozie:shell-action:1.0\"><exec>x</exec><argument>{argument}</argument></shell><ok to=\"end\"/><error to=\"end\"/></action><end name=\"end\"/></workflow-app>"
            ),
            pieces: Vec::new(),
            whole: 0..0,
            files: None,
            config: None,
            functions: vec![bucket, unused],
        })
    }

    #[test]
    fn expressions_call_the_functions_that_are_given() {
        for (argument, expected) in [
            (
                "${acme:bucket(wf:id(), 16)}",
                "Part::Call(own_functions::acme::call_bucket,&[Part::Call(&wf::ID,&[]),Part::Long(16)])",
            ),
            (
                "${acme:bucket('x', 16) + 1}",
                "functions::call(own_functions::acme::call_bucket,scope,vec![Value::from(\"x\"),Value::Long(16)])",
            ),
        ] {
            let embedded = embedded(argument).expect("it is sound");
            let tokens = embedded.tokens.to_string().replace(' ', "");
            assert!(tokens.contains(expected), "{tokens}");
            let entry = "=&super::super::super::super::super::FUNCTIONS[0];";
            assert!(tokens.contains(entry), "{tokens}");
            assert!(
                tokens.contains("functions:&[own_functions::acme::call_bucket]"),
                "{tokens}"
            );
        }
    }

    #[test]
    fn other_functions_and_wrong_numbers_of_arguments_are_mistakes() {
        for (argument, expected) in [
            (
                "${acme:buckets('x', 1)}",
                "[H0411] undefined function `acme:buckets`",
            ),
            ("${bucket('x', 1)}", "[H0411] undefined function `bucket`"),
            (
                "${acme:bucket('x')}",
                "[H0412] expected 2 arguments for `acme:bucket`, found 1",
            ),
        ] {
            let messages = embedded(argument).expect_err("it has a mistake");
            let [message] = &messages[..] else {
                panic!("{messages:?}")
            };
            assert!(message.text.contains(expected), "{message:?}");
        }
    }
}
