//! Groups the documents of a tree into applications: those that start each other, and those in the same folder.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{Document, DocumentKind, DocumentRow, Judged, PropertiesFile, tables};
use crate::analysis::Needs;

/// An application as the page shows it.
#[derive(Serialize)]
pub(super) struct ApplicationRow<'a> {
    pub(super) title: String,
    pub(super) class: &'static str,
    pub(super) verdict: &'static str,
    pub(super) needs: String,
    pub(super) properties: Vec<PropertiesRow<'a>>,
    pub(super) documents: Vec<DocumentRow<'a>>,
    pub(super) shared: Vec<Link<'a>>,
}

#[derive(Serialize)]
pub(super) struct PropertiesRow<'a> {
    path: &'a str,
    /// How many of the required properties it contains, as text.
    words: String,
    /// The required properties that it does not contain.
    missing: Vec<String>,
}

/// A link to a document that is shown elsewhere on the page.
#[derive(Serialize)]
pub(super) struct Link<'a> {
    number: usize,
    path: &'a str,
}

impl<'a> From<(usize, &'a str)> for Link<'a> {
    fn from((number, path): (usize, &'a str)) -> Link<'a> {
        Link { number, path }
    }
}

/// Documents that belong together. All fields contain their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Application {
    /// Documents that no other document in the tree starts, sorted by kind: bundles, coordinators, workflows.
    pub(super) roots: Vec<usize>,
    /// Documents that only this application starts.
    pub(super) started: Vec<usize>,
    /// Documents that other applications also start; each is an application of its own.
    pub(super) shared: Vec<usize>,
    /// The properties files that start one of its roots, or that start nothing and are in the folder of one.
    pub(super) properties: Vec<usize>,
}

impl Application {
    /// Its own documents, roots first.
    pub(super) fn documents(&self) -> impl Iterator<Item = usize> {
        self.roots.iter().chain(&self.started).copied()
    }

    /// The needs of its jobs, including those of shared documents that they run.
    pub(super) fn needs(&self, documents: &[Document]) -> Needs {
        let mut needs = Needs::default();
        for number in self.documents().chain(self.shared.iter().copied()) {
            if let Some(checked) = &documents[number].checked {
                needs.add(&checked.needs);
            }
        }
        needs
    }

    /// The roots of the highest kind, which a user starts.
    fn first<'d>(&self, documents: &[&'d Document]) -> Vec<&'d Document> {
        let roots = self.roots.iter().map(|root| documents[*root]);
        let best = roots.clone().map(rank).min();
        roots.filter(|root| Some(rank(root)) == best).collect()
    }

    pub(super) fn title<'d>(&self, documents: impl Iterator<Item = &'d Document>) -> String {
        let documents: Vec<&Document> = documents.collect();
        match *self.first(&documents) {
            [only] => only.path.clone(),
            [first, ..] => match folder(&first.path) {
                "" => ".".to_owned(),
                folder => folder.to_owned(),
            },
            [] => String::new(),
        }
    }

    /// Its properties files, compared with the required properties of its jobs.
    pub(super) fn properties_rows<'a>(
        &self,
        judged: &[Judged<'_>],
        properties: &'a [PropertiesFile],
    ) -> Vec<PropertiesRow<'a>> {
        let documents: Vec<&Document> = judged.iter().map(|judged| judged.document).collect();
        let needed: BTreeSet<String> = self
            .first(&documents)
            .into_iter()
            .flat_map(tables::needed_properties)
            .collect();
        let files = self.properties.iter().map(|number| &properties[*number]);
        files
            .map(|file| {
                let missing: Vec<String> = needed
                    .iter()
                    .filter(|name| !file.names.contains(*name))
                    .cloned()
                    .collect();
                let words = match (needed.len(), missing.len()) {
                    (0, _) => "none is needed".to_owned(),
                    (1, 0) => "gives the property that is needed".to_owned(),
                    (all, 0) => format!("gives all {all} properties that are needed"),
                    (1, _) => "does not give the property that is needed:".to_owned(),
                    (all, n) => format!(
                        "gives {} of the {all} properties that are needed, not",
                        all - n
                    ),
                };
                PropertiesRow {
                    path: &file.path,
                    words,
                    missing,
                }
            })
            .collect()
    }
}

/// The applications of `documents`, sorted by their first document.
pub(super) fn applications(
    documents: &[Document],
    properties: &[PropertiesFile],
) -> Vec<Application> {
    let starts: Vec<BTreeSet<usize>> = edges(documents, properties);
    let roots = roots(&starts);
    let mut groups: BTreeMap<(usize, &str), Vec<usize>> = BTreeMap::new();
    let mut reached_by: Vec<BTreeSet<(usize, &str)>> = vec![BTreeSet::new(); documents.len()];
    // Roots in the same folder form one application.
    let mut first_of: BTreeMap<&str, usize> = BTreeMap::new();
    for &root in &roots {
        let folder = folder(&documents[root].path);
        let key = (*first_of.entry(folder).or_insert(root), folder);
        groups.entry(key).or_default().push(root);
        for document in reached(&starts, root) {
            reached_by[document].insert(key);
        }
    }
    let mut applications: Vec<Application> = groups
        .iter()
        .map(|(key, roots)| {
            let mut roots = roots.clone();
            roots.sort_by_key(|root| (rank(&documents[*root]), *root));
            let reached = (0..documents.len())
                .filter(|number| reached_by[*number].contains(key) && !roots.contains(number));
            let (started, shared) = reached.partition(|number| reached_by[*number].len() == 1);
            Application {
                roots,
                started,
                shared,
                properties: Vec::new(),
            }
        })
        .collect();
    let shared: BTreeSet<usize> = applications
        .iter()
        .flat_map(|application| application.shared.iter().copied())
        .collect();
    applications.extend(shared.iter().map(|document| {
        Application {
            roots: vec![*document],
            shared: reached(&starts, *document)
                .into_iter()
                .filter(|other| other != document)
                .collect(),
            ..Application::default()
        }
    }));
    for (number, file) in properties.iter().enumerate() {
        let named = |application: &Application| {
            let started = file
                .starts
                .is_some_and(|it| application.roots.contains(&it));
            started || file.starts.is_none() && is_beside(file, application, documents)
        };
        if let Some(application) = applications.iter_mut().find(|it| named(it)) {
            application.properties.push(number);
        }
    }
    applications.sort_by_key(|application| application.roots.iter().min().copied());
    applications
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn rank(document: &Document) -> u8 {
    match document.survey.as_ref().map(|survey| survey.kind) {
        Some(DocumentKind::Bundle) => 0,
        Some(DocumentKind::Coordinator) => 1,
        Some(DocumentKind::Workflow | DocumentKind::WorkflowOfProposal) => 2,
        Some(DocumentKind::Other) | None => 3,
    }
}

/// Whether the file is in the same folder as a root and contains a property that the root needs.
fn is_beside(file: &PropertiesFile, application: &Application, documents: &[Document]) -> bool {
    application.roots.iter().any(|root| {
        let document = &documents[*root];
        let needed = tables::needed_properties(document);
        folder(&document.path) == folder(&file.path)
            && needed.iter().any(|name| file.names.contains(name))
    })
}

/// For each document, the documents that it starts: by itself, or through the properties file that starts it.
fn edges(documents: &[Document], properties: &[PropertiesFile]) -> Vec<BTreeSet<usize>> {
    let mut starts: Vec<BTreeSet<usize>> = documents
        .iter()
        .map(|document| document.starts.clone())
        .collect();
    for file in properties {
        if let Some(started) = file.starts {
            starts[started].extend(&file.documents);
        }
    }
    // A coordinator whose workflow is unknown is assumed to start the only workflow in its folder.
    for (number, document) in documents.iter().enumerate() {
        let is_open = starts[number].iter().all(|other| *other == number);
        if rank(document) == 1 && is_open {
            let beside: Vec<usize> = documents
                .iter()
                .enumerate()
                .filter(|(_, other)| {
                    rank(other) == 2 && folder(&other.path) == folder(&document.path)
                })
                .map(|(number, _)| number)
                .collect();
            if let [only] = *beside {
                starts[number].insert(only);
            }
        }
    }
    for (number, started) in starts.iter_mut().enumerate() {
        started.remove(&number);
        // Only lower kinds and sub-workflows: a workflow does not start the coordinator whose properties file it shares.
        let own = rank(&documents[number]);
        started.retain(|other| {
            let other = rank(&documents[*other]);
            own < other || (own == 2 && other == 2)
        });
    }
    starts
}

/// The documents that no other document starts, and the first one of each cycle.
fn roots(starts: &[BTreeSet<usize>]) -> Vec<usize> {
    let started: BTreeSet<usize> = starts.iter().flatten().copied().collect();
    let mut roots: Vec<usize> = (0..starts.len())
        .filter(|number| !started.contains(number))
        .collect();
    let mut seen: BTreeSet<usize> = roots
        .iter()
        .flat_map(|root| reached(starts, *root))
        .collect();
    for number in 0..starts.len() {
        if !seen.contains(&number) {
            seen.extend(reached(starts, number));
            roots.push(number);
        }
    }
    roots.sort_unstable();
    roots
}

/// A document and all that it starts, directly or indirectly (transitive closure).
fn reached(starts: &[BTreeSet<usize>], from: usize) -> BTreeSet<usize> {
    let mut reached = BTreeSet::from([from]);
    let mut waiting = vec![from];
    while let Some(number) = waiting.pop() {
        for &next in &starts[number] {
            if reached.insert(next) {
                waiting.push(next);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codegen::report::Survey;

    fn document(path: &str, kind: DocumentKind, starts: &[usize], variables: &[&str]) -> Document {
        Document {
            path: path.to_owned(),
            files: BTreeSet::new(),
            survey: Some(Survey {
                kind,
                name: String::new(),
                schemas: BTreeSet::new(),
                functions: BTreeMap::new(),
                variables: variables.iter().map(|name| (*name).to_owned()).collect(),
                secrets: hpdlc_core::secrets::Secrets::default(),
            }),
            checked: None,
            starts: starts.iter().copied().collect(),
        }
    }

    fn file(
        path: &str,
        names: &[&str],
        starts: Option<usize>,
        documents: &[usize],
    ) -> PropertiesFile {
        PropertiesFile {
            path: path.to_owned(),
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            starts,
            documents: documents.iter().copied().collect(),
        }
    }

    fn group(
        roots: &[usize],
        started: &[usize],
        shared: &[usize],
        properties: &[usize],
    ) -> Application {
        Application {
            roots: roots.to_vec(),
            started: started.to_vec(),
            shared: shared.to_vec(),
            properties: properties.to_vec(),
        }
    }

    #[test]
    fn a_coordinator_has_its_workflows_and_properties() {
        let documents = [
            document(
                "a/coordinator.xml",
                DocumentKind::Coordinator,
                &[],
                &["start"],
            ),
            document("a/workflow.xml", DocumentKind::Workflow, &[2], &[]),
            document("b/sub/workflow.xml", DocumentKind::Workflow, &[], &[]),
            document("c/workflow.xml", DocumentKind::Workflow, &[], &["queue"]),
        ];
        let properties = [
            file("a/job.properties", &["start"], Some(0), &[]),
            file("c/job.properties", &["queue"], None, &[]),
            file("c/log4j.properties", &["log4j.root"], None, &[]),
        ];
        assert_eq!(
            applications(&documents, &properties),
            [group(&[0], &[1, 2], &[], &[0]), group(&[3], &[], &[], &[1]),]
        );
    }

    #[test]
    fn what_several_start_stands_by_itself() {
        let documents = [
            document("a/coordinator.xml", DocumentKind::Coordinator, &[2], &[]),
            document("b/coordinator.xml", DocumentKind::Coordinator, &[], &[]),
            document("load/workflow.xml", DocumentKind::Workflow, &[3], &[]),
            document("mail/workflow.xml", DocumentKind::Workflow, &[], &[]),
        ];
        let properties = [file("b/x.properties", &[], Some(1), &[2])];
        assert_eq!(
            applications(&documents, &properties),
            [
                group(&[0], &[], &[2, 3], &[]),
                group(&[1], &[], &[2, 3], &[0]),
                group(&[2], &[], &[3], &[]),
                group(&[3], &[], &[], &[]),
            ]
        );
    }

    #[test]
    fn documents_that_start_each_other_have_one_root() {
        let documents = [
            document("a/workflow.xml", DocumentKind::Workflow, &[1], &[]),
            document("b/workflow.xml", DocumentKind::Workflow, &[0], &[]),
        ];
        assert_eq!(applications(&documents, &[]), [group(&[0], &[1], &[], &[])]);
    }

    #[test]
    fn a_folder_is_one_application() {
        let documents = [
            document("a/bundle.xml", DocumentKind::Bundle, &[], &[]),
            document("a/coordinator.xml", DocumentKind::Coordinator, &[], &[]),
            document("a/workflow.xml", DocumentKind::Workflow, &[], &[]),
        ];
        assert_eq!(
            applications(&documents, &[]),
            [group(&[0, 1], &[2], &[], &[])]
        );
    }
}
