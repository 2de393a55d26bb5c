//! Names of other things than what is started, and what an author writes by habit: each one message.

use hpdlc_flow::{Result, action, coordinator, days, fs, minutes, workflow};

#[action]
fn count(path: String) -> Result {
    std::fs::read(path).map(drop).map_err(|e| hpdlc_flow::error("NO_FILE", e))
}

async fn plain(path: String) -> Result<u64> {
    Ok(path.len() as u64)
}

#[workflow(name_node = "file:///")]
async fn daily(input: String) -> Result {
    fs().mkdir(input).named("prepare").await
}

#[coordinator(workflow = count, frequency = days(1), start = "2026-01-01T00:00Z", end = "2027-01-01T00:00Z", timezone = "UTC")]
fn of_an_action() -> count::Params {
    count::Params { path: "a" }
}

#[coordinator(workflow = daily, frequency = days(1), start = "2026-01-01T00:00Z", end = "2027-01-01T00:00Z", timezone = "UTC")]
fn without_module() -> Params {
    Params { input: "a" }
}

#[workflow(name_node = "file:///")]
async fn awaits_plain(input: String) -> Result {
    let _ = plain(input).await?;
    Ok(())
}

#[workflow(name_node = "file:///")]
async fn generic<T: ToString>(input: T) -> Result {
    fs().mkdir(input).named("prepare").await
}

#[workflow(name_node = "file:///")]
async fn twice_named(input: String) -> Result {
    fs().mkdir(input).named("prepare").named("other").await
}

#[workflow]
async fn repeated(input: String) -> Result {
    while true {
        count(&input).retry(1, minutes(1)).await?;
    }
    Ok(())
}

fn main() {}
