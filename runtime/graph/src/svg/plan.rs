//! Decides what becomes a box, what a line, and what only a mark.

mod boxes;
mod far_lines;
mod labels;
mod racks;
mod ways;

use std::collections::{BTreeMap, BTreeSet};

pub use self::boxes::LID;
use self::{
    boxes::{empty_box, height, node_box, widest},
    far_lines::{far_lines, listed_lines},
    labels::{CaseLabel, LabelGroup, shown_labels},
    ways::Ways,
};
use super::{ranks::ranks, text};
use crate::picture::{ArrowKind, Picture};

pub const TITLE_SIZE: f64 = 13.0;
pub const SMALL_SIZE: f64 = 11.0;

/// The maximum width of a listed case.
const MAX_LISTED_WIDTH: f64 = 300.0;
const MAX_LABEL_WIDTH: f64 = 190.0;
const MAX_LABEL_LINES: usize = 3;
/// Cases with the same target share a line; with more conditions than this only their number is shown.
const MAX_LABELS: usize = 3;

/// A picture converted to boxes and lines.
pub struct Plan {
    pub boxes: Vec<PlannedBox>,
    pub lines: Vec<Line>,
    /// By node: the label of the connectors and marks that refer to it, if there are any.
    pub connector_labels: Vec<Option<String>>,
}

pub struct PlannedBox {
    pub content: Content,
    pub width: f64,
    pub height: f64,
    pub title: Vec<String>,
    /// Smaller text lines below the title.
    pub details: Vec<String>,
    /// The error targets that are not drawn as lines.
    pub errors: Vec<usize>,
    /// The marks on its border.
    pub marks: Vec<ErrorMark>,
    /// Targets without a line, with their conditions.
    pub listed: Vec<CaseLabel>,
    /// The enclosing box, and the offset of this one's center from that one's.
    pub inside: Option<(usize, f64, f64)>,
}

/// A mark on the border of a box, instead of a line to an error target.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ErrorMark {
    pub target: usize,
    /// Whether a job took the error transition.
    pub is_taken: bool,
}

/// What a box represents.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Content {
    Node(usize),
    /// Refers to a node drawn elsewhere.
    Connector(usize),
    /// A frame around many branches.
    Rack,
}

/// A line between two boxes.
pub struct Line {
    pub from: usize,
    pub to: usize,
    pub kind: ArrowKind,
    /// Whether a job took this transition.
    pub is_taken: bool,
    /// The complete labels.
    pub labels: Vec<String>,
    /// The labels as shown.
    pub shown: Vec<String>,
    pub label_width: f64,
    pub label_height: f64,
}

/// Plans the drawing of `picture`; with `all_lines` every arrow becomes a line.
pub fn plan(picture: &Picture, all_lines: bool) -> Plan {
    let flows: BTreeSet<(usize, usize)> = picture
        .arrows
        .iter()
        .filter(|arrow| arrow.kind == ArrowKind::Flow)
        .map(|arrow| (arrow.from, arrow.to))
        .collect();
    let ways = Ways::of(picture, &flows, all_lines);
    let mut boxes: Vec<PlannedBox> = picture
        .nodes
        .iter()
        .enumerate()
        .map(|(number, node)| node_box(number, node, ways.n_branches[number]))
        .collect();
    let racks = racks::find(picture);
    for rack in &racks {
        let place = boxes.len();
        for &member in rack {
            boxes[member].inside = Some((place, 0.0, 0.0));
        }
        boxes.push(empty_box(Content::Rack));
    }
    let outermost = |boxes: &[PlannedBox], node: usize| match boxes[node].inside {
        Some((rack, _, _)) => rack,
        None => node,
    };
    let mut groups: BTreeMap<(usize, usize, ArrowKind), LabelGroup> = BTreeMap::new();
    let mut order: Vec<(usize, usize, ArrowKind)> = Vec::new();
    let mut has_label = BTreeSet::new();
    let taken_errors: BTreeSet<(usize, usize)> = picture
        .arrows
        .iter()
        .filter(|arrow| arrow.kind == ArrowKind::Error && arrow.is_taken)
        .map(|arrow| (arrow.from, arrow.to))
        .collect();
    for arrow in &picture.arrows {
        if arrow.kind == ArrowKind::Error && !all_lines {
            let source = &mut boxes[arrow.from];
            // One line is sufficient if success and error lead to the same node.
            if flows.contains(&(arrow.from, arrow.to)) {
                source.errors.push(arrow.to);
                continue;
            }
            if ways.is_marked[arrow.to] {
                has_label.insert(arrow.to);
                source.errors.push(arrow.to);
                source.marks.push(ErrorMark {
                    target: arrow.to,
                    is_taken: arrow.is_taken,
                });
                continue;
            }
        }
        let key = (
            outermost(&boxes, arrow.from),
            outermost(&boxes, arrow.to),
            arrow.kind,
        );
        let group = groups.entry(key).or_insert_with(|| {
            order.push(key);
            LabelGroup::default()
        });
        group.labels.extend(arrow.label.clone());
        // The line shared by success and error is taken by either.
        let stands_for_both = arrow.kind == ArrowKind::Flow && !all_lines;
        group.is_taken |=
            arrow.is_taken || stands_for_both && taken_errors.contains(&(arrow.from, arrow.to));
    }
    let mut shown = shown_labels(&groups);
    let ends: Vec<(usize, usize)> = order.iter().map(|(from, to, _)| (*from, *to)).collect();
    let ranks = ranks(boxes.len(), &ends);
    let mut spans: Vec<usize> = ends
        .iter()
        .map(|(from, to)| ranks[*from].abs_diff(ranks[*to]))
        .collect();
    let listed = listed_lines(picture, &ends, &spans, all_lines);
    for &number in &listed {
        spans[number] = 0;
    }
    let far = far_lines(&spans);
    let mut lines = Vec::with_capacity(order.len());
    for (number, key) in order.into_iter().enumerate() {
        let (from, target, kind) = key;
        let group = groups.remove(&key).unwrap_or_default();
        let shown = shown.remove(&key).unwrap_or_default();
        if listed.contains(&number) {
            let name = &picture.nodes[target].title;
            boxes[from].listed.push(CaseLabel {
                condition: group.labels.join(" | "),
                shown: labels::entry(&shown.join(" | "), name, SMALL_SIZE, MAX_LISTED_WIDTH),
                target,
            });
            continue;
        }
        let leads_out = kind == ArrowKind::Flow && ways.is_connected.get(target) == Some(&true);
        let is_far = far.contains(&number) && target < picture.nodes.len();
        // Unreachable nodes are placed separately, or their lines would run through the others.
        let leads_in = !all_lines && is_unreached(picture, from) && is_reached(picture, target);
        let to = if leads_out || is_far || leads_in {
            if leads_out {
                has_label.insert(target);
            }
            boxes.push(empty_box(Content::Connector(target)));
            boxes.len() - 1
        } else {
            target
        };
        lines.push(line(from, to, kind, group, &shown));
    }
    let mut plan = Plan {
        boxes,
        lines,
        connector_labels: connector_labels(picture, &has_label),
    };
    for place in 0..plan.boxes.len() {
        plan.finish(place, picture, &ways);
    }
    for (rack, members) in (picture.nodes.len()..).zip(&racks) {
        plan.fill_rack(rack, members);
    }
    plan
}

fn is_reached(picture: &Picture, node: usize) -> bool {
    picture.nodes.get(node).is_some_and(|node| node.is_reached)
}

fn is_unreached(picture: &Picture, node: usize) -> bool {
    picture.nodes.get(node).is_some_and(|node| !node.is_reached)
}

/// A single target needs no letter.
fn connector_labels(picture: &Picture, has_label: &BTreeSet<usize>) -> Vec<Option<String>> {
    let mut labels = vec![None; picture.nodes.len()];
    for (number, &node) in has_label.iter().enumerate() {
        labels[node] = Some(if has_label.len() == 1 {
            "×".to_owned()
        } else {
            letters(number)
        });
    }
    labels
}

/// a, b, … z, aa, ab, …
fn letters(mut number: usize) -> String {
    let mut letters = Vec::new();
    loop {
        letters.push(char::from(
            b'a' + u8::try_from(number % 26).expect("a remainder of 26 is below 26"),
        ));
        if number < 26 {
            break;
        }
        number = number / 26 - 1;
    }
    letters.iter().rev().collect()
}

fn line(from: usize, to: usize, kind: ArrowKind, group: LabelGroup, shown: &[String]) -> Line {
    let LabelGroup { labels, is_taken } = group;
    let shown: Vec<String> = if labels.len() > MAX_LABELS {
        vec![format!("{} cases", labels.len())]
    } else {
        shown
            .iter()
            .flat_map(|label| {
                text::wrapped_words(label, SMALL_SIZE, MAX_LABEL_WIDTH, MAX_LABEL_LINES)
            })
            .collect()
    };
    let label_width = widest(&shown, SMALL_SIZE);
    Line {
        from,
        to,
        kind,
        is_taken,
        labels,
        label_width: if shown.is_empty() {
            0.0
        } else {
            label_width + 8.0
        },
        label_height: height(&shown, SMALL_SIZE),
        shown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_go_on_behind_z() {
        let shown = [0, 1, 25, 26, 27, 701, 702].map(letters);
        assert_eq!(shown, ["a", "b", "z", "aa", "ab", "zz", "aaa"]);
    }
}
