//! Backs up a folder: packed, read back, old archives removed. The steps are a workflow, compiled by `build.rs`.

/// `Params`, `run`, `recover`, `command_line` and `PROGRAM`, from the file that `build.rs` has left in `OUT_DIR`.
mod backup {
    hpdlc_runtime::include_app!("backup");
}

use std::{env, path::PathBuf, process::ExitCode};

use hpdlc_runtime::{Exit, Finished, RunError, Runtime};

const USAGE: &str = "\
folder-backup now FOLDER TARGET [KEEP]  write FOLDER to an archive in TARGET; KEEP archives stay there (default 7)
folder-backup jobs|info|log|recover ... the workflow's own commands; `folder-backup --help` lists them";

fn main() -> ExitCode {
    // The processes that start a job's actions are this program too, and begin here.
    let runtime = hpdlc_runtime::init();
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments[..] {
        [] => {
            eprintln!("{USAGE}");
            return Exit::Usage.into();
        }
        ["now", folder, target] => now(&runtime, folder, target, None),
        ["now", folder, target, keep] => now(&runtime, folder, target, Some(keep)),
        _ => return backup::command_line(&runtime),
    };
    match result {
        Ok(Finished {
            id,
            status,
            message,
        }) => {
            println!("job {id} {status} {}", message.unwrap_or_default());
            Exit::of_job(status).into()
        }
        Err(error) => {
            eprintln!("folder-backup: {error}");
            error.exit.into()
        }
    }
}

fn now(
    runtime: &Runtime,
    folder: &str,
    target: &str,
    keep: Option<&str>,
) -> Result<Finished, RunError> {
    let keep = keep
        .map(|keep| {
            keep.parse()
                .map_err(|_| RunError::usage(format!("`{keep}` is no number of archives")))
        })
        .transpose()?;
    let params = backup::Params {
        folder: absolute(folder)?,
        keep,
        target: absolute(target)?,
    };
    backup::run(runtime, params)
}

/// A job may outlive this process and its current folder.
fn absolute(path: &str) -> Result<String, RunError> {
    std::path::absolute(PathBuf::from(path))
        .map(|path| path.display().to_string())
        .map_err(|error| RunError::usage(format!("{path}: {error}")))
}
