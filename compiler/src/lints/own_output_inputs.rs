use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, own_output_inputs);

/// An input event waits for an instance that the coordinator itself writes at the same time or later.
pub(crate) struct OwnOutputInput {
    pub(crate) input: String,
    /// The instance of the input.
    pub(crate) place: Span,
    /// The instance of the output.
    pub(crate) output: Span,
    /// Otherwise a later action writes it.
    pub(crate) is_same: bool,
}

message!(OwnOutputInput, |input, place, output, is_same| {
    let (writer, label) = if is_same {
        ("the action itself writes", "the same action writes it")
    } else {
        (
            "a later action writes",
            "that action writes its own instance after it has waited for the next one",
        )
    };
    Diagnostic::new(
        &LINT,
        place,
        format!("input event `{input}` waits for what {writer}"),
    )
    .label(place, "no action starts before this instance is there")
    .label(output, label)
    .help_xml("an action that continues an earlier one reads an earlier instance, such as `${coord:current(-1)}`")
});
