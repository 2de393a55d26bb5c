//! Bundle jobs, as `BundleJobBean` of Oozie has them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::{coordinator::CoordinatorJob, names};

/// A bundle job.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BundleJob {
    /// The name of the application.
    pub bundle_job_name: String,
    /// The URI of the application.
    pub bundle_job_path: String,
    /// When its coordinators are started.
    pub kickoff_time: Option<String>,
    /// Its coordinators; empty in lists.
    pub bundle_coord_jobs: Vec<CoordinatorJob>,
    /// The properties as a Hadoop configuration, secrets masked.
    pub conf: String,
    /// `oozie.job.acl`.
    pub acl: Option<String>,
    /// The id of the bundle.
    pub bundle_job_id: String,
    /// The id under which a client submitted it.
    pub bundle_external_id: Option<String>,
    /// Always 0.
    pub time_out: i64,
    /// From when on no actions are created.
    pub pause_time: Option<String>,
    /// Where people look at it.
    pub console_url: Option<String>,
    /// When it was created.
    pub created_time: Option<String>,
    /// Always null.
    pub start_time: Option<String>,
    /// A line for people.
    pub to_string: String,
    /// When it ended.
    pub end_time: Option<String>,
    /// The owner.
    pub user: String,
    /// The state.
    #[schema(schema_with = names::coordinator_status)]
    pub status: String,
    /// Always `NONE`.
    pub time_unit: String,
    /// `group.name`.
    pub group: Option<String>,
}
