//! `man`: manual pages, made of what `--help` says.

use std::{fs, io, path::PathBuf};

use clap::Args;
use clap_mangen::Man as Page;

use crate::{
    commands::{self, completions::file_name, graph::write_whole, write_out},
    exit::{Exit, RunError},
    table::Program,
};

#[derive(Debug, Args)]
pub(super) struct Man {
    /// A folder: a page for the executable, and one for each command, such as NAME-run.1; without it, the first is printed
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
}

impl Man {
    pub(super) fn execute(&self, program: &'static Program) -> Result<Exit, RunError> {
        let name = file_name();
        let command = commands::command(program).name(name.clone());
        let failed = |error: io::Error| RunError::machine(format!("manual page: {error}"));
        let Some(folder) = &self.output else {
            let page = page(command).map_err(failed)?;
            write_out(&String::from_utf8_lossy(&page))?;
            return Ok(Exit::Success);
        };
        fs::create_dir_all(folder).map_err(|error| {
            RunError::usage(format!(
                "cannot make the folder {}: {error}",
                folder.display()
            ))
        })?;
        for (name, command) in all(command) {
            let page = page(command).map_err(failed)?;
            write_whole(&folder.join(format!("{name}.1")), &page)?;
        }
        Ok(Exit::Success)
    }
}

/// The command and those below it that are shown, with the names of their pages.
fn all(mut command: clap::Command) -> Vec<(String, clap::Command)> {
    let name = command.get_name().to_owned();
    command.build();
    let mut pages = vec![(name.clone(), command.clone())];
    for subcommand in command.get_subcommands().filter(|one| !one.is_hide_set()) {
        let name = format!("{name}-{}", subcommand.get_name());
        pages.push((name.clone(), subcommand.clone().name(name)));
    }
    pages
}

fn page(command: clap::Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    Page::new(command).render(&mut page)?;
    Ok(page)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::commands::Arguments;

    #[test]
    fn each_command_that_is_shown_has_a_page() {
        let pages = all(Arguments::command().name("night"));
        let text = |wanted: &str| {
            let (_, command) = pages.iter().find(|(name, _)| name == wanted)?;
            let page = page(command.clone()).unwrap();
            Some(String::from_utf8(page).unwrap())
        };
        assert!(text("night").unwrap().contains("night\\-run(1)"));
        assert!(
            text("night-jobs")
                .unwrap()
                .contains("Only jobs in these states")
        );
        assert_eq!(text("night-own"), None);
        assert_eq!(text("night-complete"), None);
    }
}
