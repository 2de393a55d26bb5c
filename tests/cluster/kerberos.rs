//! A cluster secured by Kerberos, which `tests/cluster/up FOLDER kerberos hdfs yarn` has started in the folder that HPDL_KERBEROS_CLUSTER names.
//!
//! The user there is alice, by a ticket of each test's own, and not the user of this machine.

use std::{
    path::Path,
    process::{Child, Command},
};

use serde_json::Value;

use crate::{
    bodies::{with_counters, word_count},
    cluster::Cluster,
    finish,
    harness::{World, action, node, text, workflow},
    on, workflow_on_cluster,
};

/// A container that fits beside others.
const LAUNCHER: &str = "<launcher><memory.mb>128</memory.mb></launcher>";

/// The environment of a program with a ticket of alice, or with none.
fn with_ticket(cluster: &Cluster, world: World, has_ticket: bool) -> World {
    let mut world = on(cluster, world);
    let cache = format!("FILE:{}", world.path("ticket").display());
    for (name, value) in [
        ("KRB5_CONFIG", cluster.address("KRB5_CONFIG")),
        ("KRB5CCNAME", cache.as_str()),
    ] {
        world.set(name, value);
    }
    if has_ticket {
        let keytab = Path::new(cluster.address("KEYTABS")).join("alice.keytab");
        let mut kinit = called("kinit", cluster, &cache);
        kinit.args(["-k", "-t"]).arg(keytab).arg("alice");
        assert!(kinit.status().expect("kinit exists").success());
    }
    world
}

/// A command with this ticket.
fn called(program: &str, cluster: &Cluster, cache: &str) -> Command {
    let mut command = Command::new(program);
    command
        .env("KRB5_CONFIG", cluster.address("KRB5_CONFIG"))
        .env("KRB5CCNAME", cache)
        .env("HADOOP_CONF_DIR", cluster.address("HADOOP_CONF_DIR"))
        .env("HADOOP_HOME", cluster.address("HADOOP_HOME"));
    command
}

/// A command with the ticket of a world; what it prints.
#[track_caller]
fn said(program: &str, cluster: &Cluster, world: &World, arguments: &[&str]) -> String {
    let cache = format!("FILE:{}", world.path("ticket").display());
    let output = called(program, cluster, &cache)
        .args(arguments)
        .output()
        .expect("it exists where a cluster is up");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program}: {errors}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[track_caller]
fn hdfs(cluster: &Cluster, world: &World, arguments: &[&str]) -> String {
    let program = cluster.folder.join("bin/hdfs").display().to_string();
    said(
        &program,
        cluster,
        world,
        &[&["dfs"][..], arguments].concat(),
    )
}

/// The addresses, and a folder of alice for one test.
fn properties(cluster: &Cluster, name: &str) -> Vec<String> {
    vec![
        "-c".to_owned(),
        cluster.folder.join("job.properties").display().to_string(),
        format!("-Dfolder=/user/alice/{name}-{}", std::process::id()),
        format!("-DwebHdfs={}", cluster.address("WEBHDFS")),
    ]
}

fn start(world: &World, properties: &[String]) -> Child {
    let arguments: Vec<&str> = properties.iter().map(String::as_str).collect();
    world.start(&arguments)
}

#[track_caller]
fn run(world: &World, properties: &[String], exit: i32) -> Value {
    finish(start(world, properties)).expect(exit);
    world.info(&world.job().expect("a job"))
}

fn document_of_files() -> String {
    let body = "<fs><mkdir path='${nameNode}${folder}/a/b'/><touchz path='${nameNode}${folder}/a/b/c'/>\
                <chmod path='${nameNode}${folder}/a' permissions='750' dir-files='false'/></fs>";
    let web = "<fs><mkdir path='${webHdfs}${folder}/w'/><touchz path='${webHdfs}${folder}/w/x'/>\
               <move source='${webHdfs}${folder}/w/x' target='${folder}/w/y'/><delete path='${webHdfs}${folder}/a/b'/></fs>";
    let nodes = action("a", body, "w")
        + &action("w", web, "verify")
        + "<decision name=\"verify\"><switch><case to=\"end\">${fs:exists(concat(nameNode, concat(folder, '/w/y'))) \
           and not fs:exists(concat(webHdfs, concat(folder, '/a/b')))}</case><default to=\"failed\"/></switch></decision>\n";
    workflow(&nodes)
}

#[test]
fn files_are_those_of_the_owner_of_the_ticket() {
    let Some(cluster) = Cluster::secured() else {
        return;
    };
    let document = document_of_files();
    let world = World::built_in_full(&[("workflow.xml", &document)]);
    let world = with_ticket(&cluster, world, true);
    let properties = properties(&cluster, "files");
    run(&world, &properties, 0);
    let listed = hdfs(&cluster, &world, &["-ls", "/user/alice"]);
    assert!(listed.contains("alice"), "{listed}");
}

#[test]
fn without_a_ticket_the_next_step_is_said() {
    let Some(cluster) = Cluster::secured() else {
        return;
    };
    let document = document_of_files();
    let world = World::built_in_full(&[("workflow.xml", &document)]);
    let world = with_ticket(&cluster, world, false);
    let info = run(&world, &properties(&cluster, "no-ticket"), 1);
    let shown = node(&info, "a").to_string();
    let expected = "there is no Kerberos ticket; kinit gets one";
    assert!(shown.contains(expected), "{shown}");
    assert!(shown.contains(cluster.address("HDFS")), "{shown}");
}

#[test]
fn a_job_of_map_reduce_is_followed_and_counted() {
    let Some(cluster) = Cluster::secured() else {
        return;
    };
    let body = word_count(&with_counters());
    let nodes = action("a", &body, "verify")
        + "<decision name=\"verify\"><switch><case to=\"end\">${hadoop:counters('a')[RECORDS][MAP_IN] eq 2}</case>\
           <default to=\"failed\"/></switch></decision>\n";
    let document = workflow_on_cluster(&nodes);
    let world = with_ticket(&cluster, World::of(&[("workflow.xml", &document)]), true);
    let properties = properties(&cluster, "map-reduce");
    let folder = properties[2].trim_start_matches("-Dfolder=");
    let input = world.path("text");
    std::fs::write(&input, "b a\na b a\n").expect("a file");
    let input = input.display().to_string();
    hdfs(&cluster, &world, &["-mkdir", "-p", &format!("{folder}/in")]);
    hdfs(&cluster, &world, &["-put", &input, &format!("{folder}/in")]);
    run(&world, &properties, 0);
    let counted = hdfs(
        &cluster,
        &world,
        &["-cat", &format!("{folder}/out/part-00000")],
    );
    assert_eq!(counted, "a\t3\nb\t2\n");
}

fn in_container(cluster: &Cluster, script: &str) -> World {
    let body = format!(
        "<shell xmlns='uri:oozie:shell-action:1.0'>{LAUNCHER}<exec>say.sh</exec><file>say.sh</file><capture-output/></shell>"
    );
    let document = workflow_on_cluster(&action("a", &body, "end"));
    let world = World::of(&[("workflow.xml", &document), ("say.sh", script)]);
    with_ticket(cluster, world, true)
}

#[test]
fn a_container_gets_tokens_and_runs_for_the_owner_of_the_ticket() {
    let Some(cluster) = Cluster::secured() else {
        return;
    };
    let world = in_container(&cluster, "echo user=$USER\necho container=$CONTAINER_ID\n");
    let mut properties = properties(&cluster, "container");
    properties.push("-Dhpdl.launcher=yarn".to_owned());
    let info = run(&world, &properties, 0);
    let data = &node(&info, "a")["data"];
    assert_eq!(data["user"], "alice", "{info:#}");
    assert!(text(&data["container"]).starts_with("container_"), "{data}");
}

#[test]
fn who_kills_a_job_kills_its_application() {
    let Some(cluster) = Cluster::secured() else {
        return;
    };
    let world = in_container(&cluster, "sleep 1000\n");
    let mut properties = properties(&cluster, "killed");
    properties.push("-Dhpdl.launcher=yarn".to_owned());
    let owner = start(&world, &properties);
    let id = crate::wait_for("the job", || world.job());
    let state = || {
        let url = format!(
            "{}/ws/v1/cluster/apps",
            cluster.address("RESOURCE_MANAGER_WEB")
        );
        let arguments = ["-s", "-m", "60", "--negotiate", "-u", ":", url.as_str()];
        let answer = said("curl", &cluster, &world, &arguments);
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        let all = answer["apps"]["app"].as_array().cloned();
        let own = all.unwrap_or_default();
        let own = own.iter().find(|app| text(&app["name"]).contains(&id));
        own.map(|app| text(&app["state"]))
    };
    crate::wait_for("its application to run", || {
        state().filter(|state| state == "RUNNING")
    });
    world.call(&["kill", &id]).expect(0);
    finish(owner);
    crate::wait_for("its application to be killed", || {
        state().filter(|state| state == "KILLED")
    });
}
