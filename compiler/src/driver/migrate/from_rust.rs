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
        locate::{self, WORKFLOW_XML},
        location::Location,
        rust_file,
    },
    migrate::{self, migration_losses::Loss},
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
    session: Session,
) -> Result<Migration, Failure> {
    if language == Output::Rust {
        return Err(
            Failure::new(format!("`{}` is Rust already", file.display()))
                .help("without `--to rust` its workflow is written as XML"),
        );
    }
    let mut writing = Writing {
        file,
        output,
        language,
        session,
        around: Vec::new(),
        written: BTreeMap::new(),
        program: None,
        n_documents: 0,
    };
    if !writing.document(&location, Path::new(""))? {
        return Ok(nothing(writing.session));
    }
    let Writing {
        session,
        written,
        program,
        n_documents,
        ..
    } = writing;
    let written: Vec<(PathBuf, FileContent)> = written.into_iter().collect();
    write(output, &written)?;
    let (diagnostics, sources) = session.finish();
    Ok(Migration {
        diagnostics,
        sources,
        written: Some(MigrationResult {
            path: output.to_owned(),
            n_documents,
            unchanged: Vec::new(),
            program,
        }),
    })
}

/// What is to be written, as far as it is known.
struct Writing<'m> {
    /// The Rust file.
    file: &'m Path,
    output: &'m Path,
    language: Output,
    session: Session,
    /// The workflows that are being written, each run by the one before it.
    around: Vec<PathBuf>,
    /// By the path below the output.
    written: BTreeMap<PathBuf, FileContent>,
    program: Option<String>,
    n_documents: usize,
}

impl Writing<'_> {
    /// Adds the document of a function to `folder`, with the workflows that it runs. `false` if there are mistakes.
    fn document(&mut self, location: &Location, folder: &Path) -> Result<bool, Failure> {
        let session = &mut self.session;
        if !session.is_workflow(location) {
            let document = location.document.display();
            return Err(Failure::new(format!(
                "`{document}` is no workflow, and is not migrated"
            ))
            .note("a coordinator or bundle of Oozie names what it starts by its path in the cluster")
            .help("write its workflow, and take its own XML from the program: `./program definition`"));
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
            return Ok(false);
        };
        for of_files in folders(&application, session) {
            for file in files(&of_files, self.output, false)? {
                let inside = match of_files.folder.strip_prefix(&location.folder) {
                    Ok(inside) => folder.join(inside).join(&file.relative),
                    Err(_) => continue,
                };
                self.written.insert(inside, FileContent::Copy(file.source));
            }
        }
        let shown = self.file.display().to_string();
        let id = session
            .files
            .text(&location.document, &shown, &mut session.sink);
        let Some(id) = id else {
            return Ok(false);
        };
        let text = session.files.sources.text(id).to_owned();
        let mut sink = session.sink.beside();
        let document = xml::parse(id, &text, &mut sink);
        let Some(document) = document else {
            return Err(Failure::new(format!("`{shown}` cannot be written as XML")));
        };
        if self.language == Output::ForOozie {
            migrate::report_own_types(&document, &mut sink);
        }
        let program = program(self.language, &document, self.file, &shown)?;
        let new = migrate::migrated(&document, &text, program.as_deref(), &mut sink);
        session.sink.append(sink);
        if session.sink.has_errors() {
            return Ok(false);
        }
        self.written.insert(
            folder.join(WORKFLOW_XML),
            FileContent::Bytes(with_line_end(new).into_bytes()),
        );
        let defaults = session
            .files
            .defaults(&location.document, location.below(CONFIG_DEFAULT_XML));
        if let Some(defaults) = session.files.loaded_text(&defaults) {
            let bytes = defaults.as_bytes().to_vec();
            let path = folder.join(CONFIG_DEFAULT_XML);
            self.written.insert(path, FileContent::Bytes(bytes));
        }
        self.program = self.program.take().or(program);
        self.n_documents += 1;
        self.children(location, &application, folder)
    }

    /// Adds the workflows of the program that a workflow runs.
    fn children(
        &mut self,
        location: &Location,
        application: &CompiledApplication,
        folder: &Path,
    ) -> Result<bool, Failure> {
        let in_memory = self.session.files.in_memory(&location.document);
        let children = in_memory.and_then(|it| it.linked.clone());
        self.around.push(location.document.clone());
        for name in children.unwrap_or_default() {
            let child = locate::rust_function(&rust_file::document(self.file, &name));
            let child = child.filter(|it| !self.around.contains(&it.document));
            let is_sound = match child {
                Some(child) => self.document(&child, &folder.join(&name))?,
                None => {
                    self.lose(application, &folder.join(&name), &name);
                    true
                }
            };
            if !is_sound {
                return Ok(false);
            }
        }
        self.around.pop();
        Ok(true)
    }

    /// Says that a workflow is not in the file.
    fn lose(&mut self, application: &CompiledApplication, folder: &Path, name: &str) {
        let app = &application.apps[0].app;
        let behind = format!("/{name}");
        let mut paths = app.sub_workflows().map(|it| &it.app_path);
        let path = paths.find(|path| path.text.as_str().ends_with(&behind));
        self.session.sink.emit(Loss {
            place: path.map_or(app.root_span, |path| path.span),
            what: "a workflow of another file",
            instead: format!("it is looked for in the folder `{name}`"),
            help: Some(format!(
                "write it there: hpdlc migrate FILE.rs#{name} -o {}",
                self.output.join(folder).display()
            )),
        });
    }
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
