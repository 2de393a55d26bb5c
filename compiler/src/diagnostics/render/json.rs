//! One JSON object per diagnostic, for programs.
//!
//! The keys are a stable interface: none is renamed or removed, new ones may be added. Missing values are `null`, or an
//! empty list.

use std::io::{self, Write};

use serde::Serialize;

use super::{shown_path, shown_range};
use crate::{
    diagnostics::{Diagnostic, Label, Suggestion},
    source::{SourceMap, Span},
};

#[derive(Serialize)]
struct JsonDiagnostic<'a> {
    code: &'a str,
    severity: &'a str,
    message: &'a str,
    file: &'a str,
    line: Option<u32>,
    column: Option<u32>,
    end_line: Option<u32>,
    end_column: Option<u32>,
    labels: Vec<JsonLabel<'a>>,
    notes: &'a [String],
    help: &'a [String],
    suggestions: Vec<JsonSuggestion<'a>>,
    oozie: &'a [&'a str],
}

#[derive(Serialize)]
struct JsonLabel<'a> {
    text: &'a str,
    primary: bool,
    #[serde(flatten)]
    place: JsonPlace<'a>,
}

#[derive(Serialize)]
struct JsonSuggestion<'a> {
    message: &'a str,
    applicability: &'a str,
    edits: Vec<JsonEdit<'a>>,
}

#[derive(Serialize)]
struct JsonEdit<'a> {
    replacement: &'a str,
    #[serde(flatten)]
    place: JsonPlace<'a>,
}

/// Lines and columns from 1, columns in characters; the end is exclusive.
#[derive(Serialize)]
struct JsonPlace<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
}

/// The object of a diagnostic, on one line, without a line end.
pub fn render(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let mut line = Vec::new();
    write_object(diagnostic, sources, &mut line).expect("a vector takes every byte");
    String::from_utf8(line).expect("serde_json writes UTF-8")
}

/// Writes each diagnostic as a line.
///
/// # Errors
///
/// Those of `output`.
pub fn write_lines(
    diagnostics: &[Diagnostic],
    sources: &SourceMap,
    output: &mut impl Write,
) -> io::Result<()> {
    for diagnostic in diagnostics {
        write_object(diagnostic, sources, output)?;
        output.write_all(b"\n")?;
    }
    Ok(())
}

fn write_object(
    diagnostic: &Diagnostic,
    sources: &SourceMap,
    output: &mut impl Write,
) -> io::Result<()> {
    let range = shown_range(diagnostic, sources);
    let start = range.map(|(start, _)| start);
    let end = range.map(|(_, end)| end);
    let object = JsonDiagnostic {
        code: diagnostic.rule.id(),
        severity: diagnostic.level.as_str(),
        message: &diagnostic.message,
        file: shown_path(diagnostic, sources),
        line: start.map(|start| start.line),
        column: start.map(|start| start.column),
        end_line: end.map(|end| end.line),
        end_column: end.map(|end| end.column),
        labels: diagnostic
            .labels
            .iter()
            .map(|label| json_label(label, sources))
            .collect(),
        notes: &diagnostic.notes,
        help: &diagnostic.help,
        suggestions: diagnostic
            .suggestions
            .iter()
            .map(|suggestion| json_suggestion(suggestion, sources))
            .collect(),
        oozie: diagnostic.rule.oozie(),
    };
    serde_json::to_writer(output, &object).map_err(io::Error::from)
}

fn json_label<'a>(label: &'a Label, sources: &'a SourceMap) -> JsonLabel<'a> {
    JsonLabel {
        text: &label.text,
        primary: label.primary,
        place: json_place(label.span, sources),
    }
}

fn json_suggestion<'a>(suggestion: &'a Suggestion, sources: &'a SourceMap) -> JsonSuggestion<'a> {
    JsonSuggestion {
        message: &suggestion.message,
        applicability: suggestion.applicability.as_str(),
        edits: suggestion
            .edits
            .iter()
            .map(|(span, replacement)| JsonEdit {
                replacement,
                place: json_place(*span, sources),
            })
            .collect(),
    }
}

fn json_place(span: Span, sources: &SourceMap) -> JsonPlace<'_> {
    let start = sources.position(span.file, span.start);
    let end = sources.position(span.file, span.end);
    JsonPlace {
        file: sources.path(span.file),
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::diagnostics::render::testing;

    #[test]
    fn each_diagnostic_is_one_line_with_every_key() {
        let (sources, diagnostics) = testing::every_kind();
        let mut output = Vec::new();
        write_lines(&diagnostics, &sources, &mut output).unwrap();
        let output = String::from_utf8(output).unwrap();
        let lines: Vec<&str> = output.lines().collect();
        assert_eq!(lines.len(), diagnostics.len());
        for (line, diagnostic) in lines.iter().zip(&diagnostics) {
            assert_eq!(*line, render(diagnostic, &sources));
            let object: serde_json::Map<String, serde_json::Value> =
                serde_json::from_str(line).unwrap();
            for key in [
                "code",
                "severity",
                "message",
                "file",
                "line",
                "column",
                "end_line",
                "end_column",
                "labels",
                "notes",
                "help",
                "suggestions",
                "oozie",
            ] {
                assert!(object.contains_key(key), "{key} in {line}");
            }
        }
        expect![[r#"
            {"code":"H9901","severity":"error","message":"undefined node `clean-up`","file":"app/workflow.xml","line":2,"column":25,"end_line":2,"end_column":33,"labels":[{"text":"no node has this name","primary":true,"file":"app/workflow.xml","line":2,"column":25,"end_line":2,"end_column":33},{"text":"this node is not reached","primary":false,"file":"app/workflow.xml","line":10,"column":17,"end_line":10,"end_column":24}],"notes":[],"help":[],"suggestions":[{"message":"there is a node with a similar name","applicability":"MaybeIncorrect","edits":[{"replacement":"cleanup","file":"app/workflow.xml","line":2,"column":25,"end_line":2,"end_column":33}]}],"oozie":["E0708"]}
            {"code":"unused_things","severity":"warning","message":"property `queue` is not used","file":"job.properties","line":2,"column":1,"end_line":2,"end_column":8,"labels":[{"text":"this application reads no property","primary":false,"file":"app/workflow.xml","line":1,"column":2,"end_line":1,"end_column":14}],"notes":["properties of Oozie itself are not counted"],"help":["remove the property"],"suggestions":[],"oozie":[]}
            {"code":"H9901","severity":"error","message":"the document has no element","file":"app/workflow.xml","line":null,"column":null,"end_line":null,"end_column":null,"labels":[],"notes":[],"help":["write one"],"suggestions":[],"oozie":["E0708"]}
            {"code":"unused_things","severity":"warning","message":"folder `lib` is empty","file":"app/lib","line":null,"column":null,"end_line":null,"end_column":null,"labels":[],"notes":[],"help":[],"suggestions":[],"oozie":[]}
        "#]].assert_eq(&output);
    }
}
