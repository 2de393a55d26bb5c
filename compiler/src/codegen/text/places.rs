//! The places of the expressions of a text whose spelling in the document differs from its value.

use crate::{model::Template, source::SourceMap};

/// For each expression, its line relative to the beginning of the text, and its column. `None` if the runtime can compute
/// them from the text: it contains no references, comments or `CDATA` that move them.
pub(crate) fn moved(sources: &SourceMap, template: &Template) -> Option<Vec<(u32, u32)>> {
    let source = template.text.as_str();
    // A different spelling is longer than the value. In a derived document every expression has a place of its own.
    if u32::try_from(source.len()) == Ok(template.span.len())
        && sources.origins(template.span.file).is_none()
    {
        return None;
    }
    let begins = sources.start(template.span);
    let mut is_moved = false;
    let mut places = Vec::new();
    for expr in template.ast.expressions() {
        // Only blanks and parentheses occur between `${` and the expression.
        let start = source.get(..expr.range.start)?.rfind("${")?;
        let found = sources.start(template.text.span_of(start..start + 1));
        let place = (found.line.saturating_sub(begins.line), found.column);
        is_moved |= place != counted(source.get(..start)?, begins.column);
        places.push(place);
    }
    is_moved.then_some(places)
}

/// The place after `before`, a text that begins in `column`.
fn counted(before: &str, column: u32) -> (u32, u32) {
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let (column, line) = match before.rfind('\n') {
        Some(at) => (1, &before[at + 1..]),
        None => (column, before),
    };
    (
        count(before.matches('\n').count()),
        column.saturating_add(count(line.chars().count())),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        diagnostics::Sink, lower, model::workflow::NodeKind, source::SourceMap, syntax::xml,
    };

    /// `message` is that of a kill node, and begins in column 10.
    #[track_caller]
    fn check(message: &str, expected: Option<&[(u32, u32)]>) {
        let text = format!(
            "<workflow-app xmlns=\"uri:oozie:workflow:1.0\" name=\"w\"><start to=\"k\"/><kill name=\"k\">\n<message>{message}</message></kill><end name=\"e\"/></workflow-app>"
        );
        let mut sources = SourceMap::default();
        let mut sink = Sink::default();
        let file = sources.add("workflow.xml".to_owned(), text.clone());
        let tree = xml::parse(file, &text, &mut sink).expect("the test's document parses");
        let app = lower::workflow(&tree, None, &mut sink).expect("it is a workflow");
        let message = app
            .nodes
            .iter()
            .find_map(|node| {
                if let NodeKind::Kill(kill) = &node.kind {
                    Some(&kill.message)
                } else {
                    None
                }
            })
            .expect("it has a kill node");
        let found = moved(&sources, message);
        assert_eq!(found.as_deref(), expected, "{text}");
    }

    #[test]
    fn expressions_behind_what_is_spelled_otherwise_are_moved() {
        check("a ${x} ${y}", None);
        check("${x} &amp; b", None);
        check("a &amp; ${x} é${y}", Some(&[(0, 18), (0, 24)]));
        check("${1 &lt; x} ${ (y) }", Some(&[(0, 10), (0, 22)]));
        check("a&#10;${x}", Some(&[(0, 16)]));
        check("&lt;\n ${x}", None);
        check("a\n &lt;${x}", Some(&[(1, 6)]));
        // The text itself begins with the expression.
        check("<![CDATA[${x}]]>", None);
        check("a <![CDATA[${x}]]>", Some(&[(0, 21)]));
        check("a<!-- \n -->${x}", Some(&[(1, 5)]));
    }
}
