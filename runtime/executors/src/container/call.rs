//! A program as a container runs it: what only the container knows is decided there.

use std::{borrow::Cow, io};

use hpdlc_launcher::ExitRecord;
use serde::{Deserialize, Serialize};

use crate::{
    AttemptPlace, Completion, StartError, ToolKind,
    process::{LeaveThere, Setting},
    worker_process::{WorkContext, WorkError, WorkResult},
};

/// An action whose program runs in a container as well as on this machine.
pub trait Containable {
    fn setting(&self) -> Cow<'_, Setting>;

    /// Fills the attempt's folder, but for what `leave` leaves where it is, and describes the call. Texts name files by their paths in
    /// the attempt's folder.
    ///
    /// # Errors
    ///
    /// The action cannot be started, or a host error.
    fn container_call(
        &self,
        place: &AttemptPlace<'_>,
        leave: LeaveThere<'_>,
    ) -> Result<ContainerCall, StartError>;

    /// Names of files of its folder that are needed after its end.
    fn results(&self) -> Vec<String> {
        Vec::new()
    }

    /// Judges the end of the program; its output is in the files of the attempt, as that of a local one. Blocks, where it has started
    /// something that goes on.
    ///
    /// # Errors
    ///
    /// The files cannot be read.
    fn judge(&self, context: &WorkContext<'_>, record: &ExitRecord) -> io::Result<JudgedEnd>;

    /// The result of a program whose container is gone and has left none, if what it has started goes on without it. Otherwise that is
    /// ended, where nothing else ends it: `named` are applications. Blocks.
    ///
    /// # Errors
    ///
    /// Why there is no result.
    fn without_container(
        &self,
        _: &WorkContext<'_>,
        _named: &[String],
    ) -> Result<Option<WorkResult>, WorkError> {
        Ok(None)
    }
}

/// The result of a program that has ended.
pub type JudgedEnd = Result<WorkResult, WorkError>;

/// That of a program which has done all of its work itself.
pub fn judged(completion: Completion) -> JudgedEnd {
    let Completion {
        error,
        external_id,
        external_status,
        data,
        warnings,
    } = completion;
    let result = WorkResult {
        external_status,
        external_id,
        data,
        warnings,
    };
    match error {
        None => Ok(result),
        Some(error) => Err(WorkError::Known(error, Box::new(result))),
    }
}

/// What the container is to start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContainerCall {
    pub program: ContainerProgram,
    /// With the program's own name.
    pub argv: Vec<CallArgument>,
    /// In addition to the variables of the container.
    pub env: Vec<(String, String)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ContainerProgram {
    /// In its folder, else in `PATH`.
    Named(String),
    /// That of `JAVA_HOME`, else in `PATH`.
    Java,
    /// This executable, which becomes the client of a tool.
    Client(ToolKind),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CallArgument {
    Text(String),
    /// Options of the JVM, which the shells of a container split; the heap is in megabytes.
    JvmOptions {
        text: String,
        heap: Option<u64>,
    },
    /// A class path: the action's own entries, then the cluster's.
    ClassPath {
        own: Vec<String>,
        /// `yarn.application.classpath`, if the action has one.
        of_cluster: Option<String>,
    },
}
