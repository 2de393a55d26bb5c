//! `kill -9` of `rerun` at any moment: the previous run remains, or the next one starts.

use std::{fs, thread, time::Duration};

use crate::{
    harness::{World, action, finish, is_running, kill_dash_nine, node, text, workflow},
    moments::{Random, number},
};

/// Number of random moments unless `HPDLC_CRASH_MOMENTS` is set.
const N_MOMENTS: u64 = 12;

/// The time that a rerun takes until it has notified its owner, or slightly more.
const LATEST: Duration = Duration::from_millis(60);

/// Writes the name and the run, and exits as the property of its name says.
fn leaving(name: &str, next: &str) -> String {
    let arguments = [name, "${wf:run()}", "${out}", &format!("${{{name}}}")]
        .map(|argument| format!("<argument>{argument}</argument>"));
    let body = format!(
        "<shell xmlns='uri:oozie:shell-action:1.0'><exec>sh</exec><argument>-c</argument><argument>echo $0 $1 &gt;&gt; $2/effects; exit $3</argument>{}</shell>",
        arguments.concat()
    );
    action(name, &body, next)
}

#[test]
fn a_rerun_that_is_killed_has_begun_or_has_not() {
    let seed = number("HPDLC_CRASH_SEED").unwrap_or(7);
    let n_moments = number("HPDLC_CRASH_MOMENTS").unwrap_or(N_MOMENTS);
    let sub = r#"<sub-workflow><app-path>${wf:appPath()}/child</app-path><propagate-configuration/></sub-workflow>"#;
    let parent = [
        leaving("a", "s"),
        action("s", sub, "c"),
        leaving("c", "end"),
    ]
    .concat();
    let child = [leaving("x", "y"), leaving("y", "end")].concat();
    let mut world = World::of(&[
        ("workflow.xml", &workflow(&parent)),
        ("child/workflow.xml", &workflow(&child)),
    ]);
    let mut random = Random(seed);
    let mut n_begun = 0;
    for n in 0..n_moments {
        world.afresh();
        world.run(&["-Da=0", "-Dx=0", "-Dy=1", "-Dc=0"]).expect(1);
        let id = world.job().expect("a job");
        let failed = "-Doozie.wf.rerun.failnodes=true";
        let rerun = world.spawn(&["rerun", &id, failed, "-Dy=0"]);
        let later = random.part_of(LATEST);
        thread::sleep(later);
        kill_dash_nine(rerun);
        let round = format!("moment {n} of seed {seed}: {later:?}");
        // If the rerun has left an owner, that one drives the job; otherwise this process does.
        let recovered = finish(world.spawn(&["recover"]));
        assert_eq!(recovered.code, Some(0), "{round}: {}", recovered.stderr);
        let info = world.info(&id);
        if info["run"] == 0 {
            assert_eq!(info["status"], "KILLED", "{round}: {info:#}");
            assert_eq!(world.effects(), ["a 0", "x 0", "y 0"], "{round}");
            assert!(info["runs"].as_array().expect("runs").is_empty());
            continue;
        }
        n_begun += 1;
        world.await_status(&id, "SUCCEEDED");
        let info = world.info(&id);
        assert_eq!(info["run"], 1, "{round}");
        assert_eq!(node(&info, "a")["skipped"], true, "{round}: {info:#}");
        assert_eq!(
            world.effects(),
            ["a 0", "c 1", "x 0", "y 0", "y 1"],
            "{round}: {}",
            fs::read_to_string(world.out().join("effects")).unwrap_or_default()
        );
        assert_eq!(world.jobs().len(), 2, "{round}: the child is the same");
    }
    println!("{n_moments} moments, {n_begun} after the rerun had begun");
}

/// An action that ignores SIGTERM as long as the file `open-RUN` does not exist.
fn deaf() -> String {
    let line = "trap '' TERM; echo e &gt;&gt; $0/effects; echo $$ &gt; $0/.pid; mv $0/.pid $0/runs-e; while [ ! -e $0/open-$1 ]; do [ -d $0 ] || exit 7; sleep 0.05; done";
    let shell = format!(
        "<shell xmlns='uri:oozie:shell-action:1.0'><exec>sh</exec><argument>-c</argument><argument>{line}</argument><argument>${{out}}</argument><argument>${{wf:run()}}</argument></shell>"
    );
    action("e", &shell, "end")
}

/// The owner dies while it ends the process of `e`; then the job is rerun.
#[track_caller]
fn check_rerun_of_unfinished_kill(world: &World) {
    let owner = world.start(&["-Dhpdl.kill.grace=2"]);
    let process = world.await_running("e");
    let id = world.job().expect("a job");
    let killer = world.spawn(&["kill", &id]);
    world.await_status(&id, "KILLED");
    kill_dash_nine(owner);
    kill_dash_nine(killer);
    assert!(is_running(process), "it is deaf");
    fs::write(world.out().join("open-1"), "").expect("a file");
    let failed = "-Doozie.wf.rerun.failnodes=true";
    world.call(&["rerun", &id, failed, "--wait"]).expect(0);
    assert!(!is_running(process), "it has been ended");
    for job in world.jobs() {
        let info = world.info(&text(&job["id"]));
        assert_eq!(info["status"], "SUCCEEDED", "{info:#}");
        assert_eq!(info["run"], 1, "{info:#}");
    }
    assert_eq!(world.effects(), ["e", "e"], "once a run");
}

#[test]
fn a_job_runs_again_when_what_its_last_run_had_started_has_been_ended() {
    check_rerun_of_unfinished_kill(&World::of_nodes(&deaf()));
}

#[test]
fn a_child_runs_again_when_what_its_last_run_had_started_has_been_ended() {
    let sub = "<sub-workflow><app-path>${wf:appPath()}/child</app-path><propagate-configuration/></sub-workflow>";
    let world = World::of(&[
        ("workflow.xml", &workflow(&action("c", sub, "end"))),
        ("child/workflow.xml", &workflow(&deaf())),
    ]);
    check_rerun_of_unfinished_kill(&world);
}
