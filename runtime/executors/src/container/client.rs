//! The client of a tool in a container: what its owner does before and after.
//!
//! The order for it is a file in the container's folder. There this executable reads it and becomes the tool ([`super::client_process`]).

use std::{borrow::Cow, fs, io};

use hpdlc_files::Access;
use hpdlc_launcher::{Attempt, ExitRecord};
use hpdlc_program::failure::ActionError;
use serde::{Deserialize, Serialize};

use super::call::{self, CallArgument, Containable, ContainerCall, ContainerProgram, JudgedEnd};
use crate::{
    AttemptPlace, Completion, StartError, attempt_folder,
    configuration::{FILE_SYSTEM, RESOURCE_MANAGER, USER},
    launcher_choice::Launcher,
    process::{LeaveThere, RemoteFile, Setting},
    process_end,
    stored_error::StoredError,
    tool::{self, Resource, ResourceRole, Supplies, Tool, ToolExit, ToolRun},
    worker_process::{WorkContext, WorkError, WorkResult},
};

/// The first argument of the process.
pub(super) const ARGUMENT: &str = "hpdl-client";
/// The order, in the container's folder.
pub(super) const ORDER: &str = ".hpdl-client.json";
/// Why there is no tool, in the same folder.
pub(super) const FAILURE: &str = ".hpdl-client-failure.json";

/// What the process in the container is told.
#[derive(Serialize, Deserialize)]
pub(super) struct ClientOrder {
    pub tool: Tool,
    pub supplies: Supplies,
    /// The attempt's folder on the machine of the owner, where the supplies were packed.
    pub folder: String,
    pub job: String,
    pub node: String,
    /// The tags of the tool's applications.
    pub tags: [String; 2],
}

/// The settings of a tool's client, as those of any program.
pub fn setting(tool: &Tool) -> Setting {
    let mut configuration = tool.configuration.clone();
    for (name, value) in [
        (USER, Some(tool.user.as_str())),
        (FILE_SYSTEM, tool.name_node.as_deref()),
        (RESOURCE_MANAGER, tool.resource_manager.as_deref()),
    ] {
        if let Some(value) = value {
            configuration.insert(name.to_owned(), value.to_owned());
        }
    }
    Setting {
        prepare: tool.prepare.clone(),
        configuration,
        limit: tool.limit,
        applications: tool.applications(),
        ..Setting::default()
    }
}

impl Containable for Tool {
    fn setting(&self) -> Cow<'_, Setting> {
        Cow::Owned(setting(self))
    }

    fn container_call(
        &self,
        place: &AttemptPlace<'_>,
        leave: LeaveThere<'_>,
    ) -> Result<ContainerCall, StartError> {
        let folder = place.attempt.folder();
        attempt_folder::make_empty_folder(folder)?;
        let access = Access::new(&self.prepare.access, place.is_canceled);
        let mut supplies = Supplies::gather(self, place)?;
        let mut leave = |resource: &Resource| {
            leave(RemoteFile {
                uri: &resource.uri,
                name: &resource.name,
                is_archive: resource.role == ResourceRole::Archive,
            })
        };
        supplies.pack(self, folder, &access, &mut leave)?;
        self.prepare.run(place.is_canceled)?;
        let order = ClientOrder {
            tool: self.clone(),
            supplies,
            folder: folder.display().to_string(),
            job: place.job_id.to_owned(),
            node: place.node.to_owned(),
            tags: self.both_tags(place),
        };
        let order = serde_json::to_string(&order).map_err(|error| {
            ActionError::error("JA018", format!("the order of its client: {error}"))
        })?;
        tool::write_files(&[(ORDER.to_owned(), order)], folder)
            .map_err(|error| StartError::machine(folder, &error))?;
        let argv = ["hpdl-client", ARGUMENT].map(|word| CallArgument::Text(word.to_owned()));
        Ok(ContainerCall {
            program: ContainerProgram::Client(self.kind),
            argv: argv.into(),
            env: variables(self)?,
        })
    }

    fn results(&self) -> Vec<String> {
        vec![FAILURE.to_owned()]
    }

    fn judge(&self, context: &WorkContext<'_>, record: &ExitRecord) -> io::Result<JudgedEnd> {
        if let Some(error) = failure(context.attempt())? {
            return Ok(call::judged(Completion::failed(error, process_end::FAILED)));
        }
        let exit = match (record.exceeded, record.code, record.signal) {
            (Some(_), _, _) => ToolExit::Exceeded,
            (None, Some(code), _) => ToolExit::Exited(code),
            (None, None, Some(_)) => ToolExit::Signaled,
            (None, None, None) => {
                let problem = record.error.as_deref().unwrap_or("it left no exit status");
                let error = ActionError::error("JA018", problem);
                return Ok(call::judged(Completion::failed(error, process_end::FAILED)));
            }
        };
        let run = ToolRun::new(self, context, Launcher::Yarn);
        Ok(run.and_then(|run| run.conclude(exit)))
    }

    fn without_container(
        &self,
        context: &WorkContext<'_>,
        named: &[String],
    ) -> Result<Option<WorkResult>, WorkError> {
        ToolRun::new(self, context, Launcher::Yarn)?.without_tool(named)
    }
}

/// The variables of the launcher, by which the tool is found.
fn variables(tool: &Tool) -> Result<Vec<(String, String)>, ActionError> {
    let mut variables = tool.launcher_config()?.variables;
    // The tool gets what it inherits of these, and the launcher's once more.
    variables.retain(|(name, _)| name != "HADOOP_CLIENT_OPTS");
    Ok(variables)
}

/// Why the process in the container has not become the tool, if it has not.
fn failure(attempt: &Attempt) -> io::Result<Option<ActionError>> {
    match fs::read(attempt.folder().join(FAILURE)) {
        Ok(text) => {
            let error: StoredError = serde_json::from_slice(&text)?;
            Ok(Some(error.into()))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests;
