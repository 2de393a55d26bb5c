//! Containers of YARN by `hpdl.launcher=yarn` beside those of Oozie's own launcher, on one cluster: the same workflow of one `shell` action,
//! submitted by the same requests to `hpdl serve` and to Oozie's server.
//!
//! Oozie gets what is best for it: its sharelib is public and stays on the node, its launcher is a small JVM that is quick to start, and
//! its server is told of the end by callbacks. Both have run the workflow before.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::{Duration, Instant, SystemTime},
};

use serde_json::Value;

use super::{
    Server, configuration_with,
    load::{Connection, processor_time},
    oozie_server::{self, OozieServer, PATIENCE},
    user,
};
use crate::{
    cluster::Cluster,
    measure::{self, BudgetRow},
    rows::Bench,
};

const LOOK_AGAIN: Duration = Duration::from_millis(10);
/// Of a container of the native application master, in KiB.
const MEMORY: u64 = 32 << 10;
/// Of the JARs of Oozie's sharelib, those that its launcher needs.
const LAUNCHER: &str = "oozie-sharelib-oozie-";
/// What the executable is registered for.
const URI: &str = "hdfs://nn/apps/timed";
const SCRIPT: &str = "timed.sh";

/// It names the process that started it, and when it began and ended.
const TIMED: &str = "#!/bin/sh\n\
    date +%s%N > \"$1/began\"\n\
    echo $PPID > \"$1/master\"\n\
    sleep 1\n\
    date +%s%N > \"$1/ended\"\n";

/// The options are those of the cluster's own JVMs: a small heap, one compiler, classes that are not verified.
const WORKFLOW: &str = r#"<workflow-app name="timed" xmlns="uri:oozie:workflow:1.0">
  <start to="a"/>
  <action name="a">
    <shell xmlns="uri:oozie:shell-action:1.0">
      <resource-manager>${resourceManager}</resource-manager>
      <name-node>${nameNode}</name-node>
      <launcher>
        <memory.mb>256</memory.mb>
        <java-opts>-Xmx128m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote</java-opts>
      </launcher>
      <exec>timed.sh</exec>
      <argument>${out}</argument>
      <file>timed.sh</file>
    </shell>
    <ok to="end"/>
    <error to="failed"/>
  </action>
  <kill name="failed"><message>failed</message></kill>
  <end name="end"/>
</workflow-app>
"#;

pub fn rows(bench: &Bench) -> Vec<BudgetRow> {
    // It says itself what is missing.
    let Some(cluster) = Cluster::of(&["namenode", "datanode", "resourcemanager", "nodemanager"])
    else {
        return Vec::new();
    };
    let home = bench.folder.join("oozie");
    let Some(classes) = oozie_server::prepare(&home) else {
        return vec![BudgetRow::skipped(
            "containers beside oozie",
            oozie_server::NEEDED,
        )];
    };
    let folder = cluster.folder("HDFS", "bench-containers");
    let share = format!("{folder}/share");
    put_launcher(&cluster, &home.join("jars"), &share);
    cluster.write(&format!("{folder}/app/workflow.xml"), WORKFLOW);
    cluster.write(&format!("{folder}/app/{SCRIPT}"), TIMED);
    let own_home = bench.folder.join("home-of-containers");
    register(bench, &own_home);

    let settings = [("oozie.service.WorkflowAppService.system.libpath", &*share)];
    let hadoop = cluster.folder.join("conf");
    let (oozie, _) = OozieServer::start(&home, &classes, &hadoop, &settings);
    let server = Server::start(bench, &own_home);
    let mut our = Side::new(bench, &cluster, &server.address, URI);
    let mut their = Side::new(bench, &cluster, &oozie.address, &format!("{folder}/app"));
    for side in [&mut our, &mut their] {
        // Both have what is made once.
        side.run();
        side.runs.clear();
    }
    for _ in 0..bench.times(9) {
        their.run();
        our.run();
    }
    cluster.rest("DELETE", &folder, "op=DELETE&recursive=true");

    let times = |time: fn(&ContainerRun) -> Duration| (our.median(time), their.median(time));
    let mut rows: Vec<BudgetRow> = [
        ("start", times(|run| run.start)),
        ("seen end", times(|run| run.seen)),
        ("whole job", times(|run| run.whole)),
    ]
    .into_iter()
    .map(|(name, times)| BudgetRow::ratio(format!("container, {name} (Oozie)"), times, Some(1.0)))
    .collect();
    let processor = times(|run| run.processor);
    rows.push(BudgetRow::ratio("container, CPU (Oozie)", processor, None));
    rows.push(memory(our.memory(), their.memory()));
    rows
}

/// Has the executable ready for the server.
fn register(bench: &Bench, home: &Path) {
    let application = bench.application("timed", WORKFLOW);
    fs::write(application.join(SCRIPT), TIMED).expect("the folder for measuring can be written");
    let program = bench.program("timed", WORKFLOW);
    let mut register = Command::new(&program);
    register.args(["register", "--as", URI]);
    measure::time(register.env("HPDL_HOME", home));
}

fn memory(ours: u64, theirs: u64) -> BudgetRow {
    let shown = |memory: u64| format!("{:.1} MB", memory as f64 / 1024.0);
    BudgetRow {
        name: "container, memory (Oozie)".to_owned(),
        value: shown(ours),
        floor: shown(theirs),
        ratio: Some(ours as f64 / theirs as f64),
        budget: shown(MEMORY),
        is_within: Some(ours <= MEMORY),
    }
}

/// Puts the JARs of the launcher where Oozie looks for its sharelib.
fn put_launcher(cluster: &Cluster, jars: &Path, share: &str) {
    let jars = fs::read_dir(jars).expect("Maven has copied them");
    for jar in jars.flatten() {
        let name = jar.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(LAUNCHER) {
            let uri = format!("{share}/lib_20200101000000/oozie/{name}");
            cluster.put(&uri, &jar.path());
        }
    }
}

/// One of the two servers, and what was measured there.
struct Side {
    address: String,
    user: String,
    application: String,
    /// What both are told of the job.
    properties: Vec<(&'static str, String)>,
    /// Where the program writes.
    out: PathBuf,
    runs: Vec<ContainerRun>,
}

struct ContainerRun {
    /// From the submission of the job until its program began.
    start: Duration,
    /// From the end of the program until the job was seen to have SUCCEEDED.
    seen: Duration,
    whole: Duration,
    /// Of the process that started the program: its peak resident memory in KiB.
    memory: u64,
    /// What it has used of the processor.
    processor: Duration,
}

impl Side {
    fn new(bench: &Bench, cluster: &Cluster, address: &str, application: &str) -> Side {
        let out = bench.folder.join("written-by-containers");
        let address_of = |name: &str| cluster.address(name).to_owned();
        Side {
            address: address.to_owned(),
            user: user(),
            application: application.to_owned(),
            properties: vec![
                ("nameNode", address_of("HDFS")),
                ("resourceManager", address_of("RESOURCE_MANAGER")),
                ("out", out.display().to_string()),
                ("oozie.use.system.libpath", "true".to_owned()),
                ("hpdl.launcher", "yarn".to_owned()),
                (
                    "hpdl.yarn.webapp.address",
                    address_of("RESOURCE_MANAGER_WEB"),
                ),
            ],
            out,
            runs: Vec::new(),
        }
    }

    /// Runs the workflow from its submission to its end.
    fn run(&mut self) {
        // The first run has none.
        let _ = fs::remove_dir_all(&self.out);
        fs::create_dir_all(&self.out).expect("the folder for measuring can be written");
        let properties: Vec<(&str, &str)> = self
            .properties
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        let body = configuration_with(&self.user, &self.application, &properties);
        // One that is kept is closed while the other side runs.
        let mut connection = Connection::open(&self.address);
        let (submitted, began) = (now(), Instant::now());
        let answer = connection.ask("POST", "/oozie/v2/jobs?action=start", &body);
        assert_eq!(answer.status, 201, "{}", answer.body);
        let answer: Value = serde_json::from_str(&answer.body).expect("JSON");
        let id = answer["id"].as_str().unwrap_or_default();
        let path = format!("/oozie/v2/job/{id}?show=status");
        let (mut memory, mut processor) = (0, Duration::ZERO);
        loop {
            let answer = connection.ask("GET", &path, "");
            let answer: Value = serde_json::from_str(&answer.body).expect("JSON");
            if let Some(pid) = self.written("master") {
                memory = memory.max(measure::peak_memory(pid).unwrap_or_default());
                // Nothing, once it has ended.
                processor = processor.max(processor_time(pid));
            }
            match answer["status"].as_str() {
                Some("SUCCEEDED") => break,
                Some("RUNNING" | "PREP") if began.elapsed() < PATIENCE => thread::sleep(LOOK_AGAIN),
                other => panic!("job {id} is {other:?}"),
            }
        }
        let (whole, seen) = (began.elapsed(), now());
        let time = |name| Duration::from_nanos(self.written(name).expect("the program has run"));
        let run = ContainerRun {
            start: time("began").saturating_sub(submitted),
            seen: seen.saturating_sub(time("ended")),
            whole,
            memory,
            processor,
        };
        self.runs.push(run);
    }

    /// A number that the program has written.
    fn written<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        let text = fs::read_to_string(self.out.join(name)).ok()?;
        text.trim().parse().ok()
    }

    fn median(&self, time: fn(&ContainerRun) -> Duration) -> Duration {
        measure::median(self.runs.iter().map(time).collect())
    }

    /// The highest of all runs.
    fn memory(&self) -> u64 {
        let all = self.runs.iter().map(|run| run.memory);
        all.max().unwrap_or_default()
    }
}

fn now() -> Duration {
    SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .expect("it is after 1970")
}
