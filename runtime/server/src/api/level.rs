//! Service levels (SLA), as version 2 lists them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The service levels that match a filter.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SlaSummaries {
    /// One for each job or action.
    pub sla_summary_list: Vec<SlaSummary>,
}

/// A moment: milliseconds since 1970, or a date in the zone that was asked for.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum SlaDate {
    /// Without the parameter `timezone`.
    Millis(i64),
    /// With it.
    Text(String),
}

/// The service level of a job or an action. What has no value is left out. Times are in milliseconds, delays in minutes.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SlaSummary {
    /// The id of the job or the action.
    pub id: String,
    /// The job of an action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_id: Option<String>,
    /// The name of the application.
    pub app_name: String,
    /// `WORKFLOW_JOB`, `WORKFLOW_ACTION` or `COORDINATOR_ACTION`.
    pub app_type: String,
    /// The owner.
    pub user: String,
    /// The time that it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nominal_time: Option<SlaDate>,
    /// When it should start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_start: Option<SlaDate>,
    /// When it started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actual_start: Option<SlaDate>,
    /// How late it started, or is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_delay: Option<i64>,
    /// When it should end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_end: Option<SlaDate>,
    /// When it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actual_end: Option<SlaDate>,
    /// How late it ended, or is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_delay: Option<i64>,
    /// How long it should take; -1 if nothing is said.
    pub expected_duration: i64,
    /// How long it took, or has taken; -1 if it is not known.
    pub actual_duration: i64,
    /// How much longer it took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_delay: Option<i64>,
    /// The state of the job or the action.
    pub job_status: String,
    /// `NOT_STARTED`, `IN_PROCESS`, `MET` or `MISS`.
    pub sla_status: String,
    /// `START_MET`, `DURATION_MISS`, and so on, with commas between.
    pub event_status: String,
    /// When it last changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<SlaDate>,
    /// `Enabled` or `Disabled`.
    pub sla_alert_status: String,
}
