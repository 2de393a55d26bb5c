//! Internal compiler errors: a panic, or generated code that rustc rejects. Says so, and what to report.

use std::{
    io::Write,
    panic::{self, PanicHookInfo},
};

use crate::codegen::graph;

/// Installs a panic hook that prints a message asking for a report.
pub(super) fn install() {
    panic::set_hook(Box::new(|info: &PanicHookInfo<'_>| {
        if graph::abandon_layout() {
            return;
        }
        let cause = info.payload_as_str().unwrap_or("a panic without a message");
        let place = info
            .location()
            .map_or(String::new(), |location| format!(", {location}"));
        report(&format!("{cause}{place}"), &[]);
    }));
}

/// Prints the message about a bug to stderr.
pub(super) fn report(what: &str, notes: &[&str]) {
    let mut text = format!("error: internal compiler error: {what}\n");
    for note in notes {
        text.push_str(&format!("  = note: {note}\n"));
    }
    text.push_str(&format!(
        "  = note: hpdlc {} on {} {}, arguments: {}\n",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::OS,
        std::env::consts::ARCH,
        std::env::args_os()
            .skip(1)
            .map(|argument| format!("{argument:?}"))
            .collect::<Vec<_>>()
            .join(" "),
    ));
    text.push_str("  = help: this is a bug in hpdlc: report it with these lines and, if you can, the application\n");
    // If stderr is closed as well, nothing else can be done.
    drop(std::io::stderr().write_all(text.as_bytes()));
}
