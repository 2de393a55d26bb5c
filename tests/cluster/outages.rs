//! Parts of the cluster fail during a job, and come back.

use crate::{
    alone,
    applications::{await_gate, gated, open, ready, states},
    cluster::Cluster,
    finish,
};

/// The application continues meanwhile, and so does the job.
#[test]
fn a_resource_manager_that_comes_back_is_waited_for() {
    let _alone = alone();
    let Some(cluster) = Cluster::of(&["resourcemanager"]) else {
        return;
    };
    let world = gated(&cluster);
    let properties = ready(&cluster, "resource-manager");
    let arguments: Vec<&str> = properties.iter().map(String::as_str).collect();
    let owner = world.start(&arguments);
    await_gate(&world);
    cluster.stop("resourcemanager");
    let id = world.job().expect("a job");
    assert_eq!(world.info(&id)["status"], "RUNNING");
    cluster.start("resourcemanager");
    open(&world.out());
    finish(owner).expect(0);
    assert_eq!(states(&cluster, &world), ["FINISHED SUCCEEDED"]);
}

/// No resource manager runs when the action starts.
#[test]
fn an_action_that_finds_no_resource_manager_is_tried_again() {
    let _alone = alone();
    let Some(cluster) = Cluster::of(&["resourcemanager"]) else {
        return;
    };
    let world = gated(&cluster);
    let mut properties = ready(&cluster, "nobody");
    // As long as a slow machine takes to start one.
    properties
        .extend(["retry.interval=1", "retries.max=300"].map(|it| format!("-Doozie.action.{it}")));
    let arguments: Vec<&str> = properties.iter().map(String::as_str).collect();
    cluster.stop("resourcemanager");
    let owner = world.start(&arguments);
    cluster.start("resourcemanager");
    await_gate(&world);
    open(&world.out());
    finish(owner).expect(0);
    assert_eq!(states(&cluster, &world), ["FINISHED SUCCEEDED"]);
}
