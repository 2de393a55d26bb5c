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
fn an_owner_that_waits_ends_when_its_state_folder_is_deleted() {
    let world = world(&coordinator(10, "00:20", DATASETS));
    let mut owner = world.start(&[]);
    let id = the_coordinator(&world);
    await_statuses(&world, &id, &["WAITING", "WAITING"]);
    fs::remove_dir_all(world.home()).expect("the folder goes");
    let ended = wait_for("the owner to end", || owner.try_wait().expect("our child"));
    assert!(!ended.success(), "{ended}");
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
