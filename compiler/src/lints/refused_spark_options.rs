use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, refused_spark_options);

/// An option with which `spark-submit` ends at once.
pub(crate) struct RefusedSparkOption {
    pub(crate) place: Span,
    pub(crate) option: String,
    pub(crate) problem: SparkRefusal,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum SparkRefusal {
    /// There is none of this name; the one that was probably meant.
    Unknown(Option<&'static str>),
    NoValue,
    /// A word behind an option that takes none.
    Stray(String),
    NoNumber(String),
    NoSize(String),
    /// In bytes, this is less than Spark needs.
    TooSmall(String),
}

message!(RefusedSparkOption, |place, option, problem| {
    let (headline, label, help) = match problem {
        SparkRefusal::Unknown(meant) => (
            format!("`{option}` is no option of `spark-submit`"),
            "`spark-submit` refuses it",
            meant.map_or_else(
                || "a setting is written `--conf NAME=VALUE`".to_owned(),
                |meant| format!("write `{meant}`"),
            ),
        ),
        SparkRefusal::NoValue => (
            format!("option `{option}` has no value"),
            "`spark-submit` expects one",
            "write a value behind it, or leave it out".to_owned(),
        ),
        SparkRefusal::Stray(word) => (
            format!("`{word}` is taken for the program"),
            "what follows becomes an argument of it",
            format!("`{option}` takes no value: leave `{word}` out"),
        ),
        SparkRefusal::NoNumber(value) => (
            format!("`{option}` is `{value}`"),
            "expected a number",
            "write digits alone".to_owned(),
        ),
        SparkRefusal::NoSize(value) => (
            format!("`{option}` is `{value}`"),
            "expected a whole number with a unit",
            "write a size such as `512m` or `4g`; there are no fractions".to_owned(),
        ),
        SparkRefusal::TooSmall(value) => (
            format!("`{option}` is `{value}`, less than Spark starts with"),
            "Spark needs at least 450 MB; a number alone means megabytes",
            "write a size such as `512m` or `4g`".to_owned(),
        ),
    };
    Diagnostic::new(&LINT, place, headline)
        .label(place, label)
        .help(help)
});
