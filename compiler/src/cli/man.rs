//! `hpdlc man`: manual pages, generated from the texts of `--help`.

use std::{fs, io, path::Path};

use clap_mangen::Man;

use crate::{
    cli::{help, output::CommandOutput},
    driver::{Failure, writer},
};

pub(super) fn run(folder: Option<&Path>, output: &mut CommandOutput) -> u8 {
    let Some(folder) = folder else {
        let mut page = Vec::new();
        return match Man::new(help::command()).render(&mut page) {
            Ok(()) => output.answer(&String::from_utf8_lossy(&page)),
            Err(error) => output.stdout_failed(&error),
        };
    };
    match write_all(folder) {
        Ok(()) => output.answer(""),
        Err((path, error)) => output.failure(&Failure::io("write", &path, &error)),
    }
}

/// A page for hpdlc and one for each command: `hpdlc.1`, `hpdlc-check.1`.
fn write_all(folder: &Path) -> Result<(), (std::path::PathBuf, io::Error)> {
    fs::create_dir_all(folder).map_err(|error| (folder.to_owned(), error))?;
    let mut command = help::command();
    command.build();
    let mut pages = vec![("hpdlc".to_owned(), command.clone())];
    for subcommand in command
        .get_subcommands()
        .filter(|one| one.get_name() != "help")
    {
        let name = format!("hpdlc-{}", subcommand.get_name());
        pages.push((name.clone(), subcommand.clone().name(name)));
    }
    for (name, command) in pages {
        let path = folder.join(format!("{name}.1"));
        let mut page = Vec::new();
        Man::new(command)
            .render(&mut page)
            .and_then(|()| writer::replace(&path, &page))
            .map_err(|error| (path, error))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_command_has_a_page() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let below = folder.path().join("man1");
        write_all(&below).expect("the pages are written");
        for (name, text) in [
            ("hpdlc.1", "Exit codes"),
            ("hpdlc-check.1", "sarif"),
            ("hpdlc-explain.1", "H0301"),
        ] {
            let page = fs::read_to_string(below.join(name)).expect("the page is there");
            assert!(page.starts_with(".ie") || page.starts_with(".TH"), "{page}");
            assert!(page.contains(text), "{name}: {page}");
        }
    }
}
