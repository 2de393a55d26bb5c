//! Workflows that run others of the program, with mistakes in what they pass.

use hpdlc_flow::{Result, child, fs, workflow};

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

fn main() {}
