//! `rerun`: what runs again, what is skipped with its data, and what is refused.

use std::fs;

use serde_json::Value;

use crate::{
    harness::{World, action, node, text, workflow},
    sh, states,
};

const FAILED: &str = "-Doozie.wf.rerun.failnodes=true";

/// Writes the name and the number of the run, and exits as the property of its name says.
fn leaving(name: &str, next: &str) -> String {
    let line = "echo $0 $1 >> $2/effects; echo rows=$1; exit $3";
    let arguments = format!(
        "<argument>{name}</argument><argument>${{wf:run()}}</argument><argument>${{out}}</argument><argument>${{{name}}}</argument><capture-output/>"
    );
    sh(name, line, &arguments, next)
}

fn skip(names: &str) -> String {
    format!("-Doozie.wf.rerun.skip.nodes={names}")
}

fn chain() -> World {
    let nodes = [
        leaving("a", "b"),
        leaving("b", "c"),
        sh(
            "c",
            "echo c $0 >> $1/effects",
            "<argument>${wf:actionData('a')['rows']}</argument><argument>${out}</argument>",
            "end",
        ),
    ];
    World::of_nodes(&nodes.concat())
}

/// A job that has run `a` and failed at `b`.
fn failed(world: &World) -> String {
    world.run(&["-Da=0", "-Db=1"]).expect(1);
    world.job().expect("a job")
}

#[test]
fn a_rerun_of_the_failed_nodes_runs_on_from_them() {
    let world = chain();
    let id = failed(&world);
    let said = world
        .call(&["rerun", &id, FAILED, "-Db=0", "--dry-run"])
        .expect(0);
    assert_eq!(
        said.stdout,
        format!(
            "rerun of job {id} (case) as run 1: without what ended OK
  skip     a  OK in run 0
  run      b  ERROR in run 0: `sh` ended with exit code 1
  may run  c  did not run in run 0
"
        )
    );
    assert_eq!(world.info(&id)["run"], 0, "it was only said");

    let told = world
        .call(&["rerun", &id, FAILED, "-Db=0", "--wait"])
        .expect(0);
    assert!(
        told.stderr.contains("skip     a  OK in run 0"),
        "{}",
        told.stderr
    );
    assert_eq!(world.effects(), ["a 0", "b 0", "b 1", "c 0"]);
    let info = world.info(&id);
    assert_eq!(
        (&info["run"], &info["status"]),
        (&1.into(), &"SUCCEEDED".into())
    );
    assert_eq!(states(&info), ["a OK", "b OK", "c OK", "end OK"]);
    let (a, b) = (node(&info, "a"), node(&info, "b"));
    assert_eq!((&a["skipped"], &a["run"]), (&true.into(), &0.into()));
    assert_eq!((&b["skipped"], &b["run"]), (&false.into(), &1.into()));
    assert_eq!(a["data"]["rows"], "0");
    let former = &info["runs"][0];
    assert_eq!(
        (&former["run"], &former["status"]),
        (&0.into(), &"KILLED".into())
    );
    let shown = world.call(&["info", &id]).expect(0).stdout;
    assert!(
        shown.contains("SUCCEEDED, run 1, after") && shown.contains("Run 0     KILLED at "),
        "{shown}"
    );
    assert_eq!(b["retries"], 0);
    assert_eq!(info["conf"]["b"], "0");
    assert_eq!(world.call(&["log", &id, "a"]).expect(0).stdout, "rows=0\n");
    assert_eq!(world.call(&["log", &id, "b"]).expect(0).stdout, "rows=1\n");
    assert!(world.log(&id).contains("RERUN"), "{}", world.log(&id));
}

#[test]
fn a_rerun_goes_on_in_the_background() {
    let world = chain();
    let id = failed(&world);
    world.call(&["rerun", &id, FAILED, "-Db=0"]).expect(0);
    world.await_status(&id, "SUCCEEDED");
    assert_eq!(world.effects(), ["a 0", "b 0", "b 1", "c 0"]);
}

#[test]
fn without_a_choice_everything_runs_again() {
    let world = chain();
    let id = failed(&world);
    world.call(&["rerun", &id, "-Db=0", "--wait"]).expect(0);
    assert_eq!(world.effects(), ["a 0", "a 1", "b 0", "b 1", "c 1"]);
    // The choice of a rerun does not apply to the next one.
    world
        .call(&["rerun", &id, &skip("a,b"), "--wait"])
        .expect(0);
    world.call(&["rerun", &id, "--wait"]).expect(0);
    assert_eq!(
        world.effects(),
        [
            "a 0", "a 1", "a 3", "b 0", "b 1", "b 3", "c 1", "c 1", "c 3"
        ]
    );
    assert_eq!(world.info(&id)["run"], 3);
}

#[test]
fn a_skipped_error_takes_its_error_edge_again() {
    let world = chain();
    let id = failed(&world);
    world
        .call(&["rerun", &id, &skip(" a , b "), "--wait"])
        .expect(1);
    assert_eq!(world.effects(), ["a 0", "b 0"]);
    let info = world.info(&id);
    assert_eq!(states(&info), ["a OK", "b ERROR", "failed OK"]);
    assert!(
        text(&info["error_message"]).contains("exit code 1"),
        "{info:#}"
    );
}

#[track_caller]
fn check_refused(world: &World, id: &str, arguments: &[&str], words: &[&str]) {
    let before = world.info(id);
    let mut all = vec!["rerun", id];
    all.extend(arguments);
    let refused = world.call(&all).expect(2);
    for word in words {
        assert!(refused.stderr.contains(word), "{word}: {}", refused.stderr);
    }
    assert_eq!(world.info(id), before, "{arguments:?}");
}

#[test]
fn what_cannot_be_skipped_is_refused_and_all_of_it_named() {
    let world = chain();
    world.run(&["-Da=0", "-Db=${10 mod 0}"]).expect(1);
    let id = world.job().expect("a job");
    check_refused(&world, &id, &[&skip("a"), FAILED], &["E0404", "exclude"]);
    check_refused(
        &world,
        &id,
        &[&skip("c,nobody,a")],
        &["cannot skip c, nobody", "E0807"],
    );
    check_refused(&world, &id, &["-DKB=1"], &["E0808"]);
    world
        .call(&["rerun", "0000042-260101000000000-hpdl-W"])
        .expect(2);
}

#[test]
fn what_was_killed_cannot_be_skipped() {
    let nodes = [
        "<fork name=\"both\"><path start=\"a\"/><path start=\"b\"/></fork>".to_owned(),
        sh(
            "a",
            "while [ ! -e ${out}/b ]; do [ -d ${out} ] || exit 7; sleep 0.01; done; exit 1",
            "",
            "met",
        ),
        sh("b", "touch ${out}/b; sleep 600", "", "met"),
        "<join name=\"met\" to=\"end\"/>".to_owned(),
    ];
    let world = World::of_nodes(&nodes.concat());
    world.run(&["-Dhpdl.kill.grace=1"]).expect(1);
    let id = world.job().expect("a job");
    check_refused(
        &world,
        &id,
        &[&skip("b")],
        &["cannot skip b: it is KILLED", "E0806"],
    );
}

#[test]
fn properties_that_are_missing_now_are_told_at_once() {
    let world = chain();
    let id = failed(&world);
    let newer = World::of(&[(
        "workflow.xml",
        &workflow(&sh("a", "true", "<argument>${x}${y}</argument>", "end")),
    )]);
    let mut newer = newer;
    newer.move_home(Vec::new(), world.home().to_owned());
    check_refused(
        &newer,
        &id,
        &[],
        &["property x is not given", "property y is not given"],
    );
}

fn deciding() -> World {
    let nodes = [
        "<decision name=\"choose\"><switch><case to=\"a\">${way eq 'a'}</case><default to=\"b\"/></switch></decision>\n".to_owned(),
        leaving("a", "end"),
        leaving("b", "end"),
    ];
    World::of_nodes(&nodes.concat())
}

#[test]
fn a_skipped_decision_is_not_evaluated_again() {
    let world = deciding();
    world.run(&["-Dway=a", "-Da=1", "-Db=0"]).expect(1);
    let id = world.job().expect("a job");
    world
        .call(&["rerun", &id, FAILED, "-Dway=b", "-Da=1", "--wait"])
        .expect(1);
    assert_eq!(world.effects(), ["a 0", "a 1"]);
    let plan = world
        .call(&["rerun", &id, &skip("choose"), "--dry-run"])
        .expect(0);
    assert!(
        plan.stdout.contains("skip     choose  went to a in run 0"),
        "{}",
        plan.stdout
    );
    world.call(&["rerun", &id, "-Dway=b", "--wait"]).expect(0);
    assert_eq!(world.effects(), ["a 0", "a 1", "b 2"]);
}

fn family() -> World {
    let sub = r#"<sub-workflow><app-path>${wf:appPath()}/child</app-path><propagate-configuration/></sub-workflow>"#;
    let child = [leaving("a", "b"), leaving("b", "end")].concat();
    let parent = [leaving("p", "s"), action("s", sub, "end")].concat();
    World::of(&[
        ("workflow.xml", &workflow(&parent)),
        ("child/workflow.xml", &workflow(&child)),
    ])
}

fn child_of(world: &World, id: &str) -> Value {
    world.info(&text(&node(&world.info(id), "s")["external_id"]))
}

#[test]
fn a_sub_workflow_that_failed_goes_on_in_the_same_job() {
    let world = family();
    world.run(&["-Dp=0", "-Da=0", "-Db=1"]).expect(1);
    let id = world.job().expect("a job");
    let first = child_of(&world, &id);
    world.call(&["rerun", &id, FAILED, "--wait"]).expect(1);
    assert_eq!(child_of(&world, &id)["id"], first["id"]);
    world
        .call(&["rerun", &id, FAILED, "-Db=0", "--wait"])
        .expect(0);
    let child = child_of(&world, &id);
    assert_eq!((&child["id"], &child["run"]), (&first["id"], &2.into()));
    assert_eq!(states(&child), ["a OK", "b OK", "end OK"]);
    assert_eq!(world.effects(), ["a 0", "b 0", "b 1", "b 2", "p 0"]);
    assert_eq!(world.jobs().len(), 2);

    world.call(&["rerun", &id, &skip("p"), "--wait"]).expect(0);
    let other = child_of(&world, &id);
    assert_ne!(other["id"], first["id"], "any other rerun makes a new one");
    assert_eq!(other["run"], 0);
}

#[test]
fn a_sub_workflow_can_be_rerun_by_itself_unless_somebody_forbids_it() {
    let world = family();
    world.run(&["-Dp=0", "-Da=0", "-Db=1"]).expect(1);
    let id = world.job().expect("a job");
    let child = text(&child_of(&world, &id)["id"]);
    let disable = "-Doozie.wf.rerun.disablechild=true";
    check_refused(
        &world,
        &child,
        &[disable, FAILED],
        &["E0755", &format!("rerun {id}")],
    );
    world
        .call(&["rerun", &child, FAILED, "-Db=0", "--wait"])
        .expect(0);
    assert_eq!(world.info(&child)["status"], "SUCCEEDED");
    assert_eq!(world.info(&id)["status"], "KILLED", "it had ended");
    assert_eq!(world.effects(), ["a 0", "b 0", "b 1", "p 0"]);
}

#[test]
fn a_newer_executable_of_the_workflow_takes_the_job_over() {
    let world = chain();
    let id = failed(&world);
    let nodes = [leaving("a", "b"), leaving("b", "d"), leaving("d", "end")];
    let mut newer = World::of_nodes(&nodes.concat());
    newer.move_home(Vec::new(), world.home().to_owned());
    let copies = || {
        fs::read_dir(world.home().join("bin"))
            .expect("a folder")
            .count()
    };
    assert_eq!(copies(), 1);
    let told = newer
        .call(&["rerun", &id, FAILED, "-Db=0", "-Dd=0", "--wait"])
        .expect(0);
    assert!(
        told.stderr.contains("the job moves from definition"),
        "{}",
        told.stderr
    );
    assert_eq!(states(&world.info(&id)), ["a OK", "b OK", "d OK", "end OK"]);
    assert_eq!(world.effects(), ["a 0", "b 0", "b 1", "d 1"]);
    assert_eq!(copies(), 1, "nothing needs the older one any more");

    let other = workflow(&leaving("a", "end")).replace("name=\"case\"", "name=\"other\"");
    let mut other = World::of(&[("workflow.xml", &other)]);
    other.move_home(Vec::new(), world.home().to_owned());
    check_refused(
        &other,
        &id,
        &[],
        &[
            "is one of the workflow case, and this executable is other",
            "/bin/",
        ],
    );
}
