//! `hpdlc build`: the executable of an application.

use std::{
    env,
    path::{Path, PathBuf},
};

use crate::{
    analysis::FeatureSet,
    cli::{
        BuildArguments, BuildOptions, EXIT_BUG, EXIT_FINE, FilesChoice, ice,
        output::CommandOutput,
        packaged::{Packaged, packaged},
    },
    driver::{
        Failure,
        application::Arguments,
        package,
        program::{self, BuildError},
        rustc::Symbols,
        writer,
    },
};

pub(super) fn run(arguments: BuildArguments, output: &mut CommandOutput) -> u8 {
    let input = match arguments.input.into_arguments() {
        Ok(input) => input,
        Err(failure) => return output.failure(&failure),
    };
    let own_output = arguments.output.clone();
    let built = match program(
        &arguments.path,
        arguments.options,
        &input,
        own_output.as_deref(),
        output,
    ) {
        Ok(built) => built,
        Err(code) => return code,
    };
    let target = arguments.output.map_or_else(
        || default_output(&built.name),
        |path| named(path, &built.name),
    );
    if let Err(error) = writer::install(&built.path, &target) {
        return output.failure(&Failure::io("write", &target, &error));
    }
    output
        .progress()
        .say("Finished", &target.display().to_string());
    EXIT_FINE
}

/// An executable in the cache.
pub(super) struct BuiltExecutable {
    /// That of the program.
    pub(super) name: String,
    pub(super) path: PathBuf,
}

/// Builds the executable. The inner code is the exit code of a failure, which has been printed.
pub(super) fn program(
    path: &Path,
    options: BuildOptions,
    arguments: &Arguments,
    own_output: Option<&Path>,
    output: &mut CommandOutput,
) -> Result<BuiltExecutable, u8> {
    if options.files == FilesChoice::External {
        return Err(output.wrong_usage(
            "files outside the executable are not built yet",
            "leave `--files external` out; `.hpdlignore` names files that the program does without",
        ));
    }
    let packaged = packaged(path, arguments, own_output, "nothing was built", output)?;
    compiled(path, &packaged, options, output)
}

/// Builds the executable of an application that is packed; `path` is what the user named. The inner code is the exit code of a failure,
/// which has been printed.
pub(super) fn compiled(
    path: &Path,
    packaged: &Packaged,
    options: BuildOptions,
    output: &mut CommandOutput,
) -> Result<BuiltExecutable, u8> {
    let Packaged {
        application,
        package,
        features,
        sources,
    } = packaged;
    // Jobs in a database are reached by the full runtime alone.
    let is_in_database = env::var_os("HPDL_STORE_URL").is_some_and(|url| !url.is_empty());
    let features = if options.full || is_in_database {
        FeatureSet::Full
    } else {
        *features
    };
    let symbols = if options.debug {
        Symbols::Debug
    } else {
        Symbols::Stripped
    };
    let name = package::program_name(application);
    match program::build(
        application,
        package,
        sources,
        program::ExecutableOptions {
            features,
            symbols,
            glibc: options.glibc,
        },
        &output.progress(),
    ) {
        Ok(path) => Ok(BuiltExecutable { name, path }),
        Err(BuildError::Failure(failure)) => Err(output.failure(&failure)),
        Err(BuildError::Bug { log, stderr }) => {
            let first = stderr
                .lines()
                .find(|line| line.starts_with("error"))
                .unwrap_or("no reason was given");
            ice::report(
                &format!(
                    "rustc refuses the code that was generated for `{}`: {first}",
                    path.display()
                ),
                &[&format!(
                    "all that rustc says is in `{}`, the code is beside it",
                    log.display()
                )],
            );
            Err(EXIT_BUG)
        }
    }
}

/// A file in the current folder. If there is a folder of that name, often the application's own, the file gets an extension.
fn default_output(name: &str) -> PathBuf {
    let path = PathBuf::from(name);
    if path.is_dir() {
        PathBuf::from(format!("{name}.run"))
    } else {
        path
    }
}

/// The file that `-o` means: if it is a folder, the program's name in it.
fn named(path: PathBuf, name: &str) -> PathBuf {
    if path.is_dir() { path.join(name) } else { path }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_in_a_folder_has_the_name_of_the_program() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        assert_eq!(
            named(folder.path().to_owned(), "daily"),
            folder.path().join("daily")
        );
        let file = folder.path().join("other");
        assert_eq!(named(file.clone(), "daily"), file);
    }
}
