//! The Rust file that a macro is called in.

use std::path::PathBuf;

/// The file that the function stands in.
pub(crate) struct Source {
    /// The folder of the package.
    pub(crate) package: PathBuf,
    /// The file, below the package.
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}
