//! What one program is made of: a workflow, a coordinator or a bundle, with everything that runs in the same executable.

use std::{collections::BTreeMap, path::PathBuf, rc::Rc};

use hpdlc_core::app_uri;

use super::{
    CheckedApp, CheckedBundle, CheckedCoordinator, Session, defaults_file, identity,
    others::Checked,
};
use crate::{
    driver::{
        locate::Location,
        mistakes::unresolved_workflows::{Named, UnresolvedWorkflow},
    },
    lints::allow_comments::UselessAllow,
    lower::Language,
    model::Template,
    source::FileId,
};

/// An application and the children that run in the same executable.
#[derive(Debug)]
pub struct Application {
    pub entry: Entry,
    /// The workflows: the application itself first, where it is one, each child once.
    pub apps: Vec<CheckedApp>,
    /// By which URI a workflow is asked for at compile time, and its place in `apps`.
    pub children: BTreeMap<String, usize>,
    /// By which URIs jobs find a workflow, whoever's they are.
    pub uris: BTreeMap<String, usize>,
    /// The coordinators: the application itself, where it is one, or those of the bundle, each once.
    pub coordinators: Vec<ScheduledCoordinator>,
}

/// What a job of the program is made of.
#[derive(Debug)]
pub enum Entry {
    Workflow,
    Coordinator,
    Bundle {
        bundle: Box<CheckedBundle>,
        /// By which URI a coordinator is asked for, and its place in [`Application::coordinators`].
        children: BTreeMap<String, usize>,
        /// The place of each coordinator of the bundle, where it was found.
        started: Vec<Option<usize>>,
    },
}

/// A coordinator, and where its workflow is.
#[derive(Debug)]
pub struct ScheduledCoordinator {
    pub checked: Rc<CheckedCoordinator>,
    /// By which URIs it asks for it, and the place in [`Application::apps`].
    pub workflows: Vec<(String, usize)>,
}

/// One document of an application.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    pub location: &'a Location,
    pub file: FileId,
    pub name: &'a Template,
    /// The file beside it with the defaults of properties.
    pub defaults: &'static str,
}

impl Application {
    /// Every document: the one that the program is of, the coordinators, the workflows.
    pub fn documents(&self) -> impl Iterator<Item = Document<'_>> {
        let bundle = match &self.entry {
            Entry::Bundle { bundle, .. } => Some(Document {
                location: &bundle.location,
                file: bundle.app.file,
                name: &bundle.app.name,
                defaults: "bundle-config-default.xml",
            }),
            Entry::Workflow | Entry::Coordinator => None,
        };
        let coordinators = self.coordinators.iter().map(|scheduled| Document {
            location: &scheduled.checked.location,
            file: scheduled.checked.app.file,
            name: &scheduled.checked.app.name,
            defaults: "coord-config-default.xml",
        });
        let workflows = self.apps.iter().map(|checked| Document {
            location: &checked.location,
            file: checked.app.file,
            name: &checked.app.name,
            defaults: defaults_file(checked.app.dialect),
        });
        bundle.into_iter().chain(coordinators).chain(workflows)
    }

    /// The document that the program is of.
    pub fn own(&self) -> Document<'_> {
        self.documents()
            .next()
            .expect("an application has a document")
    }
}

/// The workflows of a program, as they are found.
#[derive(Default)]
struct Workflows {
    apps: Vec<CheckedApp>,
    children: BTreeMap<String, usize>,
    uris: BTreeMap<String, usize>,
    /// By the identity of the documents.
    places: BTreeMap<PathBuf, usize>,
}

impl Workflows {
    /// Takes in a workflow and what it runs itself.
    fn add(&mut self, application: Application) {
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

    /// Has jobs find the workflow at `document` by `uri`, and what it runs below its own path too.
    fn name(&mut self, uri: &str, document: &PathBuf) -> Option<usize> {
        let place = *self.places.get(document)?;
        // From the paths of two coordinators, one way may lead to different workflows.
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
        // Two coordinators may mean different ones by a path that begins at their folders.
        self.uris.entry(uri.to_owned()).or_insert(place);
        Some(place)
    }
}

impl Session {
    /// Reads and checks the coordinator or bundle at `location`, with what it starts.
    pub(super) fn scheduled_application(&mut self, location: &Location) -> Option<Application> {
        let mut checked = Checked::default();
        let given = self.given.clone();
        let mut bundle = None;
        if self.language(location) == Language::Bundle {
            bundle = Some(self.bundle(location, &mut checked)?);
        } else {
            let coordinator = self.coordinator(location, &given, &[], &mut checked)?;
            self.started_workflow(&coordinator, &given, &mut checked);
        }
        for allow in self.sink.take_useless_allows() {
            self.sink.emit(UselessAllow::from(allow));
        }
        let mut workflows = Workflows::default();
        for application in checked.workflows.into_values() {
            // Nobody else has it once all is checked.
            workflows.add(Rc::into_inner(application)?);
        }
        let mut coordinators = Vec::new();
        let mut places = BTreeMap::new();
        for (document, coordinator) in checked.coordinators {
            let started = coordinator.started.borrow().clone();
            let found: Vec<(String, usize)> = started
                .into_iter()
                .filter_map(|(uri, document)| {
                    let place = workflows.name(&uri, &document)?;
                    Some((uri, place))
                })
                .collect();
            if let (true, Some(written)) = (found.is_empty(), &coordinator.app.workflow) {
                self.enter(&coordinator.location);
                self.sink.emit(UnresolvedWorkflow {
                    path: written.app_path.text.as_str().to_owned(),
                    span: written.app_path.span,
                    named: Named::Workflow,
                });
            }
            places.insert(document, coordinators.len());
            coordinators.push(ScheduledCoordinator {
                checked: coordinator,
                workflows: found,
            });
        }
        let entry = match bundle {
            None => Entry::Coordinator,
            Some(bundle) => self.bundle_entry(bundle, &places),
        };
        Some(Application {
            entry,
            apps: workflows.apps,
            children: workflows.children,
            uris: workflows.uris,
            coordinators,
        })
    }

    fn bundle_entry(&mut self, bundle: CheckedBundle, places: &BTreeMap<PathBuf, usize>) -> Entry {
        let mut children = BTreeMap::new();
        let mut started = Vec::new();
        self.enter(&bundle.location);
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
                    span: coordinator.app_path.span,
                    named: Named::Coordinator,
                }),
            }
            started.push(place);
        }
        Entry::Bundle {
            bundle: Box::new(bundle),
            children,
            started,
        }
    }
}
