//! `hpdlc setup`: compiles the runtime ahead of the first build.

use crate::{
    cli::{SetupArguments, output::Output},
    driver::{Failure, place, runtime_cache, toolchain},
};

pub(super) fn run(arguments: &SetupArguments, output: &mut Output) -> u8 {
    if arguments.pack.is_some() || arguments.offline.is_some() {
        return output.wrong_usage(
            "a compiled runtime cannot be packed into an archive yet",
            "run `hpdlc setup` on this machine; it downloads the runtime's dependencies once",
        );
    }
    match set_up(output) {
        Ok(text) => output.answer(&text),
        Err(failure) => output.failure(&failure),
    }
}

fn set_up(output: &Output) -> Result<String, Failure> {
    let places = place::find()?;
    let toolchain = toolchain::find(&places)?;
    let runtime = runtime_cache::ready(&places, &toolchain, &output.progress())?;
    Ok(format!(
        "The runtime is ready for {}, in {}\n",
        toolchain::version_line(&toolchain),
        runtime.folder.display()
    ))
}
