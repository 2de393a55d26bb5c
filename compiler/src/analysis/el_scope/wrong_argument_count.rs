use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0412", wrong_argument_count, ["EL_ERROR"]);

/// A function is called with more or fewer arguments than it takes.
pub(super) struct WrongArgumentCount {
    /// With its prefix.
    pub(super) name: String,
    pub(super) place: Span,
    pub(super) expected: usize,
    pub(super) found: usize,
}

message!(WrongArgumentCount, |name, place, expected, found| {
    let arguments = if expected == 1 {
        "argument"
    } else {
        "arguments"
    };
    let diagnostic = Diagnostic::new(
        &CODE,
        place,
        format!("expected {expected} {arguments} for `{name}`, found {found}"),
    )
    .label(place, format!("takes {expected} {arguments}"));
    if name == "concat" && found > expected {
        diagnostic.help("nest the calls: `concat(a, concat(b, c))`")
    } else {
        diagnostic
    }
});
