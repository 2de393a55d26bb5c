//! Signals to the owner: kill, hand over.

use std::io;

use hpdlc_core::step::Event;
use rustix::process::Signal;

use crate::{engine::Engine, exit::RunError, heard::Heard};

/// What a signal asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Ctrl-C: kill the job; the second time at once.
    Kill,
    /// SIGTERM, SIGHUP: let go of the job, processes go on.
    HandOver(&'static str),
}

/// The signals that an owner listens to.
#[derive(Debug)]
pub struct Signals {
    interrupt: Heard,
    terminate: Heard,
    hang_up: Heard,
}

impl Signals {
    /// For a program of its own: Ctrl-C kills the job, SIGTERM and SIGHUP hand it over.
    ///
    /// # Errors
    ///
    /// The handlers cannot be installed.
    pub fn of_program() -> io::Result<Signals> {
        Ok(Signals {
            interrupt: Heard::always(Signal::INT)?,
            terminate: Heard::always(Signal::TERM)?,
            hang_up: Heard::unless_ignored(Signal::HUP)?,
        })
    }

    /// For a workflow inside somebody's program, whose signals are its own business.
    ///
    /// # Errors
    ///
    /// None; it is called as [`Signals::of_program`] is.
    pub fn of_library() -> io::Result<Signals> {
        Ok(Signals {
            interrupt: Heard::never(),
            terminate: Heard::never(),
            hang_up: Heard::never(),
        })
    }

    /// Returns with the next one.
    pub async fn next(&mut self) -> Asked {
        tokio::select! {
            () = self.interrupt.next() => Asked::Kill,
            () = self.terminate.next() => Asked::HandOver("SIGTERM"),
            () = self.hang_up.next() => Asked::HandOver("SIGHUP"),
        }
    }
}

impl Engine {
    pub(super) fn take_signal(&mut self, asked: Asked) -> Result<(), RunError> {
        match asked {
            Asked::Kill => {
                self.signals_seen += 1;
                let root = self.root.clone();
                if self.signals_seen == 1 {
                    self.note(
                        &root,
                        None,
                        "KILL",
                        "killing the job; once more ends its processes at once",
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
            Asked::HandOver(name) => {
                self.commit()?;
                self.tell();
                Err(self.recoverable(RunError::machine(format!(
                    "{name}: let go of job {}; what runs goes on",
                    self.root
                ))))
            }
        }
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
