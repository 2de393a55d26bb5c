//! A sub-workflow with `host-url`: two servers with a state folder each, a parent here and its child there.

use std::{thread, time::Duration};

use serde_json::Value;

use crate::{
    harness::{World, finish, kill_dash_nine, step, text, wait_for},
    serve::{Server, gated},
};

const PARENT: &str = r#"<hadoop-workflow name="parent">
  <start to="child"/>
  <sub-workflow name="child">
    <host-url>${other}</host-url>
    <hadoop-workflow>hdfs://nn/apps/case</hadoop-workflow>
    <configuration>
      <property><name>out</name><value>${place}</value></property>
    </configuration>
    <transition name="OK" to="end"/>
    <transition name="ERROR" to="failed"/>
  </sub-workflow>
  <fail name="failed"><message>no</message></fail>
  <end name="end"/>
</hadoop-workflow>"#;

/// The jobs of a server.
fn jobs(server: &Server) -> Vec<Value> {
    let page = server.json("/v1/jobs?jobtype=wf");
    page["workflows"].as_array().cloned().unwrap_or_default()
}

fn given(child: &World, server: &Server) -> [String; 2] {
    [
        format!("-Dother=http://{}/oozie", server.address()),
        format!("-Dplace={}", child.out().display()),
    ]
}

fn await_child(server: &Server, status: &str) -> String {
    wait_for(&format!("the child to be {status}"), || {
        let jobs = jobs(server);
        assert!(jobs.len() < 2, "started once: {jobs:?}");
        let found = jobs.iter().find(|job| job["status"] == status)?;
        Some(text(&found["id"]))
    })
}

#[test]
fn a_child_runs_on_the_other_instance_and_is_found_again() {
    let child = gated();
    let server = Server::start(&child);
    let parent = World::of(&[("workflow.xml", PARENT)]);
    let [other, place] = given(&child, &server);
    let owner = parent.start(&[&other, &place]);
    await_child(&server, "RUNNING");
    child.await_running("a");
    // The owner dies; the next one waits for the same child.
    let id = parent.job().expect("a job");
    kill_dash_nine(owner);
    let recovering = parent.spawn(&["recover"]);
    thread::sleep(Duration::from_secs(1));
    child.open_gate("a");
    await_child(&server, "SUCCEEDED");
    parent.await_status(&id, "SUCCEEDED");
    finish(recovering);
    let info = parent.info(&id);
    let own = info["actions"].as_array().expect("actions").iter();
    let own = own.map(|action| text(&action["external_id"]));
    let there = text(&jobs(&server)[0]["id"]);
    assert!(own.collect::<Vec<_>>().contains(&there), "{info:#}");
    let found = server.json(&format!("/v1/jobs?jobtype=wf&external-id={id}%40child%400"));
    assert_eq!(found["id"], there.as_str());
}

#[test]
fn a_child_is_killed_with_its_parent() {
    let child = gated();
    let server = Server::start(&child);
    let parent = World::of(&[("workflow.xml", PARENT)]);
    let [other, place] = given(&child, &server);
    let owner = parent.start(&[&other, &place]);
    await_child(&server, "RUNNING");
    child.await_running("a");
    let id = parent.job().expect("a job");
    parent.call(&["kill", &id]).expect(0);
    await_child(&server, "KILLED");
    finish(owner);
}

#[test]
fn a_refused_child_fails_its_action_with_the_code_of_the_instance() {
    let child = World::of_nodes(&step("a", "0", "end"));
    let server = Server::start(&child);
    let parent = World::of(&[(
        "workflow.xml",
        &PARENT.replace("hdfs://nn/apps/case", "hdfs://nn/apps/nowhere"),
    )]);
    let [other, place] = given(&child, &server);
    parent.run(&[&other, &place]).expect(3);
    let info = parent.info(&parent.job().expect("a job"));
    let actions = info["actions"].as_array().expect("actions");
    let failed = actions.iter().find(|it| it["name"] == "child");
    let failed = failed.expect("the action");
    assert!(text(&failed["error_code"]).starts_with('E'), "{failed:#}");
    assert!(jobs(&server).is_empty());
}
