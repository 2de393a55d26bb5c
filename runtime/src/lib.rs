//! What every executable made by hpdlc contains: engine, job store, launcher, executors and command line.
//!
//! Data flows in one direction: [`table`] (static, written by the compiler) -> the engine (properties become a job, events become states,
//! states become rows and effects) -> executors (values become processes and files) -> the launcher (processes that outlive
//! the owner). All state is in the store; [`commands`] is the user interface. Each is a separate crate.
//!
//! A program calls [`init`] first in `main`: the launcher is the same executable, and starts there.

pub use hpdlc_core as core;

mod commands;
pub mod fleet;
mod include_app;
mod masks;
mod parts;
mod picture;
mod timeline;

use std::process::ExitCode;

use hpdlc_engine::{
    foreign_child, host_keeper, notify,
    owner::library,
    progress::{Observed, Progress, Silent},
};
pub use hpdlc_engine::{owner::library::Finished, progress::ProgressEvent};
pub use hpdlc_executors::{action, function};
use hpdlc_executors::{rust, worker_process};
pub use hpdlc_host::exit::{Exit, RunError};
use hpdlc_host::inherited_descriptors;
use hpdlc_launcher as launcher;
pub use hpdlc_program::table;
pub use hpdlc_testing as test;

pub use self::parts::Parts;
use self::table::Program;

/// Proof that [`init`] was called.
#[derive(Debug)]
pub struct Runtime {
    _private: (),
}

/// Identifies an executable made by hpdlc.
static MARK: [u8; hpdlc_core::mark::LENGTH] = hpdlc_core::mark::mark();

/// Must be the first statement of `main`: the processes that start a job's actions are this executable, and start here.
pub fn init() -> Runtime {
    init_with(Parts::ALL)
}

/// As [`init`], for a program that needs only `parts`.
pub fn init_with(parts: Parts) -> Runtime {
    std::hint::black_box(&MARK);
    parts.link();
    inherited_descriptors::remember_being_asked();
    inherited_descriptors::hear_of_children();
    inherited_descriptors::outlive_large_files();
    launcher::serve_if_asked();
    let child: worker_process::WorkCarrier = foreign_child::carry;
    worker_process::serve_if_asked(parts.carriers().chain([child]));
    rust::serve_if_asked();
    #[cfg(feature = "full")]
    hpdlc_executors::container::serve_if_asked();
    notify::sender_process::serve_if_asked();
    host_keeper::serve_if_asked();
    Runtime { _private: () }
}

impl Runtime {
    /// The whole command line of a generated executable: `run`, `info`, `jobs`, `log`, `kill`, `recover` and the rest.
    pub fn command_line(&self, program: &'static Program) -> ExitCode {
        commands::main(program)
    }

    /// Runs a new job of `program` to its end, on a separate thread; `properties` are job properties.
    ///
    /// Prints nothing, and installs no signal handlers. If the program dies, its job is continued by
    /// [`Runtime::recover`]. Blocks the calling thread; in an async program use `spawn_blocking`.
    ///
    /// # Errors
    ///
    /// A property is missing (exit 2), or a host error (exit 5; the job is recoverable).
    pub fn run(
        &self,
        program: &'static Program,
        properties: Vec<(&'static str, String)>,
    ) -> Result<Finished, RunError> {
        self.run_with(program, properties, Box::new(Silent))
    }

    /// As [`Runtime::run`], and passes `observer` the events of the job and its nodes, each after it is on disk; the
    /// first one has the job's id. It is called on the thread that drives the job, and must not block for long.
    ///
    /// # Errors
    ///
    /// As [`Runtime::run`].
    pub fn run_observed(
        &self,
        program: &'static Program,
        properties: Vec<(&'static str, String)>,
        observer: impl FnMut(&ProgressEvent) + Send + 'static,
    ) -> Result<Finished, RunError> {
        self.run_with(program, properties, Box::new(Observed(observer)))
    }

    fn run_with(
        &self,
        program: &'static Program,
        properties: Vec<(&'static str, String)>,
        progress: Box<dyn Progress + Send>,
    ) -> Result<Finished, RunError> {
        let given = properties
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect();
        library::run(program, given, progress)
    }

    /// Drives every job of `program` that has lost its owner to its end.
    ///
    /// # Errors
    ///
    /// A host error (exit 5).
    pub fn recover(&self, program: &'static Program) -> Result<Vec<Finished>, RunError> {
        library::recover(program)
    }
}
