//! Whether data is there: questions to file systems on other threads, and folders of this machine that are watched.

use std::{
    collections::BTreeSet,
    sync::{Arc, atomic::AtomicBool},
};

use hpdlc_core::coordinator::{
    Availability, Coordinator,
    machine::{ActionRecord, Answer, CoordinatorEvent, search_inputs},
};
use hpdlc_files::{Access, AccessSettings, PathError, Uri, remove::RemoveError};
use tokio::sync::mpsc;

use crate::{coordinator::watch::Watch, event_loop::Incoming};

/// So many are asked about in one go; the answers come together.
const AT_ONCE: usize = 256;

/// What becomes known of data.
pub enum News {
    /// Something has come that was watched for: these URIs are to be looked at.
    Arrived(Vec<Arc<str>>),
    Looked(Vec<(Arc<str>, Answer)>),
    Searched(Box<CoordinatorEvent>),
}

/// What looks at data for one coordinator.
pub(super) struct Data {
    settings: Arc<AccessSettings>,
    outbox: mpsc::UnboundedSender<Incoming<u64, News>>,
    /// Where the machine has none, everything is looked at again and again.
    watch: Option<Watch>,
    /// What has been asked about and not answered.
    asked: BTreeSet<Arc<str>>,
}

impl Data {
    /// Must be called inside an async runtime.
    pub(super) fn new(
        settings: AccessSettings,
        outbox: mpsc::UnboundedSender<Incoming<u64, News>>,
    ) -> Data {
        Data {
            settings: Arc::new(settings),
            outbox,
            watch: Watch::new().ok(),
            asked: BTreeSet::new(),
        }
    }

    /// Has something looked for; [`News::Looked`] answers.
    pub(super) fn look(&mut self, uris: Vec<Arc<str>>) {
        let uris: Vec<Arc<str>> = uris
            .into_iter()
            .filter(|uri| self.asked.insert(Arc::clone(uri)))
            .collect();
        for uris in uris.chunks(AT_ONCE) {
            // Watched before it is looked at: what comes in between is seen by one or the other.
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
                            Ok(true) => Answer::There,
                            Ok(false) => Answer::Missing { is_watched },
                            Err(problem) => Answer::Unknown(problem),
                        };
                        (uri, answer)
                    })
                    .collect();
                // Whoever asked may be gone.
                let _ = outbox.send(Incoming::News(News::Looked(answers)));
            });
        }
    }

    /// What was asked is answered.
    pub(super) fn answered(&mut self, answers: &[(Arc<str>, Answer)]) {
        for (uri, answer) in answers {
            self.asked.remove(uri);
            if *answer == Answer::There {
                self.forget(uri);
            }
        }
    }

    pub(super) fn forget(&mut self, uri: &str) {
        if let Some(watch) = &mut self.watch {
            watch.remove(uri);
        }
    }

    /// Has `latest` and `future` looked for; [`News::Searched`] answers.
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
            let _ = outbox.send(Incoming::News(News::Searched(Box::new(event))));
        });
    }

    /// Returns when something has come that was watched for.
    pub(super) async fn arrived(&mut self) -> News {
        match &mut self.watch {
            Some(watch) => News::Arrived(watch.changed().await),
            None => std::future::pending().await,
        }
    }
}

struct Looking<'a> {
    settings: &'a AccessSettings,
}

impl Availability for Looking<'_> {
    type Error = String;

    fn is_there(&mut self, uri: &str) -> Result<bool, String> {
        is_there(uri, self.settings)
    }
}

static NEVER_CANCELED: AtomicBool = AtomicBool::new(false);

/// Whether something is at a URI. Blocks.
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

/// Removes what is at a URI, whatever it is (`FSURIHandler.delete`). Blocks.
///
/// # Errors
///
/// In words, why it is still there.
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
