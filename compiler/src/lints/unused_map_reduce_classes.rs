use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, unused_map_reduce_classes);

/// A class of Hadoop's new API where nothing selects that API.
pub(crate) struct UnusedMapReduceClass {
    /// The property that names the class.
    pub(crate) class: &'static str,
    /// The property that would select it.
    pub(crate) choice: &'static str,
    pub(crate) place: Span,
}

message!(UnusedMapReduceClass, |class, choice, place| {
    Diagnostic::new(&LINT, place, format!("the class of `{class}` is not used"))
        .label(place, "a class of the new interface, which nothing chooses")
        .note("the job runs with the class of the old interface, which hands its input on unless another is set")
        .help(format!("set `{choice}` to `true`"))
});
