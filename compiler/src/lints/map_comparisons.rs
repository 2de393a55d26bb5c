use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, map_comparisons);

/// The data of an action, which is a map, compared with a single value.
pub(crate) struct MapComparison {
    /// The comparison.
    pub(crate) place: Span,
    pub(crate) map: Span,
    /// As it is written.
    pub(crate) source: String,
}

message!(MapComparison, |place, map, source| {
    Diagnostic::new(&LINT, place, "a map is compared with a single value")
        .label(map, "all data of the action, and not one value of it")
        .help(format!("name the value: `{source}['KEY']`"))
});
