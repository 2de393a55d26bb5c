//! The overall result for a document.

use super::Document;
use crate::diagnostics::{Diagnostic, Level};

/// The lint about templates.
const TEMPLATE: &str = "unrendered_templates";

/// The overall result for a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verdict {
    Fine,
    Warnings,
    /// It is no document yet: another tool makes one of it.
    Template,
    /// It is valid, but hpdlc does not support all of it.
    Unsupported,
    Mistakes,
}

impl Verdict {
    pub(super) fn of(diagnostics: &[&Diagnostic]) -> Verdict {
        let of_one = |diagnostic: &&Diagnostic| match diagnostic.level {
            _ if is_template(diagnostic) => Verdict::Template,
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
            Verdict::Template => "template",
            Verdict::Unsupported => "not supported yet",
            Verdict::Mistakes => "errors",
        }
    }

    pub(super) fn class(self) -> &'static str {
        match self {
            Verdict::Fine => "fine",
            Verdict::Warnings => "warnings",
            Verdict::Template => "template",
            Verdict::Unsupported => "unsupported",
            Verdict::Mistakes => "mistakes",
        }
    }
}

/// The family H08xx: valid in Oozie, but not supported yet.
pub(super) fn is_unsupported(diagnostic: &Diagnostic) -> bool {
    diagnostic.rule.id().starts_with("H08")
}

/// It says that the document is a template of another tool.
pub(super) fn is_template(diagnostic: &Diagnostic) -> bool {
    diagnostic.rule.id() == TEMPLATE
}

/// A document with its diagnostics.
pub(super) struct Judged<'a> {
    pub(super) document: &'a Document,
    pub(super) diagnostics: Vec<&'a Diagnostic>,
    pub(super) verdict: Verdict,
}
