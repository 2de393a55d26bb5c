//! The last steps before a tool starts, on the machine that has it: that of the application, or the node of a container.

use std::{
    io,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::Child,
    time::Instant,
};

use hpdlc_files::Access;
use hpdlc_host::exec_error;
use hpdlc_launcher::Attempt;
use hpdlc_program::failure::ActionError;

use super::{
    Command, Tool, ToolCall, ToolGround,
    client::{self, ToolExit},
    cluster, configuration, installed,
    map_reduce::config_class,
    supplies::Supplies,
};
use crate::{AttemptPlace, environment};

/// The machine that has the tool.
#[derive(Clone, Debug)]
pub struct ToolMachine {
    /// The name of the node of a container; `None` for this machine.
    pub node: Option<String>,
    /// Where its processes print: standard output, and standard error.
    pub output: [PathBuf; 2],
}

/// A tool whose folder is filled.
pub struct ReadyTool<'a> {
    tool: &'a Tool,
    attempt: &'a Attempt,
    machine: &'a ToolMachine,
    ground: ToolGround,
    call: ToolCall,
    program: PathBuf,
    environment: Vec<(String, String)>,
    /// Names of variables that it does not get.
    kept_out: Vec<String>,
}

impl ToolMachine {
    /// This machine, for an attempt whose process shares its output with the tool.
    pub fn own(attempt: &Attempt) -> ToolMachine {
        ToolMachine {
            node: None,
            output: [attempt.stdout(), attempt.stderr()],
        }
    }

    fn find(
        &self,
        tool: &Tool,
        attempt: &Attempt,
        command: Command,
    ) -> Result<PathBuf, ActionError> {
        client::find(tool, attempt, command, self.node.as_deref())
    }
}

impl<'a> ReadyTool<'a> {
    /// Fills the folder of the attempt. `tags` are those of its applications.
    ///
    /// # Errors
    ///
    /// JA018: the texts of the action are invalid, or there is no such program. JA007: a configuration is none. JA001 to JA009: a file
    /// cannot be read or written.
    pub fn make(
        tool: &'a Tool,
        place: &AttemptPlace<'a>,
        tags: &[String],
        supplies: Supplies,
        machine: &'a ToolMachine,
    ) -> Result<ReadyTool<'a>, ActionError> {
        let attempt = place.attempt;
        let folder = attempt.folder();
        let r#type = tool.r#type();
        let access = Access::new(&tool.prepare.access, place.is_canceled);
        let jars = supplies.bring(tool, folder, &access)?;
        let Supplies {
            resources,
            found,
            site_properties,
        } = supplies;
        let found = match found {
            Some(found) => Some(found),
            None => (r#type.find_installed)(tool, &resources, &jars)?,
        };
        let find = || machine.find(tool, attempt, r#type.command);
        let tags: Vec<&str> = tags.iter().map(String::as_str).collect();
        let ground = ToolGround {
            folder: folder.to_owned(),
            job_id: place.job_id.to_owned(),
            node: place.node.to_owned(),
            configuration: configuration::complete(tool, place.job_id, place.node, &tags),
            resources,
            jars,
            site: cluster::installed_site()?,
            found,
            site_properties,
            installed: installed::of(tool, find)?,
        };
        let call = (r#type.call)(tool, &ground)?;
        let action_xml = configuration::to_xml(&ground.configuration)?;
        let action_xml = [("action.xml".to_owned(), action_xml)];
        for files in [&action_xml[..], &call.files, &tool.sent_scripts()] {
            client::write_files(files, folder).map_err(|error| of_folder(folder, &error))?;
        }
        let program = find()?;
        let java_options = tool.texts.one("java-opts").unwrap_or_default();
        let launcher = configuration::launcher_environment(tool, java_options, folder)?;
        let environment = client::environment(tool, place, &ground, launcher, &call.environment);
        let passed = tool.setting(environment::PASS).unwrap_or_default();
        Ok(ReadyTool {
            tool,
            attempt,
            machine,
            ground,
            call,
            program,
            environment,
            kept_out: environment::kept_out(passed),
        })
    }

    /// Lets the author's class complete the configuration of the job, if the action names one; whether its time limit was exceeded.
    ///
    /// # Errors
    ///
    /// JA018: the class has failed, or there is no program that calls it. JA007: its output is no configuration.
    pub fn configure(&self, until: Option<Instant>) -> Result<bool, ActionError> {
        let class = config_class::of(&self.ground);
        let Some(class) = class.filter(|_| self.tool.r#type().is_job) else {
            return Ok(false);
        };
        let folder = self.attempt.folder();
        let arguments =
            config_class::arguments(class, folder).map_err(|error| of_folder(folder, &error))?;
        let program = self
            .machine
            .find(self.tool, self.attempt, config_class::HADOOP)?;
        let environment = config_class::environment(self.environment.clone(), folder);
        let mut process =
            client::process(&program, &arguments, folder, environment, &self.kept_out);
        let mut child = process
            .spawn()
            .map_err(|error| cannot_run(&program, &error))?;
        let end = client::wait(&mut child, until).map_err(|error| {
            let problem = format!("cannot wait for {}: {error}", program.display());
            ActionError::error("JA018", problem)
        })?;
        if end == ToolExit::Exceeded {
            return Ok(true);
        }
        let words = client::words_in(&self.machine.output);
        config_class::finish(class, end, &words, &self.ground)?;
        Ok(false)
    }

    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Starts the tool.
    ///
    /// # Errors
    ///
    /// JA018: it cannot be executed.
    pub fn start(&self) -> Result<Child, ActionError> {
        self.process()
            .spawn()
            .map_err(|error| cannot_run(&self.program, &error))
    }

    /// Becomes the tool; returns only why that failed, as JA018.
    pub fn take_over(&self) -> ActionError {
        cannot_run(&self.program, &self.process().exec())
    }

    fn process(&self) -> std::process::Command {
        client::process(
            &self.program,
            &self.call.arguments,
            self.attempt.folder(),
            self.environment.clone(),
            &self.kept_out,
        )
    }
}

fn cannot_run(program: &Path, error: &io::Error) -> ActionError {
    let why = exec_error::why(program, error);
    ActionError::error("JA018", format!("cannot run {}: {why}", program.display()))
}

fn of_folder(folder: &Path, error: &io::Error) -> ActionError {
    ActionError::transient("JA009", format!("{}: {error}", folder.display()))
}
