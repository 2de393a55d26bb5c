//! Outlines of elements.

use tiny_skia::{Path, PathBuilder, Rect};

use super::Element;

/// How far the handles of a curve are from its ends if it is a quarter of a circle of radius 1.
const QUARTER: f32 = 0.552_284_8;

/// The outline of an element; `None` if it has none, or one that cannot be drawn.
pub(super) fn path(element: &Element) -> Option<Path> {
    let number = |name: &str| element.number(name);
    match element.name.as_str() {
        "rect" => rectangle(
            Rect::from_xywh(number("x"), number("y"), number("width"), number("height"))?,
            number("rx"),
        ),
        "circle" => PathBuilder::from_circle(number("cx"), number("cy"), number("r")),
        "polygon" => polygon(element.attributes.get("points")?),
        "path" => commands(element.attributes.get("d")?),
        _ => None,
    }
}

fn rectangle(area: Rect, radius: f32) -> Option<Path> {
    let radius = radius
        .min(area.width() / 2.0)
        .min(area.height() / 2.0)
        .max(0.0);
    if radius == 0.0 {
        return Some(PathBuilder::from_rect(area));
    }
    let (left, top, right, bottom) = (area.left(), area.top(), area.right(), area.bottom());
    let near = radius * (1.0 - QUARTER);
    let mut path = PathBuilder::new();
    path.move_to(left + radius, top);
    path.line_to(right - radius, top);
    path.cubic_to(right - near, top, right, top + near, right, top + radius);
    path.line_to(right, bottom - radius);
    path.cubic_to(
        right,
        bottom - near,
        right - near,
        bottom,
        right - radius,
        bottom,
    );
    path.line_to(left + radius, bottom);
    path.cubic_to(
        left + near,
        bottom,
        left,
        bottom - near,
        left,
        bottom - radius,
    );
    path.line_to(left, top + radius);
    path.cubic_to(left, top + near, left + near, top, left + radius, top);
    path.close();
    path.finish()
}

fn polygon(points: &str) -> Option<Path> {
    let mut path = PathBuilder::new();
    for point in points.split_whitespace() {
        let (x, y) = point.split_once(',')?;
        let (x, y) = (x.parse().ok()?, y.parse().ok()?);
        match path.is_empty() {
            true => path.move_to(x, y),
            false => path.line_to(x, y),
        }
    }
    path.close();
    path.finish()
}

/// The commands of a path that pictures have: `M`, `L`, `V`, `C`, `Z`, and `A` for halves of ellipses.
fn commands(text: &str) -> Option<Path> {
    let mut spaced = String::with_capacity(text.len() * 2);
    for character in text.chars() {
        match character.is_ascii_alphabetic() {
            true => spaced.extend([' ', character, ' ']),
            false => spaced.push(character),
        }
    }
    let mut words = spaced.split_whitespace();
    let mut path = PathBuilder::new();
    while let Some(command) = words.next() {
        let mut number = || words.next()?.parse::<f32>().ok();
        match command {
            "M" => path.move_to(number()?, number()?),
            "L" => path.line_to(number()?, number()?),
            "V" => {
                let from = path.last_point()?;
                path.line_to(from.x, number()?);
            }
            "C" => path.cubic_to(
                number()?,
                number()?,
                number()?,
                number()?,
                number()?,
                number()?,
            ),
            "A" => {
                let (_, height) = (number()?, number()?);
                let (_, _, is_clockwise) = (number()?, number()?, number()? != 0.0);
                half_ellipse(&mut path, height, is_clockwise, number()?, number()?)?;
            }
            "Z" => path.close(),
            _ => return None,
        }
    }
    path.finish()
}

/// From where the path is to the other end of a horizontal axis.
fn half_ellipse(
    path: &mut PathBuilder,
    height: f32,
    is_clockwise: bool,
    x: f32,
    y: f32,
) -> Option<()> {
    let from = path.last_point()?;
    let half = (x - from.x) / 2.0;
    let middle = from.x + half;
    // Down is positive: clockwise from left to right leads above.
    let is_above = (half > 0.0) == is_clockwise;
    let peak = if is_above { y - height } else { y + height };
    let handle = (y - peak) * QUARTER;
    path.cubic_to(
        from.x,
        from.y - handle,
        middle - half * QUARTER,
        peak,
        middle,
        peak,
    );
    path.cubic_to(middle + half * QUARTER, peak, x, y - handle, x, y);
    Some(())
}
