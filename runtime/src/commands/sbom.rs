//! `--version --sbom`: the packages that a program is linked from.

use std::env;

use hpdlc_core::sbom;

use super::print;

/// What the runtime is linked from; see `build/components.rs`.
const COMPONENTS: &str = include_str!(concat!(env!("OUT_DIR"), "/components.txt"));

/// Whether the command line asks for it.
pub fn is_asked() -> bool {
    sbom::is_asked(env::args_os().skip(1))
}

/// Prints the document about a program, which is linked from `others` besides.
pub fn answer(program: &str, version: &str, others: &str) {
    // Compiled into one of them.
    let sqlite = format!("sqlite\t{}\tblessing", hpdlc_store::sqlite_version());
    let all = COMPONENTS
        .lines()
        .chain(others.lines())
        .chain([sqlite.as_str()]);
    let mut lines: Vec<&str> = all.collect();
    lines.sort_unstable();
    lines.dedup();
    // A reader that closes the pipe is no failure.
    let _ = print(&sbom::document(program, version, &lines.join("\n")));
}
