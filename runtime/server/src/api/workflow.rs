//! Workflow jobs and their actions, as `WorkflowJobBean` and `WorkflowActionBean` of Oozie have them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::names;

/// A workflow job.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkflowJob {
    /// The name of the application.
    pub app_name: String,
    /// The id under which a client submitted it, or the action of the workflow that it belongs to.
    pub external_id: Option<String>,
    /// The properties as a Hadoop configuration, secrets masked; null in lists.
    pub conf: Option<String>,
    /// How often it was run again.
    pub run: i64,
    /// `oozie.job.acl`.
    pub acl: Option<String>,
    /// The URI of the application; null in lists.
    pub app_path: Option<String>,
    /// The job that started it.
    pub parent_id: Option<String>,
    /// When it last changed.
    pub last_mod_time: Option<String>,
    /// Where people look at it.
    pub console_url: Option<String>,
    /// When it was created.
    pub created_time: Option<String>,
    /// When it was started.
    pub start_time: Option<String>,
    /// A line for people.
    pub to_string: String,
    /// The id of the job.
    pub id: String,
    /// When it ended.
    pub end_time: Option<String>,
    /// The owner.
    pub user: String,
    /// Its actions; empty in lists.
    pub actions: Vec<WorkflowAction>,
    /// The state.
    #[schema(schema_with = names::workflow_status)]
    pub status: String,
    /// `group.name`.
    pub group: Option<String>,
}

/// An action of a workflow job.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkflowAction {
    /// Names of credentials.
    pub cred: Option<String>,
    /// How often the engine may try it again.
    pub user_retry_max: i64,
    /// The system that runs it.
    pub tracker_uri: Option<String>,
    /// Captured output, as properties.
    pub data: Option<String>,
    /// Why it failed.
    pub error_message: Option<String>,
    /// How often the engine has tried it again.
    pub user_retry_count: i64,
    /// Jobs that it started on the system.
    #[serde(rename = "externalChildIDs")]
    pub external_child_ids: Option<String>,
    /// The id that the system gave it.
    pub external_id: Option<String>,
    /// The code of the error.
    pub error_code: Option<String>,
    /// Its element of the document, with its values once it has begun; empty in the list of a job.
    pub conf: String,
    /// The type, such as `fs`, or `:start:`.
    #[serde(rename = "type")]
    pub type_name: String,
    /// The node that follows.
    pub transition: Option<String>,
    /// Tries after transient errors.
    pub retries: i64,
    /// Where people look at it.
    pub console_url: Option<String>,
    /// Statistics of Pig or MapReduce.
    pub stats: Option<String>,
    /// Minutes between tries.
    pub user_retry_interval: i64,
    /// The name of the node.
    pub name: String,
    /// When it was started.
    pub start_time: Option<String>,
    /// A line for people.
    pub to_string: String,
    /// The id of the job, `@`, and the name.
    pub id: String,
    /// When it ended.
    pub end_time: Option<String>,
    /// The state on the system.
    pub external_status: Option<String>,
    /// The state.
    #[schema(schema_with = names::action_status)]
    pub status: String,
}
