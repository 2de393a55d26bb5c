//! Coordinators on virtual time.

use std::fs;

use expect_test::expect;

use super::harness::{Ended, World};

const COORDINATOR: &str = r#"<coordinator-app xmlns="uri:oozie:coordinator:0.5" name="hourly" frequency="${coord:hours(1)}"
        start="2026-03-29T00:00Z" end="2026-04-29T00:00Z" timezone="${zone}">
    <controls><timeout>30</timeout><concurrency>1</concurrency></controls>
    <datasets>
        <dataset name="logs" frequency="${coord:hours(1)}" initial-instance="2026-01-01T00:00Z" timezone="UTC">
            <uri-template>/data/${DAY}/${HOUR}</uri-template>
        </dataset>
    </datasets>
    <input-events>
        <data-in name="in" dataset="logs"><instance>${coord:current(0)}</instance></data-in>
    </input-events>
    <action><workflow><app-path>/apps/elsewhere</app-path></workflow></action>
</coordinator-app>
"#;

const ARRIVALS: &str = "
logs * +10m
logs 2026-03-29T02:00Z never   # an hour is lost
";

fn world() -> World {
    let world = World::of(&[("coordinator.xml", COORDINATOR)]);
    let outcomes = "* SUCCEEDED 55m\n4 KILLED 5m\n";
    fs::write(world.path("outcomes"), outcomes).expect("a file");
    fs::write(world.path("arrivals"), ARRIVALS).expect("a file");
    world
}

fn simulate(world: &World, more: &[&str]) -> Ended {
    let outcomes = world.path("outcomes").display().to_string();
    let arrivals = world.path("arrivals").display().to_string();
    let mut all = vec![
        "simulate",
        "-Dzone=Europe/Berlin",
        "--to",
        "2026-03-29T05:00Z",
    ];
    all.extend(["--outcomes", &outcomes, "--arrivals", &arrivals]);
    all.extend(more);
    world.call(&all)
}

#[test]
fn a_simulation_shows_what_each_action_would_do() {
    let world = world();
    let ended = simulate(&world, &[]).expect(0);
    expect![[r#"
        ACTION  NOMINAL TIME       STATUS     READY  STARTED  ENDED
        1       2026-03-29T00:00Z  SUCCEEDED  +10m   +10m     +1h05m
        2       2026-03-29T01:00Z  SUCCEEDED  +10m   +10m     +1h05m
        3       2026-03-29T02:00Z  TIMEDOUT                   +31m    logs 2026-03-29T02:00Z is missing: /data/29/02/_SUCCESS
        4       2026-03-29T03:00Z  KILLED     +10m   +10m     +15m
        5       2026-03-29T04:00Z  RUNNING    +10m   +10m

        5 actions: 1 KILLED, 1 RUNNING, 2 SUCCEEDED, 1 TIMEDOUT
        at once at most: 1 waiting, 1 ready, 1 running
        the coordinator is RUNNINGWITHERROR at 2026-03-29T05:00Z
        the clocks of Europe/Berlin change at 2026-03-29T01:00Z from +01:00 to +02:00:
          no clock shows 02:00: no action is at that time of day
    "#]].assert_eq(&ended.stdout);
    // No job was created.
    assert!(world.jobs().is_empty());
}

#[test]
fn a_simulation_is_told_to_programs_too() {
    let ended = simulate(&world(), &["--json"]).expect(0);
    let lines = ended.json_lines();
    let of_third: Vec<String> = lines
        .iter()
        .filter(|line| line["number"] == 3)
        .map(ToString::to_string)
        .collect();
    expect![[r#"
        {"event":"action","nominal_time":"2026-03-29T02:00Z","number":3,"status":"WAITING","time":"2026-03-29T02:00:00.000Z"}
        {"event":"action","missing":["/data/29/02/_SUCCESS"],"nominal_time":"2026-03-29T02:00Z","number":3,"status":"TIMEDOUT","time":"2026-03-29T02:31:00.000Z"}"#]].assert_eq(&of_third.join("\n"));
    let rest: Vec<String> = lines
        .iter()
        .filter(|line| line["event"] != "action")
        .map(ToString::to_string)
        .collect();
    expect![[r#"
        {"event":"coordinator","status":"RUNNING","time":"2026-03-29T00:00:00.000Z"}
        {"event":"coordinator","status":"RUNNINGWITHERROR","time":"2026-03-29T02:31:00.000Z"}
        {"at":"2026-03-29T01:00Z","dataset":null,"doubled":[],"event":"clocks","moved_by_minutes":0,"offset_after":"+02:00","offset_before":"+01:00","shifted":[],"skipped":["2026-03-29T02:00"]}
        {"actions":{"KILLED":1,"RUNNING":1,"SUCCEEDED":2,"TIMEDOUT":1},"event":"end","status":"RUNNINGWITHERROR"}"#]].assert_eq(&rest.join("\n"));
}

#[test]
fn mistakes_in_what_is_given_are_told_by_their_places() {
    let world = world();
    fs::write(world.path("arrivals"), "\nlogs * +10m\nlogz * never\n").expect("a file");
    let ended = simulate(&world, &[]).expect(2);
    assert!(
        ended
            .stderr
            .contains("arrivals: line 3: there is no dataset `logz`"),
        "{}",
        ended.stderr
    );
    for (arguments, message) in [
        (
            &["--from", "2026-03-30T00:00Z"][..],
            "which is not after --from",
        ),
        (&["--from", "today"], "--from is `today`"),
        (&["--outcomes", "/nowhere"], "cannot read /nowhere"),
        (&["--coordinator", "a"], "--coordinator is for a bundle"),
    ] {
        let mut all = vec![
            "simulate",
            "-Dzone=Europe/Berlin",
            "--to",
            "2026-03-29T05:00Z",
        ];
        all.extend(arguments);
        let ended = world.call(&all).expect(2);
        assert!(
            ended.stderr.contains(message),
            "{arguments:?}: {}",
            ended.stderr
        );
    }
    let ended = world.call(&["simulate"]).expect(2);
    assert!(ended.stderr.contains("zone"), "{}", ended.stderr);
}
