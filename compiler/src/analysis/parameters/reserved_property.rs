use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(super) static CODE: Code = Code {
    id: "H0513",
    name: "reserved_property",
    level: Level::Error,
    oozie: &["E0808"],
    explanation: include_str!("reserved_property.md"),
};

/// A property has a name that is not free.
pub(super) struct ReservedProperty {
    pub(super) name: String,
    pub(super) place: Span,
    /// It would change the user that the job runs as.
    pub(super) is_user: bool,
}

impl IntoDiagnostic for ReservedProperty {
    fn into_diagnostic(self) -> Diagnostic {
        let ReservedProperty {
            name,
            place,
            is_user,
        } = self;
        let label = if is_user {
            "an application cannot choose the user that it runs as".to_owned()
        } else {
            format!("`{name}` is a constant of the expression language")
        };
        Diagnostic::new(&CODE, place, format!("property name `{name}` is reserved"))
            .label(place, label)
    }
}
