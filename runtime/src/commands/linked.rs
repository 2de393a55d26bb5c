//! Function pointers for what commands do with coordinators and bundles: set only where the scheduler is linked.

use std::sync::OnceLock;

use hpdlc_program::table::Program;

/// A function that only programs of coordinators and bundles contain.
#[derive(Debug)]
pub struct Linked<F>(OnceLock<F>);

impl<F: Copy> Linked<F> {
    pub const fn new() -> Linked<F> {
        Linked(OnceLock::new())
    }

    /// Sets the function for this executable; only the first call has an effect.
    pub fn link(&self, function: F) {
        let _ = self.0.set(function);
    }

    /// The function for a program, unless its jobs are workflows.
    pub fn of(&self, program: &Program) -> Option<F> {
        let is_scheduled = program.is_scheduled();
        self.0.get().copied().filter(|_| is_scheduled)
    }
}
