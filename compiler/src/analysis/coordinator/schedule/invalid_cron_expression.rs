use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(in crate::analysis) static CODE: Code = Code {
    id: "H0702",
    name: "invalid_cron_expression",
    level: Level::Error,
    oozie: &["E1003"],
    explanation: include_str!("invalid_cron_expression.md"),
};

/// A cron expression that Quartz does not take.
pub(super) struct InvalidCronExpression {
    /// The field at fault, where the expression stands in the document.
    pub(super) place: Span,
    pub(super) message: String,
    pub(super) help: Option<String>,
    /// Where the value is given, in another file.
    pub(super) origin: Option<Span>,
}

impl IntoDiagnostic for InvalidCronExpression {
    fn into_diagnostic(self) -> Diagnostic {
        let InvalidCronExpression {
            place,
            message,
            help,
            origin,
        } = self;
        let mut diagnostic =
            Diagnostic::new(&CODE, place, "invalid cron expression").label(place, message);
        if let Some(origin) = origin {
            diagnostic = diagnostic.label(origin, "the value is given here");
        }
        match help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        }
    }
}
