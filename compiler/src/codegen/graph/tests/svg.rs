//! Pictures in SVG: their content, their layout, and the invariants of every picture.

use expect_test::expect;
use hpdlc_core::secrets::Secrets;
use hpdlc_graph::{
    Arrow, ArrowKind, Family, Options, Picture, PictureNode, Shape, svg,
    svg::{
        collapse,
        place::{self, Placement, Point},
        plan::{self, Content, Plan},
    },
};

use crate::{
    analysis::{self, JobProperties, testing},
    codegen::graph::of_workflow,
    diagnostics::Sink,
    source::FileId,
    syntax::xml,
};

mod random;

const BARE: Options = Options {
    error_edges: false,
    collapse_above: 1_500,
    has_style: false,
};

fn picture(nodes: &str) -> Picture {
    let (app, facts, _) = testing::analyse(&testing::document(nodes), &JobProperties::default());
    of_workflow(
        &app,
        &facts,
        &analysis::secrets(&app, &JobProperties::default()),
    )
}

/// A chain of `n_actions` actions whose error transitions all lead to one kill node.
fn chain(n_actions: usize) -> Picture {
    let mut nodes = String::from(r#"<start to="a0"/>"#);
    for number in 0..n_actions {
        let next = if number + 1 == n_actions {
            "end".to_owned()
        } else {
            format!("a{}", number + 1)
        };
        nodes.push_str(&format!(
            r#"<action name="a{number}"><fs/><ok to="{next}"/><error to="fail"/></action>"#
        ));
    }
    nodes.push_str(r#"<kill name="fail"><message>m</message></kill><end name="end"/>"#);
    picture(&nodes)
}

#[track_caller]
fn assert_well_formed(svg: &str) {
    let mut sink = Sink::default();
    assert!(xml::parse(FileId(0), svg, &mut sink).is_some(), "{svg}");
    assert!(!sink.has_errors(), "{:?}\n{svg}", sink.into_sorted());
}

/// Every node has one box, no two boxes touch, and everything is inside the picture.
#[track_caller]
fn assert_sound(picture: &Picture, plan: &Plan, placement: &Placement) {
    let mut n_boxes = vec![0; picture.nodes.len()];
    for planned in &plan.boxes {
        if let Content::Node(number) = planned.content {
            n_boxes[number] += 1;
        }
    }
    assert!(n_boxes.iter().all(|count| *count == 1), "{n_boxes:?}");
    // A rack contains boxes.
    let areas: Vec<(Point, f64, f64)> = plan
        .boxes
        .iter()
        .zip(&placement.boxes)
        .filter(|(planned, _)| planned.content != Content::Rack)
        .map(|(planned, place)| (*place, planned.width / 2.0, planned.height / 2.0))
        .collect();
    for (number, (one, width, height)) in areas.iter().enumerate() {
        assert!(one.x - width >= 0.0 && one.x + width <= placement.width);
        assert!(one.y - height >= 0.0 && one.y + height <= placement.height);
        for (other, other_width, other_height) in &areas[number + 1..] {
            let is_apart = (one.x - other.x).abs() >= width + other_width
                || (one.y - other.y).abs() >= height + other_height;
            assert!(is_apart, "{one:?} {other:?} of {picture:?}");
        }
    }
    let inside = |point: &Point| {
        let within = |at: f64, end: f64| (-1.0..=end + 1.0).contains(&at);
        within(point.x, placement.width) && within(point.y, placement.height)
    };
    assert!(
        placement
            .routes
            .iter()
            .all(|route| route.points.iter().all(inside))
    );
}

#[test]
fn fork_and_join_are_mirrored_and_of_one_color() {
    let picture = picture(
        r#"<start to="split"/>
<fork name="split"><path start="load"/><path start="check"/></fork>
<action name="load"><shell xmlns="uri:oozie:shell-action:1.0"><exec>a</exec></shell><ok to="merge"/><error to="fail"/></action>
<action name="check"><sub-workflow><app-path>${wf:appPath()}/check</app-path></sub-workflow><ok to="merge"/><error to="fail"/></action>
<join name="merge" to="choose"/>
<decision name="choose"><switch><case to="end">${a lt 1}</case><default to="fail"/></switch></decision>
<kill name="fail"><message>m</message></kill>
<end name="end"/>"#,
    );
    expect![[r#"
        <svg xmlns="http://www.w3.org/2000/svg" class="hpdlc-graph" width="269" height="446" viewBox="0 0 269 446" role="img" aria-label="test">
        <title>test</title>
        <rect class="paper" width="269" height="446"/>
        <path class="flow" d="M119 48L119 75"/>
        <path class="flow" d="M73 114C73 131 70 131 70 148"/>
        <path class="flow" d="M165 114C165 127.5 168 127.5 168 141"/>
        <path class="flow" d="M70 199C70 216 67 216 67 233"/>
        <path class="flow" d="M168 206C168 219.5 171 219.5 171 233"/>
        <path class="flow" d="M119 272L119 299"/>
        <path class="flow" d="M82 338C82 346.5 56.5 346.5 56.5 355L56.5 368.8L56.5 384.8"/>
        <path class="flow" d="M156 338C156 346.5 181.5 346.5 181.5 355L181.5 368.8L181.5 378.8"/>
        <path class="flow-head" d="M119 82L122.5 74L115.5 74ZM70 155L73.5 147L66.5 147ZM168 148L171.5 140L164.5 140ZM67 240L70.5 232L63.5 232ZM171 240L174.5 232L167.5 232ZM119 306L122.5 298L115.5 298ZM56.5 391.8L60 383.8L53 383.8ZM181.5 385.8L185 377.8L178 377.8Z"/>
        <g class="label"><title>a lt 1</title><rect x="36.6" y="355" width="39.8" height="13.8"/>
        <text x="56.5" y="365.8">a lt 1</text>
        </g>
        <g class="label"><title>default</title><rect x="157.3" y="355" width="48.5" height="13.8"/>
        <text x="181.5" y="365.8">default</text>
        </g>
        <g class="node start"><title>start</title>
        <rect class="box" x="88" y="16" width="62" height="32" rx="16"/>
        <text x="119" y="36.7">start</text>
        </g>
        <g class="node bar pair0"><title>split: fork</title>
        <polygon class="box" points="71,82 167,82 181,114 57,114"/>
        <circle class="number" cx="81" cy="98" r="8"/><text class="number-text" x="81" y="102">1</text>
        <text x="119" y="102.7">split</text>
        </g>
        <g class="node process"><title>load: shell
        on error: fail</title>
        <rect class="box" x="16" y="155" width="84" height="44" rx="5"/>
        <rect class="stripe" x="16" y="155" width="5" height="44" rx="2"/>
        <text x="58" y="174.8">load</text>
        <text class="detail" x="58" y="189.1">shell</text>
        <g class="mark"><circle cx="100" cy="199" r="7"/><text x="100" y="202.5">×</text></g>
        </g>
        <g class="node application"><title>check: sub-workflow
        runs ${wf:appPath()}/check
        on error: fail</title>
        <rect class="box" x="126" y="148" width="108" height="58" rx="5"/>
        <rect class="stripe" x="126" y="148" width="5" height="58" rx="2"/>
        <rect class="stripe" x="229" y="148" width="5" height="58" rx="2"/>
        <text x="180" y="167.9">check</text>
        <text class="detail" x="180" y="182.2">sub-workflow</text>
        <text class="detail" x="180" y="196">→ …/check</text>
        <g class="mark"><circle cx="234" cy="206" r="7"/><text x="234" y="209.5">×</text></g>
        </g>
        <g class="node bar pair0"><title>merge: join</title>
        <polygon class="box" points="51,240 187,240 173,272 65,272"/>
        <circle class="number" cx="75" cy="256" r="8"/><text class="number-text" x="75" y="260">1</text>
        <text x="119" y="260.7">merge</text>
        </g>
        <g class="node decision"><title>choose: decision</title>
        <polygon class="box" points="80,306 158,306 172,322 158,338 80,338 66,322"/>
        <text x="119" y="326.7">choose</text>
        </g>
        <g class="node kill"><title>fail: kill</title>
        <polygon class="box" points="119.5,385.8 243.5,385.8 252.5,394.8 252.5,420.8 243.5,429.8 119.5,429.8 110.5,420.8 110.5,394.8"/>
        <text x="181.5" y="405.6">fail</text>
        <text class="detail" x="181.5" y="419.8">on error of 2 nodes</text>
        <g class="mark"><circle cx="110.5" cy="385.8" r="7"/><text x="110.5" y="389.3">×</text></g>
        </g>
        <g class="node end"><title>end: end</title>
        <rect class="box" x="28.5" y="391.8" width="56" height="32" rx="16"/>
        <rect class="ring" x="31.5" y="394.8" width="50" height="26" rx="13"/>
        <text x="56.5" y="412.4">end</text>
        </g>
        </svg>
    "#]].assert_eq(&svg(&picture, BARE));
}

#[test]
fn whole_document_needs_nothing_beside_it() {
    let svg = svg(&chain(2), Options::default());
    assert_well_formed(&svg);
    assert!(svg.contains("<style>") && svg.contains("prefers-color-scheme:dark"));
    let without_name_of_language = svg.replace("http://www.w3.org/2000/svg", "");
    for sign in ["http", "url(", "@import", "href", "<script"] {
        assert!(!without_name_of_language.contains(sign), "{sign}");
    }
}

#[track_caller]
fn check_lines(n_actions: usize, options: Options, n_error_lines: usize, n_marks: usize) {
    let svg = svg(&chain(n_actions), options);
    assert_eq!(
        svg.matches(r#"<path class="error" "#).count(),
        n_error_lines
    );
    // The kill node has one too.
    assert_eq!(svg.matches(r#"<g class="mark">"#).count(), n_marks);
}

#[test]
fn errors_are_marks_where_lines_would_be_many() {
    let all = Options {
        error_edges: true,
        ..BARE
    };
    check_lines(1, BARE, 1, 0);
    check_lines(2, BARE, 0, 3);
    check_lines(20, BARE, 0, 21);
    check_lines(20, all, 20, 0);
}

#[test]
fn handlers_of_errors_are_told_apart_by_letters() {
    let mut nodes = String::from(r#"<start to="a0"/>"#);
    for number in 0..6 {
        let handler = if number % 2 == 0 { "mail" } else { "fail" };
        let next = if number == 5 {
            "end".to_owned()
        } else {
            format!("a{}", number + 1)
        };
        nodes.push_str(&format!(
            r#"<action name="a{number}"><fs/><ok to="{next}"/><error to="{handler}"/></action>"#
        ));
    }
    nodes.push_str(
        r#"<action name="mail"><fs/><ok to="fail"/><error to="fail"/></action>
        <kill name="fail"><message>m</message></kill><end name="end"/>"#,
    );
    let svg = svg(&picture(&nodes), BARE);
    for (sign, count) in [(">a</text></g>", 4), (">b</text></g>", 4)] {
        assert_eq!(svg.matches(sign).count(), count, "{sign} {svg}");
    }
    assert_eq!(svg.matches(r#"<path class="error" "#).count(), 0);
}

#[test]
fn text_of_the_document_is_text_in_the_picture() {
    let node = |title: &str, shape| PictureNode {
        name: title.to_owned(),
        shape,
        title: title.to_owned(),
        subtitle: Some("]]>&amp;".to_owned()),
        target: Some("\"'</svg>/x".to_owned()),
        pair: Some(usize::MAX - 1),
        is_reached: false,
        is_supported: false,
        state: None,
    };
    let picture = Picture {
        title: "<&\"'\u{0}\u{ffff}".to_owned(),
        nodes: vec![
            node("<script>", Shape::Fork),
            node("a\u{202e}\u{7}b", Shape::Action(Family::Unknown)),
            node("", Shape::Block),
        ],
        arrows: vec![
            Arrow {
                from: 0,
                to: 1,
                kind: ArrowKind::Flow,
                label: Some("a < b && c".to_owned()),
                is_taken: true,
            },
            Arrow {
                from: 1,
                to: 1,
                kind: ArrowKind::Error,
                label: None,
                is_taken: false,
            },
        ],
    };
    for options in [BARE, Options::default()] {
        let svg = svg(&picture, options);
        assert_well_formed(&svg);
        assert!(!svg.contains("<script") && svg.contains("a &lt; b &amp;&amp; c"));
    }
}

#[test]
fn secrets_are_masked() {
    let picture = picture(
        r#"<global><configuration><property><name>db.password</name><value>hunter22</value></property></configuration></global>
<start to="choose"/>
<decision name="choose"><switch><case to="run">${wf:conf('x') eq 'hunter22'}</case><default to="end"/></switch></decision>
<action name="run"><sub-workflow><app-path>hdfs://me:hunter22@host/app</app-path></sub-workflow><ok to="end"/><error to="end"/></action>
<end name="end"/>"#,
    );
    let svg = svg(&picture, BARE);
    assert!(!svg.contains("hunter22"), "{svg}");
    assert!(
        svg.contains("eq &apos;********&apos;") || svg.contains("eq '********'"),
        "{svg}"
    );
    assert!(svg.contains("hdfs://me:********@host/app"), "{svg}");
}

#[test]
fn large_pictures_are_folded_and_nothing_is_lost() {
    let picture = chain(400);
    let folded = collapse::collapsed(&picture, 50);
    assert!(folded.nodes.len() <= 60, "{}", folded.nodes.len());
    let n_folded: usize = folded
        .nodes
        .iter()
        .filter(|node| node.shape == Shape::Block)
        .map(|node| {
            let (count, _) = node.title.split_once(' ').expect("it says how many");
            count.parse::<usize>().expect("it is a number")
        })
        .sum();
    assert_eq!(n_folded, 400);
    assert_eq!(collapse::collapsed(&picture, 403), picture);
}

#[test]
fn forks_in_forks_by_the_thousand_are_folded_as_far_as_it_pays() {
    const N: usize = 4_000;
    let mut nodes = r#"<start to="f0"/>"#.to_owned();
    for at in 0..N {
        let inner = match at + 1 == N {
            true => "last".to_owned(),
            false => format!("f{}", at + 1),
        };
        let outer = match at.checked_sub(1) {
            Some(outer) => format!("j{outer}"),
            None => "end".to_owned(),
        };
        nodes.push_str(&format!(
            r#"<fork name="f{at}"><path start="{inner}"/><path start="a{at}"/></fork>
<action name="a{at}"><fs/><ok to="j{at}"/><error to="fail"/></action><join name="j{at}" to="{outer}"/>"#
        ));
    }
    nodes.push_str(&format!(
        r#"<action name="last"><fs/><ok to="j{}"/><error to="fail"/></action>
<kill name="fail"><message>m</message></kill><end name="end"/>"#,
        N - 1
    ));
    let picture = picture(&nodes);
    let folded = collapse::collapsed(&picture, 100);
    let n_folded = picture.nodes.len() - folded.nodes.len();
    assert!(n_folded > 1_000, "{n_folded}");
}

#[test]
fn branches_are_folded_between_their_fork_and_join() {
    let picture = picture(
        r#"<start to="split"/>
<fork name="split"><path start="a"/><path start="b"/></fork>
<action name="a"><fs/><ok to="merge"/><error to="fail"/></action>
<action name="b"><fs/><ok to="c"/><error to="fail"/></action>
<action name="c"><fs/><ok to="merge"/><error to="fail"/></action>
<join name="merge" to="end"/>
<kill name="fail"><message>m</message></kill>
<end name="end"/>"#,
    );
    let folded = collapse::collapsed(&picture, 6);
    let titles: Vec<&str> = folded
        .nodes
        .iter()
        .map(|node| node.title.as_str())
        .collect();
    assert_eq!(
        titles,
        ["start", "split", "3 nodes", "merge", "fail", "end"]
    );
    let ends: Vec<(usize, usize)> = folded
        .arrows
        .iter()
        .map(|arrow| (arrow.from, arrow.to))
        .collect();
    assert_eq!(ends, [(0, 1), (1, 2), (2, 3), (2, 4), (3, 5)]);
}

#[test]
fn many_branches_stand_in_rows_and_columns() {
    let mut nodes = String::from(r#"<start to="f"/><fork name="f">"#);
    for number in 0..100 {
        nodes.push_str(&format!(r#"<path start="a{number}"/>"#));
    }
    nodes.push_str("</fork>");
    for number in 0..100 {
        nodes.push_str(&format!(
            r#"<action name="a{number}"><fs/><ok to="j"/><error to="fail"/></action>"#
        ));
    }
    nodes.push_str(
        r#"<join name="j" to="end"/><kill name="fail"><message>m</message></kill><end name="end"/>"#,
    );
    let picture = picture(&nodes);
    let plan = plan::plan(&picture, false);
    let placement = place::place(&picture, &plan);
    assert_sound(&picture, &plan, &placement);
    assert!(placement.width < 1_500.0 && placement.height < 1_500.0);
    // To the fork, into the rack, out of the rack, and to the end.
    assert_eq!(plan.lines.len(), 4);
    let svg = svg(&picture, BARE);
    assert_well_formed(&svg);
    assert_eq!(svg.matches(r#"<g class="node "#).count(), 105);
}

#[test]
fn decisions_that_lead_everywhere_list_what_is_far() {
    const N_ACTIONS: usize = 40;
    let mut nodes = String::from(r#"<start to="resume"/><decision name="resume"><switch>"#);
    for number in 0..N_ACTIONS {
        nodes.push_str(&format!(
            r#"<case to="a{number}">${{from eq "a{number}"}}</case>"#
        ));
    }
    nodes.push_str(r#"<default to="a0"/></switch></decision>"#);
    for number in 0..N_ACTIONS {
        let next = if number + 1 == N_ACTIONS {
            "end".to_owned()
        } else {
            format!("a{}", number + 1)
        };
        nodes.push_str(&format!(
            r#"<action name="a{number}"><fs/><ok to="{next}"/><error to="end"/></action>"#
        ));
    }
    nodes.push_str(r#"<end name="end"/>"#);
    let picture = picture(&nodes);
    let plan = plan::plan(&picture, false);
    assert!(plan.lines.len() < N_ACTIONS + 5, "{}", plan.lines.len());
    let svg = svg(&picture, BARE);
    for number in 0..N_ACTIONS {
        let entry = format!("from eq \"a{number}\"");
        assert!(svg.contains(&entry), "{entry}");
    }
    assert!(place::place(&picture, &plan).width < 1_000.0);
}

#[test]
fn lines_that_cross_everything_become_connectors() {
    // Each of many decisions can skip to the end.
    let mut nodes = String::from(r#"<start to="d0"/>"#);
    const N_DECISIONS: usize = 100;
    for number in 0..N_DECISIONS {
        let next = if number + 1 == N_DECISIONS {
            "end".to_owned()
        } else {
            format!("d{}", number + 1)
        };
        nodes.push_str(&format!(
            r#"<decision name="d{number}"><switch><case to="end">${{go}}</case><default to="{next}"/></switch></decision>"#
        ));
    }
    nodes.push_str(r#"<end name="end"/>"#);
    let picture = picture(&nodes);
    let plan = plan::plan(&picture, false);
    let n_connectors = plan
        .boxes
        .iter()
        .filter(|planned| matches!(planned.content, Content::Connector(_)))
        .count();
    assert!((10..N_DECISIONS).contains(&n_connectors), "{n_connectors}");
    // The last one leads to the end either way: one line for both.
    assert_eq!(plan.lines.len(), picture.arrows.len() - 1);
}

#[test]
fn masking_takes_what_is_given_too() {
    let secrets = Secrets::of([("token", "abcdef")]);
    let document = testing::document(
        r#"<start to="run"/><action name="run"><sub-workflow><app-path>/abcdef</app-path></sub-workflow><ok to="end"/><error to="end"/></action><end name="end"/>"#,
    );
    let (app, facts, _) = testing::analyse(&document, &JobProperties::default());
    let picture = of_workflow(&app, &facts, &secrets);
    assert_eq!(picture.nodes[1].target.as_deref(), Some("/********"));
}
