use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0711", duplicate_event, ["E0803"]);

/// Two input events, or two output events, with the same name.
pub(super) struct DuplicateEvent {
    pub(super) element: &'static str,
    pub(super) name: String,
    pub(super) first: Span,
    pub(super) second: Span,
}

message!(DuplicateEvent, |element, name, first, second| {
    Diagnostic::new(
        &CODE,
        second,
        format!("there are two `{element}` elements of the name `{name}`"),
    )
    .label(second, "named again here")
    .label(first, "first named here")
});
