//! Coordinators and bundles: checked with the files that they include and the documents that they start, as far as those
//! are found.
//!
//! What cannot be found at compile time is no mistake: it may be on the cluster alone.

use std::{
    cell::{OnceCell, RefCell},
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    rc::Rc,
};

use hpdlc_core::app_uri;

use super::{Application, See, Seen, Session, identity};
use crate::{
    analysis::{
        self, BundleFacts, CoordinatorFacts, Given, Included, NamedInclude, Passed, PropertyUse,
        Started, Values,
    },
    driver::{
        children::CompileTimeScope,
        locate::{Location, WORKFLOW_XML},
        mapping::{Mapping, Mappings},
    },
    lints::allow_comments::{self, UselessAllow},
    lower::{self, Language},
    model::{BundleApp, CoordinatorApp, Parameter, Property, Template},
    source::FileId,
    syntax::xml::{self, XmlDocument},
};

pub(super) const COORDINATOR_XML: &str = "coordinator.xml";

/// How many files a coordinator may include, one another's included: Oozie itself knows no end of it.
const MOST_INCLUDED: usize = 1000;

/// A coordinator after all checks of its own.
#[derive(Debug)]
pub struct CheckedCoordinator {
    pub app: CoordinatorApp,
    pub facts: CoordinatorFacts,
    pub included: Included,
    /// The properties that are known.
    pub values: Values,
    pub location: Location,
    /// The name of the workflow that it starts, where that was found.
    pub workflow: OnceCell<String>,
    /// The URIs by which its jobs find that workflow, and its document.
    pub(super) started: RefCell<Vec<(String, PathBuf)>>,
    /// Where the folders of the bundle that starts it are.
    inherited: Vec<Mapping>,
}

/// A bundle after all checks.
#[derive(Debug)]
pub struct CheckedBundle {
    pub app: BundleApp,
    pub facts: BundleFacts,
    pub location: Location,
    /// By coordinator: what was found of it, and the values that it gets.
    pub started: Vec<Option<(Rc<CheckedCoordinator>, Values)>>,
    /// By coordinator: the URI by which the jobs of the bundle find it, where that is known.
    pub uris: Vec<Option<String>>,
}

impl CheckedCoordinator {
    /// Whether the coordinator itself cannot do without a property.
    fn needs(&self, name: &str) -> bool {
        let properties = &self.facts.properties;
        let place = properties.binary_search_by(|property| property.name.as_str().cmp(name));
        place.is_ok_and(|place| properties[place].is_required())
    }
}

/// What one run has checked, by the identity of the documents.
#[derive(Default)]
pub(super) struct Checked {
    pub(super) coordinators: BTreeMap<PathBuf, Rc<CheckedCoordinator>>,
    /// With what they run themselves.
    pub(super) workflows: BTreeMap<PathBuf, Rc<Application>>,
    all: BTreeSet<PathBuf>,
}

impl Session {
    /// Checks coordinators and bundles, and what they start.
    pub(super) fn check_others(&mut self, locations: Vec<Location>, see: See<'_>) -> Vec<PathBuf> {
        let mut checked = Checked::default();
        let (bundles, coordinators): (Vec<Location>, Vec<Location>) = locations
            .into_iter()
            .partition(|location| self.language(location) == Language::Bundle);
        for location in bundles {
            if let Some(bundle) = self.bundle(&location, &mut checked) {
                see(self, Seen::Bundle(&bundle));
            }
        }
        let given = Given {
            is_complete: self.given.is_complete && !self.has_unfound_coordinator,
            ..self.given.clone()
        };
        for location in coordinators {
            let document = identity(&location.document);
            // One that a bundle starts has been checked as that.
            if checked.coordinators.contains_key(&document) {
                continue;
            }
            if let Some(coordinator) = self.coordinator(&location, &given, &[], &mut checked) {
                self.started_workflow(&coordinator, &given, &mut checked);
            }
        }
        for allow in self.sink.take_useless_allows() {
            self.sink.emit(UselessAllow::from(allow));
        }
        for coordinator in checked.coordinators.values() {
            see(self, Seen::Coordinator(coordinator));
        }
        for application in checked.workflows.values() {
            for app in &application.apps {
                see(self, Seen::Workflow(app));
            }
        }
        checked.all.into_iter().collect()
    }

    /// The documents that a coordinator or bundle starts, without a word about mistakes. What is not found is kept in mind.
    pub(super) fn documents_of_others(&mut self, location: &Location) -> Vec<PathBuf> {
        // A file is read once, so what is wrong with reading it is said now or never.
        let shown = location.shown(&location.document);
        self.files.text(&location.document, &shown, &mut self.sink);
        let quiet = self.sink.beside();
        let said = std::mem::replace(&mut self.sink, quiet);
        let mut documents = self.check_others(vec![location.clone()], &mut |_, _| {});
        self.sink = said;
        let own = identity(&location.document);
        documents.retain(|document| *document != own);
        documents
    }

    pub(super) fn bundle(
        &mut self,
        location: &Location,
        checked: &mut Checked,
    ) -> Option<CheckedBundle> {
        if !checked.all.insert(identity(&location.document)) {
            return None;
        }
        let app = self.read(location, "bundle-config-default.xml", lower::bundle)?;
        let given = self.given.clone();
        let facts = analysis::bundle(&app, &given, &mut self.sink);
        let own = with_defaults(&app.parameters, &app.config_default, &given);
        let uris = app.coordinators.iter();
        let uris = uris.map(|coordinator| own.uri(&coordinator.app_path).ok());
        let uris = uris.collect();
        let started = self.started_coordinators(&app, location, &given, checked);
        Some(CheckedBundle {
            app,
            facts,
            location: location.clone(),
            started,
            uris,
        })
    }

    /// Checks what the coordinators of a bundle start. Answers with each of them that was found.
    fn started_coordinators(
        &mut self,
        app: &BundleApp,
        location: &Location,
        given: &Given,
        checked: &mut Checked,
    ) -> Vec<Option<(Rc<CheckedCoordinator>, Values)>> {
        let own = with_defaults(&app.parameters, &app.config_default, given);
        let inherited = own_mappings(&own, "oozie.bundle.application.path", location);
        let mappings = self.mappings_with(&inherited, location);
        let mut started = Vec::with_capacity(app.coordinators.len());
        for coordinator in &app.coordinators {
            started.push(None);
            let child = resolve(
                &coordinator.app_path,
                &own,
                location,
                &mappings,
                COORDINATOR_XML,
            );
            let Some(child) = child else {
                self.has_unfound_coordinator = true;
                self.has_unfound_workflow = true;
                continue;
            };
            let passed = Passed::new(
                &app.parameters,
                &app.config_default,
                &coordinator.configuration.properties,
                given,
            );
            // What is missing is said once, here and not in the coordinator.
            let known = Given {
                is_complete: false,
                ..passed.given.clone()
            };
            let Some(child) = self.coordinator(&child, &known, &inherited, checked) else {
                continue;
            };
            analysis::check_bundled_version(&child.app, &coordinator.app_path, &mut self.sink);
            let needs = &child.facts.properties;
            analysis::check_passed(
                Started::Coordinator,
                needs,
                &passed,
                &coordinator.app_path,
                &mut self.sink,
            );
            self.started_workflow(&child, &passed.given, checked);
            let values = Values::new(
                &child.app.parameters,
                &child.app.config_default,
                &passed.given,
            );
            if let Some(last) = started.last_mut() {
                *last = Some((child, values));
            }
        }
        started
    }

    /// The coordinator at `location`, checked with `given` if it has not been checked before.
    pub(super) fn coordinator(
        &mut self,
        location: &Location,
        given: &Given,
        inherited: &[Mapping],
        checked: &mut Checked,
    ) -> Option<Rc<CheckedCoordinator>> {
        let document = identity(&location.document);
        if let Some(coordinator) = checked.coordinators.get(&document) {
            return Some(Rc::clone(coordinator));
        }
        if !checked.all.insert(document.clone()) || self.language(location) != Language::Coordinator
        {
            return None;
        }
        let app = self.read(location, "coord-config-default.xml", lower::coordinator)?;
        let included = self.included(&app, location, inherited, given);
        let facts = analysis::coordinator(&app, &included, given, &mut self.sink);
        let values = Values::new(&app.parameters, &app.config_default, given);
        let coordinator = Rc::new(CheckedCoordinator {
            app,
            facts,
            included,
            values,
            location: location.clone(),
            workflow: OnceCell::new(),
            started: RefCell::default(),
            inherited: inherited.to_vec(),
        });
        checked
            .coordinators
            .insert(document, Rc::clone(&coordinator));
        Some(coordinator)
    }

    /// Checks the workflow that a coordinator starts, and what it needs against what it gets.
    pub(super) fn started_workflow(
        &mut self,
        coordinator: &CheckedCoordinator,
        given: &Given,
        checked: &mut Checked,
    ) {
        let app = &coordinator.app;
        let Some(workflow) = &app.workflow else {
            return;
        };
        let own = with_defaults(&app.parameters, &app.config_default, given);
        let location = &coordinator.location;
        let places = coordinator_mappings(&own, location, &coordinator.inherited);
        let mappings = self.mappings_with(&places, location);
        let child = resolve(&workflow.app_path, &own, location, &mappings, WORKFLOW_XML);
        let (Some(child), Ok(uri)) = (child, own.uri(&workflow.app_path)) else {
            self.has_unfound_workflow = true;
            return;
        };
        if self.language(&child) != Language::Workflow {
            return;
        }
        let document = identity(&child.document);
        let passed = Passed::new(
            &app.parameters,
            &app.config_default,
            &workflow.configuration.properties,
            given,
        );
        if !checked.workflows.contains_key(&document) {
            // What the coordinator does not pass is looked at below.
            let open = Given {
                is_complete: false,
                ..passed.given.known()
            };
            let Some(application) = self.workflow_application(child, uri.clone(), open, &places)
            else {
                return;
            };
            let documents = application
                .apps
                .iter()
                .map(|app| identity(&app.location.document));
            checked.all.extend(documents);
            checked
                .workflows
                .insert(document.clone(), Rc::new(application));
        }
        if let Some(application) = checked.workflows.get(&document).map(Rc::clone) {
            let found = (uri, document);
            if !coordinator.started.borrow().contains(&found) {
                coordinator.started.borrow_mut().push(found);
            }
            let started = &application.apps[0];
            let name = started.app.name.text.as_str().to_owned();
            coordinator.workflow.get_or_init(|| name);
            // What the coordinator itself lacks has been reported there.
            let needs: Vec<PropertyUse> = started
                .facts
                .properties
                .iter()
                .filter(|need| !coordinator.needs(&need.name))
                .cloned()
                .collect();
            let needs = &needs;
            analysis::check_passed(
                Started::Workflow,
                needs,
                &passed,
                &workflow.app_path,
                &mut self.sink,
            );
            self.check_children(&application, &passed.given);
        }
    }

    /// The files that a coordinator includes.
    fn included(
        &mut self,
        app: &CoordinatorApp,
        location: &Location,
        inherited: &[Mapping],
        given: &Given,
    ) -> Included {
        let own = with_defaults(&app.parameters, &app.config_default, given);
        let mappings =
            self.mappings_with(&coordinator_mappings(&own, location, inherited), location);
        let mut included = Included::default();
        let mut seen: BTreeSet<PathBuf> = BTreeSet::new();
        included.named = app
            .includes
            .iter()
            .map(|include| NamedInclude {
                uri: own.uri(include).ok(),
                files: Vec::new(),
            })
            .collect();
        // With the place of the coordinator's own `include` that led there.
        let mut waiting: Vec<(Template, usize)> = app
            .includes
            .iter()
            .cloned()
            .enumerate()
            .map(|(from, include)| (include, from))
            .rev()
            .collect();
        while let Some((include, from)) = waiting.pop() {
            let found = resolve(&include, &own, location, &mappings, COORDINATOR_XML);
            let Some(found) = found.filter(|_| seen.len() < MOST_INCLUDED) else {
                let path = own.text(&include);
                included.named[from].uri = None;
                included
                    .missing
                    .push(path.unwrap_or_else(|_| include.text.as_str().to_owned()));
                continue;
            };
            if !seen.insert(identity(&found.document)) {
                continue;
            }
            let shown = found.shown(&found.document);
            let file = self.files.text(&found.document, &shown, &mut self.sink);
            let sources = &self.files.sources;
            let document =
                file.and_then(|file| xml::parse(file, sources.text(file), &mut self.sink));
            match document {
                Some(document) => {
                    let file = lower::included_file(&document, &mut self.sink);
                    let more = file.includes.iter().rev().cloned();
                    waiting.extend(more.map(|include| (include, from)));
                    included.named[from].files.push(included.files.len());
                    included.files.push(file);
                }
                None => {
                    included.named[from].uri = None;
                    included.missing.push(shown);
                }
            }
        }
        included
    }

    /// Reads a document and the defaults beside it.
    pub(super) fn read<T>(
        &mut self,
        location: &Location,
        defaults: &str,
        lower: fn(&XmlDocument<'_>, Option<&XmlDocument<'_>>, &mut crate::diagnostics::Sink) -> T,
    ) -> Option<T> {
        let shown = location.shown(&location.document);
        let file = self
            .files
            .text(&location.document, &shown, &mut self.sink)?;
        let path = location.below(defaults);
        let shown = location.shown(&path);
        let defaults = self.files.text_if_present(&path, &shown, &mut self.sink);
        self.enter(location);
        let sources = &self.files.sources;
        let mut parse = |file: FileId| {
            let text = sources.text(file);
            let document = xml::parse(file, text, &mut self.sink)?;
            allow_comments::collect(&document, text, &mut self.sink);
            Some(document)
        };
        let document = parse(file)?;
        let defaults = defaults.and_then(parse);
        Some(lower(&document, defaults.as_ref(), &mut self.sink))
    }

    /// The given mappings, above what is known by itself.
    pub(super) fn mappings_with(&mut self, own: &[Mapping], location: &Location) -> Mappings {
        let settings = self.enter(location);
        own.iter()
            .chain(&settings.mappings)
            .chain(&self.mappings)
            .cloned()
            .collect()
    }
}

/// What a coordinator's own path says of its folder, above what is known of the bundle's.
fn coordinator_mappings(
    scope: &CompileTimeScope,
    location: &Location,
    inherited: &[Mapping],
) -> Vec<Mapping> {
    let own = own_mappings(scope, "oozie.coord.application.path", location);
    inherited.iter().cloned().chain(own).collect()
}

/// The URI that stands for the folder of a document, by the property that tells a job where its application is, and what
/// stands around the folder.
pub(super) fn own_mappings(
    scope: &CompileTimeScope,
    property: &str,
    location: &Location,
) -> Vec<Mapping> {
    let path = scope.property(property).filter(|path| !path.contains("${"));
    let file = location.document.file_name().and_then(|name| name.to_str());
    let (Some(path), Some(file)) = (path, file) else {
        return Vec::new();
    };
    let folder = path
        .trim_end_matches('/')
        .strip_suffix(file)
        .unwrap_or(path);
    let own = Mapping::new(folder, location.folder.clone());
    own.around().into_iter().chain([own]).collect()
}

/// What paths are found by: where nothing is given, the defaults.
pub(super) fn with_defaults(
    parameters: &[Parameter],
    config_default: &[Property],
    given: &Given,
) -> CompileTimeScope {
    let declared = parameters.iter().filter_map(|parameter| {
        let default = parameter.default.as_ref()?;
        Some((parameter.name.value.clone(), default.value.clone()))
    });
    let defaults = config_default.iter().filter_map(|property| {
        let name = property.name.literal()?.to_owned();
        Some((name, property.value.text.as_str().to_owned()))
    });
    let given = given
        .properties
        .iter()
        .map(|(name, property)| (name.clone(), property.value.clone()));
    CompileTimeScope::of_values(declared.chain(defaults).chain(given).collect(), "")
}

/// The local document that a path in a document at `location` leads to. A folder stands for the document of the usual
/// `name` in it.
pub(super) fn resolve(
    path: &Template,
    scope: &CompileTimeScope,
    location: &Location,
    mappings: &Mappings,
    name: &str,
) -> Option<Location> {
    if path.is_invalid {
        return None;
    }
    let uri = scope.uri(path).ok()?;
    if uri.is_empty() || uri.contains("${") {
        return None;
    }
    let is_relative = !uri.starts_with('/') && !uri.contains(':');
    let found = mappings
        .local(&app_uri::normalized(&uri))
        .or_else(|| is_relative.then(|| location.below(&uri)))?;
    let document = if found.is_dir() {
        found.join(name)
    } else {
        found
    };
    if !document.is_file() {
        return None;
    }
    // What is in the current folder needs no `./`.
    let document = document
        .strip_prefix(".")
        .map_or(document.clone(), Path::to_owned);
    let folder = document
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    Some(Location {
        folder: folder.unwrap_or(Path::new(".")).to_owned(),
        archive: [location.archive.as_ref(), mappings.archive_of(&document)]
            .into_iter()
            .flatten()
            .find(|archive| archive.contains(&document))
            .cloned(),
        document,
    })
}
