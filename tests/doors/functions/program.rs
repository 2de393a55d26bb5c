//! A program whose workflow calls functions of it, as `#[action]` would write them.

use std::{env, fs, path::Path, process, process::ExitCode, thread, time::Duration};

use hpdlc_runtime::{
    Parts,
    action::{self, Action, Actions, Arguments, Context, DataMap, Result, error},
};

mod own_code {
    hpdlc_macros::include_workflow!("workflow");
}

/// What a test edits: which build a job has.
const BUILD: &str = "first";

static ACTIONS: Actions = &[("work", &WORK), ("build", &BUILDS)];
static WORK: Action = Action::new(work);
static BUILDS: Action = Action::new(build).idempotent();

fn main() -> ExitCode {
    let command = env::args().nth(1).unwrap_or_default();
    let parts = match command.as_str() {
        "run-without" => Parts::NONE,
        _ => Parts::NONE.with_actions(ACTIONS),
    };
    let runtime = hpdlc_runtime::init_with(parts);
    let finished = match command.as_str() {
        "run-here" | "run-without" => {
            let mode = env::args().nth(2).unwrap_or_default();
            let params = own_code::Params {
                mode,
                lost: None,
                seconds: None,
            };
            own_code::run(&runtime, params).map(|job| vec![job])
        }
        "recover-here" => own_code::recover(&runtime),
        _ => return own_code::command_line(&runtime),
    };
    match finished {
        Ok(jobs) => {
            for job in jobs {
                println!("{} {}", job.id, job.status);
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            error.exit.into()
        }
    }
}

/// Does what the mode says. Another one is a folder: it writes its process id there, and returns when there is a `gate`.
fn work(context: &Context, texts: &[String]) -> Result<DataMap> {
    let mut arguments = Arguments::of(texts, 2)?;
    let (mode, job): (String, String) = (arguments.take("mode")?, arguments.take("job")?);
    assert_eq!(job, context.job());
    println!("attempt {} of {}", context.attempt(), context.node());
    let mut data = DataMap::from([("lines".to_owned(), "4".to_owned())]);
    match mode.as_str() {
        "count" | "again" => {}
        "error" => return Err(error("NO_FILE", "it is gone")),
        "panic" => panic!("no {mode}"),
        "large" => {
            data.insert("large".to_owned(), "x".repeat(2 * 1024 * 1024));
        }
        folder => {
            let folder = Path::new(folder);
            fs::write(folder.join("new"), process::id().to_string())?;
            fs::rename(folder.join("new"), folder.join("process"))?;
            // A process that is left behind exits when the folder is removed.
            while folder.exists() && !folder.join("gate").exists() {
                thread::sleep(Duration::from_millis(20));
            }
        }
    }
    action::answer(Ok(data))
}

/// Says which build it is of; its first attempt dies in the mode `again`.
fn build(context: &Context, texts: &[String]) -> Result<DataMap> {
    let mode: String = Arguments::of(texts, 1)?.take("mode")?;
    if mode == "again" && context.attempt() == 1 {
        process::abort();
    }
    Ok(DataMap::from([("build".to_owned(), BUILD.to_owned())]))
}
