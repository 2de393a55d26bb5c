//! The output of generation: the files of a crate, sorted by path.

use std::{collections::BTreeMap, path::PathBuf};

use proc_macro2::TokenStream;

use crate::codegen::format;

/// The sources of a crate. Its manifest comes from [`manifest`](crate::codegen::manifest), since not every entry point needs one.
#[derive(Debug)]
pub struct GeneratedCrate {
    /// The Rust files, by their path in the crate, such as `src/main.rs`.
    pub files: BTreeMap<String, GeneratedFile>,
    /// The files to copy unchanged: path in the crate, and source path.
    pub copies: BTreeMap<String, PathBuf>,
}

/// A Rust file that is formatted on demand.
///
/// Formatting takes longer than generation. A caller that stores the fingerprints of the last build formats only the
/// changed files.
#[derive(Debug)]
pub struct GeneratedFile {
    header: String,
    tokens: TokenStream,
    fingerprint: u64,
}

impl GeneratedFile {
    /// `header` is the comment at the beginning of the file: complete lines, or empty.
    pub(crate) fn new(header: String, tokens: TokenStream, fingerprint: u64) -> GeneratedFile {
        GeneratedFile {
            header,
            tokens,
            fingerprint,
        }
    }

    /// Equal for equal text. It depends only on header and tokens, so it can be stored between builds with the same
    /// version of hpdlc.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// The formatted text.
    pub fn text(&self) -> String {
        format::file(&self.header, self.tokens.clone())
    }
}
