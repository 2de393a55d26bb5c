//! Output in the Graphviz language.

use std::fmt::Write;

use super::picture::{ArrowKind, Picture, Shape, labels};
use super::visible::written_out;

/// The picture as a `digraph`.
pub fn dot(picture: &Picture) -> String {
    let mut text = String::new();
    let mut line = |line: std::fmt::Arguments<'_>| {
        writeln!(text, "{line}").expect("writing to a string cannot fail");
    };
    line(format_args!("digraph {} {{", quoted(&picture.title)));
    line(format_args!(
        "    node [shape=box, style=rounded, fontname=\"sans-serif\", fontsize=11];"
    ));
    line(format_args!(
        "    edge [fontname=\"sans-serif\", fontsize=9];"
    ));
    for node in &picture.nodes {
        let (title, look) = (&node.title, look(node.shape));
        let state = node.state.as_ref();
        let lines: Vec<String> = [
            Some(title),
            node.subtitle.as_ref(),
            state.map(|state| &state.text),
        ]
        .into_iter()
        .flatten()
        .filter(|line| !line.is_empty())
        .map(|line| escaped(line))
        .collect();
        let color = state.map_or_else(String::new, |state| {
            let (surface, border) = state.look.colors();
            let style = match node.shape {
                Shape::Action(_) | Shape::Block => "rounded,filled",
                Shape::Start
                | Shape::End
                | Shape::Kill
                | Shape::Decision
                | Shape::Fork
                | Shape::Join
                | Shape::Schedule
                | Shape::Dataset
                | Shape::Event
                | Shape::Logic
                | Shape::Application => "filled",
            };
            format!(", style=\"{style}\", fillcolor=\"{surface}\", color=\"{border}\"")
        });
        // Outside of the quotes' own escapes, `\n` is Graphviz's line break.
        line(format_args!(
            "    {} [label=\"{}\"{look}{color}];",
            quoted(&node.name),
            lines.join("\\n")
        ));
    }
    for (arrow, label) in picture.arrows.iter().zip(labels(picture)) {
        let [from, to] = [arrow.from, arrow.to].map(|node| quoted(&picture.nodes[node].name));
        let attributes = match (arrow.kind, label) {
            // With weight 0, an error transition does not pull its ends together.
            (ArrowKind::Error, _) => " [style=dashed, color=gray70, weight=0]".to_owned(),
            (ArrowKind::Flow, Some(label)) => format!(" [label={}]", quoted(&label)),
            (ArrowKind::Flow, None) => String::new(),
        };
        line(format_args!("    {from} -> {to}{attributes};"));
    }
    line(format_args!("}}"));
    text
}

fn look(shape: Shape) -> &'static str {
    match shape {
        Shape::Start => ", shape=circle, style=solid",
        Shape::End => ", shape=doublecircle, style=solid",
        Shape::Kill => ", shape=octagon, style=solid",
        Shape::Decision => ", shape=diamond, style=solid",
        Shape::Fork => ", shape=triangle, style=solid",
        Shape::Join => ", shape=invtriangle, style=solid",
        Shape::Schedule => ", shape=oval, style=solid",
        Shape::Dataset => ", shape=cylinder, style=solid",
        Shape::Event => ", shape=cds, style=solid",
        Shape::Logic => ", shape=hexagon, style=solid",
        Shape::Application => ", peripheries=2, style=solid",
        Shape::Action(_) | Shape::Block => "",
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

/// In a quoted DOT string, a backslash begins a label escape, so it is doubled too.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '"' | '\\' => escaped.extend(['\\', character]),
            other => match written_out(other) {
                // A backslash that is to be shown.
                Some(text) => escaped.push_str(&format!("\\{text}")),
                None => escaped.push(other),
            },
        }
    }
    escaped
}
