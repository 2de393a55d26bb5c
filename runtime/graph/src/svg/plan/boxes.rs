//! The texts and sizes of boxes.

use super::{Content, Plan, PlannedBox, SMALL_SIZE, TITLE_SIZE, racks, ways::Ways};
use crate::{
    picture::{Picture, PictureNode, Shape, cut},
    svg::text,
};

/// The maximum number of listed cases.
const MAX_LISTED: usize = 14;

/// The padding between a text and the border of its box, on each side.
const PADDING: f64 = 14.0;

/// The height of the lid of a cylinder.
pub const LID: f64 = 5.0;

const MAX_TITLE_WIDTH: f64 = 190.0;

/// The maximum length of a node's name in a connector.
const MAX_CONNECTOR_LENGTH: usize = 20;

/// The number of branches from which on a bar does not become wider.
const MAX_BAR: usize = 14;

pub(super) fn node_box(number: usize, node: &PictureNode, n_branches: usize) -> PlannedBox {
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

pub(super) fn empty_box(content: Content) -> PlannedBox {
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

impl Plan {
    /// Computes the size of a box once all of its text is known.
    pub(super) fn finish(&mut self, place: usize, picture: &Picture, ways: &Ways) {
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
    pub(super) fn fill_rack(&mut self, rack: usize, members: &[usize]) {
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

pub(super) fn widest(lines: &[String], font_size: f64) -> f64 {
    lines
        .iter()
        .map(|line| text::width(line, font_size))
        .fold(0.0, f64::max)
}

pub(super) fn height(lines: &[String], font_size: f64) -> f64 {
    lines.len() as f64 * font_size * text::LINE_HEIGHT
}

/// Rounds up to an even number, so that borders are on pixel boundaries.
fn even(length: f64) -> f64 {
    (length / 2.0).ceil() * 2.0
}
