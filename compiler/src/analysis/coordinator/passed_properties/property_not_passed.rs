use crate::{
    analysis::coordinator::Started,
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0724", property_not_passed, ["E0738", "EL_ERROR", "E1004"]);

/// A document started by a coordinator, bundle or workflow needs a property that it does not receive.
pub(super) struct PropertyNotPassed {
    /// The `app-path`.
    pub(super) place: Span,
    pub(super) name: String,
    /// What is started.
    pub(super) started: Started,
    /// Where it is first needed.
    pub(super) first: Span,
    /// It is a parameter without a default.
    pub(super) is_declared: bool,
    /// A property that it receives, and where that is defined.
    pub(super) similar: Option<(String, Option<Span>)>,
}

message!(PropertyNotPassed, |place,
                             name,
                             started,
                             first,
                             is_declared,
                             similar| {
    let mut diagnostic = Diagnostic::new(
        &CODE,
        place,
        format!(
            "the {} needs property `{name}`, and does not get it",
            started.word()
        ),
    )
    .label(place, "started here");
    diagnostic = diagnostic.label(
        first,
        if is_declared {
            "declared without a default here"
        } else {
            "read here"
        },
    );
    match similar {
        Some((similar, Some(span))) => diagnostic
            .label(span, "a similar name is given here")
            .help(format!(
                "there is a property with a similar name: `{similar}`"
            )),
        Some((similar, None)) => diagnostic.help(format!(
            "there is a property with a similar name: `{similar}`"
        )),
        None if started == Started::SubWorkflow => diagnostic.help_xml(format!(
            "give `{name}` in the `configuration` of the action; with `propagate-configuration` the child gets all that its parent has"
        )),
        None => diagnostic.help_xml(format!(
            "give `{name}` in the `configuration` here, or with `-c` or `-D`"
        )),
    }
});
