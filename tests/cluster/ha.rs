//! Containers on a cluster with two name nodes, two resource managers, labels, queues that not all may use, and preemption, which
//! `tests/cluster/up FOLDER ha hdfs yarn` has started in the folder that HPDL_HA_CLUSTER names.

use std::process::Command;

use serde_json::Value;

use crate::{
    alone,
    cluster::{Cluster, user},
    containers::{
        GATED, LAUNCHER, await_program, gated, in_containers, open, pid, runs, shell, start, world,
    },
    finish, folder_of,
    harness::{World, is_running, node, text},
    is_thorough, run, share, wait_for,
};

mod failover;

/// The ids of the resource managers and of the name nodes, and what their daemons are.
pub const MANAGERS: [(&str, &str); 2] = [("rm1", "resourcemanager"), ("rm2", "resourcemanager2")];
const NAME_NODES: [&str; 2] = ["nn1", "nn2"];

/// The pages of a resource manager.
pub fn web(cluster: &Cluster, number: usize) -> &str {
    cluster.address(["RESOURCE_MANAGER_WEB", "RESOURCE_MANAGER_WEB2"][number])
}

/// The number of the active resource manager.
pub fn active(cluster: &Cluster) -> usize {
    wait_for("an active resource manager", || {
        (0..2).find(|&number| {
            let info = get(&format!("{}/ws/v1/cluster/info", web(cluster, number)));
            info["clusterInfo"]["haState"] == "ACTIVE"
        })
    })
}

pub fn get(url: &str) -> Value {
    let answer = Command::new("curl").args(["-s", "-m", "20", url]).output();
    let answer = answer.expect("curl exists where a cluster is up");
    serde_json::from_slice(&answer.stdout).unwrap_or_default()
}

/// An administrator's command.
#[track_caller]
pub fn admin(cluster: &Cluster, program: &str, arguments: &[&str]) {
    let status = Command::new(cluster.folder.join("bin").join(program))
        .args(arguments)
        .env("HADOOP_CONF_DIR", cluster.folder.join("conf"))
        .output()
        .expect("it exists where a cluster is up");
    let said = String::from_utf8_lossy(&status.stderr);
    assert!(status.status.success(), "{program} {arguments:?}: {said}");
}

/// The other resource manager becomes the active one; its number.
pub fn fail_over(cluster: &Cluster) -> usize {
    let from = active(cluster);
    let to = 1 - from;
    admin(
        cluster,
        "yarn",
        &["rmadmin", "-transitionToStandby", MANAGERS[from].0],
    );
    admin(
        cluster,
        "yarn",
        &["rmadmin", "-transitionToActive", MANAGERS[to].0],
    );
    to
}

/// The applications of a job, as the active resource manager shows them to `viewer`.
fn applications_for(cluster: &Cluster, world: &World, viewer: &str) -> Vec<Value> {
    let job = world.job().expect("a job");
    let web = web(cluster, active(cluster));
    let all = get(&format!("{web}/ws/v1/cluster/apps?user.name={viewer}"));
    let all = all["apps"]["app"].as_array().cloned().unwrap_or_default();
    let is_own = |app: &Value| text(&app["name"]).contains(&job);
    all.into_iter().filter(is_own).collect()
}

pub fn states(cluster: &Cluster, world: &World) -> Vec<String> {
    let all = applications_for(cluster, world, &user());
    let state = |app: &Value| format!("{} {}", text(&app["state"]), text(&app["finalStatus"]));
    all.iter().map(state).collect()
}

fn with(mut properties: Vec<String>, more: &[&str]) -> Vec<String> {
    properties.extend(more.iter().map(|it| format!("-D{it}")));
    properties
}

#[track_caller]
fn assert_failed(info: &Value, words: &[&str]) {
    let failed = node(info, "a");
    assert_eq!(failed["error_code"], "JA018", "{failed:#}");
    let message = text(&failed["error_message"]);
    for words in words {
        assert!(message.contains(words), "{message}");
    }
    assert!(!message.contains("java.lang"), "{message}");
}

#[test]
fn a_label_is_where_the_container_runs() {
    let _shared = share();
    let Some(cluster) = Cluster::doubled() else {
        return;
    };
    let body = shell("say.sh", "<file>${nameNode}${folder}/far.txt</file>");
    let script = "echo node=$NM_PORT\necho far=`cat far.txt`\n";
    let world = world(&cluster, &body, ("say.sh", script));
    let on_queue = "oozie.launcher.queue=etl";
    let of_label = "hpdl.launcher.yarn.node.label=gpu";
    let properties = with(in_containers(&cluster, "label"), &[on_queue, of_label]);
    let folder = folder_of(&cluster, &properties);
    cluster.write(&format!("{folder}/far.txt"), "far away");
    let data = node(&run(&world, &properties, 0), "a")["data"].clone();
    let ports = std::fs::read_to_string(cluster.folder.join("ha")).expect("it is there");
    let labeled = ports.lines().find_map(|line| line.strip_prefix("nm="));
    assert_eq!(data["node"].as_str(), labeled);
    // It is on the name service.
    assert_eq!(data["far"], "far away");
}

#[test]
fn a_label_and_a_queue_that_are_not_there_or_not_for_all_are_said() {
    let _shared = share();
    let Some(cluster) = Cluster::doubled() else {
        return;
    };
    let mut world = world(&cluster, &shell("say.sh", ""), ("say.sh", "echo\n"));
    for (name, settings, words) in [
        (
            "no-label",
            &[
                "oozie.launcher.queue=etl",
                "hpdl.launcher.yarn.node.label=none",
            ][..],
            [
                "labelExpression of resource request=none",
                "hpdl.launcher.yarn.node.label can name",
            ],
        ),
        (
            "closed",
            &["oozie.launcher.queue=closed"],
            [
                "does not have permission to submit",
                "acl_submit_applications",
            ],
        ),
        (
            "nowhere",
            &["oozie.launcher.queue=nowhere"],
            ["unknown queue: nowhere", "oozie.launcher.queue can name"],
        ),
    ] {
        let properties = with(in_containers(&cluster, name), settings);
        world.afresh();
        assert_failed(&run(&world, &properties, 1), &words);
    }
}

/// In a queue without a share of the label's nodes, it waits for ever.
#[test]
fn what_a_container_waits_for_is_in_the_log() {
    let _shared = share();
    let Some(cluster) = Cluster::doubled() else {
        return;
    };
    if !is_thorough() {
        return;
    }
    let world = gated(&cluster);
    let of_label = "hpdl.launcher.yarn.node.label=gpu";
    let owner = start(&world, &with(in_containers(&cluster, "waits"), &[of_label]));
    let id = wait_for("a job", || world.job());
    wait_for("the reason", || {
        let log = world.call(&["log", &id, "a"]).stdout;
        (log.contains("waits for its container") && log.contains("AM Partition = gpu"))
            .then_some(())
    });
    world.call(&["kill", &id]).expect(0);
    finish(owner).expect(1);
}

#[test]
fn lists_of_who_may_see_and_end_it_count() {
    let _shared = share();
    let Some(cluster) = Cluster::doubled() else {
        return;
    };
    let launcher = LAUNCHER.replace(
        "</launcher>",
        "<view-acl>ann</view-acl><modify-acl>ben</modify-acl></launcher>",
    );
    let body = shell("gated.sh", "<argument>${out}</argument>").replace(LAUNCHER, &launcher);
    let world = world(&cluster, &body, ("gated.sh", GATED));
    let priority = "oozie.launcher.priority=3";
    let owner = start(&world, &with(in_containers(&cluster, "acl"), &[priority]));
    await_program(&world);
    let logs =
        |viewer: &str| applications_for(&cluster, &world, viewer)[0]["amContainerLogs"].clone();
    assert!(logs("ann").is_string());
    assert!(logs("eve").is_null());
    let app = applications_for(&cluster, &world, "ann").remove(0);
    assert_eq!(app["priority"], 3, "{app:#}");
    let state = format!(
        "{}/ws/v1/cluster/apps/{}/state",
        web(&cluster, active(&cluster)),
        text(&app["id"])
    );
    let end_as = |name: &str| {
        let answer = Command::new("curl")
            .args(["-s", "-o", "/dev/null", "-w", "%{http_code}", "-X", "PUT"])
            .args([
                "-H",
                "Content-Type: application/json",
                "-d",
                r#"{"state":"KILLED"}"#,
            ])
            .arg(format!("{state}?user.name={name}"))
            .output();
        String::from_utf8_lossy(&answer.expect("curl exists").stdout).into_owned()
    };
    assert_eq!(end_as("eve"), "403");
    assert_eq!(end_as("ben"), "202");
    finish(owner).expect(1);
    assert_failed(&world.info(&world.job().expect("a job")), &["was killed"]);
    assert_eq!(states(&cluster, &world), ["KILLED KILLED"]);
}

/// Its queue has taken the share of another one.
#[test]
fn a_container_that_is_preempted_is_lost_and_not_run_again() {
    let _alone = alone();
    let Some(cluster) = Cluster::doubled() else {
        return;
    };
    let sized = |megabytes: &str| {
        let body = shell("gated.sh", "<argument>${out}</argument>");
        let body = body.replace("<memory.mb>128<", &format!("<memory.mb>{megabytes}<"));
        world(&cluster, &body, ("gated.sh", GATED))
    };
    let (large, other) = (sized("2048"), sized("1536"));
    let on_queue = "oozie.launcher.queue=small";
    let owner = start(
        &large,
        &with(in_containers(&cluster, "preempted"), &[on_queue]),
    );
    await_program(&large);
    let (stray, master) = (pid(&large, "stray"), pid(&large, "master"));
    let owner_of_other = start(&other, &in_containers(&cluster, "preempts"));
    let ended = finish(owner);
    await_program(&other);
    open(&other.out());
    finish(owner_of_other).expect(0);
    let info = large.info(&large.job().expect("a job"));
    let lost = node(&info, "a");
    assert_eq!(lost["error_code"], "HPDL_LOST", "{lost:#}");
    assert!(text(&lost["error_message"]).contains("preempt"), "{lost:#}");
    ended.expect(4);
    for pid in [master, stray] {
        wait_for("its processes to end", || (!is_running(pid)).then_some(()));
    }
    assert_eq!(runs(&large), 1);
    assert_eq!(states(&cluster, &large), ["FAILED FAILED"]);
    let app = applications_for(&cluster, &large, &user()).remove(0);
    let attempts = format!(
        "{}/ws/v1/cluster/apps/{}/appattempts",
        web(&cluster, active(&cluster)),
        text(&app["id"])
    );
    let attempts = get(&format!("{attempts}?user.name={}", user()));
    let attempts = attempts["appAttempts"]["appAttempt"]
        .as_array()
        .map(Vec::len);
    assert_eq!(attempts, Some(1));
}

#[test]
fn the_other_name_node_takes_over() {
    let _alone = alone();
    let Some(cluster) = Cluster::doubled() else {
        return;
    };
    let world = gated(&cluster);
    let owner = start(&world, &in_containers(&cluster, "name-node"));
    await_program(&world);
    let turn = |from: &str, to: &str| {
        admin(&cluster, "hdfs", &["haadmin", "-transitionToStandby", from]);
        admin(&cluster, "hdfs", &["haadmin", "-transitionToActive", to]);
    };
    let [first, second] = NAME_NODES;
    turn(first, second);
    open(&world.out());
    let ended = finish(owner);
    turn(second, first);
    ended.expect(0);
    assert_eq!(states(&cluster, &world), ["FINISHED SUCCEEDED"]);
    assert_eq!(runs(&world), 1);
    assert_eq!(
        node(&world.info(&world.job().expect("a job")), "a")["data"]["ends"],
        "well"
    );
}
