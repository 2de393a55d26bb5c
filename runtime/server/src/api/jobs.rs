//! Lists of jobs, and what is answered to commands for several.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::api::{
    bundle::BundleJob,
    coordinator::{CoordinatorAction, CoordinatorJob},
    workflow::WorkflowJob,
};

/// A page of workflow jobs.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
pub struct WorkflowJobs {
    /// How many jobs match.
    pub total: u64,
    /// The number of the first job of this page, from 1 on.
    pub offset: i64,
    /// How many jobs were asked for.
    pub len: i64,
    /// The newest first, unless the filter has another order.
    pub workflows: Vec<WorkflowJob>,
    /// Of a command for all that match: always empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ids: Option<Vec<String>>,
}

/// A page of coordinator jobs.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
pub struct CoordinatorJobs {
    /// How many jobs match.
    pub total: u64,
    /// The number of the first job of this page, from 1 on.
    pub offset: i64,
    /// How many jobs were asked for.
    pub len: i64,
    /// The newest first, unless the filter has another order.
    pub coordinatorjobs: Vec<CoordinatorJob>,
    /// Of a command for all that match: always empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ids: Option<Vec<String>>,
}

/// A page of bundle jobs.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
pub struct BundleJobs {
    /// How many jobs match.
    pub total: u64,
    /// The number of the first job of this page, from 1 on.
    pub offset: i64,
    /// How many jobs were asked for.
    pub len: i64,
    /// The newest first, unless the filter has another order.
    pub bundlejobs: Vec<BundleJob>,
    /// Of a command for all that match: always empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ids: Option<Vec<String>>,
}

/// The id of a job: of a new one, or of the one with an external id (empty if there is none, no key for coordinators and bundles).
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
pub struct JobId {
    /// The id. Of a dry run `OK`, or the actions that a coordinator would have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What may be a mistake of a new job; no key without any. Oozie's server has no such thing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

impl From<Option<String>> for JobId {
    fn from(id: Option<String>) -> JobId {
        JobId {
            id,
            warnings: Vec::new(),
        }
    }
}

/// A page of actions of the coordinators of bundles.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct BulkResponses {
    /// The actions.
    pub bulkresponses: Vec<BulkResponse>,
    /// How many actions match.
    pub total: u64,
    /// The number of the first action of this page, from 1 on.
    pub offset: i64,
    /// How many actions were asked for.
    pub len: i64,
}

/// An action with its coordinator and its bundle.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct BulkResponse {
    /// A bundle job, most of whose keys are null.
    #[schema(value_type = Object)]
    pub bulkbundle: Value,
    /// A coordinator job, most of whose keys are null.
    #[schema(value_type = Object)]
    pub bulkcoord: Value,
    /// The action.
    pub bulkaction: Option<CoordinatorAction>,
}
