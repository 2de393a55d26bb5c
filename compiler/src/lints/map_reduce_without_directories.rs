use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, map_reduce_without_directories);

/// A `map-reduce` job that is not told where its input or its output is.
pub(crate) struct MapReduceWithoutDirectories {
    pub(crate) place: Span,
    pub(crate) action: String,
    pub(crate) has_input: bool,
    pub(crate) has_output: bool,
    /// The names of the properties, input and output, of the API that the job uses.
    pub(crate) properties: [&'static str; 2],
}

message!(
    MapReduceWithoutDirectories,
    |place, action, has_input, has_output, properties| {
        let [input, output] = properties;
        let (what, missing) = match (has_input, has_output) {
            (true, _) => ("no output directory", format!("`{output}`")),
            (false, true) => ("no input directory", format!("`{input}`")),
            (false, false) => (
                "neither an input nor an output directory",
                format!("`{input}` and `{output}`"),
            ),
        };
        Diagnostic::new(&LINT, place, format!("action `{action}` has {what}"))
            .label(place, "Hadoop refuses such a job")
            .help_xml(format!("set {missing} in its `configuration`"))
    }
);
