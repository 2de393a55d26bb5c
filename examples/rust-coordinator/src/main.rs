//! A report each night about the logs of the day, which come hour by hour.
//!
//! `nightly` is a coordinator, and `daily` the workflow that it starts: both are read when this program is compiled. `count` and
//! `publish` are actions.

mod actions;
#[cfg(test)]
mod tests;

use std::process::ExitCode;

use hpdlc_flow::{
    Bundle, CoordinatorAction, Instance, Instances, Result, bundle, coordinator, days, hours,
    workflow,
};

use self::actions::{count, publish};

/// Counts the requests of a day, and publishes the number.
#[workflow(name_node = "file:///")]
pub async fn daily(
    /// The folders with the logs, with commas between.
    logs: String,
    /// The folder of the report.
    report: String,
    /// The day.
    day: String,
    /// What the report is called.
    #[default("Requests")]
    title: String,
) -> Result {
    let counted = count(&logs).await?;
    publish(
        &report,
        format!("{title} of {day}"),
        format!("{} in {} hours", counted.requests, counted.hours),
    )
    .await
}

/// Each night, when the logs of all hours are there.
#[coordinator(
    workflow = daily,
    frequency = days(1),
    start = &start,
    end = &end,
    timezone = "UTC",
    timeout = hours(12),
    concurrency = 2,
)]
#[dataset(
    logs,
    frequency = hours(1),
    initial = "2026-01-01T00:00Z",
    timezone = "UTC",
    uri = "file://${root}/logs/${YEAR}-${MONTH}-${DAY}/${HOUR}",
)]
#[dataset(
    reports,
    frequency = days(1),
    initial = "2026-01-01T00:00Z",
    timezone = "UTC",
    uri = "file://${root}/reports/${YEAR}-${MONTH}-${DAY}",
)]
pub fn nightly(
    /// The folder of the data, with a `/` at its beginning.
    root: String,
    /// The first night, such as `2026-01-02T00:00Z`.
    start: String,
    /// The end, exclusive.
    end: String,
    #[input(logs, current(-24)..=current(-1))] hours: Instances,
    #[output(reports, current(-1))] report: Instance,
    action: CoordinatorAction,
) -> daily::Params {
    daily::Params {
        logs: hours.uris(),
        report: report.uri(),
        day: action.nominal_time().offset(-1, "DAY").format("yyyy-MM-dd"),
        title: None,
    }
}

/// The reports of two sites, of which one may be left out.
#[bundle]
pub fn sites(
    /// The folder of both, with a `/` at its beginning.
    root: String,
    start: String,
    end: String,
    /// Whether the second site is there.
    #[default(true)]
    second: bool,
) -> Bundle {
    Bundle::new()
        .start(
            "first",
            nightly::Params {
                root: format!("{root}/first"),
                start: &start,
                end: &end,
            },
        )
        .start_if(
            second,
            "second",
            nightly::Params {
                root: format!("{root}/second"),
                start,
                end,
            },
        )
}

fn main() -> ExitCode {
    // Must come first: actions run in processes that start here.
    let runtime = nightly::init();
    nightly::command_line(&runtime)
}
