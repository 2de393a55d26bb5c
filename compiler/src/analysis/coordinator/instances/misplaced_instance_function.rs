use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0713", misplaced_instance_function, ["E1006", "E1012"]);

/// A function that specifies instances is used where it does not specify any.
pub(super) struct MisplacedInstanceFunction {
    pub(super) place: Span,
    /// With its prefix.
    pub(super) function: String,
    /// It is in an output event; otherwise in a plain `instance`.
    pub(super) is_output: bool,
}

message!(MisplacedInstanceFunction, |place, function, is_output| {
    if is_output {
        return Diagnostic::new(
            &CODE,
            place,
            format!("`{function}` in an output event"),
        )
        .label(place, "the data that is looked for is only made by the action")
        .note("Oozie takes it at submission; `coord:dataOut` is then empty, or the action never starts")
        .help("name the instance by its time: `${coord:current(0)}`");
    }
    Diagnostic::new(
        &CODE,
        place,
        format!("`{function}` outside of `start-instance`"),
    )
    .label(place, "gives the start of a range")
    .note("Oozie takes it at submission, and fails when it makes the first action")
    .help("write `start-instance` and `end-instance`, the latter with `${coord:current(n)}`")
});
