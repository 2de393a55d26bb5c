//! A workflow that is a function of a Rust file, as an application in XML.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use super::{
    FileContent, Migration, MigrationResult, Output, files, is_unsupported, nothing, program, write,
};
use crate::{
    diagnostics::Level,
    driver::{
        Failure,
        application::{CompiledApplication, Session},
        locate::WORKFLOW_XML,
        location::Location,
    },
    migrate,
    syntax::xml,
};

const CONFIG_DEFAULT_XML: &str = "config-default.xml";

/// Writes the document that the function is, its defaults and its files.
///
/// # Errors
///
/// As of [`super::migrate`].
pub(super) fn migrate(
    file: &Path,
    location: Location,
    output: &Path,
    language: Output,
    mut session: Session,
) -> Result<Migration, Failure> {
    if language == Output::Rust {
        return Err(
            Failure::new(format!("`{}` is Rust already", file.display()))
                .help("without `--to rust` its workflow is written as XML"),
        );
    }
    let application = session.application(location.clone());
    let beside = session.sink.beside();
    let found = std::mem::replace(&mut session.sink, beside);
    // What hpdlc does not support may be valid in Oozie.
    for diagnostic in found.into_sorted() {
        if !(diagnostic.level == Level::Error && is_unsupported(diagnostic.rule)) {
            session.sink.emit(diagnostic);
        }
    }
    let Some(application) = application.filter(|_| !session.sink.has_errors()) else {
        return Ok(nothing(session));
    };
    let mut written: BTreeMap<PathBuf, FileContent> = BTreeMap::new();
    for folder in folders(&application, &session) {
        for file in files(&folder, output, false)? {
            let inside = match folder.folder.strip_prefix(&location.folder) {
                Ok(inside) => inside.join(&file.relative),
                Err(_) => continue,
            };
            written.insert(inside, FileContent::Copy(file.source));
        }
    }
    let shown = file.display().to_string();
    let id = session
        .files
        .text(&location.document, &shown, &mut session.sink);
    let Some(id) = id else {
        return Ok(nothing(session));
    };
    let text = session.files.sources.text(id).to_owned();
    let mut sink = session.sink.beside();
    let document = xml::parse(id, &text, &mut sink);
    let Some(document) = document else {
        return Err(Failure::new(format!("`{shown}` cannot be written as XML")));
    };
    let program = program(language, &document, file, &shown)?;
    let new = migrate::migrated(&document, &text, program.as_deref(), &mut sink);
    session.sink.append(sink);
    if session.sink.has_errors() {
        return Ok(nothing(session));
    }
    written.insert(
        WORKFLOW_XML.into(),
        FileContent::Bytes(with_line_end(new).into_bytes()),
    );
    let defaults = location.below(CONFIG_DEFAULT_XML);
    if let Some(defaults) = session.files.loaded_text(&defaults) {
        let bytes = defaults.as_bytes().to_vec();
        written.insert(CONFIG_DEFAULT_XML.into(), FileContent::Bytes(bytes));
    }
    let written: Vec<(PathBuf, FileContent)> = written.into_iter().collect();
    write(output, &written)?;
    let (diagnostics, sources) = session.finish();
    Ok(Migration {
        diagnostics,
        sources,
        written: Some(MigrationResult {
            path: output.to_owned(),
            n_documents: 1,
            unchanged: Vec::new(),
            program,
        }),
    })
}

/// The folders whose files belong to the application: its own, if it has one, and those of its sub-workflows.
fn folders(application: &CompiledApplication, session: &Session) -> Vec<Location> {
    let locations = application.apps.iter().map(|app| &app.location);
    let has_files = |location: &&Location| {
        let in_memory = session.files.in_memory(&location.document);
        in_memory.is_none_or(|in_memory| in_memory.has_files)
    };
    locations.filter(has_files).cloned().collect()
}

fn with_line_end(mut text: String) -> String {
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}
