//! There is no folder `scripts`.

#[workflow(files = "scripts")]
async fn daily() -> Result {
    shell("wc.sh").file("wc.sh").await?;
    Ok(())
}
