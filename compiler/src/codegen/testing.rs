//! What tests of this room share.

use crate::{
    analysis::Facts,
    codegen::{Application, CompiledApp, FilePaths, Interface, Options, generate_inline_file},
    model::WorkflowApp,
    source::SourceMap,
};

/// The program of a workflow, in one file.
pub(super) fn inline_program(sources: &SourceMap, app: &WorkflowApp, facts: &Facts) -> String {
    inline_application(&Application {
        apps: vec![CompiledApp {
            app,
            facts,
            source: "workflow.xml",
            folder: "",
        }],
        ..empty_application(sources)
    })
}

/// An application without documents.
pub(super) fn empty_application(sources: &SourceMap) -> Application<'_> {
    Application {
        hpdlc_version: "0",
        hash: "0123456789abcdef",
        sources,
        bundle: None,
        coordinators: Vec::new(),
        apps: Vec::new(),
        children: Vec::new(),
        files: Vec::new(),
    }
}

/// The program of an application, in one file.
pub(super) fn inline_application(application: &Application<'_>) -> String {
    let options = Options {
        files: FilePaths::Absolute,
        interface: Interface::Library,
    };
    generate_inline_file(application, &options).text()
}
