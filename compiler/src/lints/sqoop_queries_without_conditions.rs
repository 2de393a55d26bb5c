use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, sqoop_queries_without_conditions);

/// A query of `sqoop import` that Sqoop refuses.
pub(crate) struct SqoopQueryWithoutConditions {
    pub(crate) place: Span,
}

message!(SqoopQueryWithoutConditions, |place| {
    Diagnostic::new(&LINT, place, "a query to import contains no `$CONDITIONS`")
        .label(place, "Sqoop refuses it")
        .help("write `WHERE $CONDITIONS`, or `AND $CONDITIONS` behind a condition of your own")
});
