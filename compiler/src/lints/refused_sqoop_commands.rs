use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, refused_sqoop_commands);

/// A command that Sqoop ends with an error before it does anything.
pub(crate) struct RefusedSqoopCommand {
    pub(crate) place: Span,
    pub(crate) problem: SqoopProblem,
}

pub(crate) enum SqoopProblem {
    /// No tool has this name; the one that was probably meant.
    NoTool(String, Option<&'static str>),
    TableAndQuery,
    NothingToImport,
    QueryWithoutTarget,
    QueryWithoutSplit,
}

message!(RefusedSqoopCommand, |place, problem| {
    let (headline, help) = match problem {
        SqoopProblem::NoTool(name, _) if name == "sqoop" => (
            "`sqoop` is no tool of Sqoop".to_owned(),
            "the command begins with the tool, such as `import`: leave `sqoop` out".to_owned(),
        ),
        SqoopProblem::NoTool(name, meant) => (
            format!("`{name}` is no tool of Sqoop"),
            match meant {
                Some(meant) => format!("write `{meant}`"),
                None => "the command begins with a tool, such as `import` or `export`".to_owned(),
            },
        ),
        SqoopProblem::TableAndQuery => (
            "`--table` and `--query` exclude each other".to_owned(),
            "import the table, or what the query selects".to_owned(),
        ),
        SqoopProblem::NothingToImport => (
            "an `import` has neither `--table` nor `--query`".to_owned(),
            "name a table, or use `import-all-tables`".to_owned(),
        ),
        SqoopProblem::QueryWithoutTarget => (
            "an import of a query has no `--target-dir`".to_owned(),
            "name a folder: for a query there is no default".to_owned(),
        ),
        SqoopProblem::QueryWithoutSplit => (
            "an import of a query by several mappers has no `--split-by`".to_owned(),
            "name the column by which the rows are divided, or import with one mapper: `-m 1`"
                .to_owned(),
        ),
    };
    Diagnostic::new(&LINT, place, headline)
        .label(place, "Sqoop refuses the command")
        .help(help)
});
