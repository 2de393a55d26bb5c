//! One workflow.

#[workflow]
async fn daily() -> Result {
    Ok(())
}
