//! Sub-workflows: what they are given, and what comes of them.

use serde_json::Value;

use crate::{
    harness::{World, action, node, text, workflow},
    run, sh,
};

fn sub(more: &str) -> String {
    action(
        "s",
        &format!("<sub-workflow><app-path>${{wf:appPath()}}/child</app-path>{more}</sub-workflow>"),
        "end",
    )
}

fn world(parent: &str, child: &str) -> World {
    World::of(&[
        ("workflow.xml", &workflow(parent)),
        ("child/workflow.xml", &workflow(child)),
    ])
}

/// The child's `info`.
fn child(world: &World, info: &Value) -> Value {
    let id = text(&node(info, "s")["external_id"]);
    let child = world.info(&id);
    assert_eq!(child["parent"], info["id"]);
    child
}

const INLINE: &str = "<configuration><property><name>own</name><value>${given} and more</value></property></configuration>";

/// Writes what it has been given.
fn telling() -> String {
    sh(
        "a",
        r#"printf "%s|%s" "$0" "$1" > "$2""#,
        "<argument>${wf:conf('own')}</argument><argument>${wf:conf('given')}</argument><argument>${wf:conf('target')}</argument>",
        "end",
    )
}

#[test]
fn a_child_gets_what_the_parent_names_and_with_propagation_everything() {
    let target =
        "<property><name>target</name><value>${out}/told</value></property></configuration>";
    let inline = INLINE.replace("</configuration>", target);
    for (propagate, told) in [
        ("", "v and more|"),
        ("<propagate-configuration/>", "v and more|v"),
    ] {
        let world = world(&sub(&format!("{propagate}{inline}")), &telling());
        let (_, info) = run(&world, &["-Dgiven=v"], 0);
        assert_eq!(
            std::fs::read_to_string(world.out().join("told")).expect("it ran"),
            told
        );
        let child = child(&world, &info);
        assert_eq!(child["status"], "SUCCEEDED");
        assert_eq!(child["conf"].get("given").is_some(), !propagate.is_empty());
        assert_eq!(node(&info, "s")["external_status"], "SUCCEEDED");
    }
}

#[test]
fn a_child_that_is_killed_takes_the_error_edge() {
    let world = world(&sub(""), &sh("a", "echo broken >&2; exit 4", "", "end"));
    let (_, info) = run(&world, &[], 1);
    let failed = node(&info, "s");
    assert_eq!(
        (&failed["status"], &failed["external_status"]),
        (&"ERROR".into(), &"KILLED".into())
    );
    assert!(failed["error_code"].is_null(), "{failed:#}");
    let message = failed["error_message"].as_str().expect("a message");
    assert!(message.contains("exit code 4: broken"), "{message}");
    assert_eq!(child(&world, &info)["status"], "KILLED");
}

#[test]
fn a_child_is_tried_again_only_where_every_failure_is() {
    let parent = sub("").replace(
        "name=\"s\"",
        "name=\"s\" retry-max=\"1\" retry-interval=\"0\"",
    );
    let mut world = world(&parent, &sh("a", "exit 4", "", "end"));
    let mut retries = |properties: &[&str]| {
        world.afresh();
        let (_, info) = run(&world, properties, 1);
        (node(&info, "s")["retries"].clone(), world.jobs().len())
    };
    assert_eq!(retries(&[]), (0.into(), 2), "it has no error code");
    let all = "-Doozie.service.LiteWorkflowStoreService.user.retry.error.code.ext=ALL";
    assert_eq!(retries(&[all]), (1.into(), 3));
}

#[test]
fn a_child_that_fails_takes_the_error_edge() {
    let world = world(
        &sub(""),
        &sh(
            "a",
            "true",
            "<argument>${wf:conf('none') / 0}${1 div wf:conf('none')}</argument>",
            "end",
        ),
    );
    let ended = world.run(&[]);
    let info = world.info(&world.job().expect("a job"));
    let child = child(&world, &info);
    assert_eq!(
        node(&info, "s")["external_status"],
        child["status"],
        "{}",
        ended.stderr
    );
}

#[test]
fn a_child_without_a_property_that_it_needs_takes_the_error_edge() {
    // A job may name another child, so that the compiler does not judge what this one gets.
    let parent = action(
        "s",
        "<sub-workflow><app-path>${wf:appPath()}/${child}</app-path></sub-workflow>",
        "end",
    );
    let child = sh("a", "true", "<argument>${needed}</argument>", "end");
    let world = World::of(&[
        ("workflow.xml", &workflow(&parent)),
        (
            "config-default.xml",
            "<configuration><property><name>child</name><value>child</value></property></configuration>",
        ),
        ("child/workflow.xml", &workflow(&child)),
    ]);
    let (_, info) = run(&world, &[], 1);
    let failed = node(&info, "s");
    assert_eq!(failed["error_code"], "E0738", "{failed:#}");
    assert!(
        failed["error_message"]
            .as_str()
            .is_some_and(|text| text.contains("needed")),
        "{failed:#}"
    );
}

#[test]
fn a_path_that_is_not_compiled_in_takes_the_error_edge_and_says_how() {
    let parent = action(
        "s",
        "<sub-workflow><app-path>${where}</app-path></sub-workflow>",
        "end",
    );
    let world = World::of_nodes(&parent);
    let (_, info) = run(&world, &["-Dwhere=hdfs://nn/apps/clean"], 1);
    let failed = node(&info, "s");
    let message = failed["error_message"].as_str().expect("a message");
    assert!(
        message.contains("hdfs://nn/apps/clean") && message.contains("--map"),
        "{message}"
    );
}

#[test]
fn a_workflow_that_starts_itself_ends_at_the_depth_limit() {
    let parent = action(
        "s",
        "<sub-workflow><app-path>${wf:appPath()}</app-path></sub-workflow>",
        "end",
    );
    let world = World::of_nodes(&parent);
    let ended = world.run(&[]).expect(1);
    let jobs = world.jobs();
    assert_eq!(jobs.len(), 51, "{}", ended.stderr);
    assert!(jobs.iter().all(|job| job["status"] == "KILLED"));
    let deepest = world.info(&text(&jobs[0]["id"]));
    assert_eq!(node(&deepest, "s")["error_code"], "SUBWF001", "{deepest:#}");
}

#[test]
fn reserved_names_cannot_be_given_to_a_child() {
    let inline =
        "<configuration><property><name>${which}</name><value>1</value></property></configuration>";
    let world = world(&sub(inline), &sh("a", "true", "", "end"));
    let (_, info) = run(&world, &["-Dwhich=KB"], 1);
    assert_eq!(
        node(&info, "s")["error_code"],
        "CommandException",
        "{info:#}"
    );
}
