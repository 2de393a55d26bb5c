//! Commands of Sqoop: what Oozie makes of their text, and what Sqoop refuses.

use std::borrow::Cow;

use hpdlc_core::{el::ast::Part, tools};

use super::{literal, words};
use crate::{
    analysis::known_values::KnownValues,
    diagnostics::{Sink, nearest},
    lints::{
        misread_sqoop_commands::MisreadSqoopCommand,
        refused_sqoop_commands::{RefusedSqoopCommand, SqoopProblem},
        sqoop_queries_without_conditions::SqoopQueryWithoutConditions,
        typographic_dashes,
    },
    model::{Template, action::sqoop::SqoopCommand},
    source::Span,
};

/// The tools of Sqoop 1.4 (`SqoopTool`).
const TOOLS: [&str; 14] = [
    "codegen",
    "create-hive-table",
    "eval",
    "export",
    "help",
    "import",
    "import-all-tables",
    "import-mainframe",
    "job",
    "list-databases",
    "list-tables",
    "merge",
    "metastore",
    "version",
];

/// Where an import puts what it reads, besides a folder.
const OTHER_TARGETS: [&str; 3] = ["--accumulo-table", "--hbase-table", "--hcatalog-table"];

/// Reports quotes in a text that is split at blanks, unless it is `split_like_a_shell`, and commands that Sqoop refuses.
pub(super) fn check(
    command: &SqoopCommand,
    is_split_like_a_shell: bool,
    known: &KnownValues,
    sink: &mut Sink,
) {
    match command {
        SqoopCommand::Args(args) => {
            query_without_conditions(args, known, sink);
            let words: Vec<Word<'_>> = args
                .iter()
                .map(|arg| Word {
                    text: known.text(arg).map(|text| text.value),
                    place: arg.span,
                })
                .collect();
            refusals(&words, sink);
        }
        SqoopCommand::Text(command) if !command.is_invalid => {
            if !is_split_like_a_shell && misread(command, sink) {
                return;
            }
            let value = known.text(command).map(|text| text.value);
            let text = value.as_deref().unwrap_or(command.text.as_str());
            let words: Vec<Word<'_>> = tools::split_at_blanks(text)
                .into_iter()
                .map(|word| Word {
                    text: (!word.contains("${")).then_some(Cow::Owned(word)),
                    place: command.span,
                })
                .collect();
            refusals(&words, sink);
        }
        SqoopCommand::Text(_) => {}
    }
}

/// A word of a command.
struct Word<'t> {
    /// `None` if it is not known.
    text: Option<Cow<'t, str>>,
    place: Span,
}

/// Reports what Sqoop refuses before it does anything (`Sqoop.runTool`, `BaseSqoopTool.validateImportOptions`).
fn refusals(words: &[Word<'_>], sink: &mut Sink) {
    let Some(first) = words.first() else {
        return;
    };
    let Some(tool) = first.text.as_deref().filter(|tool| !tool.starts_with('-')) else {
        return;
    };
    let problem = if !TOOLS.contains(&tool) {
        let meant = TOOLS.iter().find(|it| Some(**it) == nearest(tool, TOOLS));
        Some(SqoopProblem::NoTool(tool.to_owned(), meant.copied()))
    } else if tool == "import" {
        import(words)
    } else {
        None
    };
    if let Some(problem) = problem {
        let place = first.place;
        sink.emit(RefusedSqoopCommand { place, problem });
    }
}

fn import(words: &[Word<'_>]) -> Option<SqoopProblem> {
    let texts = || words.iter().filter_map(|word| word.text.as_deref());
    let has = |names: &[&str]| texts().any(|text| names.contains(&text));
    let (has_table, has_query) = (has(&["--table"]), has(&["--query", "-e"]));
    if has_table && has_query {
        return Some(SqoopProblem::TableAndQuery);
    }
    // An option may be in a file, or in a value that is not known.
    let may_have_more = has(&["--options-file", "--help"]) || texts().count() < words.len();
    if may_have_more || has(&["--"]) {
        return None;
    }
    if !has_table && !has_query {
        return Some(SqoopProblem::NothingToImport);
    }
    if !has_query {
        return None;
    }
    if !has(&["--target-dir"]) && !has(&OTHER_TARGETS) {
        return Some(SqoopProblem::QueryWithoutTarget);
    }
    let mappers = texts()
        .skip_while(|text| !["-m", "--num-mappers"].contains(text))
        .nth(1);
    let is_alone = mappers == Some("1") || has(&["-m1", "--autoreset-to-one-mapper"]);
    (!is_alone && !has(&["--split-by"])).then_some(SqoopProblem::QueryWithoutSplit)
}

/// Reports dashes of a word processor, quotes and line ends, which a text that is split at blanks keeps. Returns whether there are any.
fn misread(command: &Template, sink: &mut Sink) -> bool {
    if let Some(at) = typographic_dashes::find(command.text.as_str()) {
        words::dash(command, at, sink);
        return true;
    }
    for part in &command.ast.parts {
        let Part::Text(text, range) = part else {
            continue;
        };
        if let Some(at) = text.find(['"', '\'', '\n', '\t']) {
            // A text with an escaped `${` is shorter than its source.
            let start = (range.start + at).min(range.end.saturating_sub(1));
            sink.emit(MisreadSqoopCommand {
                is_quote: text[at..].starts_with(['"', '\'']),
                place: command.text.span_of(start..start + 1),
                words: tools::split_at_blanks(command.text.as_str()),
            });
            return true;
        }
    }
    false
}

/// Reports a query to import without `$CONDITIONS` (`ConnManager.getColumnTypes` of Sqoop).
fn query_without_conditions(args: &[Template], known: &KnownValues, sink: &mut Sink) {
    let mut words = args.iter().skip_while(|arg| literal(arg) == Some("sqoop"));
    if words.next().and_then(literal) != Some("import") {
        return;
    }
    let query = words
        .skip_while(|arg| !matches!(literal(arg), Some("--query" | "-e")))
        .nth(1);
    if let Some(query) = query
        && let Some(text) = known.text(query)
        && !text.value.contains("$CONDITIONS")
    {
        sink.emit(SqoopQueryWithoutConditions { place: query.span });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(command: &str) -> Option<String> {
        let words: Vec<Word<'_>> = command
            .split(' ')
            .map(|word| Word {
                text: (word != "?").then_some(Cow::Borrowed(word)),
                place: Span::new(crate::source::FileId(0), 0, 0),
            })
            .collect();
        import(&words).map(|problem| {
            match problem {
                SqoopProblem::NoTool(..) => "no tool",
                SqoopProblem::TableAndQuery => "both",
                SqoopProblem::NothingToImport => "nothing",
                SqoopProblem::QueryWithoutTarget => "no target",
                SqoopProblem::QueryWithoutSplit => "no split",
            }
            .to_owned()
        })
    }

    #[test]
    fn imports_that_are_refused() {
        for (command, expected) in [
            ("import --connect c --table t", None),
            ("import --connect c", Some("nothing")),
            ("import --connect c ?", None),
            ("import --options-file f", None),
            ("import --table t --query q --target-dir d", Some("both")),
            ("import --query q -m 1", Some("no target")),
            ("import -e q --hbase-table h -m 1", None),
            ("import --query q --target-dir d", Some("no split")),
            ("import --query q --target-dir d -m 4", Some("no split")),
            ("import --query q --target-dir d -m ?", None),
            ("import --query q --target-dir d --num-mappers 1", None),
            ("import --query q --target-dir d --split-by id", None),
        ] {
            assert_eq!(refused(command).as_deref(), expected, "{command}");
        }
    }
}
