//! The binary `hpdlc`: hands the arguments over and returns the exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    hpdlc::cli::main()
}
