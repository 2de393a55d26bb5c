//! YARN applications that the process of a `shell` or `java` action starts itself, with recording programs instead of Hadoop's
//! tools and a simulated resource manager.

use std::{collections::BTreeMap, net::TcpListener, path::Path, time::Instant};

use crate::{
    hadoop::Recorder,
    harness::{World, action, finish, node, workflow},
    yarn_applications::{APPLICATION, die, know_running},
};

/// A `shell` action that calls `hadoop`, with these elements before and after the command.
fn world(manager: &str, configuration: &str) -> (World, Recorder) {
    let body = format!(
        "<shell xmlns='uri:oozie:shell-action:1.0'>{manager}<configuration>\
         <property><name>mapreduce.job.tags</name><value>mine</value></property>{configuration}</configuration>\
         <exec>hadoop</exec><argument>jar</argument></shell>"
    );
    let document = workflow(&action("a", &body, "end"));
    let mut world = World::of(&[("workflow.xml", &document)]);
    let recorder = Recorder::of(&mut world);
    (world, recorder)
}

const MANAGER: &str = "<resource-manager>rm:8032</resource-manager>";

/// An action whose `hadoop` does not exit, with an application that it has started.
fn running(properties: &[&str]) -> (World, Recorder, std::process::Child) {
    let (world, recorder) = world(MANAGER, "");
    recorder.teach("hadoop", "sleep 1000\n");
    let owner = world.start(properties);
    know_running(&recorder);
    (world, recorder, owner)
}

fn properties(call: &Path, file: &str) -> BTreeMap<String, String> {
    let file = call.join("folder").join(file);
    let text = std::fs::read_to_string(&file).unwrap_or_else(|_| panic!("no {}", file.display()));
    hpdlc_core::configuration::parse(&text)
        .expect("a configuration")
        .to_map()
}

#[test]
fn a_command_is_told_the_tags_of_what_it_starts() {
    let folder = "<property><name>oozie.action.shell.setup.hadoop.conf.dir</name><value>true</value></property>";
    let (world, recorder) = world(MANAGER, folder);
    world.run(&[]).expect(0);
    let call = &recorder.calls()[0];
    let id = world.job().expect("a job");

    let propagated = properties(call, "propagation-conf.xml");
    let tags = &propagated["mapreduce.job.tags"];
    let parts: Vec<&str> = tags.split(',').collect();
    assert!(
        matches!(parts[..], [oozie, own] if oozie.starts_with("oozie-") && own.starts_with("hpdl-")),
        "{tags}"
    );
    let expected = [
        ("mapreduce.job.tags", tags.clone()),
        ("oozie.action.id", format!("{id}@a")),
        ("oozie.job.id", id.clone()),
        ("oozie.launcher.job.id", id),
    ];
    let expected = expected.map(|(name, value)| (name.to_owned(), value));
    assert_eq!(propagated, BTreeMap::from(expected));

    let action = properties(call, "action.xml");
    assert_eq!(&action["oozie.child.mapreduce.job.tags"], tags);
    assert_eq!(action["mapreduce.job.tags"], "mine");

    let tools = properties(call, "oozie-hadoop-conf-0/mapred-site.xml");
    for name in [
        "mapreduce.job.tags",
        "spark.yarn.tags",
        "tez.application.tags",
    ] {
        assert_eq!(tools[name], format!("mine,{tags}"), "{name}");
    }
}

#[test]
fn a_file_of_the_author_stays() {
    let body = format!(
        "<shell xmlns='uri:oozie:shell-action:1.0'>{MANAGER}<exec>hadoop</exec><file>propagation-conf.xml</file></shell>"
    );
    let own = "<configuration><property><name>x</name><value>y</value></property></configuration>";
    let document = workflow(&action("a", &body, "end"));
    let mut world = World::of(&[("workflow.xml", &document), ("propagation-conf.xml", own)]);
    let recorder = Recorder::of(&mut world);
    world.run(&[]).expect(0);
    let found = properties(&recorder.calls()[0], "propagation-conf.xml");
    assert_eq!(found, [("x".to_owned(), "y".to_owned())].into());
}

#[test]
fn a_command_without_a_cluster_is_told_no_tags() {
    let (world, recorder) = world("<resource-manager>local</resource-manager>", "");
    world.run(&[]).expect(0);
    let call = &recorder.calls()[0];
    assert!(!call.join("folder/propagation-conf.xml").exists());
    let action = properties(call, "action.xml");
    assert!(!action.contains_key("oozie.child.mapreduce.job.tags"));
}

#[test]
fn who_kills_a_job_kills_what_its_command_has_started() {
    let (world, recorder, owner) = running(&[]);
    let id = world.job().expect("a job");
    world.call(&["kill", &id]).expect(0);
    finish(owner).expect(1);
    assert_eq!(recorder.yarn.killed(), [APPLICATION]);
    assert_eq!(node(&world.info(&id), "a")["status"], "KILLED");
}

#[test]
fn a_command_that_takes_too_long_is_ended_with_what_it_has_started() {
    let (world, recorder, owner) = running(&["-Dhpdl.action.timeout=3"]);
    finish(owner).expect(1);
    assert_eq!(recorder.yarn.killed(), [APPLICATION]);
    let info = world.info(&world.job().expect("a job"));
    assert_eq!(node(&info, "a")["error_code"], "HPDL_TIMEOUT");
}

/// All of hpdlc's processes die, and the job's settings say that a lost action is run again.
#[test]
fn what_a_lost_command_has_started_is_ended_before_the_next_attempt() {
    let again = [
        "-Dhpdl.action.lost=retry",
        "-Doozie.action.retry.interval=1",
    ];
    let (world, recorder, owner) = running(&again);
    let id = world.job().expect("a job");
    die(&world, &id, owner);
    recorder.teach("hadoop", "");
    finish(world.spawn(&["recover", &id])).expect(0);
    assert_eq!(recorder.yarn.killed(), [APPLICATION]);
    assert_eq!(recorder.calls().len(), 2);
}

/// No process listens, or it does not answer.
#[test]
fn a_resource_manager_that_is_away_keeps_no_command_from_being_killed() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let silent = listener.local_addr().expect("an address").to_string();
    for address in ["127.0.0.1:1", &silent] {
        let (world, _recorder, owner) =
            running(&[&format!("-Dhpdl.yarn.webapp.address={address}")]);
        let id = world.job().expect("a job");
        let begun = Instant::now();
        world.call(&["kill", &id]).expect(0);
        finish(owner).expect(1);
        let log = world.log(&id);
        let warning = log.lines().find(|line| line.contains("may go on"));
        assert!(warning.is_some_and(|line| line.contains(address)), "{log}");
        assert_eq!(node(&world.info(&id), "a")["status"], "KILLED");
        assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
    }
}

#[test]
fn a_main_class_finds_the_tags_on_its_class_path() {
    let body = format!("<java>{MANAGER}<main-class>Main</main-class></java>");
    let document = workflow(&action("a", &body, "end"));
    let mut world = World::of(&[("workflow.xml", &document)]);
    let recorder = Recorder::of(&mut world);
    // Any program can replace Java here.
    let java = world.path("jdk/bin");
    std::fs::create_dir_all(&java).expect("a folder");
    let hadoop = world.path("recorder/bin/hadoop");
    std::os::unix::fs::symlink(hadoop, java.join("java")).expect("a link");
    world.set("JAVA_HOME", &world.path("jdk").display().to_string());
    world.run(&[]).expect(0);
    let call = &recorder.calls()[0];
    let propagated = properties(call, "propagation-conf.xml");
    assert_eq!(properties(call, "hadoop-site.xml"), propagated);
    let action = properties(call, "action.xml");
    assert_eq!(
        action["oozie.child.mapreduce.job.tags"],
        propagated["mapreduce.job.tags"]
    );
}
