//! A service that imports the order files of a folder. How a file is imported is a workflow, compiled into this program.

mod inbox;
#[cfg(test)]
mod tests;

/// Here `include_workflow!` puts `Params`, `run`, `recover`, `command_line` and `PROGRAM`.
mod order_import {
    hpdlc_macros::include_workflow!("workflow");
}

use std::{env, path::Path, process::ExitCode, sync::Arc};

use hpdlc_runtime::{Finished, RunError, Runtime, core::status::JobStatus};

const USAGE: &str = "\
order-inbox watch INBOX ARCHIVE     import every order file that appears in INBOX, until Ctrl-C
order-inbox import FILE ARCHIVE     import one file
order-inbox recover                 finish the imports that a crash has interrupted
order-inbox jobs|info|log|kill ...  the workflow's own commands; `order-inbox --help` lists them";

fn main() -> ExitCode {
    // The processes that start a job's actions are this program too, and begin here.
    let runtime = hpdlc_runtime::init();
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments[..] {
        [] => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
        ["watch", folder, archive] => {
            inbox::watch(Arc::new(runtime), folder.into(), archive.into())
        }
        ["import", file, archive] => import(&runtime, Path::new(file), Path::new(archive)),
        ["recover"] => recover(&runtime),
        _ => return order_import::command_line(&runtime),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("order-inbox: {error}");
            error.exit.into()
        }
    }
}

/// Imports one file; `false` where the workflow has rejected it.
fn import(runtime: &Runtime, file: &Path, archive: &Path) -> Result<bool, RunError> {
    let refused = |error: std::io::Error| RunError::usage(format!("{}: {error}", file.display()));
    // The job may outlive this process and its current folder.
    let file = file.canonicalize().map_err(refused)?;
    let archive = std::path::absolute(archive).map_err(refused)?;
    let folder = file.parent().unwrap_or(Path::new("/"));
    let name = file
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    // A property that the workflow requires cannot be forgotten here, and a number is a number.
    let params = order_import::Params {
        archive: archive.display().to_string(),
        inbox: folder.display().to_string(),
        max_bad_percent: Some(10.0),
        name: name.clone(),
    };
    // `order_import::run(runtime, params)` does the same in silence.
    let properties = params.properties();
    let finished = runtime.run_observed(&order_import::PROGRAM, properties, move |event| {
        // Names that begin with a colon are the start and what else has no name in the XML.
        if let Some(node) = event.node.as_deref().filter(|node| !node.starts_with(':')) {
            eprintln!("{name}: {node} {}", event.event);
        }
    })?;
    Ok(report(&finished))
}

/// Drives the jobs of a process that died to their end. What they have done is not done again.
fn recover(runtime: &Runtime) -> Result<bool, RunError> {
    let finished = order_import::recover(runtime)?;
    // Each is reported, also behind one that failed.
    let n_failed = finished.iter().filter(|finished| !report(finished)).count();
    Ok(n_failed == 0)
}

fn report(finished: &Finished) -> bool {
    let Finished {
        id,
        status,
        message,
    } = finished;
    println!(
        "job {id} {status} {}",
        message.as_deref().unwrap_or_default()
    );
    *status == JobStatus::Succeeded
}
