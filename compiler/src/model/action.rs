//! Action nodes: what every type has in common, and one file per type.

pub mod custom;
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
#[cfg(test)]
pub mod probe;
pub mod rust;
pub mod shell;
pub mod spark;
pub mod sqoop;
pub mod ssh;
pub mod sub_workflow;

pub use self::{
    custom::{Custom, CustomElement},
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
    rust::Rust,
    shell::Shell,
    spark::Spark,
    sqoop::Sqoop,
    ssh::Ssh,
    sub_workflow::SubWorkflow,
};
use std::fmt::Debug;

use hpdlc_core::action::{self, Empty, Form, TypedBody};

use crate::{
    model::{Configuration, Sla, Template},
    source::{Span, Spanned},
};

/// The bodies of the model: texts as they are parsed, with their places in the document.
#[derive(Clone, Debug)]
pub struct Parsed;

impl Form for Parsed {
    type Text = Template;
    type List<T: Clone + Debug + 'static> = Vec<T>;
    type Boxed<T: Clone + Debug + 'static> = Box<T>;
    type Configuration = Configuration;
    type Operation = FsOperation;
}

impl Empty for Configuration {
    const EMPTY: Configuration = Configuration {
        properties: Vec::new(),
    };
}

pub type HadoopSettings = action::Settings<Parsed>;
pub type PrepareOperation = action::PrepareOperation<Parsed>;

/// An action node.
#[derive(Clone, Debug)]
pub struct Action {
    /// The name in the body's start tag, such as `shell`.
    pub body_span: Span,
    pub retry: Retry,
    /// The names in `cred`, as Oozie reads them: split at commas, blanks kept.
    pub credentials: Vec<Spanned<String>>,
    /// Like every target in the model: empty if it is missing or not a valid name, which has been reported.
    pub ok: Spanned<String>,
    pub error: Spanned<String>,
    pub kind: ActionKind,
    pub sla: Option<Box<Sla>>,
}

/// User retry, as written. Evaluated with job properties alone (`LiteWorkflowAppParser`, context `job-submit`).
#[derive(Clone, Debug, Default)]
pub struct Retry {
    pub max: Option<Template>,
    /// In minutes.
    pub interval: Option<Template>,
    /// `periodic` or `exponential`.
    pub policy: Option<Template>,
}

/// A text that names files, and its element.
pub type NamedFile<'a> = (&'static str, &'a Template);

/// What the compiler needs to know of the body of an action, besides its elements.
pub trait ActionBody: TypedBody<Parsed> {
    /// The files that it refers to, without those of its settings.
    fn files(&self) -> Vec<NamedFile<'_>> {
        Vec::new()
    }

    /// The text that names the script which it runs, if that may be a file of the application.
    fn script(&self) -> Option<&Template> {
        None
    }

    /// The command lines that it runs, each of one text or several; their scripts may be in the application's `lib`.
    fn commands(&self) -> Vec<Vec<&Template>> {
        Vec::new()
    }

    /// Whether properties of its configuration name what it reads.
    fn has_input_properties(&self) -> bool {
        false
    }

    /// The argument that is a path which it reads.
    fn source(&self) -> Option<&Template> {
        None
    }

    /// Whether it may write data for later actions.
    fn may_write(&self) -> bool {
        true
    }

    /// Upcasts to the trait object.
    fn as_body(&self) -> &dyn ActionBody
    where
        Self: Sized,
    {
        self
    }
}

/// The registry of action types, one line per type: the enum [`ActionKind`] with its variants, and the mapping of each to
/// its [`ActionBody`].
macro_rules! action_types {
    ($($(#[$attribute:meta])* $name:ident($body:ty)),* $(,)?) => {
        /// One variant per action type that a schema defines.
        #[derive(Clone, Debug)]
        pub enum ActionKind {
            $($(#[$attribute])* $name($body),)*
            /// A body of unknown type, or no body, if the name is empty. It has been reported; the graph still contains the
            /// node.
            Unknown(String),
        }

        impl ActionKind {
            /// The body; `None` for an unknown type.
            pub fn body(&self) -> Option<&dyn ActionBody> {
                match self {
                    $($(#[$attribute])* ActionKind::$name(body) => Some(body.as_body()),)*
                    ActionKind::Unknown(_) => None,
                }
            }
        }
    };
}

action_types! {
    Custom(Custom),
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
    #[cfg(test)]
    Probe(probe::Probe),
    Rust(Rust),
    Shell(Shell),
    Spark(Box<Spark>),
    Sqoop(Sqoop),
    Ssh(Ssh),
    SubWorkflow(SubWorkflow),
}

impl ActionKind {
    /// The name of the body's element, which is Oozie's name of the type.
    pub fn name(&self) -> &str {
        match self {
            ActionKind::Unknown(name) => name,
            kind => kind.body().map_or("", |body| body.type_name()),
        }
    }

    /// See [`TypedBody::settings`].
    pub fn settings(&self) -> Option<&HadoopSettings> {
        self.body()?.settings()
    }

    /// See [`TypedBody::prepare`].
    pub fn prepare(&self) -> Option<&[PrepareOperation]> {
        self.body()?.prepare()
    }

    /// Whether Oozie runs the type with its launcher: such an action needs a cluster, may have credentials, and has a
    /// restricted configuration.
    pub fn has_launcher(&self) -> bool {
        self.prepare().is_some()
    }

    /// The function of the program or of an extension that it calls, with the place of its name; `body` is that of the body's
    /// element.
    pub fn called_function(&self, body: Span) -> Option<Spanned<String>> {
        match self {
            ActionKind::Custom(custom) => Some(Spanned::new(custom.function.to_owned(), body)),
            ActionKind::Rust(rust) => {
                let function = &rust.function;
                Some(Spanned::new(
                    function.text.as_str().to_owned(),
                    function.span,
                ))
            }
            _ => None,
        }
    }

    /// The sub-workflow that the action runs.
    pub fn sub_workflow(&self) -> Option<&SubWorkflow> {
        match self {
            ActionKind::SubWorkflow(sub_workflow) => Some(sub_workflow),
            _ => None,
        }
    }
}

/// Whether a file of that name is a script that an interpreter runs.
pub fn is_script_name(name: &str) -> bool {
    [".sh", ".bash", ".ksh", ".py", ".pl", ".rb", ".R"]
        .iter()
        .any(|ending| name.ends_with(ending))
}

/// The files that are linked into an action's folder.
fn linked<'a>(
    files: &'a [Template],
    archives: &'a [Template],
) -> impl Iterator<Item = NamedFile<'a>> {
    let files = files.iter().map(|text| ("file", text));
    files.chain(archives.iter().map(|text| ("archive", text)))
}

/// The property by which an action of the dialect of 2009 specifies its file system.
pub const FILE_SYSTEM: &str = "fs.default.name";
/// The property by which an action of the dialect of 2009 specifies its cluster.
pub const JOB_TRACKER: &str = "mapred.job.tracker";
