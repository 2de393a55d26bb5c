//! Signals to the owner: kill, hand over.

use std::io;

use hpdlc_core::step::Event;
use hpdlc_host::{drain::Drain, exit::RunError, settings::Settings, signal_stream::SignalStream};
use rustix::process::Signal;
use tokio::sync::watch;

use crate::engine::Engine;

/// What a signal asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignalRequest {
    /// Ctrl-C: kill the job; the second time at once.
    Kill,
    /// SIGTERM, SIGHUP: let go of the job, processes go on.
    HandOver(&'static str),
    /// The same where what runs ends with this process: wait for it first.
    Drain(Drain),
}

impl SignalRequest {
    /// A hand-over waits for what runs where that ends with this process.
    pub fn in_this_place(self, settings: Option<Settings<'_>>) -> SignalRequest {
        match (&self, settings) {
            (SignalRequest::HandOver(name), Some(settings)) => {
                Drain::wanted(name, settings).map_or(self, SignalRequest::Drain)
            }
            _ => self,
        }
    }
}

/// The signals that an owner listens to.
#[derive(Debug)]
pub struct Signals {
    interrupt: SignalStream,
    terminate: SignalStream,
    hang_up: SignalStream,
    /// What drives this job among others drains.
    drain: Option<watch::Receiver<Option<Drain>>>,
}

impl Signals {
    /// For a program of its own: Ctrl-C kills the job, SIGTERM and SIGHUP hand it over.
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

    /// For a workflow inside somebody's program, whose signals are its own business.
    ///
    /// # Errors
    ///
    /// None; it is called as [`Signals::of_program`] is.
    pub fn of_library() -> io::Result<Signals> {
        Ok(Signals {
            interrupt: SignalStream::never(),
            terminate: SignalStream::never(),
            hang_up: SignalStream::never(),
            drain: None,
        })
    }

    /// For a job that a coordinator or bundle of this process drives, and tells when it drains.
    pub fn of_driver(drain: watch::Receiver<Option<Drain>>) -> Signals {
        Signals {
            interrupt: SignalStream::never(),
            terminate: SignalStream::never(),
            hang_up: SignalStream::never(),
            drain: Some(drain),
        }
    }

    /// Returns with the next one.
    pub async fn next(&mut self) -> SignalRequest {
        tokio::select! {
            () = self.interrupt.next() => SignalRequest::Kill,
            () = self.terminate.next() => SignalRequest::HandOver("SIGTERM"),
            () = self.hang_up.next() => SignalRequest::HandOver("SIGHUP"),
            drain = told(&mut self.drain) => SignalRequest::Drain(drain),
        }
    }
}

/// Returns with the drain that a driver tells of, or never.
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
            // It has been told that already.
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

    /// What a signal asks for, unless it has been told that already.
    pub(super) fn in_this_place(&self, asked: SignalRequest) -> SignalRequest {
        if self.is_draining() {
            return asked;
        }
        asked.in_this_place(self.settings(&self.root))
    }

    /// Ends at once what has been asked politely before.
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
