//! A program as a container runs it: what only the container knows is decided there.

use std::io;

use hpdlc_launcher::{Attempt, ExitRecord};
use serde::{Deserialize, Serialize};

use crate::{
    AttemptPlace, Completion, StartError,
    process::{LeaveThere, Setting},
};

/// An action whose program runs in a container as well as on this machine.
pub trait Containable {
    fn setting(&self) -> &Setting;

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

    /// Judges the end of the program; its output is in the files of the attempt, as that of a local one.
    ///
    /// # Errors
    ///
    /// These cannot be read.
    fn judge(&self, attempt: &Attempt, record: &ExitRecord) -> io::Result<Completion>;
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
