//! A program whose workflow runs a statement in the warehouse, by the type of the extension.

use hpdlc_flow::{Result, workflow};

/// Adds up the orders of a day.
#[workflow(name_node = "file:///")]
async fn nightly(warehouse: String, day: String) -> Result {
    acme::WarehouseQuery {
        service: &warehouse,
        statement: format!("insert into totals select sum(price) from orders where day = '{day}'"),
        locks: vec!["orders", "totals"],
        priority: None,
    }
    .named("totals")
    .await?;
    Ok(())
}

fn main() -> std::process::ExitCode {
    let runtime = nightly::init(); // must come first
    nightly::command_line(&runtime)
}
