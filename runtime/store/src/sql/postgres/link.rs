//! The way from a connection to its server: the thread with the client, or in tests of a simulator the model of a server.

use std::{
    fmt, thread,
    time::{Duration, Instant},
};

use hpdlc_host::shown::say;
use tokio::sync::mpsc::UnboundedSender;

#[cfg(any(test, feature = "testing"))]
use super::model::ModelledClient;
use super::session::{self, Request};

/// Where requests go, and whose clock counts.
pub(super) enum Link {
    /// The thread of a client, and when it was started.
    Thread(UnboundedSender<Request>, Instant),
    #[cfg(any(test, feature = "testing"))]
    Model(Box<ModelledClient>),
}

impl Link {
    /// Hands a request over; `false` if nobody takes it any more.
    pub(super) fn request(&self, request: Request) -> bool {
        match self {
            Link::Thread(requests, _) => requests.send(request).is_ok(),
            #[cfg(any(test, feature = "testing"))]
            Link::Model(client) => {
                client.serve(request);
                true
            }
        }
    }

    /// The time since some moment.
    pub(super) fn clock(&self) -> Duration {
        match self {
            Link::Thread(_, begun) => begun.elapsed(),
            #[cfg(any(test, feature = "testing"))]
            Link::Model(client) => client.clock(),
        }
    }

    /// Waits before the next attempt to connect.
    pub(super) fn pause(&self, pause: Duration) {
        match self {
            Link::Thread(..) => thread::sleep(pause),
            #[cfg(any(test, feature = "testing"))]
            Link::Model(client) => client.pause(pause),
        }
    }

    /// Tells the user.
    pub(super) fn say(&self, words: &str) {
        match self {
            Link::Thread(..) => say(words),
            #[cfg(any(test, feature = "testing"))]
            Link::Model(_) => {}
        }
    }

    /// Whether this process was told to end since it first waited for a server.
    pub(super) fn is_asked_to_end(&self) -> bool {
        match self {
            Link::Thread(..) => session::is_asked_to_end(),
            #[cfg(any(test, feature = "testing"))]
            Link::Model(client) => client.is_asked_to_end(),
        }
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Link")
    }
}
