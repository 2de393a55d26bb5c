//! Workflows on the real systems that `tests/cluster/up` has started: what actions do there, and what happens to a job when
//! its owner or a part of the cluster fails. A test whose systems are not running prints one line and is skipped.

#[path = "../e2e/cluster.rs"]
#[allow(dead_code, reason = "the tests of e2e use the rest of it")]
mod cluster;
#[path = "../e2e/harness.rs"]
#[allow(dead_code, reason = "the tests of e2e use the rest of it")]
mod harness;

mod actions;
mod applications;
mod bodies;
mod config_class;
mod contained_tools;
mod containers;
mod drivers;
mod examples;
mod ha;
mod hcat;
mod java;
mod kerberos;
mod oozie_examples;
mod outages;
mod resource_managers;
mod spark;
mod task_files;

use std::{
    path::Path,
    process::Child,
    sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard},
    time::Duration,
};

use serde_json::Value;

use self::{
    cluster::Cluster,
    harness::{Ended, World, wait_within, workflow},
};

/// How long a job on a cluster may take if it shares two cores with other tests.
const PATIENCE: Duration = Duration::from_secs(600);

/// A test that stops a daemon locks the cluster exclusively.
static CLUSTER: RwLock<()> = RwLock::new(());

fn share() -> RwLockReadGuard<'static, ()> {
    CLUSTER.read().unwrap_or_else(PoisonError::into_inner)
}

fn alone() -> RwLockWriteGuard<'static, ()> {
    CLUSTER.write().unwrap_or_else(PoisonError::into_inner)
}

/// Whether the tests run too that show for another tool or example what one has shown: half a minute or more each.
fn is_thorough() -> bool {
    let is_asked = std::env::var_os("HPDL_TEST_ALL").is_some();
    if !is_asked {
        println!("skipped: HPDL_TEST_ALL is not set");
    }
    is_asked
}

/// Gives a program the cluster's `bin` and settings.
fn on(cluster: &Cluster, mut world: World) -> World {
    let folder = cluster.folder.display();
    let path = std::env::var("PATH").unwrap_or_default();
    world.set("PATH", &format!("{folder}/bin:{path}"));
    world.set("HADOOP_HOME", &folder.to_string());
    world.set("HADOOP_CONF_DIR", &format!("{folder}/conf"));
    world.set("HPDL_SITE", &format!("{folder}/hpdl-site.xml"));
    world
}

/// A workflow whose actions use the cluster in the job's properties.
fn workflow_on_cluster(nodes: &str) -> String {
    let global = "<global><resource-manager>${resourceManager}</resource-manager><name-node>${nameNode}</name-node></global>\n<start";
    workflow(nodes).replacen("<start", global, 1)
}

/// The properties that every job on the cluster gets: its addresses, and a folder for one test.
fn properties(cluster: &Cluster, name: &str) -> Vec<String> {
    let file = cluster.folder.join("job.properties");
    let folder = cluster.folder("HDFS", name);
    let folder = folder.replacen(cluster.address("HDFS"), "", 1);
    vec![
        "-c".to_owned(),
        file.display().to_string(),
        format!("-Dfolder={folder}"),
    ]
}

/// The folder that `properties` name, as a URI.
fn folder_of(cluster: &Cluster, properties: &[String]) -> String {
    let folder = properties
        .iter()
        .find_map(|it| it.strip_prefix("-Dfolder="));
    let folder = folder.expect("it is named");
    format!("{}{folder}", cluster.address("HDFS"))
}

/// Runs a job to its end; returns its `info`.
#[track_caller]
fn run(world: &World, properties: &[String], exit: i32) -> Value {
    let arguments: Vec<&str> = properties.iter().map(String::as_str).collect();
    finish(world.start(&arguments)).expect(exit);
    world.info(&world.job().expect("a job"))
}

#[track_caller]
fn wait_for<T>(what: &str, condition: impl FnMut() -> Option<T>) -> T {
    wait_within(PATIENCE, condition).unwrap_or_else(|| panic!("waited {PATIENCE:?} for {what}"))
}

/// Waits for the end of a command that was started; its pipes hold its output.
#[track_caller]
fn finish(mut child: Child) -> Ended {
    wait_for("a command to end", || {
        child.try_wait().expect("it is our child")
    });
    harness::finish(child)
}

/// The applications that the resource manager has under a tag or a name with `words` in it.
fn applications(cluster: &Cluster, words: &str) -> Vec<Value> {
    let answer = std::process::Command::new("curl")
        .args(["-s", "-m", "60"])
        .arg(format!(
            "{}/ws/v1/cluster/apps",
            cluster.address("RESOURCE_MANAGER_WEB")
        ))
        .output()
        .expect("curl exists where a cluster is up");
    let answer: Value = serde_json::from_slice(&answer.stdout).unwrap_or_default();
    let all = answer["apps"]["app"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let has = |app: &Value, key: &str| app[key].as_str().is_some_and(|text| text.contains(words));
    all.into_iter()
        .filter(|app| has(app, "name") || has(app, "applicationTags"))
        .collect()
}

fn example(name: &str) -> World {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../examples")
        .join(name);
    World::of_folder(&folder)
}
