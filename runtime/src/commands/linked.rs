//! What commands do with coordinators and bundles, by pointers: linked where the scheduler is.

use std::sync::OnceLock;

use hpdlc_program::table::Program;

/// A function that is there in programs of coordinators and bundles.
#[derive(Debug)]
pub struct Linked<F>(OnceLock<F>);

impl<F: Copy> Linked<F> {
    pub const fn new() -> Linked<F> {
        Linked(OnceLock::new())
    }

    /// Makes it that of this executable; the first counts.
    pub fn link(&self, function: F) {
        let _ = self.0.set(function);
    }

    /// The function for a program, unless its jobs are workflows.
    pub fn of(&self, program: &Program) -> Option<F> {
        let is_scheduled = program.is_scheduled();
        self.0.get().copied().filter(|_| is_scheduled)
    }
}
