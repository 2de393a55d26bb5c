//! One YARN application per attempt, whatever happens to the processes that watch it: with recording programs instead of Hadoop's
//! tools and a simulated resource manager.

use std::process::Command;

use serde_json::Value;

use crate::{
    coordinators,
    hadoop::Recorder,
    harness::{World, action, finish, kill_dash_nine, node, signal, text, wait_for, workflow},
};

pub const APPLICATION: &str = "application_1_0009";

fn document() -> String {
    let body = "<map-reduce><resource-manager>rm:8032</resource-manager><name-node>file:///</name-node></map-reduce>";
    workflow(&action("a", body, "end"))
}

/// A job that is submitted and then runs until the test ends it.
fn world() -> (World, Recorder) {
    let mut world = World::of(&[("workflow.xml", &document())]);
    let recorder = Recorder::of(&mut world);
    recorder.teach("mapred", "echo Created job job_1_0009\n");
    recorder.yarn.know(APPLICATION, "", "RUNNING", "UNDEFINED");
    (world, recorder)
}

/// Waits until the program was called; returns the tag of the attempt, which its application gets.
pub fn tag(recorder: &Recorder, call: usize) -> String {
    tag_of("hpdl-", recorder, call)
}

fn tag_of(system: &str, recorder: &Recorder, call: usize) -> String {
    let call = wait_for("the program to be called", || {
        recorder.calls().get(call).cloned()
    });
    let file = ["job.xml", "propagation-conf.xml", "action.xml"]
        .map(|name| call.join("folder").join(name))
        .into_iter()
        .find(|file| file.exists());
    let text = std::fs::read_to_string(file.expect("a configuration")).expect("text");
    let tags = hpdlc_core::configuration::parse(&text)
        .expect("a configuration")
        .to_map()["mapreduce.job.tags"]
        .clone();
    let own = tags.split(',').find(|tag| tag.starts_with(system));
    own.expect("a tag").to_owned()
}

fn await_question(recorder: &Recorder) {
    wait_for("somebody to ask for the application", || {
        let asked = recorder.yarn.asked();
        let is_asked = asked.iter().any(|line| line.contains(APPLICATION));
        is_asked.then_some(())
    });
}

fn end(recorder: &Recorder, tag: &str) {
    recorder
        .yarn
        .know(APPLICATION, tag, "FINISHED", "SUCCEEDED");
}

fn info(world: &World) -> Value {
    world.info(&world.job().expect("a job"))
}

/// Adds to the resource manager a running application of the first call, and one of another job.
pub fn know_running(recorder: &Recorder) {
    let tag = tag(recorder, 0);
    let know = |id, tag: &str| recorder.yarn.know(id, tag, "RUNNING", "UNDEFINED");
    know(APPLICATION, &tag);
    know("application_1_0008", "hpdl-other");
}

#[test]
fn who_kills_a_job_kills_its_applications() {
    let (world, recorder) = world();
    let owner = world.start(&[]);
    know_running(&recorder);
    await_question(&recorder);
    world
        .call(&["kill", &world.job().expect("a job")])
        .expect(0);
    finish(owner).expect(1);
    wait_for("the application to be killed", || {
        (recorder.yarn.killed() == [APPLICATION]).then_some(())
    });
    assert_eq!(node(&info(&world), "a")["status"], "KILLED");
}

/// Only the owner dies: the process that waits continues.
#[test]
fn a_dead_owner_leaves_the_application_alone() {
    let (world, recorder) = world();
    let owner = world.start(&[]);
    let tag = tag(&recorder, 0);
    await_question(&recorder);
    kill_dash_nine(owner);
    let owner = world.spawn(&["recover"]);
    end(&recorder, &tag);
    finish(owner).expect(0);
    assert_eq!(recorder.calls().len(), 1);
    assert_eq!(node(&info(&world), "a")["external_id"], "job_1_0009");
}

/// Oozie's tag for node `a` of the job or coordinator action with this id (`LauncherHelper.getActionYarnTag`).
fn tag_of_oozie(id: &str) -> String {
    let hash = "import hashlib, sys\nprint(hashlib.sha384(sys.argv[1].encode()).hexdigest().lstrip('0')[:64])";
    let hash = Command::new("python3")
        .args(["-c", hash, &format!("{id}@a")])
        .output()
        .expect("python3");
    format!("oozie-{}", String::from_utf8_lossy(&hash.stdout).trim())
}

#[test]
fn the_tag_of_oozie_is_made_of_what_has_started_the_job() {
    let (world, recorder) = world();
    recorder.teach("mapred", "echo Created job job_1_0001\n");
    world.run(&[]).expect(0);
    let id = world.job().expect("a job");
    assert_eq!(tag_of("oozie-", &recorder, 0), tag_of_oozie(&id));

    let coordinator = coordinators::coordinator(10, "00:10", "");
    let mut world = World::of(&[
        ("coordinator.xml", &coordinator),
        ("wf/workflow.xml", &document()),
    ]);
    let recorder = Recorder::of(&mut world);
    world.run(&["--speed", "600"]).expect(0);
    let id = coordinators::the_coordinator(&world);
    assert_eq!(
        tag_of("oozie-", &recorder, 0),
        tag_of_oozie(&format!("{id}@1")),
        "the action of the coordinator"
    );
}

/// All of hpdlc's processes die during the submission, so that the application's id is not recorded.
#[test]
fn an_application_is_found_by_its_tag_when_all_of_us_have_died() {
    let (world, recorder) = world();
    recorder.teach("mapred", "sleep 1000\n");
    let owner = world.start(&[]);
    let tag = tag(&recorder, 0);
    recorder
        .yarn
        .know(APPLICATION, &tag, "RUNNING", "UNDEFINED");
    let id = world.job().expect("a job");
    die(&world, &id, owner);
    let owner = world.spawn(&["recover", &id]);
    await_question(&recorder);
    end(&recorder, &tag);
    finish(owner).expect(0);
    assert_eq!(recorder.calls().len(), 1, "it was started once");
    let info = info(&world);
    assert_eq!(node(&info, "a")["external_id"], "job_1_0009", "{info:#}");
    assert_eq!(node(&info, "a")["data"]["hadoopJobs"], "job_1_0009");
}

/// The job was created by an executable whose tags did not include the key of the state folder.
#[test]
fn what_an_earlier_executable_has_started_is_found_and_ended() {
    let (world, recorder) = world();
    recorder.teach("mapred", "sleep 1000\n");
    let owner = world.start(&[]);
    let own = tag(&recorder, 0);
    let id = world.job().expect("a job");
    die(&world, &id, owner);
    let change = "import hashlib, json, sqlite3, sys
store = sqlite3.connect(sys.argv[1])
(work,) = store.execute(\"SELECT work FROM actions WHERE name = 'a'\").fetchone()
work = json.loads(work)
del work['Tool']['tags']
store.execute(\"UPDATE actions SET work = ? WHERE name = 'a'\", (json.dumps(work),))
store.commit()
print('hpdl-' + hashlib.sha256((sys.argv[2] + '/a/1').encode()).hexdigest()[:40])
";
    let changed = Command::new("python3")
        .args(["-c", change])
        .arg(world.home().join("jobs.db"))
        .arg(&id)
        .output()
        .expect("python3");
    let earlier = String::from_utf8_lossy(&changed.stdout).trim().to_owned();
    assert!(
        earlier.starts_with("hpdl-") && earlier != own,
        "{changed:?}"
    );
    recorder
        .yarn
        .know(APPLICATION, &earlier, "RUNNING", "UNDEFINED");
    let owner = world.spawn(&["recover", &id]);
    await_question(&recorder);
    world.call(&["kill", &id]).expect(0);
    finish(owner).expect(1);
    assert_eq!(recorder.yarn.killed(), [APPLICATION]);
    assert_eq!(recorder.calls().len(), 1, "it was started once");
}

/// As before, but the application was not submitted: then it is started.
#[test]
fn what_is_not_on_the_cluster_is_started_again() {
    let (world, recorder) = world();
    recorder.teach("mapred", "sleep 1000\n");
    let owner = world.start(&[]);
    let first = tag(&recorder, 0);
    let id = world.job().expect("a job");
    die(&world, &id, owner);
    recorder.teach("mapred", "echo Created job job_1_0001\n");
    finish(world.spawn(&["recover", &id])).expect(0);
    assert_eq!(recorder.calls().len(), 2);
    assert_eq!(tag(&recorder, 1), first, "it is the same attempt");
}

/// Ends the owner, the launcher and the process of the action.
pub fn die(world: &World, id: &str, owner: std::process::Child) {
    let claim = std::fs::read_to_string(world.attempt_file(id, "a", 1, "claim")).expect("a claim");
    let launcher = world.launcher_of(id, "a");
    kill_dash_nine(owner);
    signal("KILL", launcher);
    let process = claim
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter_map(|record| record["process"].as_i64())
        .next_back()
        .expect("a process");
    // With its whole process group.
    signal("KILL", -i32::try_from(process).expect("a number"));
}

#[test]
fn a_resource_manager_that_is_away_is_asked_again() {
    let (world, recorder) = world();
    recorder.teach("mapred", "echo Created job job_1_0001\n");
    // It is unavailable once before the start, and three times while the application runs.
    recorder.yarn.stand_by(1);
    let ended = world.run(&["-Doozie.action.retry.interval=1"]).expect(0);
    let log = world.log(&world.job().expect("a job"));
    assert!(log.contains("JA006"), "{log}\n{}", ended.stderr);
    assert_eq!(recorder.calls().len(), 1);

    let (world, recorder) = self::world();
    let owner = world.start(&[]);
    let tag = tag(&recorder, 0);
    await_question(&recorder);
    recorder.yarn.stand_by(3);
    end(&recorder, &tag);
    finish(owner).expect(0);
}

#[test]
fn a_job_that_nobody_knows_fails_the_workflow() {
    let (world, recorder) = world();
    recorder.teach("mapred", "echo Created job job_1_0007\n");
    let ended = world.run(&["-Dhpdl.yarn.poll.interval=0"]);
    assert_eq!(ended.code, Some(3), "{}", ended.stderr);
    let info = info(&world);
    assert_eq!(node(&info, "a")["error_code"], "JA017", "{info:#}");
}

/// A successful job of a `map-reduce` or `sqoop` action, with this configuration.
fn world_of_success(kind: &str, configuration: &str) -> (World, Recorder) {
    let (attribute, words) = match kind {
        "sqoop" => (
            " xmlns='uri:oozie:sqoop-action:1.0'",
            "<command>import</command>",
        ),
        _ => ("", ""),
    };
    let body = format!(
        "<{kind}{attribute}><resource-manager>rm:8032</resource-manager><name-node>file:///</name-node>\
         <configuration><property><name>x</name><value>y</value></property>{configuration}</configuration>{words}</{kind}>"
    );
    let document = workflow(&action("a", &body, "end"));
    let mut world = World::of(&[("workflow.xml", &document)]);
    let recorder = Recorder::of(&mut world);
    recorder.teach("mapred", "echo Created job job_1_0001\n");
    recorder.teach("sqoop", "echo Job job_1_0001 has completed successfully\n");
    (world, recorder)
}

/// Does not wait for a slow history server.
const AT_ONCE: &str = "-Dhpdl.hadoop.history.wait=0";

#[test]
fn a_job_that_the_history_does_not_know_fails_what_has_succeeded() {
    for (kind, code) in [("map-reduce", "MR002"), ("sqoop", "SQOOP001")] {
        let (world, recorder) = world_of_success(kind, "");
        recorder.yarn.forget("job_1_0001");
        let ended = world.run(&[AT_ONCE]);
        assert_eq!(ended.code, Some(3), "{kind}: {}", ended.stderr);
        let info = info(&world);
        let node = node(&info, "a");
        assert_eq!(node["status"], "FAILED", "{node:#}");
        assert_eq!(node["error_code"], code, "{node:#}");
        assert_eq!(node["external_status"], "SUCCEEDED", "{node:#}");
        assert_eq!(node["data"]["hadoopJobs"], "job_1_0001", "{node:#}");
        for part in [
            "job_1_0001",
            "http://127.0.0.1:",
            "mapreduce.jobhistory.webapp.address",
            "hpdl.hadoop.history.wait",
        ] {
            assert!(text(&node["error_message"]).contains(part), "{node:#}");
        }
    }
}

/// It is polled for as long as the setting says.
#[test]
fn a_history_that_is_slow_is_waited_for() {
    let (world, recorder) = world_of_success("map-reduce", "");
    recorder.yarn.forget("job_1_0001");
    let owner = world.start(&[]);
    wait_for("the history to be asked", || {
        let asked = recorder.yarn.asked();
        asked
            .iter()
            .any(|line| line.contains("job_1_0001/counters"))
            .then_some(())
    });
    recorder.yarn.remember();
    finish(owner).expect(0);
    let counters = text(&node(&info(&world), "a")["data"]["hadoop.counters"]);
    assert!(counters.contains("MAP_INPUT_RECORDS"), "{counters}");
}

#[test]
fn a_history_that_cannot_say_costs_the_counters_alone() {
    let away = "<property><name>mapreduce.jobhistory.webapp.address</name><value>127.0.0.1:1</value></property>";
    for (kind, configuration, is_foreign, word) in [
        ("map-reduce", away, false, "127.0.0.1:1"),
        ("sqoop", away, false, "127.0.0.1:1"),
        ("sqoop", "", true, "no job of MapReduce"),
    ] {
        let (world, recorder) = world_of_success(kind, configuration);
        if is_foreign {
            recorder.yarn.forget("job_1_0001");
            recorder.yarn.know_foreign("application_1_0001", "TEZ");
        }
        let ended = world.run(&[AT_ONCE]);
        assert_eq!(ended.code, Some(0), "{kind}: {}", ended.stderr);
        let log = world.log(&world.job().expect("a job"));
        let warning = log
            .lines()
            .find(|line| line.contains("hadoop:counters will be empty"));
        assert!(warning.is_some_and(|line| line.contains(word)), "{log}");
        assert!(node(&info(&world), "a")["data"]["hadoop.counters"].is_null());
    }
}

#[test]
fn sqoop_without_jobs_has_counters_without_groups() {
    let (world, recorder) = world_of_success("sqoop", "");
    recorder.teach("sqoop", "echo nothing to do\n");
    world.run(&[]).expect(0);
    let id = world.job().expect("a job");
    assert_eq!(node(&info(&world), "a")["data"]["hadoop.counters"], "");
    let log = world.log(&id);
    assert!(log.contains("the tool has started no job"), "{log}");
}

#[test]
fn an_action_that_takes_too_long_is_ended_with_its_application() {
    let (world, recorder) = world();
    let ended = world.run(&["-Dhpdl.action.timeout=1", "-Dhpdl.yarn.poll.interval=1"]);
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    assert_eq!(recorder.yarn.killed(), [APPLICATION]);
    let info = info(&world);
    assert_eq!(text(&node(&info, "a")["error_code"]), "HPDL_TIMEOUT");
}

/// A tool's message before anything was started determines the action's error code.
#[test]
fn what_a_tool_says_has_a_code() {
    for (says, exit, status, code) in [
        (
            "Exception in thread main java.net.UnknownHostException: rm",
            4,
            "START_MANUAL",
            "JA001",
        ),
        (
            "org.apache.hadoop.security.AccessControlException: no",
            4,
            "START_MANUAL",
            "JA002",
        ),
        (
            "java.io.IOException: No space left on device",
            4,
            "START_MANUAL",
            "JA003",
        ),
        (
            "org.apache.hadoop.hdfs.protocol.DSQuotaExceededException: full",
            4,
            "START_MANUAL",
            "JA004",
        ),
        (
            "org.apache.hadoop.hdfs.server.namenode.SafeModeException: safe",
            4,
            "START_MANUAL",
            "JA005",
        ),
        (
            "java.net.ConnectException: refused",
            4,
            "START_MANUAL",
            "JA006",
        ),
        (
            "java.net.SocketTimeoutException: late",
            4,
            "START_MANUAL",
            "JA009",
        ),
        (
            "java.lang.ClassNotFoundException: my.Mapper",
            1,
            "ERROR",
            "JA018",
        ),
    ] {
        let (world, recorder) = world();
        recorder.teach("mapred", &format!("echo '{says}' >&2; exit 1\n"));
        let ended = world.run(&["-Doozie.action.retries.max=0"]);
        assert_eq!(ended.code, Some(exit), "{says}: {}", ended.stderr);
        let info = info(&world);
        let node = node(&info, "a");
        assert_eq!(
            (text(&node["status"]), text(&node["error_code"])),
            (status.to_owned(), code.to_owned()),
            "{says}"
        );
        assert!(text(&node["error_message"]).contains(says), "{node:#}");
    }
}

#[test]
fn without_the_program_the_message_says_what_to_install() {
    let (mut world, _recorder) = world();
    world.set("PATH", "/usr/bin:/bin");
    let ended = world.run(&[]);
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    let info = info(&world);
    let node = node(&info, "a");
    assert_eq!(node["error_code"], "JA018");
    for part in ["`mapred`", "Hadoop", "hpdl.tool.mapred"] {
        assert!(text(&node["error_message"]).contains(part), "{node:#}");
    }
}
