//! From a PATH to a checked application: runs the pure rooms in order, for the document and for the children that its
//! sub-workflows run.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::Arc,
};

use hpdlc_core::secrets::Secrets;

use crate::{
    analysis::{self, Facts, JobProperties},
    diagnostics::{Diagnostic, LintLevels, Sink},
    driver::{
        locate::{self, FoundLocation},
        location::Location,
        mapping::Mapping,
        mistakes::{missing_files, unrendered_templates},
        properties::{self, Properties, Property, USER_NAME},
        read::{Files, SourceOverlay},
        settings::{self, ProjectSettings},
        site, template_sources, user,
    },
    lints::fs_paths_without_scheme,
    lower::{self, Language},
    model::{OwnFunction, WorkflowApp},
    source::SourceMap,
    syntax::xml,
};

mod arguments;
mod asked_by;
mod check_children;
mod checked;
mod child_documents;
mod child_location;
mod compiled;
mod endless_children;
mod extensions;
mod found;
mod functions;
mod near_names;
mod needed_files;
mod needs;
mod others;
mod reference;
mod scheduled;
mod scripts;
mod started;
mod uris;
mod workflow;

use self::asked_by::AskedBy;
pub use self::{
    arguments::{Arguments, Purpose},
    checked::{CheckedBundle, CheckedCoordinator},
    compiled::{ApplicationDocument, CompiledApplication, EntryDocument, ScheduledCoordinator},
    reference::{Reference, ReferenceKind, references},
    scheduled::{Scheduled, Unscheduled},
};

/// One run of the compiler: what it has read, and its diagnostics.
#[derive(Debug)]
pub struct Session {
    pub files: Files,
    pub sink: Sink,
    properties: Properties,
    given: JobProperties,
    mappings: Vec<Mapping>,
    /// The functions of the program that is compiled.
    functions: Vec<OwnFunction>,
    /// Those of the command line.
    levels: LintLevels,
    purpose: Purpose,
    /// By the folder of an application.
    settings: BTreeMap<PathBuf, Arc<ProjectSettings>>,
    /// The documents that others have named so far.
    references: Vec<Reference>,
    /// A bundle of this run starts a coordinator that was not found: it may be any coordinator.
    pub(super) has_unfound_coordinator: bool,
    /// A coordinator of this run starts a workflow that was not found: it may be any workflow.
    pub(super) has_unfound_workflow: bool,
}

/// One workflow after all checks.
#[derive(Debug)]
pub struct CheckedApp {
    pub location: Location,
    pub app: WorkflowApp,
    pub facts: Facts,
    /// [`APP_PATH`](hpdlc_core::app_uri::APP_PATH), or the URI that it was first requested by.
    pub uri: String,
    /// The same, as stored for jobs of any user.
    kept_uri: String,
    /// The identities of the documents that its sub-workflows run, as far as they were found.
    pub children: BTreeSet<PathBuf>,
    /// Those of its `hpdl.toml`.
    pub settings: Arc<ProjectSettings>,
}

/// A step of a check, for an observer that needs more than the diagnostics.
#[derive(Clone, Copy, Debug)]
pub enum CheckStep<'s> {
    Workflow(&'s CheckedApp),
    Coordinator(&'s CheckedCoordinator),
    Bundle(&'s CheckedBundle),
}

/// An observer of the steps of a check.
pub type CheckObserver<'v> = &'v mut dyn FnMut(&Session, CheckStep<'_>);

impl CheckedApp {
    /// Its location, and the URI that denotes it.
    fn place(&self) -> (&Location, &str) {
        (&self.location, &self.uri)
    }
}

impl Session {
    /// Starts with the properties of the command line, which are read now.
    pub fn new(arguments: &Arguments) -> Session {
        Session::with_texts(arguments, Arc::default())
    }

    /// Like [`Session::new`], with texts that override the contents of files.
    pub fn with_texts(arguments: &Arguments, texts: Arc<SourceOverlay>) -> Session {
        let mut files = Files::with_texts(texts);
        let mut sink = Sink::new(arguments.levels.clone());
        let mut properties = properties::read(&arguments.properties, &mut files, &mut sink);
        properties
            .entry(USER_NAME.to_owned())
            .or_insert_with(|| Property {
                value: arguments.user.clone().unwrap_or_else(user::name),
                span: None,
            });
        let mappings = Mapping::unpacked(&arguments.mappings, &mut sink);
        let mappings = Mapping::all_with_properties(mappings, &properties);
        let given = JobProperties {
            // If a file could not be read, no property is known to be missing.
            is_complete: !arguments.properties.files.is_empty()
                && !arguments.only_finds
                && !sink.has_errors(),
            properties: properties.clone(),
            zone: arguments.site.as_ref().map(site::zone_of),
            controls: arguments.site.as_ref().map(site::controls_of),
        };
        Session {
            files,
            sink,
            properties,
            given,
            mappings,
            functions: arguments.functions.clone(),
            levels: arguments.levels.clone(),
            purpose: arguments.purpose,
            settings: BTreeMap::new(),
            references: Vec::new(),
            has_unfound_coordinator: false,
            has_unfound_workflow: false,
        }
    }

    /// Starts a session whose application is compiled.
    pub fn for_program(arguments: &Arguments) -> Session {
        let mut session = Session::new(arguments);
        session.compile();
        session
    }

    /// From here on the folder is what the job will have, and the document what it will run.
    fn compile(&mut self) {
        for lint in [
            &missing_files::LINT,
            &fs_paths_without_scheme::LINT,
            &unrendered_templates::LINT,
        ] {
            self.levels.deny_by_default(lint);
        }
    }

    /// Another session with the same arguments and the files that this one has read, without its diagnostics.
    pub fn fork(&self) -> Session {
        Session {
            files: self.files.clone(),
            sink: Sink::new(self.levels.clone()),
            properties: self.properties.clone(),
            given: self.given.clone(),
            mappings: self.mappings.clone(),
            functions: self.functions.clone(),
            levels: self.levels.clone(),
            purpose: self.purpose,
            settings: self.settings.clone(),
            references: Vec::new(),
            has_unfound_coordinator: self.has_unfound_coordinator,
            has_unfound_workflow: self.has_unfound_workflow,
        }
    }

    /// This session as if no properties had been given.
    #[must_use]
    pub fn without_properties(mut self) -> Session {
        self.given.is_complete = false;
        self.properties = self.properties.only(|name, _| name == USER_NAME);
        self.given.properties = self.properties.clone();
        self
    }

    /// The given properties, with references substituted; none if references are endless.
    pub fn resolved_properties(&self) -> BTreeMap<String, String> {
        properties::resolved(&self.properties).unwrap_or_default()
    }

    /// Reads and checks the application at `location`. `None` if there is no workflow; incomplete if it has errors. The
    /// diagnostics are in the sink.
    pub fn application(&mut self, location: Location) -> Option<CompiledApplication> {
        if self.language(&location) != Language::Workflow {
            return self.scheduled_application(&location);
        }
        let given = self.given.clone();
        let given = JobProperties {
            // A workflow started by a coordinator receives unknown properties.
            is_complete: given.is_complete && !self.has_unfound_workflow,
            ..given
        };
        let own = AskedBy::own();
        let application = self.workflow_application(location, own, given.clone(), &[])?;
        self.check_children(&application, &given);
        Some(application)
    }

    /// Whether the document at `location` is a workflow, of either dialect, or unknown.
    pub fn is_workflow(&mut self, location: &Location) -> bool {
        self.language(location) == Language::Workflow
    }

    /// Reads and checks the workflow at `location` alone, without the children that it runs. `None` if there is no workflow;
    /// incomplete if it has errors. The diagnostics are in the sink.
    pub fn workflow(&mut self, location: Location) -> Option<CheckedApp> {
        let given = self.given.clone();
        self.checked(location, AskedBy::own(), &given)
    }

    /// What no page or picture of `app` may show.
    pub fn secrets(&self, app: &WorkflowApp) -> Secrets {
        analysis::secrets(app, &self.given)
    }

    /// What no page or picture of a document with these properties may show, including what was given.
    pub fn secrets_among<'p>(
        &'p self,
        properties: impl Iterator<Item = (&'p str, &'p str)>,
    ) -> Secrets {
        let given = self.given.properties.iter();
        let given = given.map(|(name, property)| (name.as_str(), property.value.as_str()));
        Secrets::of(given.chain(properties))
    }

    /// The given properties whose names denote secrets.
    pub fn given_secrets(&self) -> Secrets {
        let given = self.given.properties.iter();
        Secrets::of(given.map(|(name, property)| (name.as_str(), property.value.as_str())))
    }

    /// Applies the settings of the application at `location` from here on.
    fn enter(&mut self, location: &Location) -> Arc<ProjectSettings> {
        let folder = location.settings_folder();
        let settings = match self.settings.get(&folder) {
            Some(known) => Arc::clone(known),
            None => {
                let read = Arc::new(self.read_settings(&folder, location));
                self.settings.insert(folder, Arc::clone(&read));
                read
            }
        };
        self.sink.set_levels(settings.levels(&self.levels));
        settings
    }

    fn read_settings(&mut self, folder: &Path, location: &Location) -> ProjectSettings {
        let Some(path) = settings::nearest_file(folder) else {
            return ProjectSettings::default();
        };
        let shown = location.shown(&path);
        let Some(file) = self.files.text(&path, &shown, &mut self.sink) else {
            return ProjectSettings::default();
        };
        let archive = location.archive.as_deref();
        let archive = archive.filter(|archive| archive.contains(&path));
        let text = self.files.sources.text(file);
        let (mut settings, mistakes) =
            settings::parse(self.levels.rules(), file, &path, archive, text);
        // The levels in the settings apply to mistakes in the settings too.
        self.sink.set_levels(settings.levels(&self.levels));
        for mistake in mistakes {
            self.sink.emit(mistake);
        }
        let mappings = Mapping::unpacked(&settings.mappings, &mut self.sink);
        settings.mappings = Mapping::all_with_properties(mappings, &self.properties);
        settings.known_extensions = self.read_extensions(&settings, location);
        settings
    }

    /// Validates the document at `location` against the schemas. No other file is read.
    fn check_schema(&mut self, location: &Location) {
        let shown = location.shown(&location.document);
        let file = self.files.text(&location.document, &shown, &mut self.sink);
        let Some(file) = file else { return };
        let text = self.files.sources.text(file);
        if let Some(document) = xml::parse(file, text, &mut self.sink) {
            lower::schema_only(&document, text, &mut self.sink);
            // As after any other check, the process is about to exit.
            std::mem::forget(document);
        }
    }

    /// Checks the application at `location`, and returns which documents that were. `see` is called for each.
    pub fn check(&mut self, location: &Location, see: CheckObserver<'_>) -> Vec<PathBuf> {
        if self.purpose == Purpose::Schemas {
            self.check_schema(location);
            return vec![identity(&location.document)];
        }
        if self.language(location) != Language::Workflow {
            return self.check_others(vec![location.clone()], see);
        }
        let Some(mut application) = self.application(location.clone()) else {
            return Vec::new();
        };
        let documents = application
            .apps
            .iter()
            .map(|app| identity(&app.location.document))
            .collect();
        for app in &application.apps {
            see(self, CheckStep::Workflow(app));
        }
        // The unpacked archive is removed when nothing refers to it any more.
        for app in &mut application.apps {
            app.location.archive = None;
        }
        // The process exits after the check; freeing every part of the model would take a tenth of its time.
        std::mem::forget(application);
        documents
    }

    /// All diagnostics, in order, with the sources that they refer to. Those about documents that were made from others are
    /// about the others.
    pub fn finish(self) -> (Vec<Diagnostic>, SourceMap) {
        let (diagnostics, sources) = self.finish_derived();
        let at_origins = diagnostics.into_iter().map(|it| it.at_origins(&sources));
        (at_origins.collect(), sources)
    }

    /// All diagnostics, in order, about the documents that were compiled.
    pub fn finish_derived(mut self) -> (Vec<Diagnostic>, SourceMap) {
        if self.sink.has_errors() {
            let is_given = |name: &str| self.given.properties.contains_key(name);
            template_sources::replace_mistakes(
                &self.files.sources,
                &self.files.paths(),
                &is_given,
                &mut self.sink,
            );
        }
        let sources = self.files.sources;
        let diagnostics = self.sink.into_sorted().into_iter();
        let shown =
            diagnostics.map(|it| it.with_quotes_escaped(&sources).without_secrets(&sources));
        (shown.collect(), sources)
    }

    /// The language of the document at `location`; that of a workflow if unknown.
    fn language(&mut self, location: &Location) -> Language {
        let shown = location.shown(&location.document);
        let Some(file) = self.files.text(&location.document, &shown, &mut self.sink) else {
            return Language::Workflow;
        };
        let text = self.files.sources.text(file);
        // Nearly all documents are workflows, and are not read twice.
        if xml::root_name(text).is_none_or(|name| lower::language_of(name) == Language::Workflow) {
            return Language::Workflow;
        }
        // Errors in the document are reported when it is read.
        xml::parse(file, text, &mut Sink::default())
            .map_or(Language::Workflow, |document| lower::language(&document))
    }

    /// Tells of a location whether the given properties start a job of another kind of document and none of this kind: a workflow whose
    /// coordinator is started gets further properties from that.
    pub fn starts_other(mut self) -> impl FnMut(&Location) -> bool {
        let is_given = locate::STARTED_BY.map(|(name, _)| self.given.properties.contains_key(name));
        move |location| match is_given {
            [_, _, true] | [false, false, false] => false,
            [is_bundle, is_coordinator, false] => match self.language(location) {
                Language::Workflow => true,
                Language::Coordinator => is_bundle && !is_coordinator,
                Language::Bundle => false,
            },
        }
    }

    /// The application at `path`: in a folder of several documents the one that the given properties start.
    pub fn source(&mut self, path: &Path) -> Option<FoundLocation> {
        self.files.trust(path);
        locate::source(path, |name| self.given.value(name), &mut self.sink)
    }
}

/// The same for every spelling of a path.
pub fn identity(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// The application at PATH, read and checked, or `None` if there is none or the sink has errors.
pub fn load(path: &Path, session: &mut Session) -> Option<CompiledApplication> {
    session.compile();
    let FoundLocation {
        location,
        left_aside,
    } = session.source(path)?;
    let application = CompiledApplication {
        left_aside,
        ..session.application(location)?
    };
    (!session.sink.has_errors()).then_some(application)
}

#[cfg(test)]
mod tests;
