//! The runtime that executables are linked with: a compiler that is new on the machine compiles it once, which takes longer than a request
//! may. The server has it done in the background then.

use std::{
    collections::BTreeSet,
    path::Path,
    process::Command,
    sync::{Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

use crate::serve::process::{self, Bounds};

/// What compiling the runtime may take on a slow machine.
const MOST: Duration = Duration::from_secs(2 * 60 * 60);
/// What is kept of its messages.
const MOST_OUTPUT: u64 = 64 << 10;

/// The compilers, by path and version, whose runtime is compiled or was.
static BEGUN: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Begins `hpdlc setup --full` unless this server has begun it for the compiler of this identity. It ends within a second if there is
/// nothing to compile.
pub(crate) fn begin(compiler: &Path, identity: String) {
    let is_new = BEGUN
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .insert(identity);
    if is_new {
        let compiler = compiler.to_owned();
        // Without a thread, the next request has to be tried with what is compiled until then.
        let _ = thread::Builder::new()
            .name("setup".to_owned())
            .spawn(move || set_up(&compiler));
    }
}

fn set_up(compiler: &Path) {
    let began = Instant::now();
    let bounds = Bounds {
        memory: None,
        file: None,
        output: MOST_OUTPUT,
        deadline: began + MOST,
        leaves_nothing: true,
    };
    tracing::info!(
        "a compilation took too long: `hpdlc setup --full` compiles the runtime, if that was why"
    );
    let mut command = Command::new(compiler);
    let ended = process::run_within(command.args(["setup", "--full"]), bounds);
    let seconds = began.elapsed().as_secs();
    match ended {
        Ok(ended) if ended.status.success() => {
            tracing::info!("the runtime is compiled, after {seconds} s");
        }
        Ok(ended) => {
            let text = String::from_utf8_lossy(&ended.stderr);
            let error = text.lines().find(|line| line.starts_with("error"));
            let error = error.unwrap_or("no message").to_owned();
            tracing::warn!("`hpdlc setup --full` ended with {}: {error}", ended.status);
        }
        Err(_) => tracing::warn!("`hpdlc setup --full` did not end within {seconds} s"),
    }
}
