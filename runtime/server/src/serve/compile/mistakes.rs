//! Diagnostics of the compiler as an answer: Oozie's code and text first, then what the compiler prints for people.

use serde::Deserialize;

use crate::serve::failure::Failure;

/// How many mistakes are in the one line that clients print.
const MOST_IN_LINE: usize = 3;
/// The most text of the compiler in an answer, in bytes.
const MOST_TEXT: usize = 64 << 10;

/// What is needed of a line of `hpdlc check --format json`.
#[derive(Debug, Deserialize)]
struct Diagnostic {
    severity: String,
    message: String,
    file: Option<String>,
    line: Option<u64>,
    column: Option<u64>,
    #[serde(default)]
    oozie: Vec<String>,
}

impl Diagnostic {
    /// `workflow.xml:3:5: message`.
    fn shown(&self) -> String {
        let file = self.file.as_deref().unwrap_or_default();
        let file = file.rsplit('/').next().unwrap_or_default();
        match (file, self.line, self.column) {
            ("", _, _) => self.message.clone(),
            (file, Some(line), Some(column)) => {
                format!("{file}:{line}:{column}: {}", self.message)
            }
            (file, ..) => format!("{file}: {}", self.message),
        }
    }
}

/// The errors among the lines of a check.
fn errors(lines: &[u8]) -> Vec<Diagnostic> {
    let text = String::from_utf8_lossy(lines);
    let all = text
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok());
    all.filter(|it: &Diagnostic| it.severity == "error")
        .collect()
}

fn in_line(errors: &[Diagnostic]) -> String {
    let shown: Vec<String> = errors
        .iter()
        .take(MOST_IN_LINE)
        .map(Diagnostic::shown)
        .collect();
    let more = errors.len().saturating_sub(MOST_IN_LINE);
    match more {
        0 => shown.join("; "),
        more => format!("{}; and {more} more", shown.join("; ")),
    }
}

/// The code of the first mistake that Oozie knows. It validates before it parses, so that nothing is E0700 that may be E0701.
fn code(errors: &[Diagnostic]) -> Option<&str> {
    // Others are codes of actions: `EL_ERROR`.
    let is_code = |code: &&String| code.starts_with("E0") || code.starts_with("E1");
    let all = errors.iter().map(|error| {
        let mut codes = error.oozie.iter().filter(is_code);
        let schema = codes.clone().find(|code| *code == "E0701");
        schema.or_else(|| codes.next())
    });
    all.flatten().next().map(String::as_str)
}

/// 400 for an application that cannot be compiled: `lines` are those of a check, `report` is what people read.
pub(crate) fn of_application(lines: &[u8], report: &str) -> Failure {
    let errors = errors(lines);
    let text = match errors.is_empty() {
        true => "the application cannot be compiled".to_owned(),
        false => in_line(&errors),
    };
    let failure = match code(&errors) {
        None => Failure::runtime(&text),
        Some("E0701") => Failure::coded("E0701", format!("XML schema error, {text}")),
        Some(code) => Failure::coded(code, text),
    };
    with_report(failure, report)
}

/// E0701 for a document that its schema does not allow; `None` if it does.
pub(crate) fn of_document(file: &str, lines: &[u8], report: &str) -> Option<Failure> {
    let errors = errors(lines);
    if errors.is_empty() {
        return None;
    }
    let text = format!("XML schema error, {file}, {}", in_line(&errors));
    Some(with_report(Failure::coded("E0701", text), report))
}

/// What follows an empty line is in the body alone ([`Failure`]).
fn with_report(mut failure: Failure, report: &str) -> Failure {
    let mut end = report.len().min(MOST_TEXT);
    while !report.is_char_boundary(end) {
        end -= 1;
    }
    let report = report[..end].trim_end();
    if !report.is_empty() {
        failure.message = format!("{}\n\n{report}", failure.message.replace("\n\n", "\n"));
    }
    failure
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(severity: &str, message: &str, oozie: &str) -> String {
        format!(
            "{{\"code\":\"H1\",\"severity\":\"{severity}\",\"message\":\"{message}\",\"file\":\"/w/files/local/a/workflow.xml\",\"line\":3,\"column\":5,\"oozie\":[{oozie}]}}\n"
        )
    }

    #[test]
    fn the_first_mistake_that_oozie_knows_gives_the_code() {
        let lines = line("warning", "w", "\"E0723\"")
            + &line("error", "own", "")
            + &line("error", "undefined node `a`", "\"E0708\"");
        let failure = of_application(lines.as_bytes(), "error: report\n");
        assert_eq!(failure.code.as_deref(), Some("E0708"));
        assert_eq!(
            failure.message,
            "E0708: workflow.xml:3:5: own; workflow.xml:3:5: undefined node `a`\n\nerror: report"
        );
        let schema = of_application(line("error", "x", "\"E0701\"").as_bytes(), "");
        assert_eq!(
            schema.message,
            "E0701: XML schema error, workflow.xml:3:5: x"
        );
        let malformed = of_application(line("error", "x", "\"E0700\",\"E0701\"").as_bytes(), "");
        assert_eq!(malformed.code.as_deref(), Some("E0701"));
        let of_action = line("error", "x", "\"EL_ERROR\"") + &line("error", "y", "\"E0708\"");
        let of_action = of_application(of_action.as_bytes(), "");
        assert_eq!(of_action.code.as_deref(), Some("E0708"));
        let own = of_application(line("error", "own", "").as_bytes(), "");
        assert_eq!(own.code.as_deref(), Some("E0307"));
        assert_eq!(of_application(b"", "").code.as_deref(), Some("E0307"));
    }

    #[test]
    fn a_document_is_judged_by_its_schema_alone() {
        assert!(of_document("/a.xml", line("warning", "w", "").as_bytes(), "").is_none());
        let failure = of_document("/a.xml", line("error", "m", "").as_bytes(), "r").unwrap();
        assert_eq!(
            failure.message,
            "E0701: XML schema error, /a.xml, workflow.xml:3:5: m\n\nr"
        );
    }
}
