use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Spanned,
};

pub(crate) static CODE: Code = Code {
    id: "H0206",
    name: "misplaced_element",
    level: Level::Error,
    oozie: &["E0701", "E0704"],
    explanation: include_str!("misplaced_element.md"),
};

/// An element that has its place in the parent, but not here.
pub(crate) struct MisplacedElement {
    pub(crate) name: Spanned<String>,
    /// An element that stands right, on whose other side this one belongs.
    pub(crate) neighbor: Spanned<String>,
    pub(crate) must_precede: bool,
}

impl IntoDiagnostic for MisplacedElement {
    fn into_diagnostic(self) -> Diagnostic {
        let MisplacedElement {
            name,
            neighbor,
            must_precede,
        } = self;
        let side = if must_precede { "before" } else { "after" };
        Diagnostic::new(
            &CODE,
            name.span,
            format!(
                "the `{}` element must stand {side} `{}`",
                name.value, neighbor.value
            ),
        )
        .label(name.span, "in the wrong place")
        .label(neighbor.span, format!("belongs {side} this one"))
    }
}
