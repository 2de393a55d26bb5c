//! Pictures for tests.

use crate::picture::{Arrow, ArrowKind, Family, Picture, PictureNode, Shape};

/// A node of a picture: its name, its shape, and for actions their type.
pub type TestNode<'t> = (&'t str, Shape, Option<&'t str>);

const ACTION: Shape = Shape::Action(Family::Process);

/// Nodes, and arrows as `from to`, `from to: label` or `from ! to` for errors.
pub fn picture(nodes: &[TestNode<'_>], arrows: &[&str]) -> Picture {
    let place = |name: &str| {
        let mut names = nodes.iter().map(|(known, _, _)| *known);
        names
            .position(|known| known == name)
            .expect("the node is there")
    };
    let shown = |&(name, shape, subtitle): &TestNode<'_>| PictureNode {
        name: name.to_owned(),
        shape,
        title: name.to_owned(),
        subtitle: subtitle.map(str::to_owned),
        target: None,
        pair: None,
        is_reached: true,
        is_supported: true,
        state: None,
    };
    let arrow = |text: &&str| {
        let (ends, label) = match text.split_once(": ") {
            Some((ends, label)) => (ends, Some(label.to_owned())),
            None => (*text, None),
        };
        let words: Vec<&str> = ends.split(' ').collect();
        Arrow {
            from: place(words[0]),
            to: place(words[words.len() - 1]),
            kind: if words.contains(&"!") {
                ArrowKind::Error
            } else {
                ArrowKind::Flow
            },
            label,
            is_taken: false,
        }
    };
    Picture {
        title: "daily".to_owned(),
        nodes: nodes.iter().map(shown).collect(),
        arrows: arrows.iter().map(arrow).collect(),
    }
}

pub const START: TestNode<'static> = ("start", Shape::Start, None);
pub const END: TestNode<'static> = ("end", Shape::End, None);
pub const FAIL: TestNode<'static> = ("fail", Shape::Kill, None);

pub fn action<'t>(name: &'t str, kind: &'t str) -> TestNode<'t> {
    (name, ACTION, Some(kind))
}
