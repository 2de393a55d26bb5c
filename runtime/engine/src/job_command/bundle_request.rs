//! Commands on a bundle: a word and its arguments, as stored in a row.

use serde::{Deserialize, Serialize};

/// The word of the notification about a coordinator.
const COORDINATOR_CHANGED: &str = "coordinator-changed";

/// A command, as text in the store: its word, a space, and JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BundleRequest {
    /// It waits for its kick-off time.
    Start,
    /// It does not wait for its kick-off time, even if it was started before and waits.
    StartNow,
    Suspend,
    Resume,
    Kill,
    /// `pausetime=...` or `endtime=...`, for all its coordinators.
    Change(String),
    Rerun(BundleRerun),
    /// A notification: one of its coordinators goes on, or has stopped.
    CoordinatorChanged,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BundleRerun {
    /// The names of coordinators; empty for all.
    pub coordinators: Vec<String>,
    /// Nominal times; `None` for all of a coordinator.
    pub dates: Option<String>,
    pub refresh: bool,
    pub nocleanup: bool,
}

const PLAIN: [BundleRequest; 6] = [
    BundleRequest::Start,
    BundleRequest::StartNow,
    BundleRequest::Suspend,
    BundleRequest::Resume,
    BundleRequest::Kill,
    BundleRequest::CoordinatorChanged,
];

impl BundleRequest {
    /// The word that the user types.
    pub fn word(&self) -> &'static str {
        match self {
            BundleRequest::Start => "start",
            BundleRequest::StartNow => "start-now",
            BundleRequest::Suspend => "suspend",
            BundleRequest::Resume => "resume",
            BundleRequest::Kill => "kill",
            BundleRequest::Change(_) => "change",
            BundleRequest::Rerun(_) => "rerun",
            BundleRequest::CoordinatorChanged => COORDINATOR_CHANGED,
        }
    }

    pub fn to_text(&self) -> String {
        if PLAIN.contains(self) {
            return self.word().to_owned();
        }
        let arguments = serde_json::to_string(self).expect("texts are JSON");
        format!("{} {arguments}", self.word())
    }

    /// Parses the result of [`BundleRequest::to_text`].
    pub fn parse(text: &str) -> Option<BundleRequest> {
        match text.split_once(' ') {
            Some((_, arguments)) => serde_json::from_str(arguments).ok(),
            None => PLAIN.into_iter().find(|request| request.word() == text),
        }
    }
}
