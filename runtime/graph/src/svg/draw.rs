//! Writes what has been placed.

mod node;

use std::fmt::{self, Write};

use super::{
    markup::{self, N},
    place::{Placement, Point},
    plan::{Line, Plan, SMALL_SIZE},
    style::STYLE,
    text,
};
use crate::picture::{ArrowKind, Picture};

const HEAD_LENGTH: f64 = 8.0;
const HEAD_WIDTH: f64 = 7.0;

/// The text of the picture. Lines come first, so that boxes lie above them.
pub fn draw(picture: &Picture, plan: &Plan, placement: &Placement, has_style: bool) -> String {
    let mut out = Out::default();
    let (width, height) = (placement.width.ceil(), placement.height.ceil());
    out.line(format_args!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" class="hpdlc-graph" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" aria-label="{}">"#,
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
    lines(&mut out, plan, placement);
    // What stands inside of a box lies above it.
    for is_inside in [false, true] {
        for (planned, &place) in plan.boxes.iter().zip(&placement.boxes) {
            if planned.inside.is_some() == is_inside {
                node::draw(&mut out, picture, plan, planned, place);
            }
        }
    }
    out.line(format_args!("</svg>"));
    out.text
}

/// What has been written.
#[derive(Default)]
struct Out {
    text: String,
}

impl Out {
    fn line(&mut self, line: fmt::Arguments<'_>) {
        writeln!(self.text, "{line}").expect("writing to a string cannot fail");
    }
}

fn lines(out: &mut Out, plan: &Plan, placement: &Placement) {
    let mut heads = [String::new(), String::new()];
    // Errors lie below the main line.
    for kind in [ArrowKind::Error, ArrowKind::Flow] {
        let (class, heads) = match kind {
            ArrowKind::Error => ("error", &mut heads[0]),
            ArrowKind::Flow => ("flow", &mut heads[1]),
        };
        for (line, route) in plan.lines.iter().zip(&placement.routes) {
            if line.kind == kind && route.points.len() > 1 {
                let (path, head) = curve(&route.points);
                out.line(format_args!(r#"<path class="{class}" d="{path}"/>"#));
                heads.push_str(&head);
            }
        }
        if !heads.is_empty() {
            out.line(format_args!(r#"<path class="{class}-head" d="{heads}"/>"#));
        }
    }
    for (line, route) in plan.lines.iter().zip(&placement.routes) {
        if !line.shown.is_empty() {
            label(out, line, route.label);
        }
    }
}

/// A line from point to point that is upright at each, and the head at its end.
fn curve(points: &[Point]) -> (String, String) {
    let (first, last) = (points[0], points[points.len() - 1]);
    let before = points[points.len() - 2];
    let down = if last.y >= before.y { 1.0 } else { -1.0 };
    // The line ends inside of its head.
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

fn label(out: &mut Out, line: &Line, middle: Point) {
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
