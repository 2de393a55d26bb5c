//! The legend of colors and signs below the picture: only those that occur.

use super::SvgText;
use crate::{
    picture::{ArrowKind, Family, Look, Picture, Shape},
    svg::{
        markup::{self, N},
        plan::{Plan, SMALL_SIZE},
        text,
    },
};

const MARGIN: f64 = 16.0;
/// Narrower pictures get a legend of this width.
const LEAST_WIDTH: f64 = 320.0;
const ROW: f64 = 20.0;
const SAMPLE_WIDTH: f64 = 18.0;
const SAMPLE_HEIGHT: f64 = 12.0;
/// Distance between a sample and its word, and between entries.
const GAP: f64 = 6.0;
const ENTRY_GAP: f64 = 18.0;

/// The sample before a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LegendSample {
    /// A box with these classes.
    Box(&'static str),
    /// The stripe of an action category.
    Stripe(&'static str),
    Line(&'static str),
    Mark(&'static str),
}

struct LegendEntry {
    sample: LegendSample,
    word: &'static str,
    /// Relative to the upper left corner of the legend.
    x: f64,
    y: f64,
}

pub struct Legend {
    entries: Vec<LegendEntry>,
    width: f64,
    height: f64,
}

impl Legend {
    pub fn of(picture: &Picture, plan: &Plan, picture_width: f64) -> Legend {
        let max_width = picture_width.max(LEAST_WIDTH) - 2.0 * MARGIN;
        let (mut x, mut y, mut width) = (0.0, 0.0, 0.0_f64);
        let mut entries = Vec::new();
        for (sample, word) in samples(picture, plan) {
            let entry_width = SAMPLE_WIDTH + GAP + text::width(word, SMALL_SIZE);
            if x > 0.0 && x + entry_width > max_width {
                x = 0.0;
                y += ROW;
            }
            entries.push(LegendEntry { sample, word, x, y });
            width = width.max(x + entry_width);
            x += entry_width + ENTRY_GAP;
        }
        let is_empty = entries.is_empty();
        Legend {
            entries,
            width: if is_empty { 0.0 } else { width + 2.0 * MARGIN },
            height: if is_empty { 0.0 } else { y + ROW + MARGIN },
        }
    }

    pub fn size(&self) -> (f64, f64) {
        (self.width, self.height)
    }

    pub fn draw(&self, out: &mut SvgText, top: f64) {
        if self.entries.is_empty() {
            return;
        }
        out.line(format_args!(r#"<g class="legend">"#));
        for entry in &self.entries {
            let (left, top) = (MARGIN + entry.x, top + entry.y);
            let middle = top + SAMPLE_HEIGHT / 2.0;
            match entry.sample {
                LegendSample::Box(class) => out.line(format_args!(
                    r#"<g class="{class}"><rect class="box" x="{}" y="{}" width="{}" height="{}" rx="3"/></g>"#,
                    N(left),
                    N(top),
                    N(SAMPLE_WIDTH),
                    N(SAMPLE_HEIGHT)
                )),
                LegendSample::Stripe(class) => out.line(format_args!(
                    r#"<g class="{class}"><rect class="stripe" x="{}" y="{}" width="5" height="{}" rx="2"/></g>"#,
                    N(left + SAMPLE_WIDTH - 5.0),
                    N(top),
                    N(SAMPLE_HEIGHT)
                )),
                LegendSample::Line(class) => out.line(format_args!(
                    r#"<path class="{class}" d="M{} {}L{} {}"/>"#,
                    N(left),
                    N(middle),
                    N(left + SAMPLE_WIDTH),
                    N(middle)
                )),
                LegendSample::Mark(class) => out.line(format_args!(
                    r#"<g class="{class}"><circle cx="{}" cy="{}" r="6"/></g>"#,
                    N(left + SAMPLE_WIDTH - 6.0),
                    N(middle)
                )),
            }
            out.line(format_args!(
                r#"<text x="{}" y="{}">{}</text>"#,
                N(left + SAMPLE_WIDTH + GAP),
                N(middle + SMALL_SIZE * 0.36),
                markup::text(entry.word)
            ));
        }
        out.line(format_args!("</g>"));
    }
}

/// The elements of the picture that need explanation.
fn samples(picture: &Picture, plan: &Plan) -> Vec<(LegendSample, &'static str)> {
    let mut samples = Vec::new();
    let is_of_job = picture.is_of_job();
    let nodes = &picture.nodes;
    for look in Look::ALL {
        let has_look = nodes
            .iter()
            .any(|node| node.state.as_ref().is_some_and(|state| state.look == look));
        if has_look {
            samples.push((LegendSample::Box(class(look)), word(look)));
        }
    }
    if plan.lines.iter().any(|line| line.is_taken) {
        samples.push((LegendSample::Line("flow taken"), "path taken"));
    }
    if !is_of_job {
        for (family, class, word) in FAMILIES {
            if nodes.iter().any(|node| node.shape == Shape::Action(family)) {
                samples.push((LegendSample::Stripe(class), word));
            }
        }
    }
    if plan.lines.iter().any(|line| line.kind == ArrowKind::Error) {
        samples.push((LegendSample::Line("error"), "on error"));
    }
    let mut marks = plan.boxes.iter().flat_map(|planned| &planned.marks);
    if marks.clone().any(|mark| mark.is_taken || !is_of_job) {
        let word = if is_of_job {
            "ended in error"
        } else {
            "leads to the node of this mark on error"
        };
        samples.push((LegendSample::Mark("mark"), word));
    }
    if is_of_job && marks.any(|mark| !mark.is_taken) {
        samples.push((LegendSample::Mark("mark idle"), "would lead there on error"));
    }
    let is_unreached = |node: &&crate::picture::PictureNode| {
        !node.is_reached && !matches!(node.shape, Shape::Dataset | Shape::Event)
    };
    if nodes.iter().filter(is_unreached).count() > 0 {
        samples.push((LegendSample::Box("unreached"), "never runs"));
    }
    if nodes.iter().any(|node| !node.is_supported) {
        samples.push((LegendSample::Box("unsupported"), "not supported by hpdlc"));
    }
    samples
}

const FAMILIES: [(Family, &str, &str); 6] = [
    (Family::Files, "files", "files"),
    (Family::Process, "process", "process"),
    (Family::Cluster, "cluster", "cluster job"),
    (Family::Application, "application", "sub-workflow"),
    (Family::Message, "message", "mail or HTTP"),
    (Family::Unknown, "unknown", "other action"),
];

fn class(look: Look) -> &'static str {
    match look {
        Look::Untouched => "untouched",
        Look::Waiting => "s-waiting",
        Look::Running => "s-running",
        Look::Good => "s-good",
        Look::Stuck => "s-stuck",
        Look::Bad => "s-bad",
        Look::Killed => "s-killed",
    }
}

fn word(look: Look) -> &'static str {
    match look {
        Look::Untouched => "not run",
        Look::Waiting => "waiting",
        Look::Running => "running",
        Look::Good => "ended OK",
        Look::Stuck => "needs attention",
        Look::Bad => "failed",
        Look::Killed => "killed",
    }
}
