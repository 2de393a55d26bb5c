//! The common first step of `build`, `run` and `emit`: an application that is checked and ready to be compiled.

use std::path::Path;

use crate::{
    analysis::FeatureSet,
    cli::output::{self, CommandOutput},
    driver::{
        application::{self, Arguments, CompiledApplication, Session},
        package::{self, Package},
    },
    source::SourceMap,
};

pub(super) struct Packaged {
    pub(super) application: CompiledApplication,
    pub(super) package: Package,
    /// The features of the runtime that its program needs.
    pub(super) features: FeatureSet,
    /// By their paths in the application.
    pub(super) sources: SourceMap,
}

/// Checks and packs the application at `path`, and prints its diagnostics. `own_output` is excluded from it, and `prevented`
/// is what errors keep the command from. The error is the exit code of a failure, which has been printed.
pub(super) fn packaged(
    path: &Path,
    arguments: &Arguments,
    own_output: Option<&Path>,
    prevented: &str,
    output: &mut CommandOutput,
) -> Result<Packaged, u8> {
    let mut session = Session::new(arguments);
    let loaded = application::load(path, &mut session);
    let packaged = loaded.map(|application| {
        session.refuse_functions(&application);
        package::package(
            &application,
            own_output,
            &mut session.files,
            &mut session.sink,
        )
        .map(|package| {
            let features = session.feature_set(&application);
            (application, package, features)
        })
    });
    let (diagnostics, sources) = session.finish();
    let code = output.human(&diagnostics, &sources, path, Some(prevented));
    let (application, package, features) = match packaged {
        Some(Ok(packaged)) if !output::has_errors(&diagnostics) => packaged,
        Some(Err(failure)) => return Err(output.failure(&failure)),
        Some(Ok(_)) | None => return Err(code),
    };
    for document in &application.left_aside {
        output.progress().say(
            "Ignored",
            &format!("{}: to compile this one, name it", document.display()),
        );
    }
    for path in &package.own_outputs {
        output.progress().say(
            "Ignored",
            &format!("{path}: built by hpdlc; `!NAME` in `.hpdlignore` embeds it"),
        );
    }
    let sources = package.sources_inside(sources);
    Ok(Packaged {
        application,
        package,
        features,
        sources,
    })
}
