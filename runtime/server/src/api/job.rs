//! What belongs to one job, and what is answered to commands for it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::{coordinator::CoordinatorAction, workflow::WorkflowAction};

/// `show=status`.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
pub struct StatusOfJob {
    /// The state of the job, or of the action of a coordinator.
    pub status: String,
}

/// `show=retries`.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
pub struct Retries {
    /// The tries, without the last one.
    pub retries: Vec<Retry>,
}

/// A try of an action.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Retry {
    /// Its number, from 1 on.
    pub attempt: String,
    /// When it was started.
    pub start_time: Option<String>,
    /// When it ended.
    pub end_time: Option<String>,
    /// Always `-`.
    pub console_url: String,
    /// Always empty.
    #[serde(rename = "externalChildIDs")]
    pub external_child_ids: String,
}

/// `show=allruns`.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
pub struct AllRuns {
    /// The runs, the oldest first.
    pub workflows: Vec<RunOfWorkflow>,
}

/// A run of the workflow of an action of a coordinator.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunOfWorkflow {
    /// The id of the workflow job.
    pub id: String,
    /// The state in which the run is, or ended.
    pub status: String,
    /// When it was started.
    pub start_time: Option<String>,
    /// When it ended.
    pub end_time: Option<String>,
}

/// `show=wf-actions`.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkflowActions {
    /// The id of the coordinator.
    pub coord_job_id: String,
    /// One for each action of the coordinator.
    pub actions: Vec<WorkflowActionOf>,
}

/// One node of the workflow of an action of a coordinator.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkflowActionOf {
    /// The number of the coordinator's action.
    pub action_number: u64,
    /// Why there is no action of the workflow.
    pub null_reason: Option<String>,
    /// The action of the workflow.
    pub action: Option<WorkflowAction>,
}

/// `show=missing-dependencies`.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MissingDependencies {
    /// The actions.
    pub missing_dependencies: Vec<MissingOfAction>,
}

/// What an action of a coordinator waits for.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MissingOfAction {
    /// The number of the action.
    pub id: u64,
    /// The first URI; empty if there is none.
    pub blocked_on: String,
    /// All URIs, by dataset.
    pub data_sets: Vec<MissingOfDataset>,
}

/// Missing instances of a dataset.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MissingOfDataset {
    /// The name of the dataset.
    pub data_set: String,
    /// The URIs.
    pub missing_dependencies: Vec<String>,
}

/// The actions of a coordinator that a command was for, as they are then.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
pub struct CoordinatorActions {
    /// The actions.
    pub actions: Vec<CoordinatorAction>,
}

/// The answer to `update`.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
pub struct Updated {
    /// What has changed.
    pub update: UpdateOfCoordinator,
}

/// What an update changes.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
pub struct UpdateOfCoordinator {
    /// The differences of definition and properties, as texts for people; empty with `diff=false`.
    pub diff: String,
}

/// The answer to `validate`.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
pub struct Validated {
    /// `Valid workflow-app`, also of a coordinator and a bundle.
    pub validate: String,
}

/// The body of a refusal or a failure; PUT and DELETE have none. The code is in the header `oozie-error-code`.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ErrorAnswer {
    /// What failed, as in HTML; after an empty line a report for people.
    pub error_message: String,
    /// The status of the answer.
    pub http_status_code: u16,
}
