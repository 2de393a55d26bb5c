//! A signal that this process handles, unless its parent process made it ignore the signal.

use std::io;

use rustix::process::Signal;
use tokio::signal::unix::{Signal as Stream, SignalKind, signal};

use crate::inherited_descriptors;

/// Yields each time that the signal arrives, or never.
#[derive(Debug)]
pub struct SignalStream {
    stream: Option<Stream>,
    /// It arrived before this process listened.
    came_before: bool,
}

impl SignalStream {
    /// # Errors
    ///
    /// If the handler cannot be installed.
    pub fn always(wanted: Signal) -> io::Result<SignalStream> {
        let stream = signal(SignalKind::from_raw(wanted.as_raw()))?;
        Ok(SignalStream {
            stream: Some(stream),
            came_before: wanted == Signal::TERM && inherited_descriptors::was_asked_to_end(),
        })
    }

    /// Never yields if the signal is ignored: under `nohup` the process continues when the terminal hangs up.
    ///
    /// # Errors
    ///
    /// If the handler cannot be installed.
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

    /// Returns with the next signal.
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
