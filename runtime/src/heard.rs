//! A signal that this process listens to, where whoever started it has not told it to ignore that.

use std::io;

use rustix::process::Signal;
use tokio::signal::unix::{Signal as Stream, SignalKind, signal};

use crate::inherited;

/// Comes each time that the signal does, or never.
#[derive(Debug)]
pub struct Heard(Option<Stream>);

impl Heard {
    /// # Errors
    ///
    /// The handler cannot be installed.
    pub fn always(wanted: Signal) -> io::Result<Heard> {
        let stream = signal(SignalKind::from_raw(wanted.as_raw()))?;
        Ok(Heard(Some(stream)))
    }

    /// Never where the signal is ignored: `nohup` has us go on when the terminal hangs up.
    ///
    /// # Errors
    ///
    /// The handler cannot be installed.
    pub fn unless_ignored(wanted: Signal) -> io::Result<Heard> {
        if inherited::is_ignored(wanted) {
            return Ok(Heard::never());
        }
        Heard::always(wanted)
    }

    pub fn never() -> Heard {
        Heard(None)
    }

    /// Returns with the next one.
    pub async fn next(&mut self) {
        match &mut self.0 {
            Some(stream) => {
                stream.recv().await;
            }
            None => std::future::pending().await,
        }
    }
}
