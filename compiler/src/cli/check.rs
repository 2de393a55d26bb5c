//! `hpdlc check`: what is wrong with applications.

use crate::{
    cli::{CheckArguments, output::Output},
    driver::{
        application::{Arguments, Session},
        locate,
        properties::PropertyArguments,
    },
};

pub(super) fn run(arguments: CheckArguments, output: &mut Output) -> u8 {
    let levels = match arguments.lints.levels() {
        Ok(levels) => levels,
        Err(error) => {
            return output.wrong_usage(
                &error.to_string(),
                "`hpdlc explain LINT` tells about one; a property needs a `=`: `-D NAME=VALUE`",
            );
        }
    };
    let mut session = Session::new(&Arguments {
        properties: PropertyArguments {
            files: arguments.config,
            definitions: arguments.lints.definitions(),
        },
        mappings: arguments.map,
        levels,
    });
    let locations = arguments
        .paths
        .iter()
        .flat_map(|path| locate::documents(path, &mut session.sink))
        .collect();
    if arguments.schema_only {
        session.check_schemas(locations);
    } else {
        session.check_all(locations);
    }
    let task = match arguments.paths.as_slice() {
        [path] => format!("check {}", path.display()),
        several => format!("check {} paths", several.len()),
    };
    let (diagnostics, sources) = session.finish();
    output.diagnostics(&diagnostics, &sources, arguments.format, &task)
}
