//! Layout by the `dagre` crate: Sugiyama's method, with edges routed around boxes and space for labels.
//!
//! The crate is young: it is called on a separate thread, with a large stack for its recursion, so that a panic or an endless
//! search does no harm.

use std::{
    cell::RefCell,
    sync::mpsc::{self, Sender},
    thread,
    time::Duration,
};

use dagre::{
    EdgeLabel, LayoutOptions, NodeLabel,
    graph::{Graph, GraphOptions},
};

use super::{BoxLink, Component, Placement, Point, Route};

/// More boxes than this take too long.
const MAX_BOXES: usize = 4_000;
const MAX_LINES: usize = 8_000;

/// Distance between neighbors, between ranks, and between lines.
const BOX_DISTANCE: f64 = 26.0;
const RANK_DISTANCE: f64 = 34.0;
const LINE_DISTANCE: f64 = 12.0;

/// Far more than the largest graph needs.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// Memory is only committed for the part that is used.
const STACK_SIZE: usize = 256 * 1024 * 1024;

thread_local! {
    /// The channel to the thread that waits for this thread's result.
    static WAITING: RefCell<Option<Sender<Option<Placement>>>> = const { RefCell::new(None) };
}

/// To be called by a panic hook: whether the crate has panicked, which is expected and not reported. No thread waits for this one
/// any more then, and it need not be unwound.
pub fn abandon_layout() -> bool {
    let waiting = WAITING.take();
    if let Some(waiting) = &waiting {
        // The receiver may have stopped waiting.
        drop(waiting.send(None));
    }
    waiting.is_some()
}

/// Places a component; `None` if the graph is too large or the crate gives up.
pub fn place(component: &Component) -> Option<Placement> {
    if let [size] = component.sizes.as_slice()
        && component.links.is_empty()
    {
        return Some(alone(*size));
    }
    if component.sizes.len() > MAX_BOXES || component.links.len() > MAX_LINES {
        return None;
    }
    let component = component.clone();
    guarded(move || laid_out(&component))
}

/// The result of `work` on a separate thread; `None` if it panics or takes too long.
fn guarded(work: impl FnOnce() -> Option<Placement> + Send + 'static) -> Option<Placement> {
    let (sender, receiver) = mpsc::channel();
    let work = move || {
        WAITING.set(Some(sender));
        let placed = work();
        if let Some(waiting) = WAITING.take() {
            // The receiver may have stopped waiting.
            drop(waiting.send(placed));
        }
    };
    thread::Builder::new()
        .stack_size(STACK_SIZE)
        .spawn(work)
        .ok()?;
    receiver.recv_timeout(TIME_LIMIT).ok().flatten()
}

fn alone((width, height): (f64, f64)) -> Placement {
    Placement {
        boxes: vec![Point {
            x: width / 2.0,
            y: height / 2.0,
        }],
        routes: Vec::new(),
        width,
        height,
    }
}

fn laid_out(component: &Component) -> Option<Placement> {
    let mut graph: Graph<NodeLabel, EdgeLabel> = Graph::with_options(GraphOptions {
        directed: true,
        multigraph: true,
        compound: false,
    });
    for (number, &(width, height)) in component.sizes.iter().enumerate() {
        let label = NodeLabel {
            width,
            height,
            ..NodeLabel::default()
        };
        graph.set_node(number.to_string(), Some(label));
    }
    for (number, link) in component.links.iter().enumerate() {
        let label = EdgeLabel {
            width: link.label.0,
            height: link.label.1,
            labelpos: dagre::layout::types::LabelPos::Center,
            weight: link.weight,
            ..EdgeLabel::default()
        };
        graph.set_edge(
            link.from.to_string(),
            link.to.to_string(),
            Some(label),
            Some(&number.to_string()),
        );
    }
    let options = LayoutOptions {
        nodesep: BOX_DISTANCE,
        ranksep: RANK_DISTANCE,
        edgesep: LINE_DISTANCE,
        // Branches then keep the order of the document.
        tie_keep_first: true,
        ..LayoutOptions::default()
    };
    dagre::layout(&mut graph, Some(options));
    read(component, &graph)
}

/// The result of the crate, moved so that coordinates start at 0; `None` if something is missing.
fn read(component: &Component, graph: &Graph<NodeLabel, EdgeLabel>) -> Option<Placement> {
    let boxes: Vec<Point> = (0..component.sizes.len())
        .map(|number| {
            let label = graph.node(&number.to_string())?;
            finite(label.x?, label.y?)
        })
        .collect::<Option<_>>()?;
    let routes: Vec<Route> = component
        .links
        .iter()
        .enumerate()
        .map(|(number, link)| {
            let label = graph.edge(
                &link.from.to_string(),
                &link.to.to_string(),
                Some(&number.to_string()),
            )?;
            let points = label
                .points
                .iter()
                .map(|point| finite(point.x, point.y))
                .collect::<Option<_>>()?;
            Some(Route {
                points,
                label: label_place(link, label)?,
            })
        })
        .collect::<Option<_>>()?;
    Some(from_zero(component, boxes, routes))
}

fn label_place(link: &BoxLink, label: &EdgeLabel) -> Option<Point> {
    if link.label.0 == 0.0 {
        return Some(Point::default());
    }
    finite(label.x?, label.y?)
}

fn finite(x: f64, y: f64) -> Option<Point> {
    (x.is_finite() && y.is_finite()).then_some(Point { x, y })
}

fn from_zero(component: &Component, mut boxes: Vec<Point>, mut routes: Vec<Route>) -> Placement {
    let mut least = Point {
        x: f64::INFINITY,
        y: f64::INFINITY,
    };
    let mut most = Point {
        x: f64::NEG_INFINITY,
        y: f64::NEG_INFINITY,
    };
    let mut cover = |point: Point, (width, height): (f64, f64)| {
        least.x = least.x.min(point.x - width / 2.0);
        least.y = least.y.min(point.y - height / 2.0);
        most.x = most.x.max(point.x + width / 2.0);
        most.y = most.y.max(point.y + height / 2.0);
    };
    for (&point, &size) in boxes.iter().zip(&component.sizes) {
        cover(point, size);
    }
    for (route, link) in routes.iter().zip(&component.links) {
        route
            .points
            .iter()
            .for_each(|&point| cover(point, (0.0, 0.0)));
        if link.label.0 > 0.0 {
            cover(route.label, link.label);
        }
    }
    let points = boxes.iter_mut().chain(
        routes
            .iter_mut()
            .flat_map(|route| route.points.iter_mut().chain([&mut route.label])),
    );
    for point in points {
        point.x -= least.x;
        point.y -= least.y;
    }
    Placement {
        boxes,
        routes,
        width: most.x - least.x,
        height: most.y - least.y,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_keep_the_order_of_the_document() {
        let link = |from, to| BoxLink {
            from,
            to,
            label: (0.0, 0.0),
            weight: 1,
        };
        let component = Component {
            sizes: vec![(80.0, 30.0); 5],
            reaches: vec![10.0; 5],
            links: vec![
                link(0, 1),
                link(0, 2),
                link(0, 3),
                link(1, 4),
                link(2, 4),
                link(3, 4),
            ],
        };
        let placed = place(&component).expect("the graph is small");
        let [_, one, two, three, _] = placed.boxes[..] else {
            panic!("there are five boxes")
        };
        assert!(one.x < two.x && two.x < three.x);
        assert_eq!((one.y, two.y), (two.y, three.y));
        assert_eq!(Some(placed), place(&component));
    }

    #[test]
    fn numbers_that_are_none_are_no_places() {
        let component = Component {
            sizes: vec![(f64::NAN, 30.0), (80.0, f64::INFINITY)],
            reaches: vec![10.0; 2],
            links: vec![BoxLink {
                from: 0,
                to: 1,
                label: (0.0, 0.0),
                weight: 1,
            }],
        };
        assert_eq!(place(&component), None);
        assert!(!abandon_layout(), "only the other thread expects a panic");
    }

    #[test]
    fn a_panic_is_no_placement_also_where_nothing_is_unwound() {
        assert_eq!(guarded(|| panic!("the crate gives up")), None);
        let begun = std::time::Instant::now();
        let parked = || {
            assert!(abandon_layout());
            loop {
                thread::park();
            }
        };
        assert_eq!(guarded(parked), None);
        assert!(begun.elapsed() < TIME_LIMIT);
    }
}
