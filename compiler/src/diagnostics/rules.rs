//! The list of rules, as used by diagnostics: [`Rules`].

use super::{Code, Lint, Rule, nearest};

/// The name that denotes everything that would be a warning.
pub const WARNINGS: &str = "warnings";

/// The rules of a compiler. Diagnostics receive the list as a value, because the rooms with rules depend on this room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// By room, in the order of their numbers.
    pub codes: &'static [&'static [&'static Code]],
    /// By room.
    pub lints: &'static [&'static [&'static Lint]],
}

/// A name that is not a lint, where one is expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownLint {
    pub name: String,
    pub similar: Option<&'static str>,
}

impl std::fmt::Display for UnknownLint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "unknown lint `{}`", self.name)?;
        match self.similar {
            Some(similar) => write!(f, "; there is a lint with a similar name: `{similar}`"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for UnknownLint {}

impl Rules {
    /// No rules, for a room alone, where no rule is looked up by name.
    pub const NONE: Rules = Rules {
        codes: &[],
        lints: &[],
    };

    /// All codes.
    pub fn codes(self) -> impl Iterator<Item = &'static Code> + Clone {
        self.codes.iter().copied().flatten().copied()
    }

    /// All lints.
    pub fn lints(self) -> impl Iterator<Item = &'static Lint> + Clone {
        self.lints.iter().copied().flatten().copied()
    }

    /// All codes, followed by all lints.
    pub fn all(self) -> impl Iterator<Item = Rule> + Clone {
        let lints = self.lints().map(Rule::from);
        self.codes().map(Rule::from).chain(lints)
    }

    /// The rules that match `wanted`: a code's number (in any case) or name, a lint's name, or one of Oozie's codes, which
    /// several rules may share.
    pub fn find(self, wanted: &str) -> Vec<Rule> {
        let all = self.all();
        let words = wanted.replace('-', "_");
        let exact: Vec<Rule> = all
            .clone()
            .filter(|rule| {
                rule.id().eq_ignore_ascii_case(&words) || rule.name().eq_ignore_ascii_case(&words)
            })
            .collect();
        if !exact.is_empty() {
            return exact;
        }
        all.filter(|rule| {
            rule.oozie()
                .iter()
                .any(|oozie| oozie.eq_ignore_ascii_case(wanted))
        })
        .collect()
    }

    /// The lint of that name, or [`WARNINGS`]. `-` is equivalent to `_`.
    pub fn known_lint_name(self, name: &str) -> Option<&'static str> {
        let wanted = name.replace('-', "_");
        self.lint_names().find(|known| *known == wanted)
    }

    /// Like [`Rules::known_lint_name`], with a similar name in the error.
    ///
    /// # Errors
    ///
    /// [`UnknownLint`] if there is no such lint.
    pub fn lint_name(self, name: &str) -> Result<&'static str, UnknownLint> {
        self.known_lint_name(name).ok_or_else(|| UnknownLint {
            name: name.to_owned(),
            similar: nearest(&name.replace('-', "_"), self.lint_names()),
        })
    }

    fn lint_names(self) -> impl Iterator<Item = &'static str> {
        self.lints().map(|lint| lint.name).chain([WARNINGS])
    }
}
