//! `hpdl.launcher=yarn`: the clients of tools in containers, and what becomes of the applications that they start.

use std::{
    fs,
    process::Child,
    sync::{Mutex, MutexGuard, PoisonError},
};

use serde_json::Value;

use crate::{
    applications,
    bodies::{property, word_count},
    cluster::Cluster,
    drivers::PIG,
    finish, folder_of,
    harness::{World, action, kill_dash_nine, node, signal, text},
    is_thorough, on, properties, run, share,
    spark::{gated, kill_starters},
    wait_for, workflow_on_cluster,
};

/// The masters of the clients and those of their jobs share the limit of the queue: several clients at once could fill it.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn alone_here() -> MutexGuard<'static, ()> {
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The properties of a job whose tools run in containers. Nodes have none in their `PATH`: some are below homes that the launcher's
/// variables name, the others are named themselves.
fn contained(cluster: &Cluster, mut properties: Vec<String>) -> Vec<String> {
    let home = cluster.folder.display();
    properties.push("-Dhpdl.launcher=yarn".to_owned());
    properties.push("-Doozie.launcher.memory.mb=640".to_owned());
    properties.push(format!(
        "-Doozie.launcher.env=HADOOP_HOME={home}:PIG_HOME={home}"
    ));
    for tool in ["beeline", "hive", "spark-submit", "sqoop"] {
        properties.push(format!("-Dhpdl.tool.{tool}={home}/bin/{tool}"));
    }
    properties
}

fn start(world: &World, properties: &[String]) -> Child {
    let arguments: Vec<&str> = properties.iter().map(String::as_str).collect();
    world.start(&arguments)
}

/// The application of the container of a job's only action.
fn container(cluster: &Cluster, job: &str) -> Value {
    let mut all = applications(cluster, job);
    all.retain(|app| app["applicationType"] == "HPDL");
    assert_eq!(all.len(), 1, "{all:#?}");
    all.remove(0)
}

/// The types of all applications of the attempt and how they ended, by the tag that they share.
fn family(cluster: &Cluster, job: &str) -> Vec<String> {
    let tags = text(&container(cluster, job)["applicationTags"]);
    let tag = tags.split(',').find(|tag| tag.starts_with("hpdl-"));
    let mut all: Vec<String> = applications(cluster, tag.expect("it has our tag"))
        .iter()
        .map(|app| {
            format!(
                "{} {}",
                text(&app["applicationType"]),
                text(&app["finalStatus"])
            )
        })
        .collect();
    all.sort();
    all
}

/// An action with its files, for one test.
struct ContainedAction<'a> {
    name: &'a str,
    /// Daemons and commands of the cluster.
    needs: &'a [&'a str],
    body: &'a str,
    files: &'a [(&'a str, &'a str)],
    /// The types of the applications that it starts.
    starts: &'a [&'a str],
}

/// Runs it in a container, with an input of two lines; returns the cluster, the folder of the test and the job's `info`.
#[track_caller]
fn succeeds(contained_action: &ContainedAction<'_>) -> Option<(Cluster, String, Value)> {
    let cluster = Cluster::of(contained_action.needs)?;
    let document = workflow_on_cluster(&action("a", contained_action.body, "end"));
    let mut files = vec![("workflow.xml", document.as_str())];
    files.extend(contained_action.files);
    let world = on(&cluster, World::of(&files));
    let name = format!("contained-{}", contained_action.name);
    let properties = contained(&cluster, properties(&cluster, &name));
    let folder = folder_of(&cluster, &properties);
    cluster.write(&format!("{folder}/in/text"), "b a\na b a\n");
    cluster.write(&format!("{folder}/far.txt"), "far\n");
    let info = run(&world, &properties, 0);
    let mut expected: Vec<String> = contained_action
        .starts
        .iter()
        .chain(&["HPDL"])
        .map(|kind| format!("{kind} SUCCEEDED"))
        .collect();
    expected.sort();
    assert_eq!(
        family(&cluster, &world.job().expect("a job")),
        expected,
        "{info:#}"
    );
    assert_eq!(node(&info, "a")["external_status"], "SUCCEEDED", "{info:#}");
    Some((cluster, folder, info))
}

/// The text of all files of a folder in HDFS.
fn output(cluster: &Cluster, folder: &str) -> String {
    let names = cluster.names(folder).unwrap_or_default();
    let parts = names.iter().filter(|name| !name.starts_with(['_', '.']));
    parts
        .map(|name| cluster.read(&format!("{folder}/{name}")))
        .collect()
}

#[test]
fn distcp_copies() {
    let (_shared, _alone) = (share(), alone_here());
    let ran = succeeds(&ContainedAction {
        name: "distcp",
        needs: &["resourcemanager"],
        body: "<distcp xmlns='uri:oozie:distcp-action:1.0'><arg>${nameNode}${folder}/in/text</arg>\
               <arg>${nameNode}${folder}/copy</arg></distcp>",
        files: &[],
        starts: &["MAPREDUCE"],
    });
    if let Some((cluster, folder, _)) = ran {
        assert_eq!(cluster.read(&format!("{folder}/copy")), "b a\na b a\n");
    }
}

#[test]
fn map_reduce_counts() {
    let (_shared, _alone) = (share(), alone_here());
    let body = word_count("");
    let ran = succeeds(&ContainedAction {
        name: "map-reduce",
        needs: &["resourcemanager", "historyserver"],
        body: &body,
        files: &[],
        starts: &["MAPREDUCE"],
    });
    if let Some((cluster, folder, info)) = ran {
        assert_eq!(output(&cluster, &format!("{folder}/out")), "a\t3\nb\t2\n");
        let done = node(&info, "a");
        assert!(text(&done["external_id"]).starts_with("job_"), "{done:#}");
        assert_eq!(done["data"]["hadoopJobs"], done["external_id"]);
    }
}

/// One of its files is the application's, the other is on the cluster.
#[test]
fn streaming_ships_files_from_the_container() {
    if !is_thorough() {
        return;
    }
    let (_shared, _alone) = (share(), alone_here());
    let configuration = [
        property("mapred.input.dir", "${folder}/in"),
        property("mapred.output.dir", "${folder}/out"),
        property("mapreduce.map.maxattempts", "1"),
    ]
    .concat();
    let body = format!(
        "<map-reduce><streaming><mapper>sh map.sh</mapper><reducer>/bin/cat</reducer></streaming>\
         <configuration>{configuration}</configuration><file>map.sh</file>\
         <file>${{nameNode}}${{folder}}/far.txt#words</file></map-reduce>"
    );
    let ran = succeeds(&ContainedAction {
        name: "streaming",
        needs: &["resourcemanager"],
        body: &body,
        files: &[(
            "map.sh",
            "read word < words\nwhile read line; do echo \"$word $line\"; done\n",
        )],
        starts: &["MAPREDUCE"],
    });
    if let Some((cluster, folder, _)) = ran {
        let found = output(&cluster, &format!("{folder}/out"));
        assert!(
            found.contains("far b a") && found.contains("far a b a"),
            "{found}"
        );
    }
}

#[test]
fn pipes_run_a_program() {
    if !is_thorough() {
        return;
    }
    let (_shared, _alone) = (share(), alone_here());
    let configuration = [
        property("mapred.input.dir", "${folder}/in"),
        property("mapred.output.dir", "${folder}/out"),
        property("mapreduce.job.reduces", "1"),
    ]
    .concat();
    let body = format!(
        "<map-reduce><pipes><inputformat>org.apache.hadoop.mapred.TextInputFormat</inputformat>\
         <writer>org.apache.hadoop.mapred.TextOutputFormat</writer><program>words.py</program></pipes>\
         <configuration>{configuration}</configuration></map-reduce>"
    );
    let ran = succeeds(&ContainedAction {
        name: "pipes",
        needs: &["resourcemanager"],
        body: &body,
        files: &[("words.py", include_str!("words.py"))],
        starts: &["MAPREDUCE"],
    });
    if let Some((cluster, folder, _)) = ran {
        assert_eq!(output(&cluster, &format!("{folder}/out")), "a\t3\nb\t2\n");
    }
}

/// Its script is the application's, and a stream reads a file of the cluster.
#[test]
fn pig_runs_a_script_with_files() {
    let (_shared, _alone) = (share(), alone_here());
    let ran = succeeds(&ContainedAction {
        name: "pig",
        needs: &["resourcemanager", "pig/"],
        body: "<pig><prepare><delete path='${nameNode}${folder}/out'/></prepare><script>files.pig</script>\
               <param>in=${folder}/in</param><param>out=${folder}/out</param><file>map.sh</file>\
               <file>${nameNode}${folder}/far.txt#words</file></pig>",
        files: &[
            (
                "files.pig",
                "lines = load '$in' as (line:chararray);\nmapped = stream lines through `sh map.sh`;\nstore mapped into '$out';\n",
            ),
            (
                "map.sh",
                "read word < words\nwhile read line; do echo \"$word $line\"; done\n",
            ),
        ],
        starts: &["MAPREDUCE"],
    });
    if let Some((cluster, folder, info)) = ran {
        let found = output(&cluster, &format!("{folder}/out"));
        assert_eq!(found, "far b a\nfar a b a\n");
        let jobs = text(&node(&info, "a")["data"]["hadoopJobs"]);
        assert!(jobs.starts_with("job_") && !jobs.contains(','), "{jobs}");
    }
}

#[test]
fn hive_runs_a_script() {
    let (_shared, _alone) = (share(), alone_here());
    let site = [
        property("hive.metastore.uris", "${metastore}"),
        property("hive.execution.engine", "mr"),
        property("hive.support.concurrency", "false"),
        property(
            "hive.txn.manager",
            "org.apache.hadoop.hive.ql.lockmgr.DummyTxnManager",
        ),
    ]
    .concat();
    let site = format!("<configuration>{site}</configuration>");
    let ran = succeeds(&ContainedAction {
        name: "hive",
        needs: &["resourcemanager", "metastore", "hive/"],
        body: "<hive xmlns='uri:oozie:hive-action:1.0'><job-xml>site.xml</job-xml><script>count.hql</script>\
               <param>folder=${nameNode}${folder}</param></hive>",
        files: &[
            (
                "count.hql",
                "create external table if not exists hpdlc_contained (word string) location '${folder}/in';\n\
                 insert overwrite directory '${folder}/out' select count(*) from hpdlc_contained;\n\
                 drop table hpdlc_contained;\n",
            ),
            ("site.xml", &site),
        ],
        starts: &["MAPREDUCE"],
    });
    if let Some((cluster, folder, _)) = ran {
        assert_eq!(output(&cluster, &format!("{folder}/out")), "2\n");
    }
}

#[test]
fn beeline_runs_a_query() {
    if !is_thorough() {
        return;
    }
    let (_shared, _alone) = (share(), alone_here());
    succeeds(&ContainedAction {
        name: "hive2",
        needs: &["resourcemanager", "hiveserver2"],
        body: "<hive2 xmlns='uri:oozie:hive2-action:1.0'><jdbc-url>${hiveUrl}</jdbc-url><query>show databases;</query></hive2>",
        files: &[],
        starts: &[],
    });
}

#[test]
fn sqoop_imports() {
    if !is_thorough() {
        return;
    }
    let (_shared, _alone) = (share(), alone_here());
    let ran = succeeds(&ContainedAction {
        name: "sqoop",
        needs: &["resourcemanager", "postgres", "sqoop/"],
        body: "<sqoop xmlns='uri:oozie:sqoop-action:1.0'><prepare><delete path='${nameNode}${folder}/out'/></prepare>\
               <arg>import</arg><arg>--connect</arg><arg>${database}</arg><arg>--username</arg><arg>shop</arg>\
               <arg>--password</arg><arg>shop</arg><arg>--query</arg>\
               <arg>select 'x' as line where $CONDITIONS</arg>\
               <arg>--target-dir</arg><arg>${folder}/out</arg><arg>--num-mappers</arg><arg>1</arg></sqoop>",
        files: &[],
        starts: &["MAPREDUCE"],
    });
    if let Some((cluster, folder, _)) = ran {
        assert_eq!(output(&cluster, &format!("{folder}/out")), "x\n");
    }
}

const COUNT: &str = "import sys\nfrom pyspark.sql import SparkSession\nspark = SparkSession.builder.getOrCreate()\n\
     lines = spark.read.text(sys.argv[1])\nassert lines.count() == 2, lines.count()\nspark.stop()\n";

fn spark_body(master: &str) -> String {
    format!(
        "<spark xmlns='uri:oozie:spark-action:1.0'>{master}<name>count</name><jar>count.py</jar>\
         <arg>${{nameNode}}${{folder}}/in/text</arg></spark>"
    )
}

/// Counts the lines of a file by Spark with these elements, where its program is at `program` in the application.
fn count_by_spark(name: &str, master: &str, program: &str, starts: &[&str]) {
    let (_shared, _alone) = (share(), alone_here());
    succeeds(&ContainedAction {
        name,
        needs: &["resourcemanager", "spark/"],
        body: &spark_body(master),
        files: &[(program, COUNT)],
        starts,
    });
}

/// Its driver runs in the container.
#[test]
fn spark_drives_from_the_container() {
    let master = "<master>yarn</master><mode>client</mode>";
    count_by_spark("spark-client", master, "lib/count.py", &["SPARK"]);
}

/// The application argument is a file of the application that is in no `file`.
#[test]
fn spark_starts_its_driver_from_the_container() {
    if is_thorough() {
        let master = "<master>yarn</master><mode>cluster</mode>";
        count_by_spark("spark-cluster", master, "count.py", &["SPARK"]);
    }
}

#[test]
fn spark_without_yarn_runs_in_the_container() {
    if is_thorough() {
        count_by_spark(
            "spark-local",
            "<master>local[1]</master>",
            "lib/count.py",
            &[],
        );
    }
}

#[test]
fn a_node_without_the_tool_fails_the_action_and_is_named() {
    let (_shared, _alone) = (share(), alone_here());
    let Some(cluster) = Cluster::of(&["resourcemanager"]) else {
        return;
    };
    let body = "<pig><script>a.pig</script></pig>";
    let document = workflow_on_cluster(&action("a", body, "end"));
    let world = on(
        &cluster,
        World::of(&[("workflow.xml", &document), ("a.pig", "")]),
    );
    let mut properties = contained(&cluster, properties(&cluster, "contained-missing"));
    properties.push("-Dhpdl.tool.pig=/no/such/pig".to_owned());
    let info = run(&world, &properties, 1);
    let failed = node(&info, "a");
    assert_eq!(failed["error_code"], "JA018", "{failed:#}");
    let message = text(&failed["error_message"]);
    for words in ["/no/such/pig on the node ", "hpdl.tool.pig"] {
        assert!(message.contains(words), "{message}");
    }
    assert_eq!(
        family(&cluster, &world.job().expect("a job")),
        ["HPDL FAILED"]
    );
}

#[test]
fn who_kills_a_job_kills_the_client_and_what_it_has_started() {
    let (_shared, _alone) = (share(), alone_here());
    let Some(cluster) = Cluster::of(PIG.needs) else {
        return;
    };
    let world = PIG.world(&cluster);
    let properties = contained(&cluster, PIG.ready(&cluster, "contained-killed"));
    let owner = start(&world, &properties);
    PIG.await_gate(&cluster, &world);
    let id = world.job().expect("a job");
    world.call(&["kill", &id]).expect(0);
    finish(owner).expect(1);
    wait_for("both applications to be killed", || {
        (family(&cluster, &id) == ["HPDL KILLED", "MAPREDUCE KILLED"]).then_some(())
    });
    assert_eq!(node(&world.info(&id), "a")["status"], "KILLED");
}

/// All processes on the owner's machine die while the client drives its job.
#[test]
fn a_client_is_found_again_and_starts_nothing_twice() {
    let (_shared, _alone) = (share(), alone_here());
    let Some(cluster) = Cluster::of(PIG.needs) else {
        return;
    };
    let world = PIG.world(&cluster);
    let properties = contained(&cluster, PIG.ready(&cluster, "contained-again"));
    let owner = start(&world, &properties);
    PIG.await_gate(&cluster, &world);
    let id = world.job().expect("a job");
    kill_dash_nine(owner);
    kill_starters(&world, &id);
    let owner = world.spawn(&["recover", &id]);
    PIG.open(&cluster, &world);
    finish(owner).expect(0);
    assert_eq!(
        family(&cluster, &id),
        ["HPDL SUCCEEDED", "MAPREDUCE SUCCEEDED"]
    );
    let info = world.info(&id);
    assert_eq!(node(&info, "a")["external_status"], "SUCCEEDED", "{info:#}");
}

/// Kills the application master of a job's container.
fn kill_master(cluster: &Cluster, job: &str) {
    let id = text(&container(cluster, job)["id"]);
    // `application_1_2` has the container `container_1_2_01_000001`, or `container_e03_1_2_01_000001`.
    let number = id.trim_start_matches("application").to_owned() + "_01_000001";
    let processes = fs::read_dir("/proc").expect("there are processes");
    let is_master = |pid: i32| {
        let read = |file: &str| fs::read(format!("/proc/{pid}/{file}")).unwrap_or_default();
        let (line, variables) = (read("cmdline"), read("environ"));
        String::from_utf8_lossy(&line).contains("\0hpdl-am\0")
            && String::from_utf8_lossy(&variables).contains(&number)
    };
    let pids = processes.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let masters: Vec<i32> = pids.filter(|pid| is_master(*pid)).collect();
    assert_eq!(masters.len(), 1, "{number}: {masters:?}");
    signal("KILL", masters[0]);
}

#[test]
fn what_a_lost_client_has_driven_is_ended() {
    let (_shared, _alone) = (share(), alone_here());
    let Some(cluster) = Cluster::of(PIG.needs) else {
        return;
    };
    let world = PIG.world(&cluster);
    let properties = contained(&cluster, PIG.ready(&cluster, "contained-lost"));
    let owner = start(&world, &properties);
    PIG.await_gate(&cluster, &world);
    let id = world.job().expect("a job");
    kill_master(&cluster, &id);
    finish(owner).expect(4);
    let info = world.info(&id);
    assert_eq!(node(&info, "a")["error_code"], "HPDL_LOST", "{info:#}");
    wait_for("its application to be killed", || {
        (family(&cluster, &id) == ["HPDL FAILED", "MAPREDUCE KILLED"]).then_some(())
    });
}

/// In cluster mode the application needs no client.
#[test]
fn what_goes_on_without_a_lost_client_is_waited_for() {
    let (_shared, _alone) = (share(), alone_here());
    let Some(cluster) = Cluster::of(&["resourcemanager", "spark/"]) else {
        return;
    };
    let world = gated(&cluster);
    let properties = contained(&cluster, properties(&cluster, "contained-spark"));
    let owner = start(&world, &properties);
    crate::applications::await_gate(&world);
    let id = world.job().expect("a job");
    kill_master(&cluster, &id);
    wait_for("the container to be gone", || {
        (text(&container(&cluster, &id)["finalStatus"]) == "FAILED").then_some(())
    });
    crate::applications::open(&world.out());
    finish(owner).expect(0);
    assert_eq!(family(&cluster, &id), ["HPDL FAILED", "SPARK SUCCEEDED"]);
}
