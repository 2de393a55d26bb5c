use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(super) static CODE: Code = Code {
    id: "H0412",
    name: "wrong_argument_count",
    level: Level::Error,
    oozie: &["EL_ERROR"],
    explanation: include_str!("wrong_argument_count.md"),
};

/// A function gets more or fewer arguments than it takes.
pub(super) struct WrongArgumentCount {
    /// With its prefix.
    pub(super) name: String,
    pub(super) place: Span,
    pub(super) expected: usize,
    pub(super) found: usize,
}

impl IntoDiagnostic for WrongArgumentCount {
    fn into_diagnostic(self) -> Diagnostic {
        let WrongArgumentCount {
            name,
            place,
            expected,
            found,
        } = self;
        let arguments = if expected == 1 {
            "argument"
        } else {
            "arguments"
        };
        let diagnostic = Diagnostic::new(
            &CODE,
            place,
            format!("expected {expected} {arguments} for `{name}`, found {found}"),
        )
        .label(place, format!("takes {expected} {arguments}"));
        if name == "concat" && found > expected {
            diagnostic.help("nest the calls: `concat(a, concat(b, c))`")
        } else {
            diagnostic
        }
    }
}
