//! Decides what becomes a box, what a line, and what only a mark.

mod labels;
mod racks;

use std::collections::{BTreeMap, BTreeSet};

use self::labels::{CaseLabel, LabelGroup, shown_labels};
use super::{ranks::ranks, text};
use crate::picture::{ArrowKind, Picture, PictureNode, Shape, cut};

pub const TITLE_SIZE: f64 = 13.0;
pub const SMALL_SIZE: f64 = 11.0;

/// With at least this many errors to a node, marks are used instead of lines.
const MANY_ERRORS: usize = 3;

/// With at least this many decisions leading to one kill node, each gets a connector of its own.
const MANY_WAYS_OUT: usize = 3;

/// In a picture with at most this many nodes, a single line to a kill node is drawn.
const FEW_NODES: usize = 15;

/// The total number of ranks that all lines may cross: the cost of the layout grows with it.
const MAX_TOTAL_SPAN: usize = 3_000;

/// A decision with more lines than this lists the far ones in its box.
const MANY_CASES: usize = 10;
/// From this number of ranks on, a node is far.
const FAR: usize = 3;
/// The maximum number of listed cases.
const MAX_LISTED: usize = 14;
const MAX_LISTED_WIDTH: f64 = 300.0;

/// The padding between a text and the border of its box, on each side.
const PADDING: f64 = 14.0;
/// The height of the lid of a cylinder.
pub const LID: f64 = 5.0;
const MAX_TITLE_WIDTH: f64 = 190.0;
const MAX_LABEL_WIDTH: f64 = 190.0;
/// The maximum length of a node's name in a connector.
const MAX_CONNECTOR_LENGTH: usize = 20;
const MAX_LABEL_LINES: usize = 3;
/// The number of branches from which on a bar does not become wider.
const MAX_BAR: usize = 14;
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

/// The transitions by node.
struct Ways {
    /// By node: errors that lead there are drawn as marks.
    is_marked: Vec<bool>,
    /// By node: other transitions that lead there end at a connector.
    is_connected: Vec<bool>,
    /// By node: the number of sources with an error but no other transition to it.
    n_errors: Vec<usize>,
    /// By node: the number of non-error arrows that leave it, or that lead to it, whichever is larger.
    n_branches: Vec<usize>,
}

impl Ways {
    fn of(picture: &Picture, flows: &BTreeSet<(usize, usize)>, all_lines: bool) -> Ways {
        let n_nodes = picture.nodes.len();
        let (mut n_errors, mut n_others, mut n_ways_out) =
            (vec![0; n_nodes], vec![0; n_nodes], vec![0; n_nodes]);
        for arrow in &picture.arrows {
            match arrow.kind {
                ArrowKind::Error if flows.contains(&(arrow.from, arrow.to)) => {}
                ArrowKind::Error => n_errors[arrow.to] += 1,
                ArrowKind::Flow => {
                    n_others[arrow.to] += 1;
                    n_ways_out[arrow.from] += 1;
                }
            }
        }
        let is_kill = |node: usize| picture.nodes[node].shape == Shape::Kill;
        let is_marked = (0..n_nodes)
            .map(|node| {
                let few = if n_nodes > FEW_NODES { 1 } else { 2 };
                let limit = if is_kill(node) { few } else { MANY_ERRORS };
                !all_lines && n_errors[node] >= limit
            })
            .collect();
        let is_connected = (0..n_nodes)
            .map(|node| !all_lines && is_kill(node) && n_others[node] >= MANY_WAYS_OUT)
            .collect();
        let mut n_branches: Vec<usize> = n_others
            .iter()
            .zip(n_ways_out)
            .map(|(&into, out)| out.max(into))
            .collect();
        equal_pairs(picture, &mut n_branches);
        Ways {
            is_marked,
            is_connected,
            n_errors,
            n_branches,
        }
    }
}

/// A fork and its join have the same width.
fn equal_pairs(picture: &Picture, n_branches: &mut [usize]) {
    let mut most: BTreeMap<usize, usize> = BTreeMap::new();
    for (node, n_branches) in picture.nodes.iter().zip(n_branches.iter()) {
        if let Some(pair) = node.pair {
            let most = most.entry(pair).or_default();
            *most = (*most).max(*n_branches);
        }
    }
    for (node, n_branches) in picture.nodes.iter().zip(n_branches) {
        if let Some(most) = node.pair.and_then(|pair| most.get(&pair)) {
            *n_branches = *most;
        }
    }
}

/// The far lines of decisions that lead to nearly every node, such as those for resuming after a failure.
fn listed_lines(
    picture: &Picture,
    ends: &[(usize, usize)],
    spans: &[usize],
    all_lines: bool,
) -> BTreeSet<usize> {
    let mut n_lines = vec![0; picture.nodes.len()];
    let mut listed = BTreeSet::new();
    if all_lines {
        return listed;
    }
    let is_decision = |from: usize| {
        picture
            .nodes
            .get(from)
            .is_some_and(|node| node.shape == Shape::Decision)
    };
    for (from, _) in ends {
        if is_decision(*from) {
            n_lines[*from] += 1;
        }
    }
    for (number, ((from, to), span)) in ends.iter().zip(spans).enumerate() {
        let is_many = is_decision(*from) && n_lines[*from] > MANY_CASES;
        if is_many && *span >= FAR && *to < picture.nodes.len() {
            listed.insert(number);
        }
    }
    listed
}

/// The longest lines, if all together would cross more ranks than can be laid out in time.
fn far_lines(spans: &[usize]) -> BTreeSet<usize> {
    let mut spans: Vec<(usize, usize)> = spans
        .iter()
        .enumerate()
        .map(|(number, span)| (*span, number))
        .collect();
    let mut total: usize = spans.iter().map(|(span, _)| span).sum();
    spans.sort_unstable_by(|left, right| right.cmp(left));
    let mut far = BTreeSet::new();
    for (span, number) in spans {
        if total <= MAX_TOTAL_SPAN || span < 2 {
            break;
        }
        total -= span - 1;
        far.insert(number);
    }
    far
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

fn node_box(number: usize, node: &PictureNode, n_branches: usize) -> PlannedBox {
    let title = text::wrapped(&node.title, TITLE_SIZE, MAX_TITLE_WIDTH, 3);
    let mut details: Vec<String> = Vec::new();
    details.extend(
        node.subtitle
            .as_deref()
            .map(|subtitle| text::wrapped(subtitle, SMALL_SIZE, MAX_TITLE_WIDTH, 1).concat()),
    );
    if let Some(target) = &node.target {
        let end = text::path_end(target, SMALL_SIZE, MAX_TITLE_WIDTH - 20.0);
        let is_place = node.shape == Shape::Dataset;
        details.push(if is_place { end } else { format!("→ {end}") });
    }
    if let Some(state) = &node.state
        && !state.text.is_empty()
    {
        details.extend(text::wrapped_words(
            &state.text,
            SMALL_SIZE,
            MAX_TITLE_WIDTH,
            2,
        ));
    }
    // A bar is as wide as its branches require, so that they leave side by side.
    let least_width = match node.shape {
        Shape::Fork | Shape::Join => 44.0 * (n_branches.clamp(2, MAX_BAR) as f64),
        Shape::Start | Shape::End | Shape::Kill => 56.0,
        Shape::Decision
        | Shape::Action(_)
        | Shape::Schedule
        | Shape::Dataset
        | Shape::Event
        | Shape::Logic
        | Shape::Application
        | Shape::Block => 84.0,
    };
    PlannedBox {
        content: Content::Node(number),
        width: least_width,
        height: 0.0,
        title,
        details,
        errors: Vec::new(),
        marks: Vec::new(),
        listed: Vec::new(),
        inside: None,
    }
}

fn empty_box(content: Content) -> PlannedBox {
    PlannedBox {
        content,
        width: 0.0,
        height: 0.0,
        title: Vec::new(),
        details: Vec::new(),
        errors: Vec::new(),
        marks: Vec::new(),
        listed: Vec::new(),
        inside: None,
    }
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

impl Plan {
    /// Computes the size of a box once all of its text is known.
    fn finish(&mut self, place: usize, picture: &Picture, ways: &Ways) {
        let planned = &mut self.boxes[place];
        match planned.content {
            // Its size follows from its members.
            Content::Rack => {}
            Content::Connector(target) => {
                let name = || cut(&picture.nodes[target].title, MAX_CONNECTOR_LENGTH);
                let label = self.connector_labels[target].clone().unwrap_or_else(name);
                planned.width = even(text::width(&label, SMALL_SIZE) + 12.0).max(20.0);
                planned.height = 20.0;
                planned.title = vec![label];
            }
            Content::Node(number) => {
                if self.connector_labels[number].is_some() && ways.is_marked[number] {
                    planned.details.push(match ways.n_errors[number] {
                        1 => "on error of 1 node".to_owned(),
                        several => format!("on error of {several} nodes"),
                    });
                }
                let listed = planned.listed.iter().take(MAX_LISTED);
                planned
                    .details
                    .extend(listed.map(|entry| entry.shown.clone()));
                if planned.listed.len() > MAX_LISTED {
                    let n_more = planned.listed.len() - MAX_LISTED;
                    planned.details.push(format!("and {n_more} more"));
                }
                let shape = picture.nodes[number].shape;
                let slant = match shape {
                    Shape::Decision | Shape::Event | Shape::Logic => 14.0,
                    // The number of the pair is next to the slant.
                    Shape::Fork | Shape::Join => 32.0,
                    Shape::Start
                    | Shape::End
                    | Shape::Kill
                    | Shape::Action(_)
                    | Shape::Schedule
                    | Shape::Dataset
                    | Shape::Application
                    | Shape::Block => 0.0,
                };
                let text_width =
                    widest(&planned.title, TITLE_SIZE).max(widest(&planned.details, SMALL_SIZE));
                planned.width = even((text_width + 2.0 * (PADDING + slant)).max(planned.width));
                planned.height = even(
                    height(&planned.title, TITLE_SIZE)
                        + height(&planned.details, SMALL_SIZE)
                        + 14.0
                        + if shape == Shape::Dataset {
                            2.0 * LID
                        } else {
                            0.0
                        },
                );
            }
        }
    }
}

impl Plan {
    /// Arranges boxes of known size in rows and columns.
    fn fill_rack(&mut self, rack: usize, members: &[usize]) {
        const GAP: f64 = 22.0;
        let n_columns = racks::n_columns(members.len());
        let most = |length: fn(&PlannedBox) -> f64| {
            members
                .iter()
                .map(|&member| length(&self.boxes[member]))
                .fold(0.0, f64::max)
        };
        let (width, height) = (most(|one| one.width) + GAP, most(|one| one.height) + GAP);
        let n_rows = members.len().div_ceil(n_columns);
        let (whole_width, whole_height) = (width * n_columns as f64, height * n_rows as f64);
        for (number, &member) in members.iter().enumerate() {
            let (column, row) = (number % n_columns, number / n_columns);
            let x = (column as f64 + 0.5) * width - whole_width / 2.0;
            let y = (row as f64 + 0.5) * height - whole_height / 2.0;
            self.boxes[member].inside = Some((rack, x, y));
        }
        self.boxes[rack].width = whole_width;
        self.boxes[rack].height = whole_height;
    }
}

fn widest(lines: &[String], font_size: f64) -> f64 {
    lines
        .iter()
        .map(|line| text::width(line, font_size))
        .fold(0.0, f64::max)
}

fn height(lines: &[String], font_size: f64) -> f64 {
    lines.len() as f64 * font_size * text::LINE_HEIGHT
}

/// Rounds up to an even number, so that borders are on pixel boundaries.
fn even(length: f64) -> f64 {
    (length / 2.0).ceil() * 2.0
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
