//! What tests of this room share.

use std::collections::BTreeMap;

use crate::{
    analysis::Facts,
    codegen::{
        Application, CompiledApp, FilePaths, Interface, Options, generate_inline, inline_file,
    },
    model::WorkflowApp,
    source::SourceMap,
};

/// The program of a workflow, in one file.
pub(super) fn inline_program(sources: &SourceMap, app: &WorkflowApp, facts: &Facts) -> String {
    let application = Application {
        hpdlc_version: "0",
        hash: "0123456789abcdef",
        sources,
        bundle: None,
        coordinators: Vec::new(),
        apps: vec![CompiledApp {
            app,
            facts,
            source: "workflow.xml",
            folder: "",
        }],
        children: Vec::new(),
        files: Vec::new(),
        texts: &BTreeMap::new(),
    };
    let options = Options {
        files: FilePaths::Absolute,
        interface: Interface::Library,
    };
    inline_file(
        application.source(),
        generate_inline(&application, &options),
    )
    .text()
}
