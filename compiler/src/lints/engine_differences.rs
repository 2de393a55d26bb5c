use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, engine_differences, ["EL_ERROR"]);

/// A text for which the expression engine of Oozie 5.2 gives another result.
pub(crate) struct EngineDifference {
    pub(crate) place: Span,
    /// The result here and in Oozie up to 5.1, and that in Oozie 5.2. Each completes "this is".
    pub(crate) here: String,
    pub(crate) there: String,
    pub(crate) help: &'static str,
}

message!(EngineDifference, |place, here, there, help| {
    Diagnostic::new(
        &LINT,
        place,
        format!("this is {here}, and was {there} in Oozie 5.2"),
    )
    .label(place, "the engines of Oozie differ here")
    .note("Oozie up to 5.1 evaluates expressions by commons-el, and 5.2 by the engine of Tomcat")
    .help(help)
});
