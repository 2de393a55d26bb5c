//! Action types: how each is evaluated, started and judged. One file per type.
//!
//! An action's templates are evaluated once per attempt into [`Work`], which is recorded with the intent to start. A started
//! or recovered attempt uses the recorded values, never the templates again.

use std::{borrow::Cow, collections::BTreeMap, io, path::Path, sync::atomic::AtomicBool};

use hpdlc_core::el::scope::Scope;
use serde::{Deserialize, Serialize};

use hpdlc_files::{Access, GLOB_MAX};
#[cfg(feature = "full")]
use hpdlc_host::home::Home;
use hpdlc_launcher::{Attempt, StartRequest, TimeLimit};
use hpdlc_program::{
    failure::ActionError,
    table::{App, Body, Program, Template},
};

pub mod action;
mod archives;
mod attempt_folder;
mod attempt_state;
pub mod callbacks;
pub mod configuration;
#[cfg(feature = "full")]
pub mod container;
#[cfg(not(feature = "full"))]
#[path = "no_container.rs"]
pub mod container;
mod custom;
pub mod email;
pub mod empty_parts;
mod environment;
mod evaluate;
mod executor;
mod fetch;
mod file_name;
pub mod fs;
pub mod function;
pub mod git;
mod hadoop_folder;
pub mod http;
pub mod java;
mod launcher_choice;
mod launcher_config;
pub mod launcher_inheritance;
mod main_class_args;
pub mod node_texts;
pub mod pig_host;
pub mod prepare;
#[cfg(feature = "testing")]
mod probe;
pub mod process;
mod process_end;
mod program_path;
pub mod remote_child;
pub mod requests;
pub mod rust;
pub mod shell;
mod signature;
pub mod ssh;
mod stored_error;
pub mod sub_workflow;
mod time_limit;
#[cfg(feature = "full")]
pub mod tool;
#[cfg(not(feature = "full"))]
#[path = "no_tool.rs"]
pub mod tool;
mod tool_kind;
mod tool_types;
pub mod worker_process;

pub use self::{
    evaluate::Evaluate,
    executor::{Executor, RunsIn},
    tool_kind::ToolKind,
};

/// The input of an evaluation.
pub struct Evaluation<'a> {
    pub program: &'static Program,
    pub app: &'static App,
    pub scope: &'a dyn Scope,
    /// The job's properties.
    pub conf: &'a BTreeMap<String, String>,
    /// Site settings, which the job's properties override.
    pub site: &'a BTreeMap<String, String>,
    pub root: sub_workflow::TopJob<'a>,
    /// The action's node.
    pub node: &'a str,
    /// The id of the parent job, or of the coordinator action that started this one.
    pub parent: Option<&'a str>,
    /// Where the application's files are unpacked.
    pub app_folder: &'a Path,
    /// The state folder.
    #[cfg(feature = "full")]
    pub home: &'a Home,
    /// Access to other file systems.
    pub access: &'a Access<'a>,
}

impl Evaluation<'_> {
    /// A setting by Oozie's name: the job's property, else the site's.
    pub fn setting(&self, name: &str) -> Option<String> {
        self.conf.get(name).or_else(|| self.site.get(name)).cloned()
    }

    /// A setting of an action with this configuration, which overrides the job and the site.
    pub fn action_setting(
        &self,
        configuration: &BTreeMap<String, String>,
        name: &str,
    ) -> Option<String> {
        let own = configuration.get(name).cloned();
        own.or_else(|| self.setting(name))
    }

    /// More files than this that match one pattern are an error (`oozie.action.fs.glob.max`).
    pub fn glob_max(&self) -> usize {
        self.setting("oozie.action.fs.glob.max")
            .and_then(|max| max.trim().parse().ok())
            .unwrap_or(GLOB_MAX)
    }

    /// The maximum bytes of captured output (`oozie.action.max.output.data`; Oozie's default is 2,048).
    pub fn max_output(&self) -> u64 {
        self.setting("oozie.action.max.output.data")
            .and_then(|limit| limit.trim().parse().ok())
            .unwrap_or(process_end::MAX_OUTPUT)
    }

    pub fn texts(&self, templates: &[Template]) -> Result<Vec<String>, ActionError> {
        templates
            .iter()
            .map(|text| Ok(text.evaluate(self.scope)?))
            .collect()
    }
}

/// The registry of action types: the enum [`Work`] with one variant per type and for what some of them become, the mapping from each to its [`Executor`], and from
/// the definition of each to its [`Evaluate`].
macro_rules! action_types {
    (
        $($(#[$attribute:meta])* $name:ident($executor:ty)),* $(,)?;
        $($of_others:ident($work:ty)),* $(,)?;
        Tool($tool:ty): $($other:ident),* $(,)?
    ) => {
        /// The evaluated body of an action: what an attempt is started with.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub enum Work {
            $($(#[$attribute])* $name($executor),)*
            $($of_others($work),)*
            Tool($tool),
        }

        impl Work {
            /// The type's implementation.
            pub fn executor(&self) -> &dyn Executor {
                match self {
                    $($(#[$attribute])* Work::$name(executor) => executor.as_executor(),)*
                    $(Work::$of_others(executor) => executor.as_executor(),)*
                    Work::Tool(executor) => executor.as_executor(),
                }
            }
        }

        fn evaluator(body: &Body) -> &dyn Evaluate {
            match body {
                $($(#[$attribute])* Body::$name(def) => def.as_evaluate(),)*
                $(Body::$other(def) => def.as_evaluate()),*
            }
        }
    };
}

action_types! {
    Email(email::Email),
    Fs(fs::Fs),
    Git(git::Git),
    Http(http::Http),
    Java(java::Java),
    #[cfg(feature = "testing")]
    Probe(probe::Probe),
    Rust(rust::Rust),
    Shell(shell::Shell),
    Ssh(ssh::Ssh),
    SubWorkflow(sub_workflow::SubWorkflow);
    // What a program in a container becomes.
    Container(Box<container::Container>),
    // What a sub-workflow on another instance becomes.
    RemoteChild(remote_child::RemoteChild);
    // Most of these become work of a tool.
    Tool(Box<tool::Tool>): Custom, Distcp, Hive, Hive2, MapReduce, Pig, Spark, Sqoop,
}

impl Work {
    /// Whether a local process, which the launcher starts and supervises, does the work.
    pub fn is_process(&self) -> bool {
        self.executor().runs_in().is_process()
    }

    /// The child that is to do the work: the engine creates its job, even if the application is in another executable.
    pub fn child(&self) -> Option<&sub_workflow::SubWorkflow> {
        match self {
            Work::SubWorkflow(child) => Some(child),
            _ => None,
        }
    }

    /// The settings of its program, if that may run in a container as well as on this machine.
    fn program_setting(&self) -> Option<Cow<'_, process::Setting>> {
        match self {
            Work::Java(java) => Some(Cow::Borrowed(&java.setting)),
            Work::Shell(shell) => Some(Cow::Borrowed(&shell.setting)),
            #[cfg(feature = "full")]
            Work::Tool(tool) => Some(Cow::Owned(container::client::setting(tool))),
            _ => None,
        }
    }

    /// Its program as a container runs it.
    #[cfg(feature = "full")]
    fn containable(&self) -> Option<&dyn container::call::Containable> {
        match self {
            Work::Java(java) => Some(java),
            Work::Shell(shell) => Some(shell),
            Work::Tool(tool) => Some(&**tool),
            _ => None,
        }
    }

    /// Sets up the folder and returns what the launcher is to start.
    ///
    /// # Errors
    ///
    /// As [`Executor::start`].
    pub fn start(&self, place: &AttemptPlace<'_>) -> Result<StartRequest, StartError> {
        self.executor().start(place, self)
    }

    /// The outcome that an attempt has stored, if the end of its process was not observed.
    ///
    /// # Errors
    ///
    /// It cannot be read.
    pub fn left(&self, attempt: &Attempt) -> io::Result<Option<ProcessOutcome>> {
        match self.executor().runs_in() {
            RunsIn::Worker => worker_process::left(attempt),
            RunsIn::Engine | RunsIn::Program | RunsIn::Child => Ok(None),
        }
    }
}

/// Evaluates every template of an action.
///
/// # Errors
///
/// As [`Evaluate::evaluate`].
pub fn evaluate(cx: &Evaluation<'_>, body: &'static Body) -> Result<Work, ActionError> {
    container::placed(cx, evaluator(body).evaluate(cx)?)
}

/// Whether evaluating the body may block for long: it reads files.
pub fn is_blocking(app: &App, body: &Body, conf: &BTreeMap<String, String>) -> bool {
    // The inherited `global` may name `job-xml` files.
    conf.contains_key(launcher_inheritance::PROPERTY) || evaluator(body).is_blocking(app)
}

/// Whether evaluating a body always gives the same values.
pub fn is_constant(app: &App, body: &Body) -> bool {
    evaluate::is_constant(app, body.def())
}

/// The paths and the job of an attempt.
#[derive(Clone, Copy, Debug)]
pub struct AttemptPlace<'a> {
    pub job_id: &'a str,
    pub node: &'a str,
    pub attempt: &'a Attempt,
    /// Where the application's files are unpacked.
    pub app_folder: &'a Path,
    /// `wf:appPath()` of the job.
    pub app_path: &'a str,
    /// The state folder.
    pub home: &'a Path,
    /// Set when the job is killed: long work stops.
    pub is_canceled: &'a AtomicBool,
}

impl AttemptPlace<'_> {
    /// What the launcher is to start.
    fn request(
        &self,
        program: &Path,
        argv: Vec<String>,
        env: Vec<(String, Option<String>)>,
        action_xml: Option<String>,
        limit: Option<TimeLimit>,
    ) -> Result<StartRequest, StartError> {
        let text = |path: &Path| {
            path.to_str().map(str::to_owned).ok_or_else(|| {
                let problem = format!("{} is not valid UTF-8", path.display());
                StartError::from(ActionError::error("JA009", problem))
            })
        };
        Ok(StartRequest {
            attempt: text(self.attempt.folder())?,
            program: text(program)?,
            argv,
            env,
            action_xml,
            limit,
        })
    }
}

/// Why an attempt was not started.
#[derive(Debug)]
pub enum StartError {
    /// The action's own failure.
    Action(ActionError),
    /// A host error: the attempt is treated as not begun.
    Machine(String),
}

impl StartError {
    fn machine(path: &Path, error: &io::Error) -> StartError {
        StartError::Machine(format!("{}: {error}", path.display()))
    }
}

impl From<ActionError> for StartError {
    fn from(error: ActionError) -> StartError {
        StartError::Action(error)
    }
}

/// How the work of an attempt ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    pub error: Option<ActionError>,
    /// The external id of the work; `None` keeps the known one.
    pub external_id: Option<String>,
    pub external_status: String,
    /// The value of `wf:actionData`.
    pub data: BTreeMap<String, String>,
    /// Lines for the job's log.
    pub warnings: Vec<String>,
}

impl Completion {
    pub fn ok(external_status: &str) -> Completion {
        Completion {
            error: None,
            external_id: None,
            external_status: external_status.to_owned(),
            data: BTreeMap::new(),
            warnings: Vec::new(),
        }
    }

    pub fn failed(error: ActionError, external_status: &str) -> Completion {
        Completion {
            error: Some(error),
            external_id: None,
            external_status: external_status.to_owned(),
            data: BTreeMap::new(),
            warnings: Vec::new(),
        }
    }
}

/// The outcome of a local process that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProcessOutcome {
    Completed(Completion),
    /// It is unknown whether it has done its work.
    Lost(String),
}
