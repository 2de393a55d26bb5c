//! Outlines of elements.

use zeno::{Command, PathBuilder as _, PathData as _};

use super::Element;

/// The outline of an element; empty if it has none, or one that cannot be drawn.
pub(super) fn outline(element: &Element) -> Vec<Command> {
    let number = |name: &str| element.number(name);
    let mut outline = Vec::new();
    match element.name.as_str() {
        "rect" => {
            let place = (number("x"), number("y"));
            let (width, height) = (number("width"), number("height"));
            let radius = number("rx").clamp(0.0, width.min(height).max(0.0) / 2.0);
            match radius > 0.0 {
                true => outline.add_round_rect(place, width, height, radius, radius),
                false => outline.add_rect(place, width, height),
            };
        }
        "circle" => {
            outline.add_circle((number("cx"), number("cy")), number("r"));
        }
        "polygon" => {
            let points = element.attributes.get("points");
            // As the commands of a path.
            let points = points.map_or("", String::as_str).trim();
            let path = format!("M{}Z", points.replace(' ', "L"));
            outline.extend(path.as_str().commands());
        }
        "path" => {
            let path = element.attributes.get("d").map_or("", String::as_str);
            outline.extend(path.commands());
        }
        _ => {}
    }
    outline
}
