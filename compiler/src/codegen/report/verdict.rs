//! The overall result for a document.

use super::Document;
use crate::diagnostics::{Diagnostic, Level};

/// The overall result for a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verdict {
    Fine,
    Warnings,
    /// It is valid, but hpdlc does not support all of it.
    Unsupported,
    Mistakes,
}

impl Verdict {
    pub(super) fn of(diagnostics: &[&Diagnostic]) -> Verdict {
        let of_one = |diagnostic: &&Diagnostic| match diagnostic.level {
            Level::Error if is_unsupported(diagnostic) => Verdict::Unsupported,
            Level::Error => Verdict::Mistakes,
            Level::Warning => Verdict::Warnings,
            Level::Note => Verdict::Fine,
        };
        diagnostics
            .iter()
            .map(of_one)
            .max()
            .unwrap_or(Verdict::Fine)
    }

    pub(super) fn words(self) -> &'static str {
        match self {
            Verdict::Fine => "fine",
            Verdict::Warnings => "warnings",
            Verdict::Unsupported => "not supported yet",
            Verdict::Mistakes => "errors",
        }
    }

    pub(super) fn class(self) -> &'static str {
        match self {
            Verdict::Fine => "fine",
            Verdict::Warnings => "warnings",
            Verdict::Unsupported => "unsupported",
            Verdict::Mistakes => "mistakes",
        }
    }
}

/// The family H08xx: valid in Oozie, but not supported yet.
pub(super) fn is_unsupported(diagnostic: &Diagnostic) -> bool {
    diagnostic.rule.id().starts_with("H08")
}

/// A document with its diagnostics.
pub(super) struct Judged<'a> {
    pub(super) document: &'a Document,
    pub(super) diagnostics: Vec<&'a Diagnostic>,
    pub(super) verdict: Verdict,
}
