//! The copies of an application's files: a folder for each file system, in which every file has the path that it has there.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use axum::http::StatusCode;
use hpdlc_engine::owner::Session;
use hpdlc_files::{
    Access, AccessSettings, PathError, Uri, local_path,
    tree::{self, Allowance, Copied, TreeError},
};
use hpdlc_host::comma_list;

use crate::serve::{
    compile::{
        Properties,
        application::{self, root_of},
        fetcher::Fetcher,
        limits::ROOTS,
    },
    failure::Failure,
};

/// What is to be copied.
#[derive(Clone, Copy, Debug)]
pub(crate) enum What {
    /// A folder with a document of this name, or a document, with its folder.
    Application(&'static str),
    /// One file.
    File,
}

pub(crate) struct Copies<'a> {
    session: &'a Session,
    properties: &'a Properties,
    fetcher: Fetcher<'a>,
    /// The folder of all copies.
    pub(crate) folder: PathBuf,
    /// Scheme and host, and the folder that stands for the root of that file system; the first is this machine's.
    systems: Vec<(String, PathBuf)>,
    left: Allowance,
}

impl<'a> Copies<'a> {
    pub(crate) fn new(
        session: &'a Session,
        properties: &'a Properties,
        fetcher: Fetcher<'a>,
        folder: &Path,
        allowed: Allowance,
    ) -> Copies<'a> {
        let folder = folder.join("files");
        Copies {
            session,
            properties,
            fetcher,
            systems: vec![(String::new(), folder.join("local"))],
            folder,
            left: allowed,
        }
    }

    /// Copies what `uri` names.
    ///
    /// # Errors
    ///
    /// As Oozie answers: E0904 for a file system that is not known or allowed, 401 and E0507 for what may not be read, else E0307.
    pub(crate) fn fetch(&mut self, uri: &str, what: What) -> Result<Copied, Failure> {
        let copied = self.copy(uri, what)?;
        copied.map_err(|error| self.failure(uri, &error))
    }

    /// As [`Copies::fetch`]; whether it exists.
    pub(crate) fn fetch_if_present(&mut self, uri: &str, what: What) -> Result<bool, Failure> {
        match self.copy(uri, what)? {
            Ok(_) => Ok(true),
            Err(TreeError::Missing(_)) => Ok(false),
            Err(error) => Err(self.failure(uri, &error)),
        }
    }

    fn copy(&mut self, uri: &str, what: What) -> Result<Result<Copied, TreeError>, Failure> {
        // Documents find what they name without a scheme where its copy is that of this machine's file, wherever it comes from.
        let system = self.system(&Uri::parse(uri));
        let uri = &application::qualified(uri, self.properties, &self.session.site);
        let parsed = Uri::parse(uri);
        let is_local = parsed.scheme.is_none() || parsed.is_file();
        let settings = AccessSettings::of(self.properties, &self.session.site);
        let never = AtomicBool::new(false);
        let access = Access::new(&settings, &never);
        let copied = match access.locate(&parsed) {
            Ok(located) if is_local => {
                let path = located.path();
                self.check_root(uri, &path)?;
                match what {
                    What::Application(usual) => {
                        tree::application(&*located.system, &path, usual, &system, self.left)
                    }
                    What::File => tree::file(&*located.system, &path, &system, self.left),
                }
            }
            // Other file systems are the fetcher's.
            Ok(_) | Err(PathError::UnsupportedScheme { .. })
                if parsed
                    .scheme
                    .is_some_and(hpdlc_core::file_systems::is_known) =>
            {
                let usual = match what {
                    What::Application(usual) => Some(usual),
                    What::File => None,
                };
                self.fetcher
                    .fetch(uri, usual, &system, self.properties, self.left)?
            }
            Ok(_) => Err(TreeError::Failed("its file system is not known".to_owned())),
            Err(
                error @ (PathError::UnsupportedScheme { .. } | PathError::ForbiddenScheme { .. }),
            ) => {
                let message = error.to_string();
                let message = message.strip_prefix("E0904: ").unwrap_or(&message);
                return Err(Failure::coded("E0904", message));
            }
            Err(error) => Err(TreeError::Failed(error.to_string())),
        };
        if let Ok(copied) = &copied {
            self.left.bytes = self.left.bytes.saturating_sub(copied.bytes);
            self.left.entries = self.left.entries.saturating_sub(copied.entries);
        }
        Ok(copied)
    }

    /// The folder of a file system.
    fn system(&mut self, uri: &Uri<'_>) -> PathBuf {
        if uri.scheme.is_none() || uri.is_file() {
            return self.systems[0].1.clone();
        }
        let root = root_of(uri).to_ascii_lowercase();
        // The port that is meant without one.
        let root = match root.strip_prefix("hdfs://") {
            Some(host) => format!("hdfs://{}", host.strip_suffix(":8020").unwrap_or(host)),
            None => root,
        };
        if let Some((_, folder)) = self.systems.iter().find(|(known, _)| *known == root) {
            return folder.clone();
        }
        let folder = self.folder.join(format!("system{}", self.systems.len()));
        self.systems.push((root, folder.clone()));
        folder
    }

    /// The copy of a file.
    pub(crate) fn copy_of(&mut self, uri: &str, path: &str) -> PathBuf {
        tree::below(&self.system(&Uri::parse(uri)), Path::new(path))
    }

    /// The options that tell the compiler where files are. Every path is covered, so that it reads no file of this machine by itself.
    pub(crate) fn mappings(&self) -> Vec<OsString> {
        let mut arguments = Vec::new();
        for (root, folder) in &self.systems {
            let _ = fs::create_dir_all(folder);
            let roots = match root.as_str() {
                "" => vec!["/", "file:///"],
                root => vec![root],
            };
            for root in roots {
                arguments.push("--map".into());
                let mut mapping = OsString::from(format!("{root}="));
                mapping.push(folder);
                arguments.push(mapping);
            }
        }
        arguments
    }

    /// A text of the compiler with the paths of the originals.
    pub(crate) fn with_originals(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (root, folder) in &self.systems {
            text = text.replace(&folder.display().to_string(), root);
        }
        text
    }

    /// Refuses local files that no application may be in: those of the state folder, and what is outside of the folders that the site
    /// names.
    fn check_root(&self, uri: &str, path: &Path) -> Result<(), Failure> {
        let Ok(real) = fs::canonicalize(path) else {
            // Copying it says what is wrong.
            return Ok(());
        };
        let is_below =
            |folder: &Path| fs::canonicalize(folder).is_ok_and(|folder| real.starts_with(folder));
        let roots = self.session.site.get(ROOTS).map(String::as_str);
        let mut roots = comma_list::entries(roots.unwrap_or_default()).peekable();
        let is_allowed = roots.peek().is_none()
            || roots.any(|root| local_path(root).is_ok_and(|root| is_below(&root)));
        if is_allowed && !is_below(self.session.home.root()) {
            return Ok(());
        }
        Err(denied(
            uri,
            &format!("it is in the state folder, or not below a folder of {ROOTS}"),
        ))
    }

    fn failure(&self, uri: &str, error: &TreeError) -> Failure {
        match error {
            TreeError::Missing(path) => Failure::runtime(&format!(
                "app definition cannot be created: {} does not exist",
                original(uri, path)
            )),
            TreeError::Denied(path) => denied(&original(uri, path), "permission denied"),
            TreeError::LeadsOut(link) => denied(
                uri,
                &format!("the link {link} leads out of the application's folder"),
            ),
            TreeError::NoDocument(path) => no_document(&original(uri, path)),
            TreeError::Odd(path) => Failure::runtime(&format!(
                "{} is not what an application may have: a file or a folder",
                original(uri, path)
            )),
            TreeError::TooMuch => Failure::runtime(&format!(
                "the application {uri} is larger than hpdl.server.compiler.bytes and hpdl.server.compiler.entries allow"
            )),
            TreeError::Failed(message) => Failure::coded(
                "E0501",
                format!("Could not perform authorization operation, {uri}: {message}"),
            )
            .with_status(StatusCode::UNAUTHORIZED),
        }
    }
}

/// The refusal of a file that is none of hPDL, without a word of it: it may be any file.
pub(crate) fn no_document(uri: &str) -> Failure {
    Failure::coded(
        "E0701",
        format!("XML schema error, {uri}: this is no document of hPDL, or has a DOCTYPE"),
    )
}

/// A path on the file system of a URI.
fn original(uri: &str, path: &str) -> String {
    root_of(&Uri::parse(uri)) + path
}

fn denied(what: &str, why: &str) -> Failure {
    Failure::coded("E0507", format!("Could not access to [{what}], {why}"))
        .with_status(StatusCode::UNAUTHORIZED)
}
