//! The examples that need other systems end as their pages say.

use std::fs;

use crate::{cluster::Cluster, example, harness::node, is_thorough, on, properties, run, share};

/// Runs an example; its world and the output of `info`.
fn check(cluster: &Cluster, name: &str) -> serde_json::Value {
    let world = on(cluster, example(name));
    let info = run(&world, &properties(cluster, name), 0);
    assert_eq!(info["status"], "SUCCEEDED", "{info:#}");
    info
}

/// All lines of the files in a folder, sorted.
fn lines(cluster: &Cluster, folder: &str) -> Vec<String> {
    let folder = format!("{}{folder}", cluster.address("HDFS"));
    let names = cluster.names(&folder).expect("the folder is there");
    let files = names
        .iter()
        .filter(|name| !name.starts_with('_') && !name.starts_with('.'));
    let text: String = files
        .map(|name| cluster.read(&format!("{folder}/{name}")))
        .collect();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

/// The folder in HDFS that the example was given.
fn folder_of(info: &serde_json::Value) -> &str {
    info["conf"]["folder"].as_str().expect("it was given")
}

#[test]
fn word_count() {
    let _shared = share();
    let Some(cluster) = Cluster::of(&["resourcemanager", "historyserver"]) else {
        return;
    };
    let info = check(&cluster, "word-count");
    assert_eq!(node(&info, "show")["data"]["word"], "the");
    assert_eq!(node(&info, "show")["data"]["times"], "13");
    let id = node(&info, "count")["external_id"].as_str().expect("an id");
    assert!(
        id.starts_with("job_") || id.starts_with("application_"),
        "{id}"
    );
}

#[test]
fn spark_orders() {
    if !is_thorough() {
        return;
    }
    let _shared = share();
    let Some(cluster) = Cluster::of(&["resourcemanager", "spark/"]) else {
        return;
    };
    let info = check(&cluster, "spark-orders");
    assert_eq!(
        lines(&cluster, &format!("{}/sums", folder_of(&info))),
        ["bread,3.20", "jam,8.00", "tea,7.50"]
    );
}

#[test]
fn hive_orders() {
    if !is_thorough() {
        return;
    }
    let _shared = share();
    let Some(cluster) = Cluster::of(&["resourcemanager", "hiveserver2"]) else {
        return;
    };
    let info = check(&cluster, "hive-orders");
    assert_eq!(
        lines(&cluster, &format!("{}/summary", folder_of(&info))),
        ["bread,1,3.20", "jam,2,8.00", "tea,2,7.50"]
    );
}

#[test]
fn sqoop_orders() {
    let _shared = share();
    let Some(cluster) = Cluster::of(&["resourcemanager", "postgres", "sqoop/"]) else {
        return;
    };
    let info = check(&cluster, "sqoop-orders");
    assert_eq!(
        lines(&cluster, &format!("{}/orders", folder_of(&info))),
        [
            "1,tea,2.50",
            "2,jam,4.00",
            "3,tea,5.00",
            "4,bread,3.20",
            "5,jam,4.00"
        ]
    );
}

#[test]
fn distcp_mirror() {
    let _shared = share();
    let Some(cluster) = Cluster::of(&["resourcemanager"]) else {
        return;
    };
    check(&cluster, "distcp-mirror");
}

#[test]
fn ssh_report() {
    let _shared = share();
    let Some(cluster) = Cluster::of(&["sshd"]) else {
        return;
    };
    let world = on(&cluster, example("ssh-report"));
    let info = run(&world, &[], 0);
    assert!(!node(&info, "ask")["data"]["free"].is_null(), "{info:#}");
    let mut world = on(&cluster, example("ssh-report"));
    world.afresh();
    let info = run(&world, &["-DminimumMegabytes=100000000".to_owned()], 1);
    assert_eq!(info["status"], "KILLED");
}

#[test]
fn mail_report() {
    let _shared = share();
    let Some(cluster) = Cluster::of(&["smtpd"]) else {
        return;
    };
    let world = on(&cluster, example("mail-report"));
    let info = run(&world, &["-Drecipients=report@localhost".to_owned()], 0);
    let id = info["id"].as_str().expect("an id");
    let letter = letter_with(&cluster, id);
    assert!(letter.contains("report@localhost"), "{letter}");
}

/// The mail that contains these words.
fn letter_with(cluster: &Cluster, words: &str) -> String {
    let folder = fs::read_dir(cluster.folder.join("mail")).expect("a folder of letters");
    let mut letters = folder.map(|entry| {
        let path = entry.expect("an entry").path();
        fs::read_to_string(path).expect("a letter")
    });
    letters
        .find(|letter| letter.contains(words))
        .expect("the letter is there")
}

#[test]
fn etl_orders() {
    let _shared = share();
    let needed = [
        "resourcemanager",
        "hiveserver2",
        "postgres",
        "sshd",
        "smtpd",
        "sqoop/",
        "spark/",
    ];
    let Some(cluster) = Cluster::of(&needed) else {
        return;
    };
    let info = check(&cluster, "etl-orders");
    let folder = folder_of(&info);
    assert_eq!(
        lines(&cluster, &format!("{folder}/archive/by-item")),
        ["bread,1,3.20", "jam,2,8.00", "tea,2,7.50"]
    );
    assert_eq!(
        lines(&cluster, &format!("{folder}/archive/by-customer")),
        ["ada,7.50", "bo,8.00", "cy,3.20"]
    );
    letter_with(&cluster, folder);
}
