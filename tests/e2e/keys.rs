//! `run --key`: one job per key continues, whichever process starts it, and one that has succeeded is not run again.

use std::fs;

use crate::harness::{
    World, finish, kill_dash_nine, pid_of, signal, step, text, wait_for, workflow,
};

fn gated() -> World {
    World::of_nodes(&[step("a", "gated", "b"), step("b", "0", "end")].concat())
}

#[test]
fn a_restart_takes_up_the_job_of_its_key() {
    let world = gated();
    let first = world.start(&["--key", "2026-11-25"]);
    world.await_running("a");
    let id = world.job().expect("a job");
    kill_dash_nine(first);
    world.open_gate("a");
    let ended = world.run(&["--key", "2026-11-25"]).expect(0);
    assert!(ended.stderr.contains(&id), "{}", ended.stderr);
    assert_eq!(world.job().as_ref(), Some(&id), "there is one job");
    assert_eq!(world.effects(), ["a", "b"], "each once");
    assert_eq!(world.info(&id)["key"], "2026-11-25");
    assert_eq!(world.jobs()[0]["key"], "2026-11-25");
    let told = world.call(&["info", &id]).expect(0);
    assert!(
        told.stdout.contains("Key       2026-11-25\n"),
        "{}",
        told.stdout
    );

    // A job that has succeeded is reported, and not run.
    let again = world.run(&["--key", "2026-11-25", "--json"]).expect(0);
    let lines = again.json_lines();
    let last = lines.last().expect("the job");
    assert_eq!(
        (text(&last["id"]), text(&last["status"])),
        (id, "SUCCEEDED".to_owned())
    );
    assert_eq!(world.effects(), ["a", "b"]);

    // Another key means another job, and so does no key.
    world.run(&["--key", "2026-11-26"]);
    world.run(&[]);
    assert_eq!(world.jobs().len(), 3);
    assert!(world.jobs()[0]["key"].is_null());
}

#[test]
fn a_second_process_of_a_key_waits_for_the_first() {
    let world = gated();
    let first = world.start(&["--key", "k"]);
    world.await_running("a");
    let id = world.job().expect("a job");
    let second = world.start(&["--key", "k"]);
    let third = world.start(&["--key", "k"]);
    signal("TERM", {
        wait_for("the third to wait", || {
            let pid = pid_of(&third);
            let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
            // It handles SIGTERM once it waits.
            let caught = status
                .lines()
                .find_map(|line| line.strip_prefix("SigCgt:"))?;
            let caught = u64::from_str_radix(caught.trim(), 16).ok()?;
            (caught >> 14 & 1 == 1).then_some(pid)
        })
    });
    let third = finish(third).expect(5);
    assert!(
        third.stderr.contains("continues under process"),
        "{}",
        third.stderr
    );
    // The waiting process takes over when the first one dies.
    kill_dash_nine(first);
    world.open_gate("a");
    let second = finish(second).expect(0);
    assert!(
        second.stderr.contains("waiting for its end"),
        "{}",
        second.stderr
    );
    assert_eq!(world.job(), Some(id));
    assert_eq!(world.effects(), ["a", "b"]);
}

#[test]
fn what_has_failed_is_run_anew_and_what_waits_for_a_person_is_not() {
    let flag = "test -e ${out}/good";
    let world = World::of_nodes(&crate::sh("a", flag, "", "end"));
    world.run(&["--key", "k"]).expect(1);
    fs::write(world.out().join("good"), "").expect("a file");
    world.run(&["--key", "k"]).expect(0);
    assert_eq!(world.jobs().len(), 2);
    world.run(&["--key", "k"]).expect(0);
    assert_eq!(world.jobs().len(), 2);

    let world = gated();
    let run = world.start(&["--key", "k"]);
    world.await_running("a");
    let id = world.job().expect("a job");
    world.call(&["suspend", &id]).expect(0);
    finish(run).expect(4);
    let told = world.run(&["--key", "k"]).expect(4);
    assert!(
        told.stderr.contains(&format!("resume {id}")),
        "{}",
        told.stderr
    );
    assert_eq!(world.jobs().len(), 1);
    world.open_gate("a");
    world.call(&["resume", &id]).expect(0);
    world.await_status(&id, "SUCCEEDED");
}

#[test]
fn other_properties_are_told_and_keys_that_are_none_refused() {
    let world = World::of_nodes(&crate::sh("a", "echo ${day}", "", "end"));
    world.run(&["--key", "k", "-Dday=1"]).expect(0);
    let told = world.run(&["--key", "k", "-Dday=2"]).expect(0);
    assert!(
        told.stderr
            .contains("has other values of `day`, and keeps them"),
        "{}",
        told.stderr
    );
    let told = world.run(&["--key", "k", "-Dday=1"]).expect(0);
    assert!(!told.stderr.contains("other values"), "{}", told.stderr);
    for key in ["", " ", "a\u{1b}b"] {
        world.run(&["--key", key, "-Dday=1"]).expect(2);
    }
    assert_eq!(world.jobs().len(), 1);
}

#[test]
fn coordinators_and_bundles_have_keys_too() {
    let coordinator = r#"<coordinator-app name="c" frequency="${coord:days(1)}" start="2009-01-01T00:00Z" end="2009-01-02T00:00Z" timezone="UTC" xmlns="uri:oozie:coordinator:0.4">
<action><workflow><app-path>${wf:conf('nothing')}workflow.xml</app-path></workflow></action></coordinator-app>"#
        .replace("${wf:conf('nothing')}", "");
    let bundle = r#"<bundle-app name="b" xmlns="uri:oozie:bundle:0.2"><coordinator name="c"><app-path>coordinator.xml</app-path></coordinator></bundle-app>"#;
    let workflow = workflow(&step("a", "gated", "end"));
    let all = [
        ("coordinator.xml", coordinator.as_str()),
        ("workflow.xml", workflow.as_str()),
        ("step.sh", crate::harness::STEP),
        ("bundle.xml", bundle),
    ];
    for files in [&all[..3], &all[..]] {
        let world = World::of(files);
        let first = world.start(&["--key", "daily"]);
        world.await_running("a");
        kill_dash_nine(first);
        world.open_gate("a");
        world.run(&["--key", "daily"]).expect(0);
        world.run(&["--key", "daily"]).expect(0);
        assert_eq!(world.effects(), ["a"]);
        let jobs = world.jobs();
        let keyed: Vec<_> = jobs.iter().filter(|job| job["key"] == "daily").collect();
        assert_eq!(keyed.len(), 1, "{jobs:?}");
        let info = world.info(&text(&keyed[0]["id"]));
        assert_eq!(info["key"], "daily");
        assert_eq!(info["status"], "SUCCEEDED");
    }
}
