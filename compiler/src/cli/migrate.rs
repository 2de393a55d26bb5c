//! `hpdlc migrate`: an application for the newest schemas.

use crate::{
    cli::{
        EXIT_ERRORS, EXIT_FINE, MigrateArguments, MigrationLanguage, MigrationTarget,
        output::CommandOutput,
    },
    diagnostics::render::summary::counted,
    driver::{
        application::{Arguments, Purpose},
        migrate::{self, Output},
        mistakes::unrendered_templates,
    },
    lints::unreachable_mistakes,
};

pub(super) fn run(arguments: MigrateArguments, output: &mut CommandOutput) -> u8 {
    let input = match arguments.input.into_arguments() {
        Ok(input) => input,
        Err(failure) => return output.failure(&failure),
    };
    let mut of_driver = Arguments {
        purpose: Purpose::Judgment,
        ..input
    };
    // What would be left out.
    for lint in [&unrendered_templates::LINT, &unreachable_mistakes::LINT] {
        of_driver.levels.deny_by_default(lint);
    }
    let folder = arguments.output;
    let language = match (arguments.to, arguments.system) {
        (MigrationLanguage::Xml, None) => Output::Xml,
        (MigrationLanguage::Xml, Some(MigrationTarget::Oozie)) => Output::ForOozie,
        (MigrationLanguage::Rust, None) => Output::Rust,
        (MigrationLanguage::Rust, Some(MigrationTarget::Oozie)) => {
            return output.wrong_usage(
                "Oozie does not run workflows in Rust",
                "leave out `--to rust`",
            );
        }
    };
    let migration = match migrate::migrate(&arguments.path, &folder, language, &of_driver) {
        Ok(migration) => migration,
        Err(failure) => return output.failure(&failure),
    };
    let prevented = match migration.written {
        Some(_) => None,
        None => Some("nothing was written"),
    };
    let code = output.human(
        &migration.diagnostics,
        &migration.sources,
        &arguments.path,
        prevented,
    );
    let Some(written) = migration.written else {
        return if code == EXIT_FINE { EXIT_ERRORS } else { code };
    };
    for document in &written.unchanged {
        let what =
            format!("{document} as it is: it has mistakes, which `hpdlc check {document}` shows");
        output.progress().say("Copied", &what);
    }
    let documents = counted(written.n_documents, "document");
    let what = format!("{documents} to {}", folder.display());
    output.progress().say("Migrated", &what);
    if let Some(program) = &written.program {
        let folder = match written.n_documents {
            1 => "the folder",
            _ => "each folder with a document",
        };
        let what = format!(
            "`{program}`, which `cargo build --release` makes, into {folder} before Oozie gets it"
        );
        output.progress().say("Copy", &what);
    }
    if language == Output::Rust {
        // The Rust compiler checks it with the program around it.
        return code;
    }
    // What was valid in the old language may not be valid in the new one.
    let (errors, sources) = migrate::new_errors(&written, &of_driver);
    output.human(&errors, &sources, &folder, None).max(code)
}
