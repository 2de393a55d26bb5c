//! `hpdl emit`: the files with which the server is deployed, from `templates/deploy/serve`, and the program beside them.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use clap::{Args, ValueEnum};
use hpdlc_host::exit::{Exit, RunError};

#[derive(Debug, Args)]
pub struct Emit {
    /// What the server is deployed with; several with commas
    #[arg(
        long,
        value_name = "TARGET",
        value_delimiter = ',',
        required = true,
        value_enum
    )]
    deploy: Vec<DeployTarget>,
    /// Folder for the files; it must be empty or not exist
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DeployTarget {
    /// A Dockerfile
    Docker,
    /// The unit of a service
    Systemd,
    /// A Dockerfile, and manifests of Kubernetes
    K8s,
}

macro_rules! file {
    ($name:literal) => {
        file!($name, $name)
    };
    ($name:literal, $template:literal) => {
        (
            $name,
            include_str!(concat!("../../../templates/deploy/serve/", $template)),
        )
    };
}

/// A file's name, and its text.
type DeployedFile = (&'static str, &'static str);

const OF_ALL: [DeployedFile; 2] = [file!("README.md", "README.md.txt"), file!("hpdl-site.xml")];
const IMAGE: [DeployedFile; 2] = [file!("Dockerfile"), file!(".dockerignore", "dockerignore")];
const UNIT: [DeployedFile; 1] = [file!("hpdl.service")];
const MANIFESTS: [DeployedFile; 1] = [file!("hpdl.yaml")];

impl Emit {
    /// Writes the files, and this program.
    ///
    /// # Errors
    ///
    /// Exit 2 if the folder is not empty, exit 5 if it cannot be written.
    pub fn execute(&self) -> Result<Exit, RunError> {
        let folder = &self.output;
        if !is_empty(folder).map_err(|error| failure(folder, &error))? {
            return Err(
                RunError::usage(format!("{} is not empty", folder.display()))
                    .with_help("name a new folder"),
            );
        }
        fs::create_dir_all(folder).map_err(|error| failure(folder, &error))?;
        for (name, text) in self.files() {
            let path = folder.join(name);
            fs::write(&path, text).map_err(|error| failure(&path, &error))?;
        }
        let program = folder.join("hpdl");
        let own = std::env::current_exe().map_err(|error| failure(&program, &error))?;
        fs::copy(own, &program).map_err(|error| failure(&program, &error))?;
        Ok(Exit::Success)
    }

    fn files(&self) -> Vec<DeployedFile> {
        let is_for = |target| self.deploy.contains(&target);
        let mut files = OF_ALL.to_vec();
        if is_for(DeployTarget::Docker) || is_for(DeployTarget::K8s) {
            files.extend(IMAGE);
        }
        if is_for(DeployTarget::Systemd) {
            files.extend(UNIT);
        }
        if is_for(DeployTarget::K8s) {
            files.extend(MANIFESTS);
        }
        files
    }
}

/// Whether there is nothing in a folder; one that does not exist is empty.
fn is_empty(folder: &Path) -> io::Result<bool> {
    match fs::read_dir(folder) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(error),
    }
}

fn failure(path: &Path, error: &io::Error) -> RunError {
    RunError::machine(format!("cannot write {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn emit(deploy: &[DeployTarget], output: &Path) -> Emit {
        Emit {
            deploy: deploy.to_vec(),
            output: output.to_owned(),
        }
    }

    #[test]
    fn files_are_those_of_the_targets() {
        let names = |deploy: &[DeployTarget]| {
            let files = emit(deploy, Path::new("x")).files();
            let names: Vec<&str> = files.into_iter().map(|(name, _)| name).collect();
            names.join(" ")
        };
        assert_eq!(
            names(&[DeployTarget::Systemd]),
            "README.md hpdl-site.xml hpdl.service"
        );
        assert_eq!(
            names(&[DeployTarget::K8s, DeployTarget::Docker]),
            "README.md hpdl-site.xml Dockerfile .dockerignore hpdl.yaml"
        );
    }

    #[test]
    fn a_folder_with_something_in_it_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("mine"), "").unwrap();
        let refused = emit(&[DeployTarget::Docker], folder.path()).execute();
        assert_eq!(refused.unwrap_err().exit, Exit::Usage);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let new = folder.path().join("new");
        emit(&[DeployTarget::Docker], &new).execute().unwrap();
        assert!(new.join("hpdl").metadata().unwrap().len() > 1_000);
    }
}
