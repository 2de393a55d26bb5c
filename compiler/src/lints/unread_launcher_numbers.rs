use crate::{
    diagnostics::{Applicability, Diagnostic, lint, message},
    source::Span,
};

lint!(Allow, unread_launcher_numbers, ["E0803"]);

/// A number of a `launcher` that Oozie's own reader refuses.
pub(crate) struct UnreadLauncherNumber {
    /// The element.
    pub(crate) name: String,
    pub(crate) written: String,
    pub(crate) place: Span,
}

message!(UnreadLauncherNumber, |name, written, place| {
    let number = written.trim().to_owned();
    let is_padded = number.len() < written.len();
    let diagnostic = Diagnostic::new(
        &LINT,
        place,
        format!("Oozie cannot read the number of `{name}`"),
    );
    if is_padded {
        diagnostic.label(place, "blanks count there").suggest(
            place,
            "without them",
            number,
            Applicability::MachineApplicable,
        )
    } else {
        diagnostic
            .label(place, "more than 2147483647")
            .help(format!("give `{name}` what a container can have"))
    }
});
