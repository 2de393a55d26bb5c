//! The work of an attempt that goes on elsewhere, and how it is ended.

use std::{
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use hpdlc_launcher::Attempt;

use super::{guarded, remote_state::RemoteState};
use crate::action::{Context, Error, Id, RemoteCalls};

/// How long ending the work may take.
pub(super) const KILL_PATIENCE: Duration = Duration::from_secs(30);

/// Before the second try; doubled each time.
const FIRST_PAUSE: Duration = Duration::from_millis(200);

/// How often a service is asked for work that it may not show yet.
const N_LOOKS: u32 = 4;

/// The calls of an attempt, with what they are given.
#[derive(Clone)]
pub(super) struct RemoteWork {
    pub(super) calls: RemoteCalls,
    pub(super) arguments: Vec<String>,
    pub(super) context: Context,
    pub(super) attempt: Attempt,
}

impl RemoteWork {
    /// Ends the work if it may have been started, and waits no longer than [`KILL_PATIENCE`] for that.
    ///
    /// # Errors
    ///
    /// Why it may go on, as a message for the user.
    pub(super) fn kill_within_patience(self) -> Result<(), String> {
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            let _ = sender.send(self.kill());
        });
        let problem = match receiver.recv_timeout(KILL_PATIENCE) {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(problem)) => problem,
            Err(_) => "its service does not answer".to_owned(),
        };
        Err(format!(
            "FAILED_TO_KILL: the work may go on elsewhere: {problem}"
        ))
    }

    fn kill(&self) -> Result<(), String> {
        let state = RemoteState::read(&self.attempt).map_err(|error| error.to_string())?;
        let Some(state) = state.filter(|state| state.has_begun) else {
            return Ok(());
        };
        let id = match state.id {
            Some(id) => Some(id),
            None => self.late()?,
        };
        let Some(id) = id else {
            return Ok(());
        };
        let kill = || (self.calls.kill)(&self.context, &self.arguments, &id);
        retried(|| guarded(None, kill))
    }

    /// Looks for work whose start was under way when its process ended.
    fn late(&self) -> Result<Option<Id>, String> {
        let find = || (self.calls.find)(&self.context, &self.arguments);
        repeated_looks(|| retried(|| guarded(None, find)))
    }
}

/// Looks for work until it is found, [`N_LOOKS`] times at most.
pub(super) fn repeated_looks<E>(
    mut look: impl FnMut() -> Result<Option<Id>, E>,
) -> Result<Option<Id>, E> {
    for _ in 1..N_LOOKS {
        if let Some(found) = look()? {
            return Ok(Some(found));
        }
        thread::sleep(FIRST_PAUSE);
    }
    look()
}

/// Repeats a call with growing pauses while the time for it lasts and its error may pass.
fn retried<T>(mut call: impl FnMut() -> Result<T, Error>) -> Result<T, String> {
    let until = Instant::now() + KILL_PATIENCE / 2;
    let mut pause = FIRST_PAUSE;
    loop {
        match call() {
            Err(error) if error.may_pass() && Instant::now() + pause < until => {
                thread::sleep(pause);
                pause *= 2;
            }
            ended => return ended.map_err(|error| error.to_string()),
        }
    }
}
