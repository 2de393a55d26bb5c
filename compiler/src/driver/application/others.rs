//! Coordinators and bundles: checked with the files that they include and the documents that they start, as far as those are
//! found.
//!
//! What cannot be found at compile time is no mistake: it may exist on the cluster only.

use std::{
    cell::{OnceCell, RefCell},
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    rc::Rc,
};

mod included;

use super::{
    AskedBy, CheckObserver, CheckStep, CheckedBundle, CheckedCoordinator, CompiledApplication,
    Purpose, ReferenceKind, Session,
    checked::StartedCoordinator,
    found::{coordinator_mappings, own_mappings, resolve, with_defaults},
    identity, uris,
};
use crate::{
    analysis::{self, JobProperties, PassedProperties, PropertyUse, Started, Values},
    driver::{
        children::CompileTimeScope,
        locate::{COORDINATOR_XML, WORKFLOW_XML},
        location::Location,
        mapping::{Mapping, Mappings},
        mistakes::unresolved_workflows::{AppPathTarget, UnresolvedWorkflow},
    },
    lints::allow_comments::{self, UselessAllow},
    lower::{self, Language},
    model::{BundleApp, Template},
    source::FileId,
    syntax::xml::{self, XmlDocument},
};

/// The documents that one run has checked, by identity.
#[derive(Default)]
pub(super) struct CheckedDocuments {
    pub(super) coordinators: BTreeMap<PathBuf, Rc<CheckedCoordinator>>,
    /// With the children that they run.
    pub(super) workflows: BTreeMap<PathBuf, Rc<CompiledApplication>>,
    all: BTreeSet<PathBuf>,
}

impl Session {
    /// Checks coordinators and bundles, and what they start.
    pub(super) fn check_others(
        &mut self,
        locations: Vec<Location>,
        see: CheckObserver<'_>,
    ) -> Vec<PathBuf> {
        let mut checked = CheckedDocuments::default();
        let (bundles, coordinators): (Vec<Location>, Vec<Location>) = locations
            .into_iter()
            .partition(|location| self.language(location) == Language::Bundle);
        for location in bundles {
            if let Some(bundle) = self.bundle(&location, &mut checked) {
                see(self, CheckStep::Bundle(&bundle));
            }
        }
        let given = JobProperties {
            is_complete: self.given.is_complete && !self.has_unfound_coordinator,
            ..self.given.clone()
        };
        for location in coordinators {
            let document = identity(&location.document);
            // A coordinator that a bundle starts has been checked with the bundle.
            if checked.coordinators.contains_key(&document) {
                continue;
            }
            if let Some(coordinator) = self.coordinator(&location, &given, &[], &mut checked)
                && self.linked(&location).is_none()
            {
                self.started_workflow(&coordinator, &given, &mut checked);
            }
        }
        for allow in self.sink.take_useless_allows() {
            self.sink.emit(UselessAllow::from(allow));
        }
        for coordinator in checked.coordinators.values() {
            see(self, CheckStep::Coordinator(coordinator));
        }
        for application in checked.workflows.values() {
            for app in &application.apps {
                see(self, CheckStep::Workflow(app));
            }
        }
        checked.all.into_iter().collect()
    }

    /// The documents that a coordinator or bundle starts, without reporting mistakes. What is not found is recorded.
    pub(super) fn documents_of_others(&mut self, location: &Location) -> Vec<PathBuf> {
        // A file is read only once, so read errors have to be reported now.
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
        checked: &mut CheckedDocuments,
    ) -> Option<CheckedBundle> {
        if !checked.all.insert(identity(&location.document)) {
            return None;
        }
        let app = self.read(location, "bundle-config-default.xml", lower::bundle)?;
        let given = self.given.clone();
        let facts = analysis::bundle(&app, &given, &mut self.sink);
        let (started, uris) = self.started_coordinators(&app, location, &given, checked);
        Some(CheckedBundle {
            app,
            facts,
            location: location.clone(),
            started,
            uris,
        })
    }

    /// Checks what the coordinators of a bundle start. Returns each coordinator that was found, and the URIs by which jobs
    /// find it.
    fn started_coordinators(
        &mut self,
        app: &BundleApp,
        location: &Location,
        given: &JobProperties,
        checked: &mut CheckedDocuments,
    ) -> (Vec<Option<StartedCoordinator>>, Vec<Vec<String>>) {
        let own = with_defaults(&app.parameters, &app.config_default, given);
        let inherited = own_mappings(&own, "oozie.bundle.application.path", location);
        let mappings = self.mappings_with(&inherited, location);
        if self.linked(location).is_some() {
            return (Vec::new(), Vec::new());
        }
        let mut started = Vec::with_capacity(app.coordinators.len());
        let mut uris = Vec::with_capacity(app.coordinators.len());
        for coordinator in &app.coordinators {
            started.push(None);
            uris.push(Vec::new());
            let child = resolve(
                &coordinator.app_path,
                &own,
                location,
                &mappings,
                COORDINATOR_XML,
            );
            let asked = own.uri(&coordinator.app_path);
            self.refer(asked, ReferenceKind::Coordinator, child.is_some());
            let Some(child) = child else {
                self.has_unfound_coordinator = true;
                self.has_unfound_workflow = true;
                self.say_unfound(
                    &coordinator.app_path,
                    &own,
                    given,
                    AppPathTarget::Coordinator,
                );
                continue;
            };
            if let (Some(asked), Some(known)) = (
                own.uri_of_any_user(&coordinator.app_path, ""),
                uris.last_mut(),
            ) {
                *known = uris::of_started(&asked, &child, location, &mappings);
            }
            let passed = PassedProperties::new(
                &app.parameters,
                &app.config_default,
                &coordinator.configuration.properties,
                given,
            );
            // Missing properties are reported once, here and not in the coordinator.
            let known = JobProperties {
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
        (started, uris)
    }

    /// The coordinator at `location`, checked with `given` if it has not been checked before.
    pub(super) fn coordinator(
        &mut self,
        location: &Location,
        given: &JobProperties,
        inherited: &[Mapping],
        checked: &mut CheckedDocuments,
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

    /// Checks the workflow that a coordinator starts, and the properties it needs against those it receives.
    pub(super) fn started_workflow(
        &mut self,
        coordinator: &CheckedCoordinator,
        given: &JobProperties,
        checked: &mut CheckedDocuments,
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
        let kept_uri = own.uri_of_any_user(&workflow.app_path, "");
        let asked = own.uri(&workflow.app_path);
        self.refer(asked, ReferenceKind::Workflow, child.is_some());
        let (Some(child), Ok(uri), Some(kept_uri)) = (child, own.uri(&workflow.app_path), kept_uri)
        else {
            self.has_unfound_workflow = true;
            self.enter(location);
            self.say_unfound(&workflow.app_path, &own, given, AppPathTarget::Workflow);
            return;
        };
        let uris = uris::of_started(&kept_uri, &child, location, &mappings);
        if self.language(&child) != Language::Workflow {
            return;
        }
        let document = identity(&child.document);
        let passed = PassedProperties::new(
            &app.parameters,
            &app.config_default,
            &workflow.configuration.properties,
            given,
        );
        if !checked.workflows.contains_key(&document) {
            // Properties that the coordinator does not pass are checked below.
            let open = JobProperties {
                is_complete: false,
                ..passed.given.known()
            };
            let asked_by = AskedBy { uri, kept_uri };
            let Some(application) = self.workflow_application(child, asked_by, open, &places)
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
            for uri in uris {
                let found = (uri, document.clone());
                if !coordinator.started.borrow().contains(&found) {
                    coordinator.started.borrow_mut().push(found);
                }
            }
            let started = &application.apps[0];
            let name = started.app.name.text.as_str().to_owned();
            coordinator.workflow.get_or_init(|| name);
            // Properties that the coordinator itself lacks have been reported there.
            let needs: Vec<PropertyUse> = started
                .facts
                .properties
                .iter()
                .filter(|need| !coordinator.needs(&need.name))
                .cloned()
                .collect();
            let needs = analysis::needs_of_job(&started.app, &started.facts, needs, &passed.given);
            analysis::check_passed(
                Started::Workflow,
                &needs,
                &passed,
                &workflow.app_path,
                &mut self.sink,
            );
            self.check_children(&application, &passed.given);
        }
    }

    /// Reports that a document to be started does not exist. For a program all of them are reported when it is assembled.
    fn say_unfound(
        &mut self,
        path: &Template,
        scope: &CompileTimeScope,
        given: &JobProperties,
        named: AppPathTarget,
    ) {
        let is_relative = path
            .literal()
            .is_some_and(|path| !path.trim().starts_with('/') && !path.contains(':'));
        let resolved = scope.text(path).ok().filter(|path| !path.contains("${"));
        let Some(resolved) = resolved else { return };
        if self.purpose == Purpose::Judgment && (given.is_complete || is_relative) {
            self.sink.emit(UnresolvedWorkflow {
                path: path.text.as_str().to_owned(),
                resolved: Some(resolved).filter(|resolved| resolved != path.text.as_str()),
                span: path.span,
                named,
            });
        }
    }

    /// Reads a document and the file of defaults beside it.
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
        let path = self
            .files
            .defaults(&location.document, location.below(defaults));
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

    /// The given mappings, which precede the `own` ones.
    pub(super) fn mappings_with(&mut self, own: &[Mapping], location: &Location) -> Mappings {
        let settings = self.enter(location);
        own.iter()
            .chain(&settings.mappings)
            .chain(&self.mappings)
            .cloned()
            .collect()
    }
}
