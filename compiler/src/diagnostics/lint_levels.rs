//! The levels of lints. From lowest to highest precedence: their defaults, `hpdl.toml`, `--oozie-strict`, and `-A`, `-W` and
//! `-D`. A comment in the document ([`Allow`](super::Allow)) overrides all of them.
//!
//! The only place where a level is decided; [`Sink`](super::Sink) calls it for every diagnostic.

use std::collections::{BTreeMap, BTreeSet};

use super::{Diagnostic, Level, Lint, LintLevel, Rule, Rules, UnknownLint, WARNINGS};

/// Lints whose codes Oozie only logs, uses in some versions only, or has for jobs: it refuses no document because of them.
const NOT_REFUSED: [&str; 5] = [
    "capped_retries",
    "engine_differences",
    "hash_braces",
    // Sources are often put together elsewhere.
    "missing_files",
    // What Oozie refuses of this has a code of its own, E0743.
    "shared_branch_nodes",
];

/// The user's choice of levels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LintLevels {
    /// The rules that names are looked up in.
    rules: Rules,
    /// From `hpdl.toml`.
    configured: Choices,
    /// From the command line.
    chosen: Choices,
    /// Whether what Oozie would reject is an error.
    is_strict: bool,
    /// Lints that are errors unless configured otherwise, whatever their own level.
    denied: BTreeSet<&'static str>,
}

/// The choices of one source.
///
/// The last one for a lint takes effect. One for `warnings` then applies to what would be a warning, wherever it is, as in
/// rustc.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Choices {
    by_lint: BTreeMap<&'static str, LintLevel>,
    warnings: Option<LintLevel>,
}

impl Choices {
    fn set(&mut self, name: &'static str, level: LintLevel) {
        if name == WARNINGS {
            self.warnings = Some(level);
        } else {
            self.by_lint.insert(name, level);
        }
    }
}

impl LintLevels {
    /// Every lint of `rules` at its default level.
    pub fn new(rules: Rules) -> LintLevels {
        LintLevels {
            rules,
            configured: Choices::default(),
            chosen: Choices::default(),
            is_strict: false,
            denied: BTreeSet::new(),
        }
    }

    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Sets the command line's level of the lint `name`, or of [`WARNINGS`]. `-` is equivalent to `_`.
    ///
    /// # Errors
    ///
    /// [`UnknownLint`] if there is no such lint.
    pub fn set(&mut self, name: &str, level: LintLevel) -> Result<(), UnknownLint> {
        self.chosen.set(self.rules.lint_name(name)?, level);
        Ok(())
    }

    /// Sets the level of a lint in `hpdl.toml`, whose name [`Rules::lint_name`] has returned.
    pub fn configure(&mut self, name: &'static str, level: LintLevel) {
        self.configured.set(name, level);
    }

    /// Makes every lint an error whose Oozie code is a rejection or failure there. `hpdl.toml` does not override that.
    pub fn set_oozie_strict(&mut self) {
        self.is_strict = true;
    }

    /// Makes a lint an error, unless the command line, `hpdl.toml` or the document says otherwise.
    pub fn deny_by_default(&mut self, lint: &'static Lint) {
        self.denied.insert(lint.name);
    }

    /// The level of `lint`.
    pub fn level_of(&self, lint: &Lint) -> LintLevel {
        let is_refused = !lint.oozie.is_empty() && !NOT_REFUSED.contains(&lint.name);
        let strict = (self.is_strict && is_refused).then_some(LintLevel::Deny);
        let level = (self.chosen.by_lint.get(lint.name).copied())
            .or(strict)
            .or(self.configured.by_lint.get(lint.name).copied())
            .unwrap_or(if self.denied.contains(lint.name) {
                LintLevel::Deny
            } else {
                lint.default_level
            });
        match level {
            LintLevel::Warn => self.level_of_warnings(),
            LintLevel::Allow | LintLevel::Deny => level,
        }
    }

    /// The level that warnings are raised or lowered to.
    fn level_of_warnings(&self) -> LintLevel {
        (self.chosen.warnings)
            .or(self.configured.warnings)
            .unwrap_or(LintLevel::Warn)
    }

    /// The diagnostic at the level that the user chose, or `None`.
    pub(super) fn apply(&self, mut diagnostic: Diagnostic) -> Option<Diagnostic> {
        let level = match diagnostic.rule {
            Rule::Lint(lint) => self.level_of(lint),
            Rule::Code(_) => match diagnostic.level {
                Level::Warning => self.level_of_warnings(),
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
    use crate::rules::RULES;

    #[test]
    fn strictness_denies_what_oozie_refuses_and_nothing_that_it_takes() {
        let mut strict = LintLevels::new(RULES);
        strict.set_oozie_strict();
        let denied: Vec<&str> = RULES
            .lints()
            .filter(|lint| strict.level_of(lint) == LintLevel::Deny)
            .filter(|lint| lint.default_level != LintLevel::Deny)
            .map(|lint| lint.name)
            .collect();
        for refused in [
            "actions_without_cluster",
            "extended_dates",
            "features_missing_from_schema",
            "frequencies_below_limit",
            "fs_paths_without_scheme",
            "namespaced_datasets",
            "oversized_definitions",
            "rust_actions",
        ] {
            assert!(denied.contains(&refused), "{refused}: {denied:?}");
        }
        for taken in NOT_REFUSED {
            assert!(RULES.lints().any(|lint| lint.name == taken), "{taken}");
            assert!(!denied.contains(&taken), "{taken}");
        }
    }

    static QUIET: Lint = lint("quiet_things", LintLevel::Allow);
    static USUAL: Lint = lint("usual_things", LintLevel::Warn);
    static GRAVE: Lint = Lint {
        oozie: &["E0709"],
        ..lint("grave_things", LintLevel::Deny)
    };

    const fn lint(name: &'static str, default_level: LintLevel) -> Lint {
        Lint {
            name,
            default_level,
            oozie: &[],
            explanation: "",
        }
    }

    static THREE: Rules = Rules {
        lints: &[&[&QUIET, &USUAL, &GRAVE]],
        ..Rules::NONE
    };

    fn known(name: &str) -> &'static str {
        THREE.lint_name(name).expect("the lint is known")
    }

    fn letters(levels: &LintLevels) -> String {
        let letter = |lint| match levels.level_of(lint) {
            LintLevel::Allow => 'A',
            LintLevel::Warn => 'W',
            LintLevel::Deny => 'D',
        };
        [&QUIET, &USUAL, &GRAVE].map(letter).into_iter().collect()
    }

    fn level(letter: char) -> LintLevel {
        match letter {
            'A' => LintLevel::Allow,
            'W' => LintLevel::Warn,
            _ => LintLevel::Deny,
        }
    }

    /// The levels of the three lints after `choices`, as letters.
    #[track_caller]
    fn check(choices: &[(char, &str)], expected: &str) {
        let mut levels = LintLevels::new(THREE);
        for (letter, name) in choices {
            levels.chosen.set(known(name), level(*letter));
        }
        assert_eq!(letters(&levels), expected, "{choices:?}");
    }

    #[test]
    fn command_line_wins_over_settings_and_strictness_stands_between() {
        let mut levels = LintLevels::new(THREE);
        levels.configure(known("usual_things"), LintLevel::Deny);
        levels.configure(known("grave_things"), LintLevel::Allow);
        assert_eq!(letters(&levels), "ADA");
        levels.set_oozie_strict();
        assert_eq!(
            letters(&levels),
            "ADD",
            "only the last one has a code of Oozie"
        );
        levels.chosen.set(known("grave_things"), LintLevel::Warn);
        assert_eq!(letters(&levels), "ADW");
        levels.configure(WARNINGS, LintLevel::Deny);
        assert_eq!(letters(&levels), "ADD");
        levels.chosen.set(WARNINGS, LintLevel::Warn);
        assert_eq!(letters(&levels), "ADW");
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
        let unknown = THREE.lint_name("usual_thing").expect_err("no such lint");
        assert_eq!(
            unknown.to_string(),
            "unknown lint `usual_thing`; there is a lint with a similar name: `usual_things`"
        );
        let unknown = LintLevels::new(THREE)
            .set("zzzzzzzz", LintLevel::Deny)
            .expect_err("no such lint");
        assert_eq!(unknown.to_string(), "unknown lint `zzzzzzzz`");
    }
}
