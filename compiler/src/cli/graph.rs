//! `hpdlc graph`: the picture of a workflow.
//!
//! A picture needs nodes and transitions only: what else is wrong with a workflow, or not built yet, does not stop it.

use std::path::Path;

use crate::{
    cli::{
        EXIT_FINE, GraphArguments,
        output::{self, Output},
    },
    codegen::graph::{self, Options, Picture},
    diagnostics::{Diagnostic, Level},
    driver::{
        Failure,
        application::{CheckedApp, Session},
        locate, writer,
    },
};

/// The languages of pictures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Language {
    Dot,
    Mermaid,
    Svg,
}

pub(super) fn run(arguments: GraphArguments, output: &mut Output) -> u8 {
    let language = match &arguments.output {
        Some(path) => match language(path) {
            Ok(language) => language,
            Err(message) => {
                return output.wrong_usage(
                    &message,
                    "name a file that ends in `.svg`, `.dot` or `.mmd`",
                );
            }
        },
        None => Language::Dot,
    };
    let mut session = Session::new(&arguments.input.into_arguments());
    let own = locate::application(&arguments.path, &mut session.sink)
        .and_then(|location| session.workflow(location));
    let picture = own.as_ref().map(|own| {
        let secrets = session.secrets(&own.app);
        graph::of_workflow(&own.app, &own.facts, &secrets)
    });
    let (mut diagnostics, sources) = session.finish();
    if let Some(own) = &own {
        diagnostics.retain(|diagnostic| prevents_picture(own, diagnostic));
    }
    let code = output.human(
        &diagnostics,
        &sources,
        &format!("draw {}", arguments.path.display()),
    );
    let picture = match &picture {
        Some(picture) if !output::has_errors(&diagnostics) => picture,
        Some(_) | None => return code,
    };
    let text = drawn(picture, language, arguments.error_edges);
    let Some(path) = arguments.output else {
        return output.answer(&text);
    };
    match writer::replace(&path, text.as_bytes()) {
        Ok(()) => EXIT_FINE,
        Err(error) => output.failure(&Failure::io("write", &path, &error)),
    }
}

fn drawn(picture: &Picture, language: Language, error_edges: bool) -> String {
    match language {
        Language::Dot => graph::dot(picture),
        Language::Mermaid => graph::mermaid(picture),
        Language::Svg => graph::svg(
            picture,
            Options {
                error_edges,
                ..Options::default()
            },
        ),
    }
}

/// Whether a mistake makes the picture wrong: files that are not read, text that is no XML, transitions that lead nowhere,
/// and what is wrong with the graph as a whole.
fn prevents_picture(own: &CheckedApp, diagnostic: &Diagnostic) -> bool {
    if diagnostic.level != Level::Error {
        return false;
    }
    let id = diagnostic.rule.id();
    let is_of = |families: &[&str]| families.iter().any(|family| id.starts_with(family));
    let has_gaps = own.app.has_gaps() || own.facts.graph.start().is_none();
    is_of(&["H00", "H01", "H03"]) || (has_gaps && is_of(&["H02"]))
}

/// The language that the ending of a file's name asks for.
fn language(path: &Path) -> Result<Language, String> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("dot" | "gv") => Ok(Language::Dot),
        Some("mmd" | "mermaid") => Ok(Language::Mermaid),
        Some("svg") => Ok(Language::Svg),
        Some(other) => Err(format!("pictures in `.{other}` are not drawn")),
        None => Err(format!(
            "`{}` does not tell which kind of picture it is",
            path.display()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ending_of_the_file_decides() {
        assert_eq!(language(Path::new("a/b.dot")), Ok(Language::Dot));
        assert_eq!(language(Path::new("b.mmd")), Ok(Language::Mermaid));
        assert_eq!(language(Path::new("b.x.svg")), Ok(Language::Svg));
        for refused in ["b.png", "b.SVG.gz", "b", ".svg"] {
            assert!(language(Path::new(refused)).is_err(), "{refused}");
        }
    }
}
