//! Lists of jobs, jobs, and what belongs to them.

use ureq::http::Method;

use crate::{
    api::{
        bundle::BundleJob,
        coordinator::{CoordinatorAction, CoordinatorJob},
        job::{AllRuns, MissingDependencies, Retries, StatusOfJob, WorkflowActions},
        jobs::{BulkResponses, BundleJobs, CoordinatorJobs, JobId, WorkflowJobs},
        level::SlaSummaries,
        workflow::{WorkflowAction, WorkflowJob},
    },
    client::{Client, ClientError, exchange::segment},
};

/// Which part of a list is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    /// `name=N;user=U;group=G;status=S;...`, as for `oozie jobs -filter`; empty for all.
    pub filter: String,
    /// The number of the first element, from 1 on.
    pub offset: u32,
    /// How many elements.
    pub len: u32,
}

impl Default for List {
    /// The first 50.
    fn default() -> List {
        List {
            filter: String::new(),
            offset: 1,
            len: 50,
        }
    }
}

/// How a workflow is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFormat {
    /// `image/svg+xml`
    Svg,
    /// Graphviz.
    Dot,
}

impl Client {
    /// A page of workflow jobs, the newest first.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] with E0420 if the filter is wrong.
    pub fn workflows(&self, list: &List) -> Result<WorkflowJobs, ClientError> {
        self.list("wf", list)
    }

    /// A page of coordinator jobs, the newest first.
    ///
    /// # Errors
    ///
    /// As of [`Client::workflows`].
    pub fn coordinators(&self, list: &List) -> Result<CoordinatorJobs, ClientError> {
        self.list("coordinator", list)
    }

    /// A page of bundle jobs, the newest first.
    ///
    /// # Errors
    ///
    /// As of [`Client::workflows`].
    pub fn bundles(&self, list: &List) -> Result<BundleJobs, ClientError> {
        self.list("bundle", list)
    }

    fn list<T: serde::de::DeserializeOwned>(
        &self,
        kind: &str,
        list: &List,
    ) -> Result<T, ClientError> {
        let (offset, len) = (list.offset.to_string(), list.len.to_string());
        let mut query = vec![
            ("jobtype", kind),
            ("offset", offset.as_str()),
            ("len", len.as_str()),
        ];
        if !list.filter.is_empty() {
            query.push(("filter", &list.filter));
        }
        self.get("/jobs", &query)
    }

    /// A page of actions of the coordinators of bundles; the filter is that of `oozie jobs -bulk`.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] with E0420 if the filter is wrong, E0603 if there is no such bundle.
    pub fn bulk(&self, list: &List) -> Result<BulkResponses, ClientError> {
        let (offset, len) = (list.offset.to_string(), list.len.to_string());
        let query = [
            ("bulk", list.filter.as_str()),
            ("offset", &offset),
            ("len", &len),
        ];
        self.get("/jobs", &query)
    }

    /// The id of the workflow job that was submitted with an external id.
    ///
    /// # Errors
    ///
    /// Those of every request.
    pub fn by_external_id(&self, external_id: &str) -> Result<Option<String>, ClientError> {
        let query = [("jobtype", "wf"), ("external-id", external_id)];
        let found: JobId = self.get("/jobs", &query)?;
        Ok(found.id.filter(|id| !id.is_empty()))
    }

    /// What `show` says of a job.
    fn show<T: serde::de::DeserializeOwned>(
        &self,
        id: &str,
        show: &str,
        further: &[(&str, &str)],
    ) -> Result<T, ClientError> {
        let query = [&[("show", show)], further].concat();
        self.get(&format!("/job/{}", segment(id)), &query)
    }

    fn shown_text(
        &self,
        id: &str,
        show: &str,
        further: &[(&str, &str)],
    ) -> Result<String, ClientError> {
        let query = [&[("show", show)], further].concat();
        let url = self.below(&format!("/v2/job/{}", segment(id)));
        self.text(&Method::GET, &url, &query, None)
    }

    /// A workflow job with all of its actions.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] with E0604 if there is none.
    pub fn workflow(&self, id: &str) -> Result<WorkflowJob, ClientError> {
        self.show(id, "info", &[])
    }

    /// An action of a workflow job, by the id of the job, `@`, and its name.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] with E0605 if there is none.
    pub fn workflow_action(&self, id: &str) -> Result<WorkflowAction, ClientError> {
        self.show(id, "info", &[])
    }

    /// A coordinator job with the actions that `list` asks for, whose filter is `status=S;status!=S;nominaltime>=T`.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] with E0604 if there is none, E0421 if the filter is wrong.
    pub fn coordinator(&self, id: &str, list: &List) -> Result<CoordinatorJob, ClientError> {
        let (offset, len) = (list.offset.to_string(), list.len.to_string());
        let query = [
            ("offset", offset.as_str()),
            ("len", &len),
            ("filter", &list.filter),
        ];
        self.show(id, "info", &query)
    }

    /// An action of a coordinator job, by the id of the job, `@`, and its number.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] with E0605 if there is none.
    pub fn coordinator_action(&self, id: &str) -> Result<CoordinatorAction, ClientError> {
        self.show(id, "info", &[])
    }

    /// A bundle job with its coordinators.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] with E0604 if there is none.
    pub fn bundle(&self, id: &str) -> Result<BundleJob, ClientError> {
        self.show(id, "info", &[])
    }

    /// The state of a job, or of an action of a coordinator.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] with E0605 if there is none.
    pub fn status(&self, id: &str) -> Result<String, ClientError> {
        let found: StatusOfJob = self.show(id, "status", &[])?;
        Ok(found.status)
    }

    /// The log of a job, a line an event. The filter is that of `oozie job -logfilter`; empty for all.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] with E0307 if there is no such job, or the filter is wrong.
    pub fn log(&self, id: &str, filter: &str) -> Result<String, ClientError> {
        self.shown_text(id, "log", &[("logfilter", filter)])
    }

    /// The warnings and errors of a job.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] with E0604 if there is no such job.
    pub fn error_log(&self, id: &str) -> Result<String, ClientError> {
        self.shown_text(id, "errorlog", &[])
    }

    /// The commands that a job was given, and by whom.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] with E0604 if there is no such job.
    pub fn audit_log(&self, id: &str) -> Result<String, ClientError> {
        self.shown_text(id, "auditlog", &[])
    }

    /// The document that a job follows, secrets masked.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] with E0604 or E0605 if there is no such job.
    pub fn definition(&self, id: &str) -> Result<String, ClientError> {
        self.shown_text(id, "definition", &[])
    }

    /// The picture of a workflow job with the states of its nodes.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] with E0307 if there is no such job.
    pub fn graph(&self, id: &str, format: PictureFormat) -> Result<String, ClientError> {
        let format = match format {
            PictureFormat::Svg => "svg",
            PictureFormat::Dot => "dot",
        };
        self.shown_text(id, "graph", &[("format", format)])
    }

    /// The tries of an action of a workflow that the engine has tried again.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] with E0605 if there is none.
    pub fn retries(&self, id: &str) -> Result<Retries, ClientError> {
        self.show(id, "retries", &[])
    }

    /// The runs of the workflow of an action of a coordinator.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] with E0605 if there is none.
    pub fn runs(&self, id: &str) -> Result<AllRuns, ClientError> {
        self.show(id, "allruns", &[])
    }

    /// The data for which actions of a coordinator wait, or one action.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] with E1029 if none waits.
    pub fn missing_dependencies(&self, id: &str) -> Result<MissingDependencies, ClientError> {
        self.show(id, "missing-dependencies", &[])
    }

    /// One node of the workflows of the actions of a coordinator.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] with E0604 if there is no such job.
    pub fn workflow_actions(&self, id: &str, node: &str) -> Result<WorkflowActions, ClientError> {
        self.show(id, "wf-actions", &[("action-name", node)])
    }

    /// The service levels of jobs and actions; the filter is that of `oozie sla -filter`, and not empty.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] with E0401 if the filter is wrong.
    pub fn service_levels(&self, filter: &str) -> Result<SlaSummaries, ClientError> {
        self.get("/sla", &[("filter", filter)])
    }
}
