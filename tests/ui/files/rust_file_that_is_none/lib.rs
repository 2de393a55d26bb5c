//! A parenthesis is missing.

#[workflow]
async fn daily() -> Result {
    Ok(()
}
