//! Panics are internal errors: a panic ends the process at once, with a message that asks for a report.
//!
//! The stack is not unwound. A lost thread would leave a job waiting for it forever, whereas a lost process is what `recover`
//! handles; and the unwind tables would be a fifth of every executable, so the compiler omits them.

use std::{
    cell::Cell,
    io::Write,
    panic::{self, PanicHookInfo},
    process, thread,
};

/// DESIGN section 5: internal error.
const EXIT_CODE: i32 = 101;

thread_local! {
    /// Whether this thread is in code of the program's author, whose panics are not ours.
    static IS_FOREIGN: Cell<bool> = const { Cell::new(false) };
}

/// Runs code of the program's author, whose caller catches its panics.
pub fn while_foreign<T>(run: impl FnOnce() -> T) -> T {
    let before = IS_FOREIGN.replace(true);
    let result = run();
    IS_FOREIGN.set(before);
    result
}

/// Makes every panic end this process, with a message that asks for a report. `program` is its name. A thread for which
/// `is_given_up` returns true is parked instead, because the others continue without it.
pub fn install(program: String, is_given_up: fn() -> bool) {
    panic::set_hook(Box::new(move |info| {
        if IS_FOREIGN.get() && !cfg!(panic = "abort") {
            return;
        }
        if is_given_up() {
            loop {
                thread::park();
            }
        }
        // If stderr fails as well, there is nothing left to try.
        let _ = std::io::stderr().write_all(report(info, &program).as_bytes());
        process::exit(EXIT_CODE)
    }));
}

/// Only the first argument is shown: the others may be secret.
fn report(info: &PanicHookInfo<'_>, program: &str) -> String {
    let cause = info.payload_as_str().unwrap_or("a panic without a message");
    let place = info
        .location()
        .map_or(String::new(), |location| format!(", {location}"));
    let command = std::env::args_os().nth(1).unwrap_or_default();
    let (os, architecture) = (std::env::consts::OS, std::env::consts::ARCH);
    format!(
        "error: internal error: {cause}{place}\n  \
         = note: {program}, hpdlc {} on {os} {architecture}, command `{}`\n  \
         = help: this is a bug in hpdlc: report it with these lines; to continue a job that this process managed, type: recover\n",
        env!("CARGO_PKG_VERSION"),
        command.display(),
    )
}
