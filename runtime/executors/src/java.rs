//! The `java` action: a main class on the application's `lib/*.jar`, in a JVM of its own.
//!
//! Oozie catches what `main` throws; here the JVM's exit code 1 together with its report of an uncaught exception
//! means the same, and gives JA018 as there.

#[cfg(feature = "full")]
use std::borrow::Cow;
use std::{env, fs, io, path::PathBuf};

use hpdlc_launcher::{Attempt, ExitRecord, StartRequest};
use hpdlc_program::{
    failure::ActionError,
    table::{self, JavaOpts},
};
use serde::{Deserialize, Serialize};

use crate::{
    AttemptPlace, Completion, Evaluate, Evaluation, Executor, ProcessOutcome, RunsIn, StartError,
    Work, attempt_folder,
    launcher_config::LauncherConfig,
    main_class_args::for_main_class,
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

/// A file that Hadoop's classes read if it is on their class path. Oozie's launcher, in whose JVM the main class
/// runs there, passes the properties in other ways.
const HADOOP_SITE: &str = "hadoop-site.xml";

/// A java action with every expression evaluated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Java {
    pub setting: Setting,
    pub main_class: String,
    /// Texts of options, split when the process starts.
    pub options: Vec<String>,
    pub args: Vec<String>,
}

impl Evaluate for table::Java {
    fn evaluate(&'static self, cx: &Evaluation<'_>) -> Result<Work, ActionError> {
        Ok(Work::Java(Java::evaluate(cx, self)?))
    }
}

impl Java {
    pub fn evaluate(cx: &Evaluation<'_>, def: &'static table::Java) -> Result<Java, ActionError> {
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
        let options = match &def.java_opts {
            JavaOpts::None => Vec::new(),
            JavaOpts::Text(text) => vec![text.evaluate(cx.scope)?],
            // They are joined to one text before a shell splits that.
            JavaOpts::List(options) => cx.texts(options)?,
        };
        let args = cx.texts(def.args)?;
        let args = for_main_class(args, &|name| {
            cx.action_setting(&setting.configuration, name)
        });
        Ok(Java {
            setting,
            main_class: def.main_class.evaluate(cx.scope)?,
            options,
            args,
        })
    }

    /// The text of the JVM's options: those of the action, else those of its launcher.
    fn option_text(&self, launcher_config: &LauncherConfig) -> String {
        let own = self.options.join(" ");
        if own.trim().is_empty() {
            launcher_config.java_options.clone()
        } else {
            own
        }
    }

    /// The folder, and the jars among its links (including the application's `lib`) and `libraries`.
    fn class_path(&self, libraries: &[String]) -> Vec<String> {
        let links = self.setting.links.iter().map(|link| &link.name);
        let names = links.chain(libraries).cloned();
        let jars = names.filter(|name| name.ends_with(".jar"));
        std::iter::once(".".to_owned()).chain(jars).collect()
    }

    /// Fills the folder; returns the names of the files of its libraries.
    fn set_up(
        &self,
        place: &AttemptPlace<'_>,
        leave: LeaveThere<'_>,
    ) -> Result<Vec<String>, StartError> {
        self.setting.set_up(place, leave)?;
        self.setting.propagate(place, HADOOP_SITE)?;
        self.setting.bring_libraries(place, leave)
    }

    /// # Errors
    ///
    /// The program's output files cannot be read.
    fn judge(&self, attempt: &Attempt, record: &ExitRecord) -> io::Result<Completion> {
        let exit_error = |code| match (code, uncaught_exception(attempt)) {
            (1, Some(exception)) => ActionError::error(
                "JA018",
                format!(
                    "main class {} threw an exception: {exception}",
                    self.main_class
                ),
            ),
            // The JVM reports `System.exit(-1)` as 255.
            (255, _) => ActionError::error("JA019", self.exit_message(-1)),
            (code, _) => ActionError::error(code.to_string(), self.exit_message(code)),
        };
        process_end::completion(record, exit_error, || {
            if self.setting.capture_output {
                process_end::captured(
                    attempt,
                    &attempt_folder::output_properties(attempt),
                    self.setting.max_output,
                )
            } else {
                Ok(Ok(process_end::CapturedData::default()))
            }
        })
    }

    fn exit_message(&self, code: i32) -> String {
        format!("Main Class [{}], exit code [{code}]", self.main_class)
    }
}

#[cfg(feature = "full")]
impl Containable for Java {
    fn setting(&self) -> Cow<'_, Setting> {
        Cow::Borrowed(&self.setting)
    }

    fn container_call(
        &self,
        place: &AttemptPlace<'_>,
        leave: LeaveThere<'_>,
    ) -> Result<ContainerCall, StartError> {
        let libraries = self.set_up(place, leave)?;
        let launcher_config = self.setting.launcher_config()?;
        let text = |text: &str| CallArgument::Text(text.to_owned());
        let mut argv = vec![
            text("java"),
            CallArgument::JvmOptions {
                text: self.option_text(&launcher_config),
                heap: launcher_config.heap,
            },
        ];
        argv.extend(system_properties(place).map(CallArgument::Text));
        argv.push(text("-cp"));
        argv.push(CallArgument::ClassPath {
            own: self.class_path(&libraries),
            of_cluster: self
                .setting
                .configuration
                .get("yarn.application.classpath")
                .cloned(),
        });
        argv.push(text(&self.main_class));
        argv.extend(self.args.iter().cloned().map(CallArgument::Text));
        Ok(ContainerCall {
            program: ContainerProgram::Java,
            argv,
            env: self
                .setting
                .container_environment(place.attempt, &launcher_config, &libraries),
        })
    }

    fn results(&self) -> Vec<String> {
        vec![attempt_folder::OUTPUT_PROPERTIES.to_owned()]
    }

    fn judge(&self, context: &WorkContext<'_>, record: &ExitRecord) -> io::Result<JudgedEnd> {
        Java::judge(self, context.attempt(), record).map(call::judged)
    }
}

/// The options that tell the main class what Oozie's launcher tells it.
fn system_properties(place: &AttemptPlace<'_>) -> impl Iterator<Item = String> {
    attempt_folder::system_properties(place)
        .into_iter()
        .map(|(name, value)| format!("-D{name}={value}"))
}

impl Executor for Java {
    fn runs_in(&self) -> RunsIn {
        RunsIn::Program
    }

    fn when_lost(&self) -> Option<&str> {
        self.setting.when_lost()
    }

    fn is_slow_to_start(&self) -> bool {
        true
    }

    fn may_go_on_elsewhere(&self) -> bool {
        self.setting.applications.is_some()
    }

    fn start(&self, place: &AttemptPlace<'_>, _: &Work) -> Result<StartRequest, StartError> {
        let libraries = self.set_up(place, &mut leave_none)?;
        let program = match env::var_os("JAVA_HOME").filter(|home| !home.is_empty()) {
            Some(home) => PathBuf::from(home).join("bin/java"),
            None => program_path::find_program(place.attempt, "java")?,
        };
        let mut argv = vec!["java".to_owned()];
        let launcher_config = self.setting.launcher_config()?;
        let options = self.option_text(&launcher_config);
        argv.extend(launcher_config.jvm_options(&options, place.attempt.folder())?);
        argv.extend(system_properties(place));
        argv.push("-cp".to_owned());
        let inherited = env::var("CLASSPATH").ok().filter(|path| !path.is_empty());
        let class_path = self.class_path(&libraries).into_iter().chain(inherited);
        argv.push(class_path.collect::<Vec<_>>().join(":"));
        argv.push(self.main_class.clone());
        argv.extend(self.args.iter().cloned());
        let env = self
            .setting
            .environment(place.attempt, &launcher_config, &libraries);
        place.request(&program, argv, env, None, self.setting.limit)
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

/// The first line of the JVM's report, without the JVM's own prefix.
fn uncaught_exception(attempt: &Attempt) -> Option<String> {
    let text = fs::read(attempt.stderr()).ok()?;
    String::from_utf8_lossy(&text).lines().find_map(|line| {
        line.strip_prefix("Exception in thread \"main\" ")
            .or_else(|| line.strip_prefix("Error: "))
            .map(str::to_owned)
    })
}
