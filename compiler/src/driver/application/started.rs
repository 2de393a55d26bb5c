//! The program of a coordinator or a bundle: collects all that it starts into one [`CompiledApplication`].

use std::{collections::BTreeMap, path::PathBuf, rc::Rc};

use hpdlc_core::app_uri;

use super::{
    CheckedApp, CheckedBundle, CompiledApplication, EntryDocument, ScheduledCoordinator, Session,
    identity, others::CheckedDocuments,
};
use crate::{
    driver::{
        location::Location,
        mistakes::unresolved_workflows::{AppPathTarget, UnresolvedWorkflow},
    },
    lints::allow_comments::UselessAllow,
    lower::Language,
};

/// The workflows of a program, collected as they are found.
#[derive(Default)]
struct Workflows {
    apps: Vec<CheckedApp>,
    children: BTreeMap<String, usize>,
    uris: BTreeMap<String, usize>,
    /// By the identity of the documents.
    places: BTreeMap<PathBuf, usize>,
}

impl Workflows {
    /// Adds a workflow and its children.
    fn add(&mut self, application: CompiledApplication) {
        let mut places = Vec::new();
        for app in application.apps {
            let document = identity(&app.location.document);
            let next = self.apps.len();
            let place = *self.places.entry(document).or_insert(next);
            if place == next {
                self.apps.push(app);
            }
            places.push(place);
        }
        for (uri, place) in application.children {
            self.children.insert(uri, places[place]);
        }
        for (uri, place) in application.uris {
            self.uris.insert(uri, places[place]);
        }
    }

    /// Registers `uri` for the workflow at `document`, and the URIs below it for its children.
    fn name(&mut self, uri: &str, document: &PathBuf) -> Option<usize> {
        let place = *self.places.get(document)?;
        // Relative to the paths of two coordinators, one URI may denote different workflows.
        if uri.starts_with(app_uri::APP_PATH) {
            return Some(place);
        }
        let own_uri = &self.apps[place].kept_uri;
        let below: Vec<(String, usize)> = self
            .uris
            .iter()
            .filter_map(|(child, place)| {
                let rest = app_uri::below(child, own_uri).filter(|rest| !rest.is_empty())?;
                Some((format!("{uri}/{rest}"), *place))
            })
            .collect();
        for (child, place) in below {
            self.uris.entry(child).or_insert(place);
        }
        // For a path relative to their folders, two coordinators may mean different workflows.
        self.uris.entry(uri.to_owned()).or_insert(place);
        Some(place)
    }
}

impl Session {
    /// Reads and checks the coordinator or bundle at `location`, with what it starts.
    pub(super) fn scheduled_application(
        &mut self,
        location: &Location,
    ) -> Option<CompiledApplication> {
        let mut checked = CheckedDocuments::default();
        let given = self.given.clone();
        let mut bundle = None;
        if self.language(location) == Language::Bundle {
            bundle = Some(self.bundle(location, &mut checked)?);
        } else {
            let coordinator = self.coordinator(location, &given, &[], &mut checked)?;
            if self.linked(location).is_none() {
                self.started_workflow(&coordinator, &given, &mut checked);
            }
        }
        for allow in self.sink.take_useless_allows() {
            self.sink.emit(UselessAllow::from(allow));
        }
        let mut workflows = Workflows::default();
        for application in checked.workflows.into_values() {
            // The only remaining reference once all is checked.
            workflows.add(Rc::into_inner(application)?);
        }
        let mut coordinators = Vec::new();
        let mut places = BTreeMap::new();
        for (document, coordinator) in checked.coordinators {
            let started = coordinator.started.borrow().clone();
            let started = started.into_iter().filter_map(|(uri, document)| {
                let place = workflows.name(&uri, &document)?;
                Some((uri, place))
            });
            let linked = self
                .linked(&coordinator.location)
                .unwrap_or_default()
                .concat();
            let found: Vec<(String, usize)> = started.chain(linked).collect();
            if let (true, Some(written)) = (found.is_empty(), &coordinator.app.workflow) {
                self.enter(&coordinator.location);
                self.sink.emit(UnresolvedWorkflow {
                    path: written.app_path.text.as_str().to_owned(),
                    resolved: None,
                    span: written.app_path.span,
                    named: AppPathTarget::Workflow,
                });
            }
            places.insert(document, coordinators.len());
            coordinators.push(ScheduledCoordinator {
                checked: coordinator,
                workflows: found,
            });
        }
        let entry = match bundle {
            None => EntryDocument::Coordinator,
            Some(bundle) => self.bundle_entry(bundle, &places),
        };
        Some(CompiledApplication {
            entry,
            apps: workflows.apps,
            children: workflows.children,
            uris: workflows.uris,
            coordinators,
            left_aside: Vec::new(),
        })
    }

    /// The URIs of each document that one in memory starts, with its place in a program that has it, if they are compiled elsewhere.
    pub(super) fn linked(&self, location: &Location) -> Option<Vec<Vec<(String, usize)>>> {
        let in_memory = self.files.in_memory(&location.document)?;
        let paths = in_memory.linked.as_ref()?.iter();
        let uris = |(place, path): (usize, &String)| {
            let below = app_uri::normalized(&format!("{}/{path}", app_uri::APP_PATH));
            vec![(path.clone(), place), (below, place)]
        };
        Some(paths.enumerate().map(uris).collect())
    }

    fn bundle_entry(
        &mut self,
        bundle: CheckedBundle,
        places: &BTreeMap<PathBuf, usize>,
    ) -> EntryDocument {
        let mut children = BTreeMap::new();
        let mut started = Vec::new();
        self.enter(&bundle.location);
        if let Some(linked) = self.linked(&bundle.location) {
            // One of them may be started several times.
            let place = |path: &str| {
                let is_asked =
                    |uris: &&Vec<(String, usize)>| uris.iter().any(|(uri, _)| uri == path);
                linked
                    .iter()
                    .find(is_asked)?
                    .first()
                    .map(|(_, place)| *place)
            };
            let paths = bundle
                .app
                .coordinators
                .iter()
                .map(|it| it.app_path.text.as_str());
            return EntryDocument::Bundle {
                started: paths.map(place).collect(),
                children: linked.iter().flatten().cloned().collect(),
                bundle: Box::new(bundle),
            };
        }
        let found = bundle.started.iter().zip(&bundle.uris);
        for ((found, uris), coordinator) in found.zip(&bundle.app.coordinators) {
            let place = found.as_ref().and_then(|(coordinator, _)| {
                places
                    .get(&identity(&coordinator.location.document))
                    .copied()
            });
            match place {
                Some(place) => {
                    for uri in uris {
                        children.entry(uri.clone()).or_insert(place);
                    }
                }
                None => self.sink.emit(UnresolvedWorkflow {
                    path: coordinator.app_path.text.as_str().to_owned(),
                    resolved: None,
                    span: coordinator.app_path.span,
                    named: AppPathTarget::Coordinator,
                }),
            }
            started.push(place);
        }
        EntryDocument::Bundle {
            bundle: Box::new(bundle),
            children,
            started,
        }
    }
}
