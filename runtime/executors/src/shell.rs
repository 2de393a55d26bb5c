//! The `shell` action: one command, run without a shell in its own folder.
//!
//! As in Oozie (`ShellMain`) only the base name of `exec` is used, looked up in the folder first, so that scripts are added by
//! `file`; any exit code but 0 is the error code "1". The real exit code is in the message.

#[cfg(feature = "full")]
use std::borrow::Cow;
use std::io;

use hpdlc_launcher::{Attempt, ExitRecord, StartRequest};
use hpdlc_program::{failure::ActionError, table};
use serde::{Deserialize, Serialize};

use crate::{
    AttemptPlace, Completion, Evaluate, Evaluation, Executor, ProcessOutcome, RunsIn, StartError,
    Work, fetch, file_name,
    hadoop_folder::HadoopFolder,
    process::{LeaveThere, ProcessBody, Setting, leave_none},
    process_end, program_path,
};
#[cfg(feature = "full")]
use crate::{
    container::call::{
        self, CallArgument, Containable, ContainerCall, ContainerProgram, JudgedEnd,
    },
    worker_process::WorkContext,
};

mod hints;

/// Variables of the process; `None` removes.
type EnvironmentChanges = Vec<(String, Option<String>)>;

/// A shell action with every expression evaluated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shell {
    pub setting: Setting,
    pub exec: String,
    pub arguments: Vec<String>,
    pub env: Vec<(String, String)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hadoop_folder: Option<HadoopFolder>,
}

impl Evaluate for table::Shell {
    fn evaluate(&'static self, cx: &Evaluation<'_>) -> Result<Work, ActionError> {
        Ok(Work::Shell(Shell::evaluate(cx, self)?))
    }
}

impl Shell {
    pub fn evaluate(cx: &Evaluation<'_>, def: &'static table::Shell) -> Result<Shell, ActionError> {
        let setting = Setting::of_program(
            cx,
            &ProcessBody {
                settings: &def.settings,
                prepare: def.prepare,
                files: def.files,
                archives: def.archives,
                capture_output: def.capture_output,
            },
        )?;
        let exec = def.exec.evaluate(cx.scope)?;
        let arguments = cx.texts(def.arguments)?;
        let mut env = Vec::new();
        for text in cx.texts(def.env_vars)? {
            match text.split_once('=') {
                Some((name, value)) if !name.is_empty() && !value.is_empty() => {
                    env.push((name.to_owned(), value.to_owned()));
                }
                Some(_) | None => {
                    let problem = format!("env-var `{text}` is not NAME=VALUE");
                    return Err(ActionError::failed("JA010", problem));
                }
            }
        }
        Ok(Shell {
            hadoop_folder: HadoopFolder::evaluate(cx, &setting.configuration),
            setting,
            exec,
            arguments,
            env,
        })
    }

    fn request(
        &self,
        place: &AttemptPlace<'_>,
        action_xml: Option<String>,
        brought: &[String],
        variables: impl Iterator<Item = (String, Option<String>)>,
    ) -> Result<StartRequest, StartError> {
        let name = file_name::base_name(&self.exec);
        let program = match action_xml {
            Some(_) => program_path::find_in_path(place.attempt, name),
            None => program_path::find_program(place.attempt, name),
        };
        let program = program.map_err(|error| {
            let is_brought = place.app_folder.join(&self.exec).is_file();
            hints::of_missing(&self.exec, is_brought).about(error)
        })?;
        let launcher_config = self.setting.launcher_config()?;
        let mut env = self
            .setting
            .environment(place.attempt, &launcher_config, brought);
        env.extend(variables);
        env.extend(
            self.env
                .iter()
                .map(|(name, value)| (name.clone(), Some(value.clone()))),
        );
        let argv = std::iter::once(name.to_owned())
            .chain(self.arguments.iter().cloned())
            .collect();
        place.request(&program, argv, env, action_xml, self.setting.limit)
    }

    /// Fills the folder; returns the names of the files of its libraries, and the variables that say where things are.
    fn set_up(
        &self,
        place: &AttemptPlace<'_>,
        leave: LeaveThere<'_>,
    ) -> Result<(Vec<String>, EnvironmentChanges), StartError> {
        self.setting.set_up(place, leave)?;
        let brought = self.setting.bring_libraries(place, leave)?;
        let program = place
            .attempt
            .folder()
            .join(file_name::base_name(&self.exec));
        fetch::make_program(&program).map_err(|error| StartError::machine(&program, &error))?;
        let variables = match &self.hadoop_folder {
            Some(folder) => folder
                .make(place.attempt, self.setting.for_tools(place))?
                .into(),
            None => Vec::new(),
        };
        Ok((brought, variables))
    }

    /// # Errors
    ///
    /// The program's output cannot be read.
    fn judge(&self, attempt: &Attempt, record: &ExitRecord) -> io::Result<Completion> {
        let exit_error = |code| {
            let name = file_name::base_name(&self.exec);
            let mut message = format!("`{name}` ended with exit code {code}");
            if let Some(line) = process_end::last_line(&attempt.stderr()) {
                message.push_str(": ");
                message.push_str(&line);
            }
            if let Some(hint) = hints::of_syntax(&self.exec, &self.arguments) {
                message.push_str("; ");
                message.push_str(&hint);
            }
            ActionError::error("1", message)
        };
        let completion = process_end::completion(record, exit_error, || {
            if self.setting.capture_output {
                process_end::captured(attempt, &attempt.stdout(), self.setting.max_output)
            } else {
                Ok(Ok(process_end::CapturedData::default()))
            }
        });
        let hint = hints::of_syntax(&self.exec, &self.arguments);
        completion.map(|mut completion| {
            if completion.error.is_none() {
                completion.warnings.extend(hint);
            }
            completion
        })
    }
}

#[cfg(feature = "full")]
impl Containable for Shell {
    fn setting(&self) -> Cow<'_, Setting> {
        Cow::Borrowed(&self.setting)
    }

    fn container_call(
        &self,
        place: &AttemptPlace<'_>,
        leave: LeaveThere<'_>,
    ) -> Result<ContainerCall, StartError> {
        let (brought, variables) = self.set_up(place, leave)?;
        let launcher_config = self.setting.launcher_config()?;
        let mut env = self
            .setting
            .container_environment(place.attempt, &launcher_config, &brought);
        let variables = variables.into_iter();
        env.extend(variables.filter_map(|(name, value)| Some((name, value?))));
        env.extend(self.env.iter().cloned());
        let name = file_name::base_name(&self.exec).to_owned();
        let arguments = self.arguments.iter().cloned();
        Ok(ContainerCall {
            program: ContainerProgram::Named(name.clone()),
            argv: std::iter::once(name)
                .chain(arguments)
                .map(CallArgument::Text)
                .collect(),
            env,
        })
    }

    fn judge(&self, context: &WorkContext<'_>, record: &ExitRecord) -> io::Result<JudgedEnd> {
        Shell::judge(self, context.attempt(), record).map(call::judged)
    }
}

impl Executor for Shell {
    fn runs_in(&self) -> RunsIn {
        RunsIn::Program
    }

    fn when_lost(&self) -> Option<&str> {
        self.setting.when_lost()
    }

    /// Whether more has to be done than creating a folder and a file.
    fn is_slow_to_start(&self) -> bool {
        self.hadoop_folder.is_some() || self.setting.is_slow_to_set_up()
    }

    fn may_go_on_elsewhere(&self) -> bool {
        self.setting.applications.is_some()
    }

    /// The request, if the folder contains only the configuration: the launcher creates it.
    fn hold(&self, place: &AttemptPlace<'_>) -> Option<StartRequest> {
        if self.is_slow_to_start() {
            return None;
        }
        let action_xml = self.setting.action_xml().ok()?;
        self.request(place, Some(action_xml), &[], std::iter::empty())
            .ok()
    }

    fn start(&self, place: &AttemptPlace<'_>, _: &Work) -> Result<StartRequest, StartError> {
        let (brought, variables) = self.set_up(place, &mut leave_none)?;
        self.request(place, None, &brought, variables.into_iter())
    }

    fn finish(
        &self,
        job: &str,
        attempt: &Attempt,
        record: &ExitRecord,
    ) -> io::Result<ProcessOutcome> {
        let completion = self.judge(attempt, record)?;
        let completion = self.setting.warned(completion, job, attempt, record);
        Ok(ProcessOutcome::Completed(completion))
    }

    fn kill_elsewhere(&self, job: &str, attempt: &Attempt) -> Result<(), String> {
        self.setting.end_applications(job, attempt)
    }

    fn end_lost(&self, job: &str, attempt: &Attempt) -> Result<(), String> {
        self.setting.end_lost_applications(job, attempt)
    }
}
