//! Coordinator jobs and their actions, as `CoordinatorJobBean` and `CoordinatorActionBean` of Oozie have them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::names;

/// A coordinator job.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CoordinatorJob {
    /// How many actions may wait at once.
    #[serde(rename = "mat_throttling")]
    pub mat_throttling: i64,
    /// `FIFO`, `LIFO`, `LAST_ONLY` or `NONE`.
    pub execution_policy: String,
    /// The properties as a Hadoop configuration, secrets masked; null in lists.
    pub conf: Option<String>,
    /// `oozie.job.acl`.
    pub acl: Option<String>,
    /// A number of `timeUnit`, or a cron expression.
    pub frequency: String,
    /// How many actions match; 0 in lists.
    pub total: u64,
    /// From when on no actions are created.
    pub pause_time: Option<String>,
    /// Where people look at it.
    pub console_url: Option<String>,
    /// The nominal time of the next action.
    pub last_action: Option<String>,
    /// The name of the application.
    pub coord_job_name: String,
    /// When it was created.
    pub created_time: Option<String>,
    /// The first nominal time.
    pub start_time: Option<String>,
    /// The id under which a client submitted it.
    pub coord_external_id: Option<String>,
    /// `MINUTE`, `DAY`, `WEEK`, `MONTH`, `END_OF_DAY`, `END_OF_WEEK`, `END_OF_MONTH` or `CRON`.
    pub time_unit: String,
    /// `group.name`.
    pub group: Option<String>,
    /// The id of the coordinator.
    pub coord_job_id: String,
    /// The URI of the application.
    pub coord_job_path: String,
    /// The bundle that it belongs to.
    pub bundle_id: Option<String>,
    /// The zone of its calendar.
    pub time_zone: String,
    /// How many actions run at once; -1 for any number.
    pub concurrency: i64,
    /// Minutes that an action waits for data.
    pub time_out: i64,
    /// The nominal time of the next action.
    pub next_materialized_time: Option<String>,
    /// A line for people.
    pub to_string: String,
    /// The end of the nominal times.
    pub end_time: Option<String>,
    /// The owner.
    pub user: String,
    /// Some of its actions.
    pub actions: Vec<CoordinatorAction>,
    /// The state.
    #[schema(schema_with = names::coordinator_status)]
    pub status: String,
}

/// An action of a coordinator job.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CoordinatorAction {
    /// The time that it is for.
    pub nominal_time: Option<String>,
    /// Always null.
    pub tracker_uri: Option<String>,
    /// When it last changed.
    pub last_modified_time: Option<String>,
    /// The id of the coordinator.
    pub coord_job_id: String,
    /// URIs that it waits for, with `#` between.
    pub missing_dependencies: String,
    /// The properties of the coordinator; only in answers to commands.
    pub created_conf: Option<String>,
    /// Why it failed.
    pub error_message: Option<String>,
    /// The id of its workflow.
    pub external_id: Option<String>,
    /// The code of the error.
    pub error_code: Option<String>,
    /// Always null.
    #[serde(rename = "type")]
    pub type_name: Option<String>,
    /// Always empty.
    pub push_missing_dependencies: String,
    /// Where people look at it.
    pub console_url: Option<String>,
    /// The properties of its workflow; only in answers to commands.
    pub run_conf: Option<String>,
    /// Its number, from 1 on.
    pub action_number: u64,
    /// When it was created.
    pub created_time: Option<String>,
    /// A line for people.
    pub to_string: String,
    /// The id of the coordinator, `@`, and the number.
    pub id: String,
    /// Always null.
    pub external_status: Option<String>,
    /// The state.
    #[schema(schema_with = names::coordinator_action_status)]
    pub status: String,
}
