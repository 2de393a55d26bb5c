//! The `fs` action: file operations in document order.

use crate::action::Settings;

body! {
    "fs": Fs {
        settings: Settings<F> = settings,
        operations: F::List<F::Operation> = operations,
        /// By the rules of the proposal of 2009: relative paths are relative to the user's home, no path is a pattern, and the
        /// sources of all moves are checked before the first operation.
        of_proposal: bool = flag,
    }
}
