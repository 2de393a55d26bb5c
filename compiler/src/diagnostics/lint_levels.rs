//! The levels of lints: their defaults, and what `-A`, `-W` and `-D` make of them.
//!
//! The only place where a level is decided; [`Sink`](super::Sink) asks it for every diagnostic.

use std::collections::BTreeMap;

use super::{Diagnostic, Level, Lint, Rule, nearest, registry};

/// The name that stands for everything that would be a warning.
pub const WARNINGS: &str = "warnings";

/// What becomes of a lint's findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LintLevel {
    /// Not reported.
    Allow,
    /// Reported as a warning.
    Warn,
    /// Reported as an error.
    Deny,
}

/// The user's choice of levels.
///
/// The last choice for a lint counts. A choice for `warnings` then applies to what would be a warning, wherever it
/// stands on the command line, as in rustc.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LintLevels {
    by_lint: BTreeMap<&'static str, LintLevel>,
    warnings: Option<LintLevel>,
}

/// A name after `-A`, `-W` or `-D` that is no lint.
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

impl LintLevels {
    /// Sets the level of the registered lint `name`, or of [`WARNINGS`]. `-` counts as `_`.
    ///
    /// # Errors
    ///
    /// [`UnknownLint`] where no such lint is registered.
    pub fn set(&mut self, name: &str, level: LintLevel) -> Result<(), UnknownLint> {
        self.set_among(registry::lints(), name, level)
    }

    fn set_among(
        &mut self,
        lints: impl Iterator<Item = &'static Lint> + Clone,
        name: &str,
        level: LintLevel,
    ) -> Result<(), UnknownLint> {
        let wanted = name.replace('-', "_");
        if wanted == WARNINGS {
            self.warnings = Some(level);
            return Ok(());
        }
        match lints.clone().find(|lint| lint.name == wanted) {
            Some(lint) => {
                self.by_lint.insert(lint.name, level);
                Ok(())
            }
            None => Err(UnknownLint {
                name: name.to_owned(),
                similar: nearest(&wanted, lints.map(|lint| lint.name).chain([WARNINGS])),
            }),
        }
    }

    /// The level of `lint`.
    pub fn level_of(&self, lint: &Lint) -> LintLevel {
        let level = self
            .by_lint
            .get(lint.name)
            .copied()
            .unwrap_or(lint.default_level);
        match level {
            LintLevel::Warn => self.warnings.unwrap_or(LintLevel::Warn),
            LintLevel::Allow | LintLevel::Deny => level,
        }
    }

    /// The diagnostic at the level that the user wants, or nothing.
    pub(super) fn apply(&self, mut diagnostic: Diagnostic) -> Option<Diagnostic> {
        let level = match diagnostic.rule {
            Rule::Lint(lint) => self.level_of(lint),
            Rule::Code(_) => match diagnostic.level {
                Level::Warning => self.warnings.unwrap_or(LintLevel::Warn),
                Level::Error | Level::Note => return Some(diagnostic),
            },
        };
        diagnostic.level = match level {
            LintLevel::Allow => return None,
            LintLevel::Warn => Level::Warning,
            LintLevel::Deny => Level::Error,
        };
        Some(diagnostic)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static QUIET: Lint = lint("quiet_things", LintLevel::Allow);
    static USUAL: Lint = lint("usual_things", LintLevel::Warn);
    static GRAVE: Lint = lint("grave_things", LintLevel::Deny);

    const fn lint(name: &'static str, default_level: LintLevel) -> Lint {
        Lint {
            name,
            default_level,
            oozie: &[],
            explanation: "",
        }
    }

    /// The levels of the three lints after `choices`, as letters.
    #[track_caller]
    fn check(choices: &[(char, &str)], expected: &str) {
        let mut levels = LintLevels::default();
        for (flag, name) in choices {
            let level = match flag {
                'A' => LintLevel::Allow,
                'W' => LintLevel::Warn,
                _ => LintLevel::Deny,
            };
            levels
                .set_among([&QUIET, &USUAL, &GRAVE].into_iter(), name, level)
                .expect("the lint is known");
        }
        let letters: String = [&QUIET, &USUAL, &GRAVE]
            .map(|lint| match levels.level_of(lint) {
                LintLevel::Allow => 'A',
                LintLevel::Warn => 'W',
                LintLevel::Deny => 'D',
            })
            .into_iter()
            .collect();
        assert_eq!(letters, expected, "{choices:?}");
    }

    #[test]
    fn last_choice_for_a_lint_counts() {
        check(&[], "AWD");
        check(&[('D', "quiet_things")], "DWD");
        check(&[('D', "usual-things"), ('A', "usual_things")], "AAD");
        check(&[('W', "grave_things")], "AWW");
    }

    #[test]
    fn warnings_changes_what_would_be_a_warning() {
        check(&[('D', "warnings")], "ADD");
        check(&[('A', "warnings")], "AAD");
        check(&[('D', "warnings"), ('W', "quiet_things")], "DDD");
        check(&[('D', "warnings"), ('A', "usual_things")], "AAD");
    }

    #[test]
    fn unknown_lint_names_the_nearest() {
        let mut levels = LintLevels::default();
        let unknown = levels
            .set_among([&QUIET, &USUAL].into_iter(), "usual_thing", LintLevel::Deny)
            .expect_err("no such lint");
        assert_eq!(
            unknown.to_string(),
            "unknown lint `usual_thing`; there is a lint with a similar name: `usual_things`"
        );
        let unknown = levels
            .set("zzzzzzzz", LintLevel::Deny)
            .expect_err("no such lint");
        assert_eq!(unknown.to_string(), "unknown lint `zzzzzzzz`");
    }
}
