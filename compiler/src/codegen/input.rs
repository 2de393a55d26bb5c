//! The input of generation: checked documents, and the URIs by which they refer to each other.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use crate::{
    analysis::{BundleFacts, CoordinatorFacts, Facts, Included, PropertyUse},
    codegen::action::{self, Part},
    model::{Action, BundleApp, CoordinatorApp, Property, Sla, WorkflowApp},
    source::SourceMap,
};

/// The input for one program.
pub struct Application<'a> {
    /// The version of hpdlc.
    pub hpdlc_version: &'a str,
    /// The definition hash, 16 hex digits.
    pub hash: &'a str,
    pub sources: &'a SourceMap,
    /// The bundle, if the program is compiled from one.
    pub bundle: Option<CompiledBundle<'a>>,
    /// The coordinators of the bundle, or the one that the program is compiled from.
    pub coordinators: Vec<CompiledCoordinator<'a>>,
    /// The workflows: first the one that the program is compiled from, if any, then those that are started, each once.
    pub apps: Vec<CompiledApp<'a>>,
    /// The URIs by which workflows are found.
    pub children: Vec<ChildUri>,
    /// The files to embed, sorted by path.
    pub files: Vec<EmbeddedFile>,
    /// More files to embed, whose content is not on disk, by path.
    pub texts: &'a BTreeMap<String, String>,
}

/// One workflow application that has no errors.
#[derive(Clone, Copy)]
pub struct CompiledApp<'a> {
    pub app: &'a WorkflowApp,
    pub facts: &'a Facts,
    /// The XML file as the user gave it, for messages.
    pub source: &'a str,
    /// The folder below the unpacked files; "" for the program's own.
    pub folder: &'a str,
}

/// One coordinator that has no errors.
pub struct CompiledCoordinator<'a> {
    pub app: &'a CoordinatorApp,
    pub facts: &'a CoordinatorFacts,
    pub included: &'a Included,
    pub source: &'a str,
    pub folder: &'a str,
    /// The URIs by which it finds the workflow that it starts, with their indexes in [`Application::apps`].
    pub workflows: Vec<ChildUri>,
}

/// A bundle that has no errors.
pub struct CompiledBundle<'a> {
    pub app: &'a BundleApp,
    pub facts: &'a BundleFacts,
    pub source: &'a str,
    /// The URIs by which its coordinators are found, with their indexes in [`Application::coordinators`].
    pub children: Vec<ChildUri>,
    /// The index of each of its coordinators, if it was found.
    pub started: Vec<Option<usize>>,
}

/// A normalized `app-path` and the application that it refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChildUri {
    pub uri: String,
    /// The index in [`Application::apps`]; of a coordinator, in [`Application::coordinators`].
    pub app: usize,
}

/// A file of an application.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmbeddedFile {
    /// Relative to the folder where files are unpacked, with `/`.
    pub path: String,
    /// The file with its content; absolute for [`FilePaths::Absolute`](super::FilePaths::Absolute).
    pub source: PathBuf,
    pub is_executable: bool,
}

impl Application<'_> {
    /// The names of the extensions that its actions and expressions use, sorted.
    pub(crate) fn extensions(&self) -> BTreeSet<&'static str> {
        let apps = self.apps.iter();
        apps.flat_map(|compiled| compiled.app.used_extensions(&compiled.facts.functions))
            .map(|extension| extension.name.as_str())
            .collect()
    }

    /// Whether an action sends mail, or an SLA has an alert contact.
    pub(super) fn sends_mail(&self) -> bool {
        let has_contact = |sla: &Option<Box<Sla>>| {
            sla.as_ref()
                .is_some_and(|sla| sla.texts.alert_contact.is_some())
        };
        self.has_action(|action| {
            has_contact(&action.sla) || action::part(&action.kind) == Some(Part::Mail)
        }) || self.apps.iter().any(|own| has_contact(&own.app.sla))
            || self
                .coordinators
                .iter()
                .any(|own| has_contact(&own.app.sla))
    }

    /// Whether the executable contains files.
    pub(super) fn has_files(&self) -> bool {
        !self.files.is_empty() || !self.texts.is_empty()
    }

    /// Whether an action sends HTTP requests.
    pub(super) fn sends_requests(&self) -> bool {
        self.has_action(|action| action::part(&action.kind) == Some(Part::Requests))
    }

    /// Whether it is a coordinator or a bundle, which need the scheduler.
    pub(super) fn is_scheduled(&self) -> bool {
        self.bundle.is_some() || !self.coordinators.is_empty()
    }

    fn has_action(&self, is_meant: impl Fn(&Action) -> bool) -> bool {
        let mut apps = self.apps.iter();
        apps.any(|own| own.app.actions().any(|(_, action)| is_meant(action)))
    }

    /// The path of the document that the program is compiled from.
    pub fn source(&self) -> &str {
        let coordinator = self.coordinators.first().map(|own| own.source);
        let workflow = self.apps.first().map(|own| own.source);
        let bundle = self.bundle.as_ref().map(|bundle| bundle.source);
        bundle.or(coordinator).or(workflow).unwrap_or_default()
    }

    /// Every property of a job of the program, required or optional, by name. These include the properties of started
    /// documents that are not passed to them.
    pub fn properties(&self) -> Cow<'_, [PropertyUse]> {
        if let Some(bundle) = &self.bundle {
            let mut all = Needs::of(&bundle.facts.properties);
            for (coordinator, started) in bundle.app.coordinators.iter().zip(&bundle.started) {
                if let Some(started) = started.and_then(|place| self.coordinators.get(place)) {
                    let needs = self.needs_of(started);
                    all.add(needs.0.values(), &coordinator.configuration.properties);
                }
            }
            return Cow::Owned(all.0.into_values().collect());
        }
        match (self.coordinators.first(), self.apps.first()) {
            (Some(own), _) => Cow::Owned(self.needs_of(own).0.into_values().collect()),
            (None, Some(own)) => Cow::Borrowed(&own.facts.properties),
            (None, None) => Cow::Borrowed(&[]),
        }
    }

    /// The properties of a coordinator, and those of its workflow that it does not pass.
    fn needs_of(&self, coordinator: &CompiledCoordinator<'_>) -> Needs {
        let mut all = Needs::of(&coordinator.facts.properties);
        let started = coordinator.workflows.iter();
        let started = started.filter_map(|child| self.apps.get(child.app));
        for (started, workflow) in started.zip(coordinator.app.workflow.iter().cycle()) {
            all.add(
                &started.facts.properties,
                &workflow.configuration.properties,
            );
        }
        all
    }
}

/// Properties by name.
struct Needs(BTreeMap<String, PropertyUse>);

impl Needs {
    fn of(own: &[PropertyUse]) -> Needs {
        let named = own.iter().map(|need| (need.name.clone(), need.clone()));
        Needs(named.collect())
    }

    /// Adds the properties of a started document, except for those passed to it and those that Oozie sets (`oozie.*`).
    fn add<'n>(&mut self, needs: impl IntoIterator<Item = &'n PropertyUse>, passed: &[Property]) {
        let passed: BTreeSet<&str> = passed
            .iter()
            .filter_map(|property| property.name.literal())
            .collect();
        for need in needs {
            if passed.contains(need.name.as_str()) || need.name.starts_with("oozie.") {
                continue;
            }
            match self.0.get_mut(&need.name) {
                None => {
                    self.0.insert(need.name.clone(), need.clone());
                }
                Some(own) => {
                    own.uses.extend(need.uses.iter().copied());
                    own.is_optional &= need.is_optional || need.default().is_some();
                    own.description = own.description.take().or(need.description.clone());
                }
            }
        }
    }
}
