use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(super) static CODE: Code = Code {
    id: "H0610",
    name: "mixed_map_reduce_apis",
    level: Level::Error,
    oozie: &["JA009"],
    explanation: include_str!("mixed_map_reduce_apis.md"),
};

/// A class of Hadoop's old interface where the new one is chosen.
pub(super) struct MixedMapReduceApis {
    /// The property of the class.
    pub(super) class: &'static str,
    /// The property that chooses.
    pub(super) choice: &'static str,
    pub(super) place: Span,
    /// Where the choice stands.
    pub(super) other: Option<Span>,
}

impl IntoDiagnostic for MixedMapReduceApis {
    fn into_diagnostic(self) -> Diagnostic {
        let MixedMapReduceApis {
            class,
            choice,
            place,
            other,
        } = self;
        let diagnostic = Diagnostic::new(
            &CODE,
            place,
            format!("`{class}` cannot be set beside `{choice}`"),
        )
        .label(place, "a class of the old interface");
        match other {
            Some(other) => diagnostic.label(other, "the new interface is chosen here"),
            None => diagnostic,
        }
    }
}
