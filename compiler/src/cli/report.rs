//! `hpdlc report`: an HTML page about all documents below a folder, as a basis for decisions about them.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    sync::Arc,
};

use crate::{
    cli::{ReportArguments, output::CommandOutput},
    codegen::report::{self, Checked, Document},
    diagnostics::Sink,
    driver::{
        Failure,
        application::{Session, identity},
        check::{self, Checked as Checks},
        job_files,
        locate::WORKFLOW_XML,
        mistakes,
        pictures::{self, Pictured},
        writer,
    },
    source::{FileId, SourceMap},
    syntax::xml,
};

pub(super) fn run(arguments: ReportArguments, output: &mut CommandOutput) -> u8 {
    let of_driver = match arguments.input.into_arguments() {
        Ok(input) => input,
        Err(failure) => return output.failure(&failure),
    };
    let given = Session::new(&of_driver).given_secrets();
    let tree = std::slice::from_ref(&arguments.path);
    let (found, pictures) =
        check::check_and_see(tree, &of_driver, &Arc::default(), &pictures::pictured);
    let mut found_documents = found.documents.clone();
    found_documents.sort();
    let mut checked: BTreeMap<PathBuf, Checked> = BTreeMap::new();
    let mut starts: BTreeMap<PathBuf, BTreeSet<PathBuf>> = BTreeMap::new();
    for pictured in pictures {
        let Pictured {
            document,
            picture,
            properties,
            secrets,
            needs,
            starts: documents,
        } = pictured;
        let about = Checked {
            picture,
            properties,
            secrets,
            needs,
        };
        // One document may be found as a child by several URIs; the result of the check is the same.
        checked.insert(document.clone(), about);
        starts.entry(document).or_default().extend(documents);
    }
    let Checks {
        diagnostics,
        sources,
        ..
    } = &found;
    let code = mistakes::exit_code(diagnostics);
    if found_documents.is_empty() {
        let prevented = Some("nothing was written");
        return output.human(diagnostics, sources, &arguments.path, prevented);
    }
    let mut files = files_of(&found);
    let numbers: BTreeMap<PathBuf, usize> = found_documents
        .iter()
        .enumerate()
        .map(|(number, document)| (document.identity.clone(), number))
        .collect();
    let shown: Vec<String> = found_documents
        .iter()
        .map(|document| document.shown.clone())
        .collect();
    let properties = job_files::beside(&shown);
    let documents: Vec<Document> = found_documents
        .into_iter()
        .map(|document| {
            let (file, files) = files.remove(&document.identity).unwrap_or_default();
            Document {
                starts: starts
                    .get(&document.identity)
                    .into_iter()
                    .flatten()
                    .filter_map(|started| numbers.get(started).copied())
                    .collect(),
                path: document.shown,
                survey: file.and_then(|file| survey(file, sources)),
                checked: checked.remove(&document.identity),
                files,
            }
        })
        .collect();
    let summary = report::summary(&documents, &properties, diagnostics);
    let page = report::page(
        &arguments.path.display().to_string(),
        &documents,
        &properties,
        diagnostics,
        sources,
        &given,
    );
    let Some(path) = arguments.output else {
        return output.answer(&page).max(code);
    };
    if let Err(error) = writer::replace(&path, page.as_bytes()) {
        return output.failure(&Failure::io("write", &path, &error));
    }
    let what = format!("{}: {summary}", path.display());
    output.progress().say("Written", &what);
    code
}

/// Surveys a document, which is parsed again: its errors have been reported.
fn survey(file: FileId, sources: &SourceMap) -> Option<report::Survey> {
    let document = xml::parse(file, sources.text(file), &mut Sink::default())?;
    Some(report::survey(&document))
}

/// The files of each document: itself, by which it is surveyed, and the `config-default.xml` beside it. A document that is
/// also a child may have been read by another spelling of its path.
fn files_of(found: &Checks) -> BTreeMap<PathBuf, (Option<FileId>, BTreeSet<FileId>)> {
    let documents = found.documents.iter();
    let mut files: BTreeMap<PathBuf, (Option<FileId>, BTreeSet<FileId>)> = documents
        .map(|document| (document.identity.clone(), Default::default()))
        .collect();
    for (file, path) in &found.paths {
        let path = identity(path);
        if let Some((document, files)) = files.get_mut(&path) {
            document.get_or_insert(*file);
            files.insert(*file);
        } else if path
            .file_name()
            .is_some_and(|name| name == "config-default.xml")
            && let Some((_, files)) = files.get_mut(&path.with_file_name(WORKFLOW_XML))
        {
            files.insert(*file);
        }
    }
    files
}
