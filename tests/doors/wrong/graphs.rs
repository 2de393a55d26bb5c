//! What the compiler finds in the document, at the tokens that it came from.

use hpdlc_flow::{Result, email, fs, minutes, shell, spark, sub_workflow, workflow};

#[workflow]
async fn two_of_one_name(input: String) -> Result {
    shell("/bin/ls").arg(&input).await?;
    shell("/bin/cat").arg(&input).await
}

#[workflow(name_node = "file:///")]
async fn unknown_scheme() -> Result {
    fs().mkdir("ftp://host/out").named("prepare").await
}

#[workflow]
async fn no_node_name(input: String) -> Result {
    shell("/bin/ls").arg(&input).named("1 list").await
}

#[workflow]
async fn missing_elements() -> Result {
    spark("job.jar").named("job").await
}

#[workflow]
async fn wrong_expression(input: String) -> Result {
    shell("/bin/echo").arg(hpdlc_flow::el!("${wf:idd()}")).arg(&input).await
}

#[workflow]
async fn no_such_child() -> Result {
    sub_workflow("nowhere/").await
}

#[workflow(files = "nowhere")]
async fn no_such_folder(input: String) -> Result {
    shell("/bin/ls").arg(&input).await
}

#[workflow]
async fn no_such_script(input: String) -> Result {
    shell("run.sh").file("run.sh").arg(&input).await
}

#[workflow]
async fn no_retry(input: String) -> Result {
    shell("/bin/ls").arg(&input).retry(3, minutes(1)).await
}

#[workflow]
async fn mail_without_a_text(to: String) -> Result {
    email(&to).subject("done").await
}

fn main() {}
