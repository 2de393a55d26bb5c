//! Computes coordinates: the connected components of a picture are laid out separately and placed below each other.
//!
//! [`hierarchy`] gives better results. If it cannot handle the graph, or gives up, [`layered`] is used.

mod hierarchy;
mod layered;

pub use self::hierarchy::abandon_layout;
use super::plan::{Content, Plan};
use crate::picture::{ArrowKind, Picture, Shape};

/// The margin around the picture.
const MARGIN: f64 = 16.0;

/// Distance between components.
const GAP: f64 = 36.0;

/// Small components are placed side by side at least up to this width.
const LEAST_ROW: f64 = 520.0;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

/// The positions of everything. Coordinates grow to the right and down, from 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Placement {
    /// The center of each box.
    pub boxes: Vec<Point>,
    pub routes: Vec<Route>,
    pub width: f64,
    pub height: f64,
}

/// The route of a line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Route {
    /// From border to border; empty if the line is not drawn.
    pub points: Vec<Point>,
    /// The center of its label.
    pub label: Point,
}

/// A connected component, reduced to sizes.
#[derive(Clone, Debug, Default)]
struct Component {
    sizes: Vec<(f64, f64)>,
    /// By box: how far left and right of its center lines may start and end.
    reaches: Vec<f64>,
    links: Vec<BoxLink>,
}

/// A line between two boxes of a component.
#[derive(Clone, Debug)]
struct BoxLink {
    from: usize,
    to: usize,
    label: (f64, f64),
    /// The weight of keeping it short and straight.
    weight: i32,
}

/// A component with the boxes and lines of the plan that it stands for.
struct PlanComponent {
    /// The numbers of its boxes in the plan.
    boxes: Vec<usize>,
    /// The numbers of its lines in the plan.
    lines: Vec<usize>,
    sizes: Component,
}

/// Places the boxes and lines of `plan`, which belongs to `picture`.
pub fn place(picture: &Picture, plan: &Plan) -> Placement {
    let components = components(picture, plan);
    let placed: Vec<Placement> = components.iter().map(|it| lay_out(&it.sizes)).collect();
    let rows = ComponentRows::of(placed.iter().map(|it| (it.width, it.height)));
    let mut placement = Placement {
        boxes: vec![Point::default(); plan.boxes.len()],
        routes: vec![Route::default(); plan.lines.len()],
        width: rows.width + 2.0 * MARGIN,
        height: rows.height + 2.0 * MARGIN,
    };
    for ((component, placed), corner) in components.iter().zip(placed).zip(&rows.corners) {
        let moved = |point: Point| Point {
            x: point.x + corner.x + MARGIN,
            y: point.y + corner.y + MARGIN,
        };
        for (&number, point) in component.boxes.iter().zip(placed.boxes) {
            placement.boxes[number] = moved(point);
        }
        for (&number, route) in component.lines.iter().zip(placed.routes) {
            placement.routes[number] = Route {
                points: route.points.into_iter().map(moved).collect(),
                label: moved(route.label),
            };
        }
    }
    for (number, planned) in plan.boxes.iter().enumerate() {
        if let Some((outer, x, y)) = planned.inside {
            let center = placement.boxes[outer];
            placement.boxes[number] = Point {
                x: center.x + x,
                y: center.y + y,
            };
        }
    }
    placement
}

/// The connected components of a plan, in the order of their first boxes.
fn components(picture: &Picture, plan: &Plan) -> Vec<PlanComponent> {
    let ends: Vec<(usize, usize)> = plan.lines.iter().map(|line| (line.from, line.to)).collect();
    let (component_of, n_components) = connected_components(plan.boxes.len(), &ends);
    let mut boxes_of: Vec<Vec<usize>> = vec![Vec::new(); n_components];
    let mut lines_of: Vec<Vec<usize>> = vec![Vec::new(); n_components];
    let mut index_in_component = vec![0; plan.boxes.len()];
    for (number, &component) in component_of.iter().enumerate() {
        // A box inside of another one is placed with that.
        if plan.boxes[number].inside.is_some() {
            continue;
        }
        index_in_component[number] = boxes_of[component].len();
        boxes_of[component].push(number);
    }
    for (number, (from, _)) in ends.iter().enumerate() {
        lines_of[component_of[*from]].push(number);
    }
    let link = |number: &usize| {
        let line = &plan.lines[*number];
        BoxLink {
            from: index_in_component[line.from],
            to: index_in_component[line.to],
            label: (line.label_width, line.label_height),
            weight: weight(picture, plan, *number),
        }
    };
    let size = |number: &usize| (plan.boxes[*number].width, plan.boxes[*number].height);
    boxes_of
        .into_iter()
        .zip(lines_of)
        .filter(|(boxes, _)| !boxes.is_empty())
        .map(|(boxes, lines)| PlanComponent {
            sizes: Component {
                sizes: boxes.iter().map(size).collect(),
                reaches: boxes.iter().map(|it| reach(picture, plan, *it)).collect(),
                links: lines.iter().map(link).collect(),
            },
            boxes,
            lines,
        })
        .collect()
}

/// Places the boxes and lines of one component.
fn lay_out(component: &Component) -> Placement {
    let mut placed = hierarchy::place(component).unwrap_or_else(|| layered::place(component));
    for (route, link) in placed.routes.iter_mut().zip(&component.links) {
        attach(route, link, component, &placed.boxes);
    }
    placed
}

/// The weight of a line: the main line is short and straight; errors and connectors give way to it. Branches stay close to their fork
/// rather than to their join.
fn weight(picture: &Picture, plan: &Plan, line: usize) -> i32 {
    let line = &plan.lines[line];
    let shape = |number: usize| match plan.boxes[number].content {
        Content::Node(node) => Some(picture.nodes[node].shape),
        Content::Rack => Some(Shape::Block),
        Content::Connector(_) => None,
    };
    match (line.kind, shape(line.from), shape(line.to)) {
        (ArrowKind::Error, _, _) | (_, _, None) | (_, _, Some(Shape::Join)) => 1,
        (ArrowKind::Flow, Some(Shape::Fork), Some(_)) => 16,
        (ArrowKind::Flow, _, Some(_)) => 4,
    }
}

/// How far left and right of its center the lines of a box may start and end: near it for a box that usually has one line in and one out,
/// up to its corners for others, so that lines keep their distance.
fn reach(picture: &Picture, plan: &Plan, number: usize) -> f64 {
    /// Distance from the corners of a box, whose sides may be slanted.
    const INSET: f64 = 16.0;
    const NEAR: f64 = 12.0;
    let room = (plan.boxes[number].width / 2.0 - INSET).max(0.0);
    let is_plain = match plan.boxes[number].content {
        Content::Node(node) => matches!(
            picture.nodes[node].shape,
            Shape::Action(_) | Shape::Event | Shape::Dataset
        ),
        Content::Connector(_) | Content::Rack => true,
    };
    if is_plain { room.min(NEAR) } else { room }
}

/// Makes a line leave its box at the bottom and reach the other one at the top, if it comes from above, so that it ends
/// vertically.
fn attach(route: &mut Route, link: &BoxLink, component: &Component, boxes: &[Point]) {
    let n_points = route.points.len();
    if n_points < 2 || link.from == link.to {
        return;
    }
    let border = |number: usize, towards: Point, is_below: bool| {
        let height = component.sizes[number].1;
        let reach = component.reaches[number];
        let center = boxes[number];
        Point {
            x: center.x + (towards.x - center.x).clamp(-reach, reach),
            y: center.y
                + if is_below {
                    height / 2.0
                } else {
                    -height / 2.0
                },
        }
    };
    let leads_down = boxes[link.from].y < boxes[link.to].y;
    // Without a label, the middle point of a line is an unnecessary bend.
    if n_points == 3 && link.label.0 == 0.0 {
        let (from, to) = (boxes[link.from], boxes[link.to]);
        route.points = vec![
            border(link.from, to, leads_down),
            border(link.to, from, !leads_down),
        ];
        return;
    }
    route.points[0] = border(link.from, route.points[1], leads_down);
    route.points[n_points - 1] = border(link.to, route.points[n_points - 2], !leads_down);
    if link.label.0 > 0.0 {
        route_through_label(route, link.label.1);
    }
}

/// Makes a line pass vertically behind its label, so that no bend is hidden.
fn route_through_label(route: &mut Route, height: f64) {
    let inner = 1..route.points.len() - 1;
    let distance = |number: &usize| (route.points[*number].y - route.label.y).abs();
    let Some(nearest) = inner.min_by(|left, right| distance(left).total_cmp(&distance(right)))
    else {
        return;
    };
    let leads_down = route.points[0].y <= route.points[route.points.len() - 1].y;
    let half = if leads_down {
        height / 2.0
    } else {
        -height / 2.0
    };
    let at = |y: f64| Point {
        x: route.label.x,
        y,
    };
    let passed = [at(route.label.y - half), at(route.label.y + half)];
    route.points.splice(nearest..=nearest, passed);
}

/// The positions of components: the first one alone, the others below it in rows, each row centered.
#[derive(Debug, Default)]
struct ComponentRows {
    /// By component: the upper left corner.
    corners: Vec<Point>,
    width: f64,
    height: f64,
}

impl ComponentRows {
    fn of(sizes: impl Iterator<Item = (f64, f64)>) -> ComponentRows {
        let mut rows: Vec<Vec<(f64, f64)>> = Vec::new();
        let (mut width, mut row_width) = (LEAST_ROW, 0.0);
        let mut widest = 0.0_f64;
        for (number, size) in sizes.enumerate() {
            match rows.last_mut() {
                Some(row) if number > 1 && row_width + GAP + size.0 <= width => {
                    row.push(size);
                    row_width += GAP + size.0;
                }
                Some(_) | None => {
                    rows.push(vec![size]);
                    row_width = size.0;
                }
            }
            width = width.max(row_width);
            widest = widest.max(row_width);
        }
        let mut placed = ComponentRows {
            corners: Vec::new(),
            width: widest,
            height: 0.0,
        };
        for (number, row) in rows.iter().enumerate() {
            let widths: f64 = row.iter().map(|(width, _)| width).sum();
            let gaps = GAP * ((row.len() - 1) as f64);
            let mut left = ((widest - widths - gaps) / 2.0).round();
            if number > 0 {
                placed.height += GAP;
            }
            for (width, _) in row {
                placed.corners.push(Point {
                    x: left,
                    y: placed.height,
                });
                left += width + GAP;
            }
            placed.height += row.iter().map(|(_, height)| *height).fold(0.0, f64::max);
        }
        placed
    }
}

/// By box: the number of its connected component (union-find); and how many components there are. They are numbered by their first boxes.
fn connected_components(n_boxes: usize, lines: &[(usize, usize)]) -> (Vec<usize>, usize) {
    fn root(parents: &mut [usize], mut member: usize) -> usize {
        while parents[member] != member {
            parents[member] = parents[parents[member]];
            member = parents[member];
        }
        member
    }
    let mut parents: Vec<usize> = (0..n_boxes).collect();
    for &(from, to) in lines {
        let (from, to) = (root(&mut parents, from), root(&mut parents, to));
        // The lower number is the root, so that numbers follow the order of boxes.
        parents[from.max(to)] = from.min(to);
    }
    let mut numbers = vec![None; n_boxes];
    let mut n_components = 0;
    let component_of = (0..n_boxes)
        .map(|member| {
            let root = root(&mut parents, member);
            *numbers[root].get_or_insert_with(|| {
                n_components += 1;
                n_components - 1
            })
        })
        .collect();
    (component_of, n_components)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connected_boxes_have_one_component() {
        assert_eq!(
            connected_components(5, &[(3, 1), (0, 4)]),
            (vec![0, 1, 2, 1, 0], 3)
        );
    }

    #[test]
    fn small_components_stand_side_by_side_below_the_first() {
        let sizes = [(100.0, 300.0), (200.0, 40.0), (200.0, 50.0), (300.0, 40.0)];
        let rows = ComponentRows::of(sizes.into_iter());
        let corners: Vec<(f64, f64)> = rows.corners.iter().map(|at| (at.x, at.y)).collect();
        assert_eq!(
            corners,
            [(168.0, 0.0), (0.0, 336.0), (236.0, 336.0), (68.0, 422.0)]
        );
        assert_eq!((rows.width, rows.height), (436.0, 462.0));
    }
}
