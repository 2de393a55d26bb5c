//! Writes the SVG of a placed picture.

mod legend;
mod node;

use std::fmt::{self, Write};

use self::legend::Legend;
use super::{
    markup::{self, N},
    place::{Placement, Point},
    plan::{Line, Plan, SMALL_SIZE},
    style::STYLE,
    text,
};
use crate::picture::{ArrowKind, Picture};

/// Gives the address of a node by its name.
pub type Link<'a> = &'a dyn Fn(&str) -> String;

const HEAD_LENGTH: f64 = 8.0;
const HEAD_WIDTH: f64 = 7.0;

/// The SVG text of the picture. Lines come first, so that boxes are drawn above them.
pub fn draw(
    picture: &Picture,
    plan: &Plan,
    placement: &Placement,
    has_style: bool,
    link: Option<Link<'_>>,
) -> String {
    let mut out = SvgText::default();
    // A page with several pictures has a legend of its own.
    let legend = has_style.then(|| Legend::of(picture, plan, placement.width));
    let legend_size = legend.as_ref().map_or((0.0, 0.0), Legend::size);
    // What an image contains cannot be reached by a keyboard.
    let role = if link.is_some() { "group" } else { "img" };
    let width = placement.width.max(legend_size.0).ceil();
    let height = (placement.height + legend_size.1).ceil();
    out.line(format_args!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" class="hpdlc-graph" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="{role}" aria-label="{}">"#,
        markup::attribute(&picture.title)
    ));
    out.line(format_args!(
        "<title>{}</title>",
        markup::text(&picture.title)
    ));
    if has_style {
        out.line(format_args!("<style>{}</style>", markup::text(STYLE)));
    }
    out.line(format_args!(
        r#"<rect class="paper" width="{width}" height="{height}"/>"#
    ));
    lines(&mut out, picture, plan, placement);
    let is_of_job = picture.is_of_job();
    // Boxes inside another box are drawn above it.
    for is_inside in [false, true] {
        for (planned, &place) in plan.boxes.iter().zip(&placement.boxes) {
            if planned.inside.is_some() == is_inside {
                node::draw(&mut out, picture, is_of_job, plan, planned, place, link);
            }
        }
    }
    if let Some(legend) = &legend {
        legend.draw(&mut out, placement.height);
    }
    out.line(format_args!("</svg>"));
    out.text
}

/// The output so far.
#[derive(Default)]
struct SvgText {
    text: String,
}

impl SvgText {
    fn line(&mut self, line: fmt::Arguments<'_>) {
        writeln!(self.text, "{line}").expect("writing to a string cannot fail");
    }
}

fn lines(out: &mut SvgText, picture: &Picture, plan: &Plan, placement: &Placement) {
    let is_of_job = picture.is_of_job();
    // Errors are drawn below the main line, and transitions not taken by a job below those taken.
    for (kind, is_taken) in [
        (ArrowKind::Error, false),
        (ArrowKind::Flow, false),
        (ArrowKind::Error, true),
        (ArrowKind::Flow, true),
    ] {
        let name = match kind {
            ArrowKind::Error => "error",
            ArrowKind::Flow => "flow",
        };
        let state = match (is_of_job, is_taken) {
            (_, true) => " taken",
            (true, false) => " idle",
            (false, false) => "",
        };
        let mut heads = String::new();
        for (line, route) in plan.lines.iter().zip(&placement.routes) {
            let is_here = line.kind == kind && line.is_taken == is_taken;
            if is_here && route.points.len() > 1 {
                let (path, head) = curve(&route.points);
                out.line(format_args!(r#"<path class="{name}{state}" d="{path}"/>"#));
                heads.push_str(&head);
            }
        }
        if !heads.is_empty() {
            out.line(format_args!(
                r#"<path class="{name}-head{state}" d="{heads}"/>"#
            ));
        }
    }
    for (line, route) in plan.lines.iter().zip(&placement.routes) {
        if !line.shown.is_empty() {
            label(out, line, route.label);
        }
    }
}

/// A curve through the points that is vertical at each, and its arrow head.
fn curve(points: &[Point]) -> (String, String) {
    let (first, last) = (points[0], points[points.len() - 1]);
    let before = points[points.len() - 2];
    let down = if last.y >= before.y { 1.0 } else { -1.0 };
    // The line ends inside of its arrow head.
    let end = Point {
        x: last.x,
        y: last.y - down * (HEAD_LENGTH - 1.0),
    };
    let mut path = format!("M{} {}", N(first.x), N(first.y));
    let mut from = first;
    for &to in points[1..points.len() - 1].iter().chain([&end]) {
        let middle = f64::midpoint(from.y, to.y);
        let piece = if (from.x - to.x).abs() < 0.5 {
            format!("L{} {}", N(to.x), N(to.y))
        } else {
            format!(
                "C{} {} {} {} {} {}",
                N(from.x),
                N(middle),
                N(to.x),
                N(middle),
                N(to.x),
                N(to.y)
            )
        };
        path.push_str(&piece);
        from = to;
    }
    let (base, side) = (last.y - down * HEAD_LENGTH, HEAD_WIDTH / 2.0);
    let head = format!(
        "M{} {}L{} {}L{} {}Z",
        N(last.x),
        N(last.y),
        N(last.x + side),
        N(base),
        N(last.x - side),
        N(base)
    );
    (path, head)
}

fn label(out: &mut SvgText, line: &Line, middle: Point) {
    let (width, height) = (line.label_width, line.label_height);
    let title = markup::text(&line.labels.join("\n"));
    out.line(format_args!(
        r#"<g class="label"><title>{title}</title><rect x="{}" y="{}" width="{}" height="{}"/>"#,
        N(middle.x - width / 2.0),
        N(middle.y - height / 2.0),
        N(width),
        N(height)
    ));
    let step = SMALL_SIZE * text::LINE_HEIGHT;
    let first = middle.y - height / 2.0 + step / 2.0 + SMALL_SIZE * 0.36;
    for (number, shown) in line.shown.iter().enumerate() {
        out.line(format_args!(
            r#"<text x="{}" y="{}">{}</text>"#,
            N(middle.x),
            N(first + step * (number as f64)),
            markup::text(shown)
        ));
    }
    out.line(format_args!("</g>"));
}
