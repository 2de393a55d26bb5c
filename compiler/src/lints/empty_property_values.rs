use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(super) static LINT: Lint = Lint {
    name: "empty_property_values",
    default_level: LintLevel::Warn,
    oozie: &[],
    explanation: include_str!("empty_property_values.md"),
};

/// A configuration property whose value is empty.
pub(crate) struct EmptyPropertyValue {
    pub(crate) name: String,
    /// The property name.
    pub(crate) place: Span,
}

impl IntoDiagnostic for EmptyPropertyValue {
    fn into_diagnostic(self) -> Diagnostic {
        let EmptyPropertyValue { name, place } = self;
        Diagnostic::new(
            &LINT,
            place,
            format!("property `{name}` has an empty value"),
        )
        .label(place, "Oozie drops this property")
        .note("a value of the same property in `global` or `config-default.xml` stays in force")
    }
}
