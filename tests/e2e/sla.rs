//! SLAs: met and missed, who is notified, and that each event is recorded once, whichever process dies.

use serde_json::Value;

use crate::{
    email::MailServer,
    harness::{STEP, World, finish, pid_of, signal, step, text, wait_for, workflow},
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
