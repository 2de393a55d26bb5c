//! Workflows that run others of the program, two levels deep, and one in XML.

use std::process::ExitCode;

use hpdlc_flow::{CoordinatorAction, Data, Result, action, child, coordinator, days, error, kill, workflow};

#[derive(Data)]
struct Written {
    bytes: u64,
}

#[action]
fn write(path: String, text: String) -> Result<Written> {
    if text.contains("bad") {
        return Err(error("BAD_TEXT", "bad"));
    }
    std::fs::write(&path, &text)?;
    Ok(Written { bytes: text.len() as u64 })
}

mod reports {
    use super::{Result, child, workflow, write};

    /// Runs in `report`.
    #[workflow]
    pub async fn clean(target: String, #[default("none")] title: String) -> Result {
        let _ = write(&target, format!("clean {title}")).named("wipe").await?;
        Ok(())
    }

    #[workflow]
    pub async fn report(#[property("out.dir")] output: String, day: String, #[default(3)] limit: u64) -> Result {
        let written = write(format!("{output}/report"), format!("{day} {limit}")).await?;
        if written.bytes > 3 {
            child(clean, clean::Params { target: format!("{output}/clean"), title: Some(day) }).await?;
        }
        Ok(())
    }
}

/// An application in XML, with a sub-workflow of its own.
mod tidy {
    hpdlc_flow::include_workflow!("tidy");
}

use reports::report;

#[workflow]
async fn daily(output: String, day: String, #[default("-")] mark: String) -> Result {
    let first = write(format!("{output}/first"), &day).named("first").await?;
    match child(report, report::Params {
        #[property("out.dir")]
        output: &output,
        day: format!("{day} of {}", first.bytes),
        limit: None,
    })
    .await
    {
        Ok(()) => {}
        Err(failure) => return Err(kill(format!("no report: {}", failure.message()))),
    }
    child(reports::clean, reports::clean::Params { target: format!("{output}/last"), title: Some(mark.trim()) })
        .named("last")
        .await?;
    child(tidy, tidy::Params { #[property("out.dir")] out_dir: &output, days: first.bytes, keep: None }).await
}

/// A coordinator of the application in XML.
#[coordinator(workflow = tidy, frequency = days(1), start = "2026-01-01T00:00Z", end = "2027-01-01T00:00Z", timezone = "UTC")]
fn weekly(action: CoordinatorAction) -> tidy::Params {
    tidy::Params { #[property("out.dir")] out_dir: format!("/out/{}", action.nominal_time()), days: 7, keep: None }
}

fn main() -> ExitCode {
    assert_eq!(weekly::PROGRAM.apps.len(), 2);
    let runtime = daily::init();
    daily::command_line(&runtime)
}
