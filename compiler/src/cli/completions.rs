//! `hpdlc completions`: a script with which a shell completes the arguments of hpdlc.

use clap_complete::{Shell, generate};

use crate::cli::{help, output::CommandOutput};

pub(super) fn run(shell: Shell, output: &mut CommandOutput) -> u8 {
    let mut script = Vec::new();
    generate(shell, &mut help::command(), "hpdlc", &mut script);
    output.answer(&String::from_utf8_lossy(&script))
}
