use crate::{
    diagnostics::{Diagnostic, argv, lint, message},
    source::Span,
};

lint!(Warn, misread_sqoop_commands);

/// A `command` of Sqoop that is split into other words than by a shell.
pub(crate) struct MisreadSqoopCommand {
    /// The character is a quote; otherwise a line break or a tab.
    pub(crate) is_quote: bool,
    /// The first such character.
    pub(crate) place: Span,
    /// The words that Sqoop gets.
    pub(crate) words: Vec<String>,
}

message!(MisreadSqoopCommand, |is_quote, place, words| {
    let (message, label) = if is_quote {
        (
            "quotes in a `command` of Sqoop quote nothing",
            "stays part of the word; the blanks behind it still split",
        )
    } else {
        (
            "a `command` of Sqoop is split at blanks alone",
            "stays in the middle of a word",
        )
    };
    Diagnostic::new(&LINT, place, message)
        .label(place, label)
        .note(format!("Sqoop gets {}", argv(&words)))
        .help_xml("write each word in an `arg` element of its own, or set `oozie.action.sqoop.shellsplitter` to `true`")
});
