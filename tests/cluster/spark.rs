//! A Spark application on YARN, whatever happens to the processes that have started it.

use std::fs;

use serde_json::Value;

use crate::{
    applications::{await_gate, open, states},
    cluster::Cluster,
    finish,
    harness::{World, action, is_running, kill_dash_nine, node, signal},
    on, properties, share, wait_for, workflow_on_cluster,
};

/// An application in cluster mode that reports that it runs and waits for a gate: both are local files, on the node manager's
/// machine.
pub fn gated(cluster: &Cluster) -> World {
    let body = "<spark xmlns='uri:oozie:spark-action:1.0'><master>yarn</master><mode>cluster</mode><name>${out}</name>\
        <jar>gate.py</jar><spark-opts>--conf spark.yarn.maxAppAttempts=1</spark-opts><arg>${out}</arg></spark>";
    let program = "import os, sys, time\nfrom pyspark.sql import SparkSession\nout = sys.argv[1]\n\
        spark = SparkSession.builder.getOrCreate()\nopen(out + '/runs', 'w').close()\n\
        while not os.path.exists(out + '/open'):\n    if not os.path.isdir(out):\n        sys.exit(7)\n    time.sleep(0.1)\n\
        spark.stop()\n";
    let document = workflow_on_cluster(&action("a", body, "end"));
    let files = [("workflow.xml", &*document), ("lib/gate.py", program)];
    on(cluster, World::of(&files))
}

/// Kills the processes that have started the application: hpdlc's and the tool.
pub fn kill_starters(world: &World, id: &str) {
    let claim = world.attempt_file(id, "a", 1, "claim");
    let text = fs::read_to_string(claim).expect("a claim");
    let process = text.lines().rev().find_map(|line| {
        let record: Value = serde_json::from_str(line).ok()?;
        i32::try_from(record["process"].as_i64()?).ok()
    });
    let process = process.expect("a claim names the process");
    let launcher = world.launcher_of(id, "a");
    signal("KILL", launcher);
    // With its whole process group on this machine.
    signal("KILL", -process);
    wait_for("all to be gone", || {
        (!is_running(launcher) && !is_running(process)).then_some(())
    });
}

#[test]
fn an_application_in_cluster_mode_outlives_spark_submit() {
    let _shared = share();
    let Some(cluster) = Cluster::of(&["resourcemanager", "spark/"]) else {
        return;
    };
    let world = gated(&cluster);
    let properties = properties(&cluster, "spark-outlives");
    let arguments: Vec<&str> = properties.iter().map(String::as_str).collect();
    let owner = world.start(&arguments);
    await_gate(&world);
    let id = world.job().expect("a job");
    kill_dash_nine(owner);
    kill_starters(&world, &id);
    let owner = world.spawn(&["recover"]);
    open(&world.out());
    finish(owner).expect(0);
    assert_eq!(states(&cluster, &world), ["FINISHED SUCCEEDED"]);
    let info = world.info(&id);
    assert_eq!(node(&info, "a")["external_status"], "SUCCEEDED", "{info:#}");
    let external = node(&info, "a")["external_id"].as_str().expect("an id");
    assert!(external.starts_with("application_"), "{external}");
}

#[test]
fn who_kills_a_job_kills_its_application_of_spark() {
    let _shared = share();
    let Some(cluster) = Cluster::of(&["resourcemanager", "spark/"]) else {
        return;
    };
    let world = gated(&cluster);
    let properties = properties(&cluster, "spark-killed");
    let arguments: Vec<&str> = properties.iter().map(String::as_str).collect();
    let owner = world.start(&arguments);
    await_gate(&world);
    let id = world.job().expect("a job");
    world.call(&["kill", &id]).expect(0);
    finish(owner).expect(1);
    wait_for("the application to be killed", || {
        (states(&cluster, &world) == ["KILLED KILLED"]).then_some(())
    });
    assert_eq!(node(&world.info(&id), "a")["status"], "KILLED");
}
