//! Diagnostics: emitted by every room, rendered by the driver.
//!
//! A mistake of the user is a [`Diagnostic`] in a [`Sink`]. A failure of the environment (an unreadable file) is an error of
//! the driver, and a bug in hpdlc is a panic; neither is represented here.
//!
//! **A new diagnostic** is a file of its own beside the check that finds it: `code!` or `lint!` for its static, a struct
//! with the facts about the mistake, and `message!`, which puts them into words. A `.md` of the same name explains it. The
//! room lists the static in its `CODES` or `LINTS`, and `rules.rs` of the crate lists the rooms.
//!
//! **Which one?** A code where Oozie would reject the application or no faithful program exists; a lint for everything else.
//! Headline: lowercase, one self-contained phrase, names from the file in backticks. A label says what is wrong at its
//! place, a note adds a fact, help proposes a change, a suggestion makes it.

mod allow;
mod argv;

mod diagnostic;
mod explanation;
mod hidden_secrets;
mod level;
mod lint_levels;
mod macros;
mod nearest;
mod quoting;
pub mod render;
mod rule;
mod rules;

mod sink;
mod step;

pub(crate) use self::macros::{code, lint, message};
pub use self::{
    allow::Allow,
    argv::argv,
    diagnostic::{Applicability, Diagnostic, IntoDiagnostic, Label, Place, Suggestion},
    explanation::{Example, Expectation, check_explanation, examples},
    level::{Level, LintLevel},
    lint_levels::LintLevels,
    nearest::{nearest, nearest_in_words, similar},
    rule::{Code, Lint, Rule},
    rules::{Rules, UnknownLint, WARNINGS},
    sink::{Sink, sorted},
    step::step,
};
