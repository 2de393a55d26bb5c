//! Which jobs are suspended together, and the nodes before which a job stops.

use serde_json::Value;

use crate::{
    harness::{STEP, World, action, finish, node, step, text, wait_for, workflow},
    states,
};

/// `s` is a sub-workflow of `a` and `b`; then `c`.
fn family() -> World {
    let sub = r#"<sub-workflow><app-path>${wf:appPath()}/child</app-path><propagate-configuration/></sub-workflow>"#;
    let parent = [action("s", sub, "c"), step("c", "0", "end")].concat();
    let child = [step("a", "gated", "b"), step("b", "gated", "end")].concat();
    World::of(&[
        ("workflow.xml", &workflow(&parent)),
        ("step.sh", STEP),
        ("child/workflow.xml", &workflow(&child)),
        ("child/step.sh", STEP),
    ])
}

/// Starts the job; returns the ids of the parent and of its child, which runs `a`.
fn begun(world: &World) -> (String, String) {
    let id = world.submit(&[]);
    world.call(&["start", &id]).expect(0);
    world.await_running("a");
    let child = text(&node(&world.info(&id), "s")["external_id"]);
    (id, child)
}

fn status(world: &World, id: &str) -> Value {
    world.info(id)["status"].clone()
}

#[test]
fn a_suspended_child_suspends_its_parent_and_is_resumed_alone() {
    let world = family();
    let (parent, child) = begun(&world);
    world.call(&["suspend", &child]).expect(0);
    assert_eq!(status(&world, &child), "SUSPENDED");
    assert_eq!(status(&world, &parent), "SUSPENDED");
    world.open_gate("a");
    world.open_gate("b");
    world.call(&["resume", &child, "--wait"]).expect(0);
    assert_eq!(status(&world, &child), "SUCCEEDED");
    let info = world.info(&parent);
    assert_eq!(info["status"], "SUSPENDED");
    assert_eq!(node(&info, "s")["status"], "DONE", "{info:#}");
    assert_eq!(world.effects(), ["a", "b"]);
    world.call(&["resume", &parent, "--wait"]).expect(0);
    assert_eq!(world.effects(), ["a", "b", "c"]);
}

#[test]
fn a_suspended_parent_lets_its_child_go_on() {
    let world = family();
    let (parent, child) = begun(&world);
    world.call(&["suspend", &parent]).expect(0);
    assert_eq!(status(&world, &child), "RUNNING");
    world.open_gate("a");
    world.await_running("b");
    world.open_gate("b");
    world.await_status(&child, "SUCCEEDED");
    wait_for("the parent's action to be parked", || {
        (node(&world.info(&parent), "s")["status"] == "DONE").then_some(())
    });
    assert_eq!(status(&world, &parent), "SUSPENDED");
    // Its owner drives the child, and receives the resume.
    world.call(&["resume", &parent, "--wait"]).expect(0);
    assert_eq!(world.effects(), ["a", "b", "c"]);
}

#[test]
fn a_parent_is_resumed_while_the_same_owner_drives_its_child() {
    let world = family();
    let (parent, child) = begun(&world);
    for _ in 0..3 {
        world.call(&["suspend", &parent]).expect(0);
        world.call(&["resume", &parent]).expect(0);
    }
    assert_eq!(status(&world, &child), "RUNNING");
    world.open_gate("a");
    world.open_gate("b");
    world.await_status(&parent, "SUCCEEDED");
    assert_eq!(world.effects(), ["a", "b", "c"]);
}

#[test]
fn a_child_that_waits_after_a_failure_does_not_suspend_its_parent() {
    let sub = r#"<sub-workflow><app-path>${wf:appPath()}/child</app-path><propagate-configuration/></sub-workflow>"#;
    let world = World::of(&[
        ("workflow.xml", &workflow(&action("s", sub, "end"))),
        ("child/workflow.xml", &workflow(&step("a", "gated", "end"))),
        ("child/step.sh", STEP),
    ]);
    let owner = world.start(&[]);
    world.await_running("a");
    let id = world.job().expect("a job");
    let child = text(&node(&world.info(&id), "s")["external_id"]);
    let process = world.launcher_of(&child, "a");
    crate::harness::signal("KILL", process);
    finish(owner).expect(4);
    assert_eq!(status(&world, &child), "SUSPENDED");
    assert_eq!(status(&world, &id), "RUNNING");
    world.call(&["kill", &id]).expect(0);
}

const FORK: &str = "<fork name=\"both\"><path start=\"a\"/><path start=\"b\"/></fork>";

fn forked() -> World {
    let nodes = [
        FORK.to_owned(),
        step("a", "0", "met"),
        step("b", "0", "met"),
        "<join name=\"met\" to=\"end\"/>".to_owned(),
    ];
    World::of_nodes(&nodes.concat())
}

#[test]
fn a_job_stops_before_the_nodes_that_it_names() {
    let world = World::of_nodes(&[step("a", "0", "b"), step("b", "0", "end")].concat());
    let ended = world
        .run(&["-Doozie.suspend.on.nodes= b , no-such-node"])
        .expect(4);
    let id = world.job().expect("a job");
    let next = format!("suspended before b; continue with: resume {id}");
    assert!(ended.stderr.contains(&next), "{}", ended.stderr);
    assert_eq!(world.effects(), ["a"]);
    assert_eq!(states(&world.info(&id)), ["a OK", "b PREP"]);
    world.call(&["resume", &id, "--wait"]).expect(0);
    assert_eq!(world.effects(), ["a", "b"]);
}

#[test]
fn no_branch_of_a_fork_begins_where_the_job_stops_before_one() {
    let world = forked();
    world.run(&["-Doozie.suspend.on.nodes=b"]).expect(4);
    let id = world.job().expect("a job");
    assert_eq!(world.effects(), [""; 0]);
    assert_eq!(states(&world.info(&id)), ["a PREP", "b PREP", "both OK"]);
    world.call(&["resume", &id, "--wait"]).expect(0);
    assert_eq!(world.effects(), ["a", "b"]);
}

#[test]
fn a_star_stops_the_job_before_every_node() {
    let world = forked();
    world.run(&["-Doozie.suspend.on.nodes=*"]).expect(4);
    let id = world.job().expect("a job");
    let mut n_stops = 1;
    while world.call(&["resume", &id, "--wait"]).code == Some(4) {
        n_stops += 1;
        assert!(n_stops < 10, "{:#}", world.info(&id));
    }
    // Before start, fork, both branches at once, join and end.
    assert_eq!(n_stops, 5, "{}", world.log(&id));
    assert_eq!(status(&world, &id), "SUCCEEDED");
    assert_eq!(world.effects(), ["a", "b"]);
}

#[test]
fn names_of_nodes_are_the_parents_own_where_nothing_is_propagated() {
    let sub = "<sub-workflow><app-path>${wf:appPath()}/child</app-path><configuration><property><name>out</name><value>${out}</value></property></configuration></sub-workflow>";
    let world = World::of(&[
        ("workflow.xml", &workflow(&action("s", sub, "end"))),
        ("child/workflow.xml", &workflow(&step("a", "0", "end"))),
        ("child/step.sh", STEP),
    ]);
    world.run(&["-Doozie.suspend.on.nodes=a"]).expect(0);
    assert_eq!(world.effects(), ["a"]);
}

#[test]
fn a_suspend_point_of_a_child_stops_the_parent_too() {
    let world = family();
    world.open_gate("a");
    world.open_gate("b");
    world.run(&["-Doozie.suspend.on.nodes=b"]).expect(4);
    let jobs = world.jobs();
    assert_eq!(jobs.len(), 2);
    for job in &jobs {
        assert_eq!(job["status"], "SUSPENDED", "{job:#}");
    }
    for job in &jobs {
        world.call(&["resume", &text(&job["id"]), "--wait"]);
    }
    assert_eq!(world.effects(), ["a", "b", "c"]);
}

#[test]
fn a_node_that_a_rerun_skips_may_wait_for_the_resume() {
    let fork = "<fork name=\"both\"><path start=\"a\"/><path start=\"b\"/></fork>\n\
                <join name=\"joined\" to=\"end\"/>\n";
    let nodes = [
        step("first", "0", "both"),
        fork.to_owned(),
        step("a", "0", "joined"),
        step("b", "0", "joined"),
    ];
    let world = World::of_nodes(&nodes.concat());
    world.run(&[]).expect(0);
    let id = world.job().expect("a job");
    let skip = "-Doozie.wf.rerun.skip.nodes=a";
    let stop = "-Doozie.suspend.on.nodes=b";
    world.afresh_out();
    world.call(&["rerun", &id, skip, stop, "--wait"]).expect(4);
    assert_eq!(status(&world, &id), "SUSPENDED");
    world.call(&["doctor"]).expect(0);
    // Another process reads from the store that the job has reached `a`.
    world.call(&["resume", &id, "--wait"]).expect(0);
    assert_eq!(status(&world, &id), "SUCCEEDED");
    assert_eq!(world.effects(), ["b", "first"]);
}
