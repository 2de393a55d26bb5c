//! The boxes: a shape for each kind of node, its text, and the mark of error targets.

use super::{Link, SvgText};
use crate::{
    picture::{Family, Look, NodeState, Picture, PictureNode, Shape},
    svg::{
        markup::{self, N},
        place::Point,
        plan::{Content, LID, Plan, PlannedBox, SMALL_SIZE, TITLE_SIZE},
        style::N_PAIR_COLORS,
        text,
    },
};

/// The slant of the sides of decisions and bars.
const SLANT: f64 = 14.0;
const CORNER: f64 = 9.0;
const STRIPE: f64 = 5.0;
const MARK_RADIUS: f64 = 7.0;

/// The place of a box.
#[derive(Clone, Copy)]
struct Area {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

pub fn draw(
    out: &mut SvgText,
    picture: &Picture,
    is_of_job: bool,
    plan: &Plan,
    planned: &PlannedBox,
    place: Point,
    link: Option<Link<'_>>,
) {
    let area = Area {
        left: place.x - planned.width / 2.0,
        top: place.y - planned.height / 2.0,
        right: place.x + planned.width / 2.0,
        bottom: place.y + planned.height / 2.0,
    };
    match planned.content {
        Content::Node(number) => {
            let node = &picture.nodes[number];
            // A block stands for several nodes.
            let link = link.filter(|_| node.shape != Shape::Block);
            if let Some(link) = link {
                out.line(format_args!(
                    r#"<a href="{}" data-node="{}">"#,
                    markup::attribute(&link(&node.name)),
                    markup::attribute(&node.name)
                ));
            }
            out.line(format_args!(
                r#"<g class="node {}"><title>{}</title>"#,
                classes(node),
                markup::text(&tooltip(picture, node, planned))
            ));
            shape(out, node, area);
            if let (Shape::Fork | Shape::Join, Some(pair)) = (node.shape, node.pair) {
                pair_number(out, pair, area);
            }
            words(out, planned, place);
            if let Some(label) = &plan.connector_labels[number] {
                let is_untouched = |state: &NodeState| state.look == Look::Untouched;
                let is_idle = node.state.as_ref().is_some_and(is_untouched);
                mark(out, label, is_idle, area.left, area.top);
            }
            for mark_of in &planned.marks {
                let label = plan.connector_labels[mark_of.target]
                    .as_deref()
                    .unwrap_or_default();
                // In a job, red means that the error occurred.
                let is_idle = is_of_job && !mark_of.is_taken;
                mark(out, label, is_idle, area.right, area.bottom);
            }
            if link.is_some() {
                // Other shapes have no corner for it; the word of the state is in all of them.
                let look = node.state.as_ref().map(|state| state.look);
                let look = look.filter(|_| matches!(node.shape, Shape::Action(_)));
                let sign = look.map_or("", Look::sign);
                out.line(format_args!(
                    r#"<text class="state-sign" x="{}" y="{}">{sign}</text></g></a>"#,
                    N(area.right - 10.0),
                    N(area.top + 13.0)
                ));
                return;
            }
        }
        Content::Rack => {
            out.line(format_args!(r#"<g class="rack">"#));
            rectangle(out, area, 8.0);
        }
        Content::Connector(target) => {
            let class = match picture.nodes[target].shape {
                Shape::Kill => "sign",
                Shape::Start
                | Shape::End
                | Shape::Decision
                | Shape::Fork
                | Shape::Join
                | Shape::Action(_)
                | Shape::Schedule
                | Shape::Dataset
                | Shape::Event
                | Shape::Logic
                | Shape::Application
                | Shape::Block => "link",
            };
            out.line(format_args!(
                r#"<g class="{class}"><title>to {}</title>"#,
                markup::text(&picture.nodes[target].title)
            ));
            rectangle(out, area, planned.height / 2.0);
            let label = planned.title.first().map_or("", String::as_str);
            out.line(format_args!(
                r#"<text x="{}" y="{}">{}</text>"#,
                N(place.x),
                N(place.y + SMALL_SIZE * 0.36),
                markup::text(label)
            ));
        }
    }
    out.line(format_args!("</g>"));
}

fn classes(node: &PictureNode) -> String {
    let kind = match node.shape {
        Shape::Start => "start".to_owned(),
        Shape::End => "end".to_owned(),
        Shape::Kill => "kill".to_owned(),
        Shape::Decision => "decision".to_owned(),
        Shape::Fork | Shape::Join => match node.pair {
            Some(pair) => format!("bar pair{}", pair % N_PAIR_COLORS),
            None => "bar unpaired".to_owned(),
        },
        Shape::Action(family) => match family {
            Family::Files => "files",
            Family::Process => "process",
            Family::Cluster => "cluster",
            Family::Application => "application",
            Family::Message => "message",
            Family::Unknown => "unknown",
        }
        .to_owned(),
        Shape::Schedule => "schedule".to_owned(),
        Shape::Dataset => "dataset".to_owned(),
        Shape::Event => "event".to_owned(),
        Shape::Logic => "logic".to_owned(),
        Shape::Application => "application".to_owned(),
        Shape::Block => "block".to_owned(),
    };
    let supported = if node.is_supported {
        ""
    } else {
        " unsupported"
    };
    let reached = if node.is_reached { "" } else { " unreached" };
    // Bars have the color of their pair, which is more useful than the color of their state.
    let state = match (&node.state, node.shape) {
        (None, _) => String::new(),
        (Some(state), _) if state.look == Look::Untouched => " untouched".to_owned(),
        (Some(_), Shape::Fork | Shape::Join) => String::new(),
        (
            Some(state),
            Shape::Start
            | Shape::End
            | Shape::Kill
            | Shape::Decision
            | Shape::Action(_)
            | Shape::Schedule
            | Shape::Dataset
            | Shape::Event
            | Shape::Logic
            | Shape::Application
            | Shape::Block,
        ) => format!(" s-{}", state.look.class()),
    };
    format!("{kind}{supported}{reached}{state}")
}

/// All information about a node, shown as a tooltip.
fn tooltip(picture: &Picture, node: &PictureNode, planned: &PlannedBox) -> String {
    let mut text = match (&node.subtitle, node.shape) {
        (Some(subtitle), _) => format!("{}: {subtitle}", node.title),
        (None, Shape::Kill) => format!("{}: kill", node.title),
        (None, Shape::End) => format!("{}: end", node.title),
        (None, Shape::Decision) => format!("{}: decision", node.title),
        (None, Shape::Fork) => format!("{}: fork", node.title),
        (None, Shape::Join) => format!("{}: join", node.title),
        (
            None,
            Shape::Start
            | Shape::Action(_)
            | Shape::Schedule
            | Shape::Dataset
            | Shape::Event
            | Shape::Logic
            | Shape::Application
            | Shape::Block,
        ) => node.title.clone(),
    };
    let mut add = |line: &str| {
        text.push('\n');
        text.push_str(line);
    };
    if let Some(state) = &node.state {
        add(&state.text);
    }
    if let Some(target) = &node.target {
        let is_place = node.shape == Shape::Dataset;
        add(&if is_place {
            target.clone()
        } else {
            format!("runs {target}")
        });
    }
    for &target in &planned.errors {
        add(&format!("on error: {}", picture.nodes[target].title));
    }
    for entry in &planned.listed {
        let name = &picture.nodes[entry.target].title;
        add(&format!("{} → {name}", entry.condition));
    }
    if !node.is_supported {
        add("hpdlc does not build this type yet");
    }
    if !node.is_reached {
        let is_data = matches!(node.shape, Shape::Dataset | Shape::Event);
        add(if is_data { "not used" } else { "never runs" });
    }
    text
}

fn shape(out: &mut SvgText, node: &PictureNode, area: Area) {
    let Area {
        left,
        top,
        right,
        bottom,
    } = area;
    let middle = f64::midpoint(top, bottom);
    match node.shape {
        Shape::Start | Shape::Schedule => rectangle(out, area, (bottom - top) / 2.0),
        Shape::Dataset => cylinder(out, area),
        Shape::Event => polygon(
            out,
            &[
                (left, top),
                (right - SLANT, top),
                (right, middle),
                (right - SLANT, bottom),
                (left, bottom),
            ],
        ),
        Shape::Application => {
            rectangle(out, area, 5.0);
            stripe(out, left, top, bottom);
            stripe(out, right - STRIPE, top, bottom);
        }
        Shape::End => {
            rectangle(out, area, (bottom - top) / 2.0);
            let inner = Area {
                left: left + 3.0,
                top: top + 3.0,
                right: right - 3.0,
                bottom: bottom - 3.0,
            };
            out.line(format_args!(
                r#"<rect class="ring"{}/>"#,
                attributes(inner, (inner.bottom - inner.top) / 2.0)
            ));
        }
        Shape::Kill => polygon(
            out,
            &[
                (left + CORNER, top),
                (right - CORNER, top),
                (right, top + CORNER),
                (right, bottom - CORNER),
                (right - CORNER, bottom),
                (left + CORNER, bottom),
                (left, bottom - CORNER),
                (left, top + CORNER),
            ],
        ),
        Shape::Decision | Shape::Logic => polygon(
            out,
            &[
                (left + SLANT, top),
                (right - SLANT, top),
                (right, middle),
                (right - SLANT, bottom),
                (left + SLANT, bottom),
                (left, middle),
            ],
        ),
        Shape::Fork => polygon(
            out,
            &[
                (left + SLANT, top),
                (right - SLANT, top),
                (right, bottom),
                (left, bottom),
            ],
        ),
        Shape::Join => polygon(
            out,
            &[
                (left, top),
                (right, top),
                (right - SLANT, bottom),
                (left + SLANT, bottom),
            ],
        ),
        Shape::Action(family) => {
            rectangle(out, area, 5.0);
            stripe(out, left, top, bottom);
            if family == Family::Application {
                stripe(out, right - STRIPE, top, bottom);
            }
        }
        Shape::Block => {
            let behind = Area {
                left: left + 4.0,
                top: top - 4.0,
                right: right + 4.0,
                bottom: bottom - 4.0,
            };
            rectangle(out, behind, 5.0);
            rectangle(out, area, 5.0);
        }
    }
}

fn rectangle(out: &mut SvgText, area: Area, radius: f64) {
    out.line(format_args!(
        r#"<rect class="box"{}/>"#,
        attributes(area, radius)
    ));
}

/// A vertical cylinder with a visible lid.
fn cylinder(out: &mut SvgText, area: Area) {
    let Area {
        left,
        top,
        right,
        bottom,
    } = area;
    let (radius, upper, lower) = (N((right - left) / 2.0), N(top + LID), N(bottom - LID));
    let (left, right, lid) = (N(left), N(right), N(LID));
    out.line(format_args!(
        r#"<path class="box" d="M{left} {upper}A{radius} {lid} 0 0 1 {right} {upper}V{lower}A{radius} {lid} 0 0 1 {left} {lower}Z"/>"#
    ));
    out.line(format_args!(
        r#"<path class="lid" d="M{left} {upper}A{radius} {lid} 0 0 0 {right} {upper}"/>"#
    ));
}

fn attributes(area: Area, radius: f64) -> String {
    format!(
        r#" x="{}" y="{}" width="{}" height="{}" rx="{}""#,
        N(area.left),
        N(area.top),
        N(area.right - area.left),
        N(area.bottom - area.top),
        N(radius)
    )
}

fn stripe(out: &mut SvgText, left: f64, top: f64, bottom: f64) {
    out.line(format_args!(
        r#"<rect class="stripe" x="{}" y="{}" width="{}" height="{}" rx="2"/>"#,
        N(left),
        N(top),
        N(STRIPE),
        N(bottom - top)
    ));
}

fn polygon(out: &mut SvgText, corners: &[(f64, f64)]) {
    let points: Vec<String> = corners
        .iter()
        .map(|(x, y)| format!("{},{}", N(*x), N(*y)))
        .collect();
    out.line(format_args!(
        r#"<polygon class="box" points="{}"/>"#,
        points.join(" ")
    ));
}

/// The same number on a fork and its join.
fn pair_number(out: &mut SvgText, pair: usize, area: Area) {
    let (x, y) = (
        area.left + SLANT + 10.0,
        f64::midpoint(area.top, area.bottom),
    );
    out.line(format_args!(
        r#"<circle class="number" cx="{}" cy="{}" r="8"/><text class="number-text" x="{}" y="{}">{}</text>"#,
        N(x),
        N(y),
        N(x),
        N(y + SMALL_SIZE * 0.36),
        pair + 1
    ));
}

fn words(out: &mut SvgText, planned: &PlannedBox, place: Point) {
    let height = planned.title.len() as f64 * TITLE_SIZE * text::LINE_HEIGHT
        + planned.details.len() as f64 * SMALL_SIZE * text::LINE_HEIGHT;
    let mut top = place.y - height / 2.0;
    let written = planned
        .title
        .iter()
        .map(|line| (line, TITLE_SIZE, ""))
        .chain(
            planned
                .details
                .iter()
                .map(|line| (line, SMALL_SIZE, r#" class="detail""#)),
        );
    for (line, size, class) in written {
        let base = top + size * text::LINE_HEIGHT / 2.0 + size * 0.36;
        out.line(format_args!(
            r#"<text{class} x="{}" y="{}">{}</text>"#,
            N(place.x),
            N(base),
            markup::text(line)
        ));
        top += size * text::LINE_HEIGHT;
    }
}

/// A dot with the label of an error target, on a corner of the box: red, or gray if a job did not go there.
fn mark(out: &mut SvgText, label: &str, is_idle: bool, x: f64, y: f64) {
    let idle = if is_idle { " idle" } else { "" };
    out.line(format_args!(
        r#"<g class="mark{idle}"><circle cx="{}" cy="{}" r="{}"/><text x="{}" y="{}">{}</text></g>"#,
        N(x),
        N(y),
        N(MARK_RADIUS),
        N(x),
        N(y + 3.5),
        markup::text(label)
    ));
}
