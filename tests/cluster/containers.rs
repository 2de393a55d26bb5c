//! `hpdl.launcher=yarn`: programs of `shell` and `java` actions in containers, by a native application master.

use std::{fs, path::Path};

use serde_json::Value;

use crate::{
    alone, applications,
    cluster::Cluster,
    finish, folder_of,
    harness::{World, action, is_running, kill_dash_nine, node, signal, text, wait_for},
    java, on, properties, run, share, workflow_on_cluster,
};

/// A small container, of which several run at once.
pub const LAUNCHER: &str = "<launcher><memory.mb>128</memory.mb></launcher>";

/// It writes its process id and the container's folder, starts a process in a session of its own, and waits for a gate.
pub const GATED: &str = "#!/bin/sh\n\
    setsid sleep 1000 &\n\
    echo $! > \"$1/stray\"\n\
    echo $PPID > \"$1/master\"\n\
    echo run >> \"$1/runs\"\n\
    while [ ! -e \"$1/open\" ]; do [ -d \"$1\" ] || exit 7; sleep 0.1; done\n\
    echo ends=well\n";

pub fn shell(script: &str, arguments: &str) -> String {
    format!(
        "<shell xmlns='uri:oozie:shell-action:1.0'>{LAUNCHER}<exec>{script}</exec>{arguments}<file>{script}</file>\
         <capture-output/></shell>"
    )
}

pub fn world(cluster: &Cluster, body: &str, script: (&str, &str)) -> World {
    let document = workflow_on_cluster(&action("a", body, "end"));
    on(cluster, World::of(&[("workflow.xml", &document), script]))
}

pub fn gated(cluster: &Cluster) -> World {
    let body = shell("gated.sh", "<argument>${out}</argument>");
    world(cluster, &body, ("gated.sh", GATED))
}

pub fn in_containers(cluster: &Cluster, name: &str) -> Vec<String> {
    let mut properties = properties(cluster, name);
    properties.push("-Dhpdl.launcher=yarn".to_owned());
    properties
}

pub fn start(world: &World, properties: &[String]) -> std::process::Child {
    let arguments: Vec<&str> = properties.iter().map(String::as_str).collect();
    world.start(&arguments)
}

pub fn await_program(world: &World) {
    crate::wait_for("the program to run", || {
        world.out().join("runs").exists().then_some(())
    });
}

pub fn pid(world: &World, file: &str) -> i32 {
    let path = world.out().join(file);
    wait_for("a process id", || {
        fs::read_to_string(&path).ok()?.trim().parse().ok()
    })
}

pub fn open(out: &Path) {
    fs::write(out.join("open"), "").expect("a file");
}

/// The states of the applications of a job.
fn states(cluster: &Cluster, world: &World) -> Vec<String> {
    let job = world.job().expect("a job");
    let states = applications(cluster, &job);
    states
        .iter()
        .map(|app| format!("{} {}", text(&app["state"]), text(&app["finalStatus"])))
        .collect()
}

pub fn runs(world: &World) -> usize {
    let runs = fs::read_to_string(world.out().join("runs")).unwrap_or_default();
    runs.lines().count()
}

/// It asks once a day: without the application master's word it would see the end tomorrow.
#[test]
fn an_owner_is_woken_at_the_end() {
    let _shared = share();
    let Some(cluster) = Cluster::of(&["resourcemanager"]) else {
        return;
    };
    let world = gated(&cluster);
    let mut properties = in_containers(&cluster, "woken");
    properties.push("-Dhpdl.yarn.poll.interval=86400".to_owned());
    let owner = start(&world, &properties);
    await_program(&world);
    open(&world.out());
    finish(owner).expect(0);
    assert_eq!(runs(&world), 1);
}

#[test]
fn a_script_runs_in_a_container_with_its_files_and_its_words() {
    let _shared = share();
    let Some(cluster) = Cluster::of(&["resourcemanager"]) else {
        return;
    };
    // Without an interpreter, as such scripts often are.
    let script = "echo container=$CONTAINER_ID\necho said=\"$1\"\necho color=$COLOR\necho remote=$(cat far.txt)\necho inner=$(cat d/x)\n\
        echo conf=$(grep -c mapreduce.job.queuename \"$OOZIE_ACTION_CONF_XML\")\necho user=$HADOOP_USER_NAME\n";
    let body = format!(
        "<shell xmlns='uri:oozie:shell-action:1.0'>{LAUNCHER}<configuration>\
         <property><name>mapreduce.job.queuename</name><value>default</value></property></configuration>\
         <exec>say.sh</exec><argument>${{words}}</argument><env-var>COLOR=dark blue</env-var>\
         <file>say.sh</file><file>${{nameNode}}${{folder}}/far file.txt#far.txt</file>\
         <archive>${{nameNode}}${{folder}}/d.zip#d</archive><capture-output/></shell>"
    );
    let world = world(&cluster, &body, ("say.sh", script));
    let mut properties = in_containers(&cluster, "containers");
    let folder = folder_of(&cluster, &properties);
    cluster.write(&format!("{folder}/far%20file.txt"), "far away");
    zip(&cluster, &format!("{folder}/d.zip"));
    // Words that the shells of a container would read.
    let words = "a \"b\" 'c' $HOME `id` {{X}} <LOG_DIR> é";
    properties.push(format!("-Dwords={words}"));
    let info = run(&world, &properties, 0);
    let done = node(&info, "a");
    let data = &done["data"];
    assert_eq!(data["said"], words, "{done:#}");
    assert_eq!(data["color"], "dark blue");
    assert_eq!(data["remote"], "far away");
    assert_eq!(data["inner"], "inside");
    assert_eq!(data["conf"], "1");
    assert!(text(&data["container"]).starts_with("container_"), "{data}");
    assert!(
        text(&done["external_id"]).starts_with("application_"),
        "{done:#}"
    );
    assert_eq!(states(&cluster, &world), ["FINISHED SUCCEEDED"]);
    assert!(
        !has_staging(&cluster, &world),
        "only the executable is left"
    );
}

/// Whether the staging folder of a job's application is there.
fn has_staging(cluster: &Cluster, world: &World) -> bool {
    let folder = format!("/user/{}/.hpdl/containers", crate::cluster::user());
    let left = cluster.names(&folder).unwrap_or_default();
    let all = applications(cluster, &world.job().expect("a job"));
    let tags = text(&all[0]["applicationTags"]);
    let own = tags.split(',').find(|tag| tag.starts_with("hpdl-"));
    let own = own.expect("it has our tag");
    left.iter().any(|name| name == own)
}

/// An archive with a file `x`.
fn zip(cluster: &Cluster, uri: &str) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("d.zip");
    let make = "import sys, zipfile\nwith zipfile.ZipFile(sys.argv[1], 'w') as z: z.writestr('x', 'inside')";
    let made = std::process::Command::new("python3")
        .args(["-c", make])
        .arg(&file)
        .status();
    assert!(made.expect("python3 exists").success());
    let put = std::process::Command::new(cluster.folder.join("bin/hdfs"))
        .args(["dfs", "-put", "-f"])
        .arg(&file)
        .arg(uri)
        .output();
    assert!(
        put.expect("hdfs exists where a cluster is up")
            .status
            .success()
    );
}

#[test]
fn a_main_class_has_hadoops_classes_and_the_launchers_properties() {
    const SOURCE: (&str, &str) = (
        "own/Main.java",
        "package own;\n\
         public class Main {\n\
         public static void main(String[] args) throws Exception {\n\
         java.util.Properties data = new java.util.Properties();\n\
         data.setProperty(\"word\", args[0]);\n\
         data.setProperty(\"option\", System.getProperty(\"own.option\"));\n\
         data.setProperty(\"heap\", Long.toString(Runtime.getRuntime().maxMemory() >> 20));\n\
         data.setProperty(\"fs\", new org.apache.hadoop.conf.Configuration().get(\"mapreduce.job.tags\"));\n\
         try (java.io.OutputStream out = new java.io.FileOutputStream(System.getProperty(\"oozie.action.output.properties\"))) {\n\
         data.store(out, null);\n}\n\
         if (args.length > 1) { throw new IllegalStateException(args[1]); }\n}\n}\n",
    );
    let _shared = share();
    let Some(cluster) = Cluster::of(&["resourcemanager"]) else {
        return;
    };
    let body = |more: &str| {
        format!(
            "<java><configuration><property><name>oozie.launcher.memory.mb</name><value>256</value></property>\
             <property><name>yarn.application.classpath</name><value>${{classes}}/*</value></property></configuration>\
             <main-class>own.Main</main-class><java-opts>-Down.option='a b' -Xmx64m</java-opts><arg>x y</arg>{more}\
             <capture-output/></java>"
        )
    };
    let app = |body: &str| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let app = folder.path().join("app");
        java::pack(&cluster, &[SOURCE], "own", &app.join("lib/own.jar"));
        let document = workflow_on_cluster(&action("a", body, "end"));
        fs::write(app.join("workflow.xml"), document).expect("a file");
        on(&cluster, World::of_folder(&app))
    };
    let mut properties = in_containers(&cluster, "container-java");
    properties.push(format!("-Dclasses={}/lib/hadoop", cluster.folder.display()));
    let world = app(&body(""));
    let info = run(&world, &properties, 0);
    let data = &node(&info, "a")["data"];
    assert_eq!(data["word"], "x y", "{info:#}");
    assert_eq!(data["option"], "a b");
    assert!(text(&data["fs"]).contains("hpdl-"), "{data}");
    let heap: u64 = text(&data["heap"]).parse().expect("a number");
    assert!((32..=64).contains(&heap), "{heap}");
    let world = app(&body("<arg>it was told to fail</arg>"));
    let info = run(&world, &properties, 1);
    let failed = node(&info, "a");
    assert_eq!(failed["error_code"], "JA018", "{failed:#}");
    assert!(
        text(&failed["error_message"]).contains("it was told to fail"),
        "{failed:#}"
    );
}

#[test]
fn a_container_is_found_again_and_its_program_runs_once() {
    let _shared = share();
    let Some(cluster) = Cluster::of(&["resourcemanager"]) else {
        return;
    };
    let world = gated(&cluster);
    let owner = start(&world, &in_containers(&cluster, "container-again"));
    await_program(&world);
    let id = world.job().expect("a job");
    let launcher = world.launcher_of(&id, "a");
    kill_dash_nine(owner);
    signal("KILL", launcher);
    let owner = world.spawn(&["recover", &id]);
    open(&world.out());
    finish(owner).expect(0);
    assert_eq!(states(&cluster, &world), ["FINISHED SUCCEEDED"]);
    assert_eq!(runs(&world), 1);
    assert_eq!(node(&world.info(&id), "a")["data"]["ends"], "well");
    let stray = pid(&world, "stray");
    wait_for("what the program left to end", || {
        (!is_running(stray)).then_some(())
    });
}

/// Killed at several moments between its decision to start and the beginning of the program.
#[test]
fn an_owner_that_is_killed_early_submits_one_application() {
    let _shared = share();
    let Some(cluster) = Cluster::of(&["resourcemanager"]) else {
        return;
    };
    for (round, delay) in [0, 60, 150, 400, 900].into_iter().enumerate() {
        let world = gated(&cluster);
        let owner = start(
            &world,
            &in_containers(&cluster, &format!("container-early-{round}")),
        );
        let id = wait_for("the action to begin", || {
            let id = world.job()?;
            let info = world.info(&id);
            let actions = info["actions"].as_array()?;
            let is_begun = |it: &Value| it["name"] == "a" && it["status"] == "RUNNING";
            actions.iter().any(is_begun).then_some(id)
        });
        std::thread::sleep(std::time::Duration::from_millis(delay));
        // On a slow machine the launcher has not claimed it yet.
        let launcher = world.claimer_of(&id, "a");
        kill_dash_nine(owner);
        if let Some(launcher) = launcher {
            signal("KILL", launcher);
        }
        let owner = world.spawn(&["recover", &id]);
        await_program(&world);
        open(&world.out());
        finish(owner).expect(0);
        let begun = states(&cluster, &world);
        assert_eq!(begun, ["FINISHED SUCCEEDED"], "killed after {delay} ms");
        assert_eq!(runs(&world), 1, "killed after {delay} ms");
    }
}

#[test]
fn who_kills_a_job_kills_its_container_and_all_that_runs_there() {
    let _shared = share();
    let Some(cluster) = Cluster::of(&["resourcemanager"]) else {
        return;
    };
    let world = gated(&cluster);
    let owner = start(&world, &in_containers(&cluster, "container-killed"));
    await_program(&world);
    let (stray, master) = (pid(&world, "stray"), pid(&world, "master"));
    let id = world.job().expect("a job");
    world.call(&["kill", &id]).expect(0);
    finish(owner).expect(1);
    crate::wait_for("the application to be killed", || {
        (states(&cluster, &world) == ["KILLED KILLED"]).then_some(())
    });
    for pid in [master, stray] {
        wait_for("its processes to end", || (!is_running(pid)).then_some(()));
    }
    assert_eq!(node(&world.info(&id), "a")["status"], "KILLED");
}

#[test]
fn errors_are_those_of_a_program_on_this_machine() {
    let _shared = share();
    let Some(cluster) = Cluster::of(&["resourcemanager"]) else {
        return;
    };
    let limit = "-Dhpdl.action.timeout=2";
    for (name, script, more, code, words) in [
        (
            "exits",
            "echo the reason >&2; exit 7\n",
            "",
            "1",
            "`run.sh` ended with exit code 7: the reason",
        ),
        (
            "missing",
            "#!/no/such/interpreter\n",
            "",
            "JA018",
            "asks for /no/such/interpreter",
        ),
        (
            "slow",
            "echo begun; sleep 1000\n",
            limit,
            "HPDL_TIMEOUT",
            "after 2 s",
        ),
        (
            "queue",
            "echo\n",
            "-Doozie.launcher.default.queue=nowhere",
            "JA018",
            "unknown queue",
        ),
        (
            "memory",
            "echo\n",
            "-Doozie.launcher.default.memory.mb=much",
            "JA010",
            "`much`",
        ),
    ] {
        let launcher = if name == "memory" { "" } else { LAUNCHER };
        let body = shell("run.sh", "").replace(LAUNCHER, launcher);
        let world = world(&cluster, &body, ("run.sh", script));
        let mut properties = in_containers(&cluster, &format!("container-{name}"));
        properties.extend((!more.is_empty()).then(|| more.to_owned()));
        let exit = if code == "JA010" { 3 } else { 1 };
        let info = run(&world, &properties, exit);
        let failed = node(&info, "a");
        assert_eq!(failed["error_code"], code, "{name}: {failed:#}");
        let message = text(&failed["error_message"]);
        assert!(message.contains(words), "{name}: {message}");
    }
}

#[test]
fn a_container_whose_master_is_killed_is_lost() {
    let _shared = share();
    let Some(cluster) = Cluster::of(&["resourcemanager"]) else {
        return;
    };
    let world = gated(&cluster);
    let owner = start(&world, &in_containers(&cluster, "container-master"));
    await_program(&world);
    signal("KILL", pid(&world, "master"));
    finish(owner).expect(4);
    let info = world.info(&world.job().expect("a job"));
    let lost = node(&info, "a");
    assert_eq!(lost["error_code"], "HPDL_LOST", "{lost:#}");
    assert_eq!(states(&cluster, &world), ["FAILED FAILED"]);
    let stray = pid(&world, "stray");
    signal("KILL", stray);
}

/// The program goes on meanwhile, and ends.
#[test]
fn a_resource_manager_that_is_restarted_is_waited_for() {
    let _alone = alone();
    let Some(cluster) = Cluster::of(&["resourcemanager"]) else {
        return;
    };
    let world = gated(&cluster);
    let owner = start(&world, &in_containers(&cluster, "container-outage"));
    await_program(&world);
    cluster.stop("resourcemanager");
    open(&world.out());
    let id = world.job().expect("a job");
    assert_eq!(world.info(&id)["status"], "RUNNING");
    cluster.start("resourcemanager");
    finish(owner).expect(0);
    assert_eq!(states(&cluster, &world), ["FINISHED SUCCEEDED"]);
    assert_eq!(runs(&world), 1);
}

#[test]
fn a_node_manager_that_stops_loses_its_containers() {
    let _alone = alone();
    let Some(cluster) = Cluster::of(&["resourcemanager"]) else {
        return;
    };
    let world = gated(&cluster);
    let owner = start(&world, &in_containers(&cluster, "container-node"));
    await_program(&world);
    let (stray, master) = (pid(&world, "stray"), pid(&world, "master"));
    cluster.stop("nodemanager");
    cluster.start("nodemanager");
    let ended = finish(owner);
    for pid in [master, stray] {
        wait_for("its processes to end", || (!is_running(pid)).then_some(()));
    }
    let info = world.info(&world.job().expect("a job"));
    let ended_action = node(&info, "a");
    assert_eq!(ended_action["error_code"], "HPDL_LOST", "{ended_action:#}");
    ended.expect(4);
    assert_eq!(runs(&world), 1);
}

#[test]
fn actions_that_have_no_cluster_stay_here_or_say_so() {
    let _shared = share();
    let Some(cluster) = Cluster::of(&["resourcemanager"]) else {
        return;
    };
    let body = shell("run.sh", "").replace(
        LAUNCHER,
        "<resource-manager>local</resource-manager><name-node>${nameNode}</name-node>",
    );
    let world = world(
        &cluster,
        &body,
        ("run.sh", "echo container=$CONTAINER_ID\n"),
    );
    let info = run(&world, &in_containers(&cluster, "container-local"), 0);
    assert_eq!(node(&info, "a")["data"]["container"], "", "{info:#}");
}
