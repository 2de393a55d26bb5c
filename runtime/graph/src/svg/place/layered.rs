//! A simple layered layout: one row per rank, boxes ordered by the barycenter of their sources, and straight lines. For graphs
//! that are too large for a better one.

use super::{Component, Placement, Point, Route};
use crate::svg::ranks::ranks;

const BOX_DISTANCE: f64 = 26.0;
const RANK_DISTANCE: f64 = 60.0;

/// Places a component of any size, in linear time.
pub fn place(component: &Component) -> Placement {
    let ends: Vec<(usize, usize)> = component
        .links
        .iter()
        .map(|link| (link.from, link.to))
        .collect();
    let ranks = ranks(component.sizes.len(), &ends);
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); ranks.iter().max().map_or(0, |most| most + 1)];
    for (number, &rank) in ranks.iter().enumerate() {
        rows[rank].push(number);
    }
    order(&mut rows, &ranks, &ends);
    let row_width = |row: &Vec<usize>| {
        let boxes: f64 = row.iter().map(|&number| component.sizes[number].0).sum();
        boxes + BOX_DISTANCE * (row.len().saturating_sub(1) as f64)
    };
    let width = rows.iter().map(row_width).fold(0.0, f64::max);
    let mut boxes = vec![Point::default(); component.sizes.len()];
    let mut top = 0.0;
    for row in &rows {
        let height = row
            .iter()
            .map(|&number| component.sizes[number].1)
            .fold(0.0, f64::max);
        let mut left = (width - row_width(row)) / 2.0;
        for &number in row {
            let box_width = component.sizes[number].0;
            boxes[number] = Point {
                x: left + box_width / 2.0,
                y: top + height / 2.0,
            };
            left += box_width + BOX_DISTANCE;
        }
        top += height + RANK_DISTANCE;
    }
    let routes = component
        .links
        .iter()
        .map(|link| route(component, &boxes, link.from, link.to))
        .collect();
    Placement {
        boxes,
        routes,
        width,
        height: (top - RANK_DISTANCE).max(0.0),
    }
}

/// Sorts each row by the barycenter of the sources of its boxes.
fn order(rows: &mut [Vec<usize>], ranks: &[usize], ends: &[(usize, usize)]) {
    let mut sources: Vec<Vec<usize>> = vec![Vec::new(); ranks.len()];
    for &(from, to) in ends.iter().filter(|(from, to)| ranks[*from] < ranks[*to]) {
        sources[to].push(from);
    }
    // From 0 on the left to 1 on the right.
    let mut places = vec![0.5; ranks.len()];
    for row in rows {
        let middle = |number: usize| {
            let from = &sources[number];
            let sum: f64 = from.iter().map(|&source| places[source]).sum();
            if from.is_empty() {
                0.5
            } else {
                sum / (from.len() as f64)
            }
        };
        let mut keyed: Vec<(f64, usize)> =
            row.iter().map(|&number| (middle(number), number)).collect();
        keyed.sort_by(|left, right| left.0.total_cmp(&right.0).then(left.1.cmp(&right.1)));
        for (place, (_, number)) in keyed.iter().enumerate() {
            places[*number] = (place as f64 + 0.5) / (keyed.len() as f64);
        }
        *row = keyed.into_iter().map(|(_, number)| number).collect();
    }
}

/// From the lower border of one box to the upper border of the other, or vice versa if it leads up.
fn route(component: &Component, boxes: &[Point], from: usize, to: usize) -> Route {
    if from == to {
        return Route::default();
    }
    let down = if boxes[from].y <= boxes[to].y {
        1.0
    } else {
        -1.0
    };
    let start = Point {
        x: boxes[from].x,
        y: boxes[from].y + down * component.sizes[from].1 / 2.0,
    };
    let end = Point {
        x: boxes[to].x,
        y: boxes[to].y - down * component.sizes[to].1 / 2.0,
    };
    Route {
        points: vec![start, end],
        label: Point {
            x: f64::midpoint(start.x, end.x),
            y: f64::midpoint(start.y, end.y),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::{super::BoxLink, *};

    #[test]
    fn rows_are_ranks_and_boxes_do_not_overlap() {
        let link = |from, to| BoxLink {
            from,
            to,
            label: (0.0, 0.0),
            weight: 1,
        };
        let component = Component {
            sizes: vec![(80.0, 30.0), (40.0, 20.0), (60.0, 30.0), (80.0, 30.0)],
            reaches: vec![10.0; 4],
            links: vec![link(0, 2), link(0, 1), link(1, 3), link(2, 3), link(3, 0)],
        };
        let placed = place(&component);
        assert_eq!(placed.boxes[1].y, placed.boxes[2].y);
        assert!(placed.boxes[0].y < placed.boxes[1].y && placed.boxes[1].y < placed.boxes[3].y);
        assert_eq!(placed.boxes[2].x - placed.boxes[1].x, 20.0 + 26.0 + 30.0);
        assert_eq!((placed.width, placed.height), (126.0, 210.0));
    }
}
