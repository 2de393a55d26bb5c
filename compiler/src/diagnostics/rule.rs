//! What a diagnostic is an instance of: a [`Code`] or a [`Lint`].
//!
//! Both are statics beside the check that reports them, made by `code!` and `lint!`, and are listed in `rules.rs` of the
//! crate.

use super::{Level, LintLevel};

/// A rule that cannot be disabled, identified by its number: `error[H0301]`.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// `H` and four digits; never reused.
    pub id: &'static str,
    /// The same rule in words, snake_case: `undefined_node`.
    pub name: &'static str,
    pub level: Level,
    /// Oozie's codes for the same mistake.
    pub oozie: &'static [&'static str],
    /// Markdown, kept beside the check; what `hpdlc explain` prints.
    pub explanation: &'static str,
}

/// A rule whose level the user can set, identified by its name: `warning[unused_parameters]`.
#[derive(Debug, PartialEq, Eq)]
pub struct Lint {
    /// Plural and snake_case, readable after "allow".
    pub name: &'static str,
    pub default_level: LintLevel,
    /// Oozie's codes for what would happen at run time.
    pub oozie: &'static [&'static str],
    /// Markdown, kept beside the check; what `hpdlc explain` prints.
    pub explanation: &'static str,
}

/// Either of the two, as stored in a diagnostic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    Code(&'static Code),
    Lint(&'static Lint),
}

impl Rule {
    /// The id in brackets after the level, and in JSON's `code`: the number of a code, the name of a lint.
    pub fn id(self) -> &'static str {
        match self {
            Rule::Code(code) => code.id,
            Rule::Lint(lint) => lint.name,
        }
    }

    /// The rule in words.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Code(code) => code.name,
            Rule::Lint(lint) => lint.name,
        }
    }

    /// Oozie's codes for the same mistake.
    pub fn oozie(self) -> &'static [&'static str] {
        match self {
            Rule::Code(code) => code.oozie,
            Rule::Lint(lint) => lint.oozie,
        }
    }

    /// The text of `hpdlc explain`.
    pub fn explanation(self) -> &'static str {
        match self {
            Rule::Code(code) => code.explanation,
            Rule::Lint(lint) => lint.explanation,
        }
    }
}

impl From<&'static Code> for Rule {
    fn from(code: &'static Code) -> Rule {
        Rule::Code(code)
    }
}

impl From<&'static Lint> for Rule {
    fn from(lint: &'static Lint) -> Rule {
        Rule::Lint(lint)
    }
}
