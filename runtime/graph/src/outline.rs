//! Text output for a terminal: nodes from top to bottom in execution order, the branches of forks and the cases of decisions
//! indented below them.
//!
//! A node with several incoming transitions is written once, where they meet; elsewhere an arrow refers to it. Transitions to the
//! most common error target are one line at the end rather than a line at each action.

mod order;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, VecDeque};

use crate::{
    labels::told_apart,
    picture::{ArrowKind, Look, Picture, PictureNode, Shape},
    visible,
};

use self::order::OutlineOrder;

/// How to write an outline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutlineOptions {
    /// The maximum line length in characters; longer lines are truncated. `None` if the output is not a terminal.
    pub width: Option<usize>,
    /// Whether states have colors, as ANSI escape sequences.
    pub has_color: bool,
}

/// The maximum nesting of branches; deeper ones are written below, separately.
const MAX_DEPTH: usize = 10;

/// The picture as lines of text, each ending with a line break. Control characters in names and conditions are escaped.
pub fn outline(picture: &Picture, options: OutlineOptions) -> String {
    let mut writer = Writer {
        picture,
        options,
        order: OutlineOrder::of(picture),
        main_error: main_error(picture),
        is_written: vec![false; picture.nodes.len()],
        below: VecDeque::new(),
        text: String::new(),
    };
    writer.line("", &[ColoredText::plain(&picture.title)]);
    writer.write();
    writer.text
}

/// The most common error target, if at least two errors lead there.
fn main_error(picture: &Picture) -> Option<usize> {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for arrow in &picture.arrows {
        if arrow.kind == ArrowKind::Error {
            *counts.entry(arrow.to).or_default() += 1;
        }
    }
    let most = counts
        .into_iter()
        .max_by_key(|(node, count)| (*count, std::cmp::Reverse(*node)));
    most.filter(|(_, count)| *count > 1).map(|(node, _)| node)
}

/// A part of a line, with its color.
struct ColoredText {
    text: String,
    color: &'static str,
}

const DIM: &str = "\x1b[2m";
const RESET: &str = "\x1b[0m";

impl ColoredText {
    fn plain(text: &str) -> ColoredText {
        ColoredText {
            text: visible::line(text).into_owned(),
            color: "",
        }
    }

    fn dim(text: &str) -> ColoredText {
        ColoredText {
            text: visible::line(text).into_owned(),
            color: DIM,
        }
    }
}

fn color(look: Look) -> &'static str {
    match look {
        Look::Untouched => DIM,
        Look::Waiting => "\x1b[33m",
        Look::Running => "\x1b[1;34m",
        Look::Good => "\x1b[32m",
        Look::Stuck => "\x1b[1;33m",
        Look::Bad => "\x1b[1;31m",
        Look::Killed => "\x1b[35m",
    }
}

struct Writer<'p> {
    picture: &'p Picture,
    options: OutlineOptions,
    order: OutlineOrder,
    main_error: Option<usize>,
    is_written: Vec<bool>,
    /// Nodes that an arrow refers to, written after the current chain has ended.
    below: VecDeque<usize>,
    text: String,
}

impl Writer<'_> {
    fn write(&mut self) {
        for root in self.order.roots.clone() {
            self.parts_from(root);
        }
        if let Some(node) = self.main_error {
            let name = &self.picture.nodes[node].title;
            self.line(
                "",
                &[ColoredText::dim(&format!(
                    "errors lead to {}",
                    visible::line(name)
                ))],
            );
        }
        let nodes = 0..self.picture.nodes.len();
        // Error handlers are reached by no other arrow.
        let by_error: Vec<usize> = nodes
            .clone()
            .filter(|&node| self.picture.nodes[node].is_reached)
            .collect();
        for node in by_error {
            self.parts_from(node);
        }
        if self.is_written.iter().all(|is_written| *is_written) {
            return;
        }
        let is_flow = self
            .picture
            .nodes
            .iter()
            .any(|node| node.shape == Shape::Start);
        let title = if is_flow { "never runs:" } else { "not used:" };
        self.line("", &[ColoredText::dim(title)]);
        for node in nodes {
            self.parts_from(node);
        }
    }

    /// A node with everything that follows it, then what was nested too deeply.
    fn parts_from(&mut self, node: usize) {
        let mut next = Some(node);
        while let Some(node) = next {
            if !self.is_written[node] {
                self.chain(node, None, "", 0);
            }
            next = self.below.pop_front();
        }
    }

    /// A node and its successors, up to the meeting point of the branches of which this is one.
    fn chain(&mut self, first: usize, stop: Option<usize>, prefix: &str, depth: usize) {
        let mut next = Some(first);
        while let Some(node) = next.filter(|node| next != stop && !self.is_written[*node]) {
            self.node(node, prefix);
            let ways = self.order.ways[node].clone();
            next = match ways.as_slice() {
                [] => return,
                [way] => Some(way.to),
                _ => self.branches(node, stop, prefix, depth),
            };
        }
        if let Some(node) = next.filter(|_| next != stop)
            && self.picture.nodes[node].shape != Shape::Join
        {
            self.line(prefix, &[self.reference(node)]);
        }
    }

    /// The branches of a node; returns the node where it continues after them.
    fn branches(
        &mut self,
        node: usize,
        stop: Option<usize>,
        prefix: &str,
        depth: usize,
    ) -> Option<usize> {
        let ways = self.order.ways[node].clone();
        let picture = self.picture;
        let ends = |node: usize| matches!(picture.nodes[node].shape, Shape::End | Shape::Kill);
        let (mut meeting, mut others) = (self.order.meetings[node], Vec::new());
        others.extend(ways.iter().map(|way| way.to).filter(|to| !ends(*to)));
        // If all transitions but one end the job, that one is the continuation.
        let mut ends_early = false;
        if meeting.is_none_or(ends)
            && let [other] = others[..]
            && !self.is_written[other]
        {
            meeting = Some(other);
            ends_early = true;
        }
        let all: Vec<&str> = ways
            .iter()
            .flat_map(|way| way.labels.iter().map(String::as_str))
            .collect();
        let mut shown = match self.options.width {
            Some(width) => told_apart(&all, width / 2),
            None => all.into_iter().map(str::to_owned).collect(),
        }
        .into_iter();
        for (number, way) in ways.iter().enumerate() {
            let labels: Vec<String> = shown.by_ref().take(way.labels.len()).collect();
            let is_last = number + 1 == ways.len();
            let branch = format!("{prefix}{}", if is_last { "└─ " } else { "├─ " });
            let inside = format!("{prefix}{}", if is_last { "   " } else { "│  " });
            let is_reference =
                Some(way.to) == meeting || Some(way.to) == stop || self.is_written[way.to];
            let is_deep = depth + 1 >= MAX_DEPTH;
            let is_leaf =
                self.picture.nodes[way.to].shape == Shape::Kill || (ends_early && ends(way.to));
            if is_reference || is_deep || is_leaf {
                if is_deep && !is_reference && !is_leaf {
                    self.below.push_back(way.to);
                }
                let mut pieces = self.condition(way, &labels);
                pieces.push(self.reference(way.to));
                self.line(&branch, &pieces);
                continue;
            }
            let condition = self.condition(way, &labels);
            if condition.is_empty() {
                // The first node of a branch is on the branch's line.
                let start = self.text.len();
                self.chain(way.to, meeting.or(stop), &inside, depth + 1);
                let end = start + inside.len();
                if self.text.get(start..end) == Some(inside.as_str()) {
                    self.text.replace_range(start..end, &branch);
                }
            } else {
                self.line(&branch, &condition);
                self.chain(way.to, meeting.or(stop), &inside, depth + 1);
            }
        }
        meeting
    }

    fn condition(&self, way: &order::OutlineWay, labels: &[String]) -> Vec<ColoredText> {
        if labels.is_empty() {
            return Vec::new();
        }
        let taken = if way.is_taken { " (taken)" } else { "" };
        let text = format!("{}{taken} ", labels.join(" | "));
        vec![if way.is_taken {
            ColoredText::plain(&text)
        } else {
            ColoredText::dim(&text)
        }]
    }

    fn reference(&self, node: usize) -> ColoredText {
        ColoredText::dim(&format!("→ {}", self.picture.nodes[node].title))
    }

    fn node(&mut self, number: usize, prefix: &str) {
        self.is_written[number] = true;
        let node = &self.picture.nodes[number];
        let mut pieces = vec![ColoredText::plain(&node.title)];
        if let Some(kind) = kind(node) {
            pieces.push(ColoredText::dim(&format!("  {kind}")));
        }
        if let Some(target) = &node.target {
            pieces.push(ColoredText::dim(&format!("  {target}")));
        }
        for &target in &self.order.errors[number] {
            if Some(target) != self.main_error {
                let name = &self.picture.nodes[target].title;
                pieces.push(ColoredText::dim(&format!("  on error → {name}")));
            }
        }
        if let Some(state) = &node.state
            && !state.text.is_empty()
        {
            pieces.push(ColoredText {
                text: visible::line(&format!("  {}", state.text)).into_owned(),
                color: color(state.look),
            });
        }
        self.line(prefix, &pieces);
    }

    fn line(&mut self, prefix: &str, pieces: &[ColoredText]) {
        self.text.push_str(prefix);
        let mut texts: Vec<Vec<char>> = pieces
            .iter()
            .map(|piece| piece.text.chars().collect())
            .collect();
        if let Some(width) = self.options.width {
            fit(&mut texts, width.saturating_sub(prefix.chars().count()));
        }
        for (piece, text) in pieces.iter().zip(texts) {
            let text: String = text.into_iter().collect();
            if self.options.has_color && !piece.color.is_empty() {
                self.text.push_str(piece.color);
                self.text.push_str(&text);
                self.text.push_str(RESET);
            } else {
                self.text.push_str(&text);
            }
        }
        let kept = self.text.trim_end_matches(' ').len();
        self.text.truncate(kept);
        self.text.push('\n');
    }
}

/// Truncates the longest text until all fit: a long condition is shortened in favour of the name of its target.
fn fit(texts: &mut [Vec<char>], width: usize) {
    loop {
        let whole: usize = texts.iter().map(Vec::len).sum();
        let longest = (0..texts.len()).max_by_key(|&number| texts[number].len());
        let Some(longest) = longest.filter(|_| whole > width) else {
            return;
        };
        let others = whole - texts[longest].len();
        let next = (0..texts.len())
            .filter(|number| *number != longest)
            .map(|number| texts[number].len())
            .max();
        // Down to the remaining width, or to the length of the next longest.
        let room = width.saturating_sub(others).max(next.unwrap_or(0));
        let room = room.min(texts[longest].len() - 1);
        if room == 0 {
            texts.iter_mut().for_each(Vec::clear);
            return;
        }
        let ends_blank = texts[longest].last() == Some(&' ') && room > 2;
        texts[longest].truncate(room - 1 - usize::from(ends_blank));
        texts[longest].push('…');
        if ends_blank {
            texts[longest].push(' ');
        }
    }
}

/// The kind of a node, if its name does not show it.
fn kind(node: &PictureNode) -> Option<String> {
    let word = match node.shape {
        Shape::Start => None,
        Shape::End => (node.title != "end").then_some("end"),
        Shape::Kill => Some("kill"),
        Shape::Decision => Some("decision"),
        Shape::Fork => Some("fork"),
        Shape::Join => Some("join"),
        Shape::Dataset => Some("dataset"),
        Shape::Schedule
        | Shape::Event
        | Shape::Logic
        | Shape::Application
        | Shape::Action(_)
        | Shape::Block => None,
    };
    match (word, &node.subtitle) {
        (Some(word), Some(subtitle)) => Some(format!("{word}, {subtitle}")),
        (Some(word), None) => Some(word.to_owned()),
        (None, subtitle) => subtitle.clone(),
    }
}
