//! Reruns of coordinator actions, and commands on their workflows alone.

use std::{fs, path::Path};

use serde_json::Value;

use crate::{
    coordinators::{DATASETS, actions, arrive, coordinator, statuses, the_coordinator},
    harness::{World, finish, is_running, kill_dash_nine, pid_of, signal, text, wait_for},
};

/// An action that writes its name and run, waits while the file `hold-NAME` exists, and fails if the file `fail-NAME`
/// exists.
fn leaving(name: &str, next: &str) -> String {
    let line = "echo $0 $1 &gt;&gt; $2/effects; while [ -e $2/hold-$0 ]; do [ -d $2 ] || exit 7; sleep 0.02; done; [ ! -e $2/fail-$0 ]";
    format!(
        "<action name=\"{name}\"><shell xmlns=\"uri:oozie:shell-action:1.0\"><exec>sh</exec><argument>-c</argument><argument>{line}</argument>\
         <argument>{name}</argument><argument>${{wf:run()}}</argument><argument>${{out}}</argument></shell>\
         <ok to=\"{next}\"/><error to=\"failed\"/></action>\n"
    )
}

fn application(nodes: &str, first: &str) -> String {
    format!(
        "<workflow-app name=\"w\" xmlns=\"uri:oozie:workflow:1.0\"><start to=\"{first}\"/>\n{nodes}\
         <kill name=\"failed\"><message>it was told to fail</message></kill><end name=\"end\"/></workflow-app>\n"
    )
}

/// Two actions of a coordinator, both of which run `a`, `b` and a sub-workflow with `x`, `y`.
fn world_of(coordinator: &str, more: &[(&str, &str)]) -> World {
    let sub = "<action name=\"s\"><sub-workflow><app-path>${wf:appPath()}/child</app-path><propagate-configuration/></sub-workflow>\
         <ok to=\"end\"/><error to=\"failed\"/></action>\n";
    let parent = [leaving("a", "b"), leaving("b", "s"), sub.to_owned()].concat();
    let child = [leaving("x", "y"), leaving("y", "end")].concat();
    let (parent, child) = (application(&parent, "a"), application(&child, "x"));
    let mut files = vec![
        ("coordinator.xml", coordinator),
        ("wf/workflow.xml", parent.as_str()),
        ("wf/child/workflow.xml", child.as_str()),
    ];
    files.extend(more);
    World::of(&files)
}

fn one_action() -> World {
    world_of(&coordinator(10, "00:10", ""), &[])
}

fn touch(world: &World, name: &str) {
    fs::write(world.out().join(name), "").expect("a file");
}

fn remove(world: &World, name: &str) {
    fs::remove_file(world.out().join(name)).expect("it is there");
}

/// The workflow of an action.
fn workflow_of(world: &World, id: &str, number: usize) -> String {
    text(&actions(world, id)[number - 1]["workflow_id"])
}

/// The coordinator and workflow of a run that failed at `place`.
fn failed_at(world: &World, place: &str) -> (String, String) {
    touch(world, &format!("fail-{place}"));
    world.run(&[]).expect(1);
    remove(world, &format!("fail-{place}"));
    let id = the_coordinator(world);
    let workflow = workflow_of(world, &id, 1);
    (id, workflow)
}

#[test]
fn a_rerun_of_failed_nodes_survives_its_owner() {
    let world = one_action();
    let (id, workflow) = failed_at(&world, "b");
    for (round, name) in ["TERM", "KILL", "KILL"].iter().enumerate() {
        touch(&world, "hold-b");
        touch(&world, "fail-b");
        world
            .call(&["rerun", &id, "--action", "1", "--failed"])
            .expect(0);
        let run = round + 1;
        let line = format!("b {run}");
        wait_for("b to run again", || {
            world.effects().contains(&line).then_some(())
        });
        let owner = owner_of(&world, &id);
        signal(name, owner);
        wait_for("its end", || (!is_running(owner)).then_some(()));
        let recovery = world.spawn(&["recover", &id]);
        remove(&world, "hold-b");
        finish(recovery).expect(1);
        assert_eq!(world.info(&workflow)["run"], run);
        remove(&world, "fail-b");
    }
    world
        .call(&["rerun", &id, "--action", "1", "--failed", "--wait"])
        .expect(0);
    let b: Vec<String> = world.effects();
    assert_eq!(b, ["a 0", "b 0", "b 1", "b 2", "b 3", "b 4", "x 0", "y 0"]);
}

/// The owner that `info` shows.
fn owner_of(world: &World, id: &str) -> i32 {
    wait_for("an owner", || {
        let shown = world.call(&["info", id]).expect(0).stdout;
        let (_, rest) = shown.split_once("driven by process ")?;
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().ok()
    })
}

#[test]
fn a_bundle_follows_a_workflow_that_is_rerun_by_itself() {
    let bundle = r#"<bundle-app name="b" xmlns="uri:oozie:bundle:0.2">
<coordinator name="one"><app-path>coordinator.xml</app-path></coordinator>
<coordinator name="two"><app-path>other.xml</app-path></coordinator>
</bundle-app>
"#;
    let other = application(&leaving("z", "end"), "z");
    let more = coordinator(10, "00:10", "").replace("<app-path>wf<", "<app-path>wf2<");
    let world = world_of(
        &coordinator(10, "00:10", ""),
        &[
            ("bundle.xml", bundle),
            ("other.xml", &more),
            ("wf2/workflow.xml", &other),
        ],
    );
    touch(&world, "fail-b");
    touch(&world, "fail-z");
    let ended = world.run(&["--json"]).expect(1);
    let info = ended.json_lines().pop().expect("the job");
    let id = text(&info["id"]);
    assert_eq!(info["status"], "KILLED");
    remove(&world, "fail-z");
    touch(&world, "hold-z");
    let two = text(&info["coordinators"][1]["id"]);
    let workflow = workflow_of(&world, &two, 1);
    world.call(&["rerun", &workflow]).expect(0);
    // In its own workflow, which is not the executable's first.
    wait_for("z to run again", || {
        world.effects().contains(&"z 1".to_owned()).then_some(())
    });
    world.await_status(&two, "RUNNING");
    world.await_status(&id, "RUNNINGWITHERROR");
    remove(&world, "hold-z");
    world.await_status(&two, "SUCCEEDED");
    world.await_status(&id, "DONEWITHERROR");
    remove(&world, "fail-b");
    let one = text(&info["coordinators"][0]["id"]);
    world
        .call(&["rerun", &one, "--action", "1", "--failed", "--wait"])
        .expect(0);
    world.await_status(&id, "SUCCEEDED");
}

/// Several at once, so that some are resumed while the owner of the suspended one still exists, and some when it has exited.
#[test]
fn what_is_suspended_with_a_workflow_is_resumed_with_it() {
    let bundle = r#"<bundle-app name="b" xmlns="uri:oozie:bundle:0.2">
<coordinator name="one"><app-path>coordinator.xml</app-path></coordinator>
</bundle-app>
"#;
    let bundled = || world_of(&coordinator(10, "00:10", ""), &[("bundle.xml", bundle)]);
    let worlds: Vec<World> = (0..3).flat_map(|_| [one_action(), bundled()]).collect();
    std::thread::scope(|threads| {
        for world in &worlds {
            threads.spawn(|| resumes_with_its_workflow(world));
        }
    });
}

fn resumes_with_its_workflow(world: &World) {
    touch(world, "hold-x");
    let id = world.submit(&[]);
    world.call(&["start", &id]).expect(0);
    wait_for("x", || {
        world.effects().contains(&"x 0".to_owned()).then_some(())
    });
    let coordinator = match &world.info(&id)["coordinators"][0]["id"] {
        Value::String(below) => below.clone(),
        _ => id.clone(),
    };
    let workflow = workflow_of(world, &coordinator, 1);
    world.call(&["suspend", &workflow]).expect(0);
    world.await_status(&id, "SUSPENDED");
    remove(world, "hold-x");
    world.call(&["resume", &id, "--wait"]).expect(0);
    assert_eq!(statuses(world, &coordinator), ["SUCCEEDED"]);
    assert_eq!(world.info(&workflow)["status"], "SUCCEEDED");
    assert_eq!(world.effects(), ["a 0", "b 0", "x 0", "y 0"]);
}

/// The owner dies while it ends the process of a workflow: the rerun of the action waits until that process has exited.
#[test]
fn an_action_runs_again_when_what_its_last_run_had_started_has_been_ended() {
    let line = "trap '' TERM; echo e &gt;&gt; $0/effects; echo $$ &gt; $0/.pid; mv $0/.pid $0/runs-e; while [ ! -e $0/open-$1 ]; do [ -d $0 ] || exit 7; sleep 0.05; done";
    let deaf = format!(
        "<action name=\"e\"><shell xmlns=\"uri:oozie:shell-action:1.0\"><exec>sh</exec><argument>-c</argument><argument>{line}</argument>\
         <argument>${{out}}</argument><argument>${{wf:run()}}</argument></shell><ok to=\"end\"/><error to=\"failed\"/></action>"
    );
    for (options, opened) in [(&["--failed"][..], "open-1"), (&[], "open-0")] {
        let world = World::of(&[
            ("coordinator.xml", &coordinator(10, "00:10", "")),
            ("wf/workflow.xml", &application(&deaf, "e")),
        ]);
        let owner = world.start(&["-Dhpdl.kill.grace=2"]);
        let process = world.await_running("e");
        let id = the_coordinator(&world);
        let workflow = workflow_of(&world, &id, 1);
        let killer = world.spawn(&["kill", &workflow]);
        world.await_status(&workflow, "KILLED");
        kill_dash_nine(owner);
        kill_dash_nine(killer);
        assert!(is_running(process), "it is deaf");
        // The next owner of the coordinator completes the kill before it accepts the state.
        let recovery = world.spawn(&["recover", &id]);
        finish(recovery).expect(1);
        assert!(!is_running(process), "it has been ended");
        fs::write(world.out().join(opened), "").expect("a file");
        let mut words = vec!["rerun", &id, "--action", "1", "--wait"];
        words.extend(options);
        world.call(&words).expect(0);
        assert_eq!(world.effects(), ["e", "e"], "once a run");
    }
}

/// As [`an_action_runs_again_when_what_its_last_run_had_started_has_been_ended`], if the coordinator had ended before.
#[test]
fn a_rerun_of_an_action_sees_a_kill_through_first() {
    let line = "trap '' TERM; echo e &gt;&gt; $0/effects; echo $$ &gt; $0/.pid; mv $0/.pid $0/runs-e; [ ! -e $0/fail-e ] || exit 1; while [ ! -e $0/open ]; do [ -d $0 ] || exit 7; sleep 0.05; done";
    let deaf = format!(
        "<action name=\"e\"><shell xmlns=\"uri:oozie:shell-action:1.0\"><exec>sh</exec><argument>-c</argument><argument>{line}</argument>\
         <argument>${{out}}</argument></shell><ok to=\"end\"/><error to=\"failed\"/></action>"
    );
    let world = World::of(&[
        ("coordinator.xml", &coordinator(10, "00:10", "")),
        ("wf/workflow.xml", &application(&deaf, "e")),
    ]);
    touch(&world, "fail-e");
    world.run(&["-Dhpdl.kill.grace=2"]).expect(1);
    remove(&world, "fail-e");
    remove(&world, "runs-e");
    let id = the_coordinator(&world);
    let workflow = workflow_of(&world, &id, 1);
    let by_itself = world.spawn(&["rerun", &workflow, "--wait"]);
    let process = world.await_running("e");
    let killer = world.spawn(&["kill", &workflow]);
    world.await_status(&workflow, "KILLED");
    let own = pid_of(&by_itself);
    kill_dash_nine(by_itself);
    kill_dash_nine(killer);
    assert!(is_running(process) && !is_running(own), "it is deaf");
    fs::write(world.out().join("open"), "").expect("a file");
    // The action has not ended before the kill is complete; then it can be rerun.
    wait_for("the kill", || {
        let ended = world.call(&["rerun", &id, "--action", "1", "--failed", "--wait"]);
        match ended.code {
            Some(0) => Some(()),
            _ if ended.stderr.contains("E1018") => None,
            _ => panic!("{}", ended.stderr),
        }
    });
    assert!(!is_running(process), "it has been ended");
    assert_eq!(world.effects(), ["e", "e", "e"], "once a run");
    world.await_status(&id, "SUCCEEDED");
}

/// Everything below a folder, sorted.
fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path));
        }
        found.push(path.display().to_string());
    }
    found.sort();
    found
}

#[test]
fn a_dry_run_says_what_a_rerun_deletes_and_runs_and_does_neither() {
    let world = world_of(&coordinator(10, "00:20", DATASETS), &[]);
    for time in ["0000", "0010"] {
        arrive(&world, time);
        fs::create_dir_all(world.out().join("made").join(time)).expect("a folder");
    }
    touch(&world, "fail-b");
    world.run(&[]).expect(1);
    remove(&world, "fail-b");
    fs::remove_dir(world.out().join("made/0010")).expect("it is there");
    let id = the_coordinator(&world);
    let (before, info) = (files(&world.out()), world.info(&id));
    let workflow = workflow_of(&world, &id, 1);
    let made = world.out().join("made").display().to_string();
    for (options, expected) in [
        (
            &["--action", "1-2"][..],
            format!(
                "rerun of coordinator {id} (c), which is RUNNING then: 2 actions
  action 1  2026-01-01T00:00Z  KILLED: gets a new workflow
    delete   {made}/0000
  action 2  2026-01-01T00:10Z  KILLED: gets a new workflow
    absent   {made}/0010
"
            ),
        ),
        (
            &["--date", "2026-01-01T00:00Z", "--failed"],
            format!(
                "rerun of coordinator {id} (c), which is RUNNINGWITHERROR then: 1 action
  action 1  2026-01-01T00:00Z  KILLED: workflow {workflow} runs again as run 1
    skip     a  OK in run 0
    run      b  ERROR in run 0: `sh` ended with exit code 1
    may run  s  did not run in run 0
"
            ),
        ),
    ] {
        let mut words = vec!["rerun", &id, "--dry-run"];
        words.extend(options);
        assert_eq!(world.call(&words).expect(0).stdout, expected);
        assert_eq!(files(&world.out()), before, "{options:?}");
        assert_eq!(world.info(&id), info, "{options:?}");
    }
    world
        .call(&["rerun", &id, "--action", "1-2", "--wait"])
        .expect(0);
    assert!(!world.out().join("made/0000").exists());
    let runs: Vec<Value> = world.jobs();
    assert_eq!(runs.len(), 7, "two more workflows, each with a child");
}

#[test]
fn a_site_decides_how_many_actions_wait() {
    let sections = format!("<controls><throttle>${{most}}</throttle></controls>{DATASETS}");
    let world = World::of(&[
        ("coordinator.xml", &coordinator(1, "10:00", &sections)),
        ("wf/workflow.xml", &application(&leaving("a", "end"), "a")),
    ]);
    let n_waiting = |id: &str| statuses(&world, id).len();
    let id = world.submit(&["-Dmost=20000"]);
    world.call(&["start", &id]).expect(0);
    wait_for("as many as may wait", || {
        (n_waiting(&id) == 500).then_some(())
    });
    let log = world.log(&id);
    assert!(
        log.contains("throttle 20000 is taken for 500")
            && log.contains("oozie.service.coord.materialization.throttling.factor"),
        "{log}"
    );
    world.call(&["kill", &id]).expect(0);
    fs::write(
        world.home().join("hpdl-site.xml"),
        "<configuration><property><name>oozie.service.coord.materialization.throttling.factor</name><value>2</value></property></configuration>",
    )
    .expect("a file");
    let id = world.submit(&["-Dmost=550"]);
    world.call(&["start", &id]).expect(0);
    wait_for("as many as it says", || {
        (n_waiting(&id) == 550).then_some(())
    });
    assert!(!world.log(&id).contains("throttle"), "{}", world.log(&id));
    world.call(&["kill", &id]).expect(0);
}
