//! Tells pages that the store has changed. One thread looks at its change counter for all of them, as long as there are any.

use std::{
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

use hpdlc_engine::owner::Session;
use hpdlc_store::query;
use tokio::sync::watch;

/// Between two looks at the counter. A change is to be on the screen within 200 ms.
const LOOK: Duration = Duration::from_millis(60);
/// After a look that failed: the store may be gone for a while.
const LOOK_AGAIN: Duration = Duration::from_secs(2);

/// The counter as pages see it: its number has no meaning but that another one is another state of the store.
#[derive(Clone)]
pub(crate) struct Changes {
    inner: Arc<Inner>,
}

struct Inner {
    session: Session,
    sender: watch::Sender<u64>,
    ended: watch::Sender<bool>,
    /// Whether a thread looks at present.
    is_watched: Mutex<bool>,
}

impl Changes {
    pub(crate) fn new(session: &Session) -> Changes {
        Changes {
            inner: Arc::new(Inner {
                session: session.clone(),
                sender: watch::channel(0).0,
                ended: watch::channel(false).0,
                is_watched: Mutex::new(false),
            }),
        }
    }

    /// Tells open pages that the server ends.
    pub(crate) fn end(&self) {
        self.inner.ended.send_replace(true);
    }

    /// Whether the server ends.
    pub(crate) fn ended(&self) -> watch::Receiver<bool> {
        self.inner.ended.subscribe()
    }

    /// What changes from now on.
    pub(crate) fn subscribe(&self) -> watch::Receiver<u64> {
        let receiver = self.inner.sender.subscribe();
        if let Ok(mut is_watched) = self.inner.is_watched.lock()
            && !*is_watched
        {
            let inner = Arc::clone(&self.inner);
            let spawned = thread::Builder::new()
                .name("changes".to_owned())
                .spawn(move || inner.watch());
            *is_watched = spawned.is_ok();
        }
        receiver
    }
}

impl Inner {
    /// Looks until nobody listens.
    fn watch(&self) {
        let mut connection = None;
        let mut last = None;
        while self.is_needed() {
            if connection.is_none() {
                connection = self.session.store().ok();
            }
            let seen = connection.as_ref().map(query::data_version);
            match seen {
                Some(Ok(now)) => {
                    // What was written before the first look has the same number: pages may have looked before it was.
                    if last != Some(now) {
                        self.sender.send_modify(|count| *count += 1);
                    }
                    last = Some(now);
                    thread::sleep(LOOK);
                }
                Some(Err(_)) | None => {
                    connection = None;
                    // Another connection counts from another number.
                    last = None;
                    thread::sleep(LOOK_AGAIN);
                    self.sender.send_modify(|count| *count += 1);
                }
            }
        }
    }

    /// Under the lock, so that whoever subscribes meanwhile starts another thread.
    fn is_needed(&self) -> bool {
        let Ok(mut is_watched) = self.is_watched.lock() else {
            return false;
        };
        *is_watched = self.sender.receiver_count() > 0;
        *is_watched
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::serve::tests::TestServer;

    /// A page looks when it subscribes; what is written between that and the first look at the counter must not be lost.
    #[test]
    fn pages_look_again_after_the_first_look_at_the_counter() {
        let server = TestServer::new();
        let changes = Changes::new(&server.session);
        let heard = changes.subscribe();
        let begun = Instant::now();
        while !heard.has_changed().unwrap() && begun.elapsed() < Duration::from_secs(5) {
            thread::sleep(Duration::from_millis(5));
        }
        assert!(heard.has_changed().unwrap());
    }
}
