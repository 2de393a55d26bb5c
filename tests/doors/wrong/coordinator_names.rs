//! Names in coordinators that rustc does not know: it says nothing of them beside errors of macros.

use hpdlc_flow::{Result, coordinator, days, fs, workflow};

#[workflow(name_node = "file:///")]
async fn daily(input: String, #[property("out.dir")] output: String, #[default(3)] limit: u64) -> Result {
    fs().mkdir(format!("{output}/{limit}/{input}")).named("prepare").await
}

#[coordinator(workflow = daily, frequency = days(1), start = &first, end = "2027-01-01T00:00Z", timezone = "UTC")]
fn unknown_name() -> daily::Params {
    daily::Params { input: "a", #[property("out.dir")] output: "b", limit: None }
}

#[coordinator(workflow = weekly, frequency = days(1), start = "2026-01-01T00:00Z", end = "2027-01-01T00:00Z", timezone = "UTC")]
fn unknown_workflow() -> weekly::Params {
    weekly::Params { input: "a", #[property("out.dir")] output: "b", limit: None }
}

fn main() {}
