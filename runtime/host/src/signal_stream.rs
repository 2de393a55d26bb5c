//! A signal that this process listens to, where whoever started it has not told it to ignore that.

use std::io;

use rustix::process::Signal;
use tokio::signal::unix::{Signal as Stream, SignalKind, signal};

use crate::inherited_descriptors;

/// Comes each time that the signal does, or never.
#[derive(Debug)]
pub struct SignalStream {
    stream: Option<Stream>,
    /// It came before this process listened.
    came_before: bool,
}

impl SignalStream {
    /// # Errors
    ///
    /// The handler cannot be installed.
    pub fn always(wanted: Signal) -> io::Result<SignalStream> {
        let stream = signal(SignalKind::from_raw(wanted.as_raw()))?;
        Ok(SignalStream {
            stream: Some(stream),
            came_before: wanted == Signal::TERM && inherited_descriptors::was_asked_to_end(),
        })
    }

    /// Never where the signal is ignored: `nohup` has us go on when the terminal hangs up.
    ///
    /// # Errors
    ///
    /// The handler cannot be installed.
    pub fn unless_ignored(wanted: Signal) -> io::Result<SignalStream> {
        if inherited_descriptors::is_ignored(wanted) {
            return Ok(SignalStream::never());
        }
        SignalStream::always(wanted)
    }

    pub fn never() -> SignalStream {
        SignalStream {
            stream: None,
            came_before: false,
        }
    }

    /// Returns with the next one.
    pub async fn next(&mut self) {
        if std::mem::take(&mut self.came_before) {
            return;
        }
        match &mut self.stream {
            Some(stream) => {
                stream.recv().await;
            }
            None => std::future::pending().await,
        }
    }
}
