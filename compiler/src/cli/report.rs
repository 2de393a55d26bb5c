//! `hpdlc report`: a page about all documents below a folder, for who has to decide what to do with them.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use crate::{
    analysis::Facts,
    cli::{ReportArguments, output::Output},
    codegen::{
        graph,
        report::{self, Checked, Document},
    },
    diagnostics::Sink,
    driver::{
        Failure,
        application::{CheckedApp, Session, identity},
        locate::{self, WORKFLOW_XML},
        mistakes, writer,
    },
    source::{FileId, SourceMap},
    syntax::xml,
};

pub(super) fn run(arguments: ReportArguments, output: &mut Output) -> u8 {
    let mut session = Session::new(&arguments.input.into_arguments());
    let locations = locate::documents(&arguments.path, &mut session.sink);
    let mut paths: Vec<PathBuf> = locations
        .iter()
        .map(|location| location.document.clone())
        .collect();
    paths.sort();
    let mut apps: Vec<CheckedApp> = Vec::new();
    session.each_application(locations, |application| apps.extend(application.apps));
    let mut checked: BTreeMap<PathBuf, Checked> = BTreeMap::new();
    for own in &apps {
        let secrets = session.secrets(&own.app);
        let about = Checked {
            picture: graph::of_workflow(&own.app, &own.facts, &secrets),
            properties: properties(&own.facts),
            secrets,
        };
        // One document may be several children by several URIs; all are checked alike.
        checked.insert(identity(&own.location.document), about);
    }
    let given = session.given_secrets();
    let (diagnostics, sources) = session.finish();
    let code = mistakes::exit_code(&diagnostics);
    if paths.is_empty() {
        let task = format!("report on {}", arguments.path.display());
        return output.human(&diagnostics, &sources, &task);
    }
    let mut files = files_of(&paths, &sources);
    let documents: Vec<Document> = paths
        .iter()
        .map(|path| {
            let (document, files) = files.remove(&identity(path)).unwrap_or_default();
            Document {
                path: path.display().to_string(),
                survey: document.and_then(|file| survey(file, &sources)),
                checked: checked.remove(&identity(path)),
                files,
            }
        })
        .collect();
    let summary = report::summary(&documents, &diagnostics);
    let page = report::page(
        &arguments.path.display().to_string(),
        &documents,
        &diagnostics,
        &sources,
        &given,
    );
    let Some(path) = arguments.output else {
        return output.answer(&page).max(code);
    };
    if let Err(error) = writer::replace(&path, page.as_bytes()) {
        return output.failure(&Failure::io("write", &path, &error));
    }
    output.message(&format!("{}: {summary}\n", path.display()));
    code
}

/// What a document is made of, read once more: its mistakes have been told.
fn survey(file: FileId, sources: &SourceMap) -> Option<report::Survey> {
    let document = xml::parse(file, sources.text(file), &mut Sink::default())?;
    Some(report::survey(&document))
}

/// Every property that a workflow declares or reads, and whether a job needs it.
fn properties(facts: &Facts) -> BTreeMap<String, bool> {
    facts
        .properties
        .iter()
        .map(|property| (property.name.clone(), property.is_required()))
        .collect()
}

/// The files of each document: itself, by which it is surveyed, and the `config-default.xml` beside it. A document that is
/// a child too may have been read under another spelling of its path.
fn files_of(
    documents: &[PathBuf],
    sources: &SourceMap,
) -> BTreeMap<PathBuf, (Option<FileId>, BTreeSet<FileId>)> {
    let mut files: BTreeMap<PathBuf, (Option<FileId>, BTreeSet<FileId>)> = documents
        .iter()
        .map(|path| (identity(path), Default::default()))
        .collect();
    for file in sources.files() {
        let path = identity(Path::new(sources.path(file)));
        if let Some((document, files)) = files.get_mut(&path) {
            document.get_or_insert(file);
            files.insert(file);
        } else if path
            .file_name()
            .is_some_and(|name| name == "config-default.xml")
            && let Some((_, files)) = files.get_mut(&path.with_file_name(WORKFLOW_XML))
        {
            files.insert(file);
        }
    }
    files
}
