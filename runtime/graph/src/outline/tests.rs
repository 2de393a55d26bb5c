use super::*;
use crate::{
    picture::{Arrow, NodeState},
    testing::{END, FAIL, START, TestNode, action, picture},
};

#[track_caller]
fn check(picture: &Picture, expected: &[&str]) {
    let text = outline(picture, OutlineOptions::default());
    assert_eq!(text.lines().collect::<Vec<&str>>(), expected);
}

#[test]
fn branches_of_forks_stand_below_them_and_the_join_behind() {
    let nodes = [
        START,
        ("split", Shape::Fork, None),
        action("load", "shell"),
        action("count", "hive"),
        action("check", "fs"),
        ("merge", Shape::Join, None),
        END,
        FAIL,
    ];
    let arrows = [
        "start split",
        "split load",
        "split check",
        "load count",
        "load ! fail",
        "count merge",
        "count ! fail",
        "check merge",
        "check ! end",
        "merge end",
    ];
    check(
        &picture(&nodes, &arrows),
        &[
            "daily",
            "start",
            "split  fork",
            "├─ load  shell",
            "│  count  hive",
            "└─ check  fs  on error → end",
            "merge  join",
            "end",
            "errors lead to fail",
            "fail  kill",
        ],
    );
}

#[test]
fn cases_have_their_conditions_and_meet_again() {
    let nodes = [
        START,
        ("choose", Shape::Decision, None),
        action("small", "shell"),
        action("large", "spark"),
        action("report", "email"),
        END,
        FAIL,
    ];
    let arrows = [
        "start choose",
        "choose small: size lt 10",
        "choose large: size lt 100",
        "choose large: size lt 1000",
        "choose fail: default",
        "small report",
        "large report",
        "report end",
    ];
    check(
        &picture(&nodes, &arrows),
        &[
            "daily",
            "start",
            "choose  decision",
            "├─ size lt 10",
            "│  small  shell",
            "├─ size lt 100 | size lt 1000",
            "│  large  spark",
            "└─ default → fail",
            "report  email",
            "end",
            "fail  kill",
        ],
    );
}

#[test]
fn where_all_ways_but_one_end_the_job_the_one_goes_on_below() {
    let nodes = [
        START,
        ("choose", Shape::Decision, None),
        action("work", "shell"),
        END,
    ];
    let arrows = [
        "start choose",
        "choose end: nothing",
        "choose work: default",
        "work end",
    ];
    check(
        &picture(&nodes, &arrows),
        &[
            "daily",
            "start",
            "choose  decision",
            "├─ nothing → end",
            "└─ default → work",
            "work  shell",
            "end",
        ],
    );
}

#[test]
fn cycles_unreached_nodes_and_depth_come_to_an_end() {
    let mut cycle = picture(
        &[
            START,
            action("a", "fs"),
            action("b", "fs"),
            action("c", "fs"),
        ],
        &["start a", "a b", "b a", "c c"],
    );
    cycle.nodes[3].is_reached = false;
    check(
        &cycle,
        &[
            "daily",
            "start",
            "a  fs",
            "b  fs",
            "→ a",
            "never runs:",
            "c  fs",
            "→ c",
        ],
    );

    // Each fork has a branch that is a fork; every node is written only once.
    let names: Vec<String> = (0..40).map(|number| format!("n{number}")).collect();
    let nodes: Vec<TestNode<'_>> = names
        .iter()
        .map(|name| (name.as_str(), Shape::Fork, None))
        .collect();
    let arrows: Vec<String> = (0..19)
        .flat_map(|number| {
            let (one, other) = (2 * number + 1, 2 * number + 2);
            [
                format!("n{} n{one}", 2 * number),
                format!("n{} n{other}", 2 * number),
            ]
        })
        .collect();
    let arrows: Vec<&str> = arrows.iter().map(String::as_str).collect();
    let text = outline(&picture(&nodes, &arrows), OutlineOptions::default());
    for name in &names {
        let word = format!("{name}  fork");
        assert_eq!(text.matches(&word).count(), 1, "{name}:\n{text}");
    }
    assert!(text.lines().all(|line| line.chars().count() < 50), "{text}");
}

#[test]
fn a_chain_of_many_nodes_needs_no_stack() {
    let names: Vec<String> = (0..20_000).map(|number| format!("n{number}")).collect();
    let mut chain = picture(&[], &[]);
    for (number, name) in names.iter().enumerate() {
        let one = picture(&[action(name, "fs")], &[]);
        chain.nodes.extend(one.nodes);
        if number > 0 {
            chain.arrows.push(Arrow {
                from: number - 1,
                to: number,
                kind: ArrowKind::Flow,
                label: None,
                is_taken: false,
            });
        }
    }
    let text = outline(&chain, OutlineOptions::default());
    assert_eq!(text.lines().count(), 20_001);
}

#[test]
fn lines_are_cut_and_nothing_reaches_the_terminal_that_commands_it() {
    let mut picture = picture(
        &[START, action("a\x1b[2J\u{202e}", "shell")],
        &["start a\x1b[2J\u{202e}"],
    );
    picture.nodes[1].state = Some(NodeState {
        look: Look::Good,
        text: "OK 2.3s".to_owned(),
    });
    check(
        &picture,
        &["daily", "start", "a\\x1b[2J\\u{202e}  shell  OK 2.3s"],
    );
    let cut = OutlineOptions {
        width: Some(10),
        has_color: false,
    };
    assert_eq!(outline(&picture, cut), "daily\nstart\na\\x…  …  …\n");
    let colored = OutlineOptions {
        width: None,
        has_color: true,
    };
    let text = outline(&picture, colored);
    assert!(text.contains("\x1b[32m  OK 2.3s\x1b[0m"), "{text:?}");
}

#[test]
fn the_case_that_a_job_has_taken_is_named() {
    let nodes = [
        START,
        ("choose", Shape::Decision, None),
        action("work", "shell"),
        END,
    ];
    let mut picture = picture(
        &nodes,
        &[
            "start choose",
            "choose work: x",
            "choose end: default",
            "work end",
        ],
    );
    picture.arrows[1].is_taken = true;
    check(
        &picture,
        &[
            "daily",
            "start",
            "choose  decision",
            "├─ x (taken) → work",
            "└─ default → end",
            "work  shell",
            "end",
        ],
    );
}

#[test]
fn a_long_condition_leaves_room_for_what_it_leads_to() {
    let long = "x".repeat(100);
    let first = format!("choose work: {long} eq 'one'");
    let second = format!("choose end: {long} eq 'two'");
    let nodes = [
        START,
        ("choose", Shape::Decision, None),
        action("work", "shell"),
        END,
    ];
    let picture = picture(&nodes, &["start choose", &first, &second, "work end"]);
    let options = OutlineOptions {
        width: Some(40),
        has_color: false,
    };
    let text = outline(&picture, options);
    for line in text.lines() {
        assert!(line.chars().count() <= 40, "{line}");
    }
    assert!(text.contains("… → end\n"), "{text}");
    assert!(text.contains("… → work\n"), "{text}");
}
