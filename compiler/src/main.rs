//! The binary `hpdlc`: passes on the arguments and returns the exit code.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// A document becomes a tree several times its size. This allocator requests memory from the system in large pages, if
/// available, which reduces page faults by a factor of five hundred.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    hpdlc::cli::main()
}
