use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0610", mixed_map_reduce_apis, ["JA009"]);

/// A class of Hadoop's old API where the new one is selected.
pub(super) struct MixedMapReduceApis {
    /// The property that names the class.
    pub(super) class: &'static str,
    /// The property that selects the API.
    pub(super) choice: &'static str,
    pub(super) place: Span,
    /// Where the API is selected.
    pub(super) other: Option<Span>,
}

message!(MixedMapReduceApis, |class, choice, place, other| {
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
});
