//! A workflow and the children that its sub-workflows run: located, read, lowered and analysed.

use std::collections::{BTreeMap, BTreeSet};

use hpdlc_core::{
    app_uri::{self, APP_PATH},
    el::{error::ElErrorKind, functions::Dialect},
};

use super::{
    CheckedApp, CompiledApplication, EntryDocument, Purpose, ReferenceKind, Session,
    asked_by::AskedBy, child_location::child_location, compiled::defaults_file, found, identity,
    uris,
};
use crate::{
    analysis::{self, JobProperties},
    driver::{
        children::{self, CompileTimeScope},
        location::Location,
        mapping::{Mapping, Mappings},
        mistakes::{
            byte_order_marks::ByteOrderMark,
            skipped_files,
            unresolved_sub_workflows::{self, Cause, UnresolvedSubWorkflow},
        },
        settings::ProjectSettings,
    },
    lints::allow_comments::{self, UselessAllow},
    lower,
    model::{WorkflowApp, extension::Extension},
    source::{FileId, Span},
    syntax::xml,
};

/// The property that tells a job the path of its application.
pub(super) const APPLICATION_PATH: &str = "oozie.wf.application.path";

impl Session {
    /// A workflow and its children, with the known properties of its job. `own` is the URI that it is requested by, and
    /// `inherited` the mappings of the document that starts it.
    pub(super) fn workflow_application(
        &mut self,
        location: Location,
        own: AskedBy,
        given: JobProperties,
        inherited: &[Mapping],
    ) -> Option<CompiledApplication> {
        let settings = self.enter(&location);
        let own = self.checked(location, own, &given)?;
        let mappings = self.mappings(&own.app, &own.location, &settings, inherited);
        let mut documents = BTreeMap::from([(identity(&own.location.document), 0)]);
        let mut application = CompiledApplication {
            entry: EntryDocument::Workflow,
            apps: vec![own],
            children: BTreeMap::new(),
            uris: BTreeMap::new(),
            coordinators: Vec::new(),
            left_aside: Vec::new(),
        };
        // What the parent passes to a child is checked afterwards; of the job's own properties, only these are certain for
        // every child.
        let given = JobProperties {
            is_complete: false,
            properties: given
                .properties
                .only(|name, _| name.starts_with("oozie.") || name.starts_with("hpdl.")),
            ..given
        };
        let mut next = 0;
        while next < application.apps.len() {
            for location_of_child in
                self.children_of(&application.apps[next], &application.apps[0], &mappings)
            {
                let (asked_by, location) = location_of_child;
                let AskedBy { uri, kept_uri } = asked_by.clone();
                let document = identity(&location.document);
                application.apps[next].children.insert(document.clone());
                if application.children.contains_key(&uri) {
                    continue;
                }
                let place = match documents.get(&document) {
                    Some(place) => *place,
                    None => {
                        let Some(child) = self.checked(location, asked_by, &given) else {
                            continue;
                        };
                        application.apps.push(child);
                        documents.insert(document, application.apps.len() - 1);
                        application.apps.len() - 1
                    }
                };
                application.children.insert(uri, place);
                application.uris.insert(kept_uri, place);
            }
            next += 1;
        }
        uris::complete(&mut application, &mappings);
        self.check_endless_children(&application);
        for checked in &application.apps {
            self.check_needed_files(checked);
        }
        self.enter(&application.apps[0].location);
        for allow in self.sink.take_useless_allows() {
            // Without properties, or unless a program is built, these are not checked.
            let is_looked_for = ![&unresolved_sub_workflows::LINT, &skipped_files::LINT]
                .into_iter()
                .any(|lint| lint.name == allow.lint);
            if is_looked_for {
                self.sink.emit(UselessAllow::from(allow));
            }
        }
        Some(application)
    }

    pub(super) fn checked(
        &mut self,
        location: Location,
        asked_by: AskedBy,
        given: &JobProperties,
    ) -> Option<CheckedApp> {
        let settings = self.enter(&location);
        let mut app = self.lowered(&location)?;
        let facts = analysis::workflow(&app, given, &mut self.sink);
        let facts = analysis::without_unreached_mistakes(&mut app, facts, given, &mut self.sink);
        Some(CheckedApp {
            location,
            app,
            facts,
            uri: asked_by.uri,
            kept_uri: asked_by.kept_uri,
            children: BTreeSet::new(),
            settings,
        })
    }

    /// The language of a document, by its root element.
    pub(super) fn dialect(&self, file: FileId) -> Dialect {
        let root = xml::root_name(self.files.sources.text(file));
        root.map_or(Dialect::Oozie, Dialect::of_root)
    }

    pub(super) fn lowered(&mut self, location: &Location) -> Option<WorkflowApp> {
        let extensions = self.enter(location).known_extensions;
        let shown = location.shown(&location.document);
        let file = self
            .files
            .text(&location.document, &shown, &mut self.sink)?;
        let path = self.files.defaults(
            &location.document,
            location.below(defaults_file(self.dialect(file))),
        );
        let shown = location.shown(&path);
        let config_default = self.files.text_if_present(&path, &shown, &mut self.sink);
        if self.files.sources.text(file).starts_with('\u{feff}') {
            self.sink.emit(ByteOrderMark {
                place: Span::new(file, 0, 3),
            });
        }
        let sources = &self.files.sources;
        let mut parse = |file: FileId| {
            let text = sources.text(file);
            let document = xml::parse(file, text, &mut self.sink)?;
            allow_comments::collect(&document, text, &mut self.sink);
            Some(document)
        };
        let document = parse(file)?;
        let config_default = config_default.and_then(parse);
        let config_document = config_default.as_ref();
        let mut app = lower::workflow_with(&document, config_document, extensions, &mut self.sink);
        if let Some(app) = &mut app {
            app.functions.clone_from(&self.functions);
            if let Some(in_memory) = self.files.in_memory(&location.document) {
                app.functions.extend_from_slice(&in_memory.functions);
            }
            let extensions = app.extensions.iter();
            app.functions
                .extend(extensions.flat_map(Extension::own_functions));
        }
        // A run reads each document once or twice and then exits; freeing the tree would take a tenth of a check.
        std::mem::forget((document, config_default));
        if let Some(app) = &mut app {
            app.scripts = self.scripts(app, location);
        }
        app
    }

    /// The given mappings, then those of the settings, then those that follow from the application's own path.
    pub(super) fn mappings(
        &self,
        own: &WorkflowApp,
        location: &Location,
        settings: &ProjectSettings,
        inherited: &[Mapping],
    ) -> Mappings {
        let scope = CompileTimeScope::new(own, &self.properties, APP_PATH);
        let own_path = found::own_mappings(&scope, APPLICATION_PATH, location);
        inherited
            .iter()
            .cloned()
            .chain(own_path)
            .chain(settings.mappings.iter().cloned())
            .chain(self.mappings.iter().cloned())
            .collect()
    }

    /// The URIs of the sub-workflows of a workflow in memory that are compiled elsewhere and come into the program later.
    fn linked_workflows(&self, asking: &CheckedApp) -> BTreeSet<String> {
        let in_memory = self.files.in_memory(&asking.location.document);
        let linked = in_memory.and_then(|it| it.linked.as_ref());
        let paths = linked.into_iter().flatten();
        paths
            .map(|path| app_uri::normalized(&format!("{}/{path}", asking.uri)))
            .collect()
    }

    /// The URIs of the sub-workflows of `asking` that resolve, with their documents. The others are reported by a lint.
    fn children_of(
        &mut self,
        asking: &CheckedApp,
        own: &CheckedApp,
        mappings: &Mappings,
    ) -> Vec<(AskedBy, Location)> {
        self.enter(&asking.location);
        let scope = CompileTimeScope::new(&asking.app, &self.properties, &asking.uri);
        let mut found = Vec::new();
        let linked = self.linked_workflows(asking);
        for app_path in children::app_paths(&asking.app) {
            if scope.uri(app_path).is_ok_and(|uri| linked.contains(&uri)) {
                continue;
            }
            let resolved = match scope.uri(app_path) {
                Ok(uri) => child_location(&uri, [asking, own].map(CheckedApp::place), mappings)
                    .map(|location| {
                        let kept_uri = scope.uri_of_any_user(app_path, &asking.kept_uri);
                        let kept_uri = kept_uri.unwrap_or_else(|| uri.clone());
                        (AskedBy { uri, kept_uri }, location)
                    }),
                Err(error) if error.kind != ElErrorKind::NeedsJob => {
                    Err(Cause::Unevaluated(error.to_string()))
                }
                Err(error) => Err(Cause::NeedsJob(error.to_string())),
            };
            self.refer(
                scope.uri(app_path),
                ReferenceKind::Workflow,
                resolved.is_ok(),
            );
            match resolved {
                Ok(child) => found.push(child),
                // Missing properties have been reported, if all are known.
                Err(Cause::NeedsJob(_) | Cause::Unevaluated(_))
                    if self.purpose == Purpose::Judgment => {}
                Err(cause) => self.sink.emit(UnresolvedSubWorkflow {
                    span: app_path.span,
                    cause,
                }),
            }
        }
        found
    }
}
