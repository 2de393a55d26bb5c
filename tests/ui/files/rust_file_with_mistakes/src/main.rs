//! Three workflows with mistakes.

use hpdlc_flow::{Result, el, shell, workflow};

#[workflow]
async fn hourly(input: String) -> Result {
    for part in parts {
        shell("wc").arg(&input).await?;
    }
    Ok(())
}

mod inner {
    #[workflow]
    async fn nightly(input: String) -> Result {
        shell("wc").arg(&input).arg(el!("${wf:actionData('gone')['x']}")).await?;
        Ok(())
    }
}

#[workflow]
async fn weekly(input: String) -> Result {
    shell("wc").arg(&output).await?;
    Ok(())
}
