//! Coordinators and a bundle.

use hpdlc_flow::{Bundle, Instances, Result, bundle, coordinator, days, fs, hours, workflow};

#[workflow(name_node = "hdfs://nn")]
async fn daily(input: String) -> Result {
    fs().delete(&input).named("clean").await
}

#[coordinator(
    workflow = daily,
    frequency = days(1) + 1,
    start = "2026-01-01T00:00Z",
    end = "2027-01-01T00:00Z",
    timezone = "UTC",
)]
fn read_wrongly() -> daily::Params {
    daily::Params { input: "x" }
}

#[coordinator(
    workflow = daily,
    frequency = days(1),
    start = "2026-01-01T00:00Z",
    end = "2027-01-01T00:00Z",
    timezone = "Europe/Berln",
)]
#[dataset(
    logs,
    frequency = hours(1),
    initial = "yesterday",
    timezone = "UTC",
    uri = "hdfs://nn/logs/${YEAR}"
)]
fn nightly(#[input(logs, current(0))] logs: Instances) -> daily::Params {
    daily::Params { input: logs.uris() }
}

#[bundle]
fn all() -> Bundle {
    Bundle::new().start("nightly", nightly::Params {})
}
