//! The language of Mermaid, which many web pages draw.

use std::fmt::Write;

use super::{edges, label, subtitle, title};
use crate::{
    analysis::Facts,
    model::{Node, NodeKind, TransitionKind, WorkflowApp},
};

/// The graph as a `flowchart`.
///
/// Nodes are called by their number: `end` and other names are words of Mermaid.
pub fn mermaid(app: &WorkflowApp, facts: &Facts) -> String {
    let mut text = String::new();
    let mut line = |line: std::fmt::Arguments<'_>| {
        writeln!(text, "{line}").expect("writing to a string cannot fail");
    };
    line(format_args!("flowchart TD"));
    for node in &app.nodes {
        let label = match subtitle(node) {
            Some(subtitle) => format!("{}<br>{}", escaped(title(node)), escaped(subtitle)),
            None => escaped(title(node)),
        };
        let (open, close) = brackets(node);
        line(format_args!("    n{}{open}\"{label}\"{close}", node.id.0));
    }
    let mut error_edges: Vec<String> = Vec::new();
    for (number, (node, edge)) in edges(app, facts).enumerate() {
        let (from, to) = (node.id.0, edge.to.0);
        match (edge.kind, label(node, edge.kind)) {
            (TransitionKind::Error, _) => {
                error_edges.push(number.to_string());
                line(format_args!("    n{from} -.-> n{to}"));
            }
            (
                TransitionKind::Start
                | TransitionKind::Ok
                | TransitionKind::Case(_)
                | TransitionKind::Default
                | TransitionKind::Branch(_)
                | TransitionKind::Joined,
                Some(label),
            ) => line(format_args!(
                "    n{from} -->|\"{}\"| n{to}",
                escaped(&label)
            )),
            (
                TransitionKind::Start
                | TransitionKind::Ok
                | TransitionKind::Case(_)
                | TransitionKind::Default
                | TransitionKind::Branch(_)
                | TransitionKind::Joined,
                None,
            ) => line(format_args!("    n{from} --> n{to}")),
        }
    }
    if !error_edges.is_empty() {
        line(format_args!(
            "    linkStyle {} stroke:#bbb",
            error_edges.join(",")
        ));
    }
    text
}

/// The brackets that give a node its shape.
fn brackets(node: &Node) -> (&'static str, &'static str) {
    match &node.kind {
        NodeKind::Start(_) => ("((", "))"),
        NodeKind::End(_) => ("(((", ")))"),
        NodeKind::Kill(_) => ("{{", "}}"),
        NodeKind::Decision(_) => ("{", "}"),
        NodeKind::Fork(_) => ("[/", "\\]"),
        NodeKind::Join(_) => ("[\\", "/]"),
        NodeKind::Action(_) => ("(", ")"),
    }
}

/// Mermaid reads entities with `#` for `&`, and takes labels for HTML and, after a backtick, for Markdown.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '"' | '#' | '&' | '<' | '>' | '`' | '\\' => {
                escaped.push_str(&format!("#{};", u32::from(character)));
            }
            control if control.is_control() => escaped.push(' '),
            other => escaped.push(other),
        }
    }
    escaped
}
