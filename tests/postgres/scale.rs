//! Many coordinators with many running workflows on two hosts, one of which dies.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    path::Path,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use crate::{
    harness::{World, bare, wait_within, workflow},
    hosts::{Cluster, Host},
};

/// The workflows of each coordinator.
const N_ACTIONS: usize = 7;

const COORDINATOR: &str = r#"<coordinator-app xmlns="uri:oozie:coordinator:0.4" name="many" frequency="5"
    start="2026-01-01T00:00Z" end="2026-01-01T00:35Z" timezone="UTC">
  <controls><concurrency>7</concurrency></controls>
  <action><workflow><app-path>.</app-path></workflow></action>
</coordinator-app>
"#;

/// Writes the id of its workflow, and waits until the gate is opened.
const WAIT: &str = r#"#!/bin/sh
echo "$3" >> "$2/ids"
[ -e "$2/is-open" ] || : < "$2/gate"
"#;

/// The number of coordinators; both hosts have half of them.
fn n_coordinators() -> usize {
    std::env::var("HPDL_HOST_COORDINATORS").map_or(4, |text| text.parse().expect("a number"))
}

fn wait_long<T>(what: &str, n: usize, look: impl FnMut() -> Option<T>) -> T {
    let most = Duration::from_secs(60) + Duration::from_secs(1) * u32::try_from(n).expect("few");
    wait_within(most, look).unwrap_or_else(|| panic!("waited too long for {what}"))
}

/// How often each workflow has begun.
fn begun(out: &Path) -> BTreeMap<String, usize> {
    let text = fs::read_to_string(out.join("ids")).unwrap_or_default();
    let mut counts = BTreeMap::new();
    for id in text.lines() {
        *counts.entry(id.to_owned()).or_default() += 1;
    }
    counts
}

/// Lets all go on that wait, and those that come.
fn open_gate(out: &Path) {
    File::create(out.join("is-open")).expect("it is ours");
    let gate = out.join("gate");
    // Readers that wait for a writer; nobody reads what this one writes.
    thread::spawn(move || {
        let both = File::options().read(true).write(true).open(&gate);
        thread::sleep(Duration::from_secs(5));
        drop(both);
    });
}

/// Megabytes of memory that the processes of a host have for themselves.
fn memory(host: &Host) -> u64 {
    let pids = Command::new("ip")
        .args(["netns", "pids", &host.node.name])
        .output()
        .expect("ip");
    let of_one = |pid: &str| {
        let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
        let line = text.lines().find(|line| line.starts_with("Pss:"))?;
        line.split_ascii_whitespace().nth(1)?.parse::<u64>().ok()
    };
    let pids = String::from_utf8_lossy(&pids.stdout).into_owned();
    pids.lines().filter_map(of_one).sum::<u64>() / 1024
}

#[test]
fn workflows_of_coordinators_run_once_on_two_hosts_and_again_where_one_dies() {
    let n = n_coordinators();
    let n_jobs = n * N_ACTIONS;
    let nodes = bare("wait.sh", "a", "${wf:id()}", "end");
    let document = workflow(&nodes);
    let files = [
        ("coordinator.xml", COORDINATOR),
        ("workflow.xml", document.as_str()),
        ("wait.sh", WAIT),
    ];
    let timeout = (5 + n / 10).to_string();
    let settings = [
        ("hpdl.action.lost", "retry"),
        ("hpdl.host.timeout", timeout.as_str()),
    ];
    let connections = format!("max_connections = {}", 100 + 2 * n_jobs);
    let built = || World::coordinator_in_full(&files, &["-Dout=/out"]);
    let Some(cluster) = Cluster::with(built, &settings, &[&connections]) else {
        return;
    };
    let (a, b) = cluster.hosts();
    let out = a.world.out();
    assert!(
        Command::new("mkfifo")
            .arg(out.join("gate"))
            .status()
            .is_ok_and(|it| it.success())
    );
    let watches = [a.watch(), b.watch()];
    let first = Instant::now();
    for number in 0..n {
        cluster.hosts[number % 2].start();
    }
    wait_long("all to run", n, || {
        (begun(&out).len() == n_jobs).then_some(())
    });
    println!(
        "{n} coordinators, {n_jobs} workflows: all run after {:.1} s; hosts {} and {} MB",
        first.elapsed().as_secs_f32(),
        memory(a),
        memory(b)
    );
    let running = "SELECT count(*) FROM hpdl.jobs WHERE status = 'RUNNING'";
    assert_eq!(cluster.server.query(running), (n + n_jobs).to_string());
    assert!(begun(&out).values().all(|&times| times == 1));
    // Longer than the timeout: nobody takes over what runs.
    thread::sleep(Duration::from_secs(
        2 + timeout.parse::<u64>().expect("a number"),
    ));
    assert_eq!(begun(&out).values().sum::<usize>(), n_jobs);
    // A host may take over what the other has submitted and not begun.
    let of_first = format!(
        "SELECT count(*) FROM hpdl.actions JOIN hpdl.hosts ON id = split_part(boot_id, '@', 2)
         WHERE status = 'RUNNING' AND machine = '{}'",
        a.node.name
    );
    let n_lost: usize = cluster.server.query(&of_first).parse().expect("a number");
    assert!(n_lost > 0);
    a.node.signal("KILL");
    let died = Instant::now();
    let lost = "SELECT count(*) FROM hpdl.log WHERE message LIKE '%HPDL_LOST%'";
    wait_long("the other host to take over", n, || {
        (cluster.server.query(lost) == n_lost.to_string()).then_some(())
    });
    println!(
        "the other host has taken over {n_lost} workflows {:.1} s after the first has died; the timeout is {timeout} s",
        died.elapsed().as_secs_f32()
    );
    wait_long("what is lost to run again", n, || {
        (begun(&out).values().sum::<usize>() == n_jobs + n_lost).then_some(())
    });
    println!(
        "it runs what was lost after {:.1} s, with {} MB",
        died.elapsed().as_secs_f32(),
        memory(b)
    );
    assert!(begun(&out).values().all(|&times| times <= 2));
    open_gate(&out);
    let done = "SELECT count(*) FROM hpdl.jobs WHERE status = 'SUCCEEDED'";
    wait_long("all to succeed", n, || {
        (cluster.server.query(done) == (n + n_jobs).to_string()).then_some(())
    });
    println!(
        "all have succeeded {:.1} s after its start",
        first.elapsed().as_secs_f32()
    );
    assert_eq!(begun(&out).values().sum::<usize>(), n_jobs + n_lost);
    watches
        .into_iter()
        .skip(1)
        .for_each(|watch| drop(watch.end()));
    b.world.call(&["doctor"]).expect(0);
}
