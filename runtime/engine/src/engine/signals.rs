//! Signals to the owner: kill, hand over, drain.

use std::io;

use hpdlc_core::step::Event;
use hpdlc_host::{drain::Drain, exit::RunError, settings::Settings, signal_stream::SignalStream};
use rustix::process::Signal;
use tokio::sync::watch;

use crate::engine::Engine;

/// What a signal requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignalRequest {
    /// Ctrl-C: kill the job; on the second, by force.
    Kill,
    /// SIGTERM, SIGHUP: release the job; its processes go on.
    HandOver(&'static str),
    /// The same if running work ends with this process: wait for it first.
    Drain(Drain),
}

impl SignalRequest {
    /// Turns a hand-over into a drain if running work ends with this process.
    pub fn in_this_place(self, settings: Option<Settings<'_>>) -> SignalRequest {
        match (&self, settings) {
            (SignalRequest::HandOver(name), Some(settings)) => {
                Drain::wanted(name, settings).map_or(self, SignalRequest::Drain)
            }
            _ => self,
        }
    }
}

/// The signals that an owner handles.
#[derive(Debug)]
pub struct Signals {
    interrupt: SignalStream,
    terminate: SignalStream,
    hang_up: SignalStream,
    /// The drain request of the driver that runs this job among others.
    drain: Option<watch::Receiver<Option<Drain>>>,
}

impl Signals {
    /// For a program of our own: Ctrl-C kills the job, SIGTERM and SIGHUP hand it over.
    ///
    /// # Errors
    ///
    /// The handlers cannot be installed.
    pub fn of_program() -> io::Result<Signals> {
        Ok(Signals {
            interrupt: SignalStream::always(Signal::INT)?,
            terminate: SignalStream::always(Signal::TERM)?,
            hang_up: SignalStream::unless_ignored(Signal::HUP)?,
            drain: None,
        })
    }

    /// For a workflow embedded in a user's program, which handles its own signals.
    ///
    /// # Errors
    ///
    /// None; it has the signature of [`Signals::of_program`].
    pub fn of_library() -> io::Result<Signals> {
        Ok(Signals {
            interrupt: SignalStream::never(),
            terminate: SignalStream::never(),
            hang_up: SignalStream::never(),
            drain: None,
        })
    }

    /// For a job that a coordinator or bundle of this process drives, which notifies it of a drain.
    pub fn of_driver(drain: watch::Receiver<Option<Drain>>) -> Signals {
        Signals {
            interrupt: SignalStream::never(),
            terminate: SignalStream::never(),
            hang_up: SignalStream::never(),
            drain: Some(drain),
        }
    }

    /// Waits for the next request.
    pub async fn next(&mut self) -> SignalRequest {
        tokio::select! {
            () = self.interrupt.next() => SignalRequest::Kill,
            () = self.terminate.next() => SignalRequest::HandOver("SIGTERM"),
            () = self.hang_up.next() => SignalRequest::HandOver("SIGHUP"),
            drain = told(&mut self.drain) => SignalRequest::Drain(drain),
        }
    }
}

/// Waits for the drain that a driver requests; never returns without one.
async fn told(drain: &mut Option<watch::Receiver<Option<Drain>>>) -> Drain {
    let told = match drain {
        Some(receiver) => {
            let told = receiver.wait_for(Option::is_some).await;
            told.ok().and_then(|told| told.clone())
        }
        None => None,
    };
    match told {
        Some(told) => {
            // Once is enough.
            *drain = None;
            told
        }
        None => std::future::pending().await,
    }
}

impl Engine {
    pub(super) fn take_signal(&mut self, asked: SignalRequest) -> Result<(), RunError> {
        match asked {
            SignalRequest::Kill => {
                self.signals_seen += 1;
                let root = self.root.clone();
                if self.signals_seen == 1 {
                    self.note(
                        &root,
                        None,
                        "KILL",
                        "killing the job; press Ctrl-C again to kill its processes now",
                    );
                    if self.is_uncertain() {
                        self.ahead.has_kill = true;
                        self.withdraw_followers();
                    } else {
                        self.apply(&root, Event::Kill);
                    }
                } else {
                    self.cancel_again();
                }
                Ok(())
            }
            SignalRequest::Drain(drain) => self.begin_drain(drain),
            // A drain is already under way.
            SignalRequest::HandOver(_) if self.is_draining() => Ok(()),
            SignalRequest::HandOver(name) => {
                self.commit()?;
                self.tell();
                Err(self.recoverable(RunError::machine(format!(
                    "{name}: stopped managing job {}; its running actions continue",
                    self.root
                ))))
            }
        }
    }

    /// The request as it applies here, unless a drain is already under way.
    pub(super) fn in_this_place(&self, asked: SignalRequest) -> SignalRequest {
        if self.is_draining() {
            return asked;
        }
        asked.in_this_place(self.settings(&self.root))
    }

    /// Kills at once what was asked to end by SIGTERM before.
    fn cancel_again(&mut self) {
        let canceling: Vec<_> = self
            .jobs
            .iter()
            .flat_map(|(id, job)| {
                let nodes = job
                    .state
                    .nodes
                    .iter()
                    .filter(|(_, state)| state.is_canceling);
                nodes.map(move |(&node, state)| (id.clone(), node, state.attempt))
            })
            .collect();
        for (id, node, attempt) in canceling {
            self.cancel(&id, node, attempt);
        }
    }
}
