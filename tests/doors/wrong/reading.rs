//! Rust that is no workflow: one message each, at its tokens.

use hpdlc_flow::{Data, Result, action, fork, kill, minutes, shell, workflow};

#[derive(Data)]
pub struct Counted {
    lines: u64,
    first: String,
}

#[action]
fn count(path: String) -> Result<Counted> {
    Ok(Counted { lines: 1, first: path })
}

#[action]
fn note(text: String) -> Result {
    println!("{text}");
    Ok(())
}

#[workflow]
async fn loops(input: String, limit: u64) -> Result {
    for _day in 0..limit {
        note(&input).await?;
    }
    Ok(())
}

#[workflow]
async fn forgotten_await(input: String) -> Result {
    note(&input);
    Ok(())
}

#[workflow]
async fn forgotten_error(input: String) -> Result {
    note(&input).await;
    Ok(())
}

#[workflow]
async fn unwrapped(input: String) -> Result {
    note(&input).await.unwrap();
    Ok(())
}

#[workflow]
async fn data_of_one_way(input: String, full: bool) -> Result {
    if full {
        let counted = count(&input).await?;
        note(counted.first).await?;
    }
    note(format!("{}", counted.lines)).named("late").await
}

#[workflow]
async fn data_of_a_sibling(input: String) -> Result {
    fork!(
        async {
            let counted = count(&input).await?;
            note(counted.first).await
        },
        note(counted.first).named("other"),
    )
    .await?;
    Ok(())
}

#[workflow]
async fn a_closure(input: String) -> Result {
    note(|| input.clone()).await
}

#[workflow]
async fn left_by_a_question_mark(input: String) -> Result {
    note((input.parse::<u64>()? + 1).to_string()).await
}

#[workflow]
async fn left_by_return(input: String) -> Result {
    note(if input.is_empty() { return Ok(()) } else { "full" }).await
}

#[workflow]
async fn changed_in_an_expression(input: String, limit: u64) -> Result {
    note({ limit += 1; format!("{input}{limit}") }).await
}

#[workflow]
async fn oozie_in_rust(input: String) -> Result {
    note(hpdlc_flow::el!("${wf:id()}").trim().to_owned() + &input).await
}

#[workflow]
async fn calculated_before_the_job(input: String, limit: u32) -> Result {
    note(&input).retry(limit / 2, minutes(1)).await
}

#[workflow]
async fn data_of_unknown_type(input: String) -> Result {
    let found = shell("wc").arg(&input).capture().await?;
    let _: &Counted = &found;
    note(found.first.to_uppercase()).await
}

#[workflow]
async fn a_name_that_changes(input: String) -> Result {
    note(&input).named(&input).await
}

#[workflow]
async fn a_short_pause(input: String) -> Result {
    note(&input).retry(3, hpdlc_flow::seconds(5)).await
}

#[workflow]
async fn an_error_of_another_type(input: String) -> Result {
    note(&input).await?;
    Err(hpdlc_flow::error("NO", "no"))
}

#[workflow]
async fn one_branch(input: String) -> Result {
    fork!(note(&input)).await?;
    Ok(())
}

#[workflow]
async fn expression_in_a_text(input: String) -> Result {
    shell("/bin/echo").arg("${input}").arg(&input).await
}

#[workflow]
fn not_async(input: String) -> Result {
    Ok(())
}

#[workflow]
async fn no_text(input: Vec<String>) -> Result {
    Ok(())
}

#[workflow(retries = "3")]
async fn unknown_setting(input: String) -> Result {
    note(&input).await
}

#[workflow]
async fn mutable(input: String) -> Result {
    let mut day = &input;
    note(day).retry(1, minutes(1)).await
}

#[workflow]
async fn guarded(mode: String, full: bool) -> Result {
    match mode.as_str() {
        "all" if full => note("all").await,
        _ => Err(kill("nothing")),
    }
}

#[workflow]
async fn no_arm_for_failures(input: String) -> Result {
    match count(&input).await {
        Ok(found) => note(found.first).await,
    }
}

#[workflow]
async fn a_result_with_a_name(input: String) -> Result {
    let found = count(&input).await;
    match found {
        Ok(found) => note(found.first).await,
        Err(failure) => note(failure.message()).named("failure").await,
    }
}

#[workflow]
async fn data_of_a_workflow(input: String) -> Result<Counted> {
    let counted = count(&input).await?;
    Ok(counted)
}

#[workflow]
async fn one_property_for_two(
    input: String,
    #[property("input")] path: String,
) -> Result {
    note(format!("{input}{path}")).await
}

#[workflow]
async fn default_of_another_type(#[default("many")] limit: u64) -> Result {
    note(format!("{limit}")).await
}

#[workflow]
async fn a_decision_that_is_none(input: String) -> Result {
    #[node = "say"]
    note(&input).await
}

#[workflow]
async fn forgotten_error_of_a_fork(input: String) -> Result {
    let (_, _) = fork!(note(&input), count(&input)).await;
    Ok(())
}

#[workflow]
async fn an_error_of_a_text(input: String) -> Result {
    note(&input).await?;
    Err("broken".into())
}

#[workflow]
async fn changed_in_place(input: String) -> Result {
    input.push_str("x");
    note(&input).await
}

#[workflow]
async fn forgotten_await_before_an_error(input: String) -> Result {
    count(&input)?;
    Ok(())
}

#[workflow]
async fn an_end_with_a_semicolon(input: String) -> Result {
    note(&input).await?;
    Ok(());
}

#[workflow]
async fn awaited_later(input: String) -> Result {
    let noted = note(&input);
    noted.await
}

#[workflow]
async fn data_in_an_argument(input: String) -> Result {
    note(count(&input).await?.first).await
}

#[workflow]
async fn a_text_as_a_duration(input: String) -> Result {
    note(&input).timeout("1h").await
}

#[workflow]
async fn compared_without_a_value(limit: Option<u64>) -> Result {
    if limit > 3 {
        note("more").await?;
    }
    Ok(())
}

pub struct Shop;

impl Shop {
    #[workflow]
    async fn a_method(&self, input: String) -> Result {
        note(&input).await
    }
}

fn main() {
    let runtime = loops::init();
    loops::command_line(&runtime);
}
