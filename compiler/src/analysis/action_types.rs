//! What the passes ask of each action type: one file a type, which says what differs from the others.

use hpdlc_core::tools::Refused;

use crate::{
    analysis::needed::Needs,
    lints::ineligible_retries::UsualFailure,
    model::{ActionKind, Template},
};

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
mod shell;
mod spark;
mod sqoop;
mod ssh;
mod sub_workflow;
mod texts;

pub(crate) use self::{
    outlet::Outlet,
    texts::{TextType, TextVisitor},
};

/// `JavaActionExecutor` and those that derive from it.
pub(crate) const OF_LAUNCHER: [&str; 14] = [
    "JA001", "JA002", "JA003", "JA004", "JA005", "JA006", "JA007", "JA008", "JA009", "JA010",
    "JA017", "JA018", "JA019", "JA020",
];

/// What `wf:actionData` has of an action that ended well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Data {
    Never,
    /// With `capture-output`, and whether that is written.
    Captured(bool),
    /// Releases of Oozie have left the ids of child jobs there (trap T32 of the semantics reference).
    Perhaps,
}

/// Which numbers an action has for an error code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExitCodes {
    Any,
    None,
    /// `1`, whatever its command exits with.
    One,
}

/// The facts of a type. What is here is so for most.
pub(crate) trait ActionType {
    /// Hands over the texts of the body, without settings and `prepare`, in the order of the document. Every field is named,
    /// so that none can be forgotten.
    fn texts<'a>(&'a self, texts: &mut TextVisitor<'_, 'a>);

    /// The paths that it works on itself, beside those of its `prepare`.
    fn paths(&self) -> Vec<&Template> {
        Vec::new()
    }

    /// Whether it only reads what is at its paths.
    fn only_reads_paths(&self) -> bool {
        false
    }

    /// The texts without which an action fails for certain, and the elements that they are in.
    fn needed_texts(&self) -> Vec<(&'static str, &Template)> {
        Vec::new()
    }

    /// The address of the service that it speaks with.
    fn address(&self) -> Option<&Template> {
        None
    }

    /// The host that its command runs on.
    fn host(&self) -> Option<&Template> {
        None
    }

    /// The arguments of its tool, and which of them the launcher refuses.
    fn tool_arguments(&self) -> Option<(&[Template], &'static Refused)> {
        None
    }

    /// Its `param` elements, where each has to be `NAME=VALUE`.
    fn assignments(&self) -> &[Template] {
        &[]
    }

    /// Its `env-var` elements.
    fn env_vars(&self) -> &[Template] {
        &[]
    }

    /// Options that a shell takes apart.
    fn options(&self) -> &[Template] {
        &[]
    }

    /// Its texts that are shown, beside its configuration.
    fn outlets(&self) -> Vec<Outlet<'_>> {
        Vec::new()
    }

    /// Adds what it needs besides this machine, or of what is installed here.
    fn needs(&self, _has_cluster: bool, _: &mut Needs) {}

    /// Whether it works elsewhere, whatever its paths are.
    fn leaves_the_machine(&self, _has_cluster: bool) -> bool {
        false
    }

    /// The codes of the closed families that it ends with.
    fn error_codes(&self) -> &'static [&'static str] {
        &OF_LAUNCHER
    }

    fn exit_codes(&self) -> ExitCodes {
        ExitCodes::Any
    }

    fn data(&self) -> Data {
        Data::Perhaps
    }

    /// The usual failure of an action where that is not on Oozie's list of what is retried.
    fn usual_failure(&self) -> Option<UsualFailure> {
        None
    }

    /// This, whatever holds it.
    fn as_type(&self) -> &dyn ActionType
    where
        Self: Sized,
    {
        self
    }
}

/// The registry of action types, a line each.
macro_rules! action_types {
    ($($(#[$attribute:meta])* $name:ident),* $(,)?) => {
        /// What is known of the type; `None` of one that no schema knows.
        pub(crate) fn of(kind: &ActionKind) -> Option<&dyn ActionType> {
            match kind {
                $($(#[$attribute])* ActionKind::$name(body) => Some(body.as_type()),)*
                ActionKind::Unknown(_) => None,
            }
        }
    };
}

action_types! {
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
    Shell,
    Spark,
    Sqoop,
    Ssh,
    SubWorkflow,
}
