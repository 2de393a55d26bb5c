//! The binary `hpdlc`: hands the arguments over and returns the exit code.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// A document becomes a tree of some times its size. This allocator asks the system for it in large pages, where it gives
/// them to who asks, and they are touched for the first time five hundred times less often.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    hpdlc::cli::main()
}
