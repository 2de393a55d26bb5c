//! Renders the explanation of a rule as HTML. Explanations are a subset of Markdown: paragraphs, lists, code.

use std::fmt::Write;

use crate::syntax::xml::escape_text;

const FENCE: &str = "```";

/// The HTML of an explanation.
pub(super) fn html(markdown: &str) -> String {
    let mut html = String::new();
    let mut paragraph: Vec<&str> = Vec::new();
    let mut lines = markdown.lines();
    while let Some(line) = lines.next() {
        if let Some(info) = line.strip_prefix(FENCE) {
            close(&mut html, &mut paragraph);
            let code: Vec<&str> = lines
                .by_ref()
                .take_while(|line| !line.starts_with(FENCE))
                .collect();
            if let Some((_, promise)) = info.split_once(',') {
                push(&mut html, format_args!("<p>{}:</p>", escape_text(promise)));
            }
            push(
                &mut html,
                format_args!("<pre>{}</pre>", escape_text(&code.join("\n"))),
            );
        } else if line.trim().is_empty() {
            close(&mut html, &mut paragraph);
        } else {
            if line.starts_with("- ") {
                close(&mut html, &mut paragraph);
            }
            paragraph.push(line.trim());
        }
    }
    close(&mut html, &mut paragraph);
    html
}

fn close(html: &mut String, paragraph: &mut Vec<&str>) {
    if paragraph.is_empty() {
        return;
    }
    let text = paragraph.join(" ");
    paragraph.clear();
    match text.strip_prefix("- ") {
        Some(item) => push(html, format_args!("<ul><li>{}</li></ul>", inline(item))),
        None => push(html, format_args!("<p>{}</p>", inline(&text))),
    }
}

fn push(html: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(html, "{line}").expect("writing to a string cannot fail");
}

/// Renders text with code in backticks. An unmatched backtick is kept as it is.
pub(super) fn inline(text: &str) -> String {
    let mut html = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('`') {
        let Some((code, after)) = after.split_once('`') else {
            break;
        };
        html.push_str(&escape_text(before));
        html.push_str("<code>");
        html.push_str(&escape_text(code));
        html.push_str("</code>");
        rest = after;
    }
    html.push_str(&escape_text(rest));
    html
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn paragraphs_lists_and_code_become_html() {
        expect![[r#"
            <p>Use <code>a &lt; b</code> &amp; nothing else.</p>
            <ul><li>one <code>x</code> more</li></ul>
            <ul><li>two ` alone</li></ul>
            <p>wrong:</p>
            <pre>&lt;a>
              b</pre>
        "#]]
        .assert_eq(&html(
            "Use `a < b` &\nnothing else.\n\n- one `x`\n  more\n- two ` alone\n\n```xml,wrong\n<a>\n  b\n```\n",
        ).replace("&gt;", ">"));
    }
}
