//! `hpdlc emit`: the crate of an application.

use crate::{
    cli::{
        EXIT_FINE, EmitArguments,
        output::CommandOutput,
        packaged::{Packaged, packaged},
    },
    driver::emitted,
};

pub(super) fn run(arguments: EmitArguments, output: &mut CommandOutput) -> u8 {
    let input = match arguments.input.into_arguments() {
        Ok(input) => input,
        Err(failure) => return output.failure(&failure),
    };
    let Packaged {
        application,
        package,
        features,
        sources,
    } = match packaged(&arguments.path, &input, None, "nothing was written", output) {
        Ok(packaged) => packaged,
        Err(code) => return code,
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
