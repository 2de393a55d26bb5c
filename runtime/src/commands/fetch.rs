//! `fetch`, hidden: copies an application of any file system to this machine. `hpdl serve` has an executable with the `full` runtime do that,
//! since it reaches local files alone.

use std::{path::PathBuf, sync::atomic::AtomicBool};

use hpdlc_engine::owner::Session;
use hpdlc_files::{
    Access, AccessSettings, Uri,
    tree::{self, Allowance, TreeError},
};
use hpdlc_host::exit::{Exit, RunError};

use crate::commands::{PropertySources, print};

#[derive(Debug, clap::Args)]
pub(super) struct Fetch {
    /// A folder or a file
    uri: String,
    /// The folder that stands for the root of its file system
    into: PathBuf,
    /// The document in a folder; without it a file is copied alone
    #[arg(long, value_name = "NAME")]
    document: Option<String>,
    /// At most so many bytes
    #[arg(long)]
    bytes: u64,
    /// At most so many files and folders
    #[arg(long)]
    entries: u64,
    #[command(flatten)]
    given: PropertySources,
}

impl Fetch {
    /// Prints `{"Ok":…}` or `{"Err":…}`: [`tree::Copied`] or [`TreeError`].
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        let settings = AccessSettings::of(&self.given.read()?, &session.site);
        let never = AtomicBool::new(false);
        let access = Access::new(&settings, &never);
        let allowed = Allowance {
            bytes: self.bytes,
            entries: self.entries,
        };
        let located = access.locate(&Uri::parse(&self.uri));
        let result = located
            .map_err(|error| TreeError::Failed(error.to_string()))
            .and_then(|located| {
                let (system, path) = (&*located.system, located.path());
                match &self.document {
                    Some(usual) => tree::application(system, &path, usual, &self.into, allowed),
                    None => tree::file(system, &path, &self.into, allowed),
                }
            });
        let text = serde_json::to_string(&result)
            .map_err(|error| RunError::machine(format!("an answer is not JSON: {error}")))?;
        print(&format!("{text}\n"))?;
        Ok(Exit::Success)
    }
}
