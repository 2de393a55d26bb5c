use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0714", invalid_instance_range, ["E1010"]);

/// What is wrong with a range.
pub(super) enum InstanceRange {
    /// It ends before it starts.
    Backwards,
    /// Its ends are of kinds that cannot be combined: the functions.
    Mixed { start: String, end: String },
}

/// An invalid range of instances.
pub(super) struct InvalidInstanceRange {
    pub(super) start: Span,
    pub(super) end: Span,
    pub(super) problem: InstanceRange,
}

message!(InvalidInstanceRange, |start, end, problem| {
    match problem {
        InstanceRange::Backwards => {
            Diagnostic::new(&CODE, start, "the range ends before it starts")
                .label(start, "the start")
                .label(end, "the end")
                .help("exchange the two")
        }
        InstanceRange::Mixed {
            start: first,
            end: last,
        } => {
            let needed = match first.as_str() {
                "coord:current" | "coord:latest" | "coord:future" | "coord:offset" => first.clone(),
                _ => "coord:current".to_owned(),
            };
            Diagnostic::new(
                &CODE,
                end,
                format!("a range from `{first}` cannot end with `{last}`"),
            )
            .label(end, format!("expected `{needed}`"))
            .label(start, "the start")
        }
    }
});
