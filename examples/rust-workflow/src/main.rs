//! Counts the requests of a day in the log of a web server, and raises an alarm where too many have failed.
//!
//! `daily` is a workflow: it is read when this program is compiled. `count` and `judge` are actions: each runs in a process of its
//! own, as an Oozie action does, with its arguments and its data in the job store.

mod actions;
#[cfg(test)]
mod tests;

use std::process::ExitCode;

use hpdlc_flow::{Result, fork, fs, kill, minutes, shell, workflow};

use self::actions::{Verdict, count, judge, note};

/// Each night: counts, judges, and leaves a report in `output`.
#[workflow(name_node = "file:///")]
pub async fn daily(
    /// The log of the day.
    input: String,
    /// The folder of the report, which is made anew.
    output: String,
    /// How many of a hundred requests may fail.
    #[default(5)]
    limit: u64,
) -> Result {
    fs().delete(&output).mkdir(&output).named("prepare").await?;
    let counted = match count(&input).retry(2, minutes(1)).await {
        Ok(counted) => counted,
        Err(failure) => {
            note(&output, format!("not counted: {}", failure.message()))
                .named("excuse")
                .await?;
            return Err(kill(format!(
                "{input} cannot be counted: {}",
                failure.code()
            )));
        }
    };
    if counted.requests > 0 {
        let (judged, _) = fork!(
            judge(counted.requests, counted.failed, limit),
            shell("/bin/sh")
                .arg("-c")
                .arg("sort \"$0\" | uniq -c | sort -rn | head -3 > \"$1/top.txt\"")
                .arg(&input)
                .arg(&output)
                .named("top"),
        )
        .await?;
        match judged.verdict {
            Verdict::Alarm => {
                note(
                    &output,
                    format!("ALARM: {} of {} failed", counted.failed, counted.requests),
                )
                .named("alarm")
                .await?;
            }
            Verdict::Calm => {}
        }
    }
    note(&output, format!("{} requests", counted.requests))
        .named("finish")
        .await
}

fn main() -> ExitCode {
    // Must come first: actions run in processes that start here.
    let runtime = daily::init();
    daily::command_line(&runtime)
}
