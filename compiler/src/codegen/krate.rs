//! What generation gives: the files of a crate, in the order of their paths.

use std::{collections::BTreeMap, path::PathBuf};

use proc_macro2::TokenStream;

use crate::codegen::format;

/// The sources of a crate. Its manifest comes from [`manifest`](crate::codegen::manifest), since not every door needs one.
#[derive(Debug)]
pub struct GeneratedCrate {
    /// The Rust files by their path in the crate, such as `src/main.rs`.
    pub files: BTreeMap<String, GeneratedFile>,
    /// The files to copy as they are: their path in the crate, and where they are now.
    pub copies: BTreeMap<String, PathBuf>,
}

/// A Rust file that is formatted only when it is asked for.
///
/// Formatting costs more than generation. Whoever keeps the fingerprints of the last build formats what changed.
#[derive(Debug)]
pub struct GeneratedFile {
    header: String,
    tokens: TokenStream,
    fingerprint: u64,
}

impl GeneratedFile {
    /// `header` is the comment that the file begins with: whole lines, or nothing.
    pub(crate) fn new(header: String, tokens: TokenStream, fingerprint: u64) -> GeneratedFile {
        GeneratedFile {
            header,
            tokens,
            fingerprint,
        }
    }

    /// Equal for equal text. Depends on nothing but the tokens, so it may be kept from build to build of one version of
    /// hpdlc.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// The formatted text.
    pub fn text(&self) -> String {
        format::file(&self.header, self.tokens.clone())
    }
}
