//! Sub-workflows: the properties that they get, and their results.

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

/// Writes its properties.
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

/// Copies its `action.xml`, and creates a folder whose path has no scheme.
fn grandchild(folder: &str) -> String {
    let leave = sh(
        "leave",
        r#"cp action.xml "$0""#,
        &format!("<argument>${{out}}/{folder}.xml</argument>"),
        "make",
    );
    leave
        + &action(
            "make",
            &format!("<fs><mkdir path='${{out}}/{folder}'/></fs>"),
            "end",
        )
}

#[test]
fn the_actions_of_a_child_have_what_its_parents_global_says() {
    let global = "<global><resource-manager>rm:1</resource-manager><name-node>${root}</name-node><job-xml>more.xml</job-xml>\
        <configuration><property><name>queue</name><value>${concat('q-', wf:conf('own'))}</value></property>\
        <property><name>both</name><value>of the parent</value></property></configuration></global>";
    let of =
        |parent: &str, global: &str| workflow(parent).replace("<start", &format!("{global}<start"));
    let below = sub("<propagate-configuration/>").replace("/child<", "/below<");
    let own_global = "<global><configuration><property><name>both</name><value>of the child</value></property></configuration></global>";
    let more = "<configuration><property><name>more</name><value>${own}</value></property></configuration>";
    // The settings of the parent's parent are passed on only if each level does so.
    let plain = action(
        "t",
        "<sub-workflow><app-path>${wf:appPath()}/plain</app-path><configuration><property><name>out</name><value>${out}</value></property></configuration></sub-workflow>",
        "s",
    );
    let child = |node: &str| grandchild(node).replace("to=\"end\"", "to=\"t\"") + &plain + &below;
    let leave = sh(
        "leave",
        r#"cp action.xml "$0""#,
        "<argument>${out}/plain.xml</argument>",
        "end",
    );
    for propagate in [true, false] {
        let parent = if propagate {
            sub(&format!("<propagate-configuration/>{INLINE}"))
        } else {
            let out = "<configuration><property><name>out</name><value>${out}</value></property>";
            sub(&INLINE.replace("<configuration>", out))
        };
        let world = World::of(&[
            ("workflow.xml", &of(&parent, global)),
            ("child/workflow.xml", &of(&child("child"), own_global)),
            ("child/below/workflow.xml", &workflow(&grandchild("below"))),
            ("child/plain/workflow.xml", &workflow(&leave)),
            ("more.xml", more),
            ("child/more.xml", more),
            ("child/below/more.xml", more),
        ]);
        let exit = i32::from(!propagate);
        let (_, info) = run(&world, &["-Dgiven=v", "-Droot=file:///"], exit);
        let left = |name: &str| {
            let text = std::fs::read_to_string(world.out().join(format!("{name}.xml")));
            text.expect("the child has left it")
        };
        let has = |text: &str, name: &str, value: &str| {
            let property = format!("<name>{name}</name>\n    <value>{value}</value>");
            text.contains(&property)
        };
        let first = left("child");
        assert!(has(&first, "both", "of the child"), "{first}");
        assert_eq!(has(&first, "queue", "q-v and more"), propagate, "{first}");
        assert_eq!(has(&first, "more", "v and more"), propagate, "{first}");
        assert_eq!(
            has(&first, "yarn.resourcemanager.address", "rm:1"),
            propagate,
            "{first}"
        );
        assert_eq!(world.out().join("child").exists(), propagate, "{info:#}");
        if propagate {
            let last = left("below");
            assert!(has(&last, "both", "of the child"), "{last}");
            assert!(has(&last, "queue", "q-v and more"), "{last}");
            assert!(world.out().join("below").exists());
            let plain = left("plain");
            assert!(!plain.contains("queue"), "{plain}");
        }
    }
}

#[test]
fn a_child_is_told_where_it_comes_from() {
    let telling = sh(
        "a",
        r#"printf "%s|%s|%s" "$0" "$1" "$2" > "$3""#,
        "<argument>${wf:conf('oozie.wf.parent.id')}</argument><argument>${wf:conf('oozie.wf.superparent.id')}</argument>\
         <argument>${wf:conf('oozie.action.subworkflow.depth')}</argument><argument>${wf:conf('oozie.told')}</argument>",
        "end",
    );
    let world = World::of(&[
        ("workflow.xml", &workflow(&sub(""))),
        (
            "child/workflow.xml",
            &workflow(&sub("").replace("/child<", "/below<")),
        ),
        ("child/below/workflow.xml", &workflow(&telling)),
    ]);
    let told = world.out().join("told");
    let property = format!("-Doozie.told={}", told.display());
    let (_, info) = run(&world, &[&property, "-Doozie.wf.parent.id=nobody"], 0);
    let child = child(&world, &info);
    let expected = format!("{}|{}|2", text(&child["id"]), text(&info["id"]));
    assert_eq!(std::fs::read_to_string(told).expect("it ran"), expected);
    let conf = &child["conf"];
    let id = text(&info["id"]);
    assert_eq!(text(&conf["oozie.wf.external.id"]), format!("{id}@s@0"));
    assert_eq!(text(&conf["oozie.action.yarn.tag"]), format!("{id}@s"));
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
    // The path has a property, so that the compiler does not know which child is used, and does not check its properties.
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
