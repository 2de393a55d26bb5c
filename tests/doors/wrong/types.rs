//! What rustc finds, with our words where it asks for a bound.

use hpdlc_flow::{Data, Result, action, fs, shell, workflow};

#[derive(Data)]
pub enum Verdict {
    Alarm,
    Calm,
}

#[derive(Data)]
pub struct Counted {
    lines: u64,
    longest: String,
    shortest: u64,
    verdict: Verdict,
}

#[action]
fn count(path: String) -> Result<Counted> {
    Ok(Counted { lines: 1, longest: path, shortest: 0, verdict: Verdict::Calm })
}

#[action]
fn note(text: String) -> Result {
    println!("{text}");
    Ok(())
}

#[workflow]
async fn texts_in_order(input: String) -> Result {
    let counted = count(&input).await?;
    if counted.longest > input {
        note("long").await?;
    }
    Ok(())
}

#[workflow]
async fn number_as_text(input: String) -> Result {
    let counted = count(&input).await?;
    note(counted.lines).await
}

#[workflow]
async fn numbers_of_two_actions(input: String) -> Result {
    let counted = count(&input).await?;
    if counted.lines == counted.shortest {
        note("same").await?;
    }
    Ok(())
}

#[workflow]
async fn unknown_field(input: String) -> Result {
    let counted = count(&input).await?;
    note(counted.words).await
}

#[workflow]
async fn unknown_name(input: String) -> Result {
    note(inptu).await
}

#[workflow]
async fn too_few_arguments() -> Result {
    count().await?;
    Ok(())
}

#[workflow]
async fn unknown_method(input: String) -> Result {
    shell("/bin/ls").argument(&input).await
}

#[workflow]
async fn missing_variant(input: String) -> Result {
    let counted = count(&input).await?;
    match counted.verdict {
        Verdict::Alarm => note("alarm").await,
    }
}

#[workflow]
async fn data_of_fs(input: String) -> Result {
    let made = fs().mkdir(&input).await?;
    note(made.path).await
}

#[workflow]
async fn data_as_a_whole(input: String) -> Result {
    let counted = count(&input).await?;
    note(counted).named("whole").await
}

fn main() {}
