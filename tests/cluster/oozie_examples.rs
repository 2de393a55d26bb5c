//! The example applications of Oozie, run as its documentation says: put into HDFS, each with its own
//! `job.properties`, whose hosts are the cluster's. They are not part of this repository: `HPDL_OOZIE_EXAMPLES` names the folder
//! `examples` of a release of Oozie, with `apps` and `input-data` in it and the examples' JAR in `apps/*/lib`.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    cluster::{Cluster, user},
    finish,
    harness::{World, text},
    hcat::hive,
    on, share,
};

/// One example application.
struct OozieExample {
    name: &'static str,
    /// Its definition, if it has several.
    definition: Option<&'static str>,
    properties: &'static str,
    /// Daemons and commands of the cluster that it needs.
    needs: &'static [&'static str],
    /// Its output below `output-data`, or a whole path; empty for none.
    leaves: &'static str,
    /// The final states of its jobs, sorted, if not all succeed.
    ends: &'static [&'static str],
}

const fn example(
    name: &'static str,
    needs: &'static [&'static str],
    leaves: &'static str,
) -> OozieExample {
    OozieExample {
        name,
        definition: None,
        properties: "job.properties",
        needs,
        leaves,
        ends: &[],
    }
}

const YARN: &[&str] = &["resourcemanager", "historyserver"];

const EXAMPLES: &[OozieExample] = &[
    OozieExample {
        definition: Some("coordinator.xml"),
        ..example(
            "aggregator",
            YARN,
            "aggregator/aggregatedLogs/2010/01/01/02",
        )
    },
    example("bundle", YARN, "aggregator/aggregatedLogs/2010/01/01/01"),
    OozieExample {
        definition: Some("coordinator.xml"),
        ..example("coord-input-logic", YARN, "inputLogic/2010/01/01/02")
    },
    OozieExample {
        definition: Some("coordinator.xml"),
        ..example("cron", &["namenode"], "")
    },
    OozieExample {
        definition: Some("coordinator.xml"),
        ..example("cron-schedule", &["namenode"], "")
    },
    example(
        "custom-main",
        &["resourcemanager", "pig/"],
        "custom-main/pig-node",
    ),
    example("datelist-java-main", &["resourcemanager"], ""),
    example(
        "demo",
        &["resourcemanager", "pig/", "sshd"],
        "demo/final-data",
    ),
    example("distcp", YARN, "distcp"),
    example("git", &["namenode"], "git/oozie"),
    example("hadoop-el", YARN, "hadoop-el"),
    // Its second workflow finds the partition that the first one has made, as Oozie's documentation says.
    OozieExample {
        definition: Some("coordinator.xml"),
        ends: &["DONEWITHERROR", "KILLED", "SUCCEEDED"],
        ..example(
            "hcatalog",
            &["resourcemanager", "metastore", "pig/", "hcatalog/"],
            "/user/hive/warehouse/oozie/ds=2011-01-01/region=usa",
        )
    },
    example("hive", &["resourcemanager", "metastore", "hive/"], "hive"),
    example("hive2", &["resourcemanager", "hiveserver2"], "hive2"),
    example("java-main", &["resourcemanager"], ""),
    example("map-reduce", YARN, "map-reduce"),
    OozieExample {
        definition: Some("workflow-with-config-class.xml"),
        properties: "job-with-config-class.properties",
        ..example("map-reduce", YARN, "map-reduce")
    },
    example("no-op", &["namenode"], ""),
    example("pig", &["resourcemanager", "pig/"], "pig"),
    example("pyspark", &["resourcemanager", "spark/"], ""),
    example("shell", &["resourcemanager"], ""),
    OozieExample {
        definition: Some("coordinator.xml"),
        ..example("sla", &["namenode"], "")
    },
    example("spark", &["resourcemanager", "spark/"], ""),
    example("sqoop", &["resourcemanager", "sqoop/"], "sqoop"),
    example(
        "sqoop-freeform",
        &["resourcemanager", "sqoop/"],
        "sqoop-freeform",
    ),
    example("ssh", &["sshd"], ""),
    example("streaming", YARN, "streaming"),
    example("subwf", YARN, "subwf"),
];

/// The folder of the examples, if there is one.
fn folder() -> Option<PathBuf> {
    let folder = env::var_os("HPDL_OOZIE_EXAMPLES").map(PathBuf::from);
    let folder = folder.filter(|folder| folder.join("apps").is_dir());
    if folder.is_none() {
        println!("skipped: HPDL_OOZIE_EXAMPLES names no folder of Oozie's examples");
    }
    folder
}

/// Uploads them to where the documentation has them: below the user's home.
fn upload(cluster: &Cluster, folder: &Path) -> String {
    let there = format!("{}/user/{}/examples", cluster.address("HDFS"), user());
    cluster.rest("DELETE", &there, "op=DELETE&recursive=true");
    cluster.rest("PUT", &there, "op=MKDIRS&permission=777");
    for part in ["apps", "input-data"] {
        let status = Command::new(cluster.folder.join("bin/hadoop"))
            .args(["fs", "-put"])
            .arg(folder.join(part))
            .arg(&there)
            .env("HADOOP_CONF_DIR", cluster.folder.join("conf"))
            .status();
        assert!(status.expect("it is there").success(), "{part} is put");
    }
    there
}

/// The tables that the page of the example `hcatalog` requires, the input with a partition, and the site's file in its `lib`. The
/// output adds no rows to a partition that has some, like every table when that page was written.
fn ready_tables(cluster: &Cluster, app: &Path) {
    let columns = "(foo int, bar int, car int) partitioned by (ds string, region string)";
    hive(
        cluster,
        &format!(
            "drop table if exists invites; drop table if exists oozie; create table invites {columns}; \
             create table oozie {columns} tblproperties ('immutable'='true'); alter table invites add partition (ds='2010-01-01', region='usa')"
        ),
    );
    let data = "/user/hive/warehouse/invites/ds=2010-01-01/region=usa/data";
    let data = format!("{}{data}", cluster.address("HDFS"));
    cluster.write(&data, "1\u{1}2\u{1}3\n");
    std::fs::create_dir_all(app.join("lib")).expect("a folder");
    let site = cluster.folder.join("conf/hive-site.xml");
    std::fs::copy(site, app.join("lib/hive-site.xml")).expect("it is there");
}

/// The repository that the example `git` clones.
const OF_GITHUB: &str = "https://github.com/apache/oozie";

/// A local repository that git uses instead of the one on GitHub: tests do not access the network.
fn repository_at(folder: &Path) -> String {
    std::fs::write(folder.join("README.md"), "read me\n").expect("a file");
    let as_tests = "-c user.name=tests -c user.email=tests@localhost";
    for line in [
        "init -q",
        "add .",
        &format!("{as_tests} commit -q -m first"),
    ] {
        let status = Command::new("git")
            .arg("-C")
            .arg(folder)
            .args(line.split(' '))
            .status();
        assert!(status.expect("git exists").success(), "git {line}");
    }
    format!("file://{}", folder.display())
}

/// Runs one; returns what is wrong with its end.
fn run(cluster: &Cluster, example: &OozieExample, apps: &Path, there: &str) -> Option<String> {
    // Some leave output that others do not remove.
    cluster.rest(
        "DELETE",
        &format!("{there}/output-data"),
        "op=DELETE&recursive=true",
    );
    let folder = apps.join(example.name);
    let app = match example.definition {
        Some(definition) => folder.join(definition),
        None => folder.clone(),
    };
    let address = |name: &str| cluster.address(name).to_owned();
    let mut overrides = vec![
        format!("nameNode={}", address("HDFS")),
        format!("userName={}", user()),
    ];
    if example.needs.contains(&"resourcemanager") {
        let resource_manager = address("RESOURCE_MANAGER");
        overrides.push(format!("jobTracker={resource_manager}"));
        overrides.push(format!("resourceManager={resource_manager}"));
    }
    if example.needs.contains(&"hiveserver2") {
        overrides.push(format!("jdbcURL={}", address("HIVE_SERVER")));
    }
    if example.name == "hive2" {
        // It creates the table that the example `hive` has created, and each was written for a separate metastore.
        hive(cluster, "drop table if exists test");
    }
    if example.name == "hcatalog" {
        ready_tables(cluster, &folder);
        let metastore = address("METASTORE").replacen("thrift", "hcat", 1);
        overrides.push(format!("hcatNode={metastore}"));
        let classes = cluster.folder.join("lib/hcatalog");
        overrides.push(format!("hpdl.sharelib.hcatalog={}", classes.display()));
        overrides.push("oozie.action.sharelib.for.pig=pig,hcatalog".to_owned());
    }
    let mut arguments = vec![
        "-c".to_owned(),
        folder.join(example.properties).display().to_string(),
    ];
    for property in overrides {
        arguments.extend(["-D".to_owned(), property]);
    }
    let mut built = arguments.clone();
    built.extend([
        "-D".to_owned(),
        format!("user.name={}", user()),
        "--map".to_owned(),
        format!("{there}/apps={}", apps.display()),
    ]);
    let built: Vec<&str> = built.iter().map(String::as_str).collect();
    let mut world = on(cluster, World::of_folder_with(&app, &built));
    let repository = tempfile::tempdir().expect("a temporary folder");
    if example.name == "git" {
        let uri = repository_at(repository.path());
        for (name, value) in [
            ("GIT_CONFIG_COUNT", "1"),
            ("GIT_CONFIG_KEY_0", &format!("url.{uri}.insteadOf")),
            ("GIT_CONFIG_VALUE_0", OF_GITHUB),
        ] {
            world.set(name, value);
        }
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let ended = finish(world.start(&arguments));
    let jobs = world.jobs();
    let statuses: Vec<String> = jobs.iter().map(|job| text(&job["status"])).collect();
    let name = example.name;
    println!("{name}: {}", statuses.join(" "));
    let is_well = if example.ends.is_empty() {
        ended.code == Some(0) && statuses.iter().all(|status| status == "SUCCEEDED")
    } else {
        let mut ends = statuses.clone();
        ends.sort();
        ends == example.ends
    };
    if !is_well {
        return Some(format!(
            "{name}: {statuses:?}\n{}{}",
            ended.stdout, ended.stderr
        ));
    }
    let left = match example.leaves {
        path if path.starts_with('/') => path.to_owned(),
        name => format!("{there}/output-data/{name}"),
    };
    let is_left = || {
        let names = cluster.names(&left).unwrap_or_default();
        names.iter().any(|name| !name.starts_with(['_', '.']))
    };
    (!example.leaves.is_empty() && !is_left()).then(|| format!("{name}: nothing is in {left}"))
}

#[test]
fn every_example_of_oozie_ends_well() {
    let _shared = share();
    let (Some(source), Some(shared)) = (folder(), Cluster::shared()) else {
        return;
    };
    let wanted = env::var("HPDL_CASE").unwrap_or_default();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let apps = folder.path().join("apps");
    let status = Command::new("cp")
        .arg("-r")
        .arg(source.join("apps"))
        .arg(&apps)
        .status();
    assert!(status.expect("cp exists").success());
    let there = upload(&shared, &source);
    let mut wrong = Vec::new();
    for example in EXAMPLES.iter().filter(|it| it.name.contains(&wanted)) {
        if !apps.join(example.name).is_dir() {
            println!("skipped: there is no example {}", example.name);
            continue;
        }
        if let Some(cluster) = Cluster::of(example.needs) {
            wrong.extend(run(&cluster, example, &apps, &there));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
