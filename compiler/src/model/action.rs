//! Action nodes: what every type has in common, and one file a type.

pub mod fs;
pub mod java;
pub mod shell;
pub mod sub_workflow;

pub use self::{
    fs::{Fs, FsOperation},
    java::Java,
    shell::Shell,
    sub_workflow::SubWorkflow,
};
use crate::{
    model::{Configuration, Template},
    source::{Span, Spanned},
};

/// An action node.
#[derive(Clone, Debug)]
pub struct Action {
    /// The name in the body's start tag, such as `shell`.
    pub body_span: Span,
    pub retry: Retry,
    /// Like every target in the model: empty where it is missing or no possible name, which has been reported.
    pub ok: Spanned<String>,
    pub error: Spanned<String>,
    pub kind: ActionKind,
}

/// User retry, as written. Evaluated with job properties alone (`LiteWorkflowAppParser`, context `job-submit`).
#[derive(Clone, Debug, Default)]
pub struct Retry {
    pub max: Option<Template>,
    /// Minutes.
    pub interval: Option<Template>,
    /// `periodic` or `exponential`.
    pub policy: Option<Template>,
}

/// One variant an action type that the compiler can build.
#[derive(Clone, Debug)]
pub enum ActionKind {
    Fs(Fs),
    Java(Java),
    Shell(Shell),
    SubWorkflow(SubWorkflow),
    /// An action type that is not built yet (`H0801`), or a body that is unknown or missing, when the name may be empty. It
    /// has been reported; the graph still holds the node.
    Unsupported(String),
}

impl ActionKind {
    /// The name of the body's element, which is Oozie's name of the type.
    pub fn name(&self) -> &str {
        match self {
            ActionKind::Fs(_) => "fs",
            ActionKind::Java(_) => "java",
            ActionKind::Shell(_) => "shell",
            ActionKind::SubWorkflow(_) => "sub-workflow",
            ActionKind::Unsupported(name) => name,
        }
    }
}

/// What the Hadoop-style actions share. `global` has been merged in: name-node, resource-manager and job-xml as
/// `LiteWorkflowAppParser` does it; configuration stays in layers.
#[derive(Clone, Debug, Default)]
pub struct HadoopSettings {
    pub name_node: Option<Template>,
    pub resource_manager: Option<Template>,
    /// Global ones first, without those that the action repeats verbatim.
    pub job_xml: Vec<Template>,
    /// The action's own; the layers below it (`config-default.xml`, `global`) are the application's.
    pub configuration: Configuration,
}

/// `prepare`: done before the action, in every attempt, in this order.
#[derive(Clone, Debug, Default)]
pub struct Prepare {
    pub operations: Vec<PrepareOperation>,
}

#[derive(Clone, Debug)]
pub enum PrepareOperation {
    Delete(Template),
    Mkdir(Template),
}
