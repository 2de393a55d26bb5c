use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0712", several_instances, ["E1021"]);

/// What an element contains instead of one instance.
#[derive(Clone, Copy)]
pub(super) enum InstanceShape {
    Nothing,
    /// Separated by commas, or one after another.
    Several,
    /// There is text beside a function.
    TextAround,
}

/// An element for one instance contains none or several.
pub(super) struct SeveralInstances {
    pub(super) place: Span,
    pub(super) element: &'static str,
    pub(super) problem: InstanceShape,
}

message!(SeveralInstances, |place, element, problem| {
    let (label, help) = match problem {
        InstanceShape::Nothing => ("there is none", None),
        InstanceShape::Several => (
            "there is more than one",
            Some("write an `instance` element for each, or `start-instance` and `end-instance`"),
        ),
        InstanceShape::TextAround => (
            "text beside the function",
            Some("the text is one function alone, such as `${coord:current(0)}`"),
        ),
    };
    let diagnostic = Diagnostic::new(
        &CODE,
        place,
        format!("expected one instance in `{element}`"),
    )
    .label(place, label);
    match help {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
});
