//! `hpdl serve` under load: eight clients give commands while it is killed by SIGKILL at random moments and started again.
//!
//! Every command that was answered took effect once, none that was refused did, and jobs go on without a server.
//! `HPDLC_SERVER_OPERATIONS` sets how many requests each client sends, `HPDLC_SERVER_SEED` which, and when the server is killed.

use std::{
    collections::BTreeMap,
    fs,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

use self::{
    client::{Client, Job},
    process::ServerProcess,
};
use crate::{
    harness::{World, action, wait_for, workflow},
    moments::{Random, number},
};

mod client;
mod process;
mod store;

const N_CLIENTS: u64 = 8;

/// Number of requests that each sends by default.
const N_OPERATIONS: u64 = 24;

/// The longest life of a server.
const LIFE: Duration = Duration::from_millis(1500);

/// A job that ends at once, or that runs an action until the gate of all jobs is opened.
fn workflows() -> World {
    let hold = r#"<shell xmlns="uri:oozie:shell-action:1.0"><exec>hold.sh</exec><argument>${wf:id()}</argument><argument>${wf:run()}</argument><argument>${out}</argument><file>hold.sh</file></shell>"#;
    let nodes = [
        r#"<decision name="how"><switch><case to="hold">${how eq 'hold'}</case><default to="end"/></switch></decision>"#.to_owned(),
        action("hold", hold, "end"),
    ];
    World::of(&[
        ("workflow.xml", &workflow(&nodes.concat())),
        ("hold.sh", HOLD),
    ])
}

const HOLD: &str = r#"#!/bin/sh
echo "$1 $2" >> "$3/effects"
while [ ! -e "$3/open" ]; do [ -d "$3" ] || exit 7; sleep 0.5; done
mkdir "$3/done-$1-$2" || exit 9
"#;

/// A coordinator with one action, which waits for data named by the property `data`.
const COORDINATOR: &str = r#"<coordinator-app name="c" frequency="1440" start="2026-01-01T00:00Z" end="2026-01-01T12:00Z" timezone="UTC" xmlns="uri:oozie:coordinator:0.5">
<controls><timeout>-1</timeout></controls>
<datasets><dataset name="d" frequency="1440" initial-instance="2026-01-01T00:00Z" timezone="UTC"><uri-template>file://${out}/data-${data}/${YEAR}</uri-template><done-flag></done-flag></dataset></datasets>
<input-events><data-in name="i" dataset="d"><instance>${coord:current(0)}</instance></data-in></input-events>
<action><workflow><app-path>wf</app-path><configuration>
<property><name>action</name><value>${coord:actionId()}</value></property>
</configuration></workflow></action>
</coordinator-app>
"#;

const OF_COORDINATOR: &str = r#"<workflow-app name="w" xmlns="uri:oozie:workflow:1.0">
<start to="note"/>
<action name="note"><shell xmlns="uri:oozie:shell-action:1.0"><exec>sh</exec><argument>-c</argument><argument>echo $0 >> $1/effects</argument><argument>${action}</argument><argument>${out}</argument></shell><ok to="end"/><error to="failed"/></action>
<kill name="failed"><message>it failed</message></kill>
<end name="end"/>
</workflow-app>
"#;

#[test]
fn what_a_server_answered_was_done_once_however_often_it_is_killed() {
    let seed = number("HPDLC_SERVER_SEED").unwrap_or(1);
    let n_operations = number("HPDLC_SERVER_OPERATIONS").unwrap_or(N_OPERATIONS);
    let world = workflows();
    let mut coordinators = World::of(&[
        ("coordinator.xml", COORDINATOR),
        ("wf/workflow.xml", OF_COORDINATOR),
    ]);
    coordinators.move_home(
        vec!["env".to_owned(), "--default-signal=HUP".to_owned()],
        world.home().to_owned(),
    );
    world
        .call(&["register", "--as", client::WORKFLOW])
        .expect(0);
    coordinators
        .call(&["register", "--as", client::COORDINATOR])
        .expect(0);
    fs::create_dir_all(world.out().join("data-there/2026")).expect("a folder");

    let server = ServerProcess::start(world.home());
    let is_enough = AtomicBool::new(false);
    let mut jobs: Vec<Job> = Vec::new();
    let mut n_answered = 0;
    thread::scope(|scope| {
        let killer = scope.spawn(|| {
            let mut random = Random(seed);
            let mut n_kills = 0;
            while !is_enough.load(Ordering::Relaxed) {
                thread::sleep(random.part_of(LIFE));
                server.kill_and_restart();
                n_kills += 1;
            }
            n_kills
        });
        let clients: Vec<_> = (0..N_CLIENTS)
            .map(|n| {
                let (world, server) = (&world, &server);
                scope.spawn(move || {
                    let random = Random(seed.wrapping_mul(1000).wrapping_add(n));
                    let mut client = Client::new(n, world, server, random);
                    for _ in 0..n_operations {
                        client.step();
                    }
                    client.end()
                })
            })
            .collect();
        let ended: Vec<_> = clients.into_iter().map(|client| client.join()).collect();
        is_enough.store(true, Ordering::Relaxed);
        let n_kills = killer.join().expect("it kills on");
        for ended in ended {
            let (of_client, n) = ended.expect("a client goes on to its end");
            jobs.extend(of_client);
            n_answered += n;
        }
        println!("{n_kills} servers killed");
    });
    fs::write(world.out().join("open"), "").expect("a file");
    let mut effects: BTreeMap<String, u64> = BTreeMap::new();
    for job in &jobs {
        wait_for(&format!("the end of {job:?}"), || {
            let now = store::status(&world, &job.id);
            job.ends(&now).then_some(())
        });
    }
    for line in world.effects() {
        *effects.entry(line).or_default() += 1;
    }
    for job in &jobs {
        job.check(&world, &effects);
    }
    // No job came from elsewhere, and none came twice.
    let mut expected: Vec<&str> = jobs.iter().map(|job| job.external.as_str()).collect();
    expected.sort_unstable();
    assert_eq!(store::external_ids(&world), expected, "seed {seed}");
    let doctor = world.call(&["doctor"]);
    assert_eq!(doctor.code, Some(0), "seed {seed}: {}", doctor.stdout);
    println!(
        "{n_answered} requests answered, {} jobs",
        world.jobs().len()
    );
}
