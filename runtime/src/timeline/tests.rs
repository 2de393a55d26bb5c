use hpdlc_core::status::JobStatus;

use super::*;

fn job(id: &str, root: &str, parent: Option<&str>) -> JobRow {
    JobRow {
        app: "night".to_owned(),
        user: "me".to_owned(),
        status: JobStatus::Succeeded,
        started: Some(1_000),
        ended: Some(9_000),
        conf: r#"{"password":"hunter22"}"#.to_owned(),
        root_id: root.to_owned(),
        parent_id: parent.map(str::to_owned),
        parent_node: parent.map(|_| "child".to_owned()),
        parent_attempt: parent.map(|_| 1),
        depth: i64::from(parent.is_some()),
        epoch: 1,
        ..JobRow::new(id, 1_000)
    }
}

fn action(job: &str, name: &str, type_name: &str, times: (i64, i64)) -> ActionRow {
    ActionRow {
        status: ActionStatus::Ok,
        started: Some(times.0),
        ended: Some(times.1),
        attempt: 1,
        ..ActionRow::new(job, name, type_name)
    }
}

fn log(job: &str, lines: &[(i64, &str, &str)]) -> Vec<LogRow> {
    lines
        .iter()
        .map(|(time, node, event)| LogRow {
            job_id: job.to_owned(),
            time: *time,
            node: Some((*node).to_owned()),
            event: (*event).to_owned(),
            message: None,
        })
        .collect()
}

/// A job with a node that failed once and waited, and a sub-workflow.
fn source() -> TimelineRecords {
    let mut load = action("1", "load", "shell", (1_000, 5_000));
    load.attempt = 2;
    load.error_message = Some("login hunter22 failed".to_owned());
    let mut lines = log(
        "1",
        &[
            (1_000, ":start:", "OK"),
            (1_500, "load", "RUNNING"),
            (2_000, "load", "USER_RETRY"),
            (4_000, "load", "RUNNING"),
            (5_000, "load", "OK"),
            (5_000, "child", "RUNNING"),
            (9_000, "child", "OK"),
        ],
    );
    lines.extend(log(
        "2",
        &[(6_000, "step", "RUNNING"), (7_000, "step", "OK")],
    ));
    TimelineRecords {
        jobs: vec![job("1", "1", None), job("2", "1", Some("1"))],
        actions: BTreeMap::from([
            (
                "1".to_owned(),
                vec![
                    action("1", ":start:", ":START:", (1_000, 1_000)),
                    load,
                    action("1", "child", "sub-workflow", (5_000, 9_000)),
                    action("1", "done", ":END:", (9_000, 9_000)),
                ],
            ),
            (
                "2".to_owned(),
                vec![action("2", "step", "shell", (6_000, 7_000))],
            ),
        ]),
        log: lines,
        now: 20_000,
    }
}

#[test]
fn attempts_and_the_waits_between_them_are_segments_and_children_are_nested() {
    let source = source();
    let timeline = of(&source, &Masks::of_all(&source.jobs)).unwrap();
    assert_eq!((timeline.begin, timeline.end), (1_000, 9_000));
    let names: Vec<(usize, &str)> = timeline
        .rows
        .iter()
        .map(|row| (row.depth, row.name.as_str()))
        .collect();
    assert_eq!(names, [(0, "load"), (0, "child"), (1, "step"), (0, "done")]);
    let of_load: Vec<(Look, i64, i64, u32)> = timeline.rows[0]
        .segments
        .iter()
        .map(|segment| (segment.look, segment.from, segment.to, segment.attempt))
        .collect();
    assert_eq!(
        of_load,
        [
            (Look::Waiting, 1_000, 1_500, 0),
            (Look::Bad, 1_500, 2_000, 1),
            (Look::Waiting, 2_000, 4_000, 0),
            (Look::Good, 4_000, 5_000, 2),
        ]
    );
}

#[test]
fn what_runs_is_open_until_now() {
    let mut source = source();
    source.jobs[0].ended = None;
    source.log.truncate(2);
    let load = &mut source.actions.get_mut("1").unwrap()[1];
    (load.status, load.ended, load.attempt) = (ActionStatus::Running, None, 1);
    let timeline = of(&source, &Masks::default()).unwrap();
    assert!(timeline.is_open);
    let last = timeline.rows[0].segments.last().unwrap();
    assert_eq!(
        (last.look, last.from, last.to),
        (Look::Running, 1_500, 20_000)
    );
}

#[test]
fn the_picture_has_a_bar_a_segment_and_no_secret() {
    let source = source();
    let timeline = of(&source, &Masks::of_all(&source.jobs)).unwrap();
    let text = svg(&timeline);
    let n_bars = ["waiting", "bad", "good"]
        .map(|class| text.matches(&format!("<rect class=\"{class}\"")).count());
    // One of each is in the legend.
    assert_eq!(n_bars, [3, 2, 4]);
    assert!(!text.contains("hunter22"), "{text}");
    assert!(text.contains("login ******** failed"), "{text}");
}

#[test]
fn text_has_a_line_a_node_as_wide_as_the_terminal() {
    let source = source();
    let timeline = of(&source, &Masks::of_all(&source.jobs)).unwrap();
    let drawn = |width, has_color| text(&timeline, TextCanvas { width, has_color });
    expect_test::expect![[r#"
        night 1 SUCCEEDED
        from 1970-01-01T00:00:01.000Z, 8.0s
                +0                +2s                +4s               +6s
        load    ░░░░XXXXX░░░░░░░░░░░░░░░░░░██████████                                       4.0s, 2 attempts
        child                                        █████████████████████████████████████  4.0s
          step                                                ██████████                    1.0s
        done                                                                             ◆
                ░ waiting   █ OK   X failed
    "#]]
    .assert_eq(&drawn(100, false));
    for width in [40, 60, 80] {
        let text = drawn(width, false);
        let longest = text.lines().map(|line| line.chars().count()).max();
        assert!(longest <= Some(width), "{width}: {text}");
    }
    let colored = drawn(80, true);
    assert!(colored.contains("\u{1b}[31mX\u{1b}[0m"), "{colored}");
    assert!(!colored.contains("hunter22"), "{colored}");
}

#[test]
fn a_kill_node_is_no_success_and_names_show_what_they_hold() {
    let mut source = source();
    let actions = source.actions.get_mut("1").unwrap();
    actions[1].name = "lo\u{1b}[2Jad".to_owned();
    actions[3].type_name = ":KILL:".to_owned();
    let timeline = of(&source, &Masks::default()).unwrap();
    let last = timeline.rows.last().unwrap();
    assert_eq!(last.segments[0].look, Look::Bad);
    let paper = TextCanvas {
        width: 80,
        has_color: false,
    };
    let text = text(&timeline, paper);
    assert!(text.contains("lo\\x1b[2Jad"), "{text}");
    assert!(!text.contains('\u{1b}'), "{text}");
}

#[test]
fn another_owner_is_seen_by_what_it_finds_running() {
    let mut source = source();
    let lines = [
        (2_500, "load", "ATTACHED"),
        (2_600, "child", "ATTACHED"),
        (7_500, "child", "REATTACHED"),
    ];
    source.log.extend(log("1", &lines));
    source.log.push(LogRow {
        node: None,
        ..log("1", &[(6_500, "", "DRAIN")]).remove(0)
    });
    source.log.sort_by_key(|line| line.time);
    let timeline = of(&source, &Masks::default()).unwrap();
    let shown: Vec<(i64, i64, &str)> = timeline
        .owners
        .iter()
        .map(|change| (change.from, change.to, change.text.as_str()))
        .collect();
    assert_eq!(
        shown,
        [
            (
                2_000,
                2_500,
                "another process took the job over: its owner had died; load was still running"
            ),
            (
                7_000,
                7_500,
                "another process took the job over, which was handed over; child was still running"
            ),
        ]
    );
    // Another one is in the legend.
    assert_eq!(svg(&timeline).matches("<line class=\"owner\"").count(), 3);
    let paper = TextCanvas {
        width: 60,
        has_color: false,
    };
    let text = text(&timeline, paper);
    assert!(text.contains("+1s500ms: another process took"), "{text}");
}
