use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(in crate::analysis) static CODE: Code = Code {
    id: "H0714",
    name: "invalid_instance_range",
    level: Level::Error,
    oozie: &["E1010"],
    explanation: include_str!("invalid_instance_range.md"),
};

/// What is wrong with a range.
pub(super) enum InstanceRange {
    /// It ends before it starts.
    Backwards,
    /// Its ends are of kinds that do not go together: the functions.
    Mixed { start: String, end: String },
}

/// A range of instances that has no meaning.
pub(super) struct InvalidInstanceRange {
    pub(super) start: Span,
    pub(super) end: Span,
    pub(super) problem: InstanceRange,
}

impl IntoDiagnostic for InvalidInstanceRange {
    fn into_diagnostic(self) -> Diagnostic {
        let InvalidInstanceRange {
            start,
            end,
            problem,
        } = self;
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
                    "coord:current" | "coord:latest" | "coord:future" | "coord:offset" => {
                        first.clone()
                    }
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
    }
}
