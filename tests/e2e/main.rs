//! Workflows compiled and run as users do, with the results that Oozie's rules require.

mod building;
mod callbacks;
#[allow(dead_code, reason = "the tests of cluster use the rest of it")]
mod cluster;
mod commands;
mod coordinator_reruns;
mod coordinators;
mod corpus;
mod email;
mod empty_parts;
mod examples;
mod extensions;
mod found_applications;
mod git;
mod glibc;
mod hadoop;
#[allow(dead_code, reason = "the tests of crash use the rest of it")]
mod harness;
mod hdfs;
mod home;
mod hpdl;
mod http;
mod java;
mod json;
mod keeping;
mod keys;
mod lifecycle;
mod notifications;
mod on_failure;
mod oozie_client;
mod pictures;
mod processes;
mod processing_zones;
mod proposal;
mod refused;
mod rush;
mod secret_elements;
mod secrets;
mod serve;
mod serve_access;
mod serve_compile;
mod serve_deploy;
mod serve_instances;
mod serve_kerberos;
mod serve_remote;
mod sessions;
mod simulate;
mod sla;
mod ssh;
mod started_applications;
mod time_limits;
mod versions;
mod visible;
mod watched_actions;
mod yarn;
mod yarn_applications;

use serde_json::Value;

use self::harness::{Ended, World};

/// Runs a workflow to its end; returns the command's result, and the job's `info`.
#[track_caller]
fn run(world: &World, properties: &[&str], exit: i32) -> (Ended, Value) {
    let ended = world.run(properties).expect(exit);
    let id = world.job().expect("a job");
    let info = world.info(&id);
    (ended, info)
}

/// The names of a job's nodes with their states, sorted by name.
fn states(info: &Value) -> Vec<String> {
    let actions = info["actions"].as_array().expect("actions");
    let mut states: Vec<String> = actions
        .iter()
        .filter(|action| action["type"] != ":START:")
        .map(|action| {
            format!(
                "{} {}",
                harness::text(&action["name"]),
                harness::text(&action["status"])
            )
        })
        .collect();
    states.sort();
    states
}

/// A shell action that runs a line of `sh`; a quote in it must be a double one.
fn sh(name: &str, line: &str, more: &str, next: &str) -> String {
    let line = line.replace('&', "&amp;").replace('<', "&lt;");
    let body = format!(
        "<shell xmlns='uri:oozie:shell-action:1.0'><exec>sh</exec><argument>-c</argument><argument>{line}</argument>{more}</shell>"
    );
    harness::action(name, &body, next)
}
