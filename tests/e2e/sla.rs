//! SLAs: met and missed, who is notified, and that each event is recorded once, whichever process dies.

use serde_json::Value;

use crate::{
    email::MailServer,
    harness::{
        STEP, World, action, finish, kill_dash_nine, pid_of, signal, step, text, wait_for, workflow,
    },
    notifications::NotificationServer,
    sh,
};

const FUTURE: &str = "-Dnominal=2099-01-01T00:00Z";
const PAST: &str = "-Dnominal=2020-01-01T00:00Z";

/// A block with these elements after its nominal time, which is the property `nominal`.
fn block(elements: &[(&str, &str)]) -> String {
    let elements: String = elements
        .iter()
        .map(|(name, text)| format!("<s:{name}>{text}</s:{name}>"))
        .collect();
    format!(
        r#"<s:info xmlns:s="uri:oozie:sla:0.2"><s:nominal-time>${{nominal}}</s:nominal-time>{elements}</s:info>"#
    )
}

/// An action with a block.
fn with_block(action: &str, elements: &[(&str, &str)]) -> String {
    action.replace("</action>", &format!("{}</action>", block(elements)))
}

/// A workflow of these nodes with a block.
fn document(nodes: &str, elements: &[(&str, &str)]) -> String {
    let end = format!("{}\n</workflow-app>", block(elements));
    workflow(nodes).replace("</workflow-app>", &end)
}

fn world(nodes: &str, elements: &[(&str, &str)]) -> World {
    let document = document(nodes, elements);
    World::of(&[("workflow.xml", &document), ("step.sh", STEP)])
}

/// `load: MET START_MET END_MET`, one line each, the job's first, from `info`.
fn slas(info: &Value) -> Vec<String> {
    let slas = info["sla"].as_array().expect("info has the key sla");
    let line = |sla: &Value| {
        let node = sla["node"].as_str().unwrap_or("job");
        let mut line = format!("{node}: {}", text(&sla["status"]));
        for event in sla["events"].as_array().expect("events") {
            line.push(' ');
            line.push_str(&text(&event["event"]));
        }
        line
    };
    slas.iter().map(line).collect()
}

/// How many times the log has an event of an SLA.
fn n_logged(world: &World, id: &str, event: &str) -> usize {
    let log = world.log(id);
    log.split_whitespace().filter(|word| *word == event).count()
}

#[test]
fn what_is_in_time_meets_and_what_is_late_misses() {
    let nodes = with_block(&step("a", "0", "end"), &[("should-end", "30")]);
    let mut world = world(
        &nodes,
        &[
            ("should-start", "${10 * MINUTES}"),
            ("should-end", "${1 * HOURS}"),
        ],
    );
    world.run(&[FUTURE]).expect(0);
    let id = world.job().expect("a job");
    assert_eq!(
        slas(&world.info(&id)),
        ["job: MET START_MET DURATION_MET END_MET", "a: MET END_MET"]
    );
    let human = world.call(&["info", &id]).expect(0).stdout;
    assert!(human.contains("(job)"), "{human}");

    world.afresh();
    // An SLA does not affect what runs.
    world.run(&[PAST]).expect(0);
    let id = world.job().expect("a job");
    assert_eq!(
        slas(&world.info(&id)),
        [
            "job: MISS START_MISS DURATION_MET END_MISS",
            "a: MISS END_MISS"
        ]
    );
    assert!(
        world
            .log(&id)
            .contains("END_MISS     should end by 2020-01-01T01:00:00Z"),
        "{}",
        world.log(&id)
    );
}

#[test]
fn who_fails_misses_and_what_another_way_passes_by_does_not() {
    let nodes = [
        "<decision name=\"which\"><switch><case to=\"bad\">${fails eq 'yes'}</case><default to=\"good\"/></switch></decision>\n"
            .to_owned(),
        with_block(&sh("bad", "exit 3", "", "never"), &[("should-end", "30")]),
        with_block(&step("never", "0", "end"), &[("should-end", "30")]),
        with_block(&step("good", "0", "end"), &[("should-end", "30")]),
    ]
    .concat();
    let mut world = world(&nodes, &[("should-end", "60")]);
    world.run(&[FUTURE, "-Dfails=no"]).expect(0);
    let id = world.job().expect("a job");
    assert_eq!(
        slas(&world.info(&id)),
        [
            "job: MET END_MET",
            "bad: NOT_STARTED",
            "good: MET END_MET",
            "never: NOT_STARTED"
        ]
    );
    world.afresh();
    world.run(&[FUTURE, "-Dfails=yes"]).expect(1);
    let id = world.job().expect("a job");
    assert_eq!(
        slas(&world.info(&id)),
        [
            "job: MISS END_MISS",
            "bad: MISS END_MISS",
            "good: MISS END_MISS",
            "never: MISS END_MISS"
        ]
    );
}

#[test]
fn what_is_missed_while_it_runs_is_told_at_once_and_once_whoever_dies() {
    let nodes = with_block(
        &step("a", "gated", "end"),
        &[("should-end", "60"), ("max-duration", "0.01")],
    );
    let world = world(&nodes, &[("should-end", "60")]);
    let owner = world.start(&[FUTURE]);
    world.await_running("a");
    let id = world.job().expect("a job");
    wait_for("the duration to be missed", || {
        (n_logged(&world, &id, "DURATION_MISS") == 1).then_some(())
    });
    kill_dash_nine(owner);
    let recovered = world.spawn(&["recover", &id]);
    wait_for("the process to be found again", || {
        world.log(&id).contains("ATTACHED").then_some(())
    });
    world.open_gate("a");
    finish(recovered).expect(0);
    assert_eq!(
        slas(&world.info(&id)),
        ["job: MET END_MET", "a: MET DURATION_MISS END_MET"]
    );
    for event in ["DURATION_MISS", "END_MET"] {
        let n = if event == "END_MET" { 2 } else { 1 };
        assert_eq!(n_logged(&world, &id, event), n, "{}", world.log(&id));
    }
}

#[test]
fn a_watch_looks_after_jobs_that_wait() {
    let nodes = [sh("a", "true", "", "b"), sh("b", "true", "", "end")].concat();
    let world = world(&nodes, &[("should-start", "10"), ("should-end", "60")]);
    let prep = world.submit(&[PAST]);
    assert_eq!(slas(&world.info(&prep)), ["job: NOT_STARTED"]);
    let told = world.call(&["info", &prep]).expect(0).stdout;
    assert!(told.contains("its SLA is not being checked"), "{told}");
    let watch = world.spawn(&["recover", "--watch"]);
    wait_for("the start and the end to be missed", || {
        (slas(&world.info(&prep)) == ["job: MISS START_MISS END_MISS"]).then_some(())
    });
    assert_eq!(world.info(&prep)["status"], "PREP");
    let suspended = world.submit(&[FUTURE, "-Doozie.suspend.on.nodes=b"]);
    world.call(&["start", &suspended]).expect(0);
    world.await_status(&suspended, "SUSPENDED");
    world.call(&["start", &prep, "--wait"]).expect(0);
    assert_eq!(
        slas(&world.info(&prep)),
        ["job: MISS START_MISS DURATION_MET END_MISS"]
    );
    for event in ["START_MISS", "END_MISS"] {
        assert_eq!(n_logged(&world, &prep, event), 1, "{}", world.log(&prep));
    }
    world.call(&["resume", &suspended, "--wait"]).expect(0);
    assert_eq!(
        slas(&world.info(&suspended)),
        ["job: MET START_MET DURATION_MET END_MET"]
    );
    signal("TERM", pid_of(&watch));
    finish(watch).expect(0);
}

#[test]
fn those_who_want_to_know_are_told_by_url() {
    let server = NotificationServer::new(&["200 OK"]);
    let nodes = with_block(
        &step("a", "0", "end"),
        &[
            ("should-end", "30"),
            ("alert-events", "end_met"),
            ("alert-contact", "ann@example.com"),
            ("notification-msg", "look & see"),
            ("upstream-apps", "clean,load"),
        ],
    )
    .replace("look & see", "look &amp; see");
    let mut world = world(&nodes, &[("should-start", "10"), ("should-end", "60")]);
    let url = format!(
        "-Dhpdl.sla.notification.url={}",
        server.url("$nodeName?e=$event&s=$slaStatus&j=$status&m=$notificationMsg&c=$alertContact&u=$upstreamApps&n=$nominalTime")
    );
    world.run(&[&url, FUTURE]).expect(0);
    assert_eq!(
        server.await_asked(1),
        [
            "/a?e=END_MET&s=MET&j=OK&m=look+%26+see&c=ann%40example.com&u=clean%2Cload&n=2099-01-01T00%3A00%3A00Z"
        ]
    );
    world.afresh();
    // No alerts are sent about old events, unless the property enables them.
    world.run(&[&url, PAST]).expect(0);
    let id = world.job().expect("a job");
    assert_eq!(world.info(&id)["sla"][0]["alerts"], false);
    world.afresh();
    world
        .run(&[&url, PAST, "-Doozie.sla.disable.alerts.older.than=0"])
        .expect(0);
    assert_eq!(
        server.await_asked(2)[1..],
        ["/?e=END_MISS&s=MISS&j=RUNNING&m=&c=&u=&n=2020-01-01T00%3A00%3A00Z"]
    );
}

#[test]
fn contacts_without_a_mail_server_are_named_in_the_log() {
    let contact = [("should-end", "60"), ("alert-contact", "ann@example.com")];
    let world = world(&step("a", "0", "end"), &contact);
    world
        .run(&[PAST, "-Doozie.sla.disable.alerts.older.than=0"])
        .expect(0);
    let log = world.log(&world.job().expect("a job"));
    assert!(
        log.contains(
            "no mail about END_MISS is sent to ann@example.com: oozie.email.smtp.host is not set"
        ),
        "{log}"
    );
}

#[test]
fn a_rerun_registers_what_runs_again() {
    let nodes = [
        with_block(&step("a", "0", "b"), &[("should-end", "30")]),
        with_block(&sh("b", "exit ${code}", "", "end"), &[("should-end", "30")]),
    ]
    .concat();
    let world = world(&nodes, &[("should-end", "60")]);
    world.run(&[PAST, "-Dcode=3"]).expect(1);
    let id = world.job().expect("a job");
    assert_eq!(
        slas(&world.info(&id)),
        ["job: MISS END_MISS", "a: MISS END_MISS", "b: MISS END_MISS"]
    );
    world
        .call(&[
            "rerun",
            &id,
            "-Doozie.wf.rerun.failnodes=true",
            "-Dcode=0",
            FUTURE,
            "--wait",
        ])
        .expect(0);
    assert_eq!(
        slas(&world.info(&id)),
        ["job: MET END_MET", "a: MISS END_MISS", "b: MET END_MET"],
        "what is skipped keeps what it had"
    );
}

#[test]
fn sub_workflows_have_their_own() {
    let sub = r#"<sub-workflow><app-path>${wf:appPath()}/child</app-path><propagate-configuration/></sub-workflow>"#;
    let parent = with_block(&action("sub", sub, "end"), &[("should-end", "30")]);
    let world = World::of(&[
        ("workflow.xml", &workflow(&parent)),
        (
            "child/workflow.xml",
            &document(&step("below", "0", "end"), &[("should-end", "20")]),
        ),
        ("child/step.sh", STEP),
    ]);
    world.run(&[FUTURE]).expect(0);
    let id = world.job().expect("a job");
    let info = world.info(&id);
    assert_eq!(slas(&info), ["sub: MET END_MET"]);
    let child = text(&crate::harness::node(&info, "sub")["external_id"]);
    assert_eq!(slas(&world.info(&child)), ["job: MET END_MET"]);
}

#[test]
fn times_that_are_none_are_refused_before_anything_starts() {
    let nodes = with_block(&step("a", "0", "end"), &[("should-end", "${late}")]);
    let world = world(&nodes, &[("should-end", "60")]);
    let refused = world.run(&["-Dnominal=today", "-Dlate=5"]).expect(2).stderr;
    assert!(refused.contains("it is used as date"), "{refused}");
    let refused = world.run(&[FUTURE, "-Dlate=-5"]).expect(2).stderr;
    let words = ": the SLA of a: should-end is `-5`: it lies before the nominal time (E0302)";
    assert!(refused.contains(words), "{refused}");
    assert!(refused.contains("workflow.xml:"), "{refused}");
    assert!(world.jobs().is_empty());
    let dry = world.call(&["dryrun", &world.out_property(), FUTURE, "-Dlate=soon"]);
    let dry = dry.expect(2);
    assert!(dry.stdout.contains("SLA of a\n"), "{}", dry.stdout);
    assert!(
        dry.stderr.contains("no number of minutes"),
        "{}",
        dry.stderr
    );
    let dry = world.call(&[
        "dryrun",
        &world.out_property(),
        FUTURE,
        "-Dlate=45",
        "--json",
    ]);
    let value: Value = serde_json::from_str(&dry.expect(0).stdout).expect("JSON");
    assert_eq!(value["sla"][1]["node"], "a");
    assert_eq!(value["sla"][1]["values"][1]["path"], "should-end");
    assert_eq!(value["sla"][1]["values"][1]["value"], "45");
}

#[test]
fn contacts_get_mail_where_there_is_a_server() {
    let sink = MailServer::start("plain");
    let elements = [
        ("should-end", "60"),
        ("alert-contact", "nobody, ann@example.com"),
        ("notification-msg", "call Ann"),
    ];
    let world = world(&step("a", "0", "end"), &elements);
    world
        .run(&[
            PAST,
            "-Doozie.sla.disable.alerts.older.than=0",
            "-Doozie.email.smtp.host=localhost",
            &sink.property(),
        ])
        .expect(0);
    let id = world.job().expect("a job");
    let mails = wait_for("the mail", || {
        Some(sink.mails()).filter(|mails| !mails.is_empty())
    });
    assert_eq!(mails.len(), 1, "{mails:?}");
    let mail = mails[0].to_string();
    for words in [
        "ann@example.com",
        "OOZIE - SLA END_MISS (AppName=case",
        &format!("JobID={id}"),
        "END_MISS: should end by 2020-01-01T01:00:00Z",
        "call Ann",
    ] {
        assert!(mail.contains(words), "{words}: {mail}");
    }
    assert!(!world.log(&id).contains("no mail about"));
}
