//! The `file`s and `archive`s of an action in the tasks of the jobs that its tool submits: no script here adds any itself.

use crate::{
    cluster::Cluster,
    folder_of,
    harness::{World, action},
    on, properties, run, share, workflow_on_cluster,
};

/// Reads its words from a file and from an archive, which are beside it.
const MAP: (&str, &str) = (
    "map.sh",
    "read first < words.txt\nread second < more/second.txt\nwhile read line; do echo \"$first $line $second\"; done\n",
);

/// An application with an archive in it, which is a binary file.
fn world(cluster: &Cluster, body: &str, script: (&str, &str)) -> World {
    let document = workflow_on_cluster(&action("a", body, "end"));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &str| {
        let file = folder.path().join(name);
        std::fs::write(file, text).expect("a file");
    };
    for (name, text) in [
        ("workflow.xml", document.as_str()),
        MAP,
        script,
        ("first.txt", "first\n"),
        ("second.txt", "second\n"),
    ] {
        write(name, text);
    }
    let status = std::process::Command::new("tar")
        .args(["-C"])
        .arg(folder.path())
        .arg("-czf")
        .arg(folder.path().join("more.tgz"))
        .arg("second.txt")
        .status();
    assert!(status.expect("tar exists").success());
    on(cluster, World::of_folder(folder.path()))
}

/// The files that both actions name.
const FILES: &str =
    "<file>map.sh</file><file>first.txt#words.txt</file><archive>more.tgz#more</archive>";

#[track_caller]
fn check(cluster: &Cluster, name: &str, world: &World) {
    let properties = properties(cluster, name);
    let folder = folder_of(cluster, &properties);
    cluster.write(&format!("{folder}/in/text"), "x\n");
    run(world, &properties, 0);
    let out = format!("{folder}/out");
    let names = cluster.names(&out).unwrap_or_default();
    let parts = names.iter().filter(|name| !name.starts_with(['_', '.']));
    let found: String = parts
        .map(|name| cluster.read(&format!("{out}/{name}")))
        .collect();
    assert_eq!(found, "first x second\n");
}

#[test]
fn streams_of_pig_find_the_files_of_the_action() {
    let _shared = share();
    let Some(cluster) = Cluster::of(&["resourcemanager", "pig/"]) else {
        return;
    };
    let body = format!(
        "<pig><script>files.pig</script><param>in=${{folder}}/in</param><param>out=${{folder}}/out</param>{FILES}</pig>"
    );
    let script = "lines = load '$in' as (line:chararray);\nmapped = stream lines through `sh map.sh`;\nstore mapped into '$out';\n";
    check(
        &cluster,
        "pig-files",
        &world(&cluster, &body, ("files.pig", script)),
    );
}

#[test]
fn transforms_of_hive_find_the_files_of_the_action() {
    let _shared = share();
    let Some(cluster) = Cluster::of(&["resourcemanager", "metastore", "hive/"]) else {
        return;
    };
    let body = format!(
        "<hive xmlns='uri:oozie:hive-action:1.0'><configuration>\
         <property><name>hive.metastore.uris</name><value>${{metastore}}</value></property>\
         <property><name>hive.execution.engine</name><value>mr</value></property>\
         <property><name>hive.support.concurrency</name><value>false</value></property>\
         <property><name>hive.txn.manager</name><value>org.apache.hadoop.hive.ql.lockmgr.DummyTxnManager</value></property>\
         </configuration><script>files.hql</script><param>folder=${{nameNode}}${{folder}}</param>{FILES}</hive>"
    );
    let script = "create external table if not exists hpdlc_files (line string) location '${folder}/in';\n\
        insert overwrite directory '${folder}/out' select transform(line) using 'sh map.sh' as (line string) from hpdlc_files;\n\
        drop table hpdlc_files;\n";
    check(
        &cluster,
        "hive-files",
        &world(&cluster, &body, ("files.hql", script)),
    );
}
