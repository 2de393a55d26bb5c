//! Suppression comments: lints that a document allows in a part of itself.

use super::{Diagnostic, LintLevel, LintLevels, Rule, WARNINGS};
use crate::{
    diagnostics::{Level, Place},
    source::Span,
};

/// A lint that a comment allows in an element and its contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allow {
    /// The name of a lint, or [`WARNINGS`].
    pub lint: &'static str,
    /// From the comment to the end of the element.
    pub scope: Span,
    /// Whether the element is the root, so that the comment applies to the whole file.
    pub is_whole_file: bool,
    /// The name in the comment.
    pub place: Span,
}

impl Allow {
    /// Whether the comment names the rule of `diagnostic`, whose level has not been set yet.
    pub(super) fn means(&self, diagnostic: &Diagnostic, levels: &LintLevels) -> bool {
        match diagnostic.rule {
            Rule::Lint(lint) if self.lint == WARNINGS => levels.level_of(lint) == LintLevel::Warn,
            Rule::Lint(lint) => self.lint == lint.name,
            Rule::Code(_) => self.lint == WARNINGS && diagnostic.level == Level::Warning,
        }
    }

    /// Whether the comment suppresses `diagnostic`.
    pub(super) fn covers(&self, diagnostic: &Diagnostic, levels: &LintLevels) -> bool {
        self.means(diagnostic, levels)
            && match &diagnostic.place {
                Place::Span(span) => self.scope.contains(*span),
                Place::File(file) => self.is_whole_file && self.scope.file == *file,
                Place::Path(_) => false,
            }
    }
}
