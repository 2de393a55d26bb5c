//! Attempts whose outcome is unknown: never run a second time unless the user says so.

use std::fs;

use crate::harness::{World, finish, is_running, kill_dash_nine, node, signal, step, wait_for};

/// `a` waits at its gate, then `b` runs.
fn gate_then_step() -> World {
    World::of_nodes(&[step("a", "gated", "b"), step("b", "0", "end")].concat())
}

fn one_gated_step() -> World {
    World::of_nodes(&step("a", "gated", "end"))
}

/// The state that a launcher leaves that is killed between its claim and the start of the process.
fn claim_by_hand(world: &World, id: &str, node: &str) {
    let claim = world.attempt_file(id, node, 1, "claim");
    fs::create_dir_all(claim.parent().expect("a folder")).expect("a folder");
    fs::write(claim, "{\"launcher\":1,\"process\":null}\n").expect("a claim");
}

/// Runs up to `a`, claims `b` by hand, and lets the job reach it.
fn run_into_the_claim(properties: &[&str]) -> (World, String, crate::harness::Ended) {
    let world = gate_then_step();
    let owner = world.start(properties);
    world.await_running("a");
    let id = world.job().expect("a job");
    claim_by_hand(&world, &id, "b");
    world.open_gate("a");
    let ended = finish(owner);
    (world, id, ended)
}

/// The job is suspended, the action says why, and checking it again changes nothing.
#[track_caller]
fn check_suspended(world: &World, id: &str, name: &str, words: &str, effects: &[&str]) {
    let info = world.info(id);
    assert_eq!(info["status"], "SUSPENDED", "{info:#}");
    let lost = node(&info, name);
    assert_eq!(lost["status"], "START_MANUAL", "{lost:#}");
    assert_eq!(lost["error_code"], "HPDL_LOST", "{lost:#}");
    let message = lost["error_message"].as_str().expect("a message");
    assert!(message.contains(words), "{message}");
    for arguments in [&["recover"][..], &["recover", id]] {
        let recovered = world.call(arguments);
        let expected = if arguments.len() == 1 { 0 } else { 4 };
        assert_eq!(
            recovered.code,
            Some(expected),
            "{arguments:?}: {}",
            recovered.stderr
        );
        assert_eq!(world.effects(), effects, "{arguments:?}");
    }
}

#[test]
fn a_claim_without_a_process_is_lost_and_runs_only_when_resumed() {
    let (world, id, ended) = run_into_the_claim(&[]);
    assert_eq!(ended.code, Some(4), "{}", ended.stderr);
    assert!(
        ended.stderr.contains(&format!("resume {id}")),
        "{}",
        ended.stderr
    );
    check_suspended(&world, &id, "b", "whether it ran is not known", &["a"]);
    world.call(&["resume", &id, "--wait"]).expect(0);
    assert_eq!(world.effects(), ["a", "b"]);
    assert_eq!(node(&world.info(&id), "b")["retries"], 1);
    let again = world.call(&["resume", &id]).expect(2);
    assert!(again.stderr.contains("SUCCEEDED"), "{}", again.stderr);
}

#[test]
fn a_claim_found_by_a_recovery_is_lost_too() {
    let world = gate_then_step();
    let owner = world.start(&[]);
    world.await_running("a");
    let id = world.job().expect("a job");
    kill_dash_nine(owner);
    claim_by_hand(&world, &id, "b");
    world.open_gate("a");
    assert_eq!(finish(world.spawn(&["recover"])).code, Some(4));
    check_suspended(&world, &id, "b", "whether it ran is not known", &["a"]);
}

#[test]
fn lost_can_mean_another_try() {
    let (world, id, ended) = run_into_the_claim(&[
        "-Dhpdl.action.lost=retry",
        "-Doozie.wf.action.retry.interval=0",
    ]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(world.effects(), ["a", "b"]);
    let info = world.info(&id);
    assert_eq!(node(&info, "b")["retries"], 1, "{info:#}");
    assert!(world.log(&id).contains("HPDL_LOST"), "{}", world.log(&id));
}

#[test]
fn lost_can_mean_the_error_transition() {
    let (world, id, ended) = run_into_the_claim(&["-Dhpdl.action.lost=error"]);
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    assert_eq!(world.effects(), ["a"]);
    let info = world.info(&id);
    assert_eq!(node(&info, "b")["status"], "ERROR", "{info:#}");
    let message = info["error_message"].as_str().expect("a message");
    assert!(message.starts_with("[b] [HPDL_LOST] ["), "{message}");
}

#[test]
fn owner_and_launcher_killed_while_a_process_lives() {
    let world = one_gated_step();
    let owner = world.start(&[]);
    let process = world.await_running("a");
    let id = world.job().expect("a job");
    let launcher = world.launcher_of(&id, "a");
    kill_dash_nine(owner);
    signal("KILL", launcher);
    wait_for("the launcher to be gone", || {
        (!is_running(launcher)).then_some(())
    });
    assert_eq!(finish(world.spawn(&["recover"])).code, Some(4));
    let words = format!("its process group {process} is still running, and no process monitors it");
    check_suspended(&world, &id, "a", &words, &["a"]);
    world.open_gate("a");
    wait_for("the process to end", || {
        (!is_running(process)).then_some(())
    });
    check_suspended(&world, &id, "a", &words, &["a"]);
}

#[test]
fn owner_launcher_and_process_killed() {
    let world = one_gated_step();
    let owner = world.start(&[]);
    let process = world.await_running("a");
    let id = world.job().expect("a job");
    let launcher = world.launcher_of(&id, "a");
    kill_dash_nine(owner);
    signal("KILL", launcher);
    signal("KILL", process);
    // The process group has other members for a moment.
    let has_group = || {
        let mut kill = std::process::Command::new("kill");
        kill.args(["-0", "--", &format!("-{process}")]);
        kill.stderr(std::process::Stdio::null());
        kill.status().expect("kill is there").success()
    };
    wait_for("all to be gone", || {
        (!is_running(launcher) && !has_group()).then_some(())
    });
    assert_eq!(finish(world.spawn(&["recover"])).code, Some(4));
    check_suspended(&world, &id, "a", "how it ended is not known", &["a"]);
    // The user has checked, and resumes it.
    world.open_gate("a");
    world.call(&["resume", &id, "--wait"]).expect(0);
    assert_eq!(world.effects(), ["a", "a"]);
}

#[test]
fn launcher_killed_while_the_owner_lives() {
    let world = one_gated_step();
    let owner = world.start(&[]);
    let process = world.await_running("a");
    let id = world.job().expect("a job");
    signal("KILL", world.launcher_of(&id, "a"));
    let ended = finish(owner);
    assert_eq!(ended.code, Some(4), "{}", ended.stderr);
    assert!(
        ended
            .stderr
            .contains(&format!("suspended at a; continue with: resume {id}")),
        "{}",
        ended.stderr
    );
    check_suspended(
        &world,
        &id,
        "a",
        &format!("its process group {process} is still running"),
        &["a"],
    );
    world.open_gate("a");
    wait_for("the process to end", || {
        (!is_running(process)).then_some(())
    });
}

/// Leaves `b` recorded as started, its request unread by a launcher that is stopped, and no owner.
///
/// `b` is found claimed by hand and retried two seconds later, which leaves time to stop the launcher.
fn unread_request() -> (World, String, i32) {
    let nodes = [
        "<fork name=\"both\"><path start=\"a\"/><path start=\"first\"/></fork>\n".to_owned(),
        step("a", "gated", "met"),
        step("first", "gated", "b"),
        step("b", "0", "met"),
        "<join name=\"met\" to=\"end\"/>\n".to_owned(),
    ];
    let world = World::of_nodes(&nodes.concat());
    let owner = world.start(&[
        "-Dhpdl.action.lost=retry",
        "-Doozie.wf.action.retry.interval=2",
        "-Dhpdl.kill.grace=1",
    ]);
    world.await_running("a");
    world.await_running("first");
    let id = world.job().expect("a job");
    claim_by_hand(&world, &id, "b");
    world.open_gate("first");
    let status = |expected: &'static str| {
        wait_for(&format!("b to be {expected}"), || {
            let info = world.info(&id);
            let nodes = info["actions"].as_array().expect("actions").clone();
            nodes
                .iter()
                .any(|node| node["name"] == "b" && node["status"] == expected)
                .then_some(())
        });
    };
    status("START_RETRY");
    let launcher = world.launcher_of(&id, "a");
    signal("STOP", launcher);
    status("RUNNING");
    // The action's folder is created before the request is sent.
    let xml = world
        .attempt_file(&id, "b", 2, "claim")
        .with_file_name("2")
        .join("action.xml");
    wait_for("b to be asked for", || xml.exists().then_some(()));
    kill_dash_nine(owner);
    assert_eq!(world.effects(), ["a", "first"]);
    (world, id, launcher)
}

#[test]
fn an_attempt_that_no_launcher_took_up_is_started_by_the_recovery() {
    let (world, id, launcher) = unread_request();
    // `a` is lost with its launcher, and reported; `b` is not.
    signal("KILL", launcher);
    let recovery = world.spawn(&["recover"]);
    wait_for("b to be done", || {
        world.out().join("done-b").exists().then_some(())
    });
    world.open_gate("a");
    finish(recovery);
    assert_eq!(
        world.effects().iter().filter(|name| *name == "b").count(),
        1
    );
    assert_eq!(node(&world.info(&id), "b")["status"], "OK");
    assert_eq!(node(&world.info(&id), "b")["retries"], 1);
}

#[test]
fn a_launcher_that_wakes_up_late_starts_nothing_twice() {
    let (world, id, launcher) = unread_request();
    let recovery = world.spawn(&["recover"]);
    signal("CONT", launcher);
    wait_for("b to be done", || {
        world.out().join("done-b").exists().then_some(())
    });
    world.open_gate("a");
    let recovered = finish(recovery);
    assert_eq!(recovered.code, Some(0), "{}", recovered.stderr);
    assert_eq!(world.effects(), ["a", "b", "first"]);
    assert_eq!(node(&world.info(&id), "b")["status"], "OK");
}

#[test]
fn a_kill_starts_nothing_that_was_outstanding() {
    let (world, id, launcher) = unread_request();
    signal("KILL", launcher);
    world.call(&["kill", &id]).expect(0);
    assert_eq!(world.effects(), ["a", "first"]);
    assert_eq!(world.info(&id)["status"], "KILLED");
    assert_eq!(node(&world.info(&id), "b")["status"], "KILLED");
}

#[test]
fn a_launcher_whose_state_folder_is_deleted_goes_when_its_process_has_ended() {
    let world = one_gated_step();
    let owner = world.start(&[]);
    world.await_running("a");
    let id = world.job().expect("a job");
    let launcher = world.launcher_of(&id, "a");
    kill_dash_nine(owner);
    fs::remove_dir_all(world.home()).expect("the folder goes");
    assert!(is_running(launcher));
    world.open_gate("a");
    wait_for("the launcher to go", || {
        (!is_running(launcher)).then_some(())
    });
    assert_eq!(world.effects(), ["a"]);
}
