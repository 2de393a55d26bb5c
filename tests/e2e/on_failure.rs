//! `hpdl.on.failure`: any failure of a job of any kind is reported, whichever process dies.

use std::{fs, os::unix::fs::PermissionsExt, thread, time::Duration};

use crate::{
    coordinators::{DATASETS, coordinator},
    harness::{World, kill_dash_nine, signal, step, text, wait_for, wait_within, workflow},
    notifications::NotificationServer,
    sh,
};

const COMMAND: &str = r#"echo "$HPDL_JOB_KIND $HPDL_STATUS [$HPDL_NODE] [$HPDL_ERROR_CODE] $HPDL_JOB_ID" >> "$HPDL_HOME/told""#;

fn command() -> String {
    format!("-Dhpdl.on.failure={COMMAND}")
}

/// The reports so far, one line each.
fn told(world: &World) -> Vec<String> {
    let text = fs::read_to_string(world.home().join("told")).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

/// The lines that start with `words`, once there is one.
#[track_caller]
fn await_told(world: &World, words: &str) -> Vec<String> {
    wait_for(&format!("`{words}` to be told"), || {
        let lines = told(world);
        let fitting: Vec<String> = lines
            .into_iter()
            .filter(|line| line.starts_with(words))
            .collect();
        Some(fitting).filter(|fitting| !fitting.is_empty())
    })
}

#[test]
fn a_workflow_that_fails_is_told_by_a_command_before_run_ends() {
    let world = World::of_nodes(&sh("load", "sleep 0; exit 3", "", "end"));
    world.run(&[&command()]).expect(1);
    let id = world.job().expect("a job");
    assert_eq!(
        told(&world),
        [format!("workflow KILLED [load] [E0729] {id}")],
        "{}",
        world.log(&id)
    );
    // A slow command is run only once, too.
    fs::remove_file(world.home().join("told")).expect("it was told");
    let slow = format!("-Dhpdl.on.failure=sleep 1; {COMMAND}");
    world.run(&[&slow]).expect(1);
    thread::sleep(Duration::from_millis(1_500));
    assert_eq!(told(&world).len(), 1);
}

#[test]
fn a_url_of_the_sites_file_gets_the_tokens_and_a_good_job_is_not_told_of() {
    let server = NotificationServer::new(&["200 OK"]);
    let world = World::of_nodes(&sh(
        "load",
        "exit $0",
        "<argument>${code}</argument>",
        "end",
    ));
    let url = server
        .url("failed?id=$jobId&amp;status=$status&amp;node=$nodeName&amp;code=$errorCode&amp;m=$errorMessage");
    let states = server.url("state/$status");
    fs::create_dir_all(world.home()).expect("a folder");
    fs::set_permissions(world.home(), fs::Permissions::from_mode(0o700)).expect("it is ours");
    fs::write(
        world.home().join("hpdl-site.xml"),
        format!(
            "<configuration><property><name>hpdl.on.failure</name><value>{url}</value></property>\
             <property><name>oozie.wf.workflow.notification.url</name><value>{states}</value></property></configuration>"
        ),
    )
    .expect("a file");
    world.run(&["-Dcode=0"]).expect(0);
    assert_eq!(
        server.await_asked(2),
        ["/state/RUNNING", "/state/SUCCEEDED"]
    );
    world.run(&["-Dcode=1"]).expect(1);
    let asked = server.await_asked(5);
    let failed: Vec<&String> = asked
        .iter()
        .filter(|it| it.starts_with("/failed"))
        .collect();
    let ids = world.jobs();
    let id = ids
        .iter()
        .map(|job| text(&job["id"]))
        .find(|id| failed.iter().any(|asked| asked.contains(id.as_str())));
    assert_eq!(failed.len(), 1, "{asked:?}");
    assert!(id.is_some(), "{asked:?}");
    assert!(
        failed[0].contains("&status=KILLED&node=load&code=E0729&m="),
        "{asked:?}"
    );
    let settings = world.call(&["settings"]).expect(0);
    let shown = settings.stdout;
    assert!(
        shown.contains(&format!(
            "oozie.wf.workflow.notification.url = {states}\n    site"
        )),
        "{shown}"
    );
}

#[test]
fn one_that_waits_for_a_person_is_told_of_after_its_owner_was_killed() {
    let world = World::of_nodes(&step("load", "gated", "end"));
    let id = world.submit(&[&command()]);
    let owner = world.spawn(&["start", &id, "--wait"]);
    world.await_running("load");
    let launcher = world.launcher_of(&id, "load");
    kill_dash_nine(owner);
    signal("KILL", launcher);
    world.call(&["recover", &id]);
    let lines = await_told(&world, "workflow SUSPENDED");
    assert_eq!(
        lines,
        [format!("workflow SUSPENDED [load] [HPDL_LOST] {id}")]
    );
}

#[test]
fn what_a_killed_owner_left_to_be_told_is_told() {
    let world = World::of_nodes(&sh("load", "exit 1", "", "end"));
    let gate = world.out().join("open");
    // The command waits while its owner is killed; the process that takes over the notification runs it again.
    let slow = format!(
        "-Dhpdl.on.failure=echo begun >> \"$HPDL_HOME/begun\"; while [ ! -e {gate} ]; do [ -d {out} ] || exit 7; sleep 0.05; done; {COMMAND}",
        gate = gate.display(),
        out = world.out().display()
    );
    let owner = world.spawn(&["run", "-q", &world.out_property(), &slow]);
    let begun = world.home().join("begun");
    wait_for("the command", || begun.exists().then_some(()));
    kill_dash_nine(owner);
    fs::write(&gate, "").expect("a file");
    world.call(&["recover"]);
    let id = world.job().expect("a job");
    await_told(&world, &format!("workflow KILLED [load] [E0729] {id}"));
}

#[test]
fn a_command_that_fails_is_tried_again_and_its_last_line_is_in_the_log() {
    let world = World::of_nodes(&sh("load", "exit 1", "", "end"));
    let flaky = "-Dhpdl.on.failure=test -e \"$HPDL_HOME/once\" && exit 0; touch \"$HPDL_HOME/once\"; exit 7";
    world
        .run(&[flaky, "-Dhpdl.notification.retry.interval=1"])
        .expect(1);
    world
        .run(&[
            "-Dhpdl.on.failure=echo no such pager >&2; exit 7",
            "-Dhpdl.notification.retries=0",
        ])
        .expect(1);
    let said = wait_within(Duration::from_secs(20), || {
        let jobs = world.jobs();
        let logs: String = jobs
            .iter()
            .map(|job| world.log(&text(&job["id"])))
            .collect();
        logs.contains("no such pager").then_some(logs)
    });
    let said = said.expect("the log says why nobody was told");
    assert!(said.contains("exit status: 7: no such pager"), "{said}");
}

const BUNDLE: &str = r#"<bundle-app name="all" xmlns="uri:oozie:bundle:0.2"><coordinator name="hourly"><app-path>coordinator.xml</app-path></coordinator></bundle-app>"#;

#[test]
fn coordinators_and_bundles_are_told_of_with_their_workflows() {
    let nodes = sh("load", "exit 1", "", "end");
    let world = World::of(&[
        ("bundle.xml", BUNDLE),
        ("coordinator.xml", &coordinator(10, "00:10", "")),
        ("wf/workflow.xml", &workflow(&nodes)),
    ]);
    world.run(&[&command()]);
    await_told(&world, "bundle ");
    let told = told(&world);
    let mut kinds: Vec<&str> = told
        .iter()
        .map(|line| line.split(' ').next().unwrap_or_default())
        .collect();
    kinds.sort_unstable();
    assert_eq!(kinds, ["bundle", "coordinator", "workflow"], "{told:?}");
}

#[test]
fn an_action_that_times_out_is_told_of() {
    let sections = format!("<controls><timeout>0</timeout></controls>{DATASETS}");
    let text = coordinator(10, "00:10", &sections);
    let world = World::of(&[
        ("coordinator.xml", &text),
        (
            "wf/workflow.xml",
            &workflow(&sh("load", "exit 0", "", "end")),
        ),
    ]);
    world.run(&[&command(), "--speed", "600"]);
    let lines = await_told(&world, "coordinator TIMEDOUT");
    assert!(lines[0].ends_with("-C@1"), "{lines:?}");
}
