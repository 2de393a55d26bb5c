//! Complete pictures: of a workflow alone, and of jobs with the path that they took.

use super::*;
use crate::{
    picture::{Look, NodeState, Shape},
    testing::{END, FAIL, START, TestNode, action, picture},
};

fn state(look: Look) -> Option<NodeState> {
    Some(NodeState {
        look,
        text: String::new(),
    })
}

/// The picture of a job that has reached the nodes in `states`, through the arrows in `taken`.
fn of_job(mut picture: Picture, states: &[(&str, Look)], taken: &[(&str, &str)]) -> Picture {
    let place = |picture: &Picture, name: &str| {
        let mut nodes = picture.nodes.iter();
        nodes
            .position(|node| node.name == name)
            .expect("the node is there")
    };
    for node in &mut picture.nodes {
        let known = states.iter().find(|(name, _)| *name == node.name);
        node.state = state(known.map_or(Look::Untouched, |(_, look)| *look));
    }
    for (from, to) in taken {
        let ends = (place(&picture, from), place(&picture, to));
        for arrow in &mut picture.arrows {
            arrow.is_taken |= (arrow.from, arrow.to) == ends;
        }
    }
    picture
}

fn drawn(picture: &Picture) -> String {
    svg(picture, Options::default())
}

/// The number of elements with exactly these classes, outside of the legend.
fn count(svg: &str, class: &str) -> usize {
    let (drawing, _) = svg.split_once(r#"<g class="legend">"#).unwrap_or((svg, ""));
    drawing.matches(&format!(r#"class="{class}""#)).count()
}

fn legend(svg: &str) -> &str {
    svg.split_once(r#"<g class="legend">"#)
        .map_or("", |(_, legend)| legend)
}

/// A decision between two actions.
fn choice() -> Picture {
    let nodes = [
        START,
        ("choose", Shape::Decision, None),
        action("work", "shell"),
        action("other", "shell"),
        END,
    ];
    picture(
        &nodes,
        &[
            "start choose",
            "choose work: x",
            "choose other: default",
            "work end",
            "other end",
        ],
    )
}

#[test]
fn the_path_that_a_job_took_differs_from_the_others() {
    let plain = drawn(&choice());
    assert_eq!(count(&plain, "flow"), 5, "{plain}");
    assert!(!legend(&plain).contains("path taken"), "{plain}");
    let good = Look::Good;
    let job = of_job(
        choice(),
        &[("start", good), ("choose", good), ("work", Look::Running)],
        &[("start", "choose"), ("choose", "work")],
    );
    let svg = drawn(&job);
    assert_eq!(count(&svg, "flow taken"), 2, "{svg}");
    assert_eq!(count(&svg, "flow idle"), 3, "{svg}");
    assert_eq!(count(&svg, "flow"), 0, "{svg}");
    for word in ["path taken", "ended OK", "running", "not run"] {
        assert!(
            legend(&svg).contains(&format!(">{word}</text>")),
            "{word}: {svg}"
        );
    }
    assert!(!legend(&svg).contains("failed"), "{svg}");
}

#[test]
fn a_line_for_success_and_error_is_taken_by_either() {
    let nodes = [START, action("work", "shell"), END];
    let job = of_job(
        picture(&nodes, &["start work", "work end", "work ! end"]),
        &[],
        &[],
    );
    let mut failed = job.clone();
    failed.arrows[2].is_taken = true;
    assert_eq!(count(&drawn(&job), "flow taken"), 0);
    assert_eq!(count(&drawn(&failed), "flow taken"), 1);
}

/// Five actions in a row whose errors all lead to one kill node.
fn chain() -> Picture {
    let nodes: Vec<TestNode<'_>> = [START]
        .into_iter()
        .chain(["a", "b", "c", "d", "e"].map(|name| action(name, "shell")))
        .chain([END, FAIL])
        .collect();
    picture(
        &nodes,
        &[
            "start a", "a b", "a ! fail", "b c", "b ! fail", "c d", "c ! fail", "d e", "d ! fail",
            "e end", "e ! fail",
        ],
    )
}

#[test]
fn marks_are_red_where_the_job_ended_in_error_and_gray_elsewhere() {
    let plain = drawn(&chain());
    // The marks of the actions, and that of the kill node, which shows their target.
    assert_eq!((count(&plain, "mark"), count(&plain, "mark idle")), (6, 0));
    assert!(legend(&plain).contains("leads to the node of this mark on error"));
    let job = of_job(
        chain(),
        &[
            ("start", Look::Good),
            ("a", Look::Good),
            ("b", Look::Bad),
            ("fail", Look::Bad),
        ],
        &[("start", "a"), ("a", "b")],
    );
    let mut failed = job.clone();
    for arrow in &mut failed.arrows {
        arrow.is_taken |= arrow.from == 2 && arrow.to == 7;
    }
    let svg = drawn(&failed);
    assert_eq!(
        (count(&svg, "mark"), count(&svg, "mark idle")),
        (2, 4),
        "{svg}"
    );
    assert!(legend(&svg).contains("ended in error"), "{svg}");
    assert!(legend(&svg).contains("would lead there on error"), "{svg}");
    // Nothing has failed yet.
    assert!(!legend(&drawn(&job)).contains("ended in error"));
}

#[test]
fn cases_that_begin_alike_are_told_apart() {
    let long = "fs:fileSize(concat(concat(nameNode, '/user/hive/warehouse/'), 'part-00000')) gt 10 and kind eq";
    let (first, second) = (
        format!("choose work: {long} 'small'"),
        format!("choose other: {long} 'large'"),
    );
    let nodes = [
        START,
        ("choose", Shape::Decision, None),
        action("work", "shell"),
        action("other", "shell"),
        END,
    ];
    let arrows = [
        "start choose",
        &first,
        &second,
        "choose end: default",
        "work end",
        "other end",
    ];
    let svg = drawn(&picture(&nodes, &arrows));
    let shown: Vec<&str> = svg
        .lines()
        .filter(|line| line.starts_with("<text"))
        .collect();
    for end in ["'small'", "'large'"] {
        assert!(
            shown.iter().any(|line| line.contains(end)),
            "{end}: {shown:?}"
        );
    }
}

/// Points on a line as it is drawn, see `draw::curve`.
fn sampled(points: &[place::Point]) -> Vec<(f64, f64)> {
    let mut all = Vec::new();
    for pair in points.windows(2) {
        let middle = f64::midpoint(pair[0].y, pair[1].y);
        for step in 0..=20 {
            let t = f64::from(step) / 20.0;
            let s = 1.0 - t;
            let x = (s * s * s + 3.0 * s * s * t) * pair[0].x
                + (3.0 * s * t * t + t * t * t) * pair[1].x;
            let y = s * s * s * pair[0].y + 3.0 * s * t * middle + t * t * t * pair[1].y;
            all.push((x, y));
        }
    }
    all
}

#[test]
fn lines_of_nodes_that_never_run_pass_through_no_box() {
    let nodes = [
        START,
        action("a", "shell"),
        action("b", "shell"),
        action("c", "shell"),
        END,
        FAIL,
        action("old", "shell"),
        action("older", "hive"),
        ("maybe", Shape::Decision, None),
    ];
    let mut picture = picture(
        &nodes,
        &[
            "start a",
            "a b",
            "b c",
            "c end",
            "a ! fail",
            "b ! fail",
            "old b",
            "old ! fail",
            "older end",
            "older ! fail",
            "maybe c: x",
            "maybe old: y",
            "maybe end: default",
        ],
    );
    for node in &mut picture.nodes[6..] {
        node.is_reached = false;
    }
    for all_lines in [false, true] {
        let plan = plan::plan(&picture, all_lines);
        let placement = place::place(&picture, &plan);
        for (line, route) in plan.lines.iter().zip(&placement.routes) {
            if all_lines
                && picture
                    .nodes
                    .get(line.from)
                    .is_none_or(|node| node.is_reached)
            {
                continue;
            }
            for (x, y) in sampled(&route.points) {
                for (number, (planned, middle)) in
                    plan.boxes.iter().zip(&placement.boxes).enumerate()
                {
                    let is_end = number == line.from || number == line.to;
                    let is_inside = (x - middle.x).abs() < planned.width / 2.0 - 2.0
                        && (y - middle.y).abs() < planned.height / 2.0 - 2.0;
                    assert!(
                        is_end || !is_inside,
                        "a line of {} passes through box {number}",
                        line.from
                    );
                }
            }
        }
    }
    assert!(legend(&drawn(&picture)).contains("never runs"));
}
