//! Models as text, without spans.

use crate::model::WorkflowApp;

/// What begins a part that only says where something is, or repeats a text.
const PLACES: [&str; 5] = [
    "Span {",
    "DecodedPiece {",
    "pieces: Some(",
    "ast: Template {",
    "id: NodeId(",
];

/// The model with its nodes in the order of their names: that of the document has no meaning.
pub(super) fn shown(app: &WorkflowApp) -> String {
    let mut nodes: Vec<String> = app.nodes.iter().map(debugged).collect();
    nodes.sort();
    // A description is one line in Rust.
    let mut parameters = app.parameters.clone();
    for description in parameters
        .iter_mut()
        .filter_map(|it| it.description.as_mut())
    {
        *description = description.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    let head = (
        &app.version,
        &app.name,
        &parameters,
        &app.global,
        &app.credentials,
        &app.sla,
    );
    format!("{}\n{}", debugged(&head), nodes.join("\n"))
}

fn debugged(part: &impl std::fmt::Debug) -> String {
    let whole = format!("{part:?}");
    let mut text = String::new();
    let mut rest = whole.as_str();
    while !rest.is_empty() {
        if let Some(place) = PLACES.iter().find(|place| rest.starts_with(**place)) {
            rest = &rest[place.len()..];
            skip(&mut rest);
            continue;
        }
        let n = if rest.starts_with('"') {
            string(rest)
        } else {
            rest.chars().next().map_or(1, char::len_utf8)
        };
        text.push_str(&rest[..n]);
        rest = &rest[n..];
    }
    text.replace("Borrowed(", "(")
        .replace("Shared(", "(")
        .replace("pieces: None", "")
}

/// The length of the quoted string at the start.
fn string(text: &str) -> usize {
    let mut is_escaped = false;
    for (n, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return n + 1,
            _ => {}
        }
    }
    text.len()
}

/// Goes behind the bracket that closes what has been opened.
fn skip(rest: &mut &str) {
    let mut depth = 1;
    while depth > 0 && !rest.is_empty() {
        let n = match rest.chars().next() {
            Some('"') => string(rest),
            Some('{' | '(' | '[') => {
                depth += 1;
                1
            }
            Some('}' | ')' | ']') => {
                depth -= 1;
                1
            }
            other => other.map_or(1, char::len_utf8),
        };
        *rest = &rest[n..];
    }
}
