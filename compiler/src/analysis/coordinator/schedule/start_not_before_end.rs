use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(in crate::analysis) static CODE: Code = Code {
    id: "H0705",
    name: "start_not_before_end",
    level: Level::Error,
    oozie: &["E1003"],
    explanation: include_str!("start_not_before_end.md"),
};

/// A coordinator starts when it has ended.
pub(super) struct StartNotBeforeEnd {
    pub(super) start: Span,
    pub(super) end: Span,
    pub(super) is_same: bool,
}

impl IntoDiagnostic for StartNotBeforeEnd {
    fn into_diagnostic(self) -> Diagnostic {
        let StartNotBeforeEnd {
            start,
            end,
            is_same,
        } = self;
        let message = if is_same {
            "the coordinator ends when it starts"
        } else {
            "the coordinator ends before it starts"
        };
        Diagnostic::new(&CODE, end, message)
            .label(end, "the end, which is exclusive")
            .label(start, "the start")
    }
}
