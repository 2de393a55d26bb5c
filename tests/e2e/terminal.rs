//! Output for the user: why a job failed, its progress, which job a line belongs to, and how jobs are named.

use crate::{
    coordinators::{coordinator, the_coordinator, world as coordinated},
    harness::{World, action, node, step, text, wait_for, workflow},
    run, sh,
};

/// The lines after the one that says how the job ended.
fn after_the_end(said: &str) -> Vec<&str> {
    let mut lines = said
        .lines()
        .skip_while(|line| !line.contains("-hpdl-") || !line.contains(" after "));
    lines.next();
    lines.collect()
}

#[test]
fn a_killed_run_ends_with_what_the_action_printed_and_what_to_type() {
    let script =
        "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo line $i; done; echo token=$1 >&2; exit 3";
    let more = "<argument>x</argument><argument>${my_token}</argument>";
    let world = World::of_nodes(&sh("load", script, more, "end"));
    let (ended, _) = run(&world, &["-Dmy_token=s3cr3t-s3cr3t"], 1);
    let shown = after_the_end(&ended.stderr);
    let (begin, commands) = shown.split_at(shown.len() - 2);
    assert!(begin[0].starts_with("`load` ended ERROR, 1"), "{shown:?}");
    assert_eq!(begin[1], "its last output:");
    assert_eq!(begin[2], "    line 4");
    assert_eq!(begin[10], "    line 12");
    assert_eq!(begin[11], "    token=********");
    assert_eq!(begin.len(), 12);
    let name = world.program().display().to_string();
    assert_eq!(commands[0], format!("see more:      {name} log 1 load"));
    assert_eq!(
        commands[1],
        format!("run it again:  {name} rerun 1 --failed")
    );
    // The printed commands work.
    let log = world.call(&["log", "1", "load"]).expect(0).stdout;
    assert_eq!(log.lines().count(), 13);
}

#[test]
fn a_failed_run_says_why_in_its_last_state() {
    let nodes = sh("bad", "true", "<argument>${10 mod zero}</argument>", "end");
    let world = World::of_nodes(&nodes);
    let (ended, info) = run(&world, &["-Dzero=0"], 3);
    let message = text(&info["error_message"]);
    assert!(message.starts_with("bad: workflow.xml:"), "{message}");
    assert!(message.contains("divides by zero"), "{message}");
    assert_eq!(info["error_code"], "EL_ERROR");
    let line = ended
        .stderr
        .lines()
        .find(|line| line.contains("FAILED after"));
    assert!(
        line.is_some_and(|line| line.ends_with(&message)),
        "{}",
        ended.stderr
    );
    let shown = after_the_end(&ended.stderr);
    assert_eq!(shown[0], "`bad` ended FAILED, EL_ERROR");
    assert!(shown[1].ends_with(" info 1"), "{shown:?}");
    assert!(shown[2].ends_with(" rerun 1 --failed"), "{shown:?}");
    let told = world.call(&["info", "1"]).expect(0).stdout;
    assert!(told.contains(&format!("Message   {message}")), "{told}");
}

#[test]
fn the_failure_of_a_sub_workflow_is_that_of_the_action_in_it() {
    let sub = r#"<sub-workflow><app-path>${wf:appPath()}/child</app-path><propagate-configuration/></sub-workflow>"#;
    let world = World::of(&[
        ("workflow.xml", &workflow(&action("s", sub, "end"))),
        (
            "child/workflow.xml",
            &workflow(&sh("deep", "echo down here; exit 4", "", "end")),
        ),
    ]);
    let (ended, _) = run(&world, &[], 1);
    let shown = after_the_end(&ended.stderr).join("\n");
    assert!(shown.contains("`deep` ended ERROR"), "{shown}");
    assert!(shown.contains("    down here"), "{shown}");
    assert!(shown.contains(" log 2 deep"), "{shown}");
    assert!(shown.contains(" rerun 1 --failed"), "{shown}");
    // A line says whose node it is about.
    assert!(ended.stderr.contains(" s/deep "), "{}", ended.stderr);
    let log = world.call(&["log", "1"]).expect(0).stdout;
    assert!(log.contains(" s/deep ") && log.contains(" s "), "{log}");
    let day = date_of(&log);
    assert!(log.lines().all(|line| line.starts_with(&day[..4])), "{log}");
    let tail = world.call(&["log", "1", "--tail", "2"]).expect(0).stdout;
    assert!(log.ends_with(&tail) && tail.lines().count() == 2, "{tail}");
}

/// The date at the start of a line, such as `2026-11-25`; checks its format.
fn date_of(log: &str) -> String {
    let day: String = log.chars().take(10).collect();
    let shape: String = day
        .chars()
        .map(|it| if it.is_ascii_digit() { '0' } else { it })
        .collect();
    assert_eq!(shape, "0000-00-00", "{log}");
    day
}

#[test]
fn a_coordinator_that_ends_with_failed_actions_shows_the_last_of_them() {
    let world = coordinated(&coordinator(10, "00:30", ""));
    std::fs::write(world.out().join("fail-0010"), "").expect("a file");
    let ended = world.run(&["--speed", "600"]).expect(6);
    let said = &ended.stderr;
    let shown = after_the_end(said).join("\n");
    assert!(shown.starts_with("action 1@2 ended KILLED"), "{shown}");
    assert!(shown.contains("`leave` ended ERROR, 1"), "{shown}");
    assert!(shown.ends_with(" rerun 1 --action 2"), "{shown}");
    // A line names the coordinator, its action, and the node of its workflow.
    assert!(said.contains(" c@2/leave "), "{said}");
    let id = the_coordinator(&world);
    let log = world.call(&["log", &id]).expect(0).stdout;
    assert!(log.contains(" c@2 ") && !log.contains(" @2 "), "{log}");
}

#[test]
fn an_action_of_a_coordinator_stands_for_its_workflow() {
    let world = coordinated(&coordinator(10, "00:20", ""));
    world.run(&["--speed", "600"]).expect(0);
    let workflow = text(&crate::coordinators::actions(&world, "1")[1]["workflow_id"]);
    for name in ["1@2", "c@2", "last@2", "0000001@2"] {
        let info = world.call(&["info", name, "--json"]).expect(0).stdout;
        assert!(info.contains("\"number\":2"), "{name}: {info}");
        let log = world.call(&["log", name]).expect(0).stdout;
        assert!(log.contains(" leave "), "{name}: {log}");
        world.call(&["log", name, "leave"]).expect(0);
        for command in ["graph", "timeline", "settings", "definition"] {
            world.call(&[command, name]).expect(0);
        }
    }
    let shown = world.call(&["settings", "1@2"]).expect(0).stdout;
    assert_eq!(shown, world.call(&["settings", &workflow]).expect(0).stdout);
    for (name, problem) in [
        ("1@9", "has no action 9 (E0605)"),
        ("2@1", "is not a coordinator"),
        ("nobody@1", "there is no job nobody@1"),
    ] {
        let refused = world.call(&["log", name]).expect(2).stderr;
        assert!(refused.contains(problem), "{name}: {refused}");
    }
    let both = world
        .call(&["kill", "1@2", "--action", "1"])
        .expect(2)
        .stderr;
    assert!(both.contains("names action 2"), "{both}");
}

#[test]
fn a_job_is_named_by_its_application_and_as_the_last() {
    let world = World::of_nodes(&sh("a", "true", "", "end"));
    world.run(&[]).expect(0);
    world.run(&[]).expect(0);
    let newest = text(&world.info("2")["id"]);
    let app = text(&world.info("1")["app"]);
    for name in ["last", &app] {
        assert_eq!(text(&world.info(name)["id"]), newest, "{name}");
    }
    let refused = world.call(&["info", "nosuch"]).expect(2).stderr;
    assert!(refused.contains("there is no job nosuch"), "{refused}");
}

#[test]
fn info_of_a_suspended_job_shows_what_has_ended_meanwhile() {
    let nodes = [step("a", "gated", "b"), step("b", "0", "end")].concat();
    let world = World::of_nodes(&nodes);
    let id = world.submit(&[]);
    world.call(&["start", &id]).expect(0);
    world.await_running("a");
    std::thread::sleep(std::time::Duration::from_millis(1_200));
    world.call(&["suspend", &id]).expect(0);
    let shown = world.call(&["info", &id]).expect(0).stdout;
    // The time since it was suspended, not since it was started.
    assert!(shown.contains("Status    SUSPENDED for 0."), "{shown}");
    assert_eq!(node(&world.info(&id), "a")["status"], "RUNNING");
    world.open_gate("a");
    let ended = wait_for("the process to have ended", || {
        let a = node(&world.info(&id), "a").clone();
        (a["status"] == "DONE").then_some(a)
    });
    assert!(ended["ended"].is_string(), "{ended}");
    let shown = world.call(&["info", &id]).expect(0).stdout;
    assert!(
        shown.contains("DONE") && shown.contains("its process exited with code 0"),
        "{shown}"
    );
    world.call(&["resume", &id, "--wait"]).expect(0);
    assert_eq!(node(&world.info(&id), "a")["status"], "OK");
    assert_eq!(world.effects(), ["a", "b"]);
}

#[test]
fn after_a_rerun_nodes_stand_in_the_order_of_that_run() {
    let fails_first = "[ -e $1/again ] || exit 3";
    let out = "<argument>x</argument><argument>${out}</argument>";
    let nodes = [
        sh("z", "true", "", "y"),
        sh("y", "true", "", "x"),
        sh("x", fails_first, out, "end"),
    ]
    .concat();
    let world = World::of_nodes(&nodes);
    let (_, info) = run(&world, &[&world.out_property()], 1);
    let id = text(&info["id"]);
    std::fs::write(world.out().join("again"), "").expect("a file");
    let skips = "-Doozie.wf.rerun.skip.nodes=y";
    world.call(&["rerun", &id, skips, "--wait"]).expect(0);
    let info = world.info(&id);
    let names: Vec<String> = info["actions"]
        .as_array()
        .expect("actions")
        .iter()
        .map(|action| text(&action["name"]))
        .collect();
    assert_eq!(names, [":start:", "z", "y", "x", "end"]);
    let shown = world.call(&["info", &id]).expect(0).stdout;
    assert!(shown.contains("SUCCEEDED, run 1, after "), "{shown}");
    assert!(!shown.contains(",,"), "{shown}");
}

#[test]
fn a_dry_run_of_another_user_is_refused_before_anything_is_shown() {
    let world = World::of_nodes(&sh("a", "true", "", "end"));
    for more in [&["--json"][..], &[]] {
        let arguments = [&["dryrun", "-Duser.name=somebody-else"], more].concat();
        let refused = world.call(&arguments).expect(2);
        assert_eq!(refused.stdout, "");
        assert!(
            refused.stderr.contains("somebody-else"),
            "{}",
            refused.stderr
        );
    }
}

#[test]
fn states_are_colored_where_it_is_wanted() {
    let mut world = World::of_nodes(&sh("a", "true", "", "end"));
    world.run(&[]).expect(0);
    let colored = |ended: crate::harness::Ended| ended.expect(0).stdout.contains("\u{1b}[32mOK");
    assert!(!colored(world.call(&["info", "1"])));
    assert!(colored(world.call(&["info", "1", "--color", "always"])));
    world.set("CLICOLOR_FORCE", "1");
    assert!(colored(world.call(&["info", "1"])));
    assert!(!colored(world.call(&["info", "1", "--color", "never"])));
    world.set("NO_COLOR", "1");
    assert!(!colored(world.call(&["info", "1"])));
}

#[test]
fn jobs_are_listed_by_state_application_and_time_in_a_line_each() {
    let world = World::of_nodes(&sh(
        "a",
        "exit $code",
        "<env-var>code=${code}</env-var>",
        "end",
    ));
    world.run(&["-Dcode=0"]).expect(0);
    world.run(&["-Dcode=3"]).expect(1);
    let id = world.submit(&["-Dcode=0"]);
    let list = |more: &[&str]| world.call(&[&["jobs"], more].concat()).expect(0).stdout;
    let numbers = |more: &[&str]| -> Vec<String> {
        let listed = list(more);
        let lines = listed.lines().skip(1);
        lines
            .filter_map(|line| line.split_whitespace().next())
            .map(str::to_owned)
            .collect()
    };
    let app = text(&world.info("1")["app"]);
    assert_eq!(numbers(&[]), ["3", "2", "1"]);
    assert_eq!(numbers(&["--status", "killed,SUCCEEDED"]), ["2", "1"]);
    assert_eq!(numbers(&["--status", "PREP", "--app", &app]), ["3"]);
    assert_eq!(numbers(&["-n", "1", "--since", "1h"]), ["3"]);
    assert_eq!(list(&["--app", "nosuch"]), "no such jobs\n");
    assert_eq!(list(&["--since", "2200-01-01"]), "no such jobs\n");
    assert!(list(&[]).lines().all(|line| line.chars().count() <= 80));
    world.call(&["jobs", "--status", "LAZY"]).expect(2);
    world.call(&["jobs", "--since", "soon"]).expect(2);
    let lines = world
        .call(&["jobs", "--json", "-n", "1"])
        .expect(0)
        .json_lines();
    assert_eq!(text(&lines[0]["id"]), id);
    assert!(lines[0]["owner"].is_null());
}

#[test]
fn jobs_shows_that_nobody_drives_a_job() {
    let world = World::of_nodes(&step("a", "gated", "end"));
    let owner = world.start(&[]);
    world.await_running("a");
    let shown = world.call(&["jobs"]).expect(0).stdout;
    assert!(!shown.contains("no owner"), "{shown}");
    let lines = world.call(&["jobs", "--json"]).expect(0).json_lines();
    assert_eq!(lines[0]["owner"], i64::from(owner.id()));
    crate::harness::kill_dash_nine(owner);
    let shown = world.call(&["jobs"]).expect(0).stdout;
    assert!(shown.contains("RUNNING, no owner"), "{shown}");
    world.open_gate("a");
    world.call(&["recover"]).expect(0);
}

#[test]
fn watch_follows_a_job_of_another_process_to_its_end() {
    let nodes = [step("a", "gated", "b"), step("b", "0", "end")].concat();
    let world = World::of_nodes(&nodes);
    let id = world.submit(&[]);
    world.call(&["start", &id]).expect(0);
    world.await_running("a");
    let watch = world.spawn(&["watch"]);
    std::thread::sleep(std::time::Duration::from_millis(500));
    world.open_gate("a");
    let shown = crate::harness::finish(watch).expect(0).stderr;
    assert!(shown.contains(&format!("job {id}\n")), "{shown}");
    assert!(shown.contains(" a ") && shown.contains("-> b ("), "{shown}");
    assert!(shown.contains("SUCCEEDED after"), "{shown}");
    // For a job that has ended it returns at once.
    world.call(&["watch", &id]).expect(0);
}

#[test]
fn watch_of_a_coordinator_shows_the_nodes_of_its_workflows() {
    let world = coordinated(&coordinator(10, "00:20", ""));
    std::fs::write(world.out().join("hold"), "").expect("a file");
    let id = world.submit(&[]);
    world.call(&["start", &id]).expect(0);
    wait_for("a workflow to run", || {
        (!world.effects().is_empty()).then_some(())
    });
    let watch = world.spawn(&["watch", "c"]);
    std::thread::sleep(std::time::Duration::from_millis(500));
    std::fs::remove_file(world.out().join("hold")).expect("a file");
    let shown = crate::harness::finish(watch).expect(0).stderr;
    assert!(shown.contains(" c@2/leave "), "{shown}");
    assert!(shown.contains("SUCCEEDED after"), "{shown}");
}
