//! Workflows that run others of the program, with mistakes in what they pass.

use hpdlc_flow::{Result, child, coordinator, days, fs, workflow};

/// An application in XML.
mod tidy {
    hpdlc_flow::include_workflow!("tidy");
}

#[workflow(name_node = "file:///")]
async fn report(#[property("out.dir")] output: String, day: String, #[default(3)] limit: u64) -> Result {
    fs().mkdir(format!("{output}/{day}/{limit}")).named("make").await
}

#[workflow]
async fn lacks_a_parameter(day: String) -> Result {
    child(report, report::Params { #[property("out.dir")] output: &day, day: &day }).await
}

#[workflow]
async fn gives_another_type(day: String) -> Result {
    child(report, report::Params { #[property("out.dir")] output: &day, day: &day, limit: Some(&day) }).await
}

#[workflow]
async fn gives_too_much(day: String) -> Result {
    child(report, report::Params { #[property("out.dir")] output: &day, day: &day, limit: None, other: &day }).await
}

#[workflow]
async fn gives_nothing() -> Result {
    child(report).await
}

#[workflow]
async fn gives_what_belongs_to_another(day: String) -> Result {
    child(report, gives_nothing::Params { day: &day }).await
}

#[workflow]
async fn calls_a_property_otherwise(day: String) -> Result {
    child(report, report::Params { output: &day, day: &day, limit: None }).await
}

#[workflow]
async fn runs_itself(day: String) -> Result {
    child(runs_itself, runs_itself::Params { day: &day }).await
}

#[workflow]
async fn lacks_a_parameter_of_xml(day: String) -> Result {
    child(tidy, tidy::Params { #[property("out.dir")] out_dir: &day, days: 7 }).await
}

#[workflow]
async fn calls_a_property_of_xml_otherwise(day: String) -> Result {
    child(tidy, tidy::Params { out_dir: &day, days: 7, keep: None }).await
}

#[workflow]
async fn gives_another_type_to_xml(day: String) -> Result {
    child(tidy, tidy::Params { #[property("out.dir")] out_dir: &day, days: &day, keep: None }).await
}

#[coordinator(workflow = tidy, frequency = days(1), start = "2026-01-01T00:00Z", end = "2027-01-01T00:00Z", timezone = "UTC")]
fn nightly() -> tidy::Params {
    tidy::Params { #[property("out.dir")] out_dir: "/out", days: 7, keep: None }
}

#[workflow]
async fn runs_a_coordinator() -> Result {
    child(nightly, nightly::Params {}).await
}

#[coordinator(workflow = nightly, frequency = days(1), start = "2026-01-01T00:00Z", end = "2027-01-01T00:00Z", timezone = "UTC")]
fn coordinator_of_a_coordinator() -> nightly::Params {
    nightly::Params {}
}

fn main() {}
