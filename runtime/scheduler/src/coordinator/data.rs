//! The availability of data: queries to file systems on other threads, and watched folders of this machine.

use std::{
    collections::BTreeSet,
    sync::{Arc, atomic::AtomicBool},
};

use hpdlc_core::coordinator::{
    Coordinator, DataAvailability,
    machine::{ActionRecord, CoordinatorEvent, Presence, search_inputs},
};
use hpdlc_files::{Access, AccessSettings, PathError, Uri, remove::RemoveError};
use tokio::sync::mpsc;

use crate::{coordinator::watch::DataWatch, event_loop::Incoming};

/// The batch size of queries; the answers of a batch arrive together.
const AT_ONCE: usize = 256;

/// News about data.
pub enum DataNews {
    /// Watched files have appeared: these URIs have to be checked.
    Arrived(Vec<Arc<str>>),
    Looked(Vec<(Arc<str>, Presence)>),
    Searched(Box<CoordinatorEvent>),
}

/// Checks the availability of data for one coordinator.
pub(super) struct DataLookup {
    settings: Arc<AccessSettings>,
    outbox: mpsc::UnboundedSender<Incoming<u64, DataNews>>,
    /// `None` if the machine does not support it; then everything is polled.
    watch: Option<DataWatch>,
    /// Queries that have not been answered.
    asked: BTreeSet<Arc<str>>,
}

impl DataLookup {
    /// Must be called inside an async runtime.
    pub(super) fn new(
        settings: AccessSettings,
        outbox: mpsc::UnboundedSender<Incoming<u64, DataNews>>,
    ) -> DataLookup {
        DataLookup {
            settings: Arc::new(settings),
            outbox,
            watch: DataWatch::new().ok(),
            asked: BTreeSet::new(),
        }
    }

    /// Checks URIs; [`DataNews::Looked`] has the answers.
    pub(super) fn look(&mut self, uris: Vec<Arc<str>>) {
        let uris: Vec<Arc<str>> = uris
            .into_iter()
            .filter(|uri| self.asked.insert(Arc::clone(uri)))
            .collect();
        for uris in uris.chunks(AT_ONCE) {
            // Watched before it is checked, so that a file that appears in between is not missed.
            let watched: Vec<(Arc<str>, bool)> = uris
                .iter()
                .map(|uri| {
                    let watch = self.watch.as_mut();
                    let is_watched = watch.is_some_and(|watch| watch.add(uri));
                    (Arc::clone(uri), is_watched)
                })
                .collect();
            let (settings, outbox) = (Arc::clone(&self.settings), self.outbox.clone());
            tokio::task::spawn_blocking(move || {
                let answers = watched
                    .into_iter()
                    .map(|(uri, is_watched)| {
                        let answer = match is_there(&uri, &settings) {
                            Ok(true) => Presence::There,
                            Ok(false) => Presence::Missing { is_watched },
                            Err(problem) => Presence::Unknown(problem),
                        };
                        (uri, answer)
                    })
                    .collect();
                // The driver may have ended.
                let _ = outbox.send(Incoming::News(DataNews::Looked(answers)));
            });
        }
    }

    /// Handles the answers to queries.
    pub(super) fn answered(&mut self, answers: &[(Arc<str>, Presence)]) {
        for (uri, answer) in answers {
            self.asked.remove(uri);
            if *answer == Presence::There {
                self.forget(uri);
            }
        }
    }

    pub(super) fn forget(&mut self, uri: &str) {
        if let Some(watch) = &mut self.watch {
            watch.remove(uri);
        }
    }

    /// Searches for the instances of `latest` and `future`; [`DataNews::Searched`] has the answer.
    pub(super) fn search(
        &self,
        coordinator: Arc<Coordinator>,
        record: ActionRecord,
        inputs: Vec<usize>,
    ) {
        let (settings, outbox) = (Arc::clone(&self.settings), self.outbox.clone());
        tokio::task::spawn_blocking(move || {
            let mut looking = Looking {
                settings: &settings,
            };
            let result = search_inputs(&coordinator, &record, &inputs, &mut looking);
            let (found, error) = match result {
                Ok(found) => (found, None),
                Err(problem) => (Vec::new(), Some(problem)),
            };
            let event = CoordinatorEvent::Searched {
                number: record.number,
                found,
                error,
            };
            let _ = outbox.send(Incoming::News(DataNews::Searched(Box::new(event))));
        });
    }

    /// Waits until watched files have appeared.
    pub(super) async fn arrived(&mut self) -> DataNews {
        match &mut self.watch {
            Some(watch) => DataNews::Arrived(watch.changed().await),
            None => std::future::pending().await,
        }
    }
}

struct Looking<'a> {
    settings: &'a AccessSettings,
}

impl DataAvailability for Looking<'_> {
    type Error = String;

    fn is_there(&mut self, uri: &str) -> Result<bool, String> {
        is_there(uri, self.settings)
    }
}

static NEVER_CANCELED: AtomicBool = AtomicBool::new(false);

/// Whether a URI exists. Blocks.
pub fn is_there(uri: &str, settings: &AccessSettings) -> Result<bool, String> {
    let access = Access::new(settings, &NEVER_CANCELED);
    let located = access
        .locate(&Uri::parse(uri))
        .map_err(|error| described(uri, &error))?;
    let path = located.path();
    located
        .system
        .status(&path)
        .map(|status| status.is_some())
        .map_err(|error| format!("{uri}: {error}"))
}

/// Removes a URI, file or folder (`FSURIHandler.delete`). Blocks.
///
/// # Errors
///
/// Why it could not be removed.
pub fn remove(uri: &str, settings: &AccessSettings) -> Result<(), String> {
    let access = Access::new(settings, &NEVER_CANCELED);
    let located = access
        .locate(&Uri::parse(uri))
        .map_err(|error| described(uri, &error))?;
    located
        .system
        .remove(&located.path())
        .map_err(|error| match error {
            RemoveError::Canceled => format!("{uri}: canceled"),
            RemoveError::Io { path, error } => format!("{}: {error}", path.display()),
        })
}

fn described(uri: &str, error: &PathError) -> String {
    let text = error.to_string();
    if text.contains(uri) {
        text
    } else {
        format!("{uri}: {text}")
    }
}
