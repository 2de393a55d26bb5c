//! What the passes need to know of each action type: one file per type, with what differs from the defaults.

use hpdlc_core::tools::RefusedOptions;

use crate::{
    analysis::needed::Needs,
    lints::ineligible_retries::UsualFailure,
    model::{ActionKind, Template, action::ActionBody},
};

mod custom;
mod distcp;
mod email;
mod fs;
mod git;
mod hive;
mod hive2;
mod http;
mod java;
mod map_reduce;
mod outlet;
mod pig;
#[cfg(test)]
mod probe;
mod rust;
mod shell;
mod spark;
mod sqoop;
mod ssh;
mod sub_workflow;
mod text_type;

pub(crate) use self::{outlet::Outlet, text_type::TextType};

/// The error codes of `JavaActionExecutor` and its subclasses.
pub(crate) const LAUNCHER_ERROR_CODES: [&str; 14] = [
    "JA001", "JA002", "JA003", "JA004", "JA005", "JA006", "JA007", "JA008", "JA009", "JA010",
    "JA017", "JA018", "JA019", "JA020",
];

/// What `wf:actionData` returns for an action that ended OK.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ActionOutput {
    Never,
    /// With `capture-output`; whether that element is present.
    Captured(bool),
    /// Some releases of Oozie store the ids of child jobs there (trap T32 of the semantics reference).
    Perhaps,
    /// The ids of the jobs that it has started, under one key, and nothing else.
    Jobs,
}

/// The key of the ids of child jobs (`JavaActionExecutor.HADOOP_JOBS`).
pub(crate) const JOBS_KEY: &str = "hadoopJobs";

/// Arguments of a program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ArgumentList<'a> {
    /// The element of each.
    pub(crate) element: &'static str,
    pub(crate) texts: &'a [Template],
}

/// Parameters of a script, each `NAME=VALUE`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScriptParams<'a> {
    pub(crate) language: ScriptLanguage,
    pub(crate) texts: &'a [Template],
}

/// A language of scripts with parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ScriptLanguage {
    Hive,
    Pig,
}

/// Which exit codes an action may use as error codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExitCodes {
    Any,
    None,
    /// `1`, whatever the exit code of its command.
    One,
}

/// The facts of an action type. The defaults hold for most types.
pub(crate) trait ActionType: ActionBody {
    /// What the texts of an element are used for, or those of an attribute of an operation on files.
    fn text_type(&self, _name: &str) -> TextType {
        TextType::Text
    }

    /// The paths that it operates on itself, besides those of its `prepare`.
    fn paths(&self) -> Vec<&Template> {
        Vec::new()
    }

    /// Whether it only reads its paths.
    fn only_reads_paths(&self) -> bool {
        false
    }

    /// The texts without which an action is certain to fail, and the elements that contain them.
    fn needed_texts(&self) -> Vec<(&'static str, &Template)> {
        Vec::new()
    }

    /// The address of the service that it connects to.
    fn address(&self) -> Option<&Template> {
        None
    }

    /// The host that its command runs on.
    fn host(&self) -> Option<&Template> {
        None
    }

    /// The arguments of its tool, and those that the launcher rejects.
    fn tool_arguments(&self) -> Option<(&[Template], &'static RefusedOptions)> {
        None
    }

    /// The arguments of the program that it starts, one in each text: no shell reads them.
    fn arguments(&self) -> Option<ArgumentList<'_>> {
        None
    }

    /// Its `param` elements, each of which must be `NAME=VALUE`.
    fn assignments(&self) -> &[Template] {
        &[]
    }

    /// The `param` elements that its script gets.
    fn script_params(&self) -> Option<ScriptParams<'_>> {
        None
    }

    /// Its `env-var` elements.
    fn env_vars(&self) -> &[Template] {
        &[]
    }

    /// Options that a shell splits into words.
    fn options(&self) -> &[Template] {
        &[]
    }

    /// Its texts that are shown, besides its configuration.
    fn outlets(&self) -> Vec<Outlet<'_>> {
        Vec::new()
    }

    /// Adds what it requires beyond this machine or of the software installed here.
    fn needs(&self, _has_cluster: bool, _: &mut Needs) {}

    /// Whether its files must be in a file system that other machines reach, whatever its paths are: it runs there.
    fn needs_remote_files(&self, _has_cluster: bool) -> bool {
        false
    }

    /// The error codes that it can end with, from the closed sets.
    fn error_codes(&self) -> &'static [&'static str] {
        &LAUNCHER_ERROR_CODES
    }

    fn exit_codes(&self) -> ExitCodes {
        ExitCodes::Any
    }

    fn data(&self) -> ActionOutput {
        ActionOutput::Perhaps
    }

    /// Whether `hadoop:counters` may know it: it starts jobs on a cluster.
    fn has_counters(&self) -> bool {
        true
    }

    /// The usual failure of an action where Oozie does not retry it.
    fn usual_failure(&self) -> Option<UsualFailure> {
        None
    }

    /// Upcasts to the trait object.
    fn as_type(&self) -> &dyn ActionType
    where
        Self: Sized,
    {
        self
    }
}

/// The registry of action types, one line per type.
macro_rules! action_types {
    ($($(#[$attribute:meta])* $name:ident),* $(,)?) => {
        /// The facts of the type; `None` for a type that no schema defines.
        pub(crate) fn of(kind: &ActionKind) -> Option<&dyn ActionType> {
            match kind {
                $($(#[$attribute])* ActionKind::$name(body) => Some(body.as_type()),)*
                ActionKind::Unknown(_) => None,
            }
        }
    };
}

action_types! {
    Custom,
    Distcp,
    Email,
    Fs,
    Git,
    Hive,
    Hive2,
    Http,
    Java,
    MapReduce,
    Pig,
    #[cfg(test)]
    Probe,
    Rust,
    Shell,
    Spark,
    Sqoop,
    Ssh,
    SubWorkflow,
}
