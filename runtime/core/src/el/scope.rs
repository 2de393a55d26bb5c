//! What an expression can access: properties, the job, its nodes, the clock, and files.
//!
//! Generated code and the tree walker get a `&dyn Scope`. The runtime implements it over a job; [`NoJob`] is used if there are
//! only properties.

use std::{collections::BTreeMap, fmt, sync::Arc};

use chrono::{DateTime, FixedOffset, Offset, Utc};

use crate::{
    el::{constants, error::ElError, phase::Phase, value::Value},
    status::ActionStatus,
};

/// The source of an expression's values.
///
/// Only properties and the clock are always available: functions about a job, its nodes or its files fail with `NeedsJob` unless
/// the scope has them.
pub trait Scope {
    /// A job property that may be written `${name}`, or `None` if it is undefined.
    ///
    /// Only properties whose name is an identifier are variables, and their values are trimmed (`DagELFunctions`);
    /// [`property_variables`] does both.
    fn variable(&self, name: &str) -> Option<Value>;

    fn now(&self) -> DateTime<Utc>;

    /// A job property of any name, not trimmed: the value of `wf:conf`.
    fn conf(&self, _name: &str) -> Result<Option<String>, ElError> {
        Err(ElError::needs_job("function `wf:conf`"))
    }

    fn job(&self) -> Result<&JobFacts, ElError> {
        Err(ElError::needs_job("a function that asks about the job"))
    }

    /// The facts about a node; `None` if it has not been reached in this run or does not exist.
    fn node(&self, name: &str) -> Result<Option<NodeFacts>, ElError> {
        Err(ElError::needs_job(format_args!(
            "a function that asks about node `{name}`"
        )))
    }

    /// The node that last ended in ERROR in this run.
    fn last_error_node(&self) -> Result<Option<String>, ElError> {
        Err(ElError::needs_job("function `wf:lastErrorNode`"))
    }

    /// The callback URL of the action that is being started, with `state` as the status that the caller fills in.
    fn callback_url(&self, _state: &str) -> Result<String, ElError> {
        Err(ElError::needs_job("function `wf:callback`"))
    }

    fn files(&self) -> &dyn FileFacts {
        &NoFiles
    }

    /// Access to the configurations of Hadoop clusters.
    fn clusters(&self) -> Result<&dyn ClusterFacts, ElError> {
        Err(ElError::needs_job("function `hadoop:conf`"))
    }

    /// The functions of coordinators and bundles that have a value here.
    fn coordinator(&self) -> &dyn CoordinatorFacts {
        &NoCoordinator
    }

    /// The offset of `oozie.processing.timezone`, which `timestamp()` uses.
    fn processing_offset(&self) -> FixedOffset {
        Utc.fix()
    }

    /// The phase, which determines the available functions and constants.
    fn phase(&self) -> Phase {
        Phase::Workflow
    }

    /// The origin of the line numbers in the evaluated text. Texts with absolute positions need none.
    fn origin(&self) -> Origin {
        Origin::default()
    }
}

/// The origin of line numbers: the first line of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Origin {
    /// As it was given to the compiler.
    pub file: &'static str,
    /// 1-based.
    pub line: u32,
}

/// The job as the functions of prefix `wf` see it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct JobFacts {
    pub id: String,
    /// The application's name with its expressions evaluated.
    pub name: String,
    /// As submitted: a folder or the definition's file.
    pub app_path: String,
    pub user: String,
    pub group: Option<String>,
    /// 0 in the first run, incremented by each rerun.
    pub run: i64,
}

/// One node of the running job.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct NodeFacts {
    /// How it ended.
    pub status: Option<ActionStatus>,
    /// The node that followed; `*` for a fork.
    pub transition: Option<String>,
    pub error_code: Option<String>,
    pub error_message: Option<String>,
    pub external_id: Option<String>,
    pub tracker_uri: Option<String>,
    pub external_status: Option<String>,
    /// The captured output.
    pub data: BTreeMap<String, String>,
}

/// File system queries of the functions of prefix `fs`. Paths are URIs or paths on the default file system.
///
/// A failed query is [`ElErrorKind::Io`](crate::el::error::ElErrorKind::Io) if a retry may help.
pub trait FileFacts {
    /// Whether anything matches `glob`.
    fn exists(&self, glob: &str) -> Result<bool, ElError>;
    /// False also if the path does not exist.
    fn is_dir(&self, path: &str) -> Result<bool, ElError>;
    /// Bytes; -1 if it does not exist; for a folder the length in its file status, which is 0 on HDFS.
    fn file_size(&self, path: &str) -> Result<i64, ElError>;
    /// Bytes of the files directly in the folder; -1 if it is a file or does not exist.
    fn dir_size(&self, path: &str) -> Result<i64, ElError>;
    /// Bytes; -1 if it does not exist.
    fn block_size(&self, path: &str) -> Result<i64, ElError>;
}

/// Queries of `hadoop:conf` to a Hadoop configuration.
///
/// A failed query is [`ElErrorKind::Io`](crate::el::error::ElErrorKind::Io) if a retry may help.
pub trait ClusterFacts: fmt::Debug + Send + Sync {
    /// A property of the cluster that `host` names, mostly as `host:port`; `None` if it is not defined.
    fn property(&self, host: &str, name: &str) -> Result<Option<String>, ElError>;
}

/// The functions of prefix `coord` and `bundle` that have a value in a scope: their meaning depends on what is evaluated when.
pub trait CoordinatorFacts {
    /// Whether a function is one of these.
    fn has(&self, prefix: Option<&str>, name: &str) -> bool;

    /// The value of a call to one of these, with its arguments as evaluated: neither counted nor coerced.
    fn call(&self, name: &str, args: &[Value]) -> Result<Value, ElError>;
}

/// The value of a variable or constant.
///
/// # Errors
///
/// `UndefinedVariable` if neither exists.
pub fn variable(scope: &dyn Scope, name: &str) -> Result<Value, ElError> {
    constants::of_phase(scope.phase(), name)
        .or_else(|| scope.variable(name))
        .ok_or_else(|| ElError::undefined_variable(name))
}

/// The text of a variable or constant, for generated code: a variable as a part of a template.
///
/// # Errors
///
/// `UndefinedVariable` if neither exists.
pub fn variable_text(scope: &dyn Scope, name: &str) -> Result<String, ElError> {
    variable(scope, name).map(Value::into_text)
}

/// Whether a property of this name can be written as a variable (`ParamChecker.isValidIdentifier`).
pub fn is_variable_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes
        .next()
        .is_some_and(|first| first == b'_' || first.is_ascii_alphabetic())
        && bytes.all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
}

/// The variables that properties define: those named by an identifier, trimmed as Java trims.
pub fn property_variables(properties: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    properties
        .iter()
        .filter(|(name, _)| is_variable_name(name))
        .map(|(name, value)| (name.clone(), crate::java::trim(value).to_owned()))
        .collect()
}

/// A scope with variables and a time, for `hpdlc eval` and for coordinators. Functions that need a job fail with `NeedsJob`.
#[derive(Clone, Debug)]
pub struct NoJob {
    pub variables: BTreeMap<String, String>,
    /// The time for `timestamp()`.
    pub now: DateTime<Utc>,
    pub phase: Phase,
    pub origin: Origin,
    /// `None` if no access is possible: at compile time.
    pub clusters: Option<Arc<dyn ClusterFacts>>,
}

impl NoJob {
    /// Job properties as variables: those named by an identifier. The phase is that of nodes.
    pub fn new(properties: &BTreeMap<String, String>, now: DateTime<Utc>) -> NoJob {
        NoJob {
            variables: property_variables(properties),
            now,
            phase: Phase::Workflow,
            origin: Origin::default(),
            clusters: None,
        }
    }

    /// The same in a phase. At the submission of a workflow, all properties are variables, and not trimmed; otherwise see
    /// [`NoJob::new`].
    pub fn in_phase(
        phase: Phase,
        properties: &BTreeMap<String, String>,
        now: DateTime<Utc>,
    ) -> NoJob {
        let variables = match phase {
            Phase::JobSubmit | Phase::WorkflowSla => properties.clone(),
            Phase::Workflow
            | Phase::Frequency
            | Phase::Plain
            | Phase::InitialInstance
            | Phase::Timeout
            | Phase::Instances
            | Phase::Data
            | Phase::CoordinatorSla
            | Phase::Create
            | Phase::CreateRange
            | Phase::CreateSla
            | Phase::Start
            | Phase::Bundle => property_variables(properties),
        };
        NoJob {
            variables,
            now,
            phase,
            origin: Origin::default(),
            clusters: None,
        }
    }
}

impl Scope for NoJob {
    fn phase(&self) -> Phase {
        self.phase
    }

    fn variable(&self, name: &str) -> Option<Value> {
        self.variables
            .get(name)
            .map(|text| Value::Text(text.clone()))
    }

    fn now(&self) -> DateTime<Utc> {
        self.now
    }

    fn origin(&self) -> Origin {
        self.origin
    }

    fn clusters(&self) -> Result<&dyn ClusterFacts, ElError> {
        let clusters = self.clusters.as_deref();
        clusters.ok_or_else(|| ElError::needs_job("function `hadoop:conf`"))
    }
}

/// A scope in which functions of coordinators have a value.
#[derive(Clone, Copy)]
pub struct CoordinatorScope<'a> {
    /// For everything else.
    pub base: &'a dyn Scope,
    pub coordinator: &'a dyn CoordinatorFacts,
}

impl Scope for CoordinatorScope<'_> {
    fn variable(&self, name: &str) -> Option<Value> {
        self.base.variable(name)
    }

    fn now(&self) -> DateTime<Utc> {
        self.base.now()
    }

    fn conf(&self, name: &str) -> Result<Option<String>, ElError> {
        self.base.conf(name)
    }

    fn job(&self) -> Result<&JobFacts, ElError> {
        self.base.job()
    }

    fn node(&self, name: &str) -> Result<Option<NodeFacts>, ElError> {
        self.base.node(name)
    }

    fn last_error_node(&self) -> Result<Option<String>, ElError> {
        self.base.last_error_node()
    }

    fn callback_url(&self, state: &str) -> Result<String, ElError> {
        self.base.callback_url(state)
    }

    fn files(&self) -> &dyn FileFacts {
        self.base.files()
    }

    fn clusters(&self) -> Result<&dyn ClusterFacts, ElError> {
        self.base.clusters()
    }

    fn coordinator(&self) -> &dyn CoordinatorFacts {
        self.coordinator
    }

    fn processing_offset(&self) -> FixedOffset {
        self.base.processing_offset()
    }

    fn phase(&self) -> Phase {
        self.base.phase()
    }

    fn origin(&self) -> Origin {
        self.base.origin()
    }
}

/// No functions of coordinators: those of a workflow.
#[derive(Clone, Copy, Debug)]
pub struct NoCoordinator;

impl CoordinatorFacts for NoCoordinator {
    fn has(&self, _prefix: Option<&str>, _name: &str) -> bool {
        false
    }

    fn call(&self, name: &str, _args: &[Value]) -> Result<Value, ElError> {
        Err(ElError::needs_coordinator(format_args!(
            "function `{name}`"
        )))
    }
}

/// The files of a scope without a job: every query needs one, because only a job has a user and a file system.
#[derive(Clone, Copy, Debug)]
pub struct NoFiles;

impl FileFacts for NoFiles {
    fn exists(&self, _glob: &str) -> Result<bool, ElError> {
        Err(ElError::needs_job("function `fs:exists`"))
    }

    fn is_dir(&self, _path: &str) -> Result<bool, ElError> {
        Err(ElError::needs_job("function `fs:isDir`"))
    }

    fn file_size(&self, _path: &str) -> Result<i64, ElError> {
        Err(ElError::needs_job("function `fs:fileSize`"))
    }

    fn dir_size(&self, _path: &str) -> Result<i64, ElError> {
        Err(ElError::needs_job("function `fs:dirSize`"))
    }

    fn block_size(&self, _path: &str) -> Result<i64, ElError> {
        Err(ElError::needs_job("function `fs:blockSize`"))
    }
}
