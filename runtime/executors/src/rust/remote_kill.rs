//! Ends work that goes on elsewhere. What an extension does runs in a process of its own, not in that of the owner: it may hang, or end it.

use std::{
    env,
    fs::File,
    io::{self, Write},
    iter,
    path::{Path, PathBuf},
    process::{self, Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use hpdlc_host::panic_hook;
use hpdlc_launcher::Attempt;
use serde::{Deserialize, Serialize};

use super::{
    Rust, find,
    remote_state::RemoteState,
    remote_work::{KILL_PATIENCE, RemoteWork},
    seen,
};
use crate::{process_end, worker_process};

/// The first argument of a process that ends the work of an attempt.
const ARGUMENT: &str = "hpdl-kill-elsewhere";

/// What the process reads from its standard input.
#[derive(Serialize, Deserialize)]
struct KillOrder {
    action: Rust,
    job: String,
    attempt: PathBuf,
}

impl Rust {
    /// Ends the work of an attempt, if it may have been started.
    pub(super) fn kill_in_process(&self, job: &str, attempt: &Attempt) -> Result<(), String> {
        let failed = |problem: &dyn std::fmt::Display| {
            format!("FAILED_TO_KILL: the work may go on elsewhere: {problem}")
        };
        match RemoteState::read(attempt) {
            Ok(Some(state)) if state.has_begun => {}
            Ok(_) => return Ok(()),
            Err(error) => return Err(failed(&error)),
        }
        let mut child = self
            .start_killing(job, attempt)
            .map_err(|error| failed(&error))?;
        let until = Instant::now() + KILL_PATIENCE + Duration::from_secs(5);
        loop {
            match child.try_wait() {
                Ok(Some(status)) if status.success() => return Ok(()),
                Ok(Some(status)) => {
                    let said = process_end::last_line(&attempt.stderr());
                    return Err(said.unwrap_or_else(|| failed(&status)));
                }
                Ok(None) if Instant::now() < until => thread::sleep(Duration::from_millis(10)),
                Ok(None) => {
                    let _ = child.kill();
                    let _ = child.wait();
                    return Err(failed(&"its service does not answer"));
                }
                Err(error) => return Err(failed(&error)),
            }
        }
    }

    /// Ends the work of earlier attempts whose end is not known.
    pub(super) fn kill_lost(&self, job: &str, attempt: &Attempt) -> Result<(), String> {
        iter::successors(attempt.earlier(), Attempt::earlier)
            .filter(worker_process::is_lost)
            .try_for_each(|attempt| self.kill_in_process(job, &attempt))
    }

    fn start_killing(&self, job: &str, attempt: &Attempt) -> io::Result<Child> {
        let order = KillOrder {
            action: self.clone(),
            job: job.to_owned(),
            attempt: attempt.folder().to_owned(),
        };
        let order = serde_json::to_vec(&order)?;
        let program = match self.other_build().zip(home_of(job, attempt)) {
            Some((build, home)) => home.join("bin").join(build),
            None => PathBuf::from("/proc/self/exe"),
        };
        let log = |path: PathBuf| File::options().create(true).append(true).open(path);
        let mut command = Command::new(program);
        command
            .arg(ARGUMENT)
            .stdin(Stdio::piped())
            .stdout(log(attempt.stdout())?)
            .stderr(log(attempt.stderr())?);
        if attempt.folder().is_dir() {
            command.current_dir(attempt.folder());
        }
        let mut child = command.spawn()?;
        let written = child.stdin.take().map(|mut pipe| pipe.write_all(&order));
        if let Some(Err(error)) = written {
            let _ = child.kill();
            let _ = child.wait();
            return Err(error);
        }
        Ok(child)
    }
}

/// The state folder, from the path of an attempt.
fn home_of<'a>(job: &str, attempt: &'a Attempt) -> Option<&'a Path> {
    let mut above = attempt.folder().ancestors();
    let job = above.find(|folder| folder.file_name().is_some_and(|name| name == job))?;
    job.parent()?.parent()
}

/// Becomes the process that ends the work of an attempt if the arguments say so; in this case it does not return.
pub fn serve_if_asked() {
    if env::args_os()
        .nth(1)
        .is_none_or(|argument| argument != ARGUMENT)
    {
        return;
    }
    panic_hook::install("a process that ends an action".to_owned(), || false);
    let ended = serde_json::from_reader(io::stdin().lock())
        .map_err(|error| error.to_string())
        .and_then(|order| carry_out(&order));
    if let Err(problem) = &ended {
        let _ = writeln!(io::stderr(), "{problem}");
    }
    process::exit(i32::from(ended.is_err()))
}

fn carry_out(order: &KillOrder) -> Result<(), String> {
    let action = &order.action;
    let calls = find(&action.function).and_then(|action| action.remote);
    let calls = calls.ok_or_else(|| {
        format!(
            "FAILED_TO_KILL: this program has no action type `{}`",
            action.function
        )
    })?;
    let attempt = Attempt::new(order.attempt.clone());
    let state = RemoteState::read(&attempt).map_err(|error| error.to_string())?;
    let state = state.unwrap_or_default();
    let work = RemoteWork {
        calls,
        arguments: action.arguments.clone(),
        context: seen(&order.job, &state.node, &attempt).tagged(state.tag),
        attempt,
    };
    work.kill_within_patience()
}
