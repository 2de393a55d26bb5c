//! Tables of Hive and their partitions in the metastore.

use std::process::Command;

use crate::{
    cluster::Cluster,
    harness::{World, action, node, text, workflow},
    on, run, share, wait_for,
};

/// Executes a statement in the metastore, by Hive's own command line.
pub fn hive(cluster: &Cluster, statement: &str) -> String {
    let output = Command::new(cluster.folder.join("bin/hive"))
        .args(["-e", statement])
        .output()
        .expect("it is there where a metastore is");
    assert!(
        output.status.success(),
        "{statement}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A database for one test with a table `orders`, which has partitions for these days.
fn database(cluster: &Cluster, name: &str, days: &[&str]) -> String {
    let database = format!("hpdlc_{name}_{}", std::process::id());
    let mut statement = format!(
        "drop database if exists {database} cascade; create database {database}; \
         create table {database}.orders (item string) partitioned by (day string, region string)"
    );
    for day in days {
        statement.push_str("; ");
        statement.push_str(&partition(&database, day));
    }
    hive(cluster, &statement);
    database
}

fn partition(database: &str, day: &str) -> String {
    format!("alter table {database}.orders add partition (day='{day}', region='north')")
}

/// The authority and the start of the path of a URI for the database.
fn uri(cluster: &Cluster, database: &str) -> String {
    let metastore = cluster
        .address("METASTORE")
        .replacen("thrift://", "hcat://", 1);
    format!("{metastore}/{database}")
}

#[test]
fn partitions_and_tables_are_seen_and_removed() {
    let _shared = share();
    let Some(cluster) = Cluster::of(&["metastore", "hive/"]) else {
        return;
    };
    let database = database(&cluster, "removed", &["1", "2", "3"]);
    let look = |name: &str, to: &str, condition: &str| {
        format!(
            "<decision name=\"{name}\"><switch><case to=\"{to}\">${{{condition}}}</case><default to=\"failed\"/></switch></decision>\n"
        )
    };
    let nodes = look(
        "first",
        "work",
        "hcat:exists(concat(shop, '/orders/day=1;region=north')) and hcat:exists(concat(shop, '/orders/day=2')) \
         and not hcat:exists(concat(shop, '/orders/day=none')) and not hcat:exists(concat(shop, '/missing/day=1')) \
         and not hcat:exists(concat(shop, '_missing/orders'))",
    ) + &action(
        "work",
        "<shell xmlns='uri:oozie:shell-action:1.0'><prepare><delete path='${shop}/orders/day=1;region=north'/></prepare>\
         <exec>true</exec></shell>",
        "clean",
    ) + &action(
        "clean",
        "<fs><delete path='${shop}/orders/day=2'/></fs>",
        "second",
    ) + &look(
        "second",
        "drop",
        "not hcat:exists(concat(shop, '/orders/day=1;region=north')) and not hcat:exists(concat(shop, '/orders/day=2')) \
         and fs:exists(concat(shop, '/orders/day=3;region=north'))",
    ) + &action("drop", "<fs><delete path='${shop}/orders'/></fs>", "end");
    let world = on(&cluster, World::of(&[("workflow.xml", &workflow(&nodes))]));
    let shop = format!("-Dshop={}", uri(&cluster, &database));
    let info = run(&world, &[shop], 0);
    assert_eq!(info["status"], "SUCCEEDED", "{info:#}");
    assert_eq!(
        hive(&cluster, &format!("use {database}; show tables")).trim(),
        ""
    );
}

/// No process listens at that port.
#[test]
fn a_metastore_that_does_not_answer_is_asked_again() {
    let _shared = share();
    let Some(cluster) = Cluster::of(&["metastore", "hive/"]) else {
        return;
    };
    let nodes = action(
        "a",
        "<fs><delete path='hcat://127.0.0.1:1/shop/orders'/></fs>",
        "end",
    );
    let world = on(&cluster, World::of(&[("workflow.xml", &workflow(&nodes))]));
    let properties = [
        "-Doozie.action.retries.max=1",
        "-Doozie.action.retry.interval=1",
    ]
    .map(str::to_owned);
    let arguments: Vec<&str> = properties.iter().map(String::as_str).collect();
    let ended = crate::finish(world.start(&arguments));
    let info = world.info(&world.job().expect("a job"));
    assert_eq!(info["status"], "SUSPENDED", "{info:#}\n{}", ended.stderr);
    assert_eq!(node(&info, "a")["error_code"], "JA006", "{info:#}");
}

#[test]
fn a_coordinator_waits_for_a_partition() {
    let _shared = share();
    let Some(cluster) = Cluster::of(&["metastore", "hive/"]) else {
        return;
    };
    let database = database(&cluster, "waits", &["2026-01-01"]);
    let coordinator = r#"<coordinator-app name="c" frequency="${coord:days(1)}" start="2026-01-01T00:00Z" end="2026-01-03T00:00Z" timezone="UTC" xmlns="uri:oozie:coordinator:0.5">
<datasets><dataset name="d" frequency="${coord:days(1)}" initial-instance="2026-01-01T00:00Z" timezone="UTC"><uri-template>${shop}/orders/day=${YEAR}-${MONTH}-${DAY};region=north</uri-template><done-flag></done-flag></dataset></datasets>
<input-events><data-in name="i" dataset="d"><instance>${coord:current(0)}</instance></data-in></input-events>
<action><workflow><app-path>wf</app-path><configuration>
<property><name>filter</name><value>${coord:dataInPartitionFilter('i', 'pig')}</value></property>
</configuration></workflow></action>
</coordinator-app>
"#;
    let leave = action(
        "leave",
        "<shell xmlns='uri:oozie:shell-action:1.0'><exec>leave.sh</exec><argument>${filter}</argument><argument>${out}</argument><file>leave.sh</file></shell>",
        "end",
    );
    let world = on(
        &cluster,
        World::of(&[
            ("coordinator.xml", coordinator),
            ("wf/workflow.xml", &workflow(&leave)),
            ("wf/leave.sh", "#!/bin/sh\necho \"$1\" >> \"$2/effects\"\n"),
        ]),
    );
    let shop = format!("-Dshop={}", uri(&cluster, &database));
    let often = "-Doozie.service.coord.input.check.requeue.interval=1000";
    let owner = world.start(&[&shop, often]);
    let statuses = |world: &World| -> Option<Vec<String>> {
        let jobs = world.jobs();
        let found = jobs.iter().find(|job| text(&job["id"]).ends_with("-C"))?;
        let actions = world.call(&["actions", &text(&found["id"]), "--json"]);
        let lines = actions.expect(0).json_lines();
        Some(lines.iter().map(|line| text(&line["status"])).collect())
    };
    wait_for("the first day to run, and the second to wait", || {
        let statuses = statuses(&world)?;
        (statuses == ["SUCCEEDED", "WAITING"]).then_some(())
    });
    hive(&cluster, &partition(&database, "2026-01-02"));
    crate::finish(owner).expect(0);
    let expected =
        ["2026-01-01", "2026-01-02"].map(|day| format!("(day=='{day}' AND region=='north')"));
    assert_eq!(world.effects(), expected);
}
