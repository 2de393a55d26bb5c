//! `hpdlc graph`: the picture of a workflow, a coordinator or a bundle.
//!
//! A picture needs only nodes and transitions: other errors in a document, and unsupported features, do not prevent it.

use std::path::Path;

use crate::{
    cli::{
        EXIT_FINE, GraphArguments,
        output::{self, CommandOutput},
    },
    codegen::graph::{self, Options, OutlineOptions, Picture},
    diagnostics::{Diagnostic, Level},
    driver::{
        Failure,
        application::{CheckStep, Session, identity},
        location::Location,
        pictures, writer,
    },
};

/// The output formats of pictures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PictureLanguage {
    Dot,
    Mermaid,
    Svg,
    /// For a terminal.
    Text,
}

pub(super) fn run(arguments: GraphArguments, output: &mut CommandOutput) -> u8 {
    let language = match &arguments.output {
        Some(path) => match language(path) {
            Ok(language) => language,
            Err(message) => {
                return output.wrong_usage(
                    &message,
                    "name a file that ends in `.svg`, `.dot`, `.mmd` or `.txt`",
                );
            }
        },
        None if output.is_on_terminal() => PictureLanguage::Text,
        None => PictureLanguage::Dot,
    };
    let input = match arguments.input.into_arguments() {
        Ok(input) => input,
        Err(failure) => return output.failure(&failure),
    };
    let mut session = Session::new(&input);
    let source = session.source(&arguments.path);
    let location = source.map(|source| source.location);
    let shown = location
        .as_ref()
        .map(|location| location.shown(&location.document));
    let (picture, needs) = location.map_or((None, PictureNeed::All), |location| {
        picture(&mut session, location)
    });
    let (mut diagnostics, sources) = session.finish();
    if picture.is_some() {
        diagnostics.retain(|diagnostic| {
            let is_own = diagnostic
                .file()
                .is_none_or(|file| Some(sources.path(file)) == shown.as_deref());
            prevents_picture(needs, is_own, diagnostic)
        });
    }
    let code = output.human(
        &diagnostics,
        &sources,
        &arguments.path,
        Some("nothing was drawn"),
    );
    let picture = match &picture {
        Some(picture) if !output::has_errors(&diagnostics) => picture,
        Some(_) | None => return code,
    };
    let outline = match &arguments.output {
        Some(_) => OutlineOptions::default(),
        None => OutlineOptions {
            width: Some(output.width()),
            has_color: output.has_answer_colors(),
        },
    };
    let text = drawn(picture, language, arguments.error_edges, outline);
    let Some(path) = arguments.output else {
        return output.answer(&text);
    };
    match writer::replace(&path, text.as_bytes()) {
        Ok(()) => EXIT_FINE,
        Err(error) => output.failure(&Failure::io("write", &path, &error)),
    }
}

/// What must be free of errors for a picture to be correct.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PictureNeed {
    /// Everything, for a workflow with missing nodes or transitions.
    All,
    /// The graph of a workflow.
    Graph,
    /// Only well-formed XML: what an event refers to is drawn even if it is undefined.
    Xml,
}

/// The picture of a document.
fn picture(session: &mut Session, location: Location) -> (Option<Picture>, PictureNeed) {
    if session.is_workflow(&location) {
        let Some(own) = session.workflow(location) else {
            return (None, PictureNeed::All);
        };
        let has_gaps = own.app.has_gaps() || own.facts.graph.start().is_none();
        let picture = pictures::pictured(session, CheckStep::Workflow(&own)).picture;
        return (
            Some(picture),
            if has_gaps {
                PictureNeed::All
            } else {
                PictureNeed::Graph
            },
        );
    }
    let document = identity(&location.document);
    let mut own = None;
    session.check(&location, &mut |session, seen| {
        let pictured = pictures::pictured(session, seen);
        if pictured.document == document {
            own = Some(pictured.picture);
        }
    });
    (own, PictureNeed::Xml)
}

fn drawn(
    picture: &Picture,
    language: PictureLanguage,
    error_edges: bool,
    outline: OutlineOptions,
) -> String {
    match language {
        PictureLanguage::Dot => graph::dot(picture),
        PictureLanguage::Mermaid => graph::mermaid(picture),
        PictureLanguage::Text => graph::outline(picture, outline),
        PictureLanguage::Svg => graph::svg(
            picture,
            Options {
                error_edges,
                ..Options::default()
            },
        ),
    }
}

/// Whether an error makes the picture wrong: files that were not read, malformed XML, transitions without a target, and
/// faults of the graph as a whole.
fn prevents_picture(needs: PictureNeed, is_own: bool, diagnostic: &Diagnostic) -> bool {
    if diagnostic.level != Level::Error {
        return false;
    }
    let id = diagnostic.rule.id();
    let is_of = |families: &[&str]| families.iter().any(|family| id.starts_with(family));
    match needs {
        PictureNeed::All => is_of(&["H00", "H01", "H02", "H03"]),
        PictureNeed::Graph => is_of(&["H00", "H01", "H03"]),
        PictureNeed::Xml => is_own && is_of(&["H00", "H01"]),
    }
}

/// The format selected by the extension of a file's name.
fn language(path: &Path) -> Result<PictureLanguage, String> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("dot" | "gv") => Ok(PictureLanguage::Dot),
        Some("mmd" | "mermaid") => Ok(PictureLanguage::Mermaid),
        Some("svg") => Ok(PictureLanguage::Svg),
        Some("txt") => Ok(PictureLanguage::Text),
        Some(other) => Err(format!("pictures cannot be written as `.{other}`")),
        None => Err(format!(
            "`{}` has no ending that names a format",
            path.display()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ending_of_the_file_decides() {
        assert_eq!(language(Path::new("a/b.dot")), Ok(PictureLanguage::Dot));
        assert_eq!(language(Path::new("b.mmd")), Ok(PictureLanguage::Mermaid));
        assert_eq!(language(Path::new("b.x.svg")), Ok(PictureLanguage::Svg));
        assert_eq!(language(Path::new("b.txt")), Ok(PictureLanguage::Text));
        for refused in ["b.png", "b.SVG.gz", "b", ".svg"] {
            assert!(language(Path::new(refused)).is_err(), "{refused}");
        }
    }
}
