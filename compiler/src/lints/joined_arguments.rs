use crate::{
    diagnostics::{Applicability, Diagnostic, argv, lint, message},
    source::Span,
};

lint!(Warn, joined_arguments);

/// An option and its value in one argument.
pub(crate) struct JoinedArgument {
    pub(crate) place: Span,
    pub(crate) element: &'static str,
    pub(crate) written: String,
    /// The blanks between the option and its value.
    pub(crate) blanks: Span,
}

message!(JoinedArgument, |place, element, written, blanks| {
    let got = argv(&[written]);
    Diagnostic::new(&LINT, place, "an option and its value are in one argument")
        .label(place, format!("the program gets {got}"))
        .note("each element is one argument: no shell splits it at blanks")
        .suggest(
            blanks,
            format!("write two `{element}` elements"),
            format!("</{element}><{element}>"),
            Applicability::MaybeIncorrect,
        )
});

/// A program and its arguments in one text.
pub(crate) struct JoinedProgram {
    pub(crate) place: Span,
    pub(crate) line: String,
}

/// What only a shell understands.
const OF_SHELL: [char; 8] = ['|', '&', ';', '<', '>', '(', '*', '"'];

message!(JoinedProgram, |place, line| {
    let mut words = line.split_whitespace();
    let program = words.next().unwrap_or_default();
    let help =
        if line.contains(OF_SHELL) || line.contains('\'') || matches!(program, "cd" | "export") {
            "write the command line into a script, and name that in `exec`".to_owned()
        } else {
            let arguments = words.map(|word| format!("<argument>{word}</argument>"));
            let arguments: String = arguments.collect();
            format!("write `<exec>{program}</exec>{arguments}`")
        };
    Diagnostic::new(
        &LINT,
        place,
        "the program and its arguments are in one text",
    )
    .label(place, "no program has this name")
    .note("`exec` is the name of a program alone: no shell splits it at blanks")
    .help_xml(help)
});
