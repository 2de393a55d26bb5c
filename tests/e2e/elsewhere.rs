//! Sub-workflows in other executables, found in the registry.

use serde_json::Value;

use crate::{
    harness::{
        World, action, finish, is_running, kill_dash_nine, node, signal, step, text, wait_for,
        workflow,
    },
    sh,
};

const URI: &str = "hdfs://nn/apps/child";

/// A parent and a child that share a state folder; the child is registered.
fn family(child: &str) -> (World, World) {
    let body = format!(
        "<sub-workflow><app-path>{URI}</app-path><configuration><property><name>out</name><value>${{out}}</value></property></configuration></sub-workflow>"
    );
    let mut parent = World::of_nodes(&action("s", &body, "end"));
    let child = World::of(&[
        ("workflow.xml", &workflow(child)),
        ("step.sh", crate::harness::STEP),
        (
            "config-default.xml",
            "<configuration><property><name>own</name><value>of the child</value></property></configuration>",
        ),
    ]);
    parent.move_home(Vec::new(), child.home().to_owned());
    child.call(&["register", "--as", URI]).expect(0);
    (parent, child)
}

fn child_id(parent: &World, id: &str) -> Option<String> {
    let info = parent.info(id);
    let actions = info["actions"].as_array()?;
    let action = actions.iter().find(|action| action["name"] == "s")?;
    action["external_id"]
        .as_str()
        .filter(|id| id.ends_with("-W"))
        .map(str::to_owned)
}

fn info_of_child(parent: &World, info: &Value) -> Value {
    parent.info(&text(&node(info, "s")["external_id"]))
}

#[test]
fn a_child_is_run_by_its_own_executable() {
    let (parent, _child) = family(&sh(
        "a",
        r#"printf %s "$0" > "$1""#,
        "<argument>${own}</argument><argument>${out}/told</argument>",
        "end",
    ));
    let ended = parent.run(&[]).expect(0);
    let info = parent.info(&parent.job().expect("one top job"));
    let action = node(&info, "s");
    assert_eq!(action["external_status"], "SUCCEEDED", "{}", ended.stderr);
    let child = info_of_child(&parent, &info);
    assert_eq!(child["parent"], info["id"]);
    assert_eq!(
        (&child["status"], &child["app"]),
        (&"SUCCEEDED".into(), &"case".into())
    );
    let told = std::fs::read_to_string(parent.out().join("told")).expect("it ran");
    assert_eq!(told, "of the child");
    parent.call(&["doctor"]).expect(0);
}

#[test]
fn a_child_that_fails_takes_the_error_edge() {
    let (parent, _child) = family(&sh("a", "echo broken >&2; exit 4", "", "end"));
    parent.run(&[]).expect(1);
    let info = parent.info(&parent.job().expect("one top job"));
    let failed = node(&info, "s");
    assert_eq!(failed["external_status"], "KILLED", "{info:#}");
    assert!(failed["error_code"].is_null(), "{failed:#}");
    assert!(
        text(&failed["error_message"]).contains("exit code 4: broken"),
        "{failed:#}"
    );

    let (parent, _child) = family(&sh("a", "true", "<argument>${needed}</argument>", "end"));
    parent.run(&[]).expect(1);
    let info = parent.info(&parent.job().expect("one top job"));
    let failed = node(&info, "s");
    assert_eq!(failed["external_status"], "FAILED", "{info:#}");
    assert!(
        text(&failed["error_message"]).contains("needed"),
        "{failed:#}"
    );
}

#[test]
fn a_kill_reaches_the_child() {
    let (parent, _child) = family(&step("a", "gated", "end"));
    let owner = parent.start(&[]);
    let pid = parent.await_running("a");
    let id = parent.job().expect("one top job");
    parent.call(&["kill", &id]).expect(0);
    finish(owner).expect(1);
    let info = parent.info(&id);
    wait_for("the child to end", || {
        (info_of_child(&parent, &info)["status"] == "KILLED" && !is_running(pid)).then_some(())
    });
    assert_eq!(node(&info, "s")["status"], "KILLED");
}

#[test]
fn a_child_is_made_once_whoever_dies() {
    let (parent, _child) = family(&step("a", "gated", "end"));
    let owner = parent.start(&[]);
    parent.await_running("a");
    let id = parent.job().expect("one top job");
    let launcher = parent.launcher_of(&id, "s");
    kill_dash_nine(owner);
    signal("KILL", launcher);
    let recovery = parent.spawn(&["recover", &id]);
    wait_for("the child to be found again", || {
        parent.log(&id).contains("REATTACHED").then_some(())
    });
    parent.open_gate("a");
    finish(recovery).expect(0);
    assert_eq!(parent.effects(), ["a"]);
    assert_eq!(parent.jobs().len(), 2);
}

#[test]
fn a_child_that_is_suspended_suspends_its_parent_and_each_is_resumed() {
    let (parent, _child) = family(&[step("a", "gated", "b"), step("b", "0", "end")].concat());
    let owner = parent.start(&[]);
    parent.await_running("a");
    let id = parent.job().expect("one top job");
    let child = child_id(&parent, &id).expect("it runs");
    parent.call(&["suspend", &child]).expect(0);
    finish(owner).expect(4);
    parent.await_status(&id, "SUSPENDED");
    parent.open_gate("a");
    parent.call(&["resume", &child]).expect(0);
    parent.await_status(&child, "SUCCEEDED");
    assert_eq!(parent.info(&id)["status"], "SUSPENDED");
    parent.call(&["resume", &id]).expect(0);
    parent.await_status(&id, "SUCCEEDED");
}

#[test]
fn a_rerun_of_what_failed_goes_on_in_the_same_job() {
    let (parent, _child) = family(
        &[
            step("a", "0", "b"),
            sh(
                "b",
                r#"test -e "$0/mended""#,
                "<argument>${out}</argument>",
                "end",
            ),
        ]
        .concat(),
    );
    parent.run(&[]).expect(1);
    let id = parent.job().expect("one top job");
    let first = child_id(&parent, &id).expect("it ran");
    std::fs::write(parent.out().join("mended"), "").expect("written");
    let failed = "-Doozie.wf.rerun.failnodes=true";
    parent.call(&["rerun", &id, failed, "--wait"]).expect(0);
    assert_eq!(child_id(&parent, &id).as_deref(), Some(first.as_str()));
    let child = parent.info(&first);
    assert_eq!(
        (&child["status"], &child["run"]),
        (&"SUCCEEDED".into(), &1.into())
    );
    assert_eq!(parent.effects(), ["a"], "what ended well was not run again");
    std::fs::remove_dir(parent.out().join("done-a")).expect("a was there");
    parent.call(&["rerun", &id, "--wait"]).expect(0);
    assert_ne!(child_id(&parent, &id).as_deref(), Some(first.as_str()));
}

#[test]
fn an_application_of_2009_is_found_by_its_name() {
    let document = |name: &str, body: &str| {
        format!(
            r#"<hadoop-workflow name="{name}"><start to="s"/>{body}<fail name="bad"><message>bad</message></fail><end name="end"/></hadoop-workflow>"#
        )
    };
    let ways = r#"<transition name="OK" to="end"/><transition name="ERROR" to="bad"/>"#;
    let child = document(
        "cleaner",
        &format!(
            r#"<hdfs name="s"><file-system>file:///</file-system><user>ann</user><commands><mkdir path="${{place}}"/></commands>{ways}</hdfs>"#
        ),
    );
    let parent = document(
        "daily",
        &format!(
            r#"<sub-workflow name="s"><hadoop-workflow>cleaner</hadoop-workflow><configuration><property><name>place</name><value>${{place}}</value></property></configuration>{ways}</sub-workflow>"#
        ),
    );
    let child = World::of(&[("workflow.xml", &child)]);
    let mut parent = World::of(&[("workflow.xml", &parent)]);
    parent.move_home(Vec::new(), child.home().to_owned());
    let place = parent.out().join("made");
    let property = format!("-Dplace={}", place.display());
    parent.run(&[&property]).expect(3);
    let info = parent.info(&text(&parent.jobs()[0]["id"]));
    let message = text(&node(&info, "s")["error_message"]);
    assert!(message.contains("register --as cleaner"), "{message}");
    child.call(&["register"]).expect(0);
    parent.run(&[&property]).expect(0);
    assert!(place.is_dir());
}
