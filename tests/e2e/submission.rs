//! From properties to a job: defaults, files, and all errors reported at once.

use std::fs;

use crate::{
    harness::{World, node, workflow},
    run, sh,
};

fn telling(parameters: &str, defaults: &str) -> World {
    let nodes = sh(
        "a",
        r#"printf "%s|%s" "$0" "$1" > ${out}/told"#,
        "<argument>${one}</argument><argument>${two}</argument>",
        "end",
    );
    let text = workflow(&nodes).replacen("<start", &format!("{parameters}<start"), 1);
    let mut files = vec![("workflow.xml", text.as_str())];
    if !defaults.is_empty() {
        files.push(("config-default.xml", defaults));
    }
    World::of(&files)
}

#[track_caller]
fn check_told(world: &World, properties: &[&str], expected: &str) {
    run(world, properties, 0);
    let told = fs::read_to_string(world.out().join("told")).expect("it ran");
    assert_eq!(told, expected, "{properties:?}");
}

const DEFAULTS: &str = "<configuration><property><name>one</name><value>d1</value></property><property><name>two</name><value>${one}2</value></property></configuration>";

#[test]
fn config_default_fills_what_is_missing() {
    check_told(&telling("", DEFAULTS), &[], "d1|d12");
    check_told(&telling("", DEFAULTS), &["-Dtwo=given"], "d1|given");
}

#[test]
fn parameters_have_defaults_and_need_the_rest() {
    let parameters = "<parameters><property><name>one</name></property><property><name>two</name><value>p2</value></property></parameters>";
    check_told(&telling(parameters, ""), &["-Done=x"], "x|p2");
    let world = telling(parameters, "");
    let refused = world.run(&[]).expect(2);
    assert!(
        refused.stderr.contains("property one is not given"),
        "{}",
        refused.stderr
    );
    assert_eq!(world.job(), None);
}

#[test]
fn every_missing_property_is_told_at_once_with_its_place() {
    let world = telling("", "");
    let refused = world.call(&["run"]).expect(2);
    let lines: Vec<&str> = refused
        .stderr
        .lines()
        .filter(|line| line.contains("is not given"))
        .collect();
    assert_eq!(lines.len(), 3, "{}", refused.stderr);
    for (line, name) in lines.iter().zip(["one", "out", "two"]) {
        assert!(
            line.contains(&format!(
                "property {name} is not given; it is used at workflow.xml:3:"
            )),
            "{line}"
        );
    }
    assert!(
        refused.stderr.contains("-D one=VALUE"),
        "{}",
        refused.stderr
    );
    assert_eq!(world.job(), None);
}

#[test]
fn later_files_win_and_definitions_over_all() {
    let world = telling("", "");
    let first = world.path("first.properties");
    fs::write(&first, "one=f1\ntwo=${one}!\n").expect("a file");
    let second = world.path("second.xml");
    fs::write(
        &second,
        "<configuration><property><name>one</name><value>s1</value></property></configuration>",
    )
    .expect("a file");
    let [first, second] = [&first, &second].map(|path| path.to_str().expect("a plain path"));
    check_told(&world, &["-c", first, "-c", second], "s1|s1!");
    let world = telling("", "");
    check_told(&world, &["-c", second, "-c", first], "f1|f1!");
    let world = telling("", "");
    check_told(&world, &["-c", first, "-Done=d1"], "d1|d1!");
}

#[test]
fn functions_in_values_stay_text() {
    let world = telling("", "");
    check_told(
        &world,
        &["-Done=${wf:id()}", "-Dtwo=${1 + 1}"],
        "${wf:id()}|${1 + 1}",
    );
}

#[test]
fn a_properties_file_that_cannot_be_used_is_named() {
    let world = telling("", "");
    let folder = world.out();
    let folder = folder.to_str().expect("a plain path");
    for file in ["/no/such/file", folder] {
        let refused = world.run(&["-c", file]).expect(2);
        assert!(refused.stderr.contains(file), "{}", refused.stderr);
    }
    let broken = world.path("broken.xml");
    fs::write(&broken, "<configuration>\n<property>\n</configuration>").expect("a file");
    let refused = world
        .run(&["-c", broken.to_str().expect("a plain path")])
        .expect(2);
    assert!(
        refused.stderr.contains("broken.xml: line 3, column 1: "),
        "{}",
        refused.stderr
    );
}

#[test]
fn properties_that_name_one_another_in_a_circle_are_refused() {
    let world = telling("", "");
    let refused = world.run(&["-Done=${two}", "-Dtwo=${one}"]).expect(2);
    assert!(
        refused.stderr.contains("one") && refused.stderr.contains("two"),
        "{}",
        refused.stderr
    );
    assert_eq!(world.job(), None);
}

#[test]
fn names_of_constants_and_another_user_are_refused() {
    let world = telling("", DEFAULTS);
    let refused = world.run(&["-DKB=1", "-Duser.name=somebody"]).expect(2);
    assert!(
        refused.stderr.contains("property KB") && refused.stderr.contains("user.name is somebody"),
        "{}",
        refused.stderr
    );
    run(
        &world,
        &["-Duser.name=somebody", "-Dhpdl.proxyuser=true"],
        0,
    );
}

#[test]
fn the_name_of_the_workflow_is_evaluated() {
    let text =
        workflow(&sh("a", "true", "", "end")).replace("name=\"case\"", "name=\"case of ${day}\"");
    let world = World::of(&[("workflow.xml", &text)]);
    let (_, info) = run(&world, &["-Dday=today"], 0);
    assert_eq!(info["app"], "case of today");
    assert_eq!(node(&info, "a")["status"], "OK");
}

#[test]
fn wrong_usage_exits_with_two() {
    let world = telling("", DEFAULTS);
    for arguments in [
        &["fly"][..],
        &["run", "--fast"],
        &["run", "-D", "novalue"],
        &["info"],
        &[],
    ] {
        world.call(arguments).expect(2);
    }
    let version = world.call(&["--version"]).expect(0);
    assert!(
        version.stdout.contains("hpdlc ") && version.stdout.contains("definition "),
        "{}",
        version.stdout
    );
}
