//! The program `hpdl`.

use std::process::ExitCode;

fn main() -> ExitCode {
    hpdl::main()
}
