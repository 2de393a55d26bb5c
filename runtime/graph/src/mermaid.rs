//! Output in the Mermaid language, which many web pages can draw.

use std::fmt::Write;

use super::picture::{ArrowKind, Look, Picture, PictureNode, Shape, labels};
use super::visible::written_out;

/// The picture as a `flowchart`.
///
/// Nodes are identified by number: `end` and other names are keywords of Mermaid.
pub fn mermaid(picture: &Picture) -> String {
    let mut text = String::new();
    let mut line = |line: std::fmt::Arguments<'_>| {
        writeln!(text, "{line}").expect("writing to a string cannot fail");
    };
    line(format_args!("flowchart TD"));
    for (number, node) in picture.nodes.iter().enumerate() {
        let state = node.state.as_ref().map(|state| &state.text);
        let lines: Vec<String> = [Some(&node.title), node.subtitle.as_ref(), state]
            .into_iter()
            .flatten()
            .filter(|line| !line.is_empty())
            .map(|line| escaped(line))
            .collect();
        let label = lines.join("<br>");
        let (open, close) = brackets(node.shape);
        line(format_args!("    n{number}{open}\"{label}\"{close}"));
    }
    let mut error_arrows: Vec<String> = Vec::new();
    for (number, (arrow, label)) in picture.arrows.iter().zip(labels(picture)).enumerate() {
        let (from, to) = (arrow.from, arrow.to);
        match (arrow.kind, label) {
            (ArrowKind::Error, _) => {
                error_arrows.push(number.to_string());
                line(format_args!("    n{from} -.-> n{to}"));
            }
            (ArrowKind::Flow, Some(label)) => line(format_args!(
                "    n{from} -->|\"{}\"| n{to}",
                escaped(&label)
            )),
            (ArrowKind::Flow, None) => line(format_args!("    n{from} --> n{to}")),
        }
    }
    if !error_arrows.is_empty() {
        line(format_args!(
            "    linkStyle {} stroke:#bbb",
            error_arrows.join(",")
        ));
    }
    for look in Look::ALL {
        let has_look =
            |node: &PictureNode| node.state.as_ref().is_some_and(|state| state.look == look);
        let numbers: Vec<String> = (0..)
            .zip(&picture.nodes)
            .filter(|(_, node)| has_look(node))
            .map(|(number, _): (usize, _)| format!("n{number}"))
            .collect();
        if !numbers.is_empty() {
            let ((surface, border), class) = (look.colors(), look.class());
            line(format_args!(
                "    classDef {class} fill:{surface},stroke:{border},color:#1f2937"
            ));
            line(format_args!("    class {} {class}", numbers.join(",")));
        }
    }
    text
}

/// The brackets that give a node its shape.
fn brackets(shape: Shape) -> (&'static str, &'static str) {
    match shape {
        Shape::Start => ("((", "))"),
        Shape::End => ("(((", ")))"),
        Shape::Kill => ("{{", "}}"),
        Shape::Decision => ("{", "}"),
        Shape::Fork => ("[/", "\\]"),
        Shape::Join => ("[\\", "/]"),
        Shape::Schedule => ("([", "])"),
        Shape::Dataset => ("[(", ")]"),
        Shape::Event => (">", "]"),
        Shape::Logic => ("{{", "}}"),
        Shape::Application => ("[[", "]]"),
        Shape::Action(_) | Shape::Block => ("(", ")"),
    }
}

/// Mermaid reads entities with `#` instead of `&`, and interprets labels as HTML and, after a backtick, as Markdown.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '"' | '#' | '&' | '<' | '>' | '`' | '\\' => {
                escaped.push_str(&format!("#{};", u32::from(character)));
            }
            other => match written_out(other) {
                Some(text) => escaped.push_str(&text.replace('\\', "#92;")),
                None => escaped.push(other),
            },
        }
    }
    escaped
}
