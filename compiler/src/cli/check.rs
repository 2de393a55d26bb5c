//! `hpdlc check`: reports mistakes in applications, and with `--fix` corrects some of them.

use std::{path::PathBuf, sync::Arc, time::Instant};

use crate::{
    cli::{
        CheckArguments,
        output::{CommandOutput, FinishedTask},
    },
    diagnostics::render::summary::counted,
    driver::{
        application::{Arguments, Purpose},
        check::{self, Checked},
        fix::{self, FixedFile},
        properties::PropertyArguments,
        site,
    },
};

pub(super) fn run(arguments: CheckArguments, output: &mut CommandOutput) -> u8 {
    let started = Instant::now();
    let levels = match arguments.lints.levels() {
        Ok(levels) => levels,
        Err(error) => {
            return output.wrong_usage(
                &error.to_string(),
                "`hpdlc explain` lists the lints; a property needs a `=`: `-D NAME=VALUE`",
            );
        }
    };
    let paths = arguments.paths;
    let is_archive = |path: &PathBuf| {
        let extension = path.extension();
        extension.is_some_and(|extension| extension.eq_ignore_ascii_case("zip"))
    };
    if let (true, Some(path)) = (arguments.fix, paths.iter().find(|path| is_archive(path))) {
        return output.wrong_usage(
            &format!(
                "files in the archive `{}` cannot be changed",
                path.display()
            ),
            "unpack it, and name the folder",
        );
    }
    let site = match site::read() {
        Ok(site) => site,
        Err(failure) => return output.failure(&failure),
    };
    let of_driver = Arguments {
        properties: PropertyArguments {
            files: arguments.config,
            definitions: arguments.lints.definitions(),
        },
        mappings: arguments.map,
        functions: Vec::new(),
        levels,
        purpose: match arguments.schema_only {
            true => Purpose::Schemas,
            false => Purpose::Judgment,
        },
        site,
        user: None,
        only_finds: arguments.only_find,
    };
    let checked = if arguments.fix {
        let fixed = fix::fix(&paths, &of_driver);
        if let Err(failure) = fixed.write() {
            return output.failure(&failure);
        }
        for file in fixed.files.values() {
            output.progress().say("Fixed", &description(file));
        }
        fixed.checked
    } else {
        check::check(&paths, &of_driver, &Arc::default())
    };
    if checked.n_without_properties > 0 {
        let documents = counted(checked.n_without_properties, "document");
        output.progress().say(
            "Checked",
            &format!("{documents} without the properties, which start another one"),
        );
    }
    let shown: Vec<String> = paths.iter().map(|it| it.display().to_string()).collect();
    let task = match checked.documents.len() {
        0 | 1 => FinishedTask::One {
            path: &shown.join("`, `"),
            prevented: None,
        },
        n_documents => FinishedTask::Tree {
            n_documents,
            started,
        },
    };
    let Checked {
        diagnostics,
        sources,
        ..
    } = &checked;
    let code = output.diagnostics(diagnostics, sources, arguments.format, task);
    // The process is about to exit; freeing every text would take longer than leaving that to the system.
    std::mem::forget(checked);
    code
}

fn description(file: &FixedFile) -> String {
    match file.n_fixes {
        1 => format!("{} (1 fix)", file.path),
        n_fixes => format!("{} ({n_fixes} fixes)", file.path),
    }
}
