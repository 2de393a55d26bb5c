//! Commands that show a workflow or a job to the user: `graph`, `timeline`, `definition`, `settings`, `completions`, `log -f`.

use std::fs;

use crate::{
    harness::{World, action, step, workflow},
    sh,
};

/// An action that fails, one that is never reached, and a sub-workflow.
fn world() -> World {
    let sub = r#"<sub-workflow><app-path>${wf:appPath()}/child</app-path><propagate-configuration/></sub-workflow>"#;
    let nodes = [
        step("first", "0", "sub"),
        action("sub", sub, "bad"),
        sh("bad", "echo ${password}; exit 3", "", "never"),
        step("never", "0", "end"),
    ]
    .concat();
    World::of(&[
        ("workflow.xml", &workflow(&nodes)),
        ("step.sh", crate::harness::STEP),
        ("child/workflow.xml", &workflow(&step("below", "0", "end"))),
        ("child/step.sh", crate::harness::STEP),
    ])
}

#[test]
fn the_picture_of_the_workflow_is_the_compilers() {
    let world = world();
    let own = world.call(&["graph"]).expect(0).stdout;
    let app = world.path("app");
    let compilers = std::process::Command::new(crate::harness::hpdlc())
        .args(["graph", &app.display().to_string()])
        .output()
        .expect("hpdlc can be started");
    assert_eq!(own, String::from_utf8_lossy(&compilers.stdout));
}

#[test]
fn a_timeline_nests_sub_workflows_and_masks_secrets() {
    let world = world();
    world.run(&["-Dpassword=hunter22"]).expect(1);
    let id = world.job().expect("a job");
    let svg = world.call(&["timeline", &id]).expect(0).stdout;
    let place = |name: &str| {
        svg.find(&format!(">{name}</text>"))
            .unwrap_or_else(|| panic!("no row {name}: {svg}"))
    };
    assert!(place("first") < place("sub") && place("sub") < place("below"));
    assert!(place("below") < place("bad"));
    assert!(svg.contains(r#"<rect class="bad""#), "{svg}");
    assert!(!svg.contains("hunter22"), "{svg}");
    world.call(&["timeline", "0000099-none"]).expect(2);
    let path = world.path("job.txt");
    let shown = path.display().to_string();
    world.call(&["timeline", "last", "-o", &shown]).expect(0);
    let drawn = fs::read_to_string(&path).expect("a picture");
    let row = |name: &str| {
        let found = drawn
            .lines()
            .find(|line| line.trim_start().starts_with(name));
        found.unwrap_or_else(|| panic!("no row {name}: {drawn}"))
    };
    assert!(row("below").starts_with("  below") && row("first").contains('█'));
    assert!(
        row("bad").contains('X') && row("bad").contains(" ERROR "),
        "{drawn}"
    );
    assert!(
        !drawn.contains("hunter22") && !drawn.contains('\u{1b}'),
        "{drawn}"
    );
    world.call(&["timeline", "last", "-o", "job.png"]).expect(2);
}

#[test]
fn completions_know_jobs_and_nodes_and_make_no_state_folder() {
    let world = world();
    let shown = world.call(&["complete", "--", "info", ""]).expect(0);
    assert_eq!((&*shown.stdout, &*shown.stderr), ("", ""));
    assert!(!world.home().exists(), "it was made");
    world.run(&["-Dpassword=hunter22"]).expect(1);
    let jobs = world.call(&["complete", "--", "info", ""]).expect(0).stdout;
    assert!(jobs.starts_with("last\tKILLED "), "{jobs}");
    assert!(jobs.contains("\n1\tKILLED "), "{jobs}");
    let nodes = world
        .call(&["complete", "--", "log", "1", ""])
        .expect(0)
        .stdout;
    assert!(nodes.contains("first\tshell, OK\n"), "{nodes}");
    // What bash calls when the Tab key is pressed after `info 1@` and after `log 1 f`.
    let script = world.call(&["completions", "bash"]).expect(0).stdout;
    let name = script
        .lines()
        .find_map(|line| line.strip_suffix("() {"))
        .expect("a function");
    let program = world.program().display().to_string();
    let press = format!(
        "{script}
        COMP_WORDBREAKS=' =@:'
        press() {{ COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); COMP_LINE=$LINE; COMP_POINT=${{#LINE}}
            {name}; echo \"${{COMPREPLY[*]}}\"; }}
        LINE='{program} log 1 f' press {program} log 1 f
        LINE='{program} jobs --status=SUCC' press {program} jobs --status = SUCC
        LINE='/nowhere/x info ' press /nowhere/x info ''"
    );
    let bash = std::process::Command::new("bash")
        .args(["-c", &press])
        .envs(hpdlc_tests::command::home_variables(world.home()))
        .output()
        .expect("bash can be started");
    assert_eq!(String::from_utf8_lossy(&bash.stderr), "");
    assert_eq!(
        String::from_utf8_lossy(&bash.stdout),
        "first\nSUCCEEDED\n\n"
    );
}
