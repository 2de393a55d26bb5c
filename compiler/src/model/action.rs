//! Action nodes: what every type has in common, and one file a type.

pub mod distcp;
pub mod email;
pub mod fs;
pub mod git;
pub mod hive;
pub mod hive2;
pub mod http;
pub mod java;
pub mod map_reduce;
pub mod pig;
pub mod shell;
pub mod spark;
pub mod sqoop;
pub mod ssh;
pub mod sub_workflow;

pub use self::{
    distcp::Distcp,
    email::Email,
    fs::{Fs, FsOperation},
    git::Git,
    hive::{Hive, HiveSource},
    hive2::Hive2,
    http::Http,
    java::Java,
    map_reduce::MapReduce,
    pig::Pig,
    shell::Shell,
    spark::Spark,
    sqoop::Sqoop,
    ssh::Ssh,
    sub_workflow::SubWorkflow,
};
use crate::{
    model::{Configuration, Sla, Template},
    source::{Span, Spanned},
};

/// An action node.
#[derive(Clone, Debug)]
pub struct Action {
    /// The name in the body's start tag, such as `shell`.
    pub body_span: Span,
    pub retry: Retry,
    /// The names in `cred`, as Oozie reads them: split at commas, blanks kept.
    pub credentials: Vec<Spanned<String>>,
    /// Like every target in the model: empty where it is missing or no possible name, which has been reported.
    pub ok: Spanned<String>,
    pub error: Spanned<String>,
    pub kind: ActionKind,
    pub sla: Option<Box<Sla>>,
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

/// One variant an action type that a schema knows. Which of them can be built is for analysis to say (`H0801`).
#[derive(Clone, Debug)]
pub enum ActionKind {
    Distcp(Distcp),
    Email(Box<Email>),
    Fs(Fs),
    Git(Box<Git>),
    Hive(Hive),
    Hive2(Box<Hive2>),
    Http(Http),
    Java(Java),
    MapReduce(Box<MapReduce>),
    Pig(Pig),
    Shell(Shell),
    Spark(Box<Spark>),
    Sqoop(Sqoop),
    Ssh(Ssh),
    SubWorkflow(SubWorkflow),
    /// A body that no schema knows, or none at all, when the name is empty. It has been reported; the graph still holds the
    /// node.
    Unknown(String),
}

impl ActionKind {
    /// The name of the body's element, which is Oozie's name of the type.
    pub fn name(&self) -> &str {
        match self {
            ActionKind::Distcp(_) => "distcp",
            ActionKind::Email(_) => "email",
            ActionKind::Fs(_) => "fs",
            ActionKind::Git(_) => "git",
            ActionKind::Hive(_) => "hive",
            ActionKind::Hive2(_) => "hive2",
            ActionKind::Http(_) => "http",
            ActionKind::Java(_) => "java",
            ActionKind::MapReduce(_) => "map-reduce",
            ActionKind::Pig(_) => "pig",
            ActionKind::Shell(_) => "shell",
            ActionKind::Spark(_) => "spark",
            ActionKind::Sqoop(_) => "sqoop",
            ActionKind::Ssh(_) => "ssh",
            ActionKind::SubWorkflow(_) => "sub-workflow",
            ActionKind::Unknown(name) => name,
        }
    }

    /// What a type that knows of Hadoop has; `None` for those that take nothing from `global`.
    pub fn settings(&self) -> Option<&HadoopSettings> {
        match self {
            ActionKind::Distcp(distcp) => Some(&distcp.settings),
            ActionKind::Fs(fs) => Some(&fs.settings),
            ActionKind::Git(git) => Some(&git.settings),
            ActionKind::Hive(hive) => Some(&hive.settings),
            ActionKind::Hive2(hive2) => Some(&hive2.settings),
            ActionKind::Java(java) => Some(&java.settings),
            ActionKind::MapReduce(map_reduce) => Some(&map_reduce.settings),
            ActionKind::Pig(pig) => Some(&pig.settings),
            ActionKind::Shell(shell) => Some(&shell.settings),
            ActionKind::Spark(spark) => Some(&spark.settings),
            ActionKind::Sqoop(sqoop) => Some(&sqoop.settings),
            ActionKind::SubWorkflow(sub_workflow) => Some(&sub_workflow.settings),
            ActionKind::Email(_)
            | ActionKind::Http(_)
            | ActionKind::Ssh(_)
            | ActionKind::Unknown(_) => None,
        }
    }

    /// The `prepare` block of a type that Oozie runs by its launcher (`JavaActionExecutor`); `None` for the others.
    pub fn prepare(&self) -> Option<&Prepare> {
        match self {
            ActionKind::Distcp(distcp) => Some(&distcp.prepare),
            ActionKind::Git(git) => Some(&git.prepare),
            ActionKind::Hive(hive) => Some(&hive.prepare),
            ActionKind::Hive2(hive2) => Some(&hive2.prepare),
            ActionKind::Java(java) => Some(&java.prepare),
            ActionKind::MapReduce(map_reduce) => Some(&map_reduce.prepare),
            ActionKind::Pig(pig) => Some(&pig.prepare),
            ActionKind::Shell(shell) => Some(&shell.prepare),
            ActionKind::Spark(spark) => Some(&spark.prepare),
            ActionKind::Sqoop(sqoop) => Some(&sqoop.prepare),
            ActionKind::Email(_)
            | ActionKind::Fs(_)
            | ActionKind::Http(_)
            | ActionKind::Ssh(_)
            | ActionKind::SubWorkflow(_)
            | ActionKind::Unknown(_) => None,
        }
    }

    /// Whether Oozie runs the type by its launcher: such an action needs a cluster, may have credentials, and has limits on
    /// its configuration.
    pub fn has_launcher(&self) -> bool {
        self.prepare().is_some()
    }
}

/// The property by which an action of the dialect of 2009 names its file system.
pub const FILE_SYSTEM: &str = "fs.default.name";
/// The property by which an action of the dialect of 2009 names its cluster.
pub const JOB_TRACKER: &str = "mapred.job.tracker";

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

impl PrepareOperation {
    pub fn path(&self) -> &Template {
        match self {
            PrepareOperation::Delete(path) | PrepareOperation::Mkdir(path) => path,
        }
    }
}
