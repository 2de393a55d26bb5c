//! `-A`, `-W` and `-D` of `check`. `-D` has two meanings, distinguished by a `=`: a lint to deny, or a property.

use clap::{ArgMatches, Args};

use crate::{
    cli::parse_definition,
    diagnostics::{LintLevel, LintLevels, UnknownLint},
    rules::RULES,
};

#[derive(Debug, Args)]
pub(super) struct LintArguments {
    /// Do not report this lint
    #[arg(short = 'A', long = "allow", value_name = "LINT")]
    allow: Vec<String>,
    /// Report this lint as a warning
    #[arg(short = 'W', long = "warn", value_name = "LINT")]
    warn: Vec<String>,
    /// Report this lint as an error, or all warnings with `-D warnings`; with a `=`, set a property
    #[arg(short = 'D', long = "deny", value_name = "LINT|NAME=VALUE", value_parser = parse_deny)]
    deny: Vec<Deny>,
    /// Report what Oozie would refuse as an error
    #[arg(long)]
    oozie_strict: bool,
    /// Every choice in the order of the command line, where the last one counts.
    #[arg(skip)]
    ordered: Vec<(LintLevel, String)>,
}

/// A value of `-D`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Deny {
    Lint(String),
    Property(String, String),
}

fn parse_deny(text: &str) -> Result<Deny, String> {
    if text.contains('=') {
        parse_definition(text).map(|(name, value)| Deny::Property(name, value))
    } else {
        Ok(Deny::Lint(text.to_owned()))
    }
}

impl LintArguments {
    /// Takes the order of the options from the matches; the derived fields do not have it.
    pub(super) fn take_order(&mut self, matches: &ArgMatches) {
        let places = |id: &str| {
            matches
                .indices_of(id)
                .into_iter()
                .flatten()
                .collect::<Vec<usize>>()
        };
        let mut choices: Vec<(usize, LintLevel, String)> = Vec::new();
        for (id, level, names) in [
            ("allow", LintLevel::Allow, &self.allow),
            ("warn", LintLevel::Warn, &self.warn),
        ] {
            choices.extend(
                places(id)
                    .into_iter()
                    .zip(names)
                    .map(|(place, name)| (place, level, name.clone())),
            );
        }
        for (place, deny) in places("deny").into_iter().zip(&self.deny) {
            if let Deny::Lint(name) = deny {
                choices.push((place, LintLevel::Deny, name.clone()));
            }
        }
        choices.sort_by_key(|(place, _, _)| *place);
        self.ordered = choices
            .into_iter()
            .map(|(_, level, name)| (level, name))
            .collect();
    }

    /// The levels that were chosen.
    ///
    /// # Errors
    ///
    /// A name that is not a lint.
    pub(super) fn levels(&self) -> Result<LintLevels, UnknownLint> {
        let mut levels = LintLevels::new(RULES);
        if self.oozie_strict {
            levels.set_oozie_strict();
        }
        for (level, name) in &self.ordered {
            levels.set(name, *level)?;
        }
        Ok(levels)
    }

    /// The properties among the values of `-D`.
    pub(super) fn definitions(&self) -> Vec<(String, String)> {
        self.deny
            .iter()
            .filter_map(|deny| match deny {
                Deny::Property(name, value) => Some((name.clone(), value.clone())),
                Deny::Lint(_) => None,
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, FromArgMatches};

    use crate::{
        cli::{Cli, Command},
        diagnostics::LintLevel::{Allow, Deny, Warn},
    };

    #[test]
    fn order_is_kept_and_properties_are_told_apart() {
        let arguments = [
            "hpdlc",
            "check",
            "app",
            "-D",
            "warnings",
            "-A",
            "x",
            "-Dqueue=a",
            "-D",
            "x",
            "-W",
            "x",
        ];
        let matches = Cli::command()
            .try_get_matches_from(arguments)
            .expect("is well-formed");
        let Command::Check(mut check) = Cli::from_arg_matches(&matches)
            .expect("is well-formed")
            .command
        else {
            panic!("it is `check`")
        };
        check
            .lints
            .take_order(matches.subcommand_matches("check").expect("it is `check`"));
        let named = |level, name: &str| (level, name.to_owned());
        assert_eq!(
            check.lints.ordered,
            [
                named(Deny, "warnings"),
                named(Allow, "x"),
                named(Deny, "x"),
                named(Warn, "x")
            ]
        );
        assert_eq!(
            check.lints.definitions(),
            [("queue".to_owned(), "a".to_owned())]
        );
    }
}
