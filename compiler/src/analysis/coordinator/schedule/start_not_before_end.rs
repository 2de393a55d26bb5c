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
}

message!(StartNotBeforeEnd, |start, end, is_same| {
    let message = if is_same {
        "the coordinator ends when it starts"
    } else {
        "the coordinator ends before it starts"
    };
    Diagnostic::new(&CODE, end, message)
        .label(end, "the end, which is exclusive")
        .label(start, "the start")
});
