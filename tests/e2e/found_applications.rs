//! A job finds compiled-in applications, however it spells the paths of its application and the others.

use std::{fs, path::PathBuf};

use tempfile::TempDir;

use crate::harness::{World, workflow};

/// The folder of a test, with these documents.
fn tree(files: &[(&str, String)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("it lies below")).expect("a folder");
        fs::write(path, text).expect("a document");
    }
    folder
}

fn built(folder: &TempDir, path: &str, arguments: &[&str]) -> World {
    let here = folder.path().display().to_string();
    let arguments: Vec<String> = arguments
        .iter()
        .map(|argument| argument.replace("HERE", &here))
        .collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let path: PathBuf = folder.path().join(path);
    World::of_folder_with(&path, &arguments)
}

/// A workflow that runs these in sequence, and passes all its properties on.
fn parent(app_paths: &[&str]) -> String {
    let next = |n: usize| match n {
        n if n == app_paths.len() => "end".to_owned(),
        n => format!("s{n}"),
    };
    let nodes: Vec<String> = app_paths
        .iter()
        .enumerate()
        .map(|(n, path)| {
            format!(
                "<action name=\"s{n}\"><sub-workflow><app-path>{path}</app-path><propagate-configuration/></sub-workflow>\
                 <ok to=\"{}\"/><error to=\"failed\"/></action>",
                next(n + 1)
            )
        })
        .collect();
    workflow(&nodes.join("\n"))
}

fn empty() -> String {
    "<workflow-app name=\"empty\" xmlns=\"uri:oozie:workflow:1.0\"><start to=\"end\"/><end name=\"end\"/></workflow-app>".to_owned()
}

fn definitions(properties: &[(&str, &str)]) -> Vec<String> {
    let definition = |(name, value): &(&str, &str)| format!("-D{name}={value}");
    properties.iter().map(definition).collect()
}

/// `dryrun` and `run` agree: all applications are found, or the same one is missing.
#[track_caller]
fn check(world: &mut World, properties: &[(&str, &str)], missing: Option<&str>) {
    let properties = definitions(properties);
    let properties: Vec<&str> = properties.iter().map(String::as_str).collect();
    let exit = i32::from(missing.is_some());
    let mut dryrun = vec!["dryrun"];
    dryrun.extend(&properties);
    let dry = world.call(&dryrun).expect(exit);
    let mut run = vec!["run", "--json"];
    run.extend(&properties);
    let ran = world.call(&run).expect(exit);
    if let Some(missing) = missing {
        let words = format!("`{missing}` is not compiled into this executable");
        assert!(dry.stdout.contains(&words), "{}", dry.stdout);
        assert!(dry.stdout.contains("E0710"), "{}", dry.stdout);
        assert!(ran.stdout.contains(&words), "{}", ran.stdout);
    }
    world.afresh();
}

const BASE: &str = "hdfs://nn:8020/apps/app";

/// The application's path and the folder in its documents, in the spellings that a job may use.
const STARTS: [(&str, &str); 13] = [
    (BASE, BASE),
    ("hdfs://nn:8020/apps/app/", "hdfs://nn:8020/apps/app/"),
    ("hdfs://nn:8020/apps/app/workflow.xml", BASE),
    ("hdfs://nn/apps/app", BASE),
    (BASE, "HDFS://NN/apps//app/."),
    ("hdfs://nn:8020//apps/./x/../app", BASE),
    ("/apps/app", BASE),
    (BASE, "/apps/app"),
    ("hdfs:///apps/app", "/apps/app"),
    // Another cluster, and a machine without one.
    ("hdfs://test/home/app", "hdfs://test/home/app"),
    ("file:///home/app", "file:/home/app"),
    ("/home/app", "/home/app/"),
    ("${nameNode}/apps/app", "${nameNode}/apps/app"),
];

#[test]
fn sub_workflows_are_found_wherever_the_job_has_its_application() {
    let folder = tree(&[
        (
            "app/workflow.xml",
            parent(&["${base}/sub", "${wf:appPath()}/sub", "${base}/../beside"]),
        ),
        (
            "app/sub/workflow.xml",
            parent(&["${base}/sub/inner/workflow.xml"]),
        ),
        ("app/sub/inner/workflow.xml", empty()),
        ("beside/workflow.xml", empty()),
    ]);
    let base = format!("-Dbase={BASE}");
    let own = format!("-Doozie.wf.application.path={BASE}");
    for arguments in [
        vec![base.as_str(), own.as_str()],
        vec![&base, "--map", "hdfs://nn/apps=HERE"],
        vec![
            &base,
            "--map",
            "${root}/apps/=HERE",
            "-Droot=hdfs://nn:8020",
        ],
    ] {
        let mut world = built(&folder, "app", &arguments);
        for (own, base) in STARTS {
            // A path of the document itself is no parent folder of other applications.
            let own_path = ("oozie.wf.application.path", own);
            if own.ends_with(".xml") {
                continue;
            }
            let properties = [own_path, ("base", base), ("nameNode", "hdfs://nn")];
            check(&mut world, &properties, None);
        }
        check(&mut world, &[("base", BASE)], None);
        let elsewhere = [
            ("base", "hdfs://far/x"),
            ("oozie.wf.application.path", BASE),
        ];
        check(&mut world, &elsewhere, Some("hdfs://far/x/sub"));
    }
}

#[test]
fn sub_workflows_are_found_where_the_job_names_the_document() {
    let folder = tree(&[
        ("app/workflow.xml", parent(&["${base}/sub"])),
        ("app/sub/workflow.xml", empty()),
    ]);
    let own = format!("-Doozie.wf.application.path={BASE}/workflow.xml");
    let mut world = built(&folder, "app", &[&format!("-Dbase={BASE}"), &own]);
    for (own, base) in STARTS {
        let properties = [
            ("oozie.wf.application.path", own),
            ("base", base),
            ("nameNode", "hdfs://nn"),
        ];
        check(&mut world, &properties, None);
    }
}

#[test]
fn a_map_holds_the_user_s_name() {
    let folder = tree(&[
        (
            "app/workflow.xml",
            parent(&["${home}/lib/a", "hdfs://nn/user/${wf:user()}/lib/b"]),
        ),
        ("lib/a/workflow.xml", empty()),
        ("lib/b/workflow.xml", empty()),
    ]);
    let home = "hdfs://nn/user/${user.name}";
    let map = format!("{home}=HERE");
    // Independent of the user who built it.
    for user in [None, Some("-Duser.name=somebody.else")] {
        let home = format!("-Dhome={home}");
        let arguments = ["--map", &map, &home].into_iter().chain(user);
        let mut world = built(&folder, "app", &arguments.collect::<Vec<_>>());
        check(&mut world, &[("home", "hdfs://nn/user/${user.name}")], None);
        let other = [("home", "hdfs://nn/user/nobody.here")];
        check(&mut world, &other, Some("hdfs://nn/user/nobody.here/lib/a"));
    }
}

fn coordinator(app_path: &str) -> String {
    format!(
        "<coordinator-app name=\"c\" frequency=\"${{coord:days(1)}}\" start=\"2026-01-01T00:00Z\" end=\"2026-01-01T01:00Z\" timezone=\"UTC\" \
         xmlns=\"uri:oozie:coordinator:0.5\"><action><workflow><app-path>{app_path}</app-path></workflow></action></coordinator-app>"
    )
}

fn bundle(app_path: &str) -> String {
    format!(
        "<bundle-app name=\"b\" xmlns=\"uri:oozie:bundle:0.2\"><coordinator name=\"c\"><app-path>{app_path}</app-path></coordinator></bundle-app>"
    )
}

/// `dryrun` ends as `run` does, and every action succeeds.
#[track_caller]
fn check_scheduled(world: &mut World, properties: &[(&str, &str)]) {
    let properties = definitions(properties);
    let properties: Vec<&str> = properties.iter().map(String::as_str).collect();
    let call = |command| [&[command][..], &properties].concat();
    world.call(&call("dryrun")).expect(0);
    world.call(&call("run")).expect(0);
    let jobs = world.jobs();
    assert!(
        jobs.iter().all(|job| job["status"] == "SUCCEEDED"),
        "{jobs:?}"
    );
    world.afresh();
}

#[test]
fn a_coordinator_finds_its_workflow_and_what_that_runs() {
    let folder = tree(&[
        ("app/coordinator.xml", coordinator("${base}/wf")),
        (
            "app/wf/workflow.xml",
            parent(&["${base}/wf/sub", "${wf:appPath()}/../lib"]),
        ),
        ("app/wf/sub/workflow.xml", empty()),
        ("app/lib/workflow.xml", empty()),
    ]);
    let own = format!("-Doozie.coord.application.path={BASE}");
    let mut world = built(&folder, "app", &[&format!("-Dbase={BASE}"), &own]);
    for (own, base) in STARTS {
        let own = own.replace("workflow.xml", "coordinator.xml");
        let properties = [
            ("oozie.coord.application.path", own.as_str()),
            ("base", base),
            ("nameNode", "hdfs://nn"),
        ];
        check_scheduled(&mut world, &properties);
    }
    check_scheduled(&mut world, &[("base", BASE)]);
    let dry = world.call(&["dryrun", "-Dbase=hdfs://far/x"]).expect(1);
    assert!(
        dry.stdout.contains("`hdfs://far/x/wf` is not compiled"),
        "{}",
        dry.stdout
    );
}

#[test]
fn a_bundle_finds_its_coordinators_and_their_workflows() {
    let folder = tree(&[
        ("app/bundle.xml", bundle("${base}/coord")),
        (
            "app/coord/coordinator.xml",
            coordinator("${base}/coord/wf/workflow.xml"),
        ),
        (
            "app/coord/wf/workflow.xml",
            parent(&["${base}/coord/wf/sub"]),
        ),
        ("app/coord/wf/sub/workflow.xml", empty()),
    ]);
    let own = format!("-Doozie.bundle.application.path={BASE}");
    let mut world = built(&folder, "app", &[&format!("-Dbase={BASE}"), &own]);
    for (own, base) in STARTS {
        let own = own.replace("workflow.xml", "bundle.xml");
        let properties = [
            ("oozie.bundle.application.path", own.as_str()),
            ("base", base),
            ("nameNode", "hdfs://nn"),
        ];
        check_scheduled(&mut world, &properties);
    }
    check_scheduled(&mut world, &[("base", BASE)]);
    let dry = world.call(&["dryrun", "-Dbase=hdfs://far/x"]).expect(2);
    assert!(dry.stderr.contains("E1310"), "{}", dry.stderr);
}

/// A registration is found by every spelling of its path, and replaced by any.
#[test]
fn a_registered_application_is_found_by_every_spelling() {
    let folder = tree(&[
        ("app/workflow.xml", parent(&["${sub}"])),
        ("sub/workflow.xml", empty()),
    ]);
    let world = built(&folder, "app", &[]);
    let sub = built(&folder, "sub", &[]);
    let register = |uri: &str| {
        let output = std::process::Command::new(sub.program())
            .args(["register", "--as", uri])
            .envs(hpdlc_tests::command::home_variables(world.home()))
            .env_remove("HPDL_SITE")
            .output()
            .expect("the program can be started");
        assert!(output.status.success(), "{output:?}");
    };
    register("hdfs://nn:8020/apps/sub/");
    register("HDFS://nn/apps/./sub");
    for (uri, exit) in [
        ("hdfs://nn/apps/sub", 0),
        ("hdfs://nn:8020//apps/sub/workflow.xml", 0),
        ("/apps/sub", 0),
        ("hdfs://nn:9000/apps/sub", 1),
        ("hdfs://nn/apps/other", 1),
    ] {
        let property = format!("-Dsub={uri}");
        world.call(&["dryrun", &property]).expect(exit);
        world.call(&["run", &property]).expect(exit);
    }
}
