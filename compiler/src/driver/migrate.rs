//! `migrate` for whole applications: documents are rewritten, everything else is copied, into a new folder.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use hpdlc_core::el::functions::Dialect;

use crate::{
    diagnostics::{Diagnostic, Level, Rule, Sink},
    driver::{
        Failure,
        application::{Arguments, Session},
        check, locate,
        location::Location,
        rust_file,
    },
    migrate::{self, proposal::notifications},
    source::{MAX_FILE_SIZE, SourceMap},
    syntax::xml::{self, XmlDocument},
};

mod files;
mod from_rust;
mod in_rust;

use self::files::{ApplicationFile, files, is_alone};

/// The language that workflows are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Output {
    #[default]
    Xml,
    /// Only what Oozie has: `rust` actions become `shell` actions that run the program with their functions.
    ForOozie,
    /// The workflow of the application is a function with `#[workflow]`; other documents are XML.
    Rust,
}

/// The result of a migration, and its diagnostics.
#[derive(Debug)]
pub struct Migration {
    /// About the documents that were read.
    pub diagnostics: Vec<Diagnostic>,
    pub sources: SourceMap,
    /// What was written; `None` if nothing was, because of errors.
    pub written: Option<MigrationResult>,
}

/// What a migration has written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MigrationResult {
    /// The folder, or the only document in it.
    pub path: PathBuf,
    /// How many documents are new.
    pub n_documents: usize,
    /// Documents with errors beside the named one, which were copied unchanged.
    pub unchanged: Vec<String>,
    /// The program that the documents run in place of `rust` actions, which belongs beside them.
    pub program: Option<String>,
}

/// Rewrites the application at `path` for the newest schemas, into the folder `output`, which is created.
///
/// # Errors
///
/// `output` exists and is not empty, a file cannot be read or written, or there is no document in it. `output` is then
/// unchanged.
pub fn migrate(
    path: &Path,
    output: &Path,
    language: Output,
    arguments: &Arguments,
) -> Result<Migration, Failure> {
    check_output(output)?;
    let mut session = Session::new(arguments);
    session.files.trust(path);
    // A folder may contain a whole tree of applications.
    let located = if path.is_dir() {
        let documents = locate::documents(path, &mut session.sink);
        documents.into_iter().next().map(|first| Location {
            folder: path.to_owned(),
            ..first
        })
    } else {
        locate::application(path, &mut session.sink)
    };
    let Some(location) = located.filter(|_| !session.sink.has_errors()) else {
        return Ok(nothing(session));
    };
    if let Some((file, _)) = rust_file::parts(&location.document) {
        let file = file.to_owned();
        return from_rust::migrate(&file, location, output, language, session);
    }
    let is_alone = is_alone(path, &location);
    // If a single document is named, mistakes in others do not prevent its migration.
    let is_named = path.is_file() && location.archive.is_none();
    let named = location.document.canonicalize().ok().filter(|_| is_named);
    let files = files(&location, output, is_alone)?;
    let names: BTreeSet<PathBuf> = files.iter().map(|file| file.relative.clone()).collect();
    let mut written = Vec::new();
    let mut n_documents = 0;
    let mut unchanged = Vec::new();
    let mut needed_program = None;
    for file in files {
        let name = file.relative.clone();
        let role = match &named {
            None => FileRole::Part,
            Some(named) if file.source.canonicalize().is_ok_and(|real| real == *named) => {
                FileRole::Named
            }
            Some(_) => FileRole::Beside,
        };
        let new = match migrated(&file, role, language, &location, &mut session)? {
            FileOutcome::New { text, program } => {
                needed_program = program.or(needed_program);
                Some(text)
            }
            FileOutcome::Copied => None,
            FileOutcome::Unchanged => {
                unchanged.push(location.shown(&file.source));
                None
            }
        };
        match new {
            Some(text) => {
                n_documents += 1;
                written.push((name, FileContent::Bytes(text.into_bytes())));
            }
            None => written.push((name, FileContent::Copy(file.source))),
        }
    }
    let folders = folders_of_proposal(&names, &location, &session);
    for (name, content) in &mut written {
        if name.parent().is_none_or(|parent| !folders.contains(parent)) {
            continue;
        }
        let is_defaults = name
            .file_name()
            .is_some_and(|name| name == "configuration.xml");
        let is_properties = name
            .extension()
            .is_some_and(|extension| extension == "properties");
        if let FileContent::Copy(source) = content
            && (is_defaults || is_properties)
            && let Some(bytes) = with_notifications(source, &location, &mut session)?
        {
            *content = FileContent::Bytes(bytes);
        }
        // Oozie has another name for the file of defaults.
        if is_defaults && !names.contains(&name.with_file_name("config-default.xml")) {
            name.set_file_name("config-default.xml");
        }
    }
    if session.sink.has_errors() {
        return Ok(nothing(session));
    }
    if n_documents == 0 {
        return Err(Failure::new(format!(
            "there is no document to migrate in `{}`",
            path.display()
        ))
        .note("documents are XML whose root is `workflow-app`, `coordinator-app`, `bundle-app` or `hadoop-workflow`")
        .help("name such a file, or a folder that has one"));
    }
    if language == Output::Rust {
        in_rust::replace(&mut written, &location, &names)?;
    }
    write(output, &written)?;
    let (diagnostics, sources) = session.finish();
    Ok(Migration {
        diagnostics,
        sources,
        written: Some(MigrationResult {
            path: match location.document.file_name() {
                Some(name) if is_alone || named.is_some() => output.join(name),
                Some(_) | None => output.to_owned(),
            },
            n_documents,
            unchanged,
            program: needed_program,
        }),
    })
}

/// New errors in the application that was written: such as an `end` inside a fork. Unsupported features are not new.
pub fn new_errors(
    written: &MigrationResult,
    arguments: &Arguments,
) -> (Vec<Diagnostic>, SourceMap) {
    let checked = check::check(
        std::slice::from_ref(&written.path),
        arguments,
        &Arc::default(),
    );
    let sources = &checked.sources;
    // If a single document was named, errors in other documents are not new.
    let shown = written.path.display().to_string();
    let is_meant = |diagnostic: &Diagnostic| {
        let file = diagnostic.file().map(|file| sources.path(file));
        written.path.is_dir() || file.is_none_or(|path| path == shown)
    };
    let errors = checked
        .diagnostics
        .into_iter()
        .filter(|diagnostic| diagnostic.level == Level::Error && !is_unsupported(diagnostic.rule))
        .filter(is_meant)
        .collect();
    (errors, checked.sources)
}

/// The family of valid but unsupported features.
fn is_unsupported(rule: Rule) -> bool {
    rule.id().starts_with("H08")
}

fn nothing(session: Session) -> Migration {
    let (diagnostics, sources) = session.finish();
    Migration {
        diagnostics,
        sources,
        written: None,
    }
}

fn check_output(output: &Path) -> Result<(), Failure> {
    match fs::read_dir(output) {
        Ok(mut entries) => match entries.next() {
            None => Ok(()),
            Some(_) => Err(
                Failure::new(format!("the folder `{}` is not empty", output.display()))
                    .help("name a folder that does not exist: nothing is ever overwritten"),
            ),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(Failure::io("write", output, &error)),
    }
}

enum FileContent {
    Copy(PathBuf),
    Bytes(Vec<u8>),
}

/// The role of a file in the migration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FileRole {
    /// The document named on the command line, whatever its extension.
    Named,
    /// A file in the folder of that document.
    Beside,
    /// A file of a whole application.
    Part,
}

/// The result for a file.
enum FileOutcome {
    New {
        text: String,
        /// The program that it runs in place of `rust` actions.
        program: Option<String>,
    },
    /// Not a document, or one whose errors have been reported.
    Copied,
    /// A document with errors that was not named.
    Unchanged,
}

/// The new text of a document; other files are copied.
fn migrated(
    file: &ApplicationFile,
    role: FileRole,
    language: Output,
    location: &Location,
    session: &mut Session,
) -> Result<FileOutcome, Failure> {
    let is_xml = role == FileRole::Named
        || file
            .relative
            .extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case("xml"));
    let size = fs::metadata(&file.source).map(|metadata| metadata.len());
    let size = size.map_err(|error| Failure::io("read", &file.source, &error))?;
    if !is_xml || usize::try_from(size).map_or(true, |size| size > MAX_FILE_SIZE) {
        return Ok(FileOutcome::Copied);
    }
    let bytes =
        fs::read(&file.source).map_err(|error| Failure::io("read", &file.source, &error))?;
    let is_document =
        xml::root_name(&String::from_utf8_lossy(&bytes)).is_some_and(migrate::is_migrated);
    if !is_document {
        return Ok(FileOutcome::Copied);
    }
    let own = Location {
        folder: file.source.parent().unwrap_or(Path::new("")).to_owned(),
        document: file.source.clone(),
        archive: location.archive.clone(),
    };
    // Only a document without errors can be rewritten; warnings are irrelevant.
    let beside = session.sink.beside();
    let before = std::mem::replace(&mut session.sink, beside);
    drop(session.application(own.clone()));
    let said = std::mem::replace(&mut session.sink, before);
    let shown = own.shown(&own.document);
    let sources = &session.files.sources;
    let is_own = |diagnostic: &Diagnostic| {
        role == FileRole::Part
            || diagnostic
                .file()
                .is_none_or(|file| sources.path(file) == shown)
    };
    let mistakes: Vec<Diagnostic> = said
        .into_sorted()
        .into_iter()
        .filter(|diagnostic| diagnostic.level == Level::Error && !is_unsupported(diagnostic.rule))
        .filter(is_own)
        .collect();
    if !mistakes.is_empty() && role == FileRole::Beside {
        return Ok(FileOutcome::Unchanged);
    }
    if !mistakes.is_empty() {
        for mistake in mistakes {
            session.sink.emit(mistake);
        }
        return Ok(FileOutcome::Copied);
    }
    let Some(id) = session.files.text(&own.document, &shown, &mut session.sink) else {
        return Ok(FileOutcome::Copied);
    };
    let text = session.files.sources.text(id).to_owned();
    let mut sink: Sink = session.sink.beside();
    let document = xml::parse(id, &text, &mut sink);
    let new = match &document {
        Some(document) => {
            if language == Output::ForOozie {
                migrate::report_own_types(document, &mut sink);
            }
            let program = program(language, document, &file.source, &shown)?;
            let text = migrate::migrated(document, &text, program.as_deref(), &mut sink);
            FileOutcome::New { text, program }
        }
        None => FileOutcome::Copied,
    };
    session.sink.append(sink);
    Ok(new)
}

/// The name of the program with the functions of a document's `rust` actions, if these are to be replaced: that of the package
/// around it.
fn program(
    language: Output,
    document: &XmlDocument<'_>,
    source: &Path,
    shown: &str,
) -> Result<Option<String>, Failure> {
    if language != Output::ForOozie || migrate::n_rust_actions(document) == 0 {
        return Ok(None);
    }
    let package = rust_file::package(source);
    match rust_file::package_name(&package) {
        Some(name) => Ok(Some(name)),
        None => Err(Failure::new(format!(
            "the program that has the functions of `{shown}` is not known"
        ))
        .note(format!("`{}` is no package of cargo", package.display()))
        .help(
            "leave the document in its package, beside or below a `Cargo.toml` with a `[package]`",
        )),
    }
}

/// The folders with workflows in the dialect of 2009, whose properties have other names in Oozie.
fn folders_of_proposal(
    names: &BTreeSet<PathBuf>,
    location: &Location,
    session: &Session,
) -> BTreeSet<PathBuf> {
    let is_proposal = |name: &&PathBuf| {
        let path = location.folder.join(name);
        let path = path.strip_prefix(".").unwrap_or(&path);
        session
            .files
            .loaded_text(path)
            .and_then(xml::root_name)
            .is_some_and(|root| Dialect::of_root(root) == Dialect::Proposal)
    };
    names
        .iter()
        .filter(is_proposal)
        .filter_map(|name| name.parent().map(Path::to_owned))
        .collect()
}

/// A properties file with the notification properties renamed; `None` if nothing changes.
fn with_notifications(
    source: &Path,
    location: &Location,
    session: &mut Session,
) -> Result<Option<Vec<u8>>, Failure> {
    let bytes = fs::read(source).map_err(|error| Failure::io("read", source, &error))?;
    if bytes.len() > MAX_FILE_SIZE {
        return Ok(None);
    }
    let (text, is_latin1) = match String::from_utf8(bytes) {
        Ok(text) => (text, false),
        // ISO 8859-1, Java's encoding of properties files.
        Err(error) => (
            error.as_bytes().iter().copied().map(char::from).collect(),
            true,
        ),
    };
    let file = session
        .files
        .sources
        .add(location.shown(source), text.clone());
    let mut sink = session.sink.beside();
    let is_xml = source
        .extension()
        .is_some_and(|extension| extension == "xml");
    let new = if is_xml {
        // Errors in it were reported when the workflow was read.
        xml::parse(file, &text, &mut Sink::default())
            .and_then(|document| notifications::migrated_configuration(&document, &text, &mut sink))
    } else {
        notifications::migrated_properties(file, &text, &mut sink)
    };
    session.sink.append(sink);
    Ok(new.map(|new| match is_latin1 {
        true => new
            .chars()
            .map(|character| u8::try_from(character).unwrap_or(b'?'))
            .collect(),
        false => new.into_bytes(),
    }))
}

/// Writes everything to a temporary folder beside `output`, and renames it at once.
fn write(output: &Path, files: &[(PathBuf, FileContent)]) -> Result<(), Failure> {
    let parent = match output.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        Some(_) | None => Path::new("."),
    };
    let failure = |path: &Path| {
        let path = path.to_owned();
        move |error: io::Error| Failure::io("write", &path, &error)
    };
    fs::create_dir_all(parent).map_err(failure(parent))?;
    let folder = tempfile::Builder::new()
        .prefix(".hpdlc-")
        .tempdir_in(parent)
        .map_err(failure(parent))?;
    // A new folder inside, because a temporary folder is accessible by its owner only.
    let inside = folder.path().join("application");
    fs::create_dir(&inside).map_err(failure(&inside))?;
    for (name, content) in files {
        let path = inside.join(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(failure(folder))?;
        }
        match content {
            FileContent::Bytes(bytes) => fs::write(&path, bytes).map_err(failure(&path))?,
            FileContent::Copy(source) => {
                fs::copy(source, &path)
                    .map(drop)
                    .map_err(|error| Failure::io("copy", source, &error))?;
            }
        }
    }
    match fs::remove_dir(output) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(Failure::io("replace", output, &error));
        }
        Ok(()) | Err(_) => {}
    }
    fs::rename(&inside, output).map_err(failure(output))
}
