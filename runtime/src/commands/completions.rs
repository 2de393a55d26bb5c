//! `completions`: a script that makes a shell complete our arguments.

use clap::Args;
use clap_complete::{Shell, generate};

use crate::{
    commands::{self, write_out},
    exit::{Exit, RunError},
    table::Program,
};

#[derive(Debug, Args)]
pub(super) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(super) fn execute(&self, program: &'static Program) -> Result<Exit, RunError> {
        let mut script = Vec::new();
        generate(
            self.shell,
            &mut commands::command(program),
            file_name(),
            &mut script,
        );
        write_out(&String::from_utf8_lossy(&script))?;
        Ok(Exit::Success)
    }
}

/// What people type: the name of the executable's file, not that of the workflow.
fn file_name() -> String {
    std::env::args_os()
        .next()
        .as_deref()
        .and_then(|path| std::path::Path::new(path).file_name()?.to_str())
        .unwrap_or("workflow")
        .to_owned()
}
