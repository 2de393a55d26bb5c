//! The Rust functions that an application calls: those of extensions, which a program can be linked with, and those of a program
//! that the application is compiled into.

use std::collections::BTreeMap;

use super::{CompiledApplication, EntryDocument, Session};
use crate::{
    driver::{
        Failure,
        mistakes::unlinked_functions::{UnlinkedCaller, UnlinkedFunction},
        rust_file,
        settings::DeclaredExtension,
    },
    source::Spanned,
};

impl Session {
    /// Reports every action that calls a function of the program, and every such function that expressions call: it is to consist
    /// of `application` alone, where only those of extensions can be.
    pub fn refuse_functions(&mut self, application: &CompiledApplication) {
        let workflows = application.apps.iter();
        let workflows = workflows.map(|it| (&it.location, it.app.root_span));
        let coordinators = application.coordinators.iter().map(|it| &it.checked);
        let coordinators = coordinators.map(|it| (&it.location, it.app.root_span));
        let bundle = match &application.entry {
            EntryDocument::Bundle { bundle, .. } => Some((&bundle.location, bundle.app.root_span)),
            EntryDocument::Workflow | EntryDocument::Coordinator => None,
        };
        for (location, place) in workflows.chain(coordinators).chain(bundle) {
            let in_memory = self.files.in_memory(&location.document);
            let linked = in_memory.and_then(|it| it.linked.clone());
            for started in linked.into_iter().flatten() {
                self.sink.emit(UnlinkedFunction {
                    caller: UnlinkedCaller::Document,
                    is_in_rust: true,
                    function: Spanned::new(started, place),
                });
            }
        }
        for checked in &application.apps {
            let is_in_rust = rust_file::parts(&checked.location.document).is_some();
            let functions = checked.facts.functions.iter();
            for function in functions.filter(|it| it.described.is_none()) {
                self.sink.emit(UnlinkedFunction {
                    caller: UnlinkedCaller::Expression,
                    is_in_rust,
                    function: Spanned::new(function.full_name(), checked.app.root_span),
                });
            }
            for (node, action) in checked.app.actions() {
                let Some(function) = action.kind.called_function(action.body_span) else {
                    continue;
                };
                let is_of_extension = checked
                    .app
                    .extensions
                    .iter()
                    .any(|extension| extension.has(&function.value));
                if !is_of_extension {
                    self.sink.emit(UnlinkedFunction {
                        caller: UnlinkedCaller::Action(node.name.value.clone()),
                        is_in_rust,
                        function,
                    });
                }
            }
        }
    }
}

impl CompiledApplication {
    /// The extensions that its actions and expressions use, sorted by name.
    ///
    /// # Errors
    ///
    /// Two documents mean different crates by one name.
    pub fn extensions(&self) -> Result<Vec<DeclaredExtension>, Failure> {
        let mut used: BTreeMap<&str, &DeclaredExtension> = BTreeMap::new();
        for checked in &self.apps {
            for extension in checked.app.used_extensions(&checked.facts.functions) {
                let mut declared = checked.settings.extensions.iter();
                let Some(declared) = declared.find(|it| it.name == extension.name) else {
                    continue;
                };
                let other = used.insert(&declared.name, declared);
                if other.is_some_and(|other| !other.is_same_crate(declared)) {
                    return Err(Failure::new(format!(
                        "two documents of the application mean different crates by the extension `{}`",
                        declared.name
                    ))
                    .help("let one `hpdl.toml`, in a folder above them, name it for all of them"));
                }
            }
        }
        Ok(used.into_values().cloned().collect())
    }
}
