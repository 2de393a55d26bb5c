use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Spanned,
};

code!("H0206", misplaced_element, ["E0701", "E0704"]);

/// An element that is allowed in the parent, but not at this position.
pub(crate) struct MisplacedElement {
    pub(crate) name: Spanned<String>,
    /// A correctly placed element, on whose other side this one belongs.
    pub(crate) neighbor: Spanned<String>,
    pub(crate) must_precede: bool,
}

message!(MisplacedElement, |name, neighbor, must_precede| {
    let side = if must_precede { "before" } else { "after" };
    Diagnostic::new(
        &CODE,
        name.span,
        format!(
            "the `{}` element must come {side} `{}`",
            name.value, neighbor.value
        ),
    )
    .label(name.span, "in the wrong place")
    .label(neighbor.span, format!("belongs {side} this one"))
});
