use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(in crate::analysis) static CODE: Code = Code {
    id: "H0711",
    name: "duplicate_event",
    level: Level::Error,
    oozie: &["E0803"],
    explanation: include_str!("duplicate_event.md"),
};

/// Two input events, or two output events, of the same name.
pub(super) struct DuplicateEvent {
    pub(super) element: &'static str,
    pub(super) name: String,
    pub(super) first: Span,
    pub(super) second: Span,
}

impl IntoDiagnostic for DuplicateEvent {
    fn into_diagnostic(self) -> Diagnostic {
        let DuplicateEvent {
            element,
            name,
            first,
            second,
        } = self;
        Diagnostic::new(
            &CODE,
            second,
            format!("there are two `{element}` elements of the name `{name}`"),
        )
        .label(second, "named again here")
        .label(first, "first named here")
    }
}
