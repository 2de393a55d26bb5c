//! `apps deploy`: adds an executable as an application.

use std::{
    fs,
    io::Read,
    os::unix::{fs::PermissionsExt, process::CommandExt},
    path::{Path, PathBuf},
    process::Command,
};

use clap::Args;
use hpdlc_core::mark;
use hpdlc_host::exit::{Exit, RunError};

#[derive(Debug, Args)]
pub(super) struct Deploy {
    /// An executable that hpdlc has built
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

impl Deploy {
    pub(super) fn execute(&self) -> Result<Exit, RunError> {
        let path = fs::canonicalize(&self.file)
            .map_err(|error| RunError::usage(format!("{}: {error}", self.file.display())))?;
        check(&path)?;
        // It knows its own name and definition.
        let error = Command::new(&path).args(["register", "--deploy"]).exec();
        Err(RunError::machine(format!("{}: {error}", path.display())))
    }
}

/// Refuses what is no executable made by hpdlc: it would be run.
fn check(path: &Path) -> Result<(), RunError> {
    let shown = path.display();
    let failed = |error: std::io::Error| RunError::usage(format!("{shown}: {error}"));
    let metadata = fs::metadata(path).map_err(failed)?;
    let build = |what: &str| {
        RunError::usage(format!("{shown} is {what}"))
            .with_help("build it first: hpdlc build PATH -o FILE; then: hpdl apps deploy FILE")
    };
    if metadata.is_dir() {
        return Err(build("a folder, and no executable"));
    }
    let mut bytes = Vec::new();
    let mut file = fs::File::open(path).map_err(failed)?;
    file.read_to_end(&mut bytes).map_err(failed)?;
    if !bytes.starts_with(b"\x7fELF") || !mark::is_in(&bytes) {
        return Err(build("no executable that hpdlc has built"));
    }
    if metadata.permissions().mode() & 0o111 == 0 {
        return Err(RunError::usage(format!("{shown} is not executable"))
            .with_help(format!("type: chmod +x {shown}")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_executable_made_by_hpdlc_is_run() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("load");
        let mut elf = b"\x7fELF".to_vec();
        elf.extend(mark::mark());
        let refused = |bytes: &[u8], mode: u32| {
            fs::write(&path, bytes).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            check(&path).err().map(|error| error.message)
        };
        assert_eq!(refused(&elf, 0o755), None);
        let message = refused(&elf, 0o644).unwrap();
        assert!(message.ends_with("is not executable"), "{message}");
        for bytes in [&b"#!/bin/sh\n"[..], b"\x7fELF", b"PK\x03\x04", b""] {
            let message = refused(bytes, 0o755).unwrap();
            assert!(message.contains("no executable that hpdlc"), "{message}");
        }
        let message = check(folder.path()).unwrap_err().message;
        assert!(message.contains("a folder"), "{message}");
    }
}
