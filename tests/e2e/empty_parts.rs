//! Operations on paths that lose a part because a property in them is empty: refused before anything is done.

use std::{fs, path::Path};

use crate::{
    coordinators::{coordinator, statuses, the_coordinator},
    harness::{World, action, node, workflow},
    run, sh,
};

/// A file below `out/data` that must not be deleted.
fn kept(world: &World) -> std::path::PathBuf {
    let file = world.out().join("data/kept");
    fs::create_dir_all(file.parent().expect("it lies below")).expect("a folder");
    fs::write(&file, "").expect("a file");
    file
}

fn check(nodes: &str) {
    let mut world = World::of_nodes(nodes);
    for (properties, is_refused) in [
        (vec!["-Dold="], true),
        (vec!["-Dold= "], true),
        (vec!["-Dold=./"], true),
        (vec!["-Dold=x"], false),
        (vec!["-Dold=", "-Dhpdl.path.empty.parts=allow"], false),
    ] {
        let kept = kept(&world);
        let out = world.out_property();
        let mut dryrun = vec!["dryrun", &out];
        dryrun.extend(&properties);
        let dry = world.call(&dryrun).expect(i32::from(is_refused));
        assert_eq!(
            dry.stdout.contains("`${old}` in the path"),
            is_refused,
            "{}",
            dry.stdout
        );
        if is_refused {
            let (_, info) = run(&world, &properties, 1);
            assert_eq!(
                node(&info, "a")["error_code"],
                "HPDL_EMPTY_PATH_PART",
                "{info:#}"
            );
            assert!(kept.exists(), "{properties:?}");
        } else {
            let ended = world.run(&properties);
            assert!(
                !ended.stdout.contains("HPDL_EMPTY_PATH_PART"),
                "{}",
                ended.stdout
            );
        }
        world.afresh();
    }
}

fn fs_action(operations: &str) -> String {
    action(
        "a",
        &format!("<fs><name-node>file:///</name-node>{operations}</fs>"),
        "end",
    )
}

#[test]
fn an_fs_action_does_nothing_where_a_part_of_a_path_is_empty() {
    // The first operation alone would succeed.
    check(&fs_action(
        "<mkdir path='${out}/made'/><delete path='${out}/data/${old}'/>",
    ));
    check(&fs_action(
        "<move source='${out}/data/kept' target='${out}/${old}/there'/>",
    ));
    check(&fs_action(
        "<chmod path='${out}/data/${old}' permissions='700'/>",
    ));
}

#[test]
fn a_prepare_deletes_nothing_where_a_part_of_a_path_is_empty() {
    let nodes = sh("a", "true", "", "end").replace(
        "<exec>",
        "<prepare><delete path='${out}/data/${old}'/></prepare><exec>",
    );
    check(&nodes);
}

/// A world, and its properties file, in which `x` is a path that loses a part.
fn with_file(world: World, text: &str) -> (World, String) {
    let file = world.path("job.properties");
    fs::write(
        &file,
        text.replace("OUT", &world.out().display().to_string()),
    )
    .expect("a file");
    let given = format!("-c{}", file.display());
    (world, given)
}

const LOSING: &str = "x=OUT/data/${old}\nold=\n";

/// Runs an action that would remove `out/data` by `${x}`, with and without the part.
#[track_caller]
fn check_file(world: World, action: &str) {
    let (mut world, given) = with_file(world, LOSING);
    for (properties, is_refused) in [
        (vec![given.as_str()], true),
        (vec![&given, "-Dold=."], true),
        (vec![&given, "-Dold=gone"], false),
        (vec![&given, "-Dhpdl.path.empty.parts=allow"], false),
    ] {
        let kept = kept(&world);
        let ended = world.run(&properties);
        let id = crate::harness::text(&world.jobs()[0]["id"]);
        let said = world.log(&id) + &ended.stdout + &ended.stderr;
        assert_eq!(
            said.contains("HPDL_EMPTY_PATH_PART"),
            is_refused,
            "{properties:?}: {said}"
        );
        if is_refused {
            assert_eq!(ended.code, Some(1), "{said}");
            assert!(
                said.contains("in which the value of a property is empty"),
                "{said}"
            );
            assert!(kept.exists(), "{properties:?}: {action}");
        }
        world.afresh();
    }
}

#[test]
fn a_part_that_is_lost_in_the_value_of_a_property_counts_too() {
    for path in ["${x}", "${x}/y", "${wf:conf('x')}", "${concat(x, '/y')}"] {
        let nodes = fs_action(&format!("<delete path=\"{path}\"/>"));
        check_file(World::of_nodes(&nodes), path);
    }
    let prepared = sh("a", "true", "", "end")
        .replace("<exec>", "<prepare><delete path='${x}'/></prepare><exec>");
    check_file(World::of_nodes(&prepared), "prepare");
    let git = "<git xmlns='uri:oozie:git-action:1.0'><name-node>file:///</name-node><git-uri>file:///nowhere</git-uri><destination-uri>${x}</destination-uri></git>";
    check_file(World::of_nodes(&action("a", git, "end")), "git");
}

/// A parent with a child, which gets properties under other names.
fn sub_workflow(more: &str, path: &str) -> World {
    let body =
        format!("<sub-workflow><app-path>${{wf:appPath()}}/child</app-path>{more}</sub-workflow>");
    World::of(&[
        ("workflow.xml", &workflow(&action("s", &body, "end"))),
        (
            "child/workflow.xml",
            &workflow(&fs_action(&format!("<delete path='{path}'/>"))),
        ),
    ])
}

#[test]
fn a_sub_workflow_knows_which_of_its_paths_have_lost_a_part() {
    let given = |value: &str| {
        format!(
            "<configuration><property><name>y</name><value>{value}</value></property></configuration>"
        )
    };
    for (more, path) in [
        ("<propagate-configuration/>".to_owned(), "${x}"),
        (given("${x}/below"), "${y}"),
        (given("${out}/data/${old}"), "${y}"),
    ] {
        let (world, given) = with_file(sub_workflow(&more, path), LOSING);
        let kept = kept(&world);
        let ended = world.run(&[&given]).expect(1);
        assert!(kept.exists(), "{more}: {}", ended.stderr);
        let jobs = world.jobs();
        let messages: Vec<String> = jobs
            .iter()
            .map(|job| world.log(&crate::harness::text(&job["id"])))
            .collect();
        let said = messages.concat();
        assert!(said.contains("HPDL_EMPTY_PATH_PART"), "{more}: {said}");
    }
}

#[test]
fn a_rerun_refuses_as_the_first_run_until_the_property_is_given_anew() {
    let world = World::of_nodes(&fs_action("<delete path='${x}'/>"));
    let (world, given) = with_file(world, LOSING);
    let kept = kept(&world);
    world.run(&[&given]).expect(1);
    let id = world.job().expect("a job");
    world.call(&["rerun", &id, "--wait"]).expect(1);
    // The stored value of `x` already has its references replaced.
    world
        .call(&["rerun", &id, "-Dold=gone", "--wait"])
        .expect(1);
    assert!(kept.exists());
    let other = format!("-Dx={}/data/gone", world.out().display());
    world.call(&["rerun", &id, &other, "--wait"]).expect(0);
    assert!(kept.exists());
    world
        .call(&[
            "rerun",
            &id,
            &given,
            "--wait",
            "-Dhpdl.path.empty.parts=allow",
        ])
        .expect(0);
    assert!(!kept.exists());
}

/// A coordinator with one action, whose output is below `${x}`.
fn scheduled() -> World {
    let sections = r#"<datasets><dataset name="made" frequency="${coord:minutes(10)}" initial-instance="2026-01-01T00:00Z" timezone="UTC"><uri-template>${x}/${MINUTE}</uri-template></dataset></datasets>
<output-events><data-out name="o" dataset="made"><instance>${coord:current(0)}</instance></data-out></output-events>"#;
    let text = coordinator(10, "00:10", sections).replace(
        "<property>",
        "<property><name>made</name><value>${coord:dataOut('o')}</value></property>\n<property>",
    );
    let nodes = fs_action("<delete path='${made}'/>");
    World::of(&[
        ("coordinator.xml", &text),
        ("wf/workflow.xml", &workflow(&nodes)),
    ])
}

#[test]
fn what_a_coordinator_hands_on_and_what_its_rerun_removes_is_refused() {
    let (world, given) = with_file(scheduled(), LOSING);
    let made = world.out().join("data/00/kept");
    let keep = |file: &Path| {
        fs::create_dir_all(file.parent().expect("it lies below")).expect("a folder");
        fs::write(file, "").expect("a file");
    };
    keep(&made);
    world.run(&[&given]).expect(1);
    assert!(made.exists());
    let id = the_coordinator(&world);
    assert_eq!(statuses(&world, &id), ["KILLED"]);
    let refused = world.call(&["rerun", &id, "--action", "1"]).expect(2);
    assert!(
        refused
            .stderr
            .contains("`${x}` in the path `${x}/${MINUTE}` is `"),
        "{}",
        refused.stderr
    );
    assert!(made.exists());
    let allowed = "-Dhpdl.path.empty.parts=allow";
    let (world, given) = with_file(scheduled(), LOSING);
    let made = world.out().join("data/00/kept");
    keep(&made);
    world.run(&[&given, allowed]).expect(0);
    assert!(!made.exists());
}
