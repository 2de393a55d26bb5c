//! What expressions see: the job as the engine shows it, with the test's clock and files.

use chrono::{DateTime, Utc};
use hpdlc_core::el::{
    error::ElError,
    scope::{ClusterFacts, FileFacts, JobFacts, NodeFacts, Origin, Scope},
    value::Value,
};
use hpdlc_engine::job::scope::NodeScope;

use crate::script::Script;

/// The scope of one node.
pub(super) struct WorldScope<'a> {
    pub(super) job: NodeScope<'a>,
    pub(super) script: &'a Script,
    pub(super) now: DateTime<Utc>,
}

impl Scope for WorldScope<'_> {
    fn variable(&self, name: &str) -> Option<Value> {
        self.job.variable(name)
    }

    fn now(&self) -> DateTime<Utc> {
        self.now
    }

    fn conf(&self, name: &str) -> Result<Option<String>, ElError> {
        self.job.conf(name)
    }

    fn job(&self) -> Result<&JobFacts, ElError> {
        self.job.job()
    }

    fn node(&self, name: &str) -> Result<Option<NodeFacts>, ElError> {
        self.job.node(name)
    }

    fn last_error_node(&self) -> Result<Option<String>, ElError> {
        self.job.last_error_node()
    }

    /// Nothing listens there.
    fn callback_url(&self, state: &str) -> Result<String, ElError> {
        let (job, node) = (&self.job.view.facts.id, self.job.node);
        Ok(format!(
            "http://localhost:11000/callback?id={job}@{node}&status={state}"
        ))
    }

    fn files(&self) -> &dyn FileFacts {
        &self.script.files
    }

    fn clusters(&self) -> Result<&dyn ClusterFacts, ElError> {
        Ok(&self.script.clusters)
    }

    fn origin(&self) -> Origin {
        self.job.origin()
    }
}
