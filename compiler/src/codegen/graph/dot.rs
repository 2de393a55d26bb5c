//! The language of Graphviz.

use std::fmt::Write;

use super::{edges, label, subtitle, title};
use crate::{
    analysis::Facts,
    model::{Node, NodeKind, TransitionKind, WorkflowApp},
};

/// The graph as a `digraph`.
pub fn dot(app: &WorkflowApp, facts: &Facts) -> String {
    let mut text = String::new();
    let mut line = |line: std::fmt::Arguments<'_>| {
        writeln!(text, "{line}").expect("writing to a string cannot fail");
    };
    line(format_args!(
        "digraph {} {{",
        quoted(app.name.text.as_str())
    ));
    line(format_args!(
        "    node [shape=box, style=rounded, fontname=\"sans-serif\", fontsize=11];"
    ));
    line(format_args!(
        "    edge [fontname=\"sans-serif\", fontsize=9];"
    ));
    for node in &app.nodes {
        let (title, look) = (title(node), look(node));
        let label = match subtitle(node) {
            // Outside of the quotes' own escapes, `\n` is Graphviz's line break.
            Some(subtitle) => format!("\"{}\\n{}\"", escaped(title), escaped(subtitle)),
            None => quoted(title),
        };
        line(format_args!(
            "    {} [label={label}{look}];",
            quoted(&node.name.value)
        ));
    }
    for (node, edge) in edges(app, facts) {
        let (from, to) = (
            quoted(&node.name.value),
            quoted(&app.node(edge.to).name.value),
        );
        let attributes = match (edge.kind, label(node, edge.kind)) {
            // Without weight, an error transition does not pull its ends together.
            (TransitionKind::Error, _) => " [style=dashed, color=gray70, weight=0]".to_owned(),
            (
                TransitionKind::Start
                | TransitionKind::Ok
                | TransitionKind::Case(_)
                | TransitionKind::Default
                | TransitionKind::Branch(_)
                | TransitionKind::Joined,
                Some(label),
            ) => format!(" [label={}]", quoted(&label)),
            (
                TransitionKind::Start
                | TransitionKind::Ok
                | TransitionKind::Case(_)
                | TransitionKind::Default
                | TransitionKind::Branch(_)
                | TransitionKind::Joined,
                None,
            ) => String::new(),
        };
        line(format_args!("    {from} -> {to}{attributes};"));
    }
    line(format_args!("}}"));
    text
}

fn look(node: &Node) -> &'static str {
    match &node.kind {
        NodeKind::Start(_) => ", shape=circle, style=solid",
        NodeKind::End(_) => ", shape=doublecircle, style=solid",
        NodeKind::Kill(_) => ", shape=octagon, style=solid",
        NodeKind::Decision(_) => ", shape=diamond, style=solid",
        NodeKind::Fork(_) => ", shape=triangle, style=solid",
        NodeKind::Join(_) => ", shape=invtriangle, style=solid",
        NodeKind::Action(_) => "",
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

/// In a quoted text of DOT, a backslash begins an escape of labels, so it is doubled too.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '"' | '\\' => escaped.extend(['\\', character]),
            control if control.is_control() => escaped.push(' '),
            other => escaped.push(other),
        }
    }
    escaped
}
