use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0705", start_not_before_end, ["E1003"]);

/// The start of a coordinator is not before its end.
pub(super) struct StartNotBeforeEnd {
    pub(super) start: Span,
    pub(super) end: Span,
    pub(super) is_same: bool,
    /// Where the values of both are given, if elsewhere.
    pub(super) origins: [Option<Span>; 2],
}

message!(StartNotBeforeEnd, |start, end, is_same, origins| {
    let message = if is_same {
        "the coordinator ends when it starts"
    } else {
        "the coordinator ends before it starts"
    };
    let diagnostic = Diagnostic::new(&CODE, end, message)
        .label(end, "the end, which is exclusive")
        .label(start, "the start");
    let [of_start, of_end] = origins;
    let labels = [
        (of_start, "the start is given here"),
        (of_end, "the end is given here"),
    ];
    labels
        .into_iter()
        .filter_map(|(place, label)| Some((place?, label)))
        .fold(diagnostic, |diagnostic, (place, label)| {
            diagnostic.label(place, label)
        })
});
