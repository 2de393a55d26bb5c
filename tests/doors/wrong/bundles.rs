//! Mistakes in bundles, and in what they give their coordinators.

use hpdlc_flow::{Bundle, Result, bundle, coordinator, days, fs, workflow};

#[workflow(name_node = "file:///")]
async fn daily(output: String) -> Result {
    fs().mkdir(&output).named("prepare").await
}

#[coordinator(workflow = daily, frequency = days(1), start = &start, end = "2027-01-01T00:00Z", timezone = "UTC")]
fn nightly(start: String, #[property("out.dir")] output: String) -> daily::Params {
    daily::Params { output }
}

#[bundle(kickoff = "2026-01-01T00:00Z")]
fn unknown_setting() -> Bundle {
    Bundle::new().start("a", nightly::Params { start: "2026-01-01T00:00Z", #[property("out.dir")] output: "/a" })
}

#[bundle]
fn statements(start: String) -> Bundle {
    let bundle = Bundle::new();
    bundle.start("a", nightly::Params { start, #[property("out.dir")] output: "/a" })
}

#[bundle]
fn one_name_for_two(start: String) -> Bundle {
    Bundle::new()
        .start("a", nightly::Params { start: &start, #[property("out.dir")] output: "/a" })
        .start("a", nightly::Params { start: &start, #[property("out.dir")] output: "/b" })
}

#[bundle]
fn parameter_missing(start: String) -> Bundle {
    Bundle::new().start("a", nightly::Params { start })
}

#[bundle]
fn a_workflow_is_no_coordinator() -> Bundle {
    Bundle::new().start("a", daily::Params { output: "/a" })
}

#[bundle]
fn property_of_another_name(start: String) -> Bundle {
    Bundle::new().start("a", nightly::Params { start, output: "/a" })
}

#[bundle]
fn enabled_by_a_text(start: String) -> Bundle {
    Bundle::new().start_if("yes", "first", nightly::Params { start: &start, #[property("out.dir")] output: "/out" })
}

#[bundle]
fn added_to_a_name(start: String) -> Bundle {
    let bundle = Bundle::new();
    bundle.start("first", nightly::Params { start: &start, #[property("out.dir")] output: "/out" });
    bundle
}

fn main() {}
