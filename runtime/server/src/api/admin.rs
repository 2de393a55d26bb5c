//! The server itself.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::names;

/// Texts by name: settings, variables, servers.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
pub struct Texts(pub BTreeMap<String, String>);

fn system_mode() -> utoipa::openapi::schema::Object {
    names::one_of(["NORMAL", "NOWEBSERVICE", "SAFEMODE"])
}

/// What the server accepts, in version 0.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SafeMode {
    /// Whether commands are refused.
    pub safe_mode: bool,
}

/// What the server accepts.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SystemStatus {
    /// In another mode than NORMAL, commands are refused but those of `admin`.
    #[schema(schema_with = system_mode)]
    pub system_mode: String,
}

/// The version of the server.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BuildVersion {
    /// The version of `hpdl`.
    pub build_version: String,
    /// The same, and the name of the program.
    pub build_info: BTreeMap<String, String>,
}

/// The zones that `timezone` may name.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub struct TimeZones {
    /// Sorted by their names.
    pub available_timezones: Vec<TimeZoneName>,
}

/// A time zone.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TimeZoneName {
    /// For people: `CET (Europe/Berlin)`.
    pub timezone_display_name: String,
    /// For the parameter: `Europe/Berlin`.
    pub timezone_id: String,
}

/// The shared libraries, of which there are none: executables have what their actions need.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
pub struct ShareLibrary {
    /// Always empty.
    pub sharelib: Vec<String>,
}

/// The answer to `update_sharelib`.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShareLibraryUpdate {
    /// What was done.
    pub sharelib_update: ShareLibraryState,
}

/// What became of the shared libraries.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
pub struct ShareLibraryState {
    /// The URL of the server.
    pub host: String,
    /// That there are none.
    pub status: String,
}

/// What waits for owners of jobs, and who has one.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QueueDump {
    /// Commands that no owner has handled yet.
    pub queue_dump: Vec<WaitingCommand>,
    /// Jobs that have an owner.
    pub unique_map_dump: Vec<OwnedJob>,
}

/// A command that waits.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitingCommand {
    /// The command and the id of the job.
    pub callable_dump: String,
}

/// A job that has an owner.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnedJob {
    /// The id of the job.
    pub unique_entry_dump: String,
}

/// Figures of the server and the store, by name.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct Metrics {
    /// The version of this format.
    pub version: String,
    /// Jobs by kind and state, and how long the server has been running.
    pub gauges: BTreeMap<String, MetricsGauge>,
    /// Answers by status.
    pub counters: BTreeMap<String, MetricsCounter>,
    /// Always empty.
    pub histograms: BTreeMap<String, MetricsCounter>,
    /// Requests by method.
    pub timers: BTreeMap<String, MetricsTimer>,
}

/// A figure that grows and shrinks.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
pub struct MetricsGauge {
    /// The figure.
    pub value: i64,
}

/// A figure that only grows.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
pub struct MetricsCounter {
    /// The figure.
    pub count: u64,
}

/// How long requests take, in milliseconds, and how many there are in a second.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct MetricsTimer {
    /// How many there were.
    pub count: u64,
    /// The mean of the times.
    pub mean: f64,
    /// Their standard deviation.
    pub stddev: f64,
    /// The shortest.
    pub min: f64,
    /// The longest.
    pub max: f64,
    /// The median.
    pub p50: f64,
    /// The 75th percentile.
    pub p75: f64,
    /// The 95th percentile.
    pub p95: f64,
    /// The 98th percentile.
    pub p98: f64,
    /// The 99th percentile.
    pub p99: f64,
    /// The 99.9th percentile.
    pub p999: f64,
    /// Requests a second in the last minute.
    pub m1_rate: f64,
    /// In the last 5 minutes.
    pub m5_rate: f64,
    /// In the last 15 minutes.
    pub m15_rate: f64,
    /// Since the server was started.
    pub mean_rate: f64,
    /// Always `milliseconds`.
    pub duration_units: String,
    /// Always `calls/second`.
    pub rate_units: String,
}

/// The answer to `purge`.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ToSchema)]
pub struct Purged {
    /// That it was done.
    pub purge: String,
}
