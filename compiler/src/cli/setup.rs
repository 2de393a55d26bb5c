//! `hpdlc setup`: compiles the runtime ahead of the first build.

use crate::{
    analysis::FeatureSet,
    cli::{SetupArguments, output::CommandOutput},
    driver::{Failure, place, runtime_cache, toolchain},
};

pub(super) fn run(arguments: &SetupArguments, output: &mut CommandOutput) -> u8 {
    if arguments.pack.is_some() || arguments.offline.is_some() {
        return output.wrong_usage(
            "a compiled runtime cannot be packed into an archive yet",
            "run `hpdlc setup` on this machine; it downloads the runtime's dependencies once",
        );
    }
    let features: &[FeatureSet] = if arguments.full {
        &[FeatureSet::Local, FeatureSet::Full]
    } else {
        &[FeatureSet::Local]
    };
    match set_up(features, output) {
        Ok(text) => output.answer(&text),
        Err(failure) => output.failure(&failure),
    }
}

fn set_up(features: &[FeatureSet], output: &CommandOutput) -> Result<String, Failure> {
    let places = place::find()?;
    let toolchain = toolchain::find(&places)?;
    let mut text = String::new();
    for features in features {
        let runtime =
            runtime_cache::ready(&places, &toolchain, *features, &[], &output.progress())?;
        let what = match features {
            FeatureSet::Local => "The runtime",
            FeatureSet::Full => "The runtime with HDFS and object stores",
        };
        text.push_str(&format!(
            "{what} is ready for {}, in {}\n",
            toolchain::version_line(&toolchain),
            runtime.folder.display()
        ));
    }
    Ok(text)
}
