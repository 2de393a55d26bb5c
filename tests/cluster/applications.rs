//! One YARN application per attempt, whatever happens to the processes that watch it.

use std::{fs, path::Path};

use crate::{
    applications,
    cluster::Cluster,
    finish,
    harness::{World, action, kill_dash_nine, node, text},
    on, properties, share, wait_for, workflow_on_cluster,
};

/// The mapper: it creates the file `runs`, and waits.
const GATE: &str = "cat > /dev/null\ntouch \"$1/runs\"\nwhile [ ! -e \"$1/open\" ]; do [ -d \"$1\" ] || exit 7; sleep 0.1; done\necho done\n";

/// A streaming job that reports that it runs and waits for a gate: both are local files, on the node manager's machine.
pub fn gated(cluster: &Cluster) -> World {
    let body = "<map-reduce><streaming><mapper>sh gate.sh ${out}</mapper><reducer>/bin/cat</reducer></streaming><configuration>\
        <property><name>mapred.job.name</name><value>${out}</value></property>\
        <property><name>mapreduce.job.name</name><value>${out}</value></property>\
        <property><name>mapred.input.dir</name><value>${folder}/in</value></property>\
        <property><name>mapred.output.dir</name><value>${folder}/out</value></property>\
        <property><name>mapred.map.tasks</name><value>1</value></property>\
        <property><name>mapreduce.map.maxattempts</name><value>1</value></property></configuration>\
        <file>gate.sh</file></map-reduce>";
    let document = workflow_on_cluster(&action("a", body, "end"));
    on(
        cluster,
        World::of(&[("workflow.xml", &document), ("gate.sh", GATE)]),
    )
}

/// A script that submits such a job itself, and waits for it.
fn gated_by_script(cluster: &Cluster) -> World {
    let body = "<shell xmlns='uri:oozie:shell-action:1.0'><configuration>\
        <property><name>oozie.action.shell.setup.hadoop.conf.dir</name><value>true</value></property></configuration>\
        <exec>submit.sh</exec><argument>${out}</argument><argument>${folder}</argument>\
        <file>submit.sh</file><file>gate.sh</file></shell>";
    let script = "mapred streaming -D mapreduce.job.name=\"$1\" -D mapreduce.job.maps=1 -D mapreduce.map.maxattempts=1 \
        -files gate.sh -mapper \"sh gate.sh $1\" -reducer /bin/cat -input \"$2/in\" -output \"$2/out\"\n";
    let document = workflow_on_cluster(&action("a", body, "end"));
    let files = [
        ("workflow.xml", document.as_str()),
        ("submit.sh", script),
        ("gate.sh", GATE),
    ];
    on(cluster, World::of(&files))
}

/// A main class that does the same.
fn gated_by_main_class(cluster: &Cluster) -> World {
    let arguments = [
        "-D",
        "mapreduce.job.name=${out}",
        "-D",
        "mapreduce.job.maps=1",
        "-D",
        "mapreduce.map.maxattempts=1",
        "-files",
        "gate.sh",
        "-mapper",
        "sh gate.sh ${out}",
        "-reducer",
        "/bin/cat",
        "-input",
        "${folder}/in",
        "-output",
        "${folder}/out",
    ];
    let arguments = arguments.map(|argument| format!("<arg>{argument}</arg>"));
    let body = format!(
        "<java><main-class>org.apache.hadoop.streaming.HadoopStreaming</main-class>{}<file>gate.sh</file></java>",
        arguments.concat()
    );
    let document = workflow_on_cluster(&action("a", &body, "end"));
    let world = World::of(&[("workflow.xml", &document), ("gate.sh", GATE)]);
    let mut world = on(cluster, world);
    let folder = cluster.folder.display();
    let class_path =
        format!("{folder}/conf:{folder}/lib/hadoop/*:{folder}/share/hadoop/tools/lib/*");
    world.set("CLASSPATH", &class_path);
    world
}

/// The properties of such a job, with its input in place.
pub fn ready(cluster: &Cluster, name: &str) -> Vec<String> {
    let properties = properties(cluster, name);
    let folder = crate::folder_of(cluster, &properties);
    cluster.write(&format!("{folder}/in/text"), "x\n");
    properties
}

pub fn await_gate(world: &World) {
    wait_for("the mapper to run", || {
        world.out().join("runs").exists().then_some(())
    });
}

pub fn open(out: &Path) {
    fs::write(out.join("open"), "").expect("a file");
}

/// States of a world's applications, by name.
pub fn states(cluster: &Cluster, world: &World) -> Vec<String> {
    let name = world.out().display().to_string();
    let states = applications(cluster, &name);
    states
        .iter()
        .map(|app| format!("{} {}", text(&app["state"]), text(&app["finalStatus"])))
        .collect()
}

#[test]
fn an_application_is_found_again_after_its_owner_was_killed() {
    let _shared = share();
    let Some(cluster) = Cluster::of(&["resourcemanager"]) else {
        return;
    };
    let world = gated(&cluster);
    let properties = ready(&cluster, "reattached");
    let arguments: Vec<&str> = properties.iter().map(String::as_str).collect();
    let owner = world.start(&arguments);
    await_gate(&world);
    kill_dash_nine(owner);
    let owner = world.spawn(&["recover"]);
    open(&world.out());
    finish(owner).expect(0);
    assert_eq!(states(&cluster, &world), ["FINISHED SUCCEEDED"]);
    let info = world.info(&world.job().expect("a job"));
    assert_eq!(node(&info, "a")["external_status"], "SUCCEEDED", "{info:#}");
}

/// Killed between its decision to start and the answer of the cluster, repeatedly.
#[test]
fn an_owner_that_is_killed_early_starts_one_application() {
    let _shared = share();
    let Some(cluster) = Cluster::of(&["resourcemanager"]) else {
        return;
    };
    let world = gated(&cluster);
    let properties = ready(&cluster, "early");
    let arguments: Vec<&str> = properties.iter().map(String::as_str).collect();
    let owner = world.start(&arguments);
    let id = wait_for("the action to begin", || {
        let id = world.job()?;
        let info = world.info(&id);
        let begun = info["actions"]
            .as_array()?
            .iter()
            .any(|it| it["name"] == "a" && it["status"] == "RUNNING");
        begun.then_some(id)
    });
    kill_dash_nine(owner);
    let owner = world.spawn(&["recover", &id]);
    await_gate(&world);
    open(&world.out());
    finish(owner).expect(0);
    assert_eq!(states(&cluster, &world), ["FINISHED SUCCEEDED"]);
}

#[test]
fn who_kills_a_job_kills_its_application() {
    is_killed("killed", gated);
}

#[test]
fn who_kills_a_job_kills_what_its_script_has_submitted() {
    is_killed("killed-script", gated_by_script);
}

#[test]
fn who_kills_a_job_kills_what_its_main_class_has_submitted() {
    is_killed("killed-class", gated_by_main_class);
}

#[track_caller]
fn is_killed(name: &str, world: fn(&Cluster) -> World) {
    let _shared = share();
    let Some(cluster) = Cluster::of(&["resourcemanager"]) else {
        return;
    };
    let world = world(&cluster);
    let properties = ready(&cluster, name);
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
