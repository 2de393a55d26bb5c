//! `hpdlc emit`: the crate of an application.

use crate::{
    cli::{
        EXIT_FINE, EmitArguments,
        output::{self, Output},
    },
    driver::{
        application::{self, Session},
        emitted, package,
    },
};

pub(super) fn run(arguments: EmitArguments, output: &mut Output) -> u8 {
    let mut session = Session::new(&arguments.input.into_arguments());
    let loaded = application::load(&arguments.path, &mut session);
    let packaged = loaded.map(|application| {
        package::package(&application, None, &mut session.files, &mut session.sink).map(|package| {
            let features = session.feature_set(&application);
            (application, package, features)
        })
    });
    let (diagnostics, sources) = session.finish();
    let code = output.human(
        &diagnostics,
        &sources,
        &format!("compile {}", arguments.path.display()),
    );
    let (application, package, features) = match packaged {
        Some(Ok(packaged)) if !output::has_errors(&diagnostics) => packaged,
        Some(Err(failure)) => return output.failure(&failure),
        Some(Ok(_)) | None => return code,
    };
    match emitted::emit(
        &application,
        &package,
        &sources,
        features,
        &arguments.output,
    ) {
        Ok(name) => {
            let what = format!("crate `{name}` in {}", arguments.output.display());
            output.progress().say("Written", &what);
            EXIT_FINE
        }
        Err(failure) => output.failure(&failure),
    }
}
