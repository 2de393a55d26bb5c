//! Coordinators and bundles run as executables: times, data, commands, crashes.

use std::fs;

use serde_json::Value;

use crate::harness::{World, kill_dash_nine, text, wait_for};

/// The workflow of these tests: it writes its name, and ends as specified.
const WORKFLOW: &str = r#"<workflow-app name="w" xmlns="uri:oozie:workflow:1.0">
<start to="leave"/>
<action name="leave"><shell xmlns="uri:oozie:shell-action:1.0"><exec>leave.sh</exec><argument>${when}</argument><argument>${out}</argument><file>leave.sh</file></shell><ok to="end"/><error to="failed"/></action>
<kill name="failed"><message>it was told to fail</message></kill>
<end name="end"/>
</workflow-app>
"#;

/// Waits while the file `hold` exists; fails if the file `fail-NAME` exists.
const LEAVE: &str = r#"#!/bin/sh
echo "$1" >> "$2/effects"
while [ -e "$2/hold" ]; do [ -d "$2" ] || exit 7; sleep 0.02; done
[ ! -e "$2/fail-$1" ]
"#;

/// A coordinator of `app/wf`, with these sections before its action, from 2026-01-01 on.
pub fn coordinator(minutes: u32, end: &str, sections: &str) -> String {
    format!(
        r#"<coordinator-app name="c" frequency="${{coord:minutes({minutes})}}" start="2026-01-01T00:00Z" end="2026-01-01T{end}Z" timezone="UTC" xmlns="uri:oozie:coordinator:0.5">
{sections}
<action><workflow><app-path>wf</app-path><configuration>
<property><name>when</name><value>${{coord:formatTime(coord:nominalTime(), 'HHmm')}}</value></property>
</configuration></workflow></action>
</coordinator-app>
"#
    )
}

pub fn world(coordinator: &str) -> World {
    World::of(&[
        ("coordinator.xml", coordinator),
        ("wf/workflow.xml", WORKFLOW),
        ("wf/leave.sh", LEAVE),
    ])
}

/// Daily data below `out/data`, used by the events of these tests.
pub const DATASETS: &str = r#"<datasets>
<dataset name="in" frequency="${coord:minutes(10)}" initial-instance="2026-01-01T00:00Z" timezone="UTC"><uri-template>${out}/data/${HOUR}${MINUTE}</uri-template></dataset>
<dataset name="made" frequency="${coord:minutes(10)}" initial-instance="2026-01-01T00:00Z" timezone="UTC"><uri-template>${out}/made/${HOUR}${MINUTE}</uri-template></dataset>
</datasets>
<input-events><data-in name="i" dataset="in"><instance>${coord:current(0)}</instance></data-in></input-events>
<output-events><data-out name="o" dataset="made"><instance>${coord:current(0)}</instance></data-out></output-events>"#;

pub fn arrive(world: &World, instance: &str) {
    let folder = world.out().join("data").join(instance);
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("_SUCCESS"), "").expect("a file");
}

/// The only coordinator in the state folder.
pub fn the_coordinator(world: &World) -> String {
    wait_for("a coordinator", || {
        let jobs = world.jobs();
        let found = jobs.iter().find(|job| text(&job["id"]).ends_with("-C"));
        found.map(|job| text(&job["id"]))
    })
}

pub fn actions(world: &World, id: &str) -> Vec<Value> {
    world
        .call(&["actions", id, "--json"])
        .expect(0)
        .json_lines()
}

pub fn statuses(world: &World, id: &str) -> Vec<String> {
    let actions = actions(world, id);
    actions
        .iter()
        .map(|action| text(&action["status"]))
        .collect()
}

#[track_caller]
fn await_statuses(world: &World, id: &str, expected: &[&str]) {
    wait_for(&format!("actions to be {expected:?}"), || {
        (statuses(world, id) == expected).then_some(())
    });
}

#[test]
fn every_nominal_time_runs_once() {
    let world = world(&coordinator(10, "01:00", ""));
    let ended = world.run(&["--speed", "600", "--json"]).expect(0);
    let times = ["0000", "0010", "0020", "0030", "0040", "0050"];
    assert_eq!(world.effects(), times);
    let id = the_coordinator(&world);
    let lines = ended.json_lines();
    let last = lines.last().expect("the job");
    assert_eq!(last["id"], id.as_str());
    assert_eq!(last["status"], "SUCCEEDED");
    for (action, number) in actions(&world, &id).iter().zip(1..) {
        assert_eq!(action["id"], format!("{id}@{number}"));
        assert_eq!(action["status"], "SUCCEEDED");
        let workflow = world.info(&text(&action["workflow_id"]));
        assert_eq!(workflow["parent"], action["id"]);
        assert_eq!(workflow["status"], "SUCCEEDED");
    }
    let shown = world.call(&["info", &id]).expect(0);
    assert!(shown.stdout.contains("6 SUCCEEDED"), "{}", shown.stdout);
}

#[test]
fn what_a_cluster_is_set_to_can_name_an_action() {
    let conf = "<property><name>when</name><value>${hadoop:conf('rm:8032', 'fs.defaultFS')}</value></property>";
    let text = coordinator(10, "00:10", "");
    let from = text.find("<property>").expect("there is one");
    let to = text.rfind("</configuration>").expect("there is one");
    let text = format!("{}{conf}{}", &text[..from], &text[to..]);
    let mut world = world(&text);
    let folder = world.path("conf");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(
        folder.join("core-site.xml"),
        "<configuration><property><name>fs.defaultFS</name><value>hdfs://nn:8020</value></property></configuration>",
    )
    .expect("a file");
    world.set("HADOOP_CONF_DIR", &folder.display().to_string());
    world.run(&[]).expect(0);
    assert_eq!(world.effects(), ["hdfs://nn:8020"]);
}

#[test]
fn a_failed_workflow_makes_it_done_with_error() {
    let world = world(&coordinator(10, "00:20", ""));
    fs::write(world.out().join("fail-0010"), "").expect("a file");
    let ended = world.run(&["--speed", "600"]).expect(6);
    assert!(ended.stderr.contains("DONEWITHERROR"), "{}", ended.stderr);
    let id = the_coordinator(&world);
    assert_eq!(statuses(&world, &id), ["SUCCEEDED", "KILLED"]);
    // Only failed nodes run again, in the same workflow.
    let workflow = text(&actions(&world, &id)[1]["workflow_id"]);
    fs::remove_file(world.out().join("fail-0010")).expect("it is there");
    world
        .call(&["rerun", &id, "--action", "2", "--failed"])
        .expect(0);
    world.await_status(&id, "SUCCEEDED");
    assert_eq!(actions(&world, &id)[1]["workflow_id"], workflow.as_str());
    assert_eq!(world.info(&workflow)["run"], 1);
    assert_eq!(world.effects(), ["0000", "0010", "0010"]);
}

#[test]
fn an_action_waits_for_its_data_and_says_so() {
    let world = world(&coordinator(10, "00:20", DATASETS));
    let id = world.submit(&[]);
    world.call(&["start", &id]).expect(0);
    await_statuses(&world, &id, &["WAITING", "WAITING"]);
    let uri = format!("{}/data/0010/_SUCCESS", world.out().display());
    let second = &actions(&world, &id)[1];
    assert_eq!(second["missing"], serde_json::json!([uri]));
    assert_eq!(second["waits"][0]["dataset"], "in");
    arrive(&world, "0010");
    await_statuses(&world, &id, &["WAITING", "SUCCEEDED"]);
    arrive(&world, "0000");
    world.await_status(&id, "SUCCEEDED");
    assert_eq!(world.effects(), ["0000", "0010"]);
}

#[test]
fn what_does_not_come_in_time_times_out() {
    let sections = format!("<controls><timeout>5</timeout></controls>{DATASETS}");
    let world = world(&coordinator(10, "00:20", &sections));
    arrive(&world, "0010");
    world.run(&["--speed", "600"]).expect(6);
    let id = the_coordinator(&world);
    assert_eq!(statuses(&world, &id), ["TIMEDOUT", "SUCCEEDED"]);
}

#[test]
fn commands_do_what_oozies_do_and_refuse_what_its_table_refuses() {
    let world = world(&coordinator(10, "00:30", ""));
    fs::write(world.out().join("hold"), "").expect("a file");
    let id = world.submit(&[]);
    assert_eq!(world.info(&id)["status"], "PREP");
    world.call(&["start", &id]).expect(0);
    await_statuses(&world, &id, &["RUNNING", "READY", "READY"]);
    for (arguments, code) in [
        (vec!["start", &id], "E0801"),
        (vec!["resume", &id], "E1100"),
        (vec!["rerun", &id, "--action", "1"], "E1018"),
        (vec!["ignore", &id, "--action", "1"], "E1024"),
        (vec!["change", &id, "--status", "RUNNING"], "E1015"),
        (vec!["change", &id, "frequency=5"], "E1015"),
        (
            vec!["change", &id, "--endtime", "2026-01-01T00:00Z"],
            "E1022",
        ),
        (vec!["kill", &id, "--action", "x"], "E0302"),
    ] {
        let refused = world.call(&arguments).expect(2);
        assert!(
            refused.stderr.contains(code),
            "{arguments:?}: {}",
            refused.stderr
        );
    }
    world.call(&["suspend", &id]).expect(0);
    assert_eq!(world.info(&id)["status"], "SUSPENDED");
    world.call(&["kill", &id, "--action", "3"]).expect(0);
    world.call(&["resume", &id]).expect(0);
    fs::remove_file(world.out().join("hold")).expect("it is there");
    world.await_status(&id, "DONEWITHERROR");
    assert_eq!(statuses(&world, &id), ["SUCCEEDED", "SUCCEEDED", "KILLED"]);
    let refused = world.call(&["kill", &id]).expect(2);
    assert!(refused.stderr.contains("E1020"), "{}", refused.stderr);
}

#[test]
fn a_killed_coordinator_kills_its_workflows() {
    let world = world(&coordinator(10, "00:30", ""));
    fs::write(world.out().join("hold"), "").expect("a file");
    let running = world.start(&["-Dhpdl.kill.grace=1"]);
    let id = the_coordinator(&world);
    await_statuses(&world, &id, &["RUNNING", "READY", "READY"]);
    world.call(&["kill", &id]).expect(0);
    assert_eq!(crate::harness::finish(running).code, Some(1));
    assert_eq!(statuses(&world, &id), ["KILLED", "KILLED", "KILLED"]);
    let workflow = text(&actions(&world, &id)[0]["workflow_id"]);
    assert_eq!(world.info(&workflow)["status"], "KILLED");
}

#[test]
fn a_rerun_removes_what_was_put_out_unless_told_not_to() {
    let world = world(&coordinator(10, "00:10", DATASETS));
    arrive(&world, "0000");
    let made = world.out().join("made/0000");
    world.run(&[]).expect(0);
    let id = the_coordinator(&world);
    for (options, stays) in [(&["--nocleanup"][..], true), (&[], false)] {
        fs::create_dir_all(&made).expect("a folder");
        let mut arguments = vec!["rerun", &id, "--date", "2026-01-01T00:00Z"];
        arguments.extend(options);
        arguments.push("--wait");
        world.call(&arguments).expect(0);
        assert_eq!(made.exists(), stays, "{options:?}");
    }
    assert_eq!(world.effects(), ["0000", "0000", "0000"]);
}

#[test]
fn an_update_changes_further_actions_and_shows_what_differs() {
    let text = coordinator(10, "00:20", DATASETS).replace("'HHmm')}", "'HHmm')}${tag}");
    let world = world(&text);
    arrive(&world, "0000");
    let id = world.submit(&["-Dtag=a"]);
    world.call(&["start", &id]).expect(0);
    await_statuses(&world, &id, &["SUCCEEDED", "WAITING"]);
    let shown = world
        .call(&["update", &id, "-Dtag=b", "--dry-run"])
        .expect(0);
    assert!(
        shown.stdout.contains("-tag = a\n+tag = b\n"),
        "{}",
        shown.stdout
    );
    world.call(&["update", &id, "-Dtag=b"]).expect(0);
    arrive(&world, "0010");
    world.await_status(&id, "SUCCEEDED");
    // The second action was created before the update.
    assert_eq!(world.effects(), ["0000a", "0010a"]);
    world
        .call(&["rerun", &id, "--action", "2", "--refresh", "--wait"])
        .expect(0);
    assert_eq!(world.effects(), ["0000a", "0010a", "0010b"]);
}

#[test]
fn what_a_job_lacks_is_said_before_anything_starts() {
    let text = coordinator(10, "00:20", "").replace("'HHmm')}", "'HHmm')}${tag}");
    let world = world(&text);
    let refused = world.call(&["submit"]).expect(2);
    for name in ["out", "tag"] {
        let given = world.call(&["params"]).expect(0).stdout;
        assert!(given.contains(name), "{given}");
    }
    assert!(
        refused.stderr.contains("property tag"),
        "{}",
        refused.stderr
    );
    let refused = world.call(&["submit", "-Dtag=a"]).expect(2);
    assert!(
        refused.stderr.contains("property out"),
        "{}",
        refused.stderr
    );
    assert!(world.jobs().is_empty());
}

#[test]
fn every_nominal_time_runs_once_whenever_the_owner_is_killed() {
    let world = world(&coordinator(
        10,
        "02:00",
        "<controls><concurrency>3</concurrency></controls>",
    ));
    let mut first = Some(world.start(&["--speed", "600"]));
    let id = the_coordinator(&world);
    for n in 1..12 {
        wait_for("an effect", || (world.effects().len() >= n).then_some(()));
        let running = first
            .take()
            .unwrap_or_else(|| world.spawn(&["recover", &id]));
        // A recovery may be killed immediately after its start, too.
        kill_dash_nine(running);
        assert!(!["KILLED", "FAILED"].contains(&text(&world.info(&id)["status"]).as_str()));
        first = Some(world.spawn(&["recover", &id]));
    }
    let last = crate::harness::finish(first.take().expect("a recovery"));
    // It may have ended already.
    assert!([Some(0), Some(2)].contains(&last.code), "{}", last.stderr);
    world.await_status(&id, "SUCCEEDED");
    let expected: Vec<String> = (0..12)
        .map(|n| format!("{:02}{:02}", n / 6, n % 6 * 10))
        .collect();
    assert_eq!(world.effects(), expected);
    assert!(
        world.call(&["doctor"]).code == Some(0),
        "{}",
        world.call(&["doctor"]).stdout
    );
}

const BUNDLE: &str = r#"<bundle-app name="b" xmlns="uri:oozie:bundle:0.2">
<parameters><property><name>more</name><value>false</value></property></parameters>
<coordinator name="one"><app-path>coordinator.xml</app-path></coordinator>
<coordinator name="two"><app-path>coordinator.xml</app-path><configuration><property><name>prefix</name><value>x</value></property></configuration></coordinator>
<coordinator name="three" enabled="${more}"><app-path>coordinator.xml</app-path></coordinator>
</bundle-app>
"#;

fn bundle() -> World {
    let text = coordinator(
        10,
        "00:20",
        "<parameters><property><name>prefix</name><value>y</value></property></parameters>",
    )
    .replace("${coord:formatTime", "${prefix}${coord:formatTime");
    World::of(&[
        ("bundle.xml", BUNDLE),
        ("coordinator.xml", &text),
        ("wf/workflow.xml", WORKFLOW),
        ("wf/leave.sh", LEAVE),
    ])
}

#[test]
fn a_bundle_runs_its_coordinators_and_runs_one_again() {
    let world = bundle();
    let ended = world.run(&["--speed", "600", "--json"]).expect(0);
    assert_eq!(world.effects(), ["x0000", "x0010", "y0000", "y0010"]);
    let info = ended.json_lines().pop().expect("the job");
    let id = text(&info["id"]);
    assert!(id.ends_with("-B"), "{id}");
    let coordinators = info["coordinators"].as_array().expect("a list");
    let names: Vec<&Value> = coordinators.iter().map(|it| &it["name"]).collect();
    assert_eq!(names, ["one", "two"]);
    for coordinator in coordinators {
        assert_eq!(coordinator["status"], "SUCCEEDED");
        assert_eq!(coordinator["parent"], id.as_str());
    }
    world
        .call(&["rerun", &id, "--coordinator", "two"])
        .expect(0);
    wait_for("four more effects", || {
        (world.effects().len() == 6).then_some(())
    });
    world.await_status(&id, "SUCCEEDED");
    assert_eq!(
        world.effects(),
        ["x0000", "x0000", "x0010", "x0010", "y0000", "y0010"]
    );
}

#[test]
fn a_bundle_suspends_resumes_and_kills_what_it_has_started() {
    let world = bundle();
    fs::write(world.out().join("hold"), "").expect("a file");
    let id = world.submit(&["-Dhpdl.kill.grace=1"]);
    world.call(&["start", &id]).expect(0);
    wait_for("both to run", || (world.effects().len() == 2).then_some(()));
    world.call(&["suspend", &id]).expect(0);
    assert_eq!(world.info(&id)["status"], "SUSPENDED");
    world.call(&["resume", &id]).expect(0);
    wait_for("both to run on", || {
        let info = world.info(&id);
        let coordinators = info["coordinators"].as_array()?.clone();
        coordinators
            .iter()
            .all(|it| it["status"] == "RUNNING")
            .then_some(())
    });
    world.call(&["kill", &id]).expect(0);
    world.await_status(&id, "KILLED");
    for coordinator in world.info(&id)["coordinators"].as_array().expect("a list") {
        world.await_status(&text(&coordinator["id"]), "KILLED");
    }
}

/// In Oozie, a lost command left bundles with a coordinator that was never submitted.
#[test]
fn oozie_1893_what_a_dead_owner_has_begun_to_submit_is_submitted() {
    let world = bundle();
    let mut owner = world.start(&["--speed", "600"]);
    let id = wait_for("a bundle", || {
        let jobs = world.jobs();
        let found = jobs.iter().find(|job| text(&job["id"]).ends_with("-B"));
        found.map(|job| text(&job["id"]))
    });
    for _ in 0..3 {
        kill_dash_nine(owner);
        owner = world.spawn(&["recover", &id]);
    }
    crate::harness::finish(owner);
    world.await_status(&id, "SUCCEEDED");
    assert_eq!(world.effects(), ["x0000", "x0010", "y0000", "y0010"]);
}
