//! A report on a tree of documents, for planning a migration: how many run today, what prevents the others from running,
//! and each document with its graph and its messages.
//!
//! One self-contained HTML file, without scripts, fonts or images. The output is deterministic.

mod applications;
mod explanation;
mod rows;
mod survey;
mod tables;
mod verdict;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::atomic::{AtomicUsize, Ordering},
};

use handlebars::Handlebars;
use hpdlc_core::{secrets::Secrets, visible};
use serde::Serialize;

pub use self::survey::{DocumentKind, Survey, survey};
use self::{
    applications::{Application, ApplicationRow},
    rows::{DocumentRow, VerdictRow, document_row, verdicts},
    tables::{CodeRow, CountRow, NeedRow, ObstacleRow},
    verdict::{Judged, Verdict, is_unsupported},
};
use crate::{
    analysis::Needs,
    codegen::graph::{self, Picture, Shape},
    diagnostics::{
        Diagnostic, Level,
        render::{self, summary::counted},
    },
    source::{FileId, SourceMap},
    syntax::xml,
};

const PAGE: &str = include_str!("../../../templates/report.html.hbs");

/// Larger graphs are collapsed, so that a browser can open a page with hundreds of them.
const MAX_NODES: usize = 250;

/// A document of the tree.
#[derive(Debug)]
pub struct Document {
    /// As it was found.
    pub path: String,
    /// The document itself, if it could be read, and accompanying files whose errors count as its own.
    pub files: BTreeSet<FileId>,
    /// `None` if the text is not well-formed XML.
    pub survey: Option<Survey>,
    /// `None` if it is not an Oozie document.
    pub checked: Option<Checked>,
    /// The numbers of the documents that it starts.
    pub starts: BTreeSet<usize>,
}

/// A properties file in the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertiesFile {
    /// As it was found.
    pub path: String,
    pub names: BTreeSet<String>,
    /// The number of the document that a job with these properties runs.
    pub starts: Option<usize>,
    /// The documents that its values refer to.
    pub documents: BTreeSet<usize>,
}

/// The result of checking a document.
#[derive(Debug)]
pub struct Checked {
    pub picture: Picture,
    /// Every property that is declared or read, and whether a job needs it.
    pub properties: BTreeMap<String, bool>,
    pub secrets: Secrets,
    pub needs: Needs,
}

/// The data of the page. Fields whose names end in `html` contain markup.
#[derive(Serialize)]
struct Page<'a> {
    version: &'static str,
    folder: &'a str,
    graph_style: &'static str,
    n_documents: usize,
    n_applications: usize,
    n_on_one_machine: usize,
    kinds: Vec<CountRow>,
    needs: Vec<NeedRow>,
    verdicts: Vec<VerdictRow>,
    obstacles: Vec<ObstacleRow>,
    mistakes: Vec<ObstacleRow>,
    warnings: Vec<ObstacleRow>,
    actions: Vec<CountRow>,
    functions: Vec<CountRow>,
    schemas: Vec<CountRow>,
    properties: Vec<CountRow>,
    applications: Vec<ApplicationRow<'a>>,
    elsewhere: Vec<String>,
    codes: Vec<CodeRow>,
}

/// The page's summary in one line: `3 documents in 2 applications: 2 run today, 1 has errors`.
pub fn summary(
    documents: &[Document],
    properties: &[PropertiesFile],
    diagnostics: &[Diagnostic],
) -> String {
    let (judged, _) = judged(documents, diagnostics);
    let part = |wanted: &[Verdict], one: &str, several: &str| {
        let verdicts = judged.iter().map(|judged| judged.verdict);
        match verdicts.filter(|it| wanted.contains(it)).count() {
            0 => None,
            1 => Some(format!("1 {one}")),
            n => Some(format!("{n} {several}")),
        }
    };
    let parts: Vec<String> = [
        part(
            &[Verdict::Fine, Verdict::Warnings],
            "runs today",
            "run today",
        ),
        part(
            &[Verdict::Unsupported],
            "uses what is not supported yet",
            "use what is not supported yet",
        ),
        part(&[Verdict::Mistakes], "has errors", "have errors"),
    ]
    .into_iter()
    .flatten()
    .collect();
    let applications = applications::applications(documents, properties);
    format!(
        "{} in {}: {}",
        counted(documents.len(), "document"),
        counted(applications.len(), "application"),
        parts.join(", ")
    )
}

/// The page for `documents`, which are sorted, and their diagnostics. No message contains a secret of its document, or
/// one of the secrets in `given`, which apply to all documents.
pub fn page(
    folder: &str,
    documents: &[Document],
    properties: &[PropertiesFile],
    diagnostics: &[Diagnostic],
    sources: &SourceMap,
    given: &Secrets,
) -> String {
    let (judged, elsewhere) = judged(documents, diagnostics);
    let applications = applications::applications(documents, properties);
    let mut rows: Vec<Option<DocumentRow<'_>>> = judged
        .iter()
        .zip(graphs(documents))
        .enumerate()
        .map(|(number, (judged, graph))| Some(document_row(number, judged, graph, sources, given)))
        .collect();
    let needs: Vec<Needs> = applications
        .iter()
        .map(|application| application.needs(documents))
        .collect();
    let page = Page {
        version: env!("CARGO_PKG_VERSION"),
        folder,
        graph_style: graph::STYLE,
        n_documents: documents.len(),
        n_applications: applications.len(),
        n_on_one_machine: needs.iter().filter(|needs| needs.is_one_machine()).count(),
        needs: tables::needs(&needs),
        kinds: tables::kinds(&judged),
        verdicts: verdicts(&judged),
        obstacles: tables::obstacles(&judged, |diagnostic| {
            diagnostic.level == Level::Error && is_unsupported(diagnostic)
        }),
        mistakes: tables::obstacles(&judged, |diagnostic| {
            diagnostic.level == Level::Error && !is_unsupported(diagnostic)
        }),
        warnings: tables::obstacles(&judged, |diagnostic| diagnostic.level != Level::Error),
        actions: tables::actions(&judged),
        functions: tables::functions(&judged),
        schemas: tables::schemas(&judged),
        properties: tables::properties(&judged),
        applications: applications
            .iter()
            .zip(&needs)
            .map(|(application, needs)| {
                application_row(application, needs, &judged, properties, &mut rows)
            })
            .collect(),
        elsewhere: elsewhere
            .iter()
            .map(|diagnostic| given.masked(&rendered(diagnostic, sources)))
            .collect(),
        codes: tables::codes(diagnostics),
    };
    let mut handlebars = Handlebars::new();
    handlebars.set_strict_mode(true);
    handlebars.register_escape_fn(|text| xml::escape_attribute(text).into_owned());
    let page = handlebars
        .render_template(PAGE, &page)
        .expect("the template is our own and asks for nothing but fields of its data");
    visible::lines(&page).into_owned()
}

/// Each document with its diagnostics, and the diagnostics that belong to no document.
fn judged<'a>(
    documents: &'a [Document],
    diagnostics: &'a [Diagnostic],
) -> (Vec<Judged<'a>>, Vec<&'a Diagnostic>) {
    let by_file: BTreeMap<FileId, usize> = documents
        .iter()
        .enumerate()
        .flat_map(|(number, document)| document.files.iter().map(move |file| (*file, number)))
        .collect();
    let by_path: BTreeMap<&str, usize> = documents
        .iter()
        .enumerate()
        .map(|(number, document)| (document.path.as_str(), number))
        .collect();
    let mut of_document: Vec<Vec<&Diagnostic>> = vec![Vec::new(); documents.len()];
    let mut elsewhere = Vec::new();
    for diagnostic in diagnostics {
        let number = match &diagnostic.place {
            crate::diagnostics::Place::Path(path) => by_path.get(path.as_str()),
            crate::diagnostics::Place::File(_) | crate::diagnostics::Place::Span(_) => {
                diagnostic.file().and_then(|file| by_file.get(&file))
            }
        };
        match number {
            Some(&number) => of_document[number].push(diagnostic),
            None => elsewhere.push(diagnostic),
        }
    }
    let judged = documents
        .iter()
        .zip(of_document)
        .map(|(document, diagnostics)| Judged {
            document,
            verdict: Verdict::of(&diagnostics),
            diagnostics,
        })
        .collect();
    (judged, elsewhere)
}

/// The graph of each document that has one, drawn in parallel by one thread per core.
fn graphs(documents: &[Document]) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let draw = || {
        let mut drawn = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(document) = documents.get(number) else {
                return drawn;
            };
            if let Some(checked) = &document.checked {
                let options = graph::Options {
                    collapse_above: MAX_NODES,
                    has_style: false,
                    ..graph::Options::default()
                };
                drawn.push((number, graph::svg(&checked.picture, options)));
            }
        }
    };
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut graphs = vec![String::new(); documents.len()];
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..n_threads).map(|_| scope.spawn(draw)).collect();
        for worker in workers {
            // A panic in a thread is a bug in hpdlc, as it is here.
            let drawn = worker
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            for (number, graph) in drawn {
                graphs[number] = graph;
            }
        }
    });
    graphs
}

fn application_row<'a>(
    application: &Application,
    needs: &Needs,
    judged: &[Judged<'a>],
    properties: &'a [PropertiesFile],
    rows: &mut [Option<DocumentRow<'a>>],
) -> ApplicationRow<'a> {
    let verdict = application
        .documents()
        .map(|number| judged[number].verdict)
        .max()
        .unwrap_or(Verdict::Fine);
    let documents = application.documents();
    ApplicationRow {
        class: verdict.class(),
        verdict: verdict.words(),
        needs: needs.words(),
        title: application.title(judged.iter().map(|judged| judged.document)),
        properties: application.properties_rows(judged, properties),
        shared: application
            .shared
            .iter()
            .map(|number| (*number, judged[*number].document.path.as_str()).into())
            .collect(),
        // Each document belongs to one application.
        documents: documents.filter_map(|number| rows[number].take()).collect(),
    }
}

/// A message in the format of the terminal.
fn rendered(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    render::terminal::render(diagnostic, sources, render::terminal::Style::default())
}

/// The action types in a picture, and whether hpdlc supports them.
fn action_types(picture: &Picture) -> impl Iterator<Item = (&str, bool)> {
    picture
        .nodes
        .iter()
        .filter(|node| matches!(node.shape, Shape::Action(_)))
        .filter_map(|node| Some((node.subtitle.as_deref()?, node.is_supported)))
}

#[cfg(test)]
mod tests;
