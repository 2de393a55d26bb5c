use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!(
    "H0725",
    refused_coordinator,
    [
        "E0302", "E0803", "E1003", "E1004", "E1010", "E1012", "E1021", "E1028"
    ]
);

/// A coordinator that cannot be submitted with the values that it has, or cannot make its first action.
pub(super) struct RefusedCoordinator {
    pub(super) place: Span,
    /// Which text is wrong, such as "the frequency of dataset `logs`".
    pub(super) what: String,
    pub(super) problem: String,
    /// The nominal time of the first action, if it is refused and not the coordinator itself.
    pub(super) first_action: Option<String>,
}

message!(RefusedCoordinator, |place, what, problem, first_action| {
    match first_action {
        None => Diagnostic::new(&CODE, place, format!("{what} is refused at submission"))
            .label(place, problem),
        Some(time) => Diagnostic::new(
            &CODE,
            place,
            format!("{what} has no value in the first action"),
        )
        .label(place, problem)
        .note(format!("the first action is that of {time}")),
    }
});
