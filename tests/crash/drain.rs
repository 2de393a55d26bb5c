//! SIGTERM where everything ends with the owner: it drains running actions, starts nothing new, and loses nothing.

use std::{fs, process::Child, time::Duration};

use crate::harness::{
    World, finish, is_running, node, pid_of, signal, step, wait_for, wait_within, workflow,
};

/// Runs commands as the first process of a PID namespace, like that of a container.
fn in_container(world: &mut World) {
    let within = [
        "unshare",
        "--user",
        "--map-current-user",
        "--pid",
        "--fork",
        "--kill-child",
        "--mount-proc",
        "env",
        "--default-signal=HUP",
    ];
    let home = world.path("home");
    world.move_home(within.map(str::to_owned).to_vec(), home);
}

/// The first process in the namespace: the child of `unshare`, by its process id outside.
fn first_of(unshare: &Child) -> i32 {
    let pid = pid_of(unshare);
    wait_for("the namespace's first process", || {
        let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).ok()?;
        children.split_whitespace().next()?.parse().ok()
    })
}

/// Runs commands in the namespace of `first`, like `docker exec`.
fn enter(world: &mut World, first: i32) {
    let pid = first.to_string();
    let within = [
        "nsenter",
        "-t",
        &pid,
        "--user",
        "--preserve-credentials",
        "--pid",
        "--mount",
    ];
    let home = world.path("home");
    world.move_home(within.map(str::to_owned).to_vec(), home);
}

fn three() -> World {
    World::of_nodes(
        &[
            step("a", "gated", "b"),
            step("b", "0", "c"),
            step("c", "0", "end"),
        ]
        .concat(),
    )
}

#[test]
fn the_first_process_of_a_namespace_waits_for_what_runs_and_starts_nothing_new() {
    let mut world = three();
    in_container(&mut world);
    let owner = world.start(&[]);
    world.await_running("a");
    signal("TERM", first_of(&owner));
    let id = world.job().expect("a job");
    wait_for("the wait to be told", || {
        world.log(&id).contains("DRAIN").then_some(())
    });
    assert_eq!(world.info(&id)["status"], "RUNNING");
    world.open_gate("a");
    let ended = finish(owner).expect(5);
    for words in [
        "SIGTERM",
        "container",
        "waiting up to 10m00s (hpdl.drain.timeout) for `a`",
        "none of its actions is running",
        &format!("recover {id}"),
    ] {
        assert!(ended.stderr.contains(words), "{words}: {}", ended.stderr);
    }
    assert_eq!(world.effects(), ["a"]);
    let info = world.info(&id);
    assert_eq!(info["status"], "RUNNING");
    assert_eq!(node(&info, "a")["status"], "OK");
    world.call(&["recover"]).expect(0);
    assert_eq!(world.effects(), ["a", "b", "c"], "each once");
    assert_eq!(world.info(&id)["status"], "SUCCEEDED");
}

/// The kernel delivers to the first process of a namespace only signals that it has a handler for.
#[test]
fn a_first_process_that_is_asked_to_end_before_it_runs_anything_has_heard_it() {
    let mut world = three();
    world.submit(&[]);
    in_container(&mut world);
    // It blocks on the store.
    let store = rusqlite::Connection::open(world.home().join("jobs.db")).expect("a store");
    store
        .execute_batch("BEGIN IMMEDIATE")
        .expect("nobody writes");
    let owner = world.start(&[]);
    let first = first_of(&owner);
    let opened = format!("/proc/{first}/fd");
    wait_for("it to open the store", || {
        let files = fs::read_dir(&opened).ok()?.flatten();
        let mut links = files.filter_map(|file| fs::read_link(file.path()).ok());
        links.any(|link| link.ends_with("jobs.db")).then_some(())
    });
    signal("TERM", first);
    store.execute_batch("COMMIT").expect("it is ours");
    finish(owner).expect(5);
    assert!(world.effects().is_empty(), "{:?}", world.effects());
}

#[test]
fn what_a_drain_does_not_wait_for_is_lost_and_named() {
    let mut world = three();
    in_container(&mut world);
    let owner = world.start(&["-Dhpdl.drain.timeout=1"]);
    world.await_running("a");
    signal("TERM", first_of(&owner));
    let ended = finish(owner).expect(5);
    assert!(
        ended
            .stderr
            .contains("still running, and lost as after a power failure: `a`"),
        "{}",
        ended.stderr
    );
    let id = world.job().expect("a job");
    let recovered = world.call(&["recover"]).expect(4);
    assert!(
        recovered.stderr.contains("HPDL_LOST"),
        "{}",
        recovered.stderr
    );
    assert_eq!(world.info(&id)["status"], "SUSPENDED");
    assert_eq!(world.effects(), ["a"]);
}

#[test]
fn a_setting_says_whether_an_owner_waits() {
    let world = three();
    let owner = world.start(&["-Dhpdl.drain=always"]);
    let process = world.await_running("a");
    signal("TERM", pid_of(&owner));
    let id = world.job().expect("a job");
    wait_for("the wait to be told", || {
        world.log(&id).contains("DRAIN").then_some(())
    });
    assert!(is_running(process));
    // A second signal has no further effect.
    signal("TERM", pid_of(&owner));
    world.open_gate("a");
    finish(owner).expect(5);
    assert_eq!(world.effects(), ["a"]);

    let mut world = three();
    in_container(&mut world);
    let owner = world.start(&["-Dhpdl.drain=never"]);
    world.await_running("a");
    signal("TERM", first_of(&owner));
    let ended = finish(owner).expect(5);
    assert!(
        ended.stderr.contains("its running actions continue"),
        "{}",
        ended.stderr
    );
}

#[test]
fn a_process_that_is_asked_to_end_with_its_owner_is_lost_and_no_error() {
    let world = World::of_nodes(&step("a", "gated", "end"));
    let owner = world.start(&["-Dhpdl.drain=always"]);
    let process = world.await_running("a");
    let id = world.job().expect("a job");
    // As systemd does for a whole control group; the launcher receives it too.
    signal("TERM", pid_of(&owner));
    signal("TERM", world.launcher_of(&id, "a"));
    wait_for("the wait to be told", || {
        world.log(&id).contains("DRAIN").then_some(())
    });
    signal("TERM", process);
    let ended = finish(owner).expect(4);
    let info = world.info(&id);
    assert_eq!(info["status"], "SUSPENDED", "{}", ended.stderr);
    assert_eq!(node(&info, "a")["error_code"], "HPDL_LOST");
}

#[test]
fn a_coordinator_and_its_supervisor_wait_for_their_workflows() {
    let coordinator = r#"<coordinator-app name="c" frequency="${coord:days(1)}" start="2009-01-01T00:00Z" end="2009-01-03T00:00Z" timezone="UTC" xmlns="uri:oozie:coordinator:0.4">
<controls><concurrency>1</concurrency></controls>
<action><workflow><app-path>workflow.xml</app-path></workflow></action></coordinator-app>"#;
    let nodes = [step("a", "gated", "b"), step("b", "0", "end")].concat();
    let workflow = workflow(&nodes);
    let files = [
        ("coordinator.xml", coordinator),
        ("workflow.xml", workflow.as_str()),
        ("step.sh", crate::harness::STEP),
    ];
    for command in ["run", "watch"] {
        let mut world = World::of(&files);
        let id = (command == "watch").then(|| world.submit(&[]));
        in_container(&mut world);
        let owner = match &id {
            None => world.start(&[]),
            Some(id) => {
                let watch = world.spawn(&["recover", "--watch"]);
                wait_for("the watch", || {
                    let status = format!("/proc/{}/status", first_of(&watch));
                    let status = fs::read_to_string(status).ok()?;
                    // The kernel drops signals that the first process of a namespace has no handler for.
                    let caught = status
                        .lines()
                        .find_map(|line| line.strip_prefix("SigCgt:"))?;
                    let caught = u64::from_str_radix(caught.trim(), 16).ok()?;
                    (caught >> 14 & 1 == 1).then_some(())
                });
                enter(&mut world, first_of(&watch));
                world.call(&["start", id]).expect(0);
                watch
            }
        };
        world.await_running("a");
        signal("TERM", first_of(&owner));
        let early = wait_within(Duration::from_millis(500), || {
            world.out().join("done-a").exists().then_some(())
        });
        assert!(early.is_none(), "{command}");
        world.open_gate("a");
        let ended = finish(owner);
        let code = if id.is_some() { 0 } else { 5 };
        assert_eq!(ended.code, Some(code), "{command}: {}", ended.stderr);
        assert!(ended.stderr.contains("DRAIN") || ended.stderr.contains("waiting up to"));
        assert_eq!(world.effects(), ["a"], "{command}: {}", ended.stderr);
        assert!(world.out().join("done-a").exists(), "{command}");
    }
}
