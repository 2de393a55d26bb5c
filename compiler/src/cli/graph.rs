//! `hpdlc graph`: the picture of a workflow, for another program to draw.

use std::path::Path;

use crate::{
    cli::{
        EXIT_FINE, GraphArguments,
        output::{self, Output},
    },
    codegen::graph,
    driver::{
        Failure,
        application::{self, CheckedApp, Session},
        writer,
    },
};

/// The languages of pictures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Language {
    Dot,
    Mermaid,
}

pub(super) fn run(arguments: GraphArguments, output: &mut Output) -> u8 {
    let language = match &arguments.output {
        Some(path) => match language(path) {
            Ok(language) => language,
            Err(message) => {
                return output.wrong_usage(&message, "name a file that ends in `.dot` or `.mmd`");
            }
        },
        None => Language::Dot,
    };
    let mut session = Session::new(&arguments.input.into_arguments());
    let loaded = application::load(&arguments.path, &mut session);
    let (diagnostics, sources) = session.finish();
    let code = output.human(
        &diagnostics,
        &sources,
        &format!("draw {}", arguments.path.display()),
    );
    let application = match &loaded {
        Some(application) if !output::has_errors(&diagnostics) => application,
        Some(_) | None => return code,
    };
    let text = application
        .apps
        .first()
        .map_or_else(String::new, |own| drawn(own, language));
    let Some(path) = arguments.output else {
        return output.answer(&text);
    };
    match writer::replace(&path, text.as_bytes()) {
        Ok(()) => EXIT_FINE,
        Err(error) => output.failure(&Failure::io("write", &path, &error)),
    }
}

fn drawn(own: &CheckedApp, language: Language) -> String {
    match language {
        Language::Dot => graph::dot(&own.app, &own.facts),
        Language::Mermaid => graph::mermaid(&own.app, &own.facts),
    }
}

/// The language that the ending of a file's name asks for.
fn language(path: &Path) -> Result<Language, String> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("dot" | "gv") => Ok(Language::Dot),
        Some("mmd" | "mermaid") => Ok(Language::Mermaid),
        Some("svg") => Err("SVG pictures are not drawn yet".to_owned()),
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
        for refused in ["b.svg", "b.png", "b"] {
            assert!(language(Path::new(refused)).is_err(), "{refused}");
        }
    }
}
