use crate::{
    diagnostics::{Applicability, Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(super) static CODE: Code = Code {
    id: "H0414",
    name: "failing_expression",
    level: Level::Error,
    oozie: &["EL_ERROR", "E1004"],
    explanation: include_str!("failing_expression.md"),
};

/// An expression that has no value in any job.
pub(super) struct FailingExpression {
    /// The innermost part that fails.
    pub(super) place: Span,
    pub(super) message: String,
    pub(super) help: Option<String>,
    /// The property that was meant by a name with dots or hyphens, and the place of that name.
    pub(super) property: Option<(String, Span)>,
    /// The function that reads a property of any name.
    pub(super) conf: &'static str,
}

impl IntoDiagnostic for FailingExpression {
    fn into_diagnostic(self) -> Diagnostic {
        let FailingExpression {
            place,
            message,
            help,
            property,
            conf,
        } = self;
        if let Some((name, name_place)) = property {
            return Diagnostic::new(
                &CODE,
                name_place,
                format!("expression `{name}` always fails"),
            )
            .label(name_place, "a variable cannot have a dot in its name")
            .suggest(
                name_place,
                format!("property `{name}` is written `{conf}('{name}')`"),
                format!("{conf}('{name}')"),
                Applicability::MaybeIncorrect,
            );
        }
        let diagnostic =
            Diagnostic::new(&CODE, place, "this expression always fails").label(place, message);
        match help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        }
    }
}
