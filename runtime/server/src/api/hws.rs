//! The API of 2009, below `/hws/v1`. Times are ISO 8601 with milliseconds and the zone of UTC.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A page of applications.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
pub struct Applications {
    /// How many applications match.
    pub total: u64,
    /// The number of the first application of this page, from 1 on.
    pub offset: i64,
    /// How many applications were asked for.
    pub len: i64,
    /// The applications.
    pub applications: Vec<Application>,
}

/// An application.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
pub struct Application {
    /// The name.
    pub name: String,
    /// `ACTIVE`, `INACTIVE` or `SUSPENDED`; null if it is registered and not deployed.
    pub status: Option<String>,
    /// When it was deployed.
    pub deployed: Option<String>,
    /// When its state last changed.
    pub changed: Option<String>,
    /// The digest of its newest definition.
    pub definition: String,
    /// The version of the compiler.
    pub hpdlc_version: String,
    /// Where the executable was when it was registered.
    pub program: String,
    /// The URIs that it is registered for.
    pub uris: Vec<String>,
    /// How many definitions of this name there are.
    pub definitions: u64,
    /// How many jobs it has had.
    pub jobs: u64,
    /// How many of them have not ended.
    pub unfinished: u64,
    /// When its newest job was created.
    pub last_job: Option<String>,
    /// The document; only if one application was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
    /// Its definitions, the newest first; only if one application was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub versions: Option<Vec<ApplicationVersion>>,
    /// The properties that it reads; only if one application was asked for, and its executable tells them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Vec<ApplicationParameter>>,
    /// What the compiler said about its newest definition, empty if nothing; null if it was not compiled by the server, and only if one
    /// application was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub messages: Option<String>,
    /// Files that were submitted since and cannot be compiled; only if one application was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<Vec<RefusedFiles>>,
}

/// Files of an application that could not be compiled when they were submitted last.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
pub struct RefusedFiles {
    /// The URI that the application is registered for.
    pub uri: String,
    /// When that was.
    pub time: Option<String>,
    /// What the compiler says about them.
    pub messages: String,
}

/// A definition of an application.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
pub struct ApplicationVersion {
    /// Its digest.
    pub definition: String,
    /// When it was registered.
    pub created: Option<String>,
    /// The version of the compiler.
    pub hpdlc_version: String,
    /// Where the executable was when it was registered.
    pub program: String,
    /// How many jobs it has had.
    pub jobs: u64,
    /// When its newest job was created.
    pub last_job: Option<String>,
}

/// A property that an application reads.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
pub struct ApplicationParameter {
    /// The name.
    pub name: String,
    /// Whether a job without it is refused.
    pub required: bool,
    /// The value if none is given; secrets are masked.
    pub default: Option<String>,
    /// `string`, `number`, `integer`, `boolean`, `path`, `uri` or `date`.
    #[serde(rename = "type")]
    pub type_name: String,
    /// What the document says about it.
    pub description: Option<String>,
    /// Where it is read.
    pub uses: Vec<ParameterPlace>,
}

/// A line of a document.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
pub struct ParameterPlace {
    /// The file.
    pub file: String,
    /// The line, from 1 on.
    pub line: u32,
}

/// The state of an application after a command.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
pub struct ApplicationState {
    /// The name.
    pub name: String,
    /// `ACTIVE`, `SUSPENDED`, `INACTIVE` or `undeployed`.
    pub status: String,
}

/// A page of jobs.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
pub struct HwsJobs {
    /// How many jobs match.
    pub total: u64,
    /// The number of the first job of this page, from 1 on.
    pub offset: i64,
    /// How many jobs were asked for.
    pub len: i64,
    /// The jobs, without actions and properties.
    pub jobs: Vec<HwsJob>,
}

/// A workflow job.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
pub struct HwsJob {
    /// The id.
    pub id: String,
    /// The name of the application.
    pub application: String,
    /// The owner.
    pub user: String,
    /// `CREATED`, `RUNNING`, `SUSPENDED`, `SUCCEEDED`, `KILLED` or `FAILED`.
    pub status: String,
    /// How often it was run again.
    pub run: i64,
    /// When it was created.
    pub created: Option<String>,
    /// When it was started.
    pub started: Option<String>,
    /// When it ended.
    pub ended: Option<String>,
    /// The job that started it.
    pub parent: Option<String>,
    /// The actions; not in lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actions: Option<Vec<HwsAction>>,
    /// The properties, secrets masked; not in lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub properties: Option<BTreeMap<String, String>>,
}

/// An action of a job.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
pub struct HwsAction {
    /// The name of the node.
    pub name: String,
    /// The type, such as `fs`.
    #[serde(rename = "type")]
    pub type_name: String,
    /// The state.
    pub status: String,
    /// The node that follows.
    pub transition: Option<String>,
    /// The id that the system gave it.
    pub external_id: Option<String>,
    /// The state on that system.
    pub external_status: Option<String>,
    /// The code of the error.
    pub error_code: Option<String>,
    /// Why it failed.
    pub error_message: Option<String>,
    /// Tries after transient errors.
    pub retries: i64,
    /// When it was started.
    pub started: Option<String>,
    /// When it ended.
    pub ended: Option<String>,
}

/// Whether the server answers for applications and jobs: `ACTIVE` or `INACTIVE`.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
pub struct HwsStatus {
    /// The state.
    pub status: String,
}

/// The answer to `purge`.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
pub struct HwsPurged {
    /// What was removed.
    pub purged: String,
}

/// A refusal or a failure.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
pub struct HwsProblem {
    /// What is wrong.
    pub error: HwsError,
}

/// Why a request is refused, or has failed.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
pub struct HwsError {
    /// Oozie's code, if there is one.
    pub code: Option<String>,
    /// What is wrong, and what is expected.
    pub message: String,
}
