//! A bug of ours: a panic ends the process at once, and says what to report.
//!
//! Nothing is unwound. A thread that is gone would leave a job waiting for it for ever, whereas a process that is gone is what
//! `recover` is made for; and the tables for unwinding would be a fifth of every executable, so the compiler leaves them out.

use std::{
    io::Write,
    panic::{self, PanicHookInfo},
    process, thread,
};

/// DESIGN section 5: our bug.
const EXIT_CODE: i32 = 101;

/// Makes every panic of this process its end, with a message that asks for a report. `program` says which one it is.
/// A thread of which `is_given_up` says that others go on without it waits instead.
pub fn install(program: String, is_given_up: fn() -> bool) {
    panic::set_hook(Box::new(move |info| {
        if is_given_up() {
            loop {
                thread::park();
            }
        }
        // There is nothing left to try where stderr is gone as well.
        let _ = std::io::stderr().write_all(report(info, &program).as_bytes());
        process::exit(EXIT_CODE)
    }));
}

/// Of the arguments only the first is shown: what follows it may be secret.
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
