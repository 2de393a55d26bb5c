use crate::{
    diagnostics::{Diagnostic, argv, lint, message},
    source::Span,
};

lint!(Warn, misread_spark_options);

/// A `spark-opts` that is split into other words than by a shell.
pub(crate) struct MisreadSparkOptions {
    /// The part that is misread, or the whole text.
    pub(crate) place: Span,
    pub(crate) problem: SparkOptionsProblem,
    /// The words that `spark-submit` gets of it.
    pub(crate) words: Vec<String>,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum SparkOptionsProblem {
    /// Words before the first option.
    Lost(String),
    SingleQuotes,
    /// Double quotes that do not enclose a whole value.
    InnerQuotes,
    /// A value of `--conf` without a `=` directly behind its name.
    NoAssignment,
    /// `spark.b=2` in the value of another setting.
    SecondSetting,
}

message!(MisreadSparkOptions, |place, problem, words| {
    let (message, label) = match problem {
        SparkOptionsProblem::Lost(lost) => (
            format!("`{lost}` in front of the first option is lost"),
            "`spark-opts` begins at its first `--`",
        ),
        SparkOptionsProblem::SingleQuotes => (
            "single quotes in `spark-opts` quote nothing".to_owned(),
            "the quotes stay part of the value",
        ),
        SparkOptionsProblem::InnerQuotes => (
            "these quotes in `spark-opts` quote nothing".to_owned(),
            "quotes are removed only if they enclose a whole value, or all behind its `=`",
        ),
        SparkOptionsProblem::NoAssignment => (
            "a `--conf` that is no assignment".to_owned(),
            "expected `NAME=VALUE`, without blanks around the `=`",
        ),
        SparkOptionsProblem::SecondSetting => (
            "a setting of Spark is part of the value of another one".to_owned(),
            "write `--conf` before it",
        ),
    };
    Diagnostic::new(&LINT, place, message)
        .label(place, label)
        .note(format!("`spark-submit` gets {}", argv(&words)))
        .note("all text up to the next `--` is one value, with its blanks: no quotes are needed")
});
