use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!(
    "H0718",
    function_outside_its_phase,
    ["E1004", "E1012", "E1310"]
);

/// A function is called where Oozie does not define it.
pub(super) struct FunctionOutsideItsPhase {
    pub(super) place: Span,
    /// With its prefix.
    pub(super) name: String,
    /// Where it is called.
    pub(super) here: &'static str,
    /// Where it is allowed.
    pub(super) elsewhere: Vec<&'static str>,
}

message!(FunctionOutsideItsPhase, |place, name, here, elsewhere| {
    let diagnostic = Diagnostic::new(&CODE, place, format!("`{name}` is not available in {here}"))
        .label(place, "has no value here");
    match elsewhere.as_slice() {
        [] => diagnostic,
        [one] => diagnostic.note(format!("it is available in {one}")),
        [first, second] => diagnostic.note(format!("it is available in {first} and {second}")),
        [others @ .., last] => diagnostic.note(format!(
            "it is available in {}, and {last}",
            others.join(", ")
        )),
    }
});
