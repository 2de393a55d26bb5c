//! Files on a real HDFS, which `tests/cluster/up` has started. Without one, each test says in one line that it is skipped.

use std::{fs, process::Command};

use crate::{
    cluster::{Cluster, user},
    harness::{World, action, finish, kill_dash_nine, node, wait_for, workflow},
    run,
};

/// A workflow of one `fs` action; `@` is replaced by the test's folder.
fn world(cluster: &Cluster, operations: &str) -> World {
    let body = format!("<fs>{}</fs>", operations.replace('@', "${root}"));
    // The last schema that has all commands.
    let text = workflow(&action("a", &body, "end")).replace("workflow:1.0", "workflow:0.5");
    with_settings(cluster, World::of(&[("workflow.xml", &text)]))
}

fn with_settings(cluster: &Cluster, mut world: World) -> World {
    world.set("HADOOP_CONF_DIR", cluster.address("HADOOP_CONF_DIR"));
    world
}

/// Every command, by both protocols of HDFS.
#[test]
fn every_command_works_on_hdfs() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let mut world = world(
        &cluster,
        "<mkdir path='@/x/y'/><touchz path='@/x/y/one'/><touchz path='@/x/y/two'/><mkdir path='@/z'/>\
         <move source='@/x/y/{one,two}' target='@/z'/><chmod path='@/x' permissions='750' dir-files='false'/>\
         <chmod path='@/z' permissions='-rwxr-x--x'><recursive/></chmod><chgrp path='@/z/one' group='staff' dir-files='false'/>\
         <setrep path='@/z/one' replication-factor='3'/><delete path='@/z/t*' skip-trash='false'/><delete path='@/old*'/>\
         <delete path='@/nothing'/>",
    );
    for scheme in ["HDFS", "WEBHDFS"] {
        let root = cluster.folder(scheme, &format!("commands-{scheme}"));
        let path = root.replace(cluster.address(scheme), "");
        for name in ["old-1", "old-2"] {
            cluster.rest("PUT", &format!("{path}/{name}"), "op=MKDIRS");
        }
        world.afresh();
        let (_, info) = run(&world, &[&format!("-Droot={root}")], 0);
        assert_eq!(node(&info, "a")["external_status"], "OK");
        assert_eq!(cluster.names(&path).expect("there"), ["x", "z"]);
        assert_eq!(cluster.names(&format!("{path}/z")).expect("there"), ["one"]);
        assert_eq!(cluster.status(&format!("{path}/x"))["permission"], "750");
        assert_eq!(cluster.status(&format!("{path}/z"))["permission"], "751");
        let one = cluster.status(&format!("{path}/z/one"));
        assert_eq!(
            (&one["permission"], &one["group"], &one["replication"]),
            (&"751".into(), &"staff".into(), &3.into()),
            "{one}"
        );
        let trash = format!("/user/{}/.Trash/Current{path}/z", user());
        assert_eq!(cluster.names(&trash).expect("there"), ["two"], "{scheme}");
    }
}

#[test]
fn what_hdfs_refuses_has_oozies_codes() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let check = |operations: &str, more: &[&str], code: &str, words: &str| {
        let world = world(&cluster, operations);
        let root = cluster.folder("HDFS", "refusals");
        cluster.write(&format!("{root}/one.txt"), "1");
        cluster.write(&format!("{root}/two.txt"), "2");
        let root = format!("-Droot={root}");
        let mut arguments = vec![root.as_str(), "-Delsewhere=hdfs://127.0.0.2:1/x"];
        arguments.extend(more);
        let (_, info) = run(&world, &arguments, 1);
        let failed = node(&info, "a");
        assert_eq!(
            (&failed["status"], &failed["error_code"]),
            (&"ERROR".into(), &code.into()),
            "{operations}: {failed:#}"
        );
        let message = failed["error_message"].as_str().expect("a message");
        assert!(message.contains(words), "{message}");
    };
    check("<move source='@/none' target='@/x'/>", &[], "FS006", "none");
    check(
        "<move source='@/one.txt' target='${elsewhere}'/>",
        &[],
        "FS007",
        "different from that of source",
    );
    check(
        "<move source='@/one.txt' target='@/two.txt'/>",
        &[],
        "FS008",
        "two.txt",
    );
    check(
        "<move source='@/one.txt' target='@/none/x'/>",
        &[],
        "FS008",
        "none",
    );
    check(
        "<chmod path='@/none' permissions='755'/>",
        &[],
        "FS009",
        "none",
    );
    check(
        "<chmod path='@/one.txt' permissions='${mode}'/>",
        &["-Dmode=99"],
        "FS010",
        "99",
    );
    check(
        "<name-node>${root}</name-node><delete path='${relative}'/>",
        &["-Drelative=x"],
        "FS011",
        "cannot be relative",
    );
    check(
        "<move source='@/*.txt' target='@/none'/>",
        &[],
        "FS012",
        "2 sources",
    );
    check(
        "<delete path='@/*.txt'/>",
        &["-Doozie.action.fs.glob.max=1"],
        "FS013",
        "more than 1",
    );
    check(
        "<touchz path='@/one.txt'/>",
        &[],
        "Exception",
        "zero-length",
    );
    // Another user has no permission.
    check(
        "<chmod path='@/one.txt' permissions='600'/>",
        &["-Dhpdl.proxyuser=true", "-Duser.name=nobody"],
        "FS014",
        "nobody",
    );
}

#[test]
fn functions_look_at_hdfs() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let root = cluster.folder("HDFS", "functions");
    cluster.write(&format!("{root}/five"), "12345");
    cluster.write(&format!("{root}/sub/seven"), "1234567");
    let all = "fs:exists(concat(root, '/*')) and fs:exists(concat(root, '/{six,five}')) and not fs:exists(concat(root, '/x*')) \
               and fs:isDir(root) and not fs:isDir(concat(root, '/five')) and not fs:isDir(concat(root, '/none')) \
               and fs:fileSize(concat(root, '/five')) eq 5 and fs:fileSize(concat(root, '/none')) eq -1 and fs:fileSize(root) eq 0 \
               and fs:dirSize(root) eq 5 and fs:dirSize(concat(root, '/five')) eq -1 and fs:dirSize(concat(root, '/none')) eq -1 \
               and fs:blockSize(concat(root, '/five')) eq 128 * MB and fs:blockSize(root) eq 0 and fs:blockSize(concat(root, '/none')) eq -1";
    let nodes = format!(
        r#"<decision name="choose"><switch><case to="end">${{{all}}}</case><default to="failed"/></switch></decision>"#
    );
    let mut world = with_settings(&cluster, World::of_nodes(&nodes));
    for root in [
        &root,
        &root.replace(cluster.address("HDFS"), cluster.address("WEBHDFS")),
    ] {
        world.afresh();
        let (_, info) = run(&world, &[&format!("-Droot={root}")], 0);
        assert_eq!(node(&info, "choose")["transition"], "end", "{root}");
    }
}

#[test]
fn properties_and_prepare_come_from_hdfs() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let root = cluster.folder("HDFS", "settings");
    cluster.write(
        &format!("{root}/site.xml"),
        "<configuration><property><name>color</name><value>of ${wf:name()}</value></property></configuration>",
    );
    cluster.write(&format!("{root}/old/file"), "x");
    cluster.write(&format!("{root}/data.txt"), "x");
    let body = r#"<shell xmlns="uri:oozie:shell-action:1.0"><name-node>${root}</name-node><prepare><delete path="${root}/old"/><mkdir path="${root}/new"/></prepare><job-xml>${root}/site.xml</job-xml><exec>grep</exec><argument>of case</argument><argument>action.xml</argument><argument>fetched</argument><file>${root}/data.txt#fetched</file></shell>"#;
    let mut world = with_settings(&cluster, World::of_nodes(&action("a", body, "end")));
    run(&world, &[&format!("-Droot={root}")], 0);
    assert_eq!(
        cluster.names(&root).expect("there"),
        ["data.txt", "new", "site.xml"]
    );
    // And if the file does not exist.
    cluster.rest("DELETE", &format!("{root}/site.xml"), "op=DELETE");
    world.afresh();
    let (_, info) = run(&world, &[&format!("-Droot={root}")], 1);
    assert_eq!(node(&info, "a")["error_code"], "JA008");
}

/// Moves more folders than it can before it is killed.
#[test]
fn a_move_goes_on_where_its_owner_was_killed() {
    const FOLDERS: usize = 2000;

    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let root = cluster.folder("HDFS", "killed");
    let path = root.replace(cluster.address("HDFS"), "");
    let world = world(
        &cluster,
        "<move source='@/from/*' target='@/to'/><touchz path='@/done'/>",
    );
    cluster.rest("PUT", &format!("{path}/to"), "op=MKDIRS");
    let list: String = (0..FOLDERS)
        .map(|number| format!("{path}/from/{number}\n"))
        .collect();
    make_folders(&cluster, &list);
    let owner = world.start(&[&format!("-Droot={root}")]);
    wait_for("the move to begin", || {
        cluster
            .names(&format!("{path}/to"))
            .is_some_and(|names| !names.is_empty())
            .then_some(())
    });
    kill_dash_nine(owner);
    let moved = cluster.names(&format!("{path}/to")).expect("there").len();
    assert!(moved < FOLDERS, "it was killed in the middle");
    world.call(&["recover"]).expect(0);
    assert_eq!(
        cluster.names(&format!("{path}/to")).expect("there").len(),
        FOLDERS
    );
    assert_eq!(
        cluster.names(&format!("{path}/from")).expect("there").len(),
        0
    );
    assert!(cluster.status(&format!("{path}/done"))["length"] == 0);
}

/// With one `curl` for all: a process for each would take minutes.
fn make_folders(cluster: &Cluster, list: &str) {
    let base = cluster.address("WEBHDFS").replacen("webhdfs", "http", 1);
    let config: String = list
        .lines()
        .map(|path| {
            format!(
                "url = \"{base}/webhdfs/v1{path}?user.name={}&op=MKDIRS\"\nrequest = PUT\noutput = /dev/null\nnext\n",
                user()
            )
        })
        .collect();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("urls");
    fs::write(&file, config.trim_end_matches("next\n")).expect("a file");
    let status = Command::new("curl").arg("-s").arg("-K").arg(&file).status();
    assert!(status.expect("curl exists").success());
}

#[test]
fn a_name_node_that_comes_back_is_waited_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(cluster) = Cluster::of_one_test(folder.path()) else {
        return;
    };
    // No data node is needed: there are only names.
    let root = cluster.folder("HDFS", "away");
    let path = root.replace(cluster.address("HDFS"), "");
    let nodes = [
        crate::harness::step("before", "gated", "a"),
        action(
            "a",
            "<fs><mkdir path='${root}/x'/><move source='${root}/x' target='${root}/y'/></fs>",
            "choose",
        ),
        "<decision name=\"choose\"><switch><case to=\"end\">${fs:isDir(concat(root, '/y'))}</case><default to=\"failed\"/></switch></decision>".to_owned(),
    ]
    .concat();
    let world = with_settings(&cluster, World::of_nodes(&nodes));
    let owner = world.start(&[
        &format!("-Droot={root}"),
        "-Doozie.wf.action.max.retries=60",
        "-Doozie.wf.action.retry.interval=1",
    ]);
    world.await_running("before");
    cluster.stop("namenode");
    world.open_gate("before");
    let id = world.job().expect("a job");
    wait_for("a failure that may pass", || {
        let info = world.info(&id);
        let actions = info["actions"].as_array()?;
        let found = actions.iter().find(|it| it["name"] == "a")?;
        (found["error_code"] == "JA006").then_some(())
    });
    cluster.start("namenode");
    let ended = finish(owner).expect(0);
    assert!(ended.stderr.contains("SUCCEEDED"), "{}", ended.stderr);
    assert_eq!(cluster.names(&path).expect("there"), ["y"]);
    cluster.stop("namenode");
}

#[test]
fn a_killed_job_does_not_wait_for_a_server() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    // Accepts connections and never answers.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = silent.local_addr().expect("bound");
    let nodes = "<decision name=\"choose\"><switch><case to=\"end\">${fs:exists(root)}</case><default to=\"failed\"/></switch></decision>";
    let world = with_settings(&cluster, World::of_nodes(nodes));
    let owner = world.start(&[&format!("-Droot=hdfs://{address}/x")]);
    let (_connection, _) = silent.accept().expect("a connection");
    let id = world.job().expect("a job");
    world.call(&["kill", &id]).expect(0);
    let ended = finish(owner).expect(1);
    assert!(ended.stderr.contains("KILLED"), "{}", ended.stderr);
}

/// Files larger than one block of a request, and empty ones.
#[test]
fn git_copies_a_repository_to_hdfs() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let body = "<git xmlns='uri:oozie:git-action:1.0'><name-node>${root}</name-node><git-uri>${uri}</git-uri><destination-uri>${root}/copy</destination-uri></git>";
    let mut world = with_settings(&cluster, World::of_nodes(&action("a", body, "end")));
    let repository = world.path("repository");
    fs::create_dir(&repository).expect("made");
    fs::write(repository.join("long"), "0123456789".repeat(300_000)).expect("written");
    fs::write(repository.join("empty"), "").expect("written");
    let script =
        "git init -q && git add . && git -c user.name=t -c user.email=t@t commit -q -m one";
    let made = Command::new("sh")
        .args(["-c", script])
        .current_dir(&repository)
        .status();
    assert!(made.expect("git is there").success());
    let uri = format!("-Duri=file://{}", repository.display());
    for scheme in ["HDFS", "WEBHDFS"] {
        let root = cluster.folder(scheme, &format!("git-{scheme}"));
        let copy = format!("{}/copy", root.replace(cluster.address(scheme), ""));
        world.afresh();
        run(&world, &[&format!("-Droot={root}"), &uri], 0);
        assert_eq!(
            cluster.names(&copy).expect("there"),
            [".git", "empty", "long"]
        );
        assert_eq!(cluster.status(&format!("{copy}/long"))["length"], 3_000_000);
        assert_eq!(cluster.status(&format!("{copy}/empty"))["length"], 0);
    }
}
