//! Mistakes in coordinators: those of reading, of the coordinator itself, and of what it gives its workflow.

use hpdlc_flow::{CoordinatorAction, Instance, Instances, Result, coordinator, days, fs, hours, workflow};

#[workflow(name_node = "file:///")]
async fn daily(input: String, #[property("out.dir")] output: String, #[default(3)] limit: u64) -> Result {
    fs().mkdir(format!("{output}/{limit}/{input}")).named("prepare").await
}

#[coordinator(workflow = daily, frequency = days(1), start = "2026-01-01T00:00Z", end = "2027-01-01T00:00Z")]
fn without_zone() -> daily::Params {
    daily::Params { input: "a", #[property("out.dir")] output: "b", limit: None }
}

#[coordinator(workflow = daily, frequency = days(1), start = "2026-01-01T00:00Z", end = "2027-01-01T00:00Z", timezone = "UTC")]
#[dataset(logs, frequency = hours(1), initial = "2026-01-01T00:00Z", timezone = "UTC", uri = "file:///logs/${YEAR}")]
fn half_open(#[input(logs, current(0)..current(2))] hours: Instances) -> daily::Params {
    daily::Params { input: hours.uris(), #[property("out.dir")] output: "b", limit: None }
}

#[coordinator(workflow = daily, frequency = days(1), start = "2026-01-01T00:00Z", end = "2027-01-01T00:00Z", timezone = "Europe/Atlantis")]
#[dataset(logs, frequency = hours(1), initial = "2026-01-01T00:00Z", timezone = "UTC", uri = "file:///logs/${YEAR}")]
fn of_the_coordinator(
    #[input(logs, current(0)..=current(-2))] hours: Instances,
    #[output(reports, current(0))] report: Instance,
) -> daily::Params {
    daily::Params { input: hours.uris(), #[property("out.dir")] output: report.uri(), limit: None }
}

#[coordinator(workflow = daily, frequency = "61 * * * *", start = "2027-01-01T00:00Z", end = "2026-01-01T00:00Z", timezone = "UTC")]
fn never() -> daily::Params {
    daily::Params { input: "a", #[property("out.dir")] output: "b", limit: None }
}

#[coordinator(workflow = daily, frequency = days(1), start = "2026-01-01T00:00Z", end = "2027-01-01T00:00Z", timezone = "UTC")]
fn parameter_missing() -> daily::Params {
    daily::Params { #[property("out.dir")] output: "b", limit: None }
}

#[coordinator(workflow = daily, frequency = days(1), start = "2026-01-01T00:00Z", end = "2027-01-01T00:00Z", timezone = "UTC")]
fn of_another_type(action: CoordinatorAction) -> daily::Params {
    daily::Params { input: 7, #[property("out.dir")] output: action.nominal_time(), limit: Some("three") }
}

#[coordinator(workflow = daily, frequency = days(1), start = "2026-01-01T00:00Z", end = "2027-01-01T00:00Z", timezone = "UTC")]
fn property_of_another_name() -> daily::Params {
    daily::Params { input: "a", output: "b", limit: None }
}

#[coordinator(workflow = daily, frequency = true, start = "2026-01-01T00:00Z", end = "2027-01-01T00:00Z", timezone = "UTC")]
fn no_frequency() -> daily::Params {
    daily::Params { input: "a", #[property("out.dir")] output: "b", limit: None }
}

#[coordinator(workflow = daily, frequency = days(1) + hours(2), start = "2026-01-01T00:00Z", end = "2027-01-01T00:00Z", timezone = "UTC")]
fn two_units(input: String) -> daily::Params {
    daily::Params { input, #[property("out.dir")] output: "/out", limit: None }
}

#[coordinator(workflow = daily, frequency = days(1), start = "2026-01-01T00:00Z", end = "2027-01-01T00:00Z", timezone = "UTC")]
fn data_of_no_dataset(day: Instance) -> daily::Params {
    daily::Params { input: day.uri(), #[property("out.dir")] output: "/out", limit: None }
}

fn main() {}
