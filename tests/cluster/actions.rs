//! Actions on the cluster, with features that no example covers.

use std::fs;

use crate::{
    bodies::{property, with_counters, word_count},
    cluster::Cluster,
    harness::{World, action, node},
    on, properties, run, share, workflow_on_cluster,
};

/// An application with one action `a` that has this body, and `name-node` and `resource-manager` from `global`.
fn world(cluster: &Cluster, body: &str, files: &[(&str, &str)]) -> World {
    let text = document(body);
    let mut all = vec![("workflow.xml", text.as_str())];
    all.extend(files);
    on(cluster, World::of(&all))
}

fn document(body: &str) -> String {
    workflow_on_cluster(&action("a", body, "end"))
}

/// Writes a text into the folder that `properties` name.
fn input(cluster: &Cluster, properties: &[String]) -> String {
    let folder = crate::folder_of(cluster, properties);
    cluster.write(&format!("{folder}/in/text"), "b a\na b a\n");
    folder
}

/// A job of Hadoop's own classes, using the old API.
#[test]
fn map_reduce_by_the_old_interface_has_counters() {
    let _shared = share();
    let Some(cluster) = Cluster::of(&["resourcemanager", "historyserver"]) else {
        return;
    };
    let body = word_count(&with_counters());
    let nodes = action("a", &body, "verify")
        + "<decision name=\"verify\"><switch><case to=\"end\">${hadoop:counters('a')[RECORDS][MAP_IN] eq 2 \
           and hadoop:counters('a')[RECORDS][REDUCE_OUT] eq 2 and hadoop:counters('a')[RECORDS][GROUPS] eq 2}</case>\
           <default to=\"failed\"/></switch></decision>\n";
    let world = on(
        &cluster,
        World::of(&[("workflow.xml", &workflow_on_cluster(&nodes))]),
    );
    let properties = properties(&cluster, "old-interface");
    let folder = input(&cluster, &properties);
    run(&world, &properties, 0);
    assert_eq!(
        cluster.read(&format!("{folder}/out/part-00000")),
        "a\t3\nb\t2\n"
    );
}

/// Using the new API, with the application's `lib`.
#[test]
fn map_reduce_by_the_new_interface_takes_its_classes_from_lib() {
    let _shared = share();
    let Some(cluster) = Cluster::of(&["resourcemanager"]) else {
        return;
    };
    let class = "org.apache.hadoop.examples.WordCount";
    let configuration = [
        property("mapred.mapper.new-api", "true"),
        property("mapred.reducer.new-api", "true"),
        property(
            "mapreduce.job.map.class",
            &format!("{class}$TokenizerMapper"),
        ),
        property(
            "mapreduce.job.reduce.class",
            &format!("{class}$IntSumReducer"),
        ),
        property(
            "mapreduce.job.output.key.class",
            "org.apache.hadoop.io.Text",
        ),
        property(
            "mapreduce.job.output.value.class",
            "org.apache.hadoop.io.IntWritable",
        ),
        property("mapreduce.input.fileinputformat.inputdir", "${folder}/in"),
        property(
            "mapreduce.output.fileoutputformat.outputdir",
            "${folder}/out",
        ),
    ]
    .concat();
    let body = format!("<map-reduce><configuration>{configuration}</configuration></map-reduce>");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let app = folder.path().join("app");
    fs::create_dir_all(app.join("lib")).expect("a folder");
    fs::write(app.join("workflow.xml"), document(&body)).expect("a file");
    let jars = fs::read_dir(cluster.folder.join("share/hadoop/mapreduce")).expect("a folder");
    for jar in jars {
        let jar = jar.expect("an entry");
        fs::copy(jar.path(), app.join("lib").join(jar.file_name())).expect("a file");
    }
    let world = on(&cluster, World::of_folder(&app));
    let properties = properties(&cluster, "new-interface");
    let folder = input(&cluster, &properties);
    run(&world, &properties, 0);
    assert_eq!(
        cluster.read(&format!("{folder}/out/part-r-00000")),
        "a\t3\nb\t2\n"
    );
}

#[test]
fn a_streaming_job_that_fails_takes_the_error_transition() {
    let _shared = share();
    let Some(cluster) = Cluster::of(&["resourcemanager"]) else {
        return;
    };
    let configuration = [
        property("mapred.input.dir", "${folder}/in"),
        property("mapred.output.dir", "${folder}/out"),
        property("mapreduce.map.maxattempts", "1"),
    ]
    .concat();
    let body = format!(
        "<map-reduce><streaming><mapper>/bin/false</mapper><reducer>/bin/cat</reducer></streaming><configuration>{configuration}</configuration></map-reduce>"
    );
    let world = world(&cluster, &body, &[]);
    let properties = properties(&cluster, "failing");
    input(&cluster, &properties);
    let info = run(&world, &properties, 1);
    let failed = node(&info, "a");
    assert_eq!(
        (&failed["status"], &failed["external_status"]),
        (&"ERROR".into(), &"FAILED/KILLED".into()),
        "{failed:#}"
    );
}

/// With Java's record reader and writer, and a program in another language.
#[test]
fn pipes_run_a_program() {
    let _shared = share();
    let Some(cluster) = Cluster::of(&["resourcemanager"]) else {
        return;
    };
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
    let world = world(&cluster, &body, &[("words.py", include_str!("words.py"))]);
    let properties = properties(&cluster, "pipes");
    let folder = input(&cluster, &properties);
    run(&world, &properties, 0);
    assert_eq!(
        cluster.read(&format!("{folder}/out/part-00000")),
        "a\t3\nb\t2\n"
    );
}

#[test]
fn pig_runs_a_script_with_parameters() {
    let _shared = share();
    let Some(cluster) = Cluster::of(&["resourcemanager", "pig/"]) else {
        return;
    };
    let script = "lines = load '$in' as (line:chararray);\nwords = foreach lines generate flatten(TOKENIZE(line)) as word;\n\
                  same = group words by word;\ncounts = foreach same generate group, COUNT(words);\nstore counts into '$out';\n";
    let body = "<pig><prepare><delete path='${nameNode}${folder}/out'/></prepare><script>count.pig</script>\
                <param>in=${folder}/in</param><param>out=${folder}/out</param></pig>";
    let world = world(&cluster, body, &[("count.pig", script)]);
    let properties = properties(&cluster, "pig");
    let folder = input(&cluster, &properties);
    run(&world, &properties, 0);
    assert_eq!(
        cluster.read(&format!("{folder}/out/part-r-00000")),
        "a\t3\nb\t2\n"
    );
}

/// The old command line: it accesses the metastore itself.
#[test]
fn hive_runs_a_script_with_parameters() {
    let _shared = share();
    let Some(cluster) = Cluster::of(&["resourcemanager", "metastore", "hive/"]) else {
        return;
    };
    let script = "create external table if not exists hpdlc_words (word string) location '${folder}/in';\n\
                  insert overwrite directory '${folder}/out' select count(*) from hpdlc_words;\ndrop table hpdlc_words;\n";
    let site = "<configuration><property><name>hive.metastore.uris</name><value>${metastore}</value></property>\
                <property><name>hive.execution.engine</name><value>mr</value></property>\
                <property><name>hive.support.concurrency</name><value>false</value></property>\
                <property><name>hive.txn.manager</name><value>org.apache.hadoop.hive.ql.lockmgr.DummyTxnManager</value></property></configuration>";
    let body = "<hive xmlns='uri:oozie:hive-action:1.0'><job-xml>site.xml</job-xml><script>count.hql</script>\
                <param>folder=${nameNode}${folder}</param></hive>";
    let world = world(&cluster, body, &[("count.hql", script), ("site.xml", site)]);
    let properties = properties(&cluster, "hive");
    let folder = input(&cluster, &properties);
    run(&world, &properties, 0);
    let names = cluster.names(&format!("{folder}/out")).expect("there");
    let file = names
        .iter()
        .find(|name| !name.starts_with(['_', '.']))
        .expect("a file");
    assert_eq!(cluster.read(&format!("{folder}/out/{file}")), "2\n");
}

/// The driver and everything else run locally.
#[test]
fn spark_without_yarn_ends_as_its_program() {
    let _shared = share();
    let Some(cluster) = Cluster::of(&["spark/"]) else {
        return;
    };
    let program = "import sys\nfrom pyspark.sql import SparkSession\nspark = SparkSession.builder.getOrCreate()\n\
                   assert sys.argv[1] == 'with blanks', sys.argv\nassert spark.range(5).count() == 5\nspark.stop()\n";
    let body = "<spark xmlns='uri:oozie:spark-action:1.0'><master>local[1]</master><name>five</name><jar>five.py</jar>\
                <arg>with blanks</arg><file>five.py</file></spark>";
    let world = world(&cluster, body, &[("five.py", program)]);
    run(&world, &properties(&cluster, "local-spark"), 0);
    let wrong = program.replace("== 5", "== 6");
    let world = self::world(&cluster, body, &[("five.py", &wrong)]);
    let info = run(&world, &properties(&cluster, "local-spark"), 1);
    assert_eq!(node(&info, "a")["error_code"], "JA018", "{info:#}");
}

#[test]
fn a_query_of_hive_that_fails_takes_the_error_transition() {
    let _shared = share();
    let Some(cluster) = Cluster::of(&["hiveserver2"]) else {
        return;
    };
    let body = "<hive2 xmlns='uri:oozie:hive2-action:1.0'><jdbc-url>${hiveUrl}</jdbc-url><query>select * from hpdlc_no_such_table</query></hive2>";
    let world = world(&cluster, body, &[]);
    let info = run(&world, &properties(&cluster, "hive2"), 1);
    let failed = node(&info, "a");
    assert_eq!(failed["error_code"], "JA018", "{failed:#}");
}
