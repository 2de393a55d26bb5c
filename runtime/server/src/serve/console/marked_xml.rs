//! The XML of a node, with its line marked and below it what went wrong there: the place that a message names by file, line and column.

use serde_json::{Value, json};

/// Lines of XML before and after the line of the node.
const LINES_BEFORE: usize = 1;
const LINES_AFTER: usize = 60;
/// Lines around a place that is outside of these.
const AROUND: usize = 2;
/// Faults that are marked.
const MOST_FAULTS: usize = 10;

/// Something that is wrong at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) line: usize,
    /// In characters, from 1.
    pub(crate) column: Option<usize>,
    pub(crate) message: String,
}

/// The faults that a message tells of: it names their places in `file` as `workflow.xml:19:103`.
pub(crate) fn faults(message: &str, file: &str) -> Vec<Fault> {
    if file.is_empty() {
        return Vec::new();
    }
    let mut found: Vec<Fault> = Vec::new();
    for (at, _) in message.match_indices(file) {
        let is_longer_name = message[..at]
            .chars()
            .next_back()
            .is_some_and(|c| c.is_alphanumeric() || "._-".contains(c));
        let mut numbers = message[at + file.len()..].strip_prefix(':').into_iter();
        let Some(rest) = numbers.next().filter(|_| !is_longer_name) else {
            continue;
        };
        let (line, rest) = number(rest);
        let Some(line) = line.filter(|line| *line > 0) else {
            continue;
        };
        let column = rest.strip_prefix(':').and_then(|rest| number(rest).0);
        let fault = Fault {
            line,
            column: column.filter(|column| *column > 0),
            message: message.to_owned(),
        };
        if !found.contains(&fault) {
            found.push(fault);
        }
    }
    found
}

/// The number that a text begins with, and what follows it.
fn number(text: &str) -> (Option<usize>, &str) {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    (text[..end].parse().ok(), &text[end..])
}

/// The lines around a node, which is marked, and around the faults. A fault stands below its line.
pub(crate) fn lines(document: &str, line: u32, faults: &[Fault]) -> Vec<Value> {
    let line = usize::try_from(line).unwrap_or_default();
    let all: Vec<&str> = document.lines().collect();
    let mut shown: Vec<usize> = element(&all, line);
    // A message may name any line.
    let is_there = |fault: &&Fault| fault.line <= all.len();
    let faults: Vec<&Fault> = faults.iter().filter(is_there).take(MOST_FAULTS).collect();
    for fault in &faults {
        let first = fault.line.saturating_sub(AROUND).max(1);
        shown.extend(first..=(fault.line + AROUND).min(all.len()));
    }
    shown.sort_unstable();
    shown.dedup();
    let mut rows = Vec::new();
    let mut last = None;
    for number in shown {
        let Some(text) = all.get(number - 1) else {
            continue;
        };
        let is_cut = last.is_some_and(|last| last + 1 < number);
        last = Some(number);
        if is_cut {
            rows.push(row("…", String::new(), "", "skipped"));
        }
        let here = || faults.iter().filter(|fault| fault.line == number);
        let class = match (here().next(), number == line) {
            (Some(_), _) => "faulty",
            (None, true) => "marked",
            (None, false) => "",
        };
        rows.push(row(&number.to_string(), (*text).to_owned(), "", class));
        for fault in here() {
            let indent: String = text
                .chars()
                .take(fault.column.unwrap_or(1) - 1)
                .map(|c| if c == '\t' { '\t' } else { ' ' })
                .collect();
            let caret = if fault.column.is_some() { "^ " } else { "" };
            rows.push(row("", format!("{indent}{caret}"), &fault.message, "fault"));
        }
    }
    rows
}

fn row(number: &str, text: String, message: &str, class: &str) -> Value {
    json!({ "number": number, "text": text, "message": message, "class": class })
}

/// The numbers of the lines of an element that begins at a line, and of the one before.
fn element(all: &[&str], line: usize) -> Vec<usize> {
    let indent = |text: &str| text.len() - text.trim_start().len();
    let Some(own) = line.checked_sub(1).and_then(|place| all.get(place)) else {
        return Vec::new();
    };
    let own = indent(own);
    let first = line.saturating_sub(LINES_BEFORE).max(1);
    let mut numbers = Vec::new();
    let from_first = all.iter().zip(1_usize..).skip(first - 1);
    for (text, number) in from_first.take(LINES_AFTER) {
        numbers.push(number);
        // The end of the element is as far in as its beginning.
        let is_end = number > line && text.trim_start().starts_with("</");
        if is_end && indent(text) <= own {
            break;
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = "<a>\n  <!-- x -->\n  <b>\n    <c/>\n  </b>\n  <d/>\n</a>\n";

    fn shown(lines: &[Value]) -> Vec<String> {
        lines
            .iter()
            .map(|it| {
                let part = |name: &str| it[name].as_str().unwrap_or_default().to_owned();
                format!(
                    "{}|{}|{}|{}",
                    part("number"),
                    part("class"),
                    part("text"),
                    part("message")
                )
            })
            .collect()
    }

    #[test]
    fn an_element_is_shown_whole_and_its_line_is_marked() {
        assert_eq!(
            shown(&lines(DOCUMENT, 3, &[])),
            [
                "2||  <!-- x -->|",
                "3|marked|  <b>|",
                "4||    <c/>|",
                "5||  </b>|"
            ]
        );
        assert!(lines(DOCUMENT, 99, &[]).is_empty());
        assert!(lines("", 0, &[]).is_empty());
    }

    #[test]
    fn a_fault_stands_below_its_line_at_its_column_wherever_it_is() {
        let found = faults("E: `x` is not given (workflow.xml:4:5)", "workflow.xml");
        assert_eq!(
            shown(&lines(DOCUMENT, 3, &found))[2..4],
            [
                "4|faulty|    <c/>|",
                "|fault|    ^ |E: `x` is not given (workflow.xml:4:5)"
            ]
        );
        let far = Fault {
            line: 7,
            column: None,
            message: "here".to_owned(),
        };
        let document = DOCUMENT.replace("<!-- x -->", "<e>\n</e>\n<f/>\n<g/>\n<h/>");
        let lines = shown(&lines(&document, 2, &[far]));
        assert_eq!(lines[3..6], ["…|skipped||", "5||<g/>|", "6||<h/>|"]);
        assert!(lines.contains(&"7|faulty|  <b>|".to_owned()), "{lines:?}");
    }

    #[test]
    fn only_places_of_the_file_are_taken() {
        let file = "workflow.xml";
        for (message, expected) in [
            ("at workflow.xml:19:103", Some((19, Some(103)))),
            ("at workflow.xml:19, and more", Some((19, None))),
            ("sub-workflow.xml:19:1", None),
            ("workflow.xml:0:0", None),
            ("workflow.xml: not found", None),
            ("workflow.xml:99999999999999999999999:1", None),
            ("", None),
        ] {
            let found = faults(message, file);
            let place = found.first().map(|fault| (fault.line, fault.column));
            assert_eq!(place, expected, "{message}");
        }
        assert!(faults("x:1:1", "").is_empty());
        // A line beyond the document is not there.
        for far in ["w:9:9", "w:18446744073709551615:18446744073709551615"] {
            assert_eq!(lines("<a/>\n", 1, &faults(far, "w")).len(), 1, "{far}");
        }
    }
}
