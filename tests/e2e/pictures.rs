//! Commands that show a workflow or a job to the user: `graph`, `timeline`, `definition`, `settings`, `completions`, `log -f`.

use std::fs;

use crate::{
    harness::{World, action, finish, step, text, workflow},
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
fn a_job_is_drawn_with_the_state_of_each_node() {
    let world = world();
    world.run(&["-Dpassword=hunter22"]).expect(1);
    let id = world.job().expect("a job");
    let dot = world.call(&["graph", &id]).expect(0).stdout;
    for (node, color) in [
        ("first", "#dcfce7"),
        ("bad", "#fee2e2"),
        ("never", "#f8fafc"),
    ] {
        let line = dot
            .lines()
            .find(|line| line.trim_start().starts_with(&format!("\"{node}\" [")))
            .expect("every node is drawn");
        assert!(line.contains(color), "{line}");
    }
    let plain = world.call(&["graph"]).expect(0).stdout;
    assert!(!plain.contains("fillcolor"), "{plain}");

    let svg = world.path("job.svg");
    let shown = svg.display().to_string();
    world.call(&["graph", &id, "-o", &shown]).expect(0);
    let text = fs::read_to_string(&svg).expect("a picture");
    assert!(
        text.contains("s-bad") && text.contains("untouched"),
        "{text}"
    );
    assert!(!text.contains("hunter22"));
    world.call(&["graph", "-o", "picture.png"]).expect(2);
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
fn manual_pages_are_those_of_the_executable() {
    let world = world();
    let folder = world.path("man");
    world
        .call(&["man", "-o", &folder.display().to_string()])
        .expect(0);
    let name = world
        .program()
        .file_name()
        .map(|name| name.display().to_string());
    let name = name.expect("it is a file");
    for (page, words) in [
        (format!("{name}.1"), "DONEWITHERROR"),
        (format!("{name}-jobs.1"), "Only jobs in these states"),
    ] {
        let text = fs::read_to_string(folder.join(&page)).expect(&page);
        assert!(text.contains(words), "{page}: {text}");
    }
    assert!(!folder.join(format!("{name}-own.1")).exists());
    let printed = world.call(&["man"]).expect(0).stdout;
    assert!(printed.contains(".TH"), "{printed}");
}

#[test]
fn the_document_of_a_program_and_of_each_of_its_jobs_is_there() {
    let world = world();
    world.run(&["-Dpassword=x"]).expect(1);
    let own = fs::read_to_string(world.path("app/workflow.xml")).expect("the document");
    assert_eq!(world.call(&["definition"]).expect(0).stdout, own);
    let child = fs::read_to_string(world.path("app/child/workflow.xml")).expect("the document");
    for job in world.jobs() {
        let id = text(&job["id"]);
        let expected = if job["parent"].is_null() {
            &own
        } else {
            &child
        };
        assert_eq!(&world.call(&["definition", &id]).expect(0).stdout, expected);
    }
}

#[test]
fn every_setting_says_who_decides_it() {
    let world = world();
    fs::create_dir_all(world.home()).expect("a folder");
    fs::write(
        world.home().join("hpdl-site.xml"),
        "<configuration>\n<property><name>hpdl.kill.grace</name><value>5</value></property>\n\
         <property><name>some.other</name><value>5</value></property></configuration>",
    )
    .expect("a file");
    let of = |arguments: &[&str]| {
        let all = world.call(&[&["settings", "--json"], arguments].concat());
        let all: serde_json::Value =
            serde_json::from_str(&all.expect(0).stdout).expect("settings prints JSON");
        let found = all
            .as_array()
            .expect("a list")
            .iter()
            .find(|setting| setting["name"] == "hpdl.kill.grace");
        let found = found.expect("it is listed");
        (text(&found["value"]), text(&found["origin"]))
    };
    assert_eq!(of(&[]), ("5".to_owned(), "site".to_owned()));
    let given = of(&["-D", "hpdl.kill.grace=2"]);
    assert_eq!(given, ("2".to_owned(), "job".to_owned()));
    let shown = world.call(&["settings"]).expect(0).stdout;
    assert!(
        shown.contains("hpdl.kill.grace = 5\n    site, line 2;"),
        "{shown}"
    );
    assert!(shown.contains("1 property of the site's file"), "{shown}");
}

#[test]
fn a_setting_that_is_none_of_its_words_is_refused() {
    let world = world();
    let out = world.out_property();
    for (name, wrong, right) in [
        ("hpdl.drain", "sometimes", "never"),
        ("hpdl.action.lost", "Suspend", "retry"),
        ("hpdl.path.empty.parts", "yes", "allow"),
    ] {
        let given = format!("-D{name}={wrong}");
        let refused = world
            .call(&["submit", &out, "-Dpassword=x", &given])
            .expect(2);
        assert!(
            refused
                .stderr
                .contains(&format!("property {name} is `{wrong}`; it is one of ")),
            "{}",
            refused.stderr
        );
        fs::create_dir_all(world.home()).expect("a folder");
        let site = world.home().join("hpdl-site.xml");
        for value in [wrong, right] {
            let text = format!(
                "<configuration><property><name>{name}</name><value>{value}</value></property></configuration>"
            );
            fs::write(&site, text).expect("a file");
            let exit = if value == right { 0 } else { 2 };
            let ended = world.call(&["submit", &out, "-Dpassword=x"]).expect(exit);
            assert!(
                value == right
                    || ended.stderr.contains("hpdl-site.xml") && ended.stderr.contains(name),
                "{}",
                ended.stderr
            );
        }
        fs::remove_file(&site).expect("it is there");
    }
}

/// It is a property of jobs; in the site's file it has no effect, and `settings` says so.
#[test]
fn the_files_of_defaults_are_those_of_the_job() {
    let world = World::of_nodes(&sh("a", "true", "", "end"));
    fs::create_dir_all(world.home()).expect("a folder");
    let defaults = world.path("defaults.xml");
    fs::write(
        &defaults,
        "<configuration><property><name>more</name><value>1</value></property></configuration>",
    )
    .expect("a file");
    let setting = "oozie.default.configuration.path";
    let info = |arguments: &[&str]| {
        let id = world.submit(arguments);
        world.info(&id)["conf"]["more"].clone()
    };
    let given = format!("-D{setting}={}", defaults.display());
    assert_eq!(info(&[&given]), "1");
    assert_eq!(info(&[&given, "-Dmore=2"]), "2");
    let site = format!(
        "<configuration>\n<property><name>{setting}</name><value>{}</value></property></configuration>",
        defaults.display()
    );
    fs::write(world.home().join("hpdl-site.xml"), site).expect("a file");
    assert_eq!(info(&[]), serde_json::Value::Null);
    let shown = world.call(&["settings"]).expect(0).stdout;
    assert!(
        shown.contains("it is read from a job's properties alone"),
        "{shown}"
    );
}

#[test]
fn every_shell_gets_its_completions() {
    let world = world();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = world.call(&["completions", shell]).expect(0).stdout;
        let asks = script.contains(" complete -- ");
        assert!(asks || script.contains("timeline"), "{shell}: {script}");
    }
    world.call(&["completions", "cmd.exe"]).expect(2);
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
        .env("HPDL_HOME", world.home())
        .output()
        .expect("bash can be started");
    assert_eq!(String::from_utf8_lossy(&bash.stderr), "");
    assert_eq!(
        String::from_utf8_lossy(&bash.stdout),
        "first\nSUCCEEDED\n\n"
    );
}

#[test]
fn a_log_is_followed_to_the_end_of_the_job() {
    let nodes = [sh(
        "talk",
        r#"echo one; while [ ! -e "${out}/go" ]; do [ -d "${out}" ] || exit 7; sleep 0.02; done; echo two ${password}"#,
        "",
        "end",
    )]
    .concat();
    let world = World::of_nodes(&nodes);
    let job = world.start(&["-Dpassword=hunter22"]);
    let id = crate::harness::wait_for("the job", || world.job());
    let of_node = world.spawn(&["log", &id, "talk", "-f"]);
    let of_job = world.spawn(&["log", &id, "-f"]);
    crate::harness::wait_for("the action to print", || {
        let shown = world.call(&["log", &id, "talk"]);
        shown.stdout.contains("one").then_some(())
    });
    fs::write(world.out().join("go"), "").expect("a file");
    finish(job).expect(0);
    assert_eq!(finish(of_node).expect(0).stdout, "one\ntwo ********\n");
    let events = finish(of_job).expect(0).stdout;
    assert!(
        events.contains("talk") && events.contains("SUCCEEDED"),
        "{events}"
    );
}
