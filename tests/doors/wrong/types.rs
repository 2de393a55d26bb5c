//! What rustc finds, with our words where it asks for a bound.

use hpdlc_flow::{Context, Data, Result, Run, action, action_type, fork, fs, function, shell, workflow};

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

#[derive(Data)]
pub struct Listed {
    names: Vec<String>,
}

#[action]
fn list(path: String) -> Result<Listed> {
    Ok(Listed { names: vec![path] })
}

#[workflow]
async fn method_that_an_enum_has_not(input: String) -> Result {
    let counted = count(&input).await?;
    note(counted.verdict.to_uppercase()).await
}

#[workflow]
async fn unknown_name_in_a_calculation(limit: u64) -> Result {
    note((limti + 1).to_string()).await
}

#[workflow]
async fn unknown_function(input: String) -> Result {
    note(shorten(&input, 3)).await
}

#[workflow]
async fn action_as_a_value(input: String) -> Result {
    note(count(&input)).await
}

#[workflow]
async fn number_for_a_text(limit: u64) -> Result {
    note(limit + 1).await
}

#[workflow]
async fn emptiness_of_a_list(input: String) -> Result {
    let listed = list(&input).await?;
    if listed.names.is_empty() {
        note("none").await?;
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

#[action_type(element = "counting", namespace = "uri:acme:counting:1.0")]
pub struct Counting {
    path: String,
}

impl Run for Counting {
    type Data = Counted;

    fn run(&self, _: &Context) -> Result<Counted> {
        count::count(self.path.clone())
    }
}

fn twice(number: u64) -> u64 {
    number * 2
}

#[workflow]
async fn unknown_field_in_a_calculation(input: String) -> Result {
    let counted = Counting { path: &input }.await?;
    note((counted.words * 2).to_string()).await
}

#[workflow]
async fn other_type_in_a_calculation(input: String) -> Result {
    let counted = Counting { path: &input }.await?;
    note(twice(counted.longest).to_string()).await
}

#[function]
fn bucket(path: String) -> String {
    path
}

#[workflow]
async fn a_function_that_is_awaited(input: String) -> Result {
    bucket(&input).await
}

#[workflow]
async fn ways_of_a_branch_differ(input: String) -> Result {
    fork!(
        async {
            if input == "none" {
                return Ok(());
            }
            count(&input).await
        },
        note("other"),
    )
    .await?;
    Ok(())
}

#[workflow]
async fn captured_as_an_enum(input: String) -> Result {
    let _ = shell("wc").arg(&input).capture::<Verdict>().await;
    Ok(())
}

#[workflow]
async fn no_arm_for_other_texts(input: String) -> Result {
    match input.as_str() {
        "a" => note("a").await,
        "b" => note("b").named("b").await,
    }
}

#[derive(Data)]
pub struct Nested {
    counted: Counted,
}

fn main() {}
