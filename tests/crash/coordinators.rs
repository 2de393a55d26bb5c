//! A coordinator whose owner is killed repeatedly: every nominal time runs exactly once.
//!
//! `HPDL_KILLS` sets how often the owner is killed, `HPDL_SEED` at which moments; `tests/crash/coordinators KILLS [SEED]` runs
//! this alone.

use std::{env, fs, thread, time::Duration};

use serde_json::Value;

use crate::harness::{World, finish, kill_dash_nine, text, wait_for};

/// The workflow of each minute: it fails if it is run twice, and takes a while.
const WORKFLOW: &str = r#"<workflow-app name="w" xmlns="uri:oozie:workflow:1.0">
<start to="once"/>
<action name="once"><shell xmlns="uri:oozie:shell-action:1.0"><exec>once.sh</exec><argument>${when}</argument><argument>${out}</argument><file>once.sh</file></shell><ok to="end"/><error to="failed"/></action>
<kill name="failed"><message>${wf:errorMessage('once')}</message></kill>
<end name="end"/>
</workflow-app>
"#;

const ONCE: &str = r#"#!/bin/sh
echo "$1" >> "$2/effects"
sleep 0.3
mkdir "$2/done-$1" || exit 9
"#;

fn coordinator(minutes: usize) -> String {
    format!(
        r#"<coordinator-app name="c" frequency="1" start="2026-01-01T00:00Z" end="2026-01-01T{:02}:{:02}Z" timezone="UTC" xmlns="uri:oozie:coordinator:0.5">
<controls><timeout>-1</timeout><concurrency>3</concurrency></controls>
<datasets><dataset name="d" frequency="1" initial-instance="2026-01-01T00:00Z" timezone="UTC"><uri-template>file://${{out}}/data/${{HOUR}}${{MINUTE}}</uri-template><done-flag></done-flag></dataset></datasets>
<input-events><data-in name="i" dataset="d"><instance>${{coord:current(0)}}</instance></data-in></input-events>
<action><workflow><app-path>wf</app-path><configuration>
<property><name>when</name><value>${{coord:formatTime(coord:nominalTime(), 'HHmm')}}</value></property>
</configuration></workflow></action>
</coordinator-app>
"#,
        minutes / 60,
        minutes % 60
    )
}

fn number(name: &str, otherwise: u64) -> u64 {
    let value = env::var(name).ok();
    value.map_or(otherwise, |value| {
        value
            .parse()
            .unwrap_or_else(|_| panic!("{name} is a number"))
    })
}

/// Pseudo-random numbers from a seed (Knuth's linear congruential generator).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

fn status(world: &World, id: &str) -> String {
    text(&world.info(id)["status"])
}

#[test]
fn every_nominal_time_runs_once_through_kills_at_random_moments() {
    let n_kills = number("HPDL_KILLS", 25);
    let seed = number("HPDL_SEED", 1);
    let mut random = Random(seed);
    // A nominal minute takes a second, and an owner lives for half a second on average.
    let n_minutes = usize::try_from(n_kills / 2).expect("a number") + 2;
    assert!(n_minutes < 24 * 60, "a day has so many kills only");
    let minutes: Vec<String> = (0..n_minutes)
        .map(|minute| format!("{:02}{:02}", minute / 60, minute % 60))
        .collect();
    let world = World::of(&[
        ("coordinator.xml", &coordinator(n_minutes)),
        ("wf/workflow.xml", WORKFLOW),
        ("wf/once.sh", ONCE),
    ]);
    // Data arrives in another order than its times, some of it before it is needed.
    let mut arriving: Vec<&String> = minutes.iter().collect();
    let arrive = |minute: &str| {
        fs::create_dir_all(world.out().join("data").join(minute)).expect("a folder");
    };
    let mut owner = world.start(&["--speed", "60"]);
    let id = wait_for("a coordinator", || {
        let jobs = world.jobs();
        let found = jobs.iter().find(|job| text(&job["id"]).ends_with("-C"));
        found.map(|job| text(&job["id"]))
    });
    for _ in 0..n_kills {
        for _ in 0..random.below(3) {
            if !arriving.is_empty() {
                let next = usize::try_from(random.below(3)).expect("a number");
                arrive(arriving.remove(next.min(arriving.len() - 1)));
            }
        }
        thread::sleep(Duration::from_millis(random.below(1000)));
        kill_dash_nine(owner);
        owner = world.spawn(&["recover", &id]);
    }
    for minute in arriving {
        arrive(minute);
    }
    finish(owner);
    let mut n_more = 0;
    while status(&world, &id) == "RUNNING" {
        // The last owner may have started while the previous one still appeared to be alive.
        n_more += 1;
        assert!(n_more < 5, "seed {seed}: {}", world.info(&id));
        finish(world.spawn(&["recover", &id]));
    }
    assert_eq!(status(&world, &id), "SUCCEEDED", "seed {seed}");
    assert_eq!(world.effects(), minutes, "seed {seed}");
    let actions = world
        .call(&["actions", &id, "--json"])
        .expect(0)
        .json_lines();
    let mut workflows: Vec<&Value> = actions.iter().map(|it| &it["workflow_id"]).collect();
    workflows.sort_by_key(|id| id.as_str());
    workflows.dedup();
    assert_eq!(workflows.len(), n_minutes, "seed {seed}");
    let doctor = world.call(&["doctor"]);
    assert_eq!(doctor.code, Some(0), "seed {seed}: {}", doctor.stdout);
}
