//! Time limits of processes: what runs for too long is ended with all its children, even if the owner or launcher has died. And
//! the system's file size limit, which is reported like a full disk.

use crate::{
    harness::{World, finish, is_running, kill_dash_nine, node, step, wait_for},
    kill::{await_family, check_gone, family},
};

#[track_caller]
fn check_ended(world: &World, seconds: u64) {
    let id = world.job().expect("a job");
    let info = world.info(&id);
    let ended = node(&info, "a");
    assert_eq!(ended["status"], "ERROR", "{info:#}");
    assert_eq!(ended["error_code"], "HPDL_TIMEOUT", "{info:#}");
    let message = ended["error_message"].as_str().unwrap_or_default();
    let expected = format!("ended after {seconds} s: its time was over (hpdl.action.timeout)");
    assert!(message.contains(&expected), "{message}");
}

#[test]
fn a_process_that_runs_for_too_long_is_ended_politely_and_then_by_force() {
    for manner in ["polite", "deaf"] {
        let world = family(manner);
        let owner = world.start(&["-Dhpdl.action.timeout=5", "-Dhpdl.kill.grace=1"]);
        let family = await_family(&world);
        finish(owner).expect(1);
        check_gone(&family);
        check_ended(&world, 5);
    }
}

#[test]
fn a_limit_holds_where_the_owner_has_died() {
    let world = family("deaf");
    let owner = world.start(&["-Dhpdl.action.timeout=5", "-Dhpdl.kill.grace=1"]);
    let family = await_family(&world);
    kill_dash_nine(owner);
    wait_for("the family to be ended", || {
        (!family.iter().any(|&pid| is_running(pid))).then_some(())
    });
    world.call(&["recover"]).expect(1);
    check_ended(&world, 5);
}

#[test]
fn an_action_sets_its_own_limit_and_what_is_no_number_is_refused() {
    let body = r#"<shell xmlns="uri:oozie:shell-action:1.0">
        <configuration><property><name>hpdl.action.timeout</name><value>${limit}</value></property></configuration>
        <exec>sleep</exec><argument>${time}</argument></shell>"#;
    let workflow = crate::harness::workflow(&crate::harness::action("a", body, "end"));
    let mut world = World::of(&[("workflow.xml", &workflow)]);
    let run = |world: &World, limit: &str, time: &str, of_job: &str| {
        let arguments = [
            "run".to_owned(),
            format!("-Dlimit={limit}"),
            format!("-Dtime={time}"),
            format!("-Dhpdl.action.timeout={of_job}"),
        ];
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        world.call(&arguments)
    };
    run(&world, "1", "1000", "0").expect(1);
    check_ended(&world, 1);
    world.afresh();
    run(&world, "0", "1.2", "1").expect(0);
    world.afresh();
    let failed = run(&world, "soon", "0", "0").expect(3);
    assert!(
        failed.stderr.contains("hpdl.action.timeout is `soon`"),
        "{}",
        failed.stderr
    );
    let refused = run(&world, "1", "0", "5m").expect(2);
    assert!(
        refused
            .stderr
            .contains("property hpdl.action.timeout is `5m`; it is a whole number"),
        "{}",
        refused.stderr
    );
}

#[test]
fn a_limit_for_files_is_told_like_a_full_disk_and_ends_nothing() {
    let mut world = World::of_nodes(&step("a", "0", "end"));
    let home = world.home().to_owned();
    // In blocks: less than the store needs, and less than the copy of the executable needs.
    for (most, expected) in [
        (8, "cannot be written to the disk"),
        (2000, "File too large"),
    ] {
        let script = format!("ulimit -f {most}; exec \"$@\"");
        let within = ["sh", "-c", &script, "sh"].map(str::to_owned);
        world.move_home(within.to_vec(), home.clone());
        let refused = world.run(&[]).expect(5);
        assert!(refused.stderr.contains(expected), "{}", refused.stderr);
    }
    world.move_home(Vec::new(), home);
    world.run(&[]).expect(0);
    assert_eq!(world.effects(), ["a"]);
}
