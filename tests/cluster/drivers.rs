//! Pig, Hive and Sqoop control their applications: what happens to these when the owner dies, alone or with the tool.

use std::{fs, process::Command};

use serde_json::Value;

use crate::{
    PATIENCE, applications,
    cluster::Cluster,
    finish,
    harness::{World, action, kill_dash_nine, node, text, wait_within},
    is_thorough, on, properties, share, wait_for, workflow_on_cluster,
};

/// A tool whose application reports that it runs and waits for a gate.
pub struct GatedTool {
    name: &'static str,
    /// Daemons and commands of the cluster that the tool needs.
    pub needs: &'static [&'static str],
    body: &'static str,
    files: &'static [(&'static str, &'static str)],
}

/// Both files of the gate are local, on the node manager's machine.
const GATE: (&str, &str) = (
    "gate.sh",
    "touch \"$1/runs\"\nwhile [ ! -e \"$1/open\" ]; do [ -d \"$1\" ] || exit 7; sleep 0.1; done\ncat\n",
);

pub const PIG: GatedTool = GatedTool {
    name: "pig",
    needs: &["resourcemanager", "pig/"],
    body: "<pig><prepare><delete path='${nameNode}${folder}/out'/></prepare><script>gate.pig</script>\
           <param>in=${folder}/in</param><param>to=${folder}/out</param><param>out=${out}</param><file>gate.sh</file></pig>",
    files: &[
        GATE,
        (
            "gate.pig",
            "define gate `sh gate.sh $out` ship('gate.sh');\nlines = load '$in' as (line:chararray);\n\
             gated = stream lines through gate;\nstore gated into '$to';\n",
        ),
    ],
};

const HIVE: GatedTool = GatedTool {
    name: "hive",
    needs: &["resourcemanager", "metastore", "hive/"],
    body: "<hive xmlns='uri:oozie:hive-action:1.0'><job-xml>site.xml</job-xml><script>gate.hql</script>\
           <param>folder=${nameNode}${folder}</param><param>out=${out}</param><file>gate.sh</file></hive>",
    files: &[
        GATE,
        (
            "gate.hql",
            "create external table if not exists hpdlc_gate (line string) location '${folder}/in';\nadd file gate.sh;\n\
             insert overwrite directory '${folder}/out' select transform(line) using 'sh gate.sh ${out}' as (line string) from hpdlc_gate;\n\
             drop table hpdlc_gate;\n",
        ),
        (
            "site.xml",
            "<configuration><property><name>hive.metastore.uris</name><value>${metastore}</value></property>\
             <property><name>hive.execution.engine</name><value>mr</value></property>\
             <property><name>hive.support.concurrency</name><value>false</value></property>\
             <property><name>hive.txn.manager</name><value>org.apache.hadoop.hive.ql.lockmgr.DummyTxnManager</value></property></configuration>",
        ),
    ],
};

const SQOOP: GatedTool = GatedTool {
    name: "sqoop",
    needs: &["resourcemanager", "postgres", "sqoop/"],
    body: "<sqoop xmlns='uri:oozie:sqoop-action:1.0'><prepare><delete path='${nameNode}${folder}/out'/></prepare>\
           <arg>import</arg><arg>--connect</arg><arg>${database}</arg><arg>--username</arg><arg>shop</arg>\
           <arg>--password</arg><arg>shop</arg><arg>--query</arg>\
           <arg>select hpdlc_gate('${out}') as line where $CONDITIONS</arg>\
           <arg>--target-dir</arg><arg>${folder}/out</arg><arg>--num-mappers</arg><arg>1</arg></sqoop>",
    files: &[],
};

/// Sqoop's gate is in the database: its function waits for a row.
const SQOOP_GATE: &str = "create table if not exists hpdlc_open (name text);\n\
    create or replace function hpdlc_gate(wanted text) returns text as $$ begin\n\
    while not exists (select 1 from hpdlc_open where name = wanted) loop perform pg_sleep(0.1); end loop;\n\
    return 'x'; end $$ language plpgsql volatile;\n";

fn postgres(cluster: &Cluster, statement: &str) -> String {
    let (host, port) = cluster
        .address("POSTGRES")
        .split_once(':')
        .expect("host:port");
    let output = Command::new("psql")
        .args([
            "-h", host, "-p", port, "-U", "shop", "-d", "shop", "-w", "-q", "-t", "-A", "-c",
        ])
        .arg(statement)
        .env("PGPASSWORD", "shop")
        .output()
        .expect("it is there where a server is");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{statement}: {error}");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

impl GatedTool {
    pub fn world(&self, cluster: &Cluster) -> World {
        let document = workflow_on_cluster(&action("a", self.body, "end"));
        let mut files = vec![("workflow.xml", document.as_str())];
        files.extend(self.files);
        on(cluster, World::of(&files))
    }

    /// Its properties, with all its input in place.
    pub fn ready(&self, cluster: &Cluster, name: &str) -> Vec<String> {
        let properties = properties(cluster, &format!("{}-{name}", self.name));
        let folder = crate::folder_of(cluster, &properties);
        cluster.write(&format!("{folder}/in/text"), "x\n");
        if self.name == SQOOP.name {
            postgres(cluster, SQOOP_GATE);
        }
        properties
    }

    /// Waits until a task of its application waits at the gate.
    pub fn await_gate(&self, cluster: &Cluster, world: &World) {
        let out = world.out();
        wait_for("a task to run", || {
            let info = world.info(&world.job()?);
            assert_eq!(info["status"], "RUNNING", "{info:#}");
            let waits = if self.name == SQOOP.name {
                // Sqoop first asks for the columns, in a query that calls no function. Only the task sleeps.
                let question = format!(
                    "select count(*) from pg_stat_activity where wait_event = 'PgSleep' \
                     and query like '%hpdlc_gate(''{}'')%'",
                    out.display()
                );
                postgres(cluster, &question) != "0"
            } else {
                out.join("runs").exists()
            };
            waits.then_some(())
        });
    }

    pub fn open(&self, cluster: &Cluster, world: &World) {
        if self.name == SQOOP.name {
            let row = format!(
                "insert into hpdlc_open values ('{}')",
                world.out().display()
            );
            postgres(cluster, &row);
        } else {
            fs::write(world.out().join("open"), "").expect("a file");
        }
    }
}

/// The tag that all attempts of the action share. It is read from the folder of an attempt, which is removed when that ends.
fn tag(world: &World, id: &str) -> String {
    let file = world.home().join("work").join(id).join("a/1/action.xml");
    let written = fs::read_to_string(file).expect("it was written");
    let configuration = hpdlc_core::configuration::parse(&written).expect("a configuration");
    let tags = &configuration.to_map()["mapreduce.job.tags"];
    let tag = tags.split(',').find(|tag| tag.starts_with("oozie-"));
    tag.expect("Oozie's tag").to_owned()
}

/// The final statuses of all applications of the action.
fn ends(cluster: &Cluster, tag: &str) -> Vec<String> {
    let mut ends: Vec<String> = applications(cluster, tag)
        .iter()
        .map(|app: &Value| text(&app["finalStatus"]))
        .collect();
    ends.sort();
    ends
}

/// A job whose owner has died while the tool waited; its id and the tag of its applications.
fn begun_without_owner(
    driver: &GatedTool,
    cluster: &Cluster,
    name: &str,
) -> (World, String, String) {
    let world = driver.world(cluster);
    let properties = driver.ready(cluster, name);
    let arguments: Vec<&str> = properties.iter().map(String::as_str).collect();
    let owner = world.start(&arguments);
    driver.await_gate(cluster, &world);
    let id = world.job().expect("a job");
    let tag = tag(&world, &id);
    kill_dash_nine(owner);
    (world, id, tag)
}

/// The owner dies; the process that runs the tool continues, and is found again.
fn outlives_its_owner(driver: &GatedTool) {
    let _shared = share();
    let Some(cluster) = Cluster::of(driver.needs) else {
        return;
    };
    let (world, id, tag) = begun_without_owner(driver, &cluster, "owner");
    let owner = world.spawn(&["recover"]);
    driver.open(&cluster, &world);
    finish(owner).expect(0);
    assert_eq!(ends(&cluster, &tag), ["SUCCEEDED"]);
    let info = world.info(&id);
    assert_eq!(node(&info, "a")["external_status"], "SUCCEEDED", "{info:#}");
}

/// All of hpdlc's processes die, and the tool: the applications are ended, and nothing starts until the user resumes the job.
fn is_ended_without_its_tool(driver: &GatedTool) {
    let _shared = share();
    let Some(cluster) = Cluster::of(driver.needs) else {
        return;
    };
    let (world, id, tag) = begun_without_owner(driver, &cluster, "tool");
    crate::spark::kill_starters(&world, &id);
    finish(world.spawn(&["recover"]));
    assert_eq!(world.info(&id)["status"], "SUSPENDED");
    // The resource manager has accepted the request; it takes a moment.
    let mut found = Vec::new();
    let ended = wait_within(PATIENCE, || {
        found = ends(&cluster, &tag);
        (found == ["KILLED"]).then_some(())
    });
    assert!(ended.is_some(), "one killed application, but {found:?}");
    driver.open(&cluster, &world);
    world.call(&["resume", &id]).expect(0);
    wait_for("the job to end", || {
        (world.info(&id)["status"] == "SUCCEEDED").then_some(())
    });
    assert_eq!(ends(&cluster, &tag), ["KILLED", "SUCCEEDED"]);
}

#[test]
fn pig_outlives_its_owner() {
    if !is_thorough() {
        return;
    }
    outlives_its_owner(&PIG);
}

#[test]
fn hive_outlives_its_owner() {
    outlives_its_owner(&HIVE);
}

#[test]
fn sqoop_outlives_its_owner() {
    outlives_its_owner(&SQOOP);
}

#[test]
fn what_pig_has_begun_is_ended_without_it() {
    if !is_thorough() {
        return;
    }
    is_ended_without_its_tool(&PIG);
}

#[test]
fn what_hive_has_begun_is_ended_without_it() {
    is_ended_without_its_tool(&HIVE);
}

#[test]
fn what_sqoop_has_begun_is_ended_without_it() {
    if is_thorough() {
        is_ended_without_its_tool(&SQOOP);
    }
}
