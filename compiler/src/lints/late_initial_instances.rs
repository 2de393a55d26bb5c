use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, late_initial_instances);

/// Every instance that an event names is before the first one of its dataset.
pub(crate) struct LateInitialInstance {
    pub(crate) event: String,
    /// The reference to the dataset.
    pub(crate) place: Span,
    /// The initial instance.
    pub(crate) initial: Span,
    /// The end of the coordinator.
    pub(crate) end: Span,
    pub(crate) is_input: bool,
}

message!(
    LateInitialInstance,
    |event, place, initial, end, is_input| {
        let label = if is_input {
            "no action waits for it, and its data is an empty text"
        } else {
            "its data is an empty text in every action"
        };
        Diagnostic::new(&LINT, place, format!("event `{event}` has no instances"))
            .label(place, label)
            .label(initial, "the dataset begins here")
            .label(end, "the coordinator has ended by then")
            .note("instances before the initial one do not exist")
    }
);
