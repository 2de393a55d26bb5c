//! A program whose workflow runs a statement in the warehouse, by the type of the extension.

use hpdlc_flow::{Result, kill, workflow};

/// Adds up the orders of a day, and fails if far fewer are there than usual.
#[workflow(name_node = "file:///")]
async fn nightly(warehouse: String, day: String, #[default(0)] usual: u64) -> Result {
    let totals = acme::WarehouseQuery {
        service: &warehouse,
        statement: format!("insert into totals select sum(price) from orders where day = '{day}'"),
        locks: vec!["orders", "totals"],
        priority: None,
    }
    .named("totals")
    .await?;
    if totals.rows.saturating_mul(10) < usual {
        return Err(kill(format!(
            "{} orders of {day}, a tenth of what is usual would be {}",
            totals.rows,
            usual / 10
        )));
    }
    Ok(())
}

fn main() -> std::process::ExitCode {
    let runtime = nightly::init(); // must come first
    nightly::command_line(&runtime)
}
