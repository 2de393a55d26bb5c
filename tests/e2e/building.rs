//! The content of executables: no earlier executables, no paths of the machine that built them, and no secret without a warning.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use hpdlc_tests::{
    command::{FinishedCommand, command, hpdl, hpdlc, run},
    folder::{copy, repository, write},
};
use serde_json::Value;

const WORKFLOW: &str = r#"<workflow-app name="daily" xmlns="uri:oozie:workflow:1.0">
    <start to="say"/>
    <action name="say">
        <shell xmlns="uri:oozie:shell-action:1.0">
            <exec>echo</exec>
            <argument>${trim(word)}${1 + 2}</argument>
        </shell>
        <ok to="end"/>
        <error to="end"/>
    </action>
    <end name="end"/>
</workflow-app>
"#;

const COORDINATOR: &str = r#"<coordinator-app name="hourly" frequency="60" start="2026-01-01T00:00Z" end="2026-01-02T00:00Z"
    timezone="UTC" xmlns="uri:oozie:coordinator:0.4">
    <action><workflow><app-path>${coordinatorFolder}/workflow.xml</app-path>
        <configuration><property><name>word</name><value>a</value></property></configuration></workflow></action>
</coordinator-app>
"#;

struct Workshop {
    folder: tempfile::TempDir,
}

impl Workshop {
    fn new() -> Workshop {
        Workshop {
            folder: tempfile::tempdir().expect("a temporary folder"),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        write(&self.path(name), text);
    }

    /// Runs hpdlc in `here`, with its own cache if one is named.
    fn hpdlc(&self, here: &Path, cache: Option<&str>, arguments: &[&str]) -> FinishedCommand {
        let mut command = command(hpdlc(), &self.path("home"));
        command.current_dir(here).args(arguments);
        if let Some(cache) = cache {
            command.env("HPDLC_CACHE", self.path(cache));
        }
        let finished = run(&mut command);
        assert_eq!(finished.code, Some(0), "{}", finished.stderr);
        finished
    }
}

fn cargo_home() -> PathBuf {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    home.unwrap_or_else(|| {
        let home = std::env::var_os("HOME").expect("there is a home folder");
        Path::new(&home).join(".cargo")
    })
}

fn size(path: &Path) -> u64 {
    fs::metadata(path).expect("it was built").len()
}

#[test]
fn builds_in_the_folder_of_an_application_do_not_hold_each_other() {
    let workshop = Workshop::new();
    for (name, document, text) in [
        ("workflow", "workflow.xml", WORKFLOW),
        ("coordinator", "coordinator.xml", COORDINATOR),
    ] {
        let app = workshop.path(name);
        write(&app.join(document), text);
        if document == "coordinator.xml" {
            write(&app.join("workflow.xml"), WORKFLOW);
        }
        let path = format!("-DcoordinatorFolder={}", app.display());
        let build = |output: &str| {
            let arguments = ["build", document, "-o", output, path.as_str()];
            workshop.hpdlc(&app, None, &arguments)
        };
        build("first");
        let small = size(&app.join("first"));
        // Under other names, in folders, and with symbols.
        fs::rename(app.join("first"), app.join("renamed.bin")).expect("renames");
        write(&app.join("bin/run.sh"), "#!/bin/sh\n");
        build("bin/second");
        workshop.hpdlc(
            &app,
            None,
            &["build", document, "-o", "third", "--debug", &path],
        );
        let last = build("fourth");
        assert_eq!(
            size(&app.join("fourth")),
            size(&app.join("bin/second")),
            "{name}"
        );
        // Only the script is new.
        assert!(size(&app.join("fourth")) < small + 64 * 1024, "{name}");
        for told in ["bin/second", "renamed.bin", "third"] {
            let line = format!("Ignored ./{told}: built by hpdlc");
            assert!(last.stderr.contains(&line), "{told}: {}", last.stderr);
        }
    }
}

#[test]
fn crate_that_emit_has_written_is_no_part_of_the_application() {
    let workshop = Workshop::new();
    workshop.write("app/workflow.xml", WORKFLOW);
    let app = workshop.path("app");
    workshop.hpdlc(&app, None, &["build", ".", "-o", "../before"]);
    workshop.hpdlc(&app, None, &["emit", ".", "-o", "crate"]);
    let built = workshop.hpdlc(&app, None, &["build", ".", "-o", "../after"]);
    assert!(
        built.stderr.contains("Ignored ./crate: "),
        "{}",
        built.stderr
    );
    let read = |name: &str| fs::read(workshop.path(name)).expect("it was built");
    assert!(read("before") == read("after"));
}

#[test]
fn what_an_executable_is_deployed_with_stands_beside_it() {
    let workshop = Workshop::new();
    workshop.write("app/workflow.xml", WORKFLOW);
    let app = workshop.path("app");
    let deploy = "docker,systemd,k8s";
    workshop.hpdlc(
        &app,
        None,
        &["emit", ".", "-o", "../crate", "--deploy", deploy],
    );
    let folder = workshop.path("crate/deploy");
    let names = || {
        let entries = fs::read_dir(&folder).into_iter().flatten();
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<String> = names
            .map(|name| name.into_string().expect("a plain name"))
            .collect();
        names.sort();
        names
    };
    let all = names();
    let units: Vec<&String> = all
        .iter()
        .filter(|name| name.ends_with(".service") || name.ends_with(".timer"))
        .collect();
    assert_eq!(units.len(), 3, "{all:?}");
    let unit = units.iter().find(|name| name.ends_with(".timer"));
    let name = unit.expect("a timer").trim_end_matches(".timer").to_owned();
    for file in [
        &name,
        "Dockerfile",
        "README.md",
        "cronjob.yaml",
        "job.yaml",
        "volume.yaml",
    ] {
        assert!(all.iter().any(|it| it == file), "{file}: {all:?}");
    }
    let version = Command::new(folder.join(&name)).arg("--version").output();
    assert!(version.expect("it can be run").status.success());
    verify_units(&folder, &name);
    // What somebody has changed is kept.
    let service = format!("{name}.service");
    let edited = fs::read_to_string(folder.join(&service)).expect("it is there") + "# mine\n";
    fs::write(folder.join(&service), &edited).expect("it is ours");
    let mut again = command(hpdlc(), &workshop.path("home"));
    let refused = run(again
        .current_dir(&app)
        .args(["emit", ".", "-o", "../crate"]));
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    let named = format!("`deploy/{service}`");
    assert!(refused.stderr.contains(&named), "{}", refused.stderr);
    let left = fs::read_to_string(folder.join(&service));
    assert_eq!(left.ok().as_ref(), Some(&edited));
    fs::remove_file(folder.join(&service)).expect("it is there");
    // What the next one does not write is removed.
    workshop.hpdlc(&app, None, &["emit", ".", "-o", "../crate"]);
    assert_eq!(names(), [""; 0]);
    let mut alone = command(hpdlc(), &workshop.path("home"));
    alone.current_dir(&app);
    let refused = run(alone.args(["emit", ".", "-o", "../other", "--glibc", "2.17"]));
    assert_eq!(
        refused.code,
        Some(2),
        "it is for an executable, and there is none"
    );
}

/// Has systemd read the units, which name the executable where it is.
fn verify_units(folder: &Path, name: &str) {
    let verified = folder.join("verified");
    fs::create_dir(&verified).expect("a folder");
    let executable = folder.join(name).display().to_string();
    let mut paths = Vec::new();
    for unit in [
        format!("{name}.service"),
        format!("{name}.timer"),
        "hpdl-recover.service".to_owned(),
    ] {
        let text = fs::read_to_string(folder.join(&unit)).expect("a unit");
        let path = verified.join(&unit);
        fs::write(
            &path,
            text.replace(&format!("/opt/hpdl/{name}"), &executable),
        )
        .expect("a file");
        paths.push(path);
    }
    match Command::new("systemd-analyze")
        .arg("verify")
        .args(&paths)
        .output()
    {
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr);
            // It also reads the units of the machine.
            let of_ours: Vec<&str> = said
                .lines()
                .filter(|line| {
                    paths
                        .iter()
                        .any(|path| line.contains(&*path.to_string_lossy()))
                })
                .collect();
            assert!(of_ours.is_empty(), "{said}");
        }
        Err(error) => println!("skipped: the units are not verified, no systemd-analyze: {error}"),
    }
    fs::remove_dir_all(verified).expect("it is ours");
}

#[test]
fn builds_of_one_document_are_equal_wherever_it_lies_and_hold_no_path() {
    let workshop = Workshop::new();
    for folder in ["one/app", "two/of/other-name"] {
        let folder = workshop.path(folder);
        write(&folder.join("workflow.xml"), WORKFLOW);
        write(&folder.join("bin/run.sh"), "echo\n");
    }
    let full = workshop.path("two/of/other-name");
    let full = full.to_str().expect("a plain path");
    for (here, cache, path, output) in [
        ("one", "cache-1", "app", "a"),
        ("one/app", "cache-1", ".", "b"),
        ("two", "a longer cache", full, "c"),
        ("two/of/other-name", "cache-1", "workflow.xml", "d"),
    ] {
        let output = workshop.path(output);
        let output = output.to_str().expect("a plain path");
        let here = workshop.path(here);
        workshop.hpdlc(&here, Some(cache), &["build", path, "-o", output]);
    }
    let first = fs::read(workshop.path("a")).expect("it was built");
    for other in ["b", "c", "d"] {
        let other_bytes = fs::read(workshop.path(other)).expect("it was built");
        assert!(first == other_bytes, "{other} differs");
    }
    // The last folder has the sources of the runtime's dependencies.
    let paths = [
        workshop.folder.path().to_owned(),
        repository(),
        cargo_home(),
    ];
    for path in paths {
        let path = path.to_str().expect("a plain path").as_bytes();
        let holds = first.windows(path.len()).any(|window| window == path);
        assert!(!holds, "{}", String::from_utf8_lossy(path));
    }
    let params = run(command(workshop.path("c"), &workshop.path("home")).arg("params"));
    assert!(
        params.stdout.contains(" workflow.xml:6"),
        "{}",
        params.stdout
    );
}

#[test]
fn every_program_tells_what_it_is_made_of() {
    let workshop = Workshop::new();
    workshop.write("app/workflow.xml", WORKFLOW);
    workshop.hpdlc(&workshop.path(""), None, &["build", "app", "-o", "daily"]);
    for (program, name, has, has_not) in [
        (workshop.path("daily"), "daily", "hpdlc-runtime", "axum"),
        (hpdl(), "hpdl", "axum", "syn"),
        (hpdlc(), "hpdlc", "syn", "axum"),
    ] {
        let mut asked = command(program, &workshop.path("home"));
        let said = run(asked.args(["--version", "--sbom"]));
        assert_eq!(said.code, Some(0), "{name}: {}", said.stderr);
        let document: Value = serde_json::from_str(&said.stdout).expect("JSON");
        assert_eq!(document["bomFormat"], "CycloneDX");
        assert_eq!(document["metadata"]["component"]["name"], name);
        let components = document["components"].as_array().expect("a list");
        let names: Vec<&str> = components
            .iter()
            .filter_map(|it| it["name"].as_str())
            .collect();
        assert!(
            names.contains(&has) && names.contains(&"rust-std"),
            "{name}: {names:?}"
        );
        assert!(!names.contains(&has_not), "{name}: {names:?}");
        let nameless = components.iter().filter(|it| it["licenses"].is_null());
        let nameless: Vec<&Value> = nameless.collect();
        assert!(nameless.is_empty(), "{name}: {nameless:?}");
    }
}

#[test]
fn coordinators_with_workflows_from_elsewhere_are_equal_too() {
    let workshop = Workshop::new();
    for place in ["one", "two/deeper"] {
        let place = workshop.path(place);
        write(
            &place.join("app/coordinator.xml"),
            COORDINATOR.replace("${coordinatorFolder}", "hdfs://nn/flows"),
        );
        write(&place.join("elsewhere/workflow.xml"), WORKFLOW);
        let map = format!("hdfs://nn/flows={}", place.join("elsewhere").display());
        workshop.hpdlc(
            &place,
            None,
            &["build", "app", "-o", "program", "--map", &map],
        );
    }
    let read = |place: &str| fs::read(workshop.path(place).join("program")).expect("built");
    assert!(read("one") == read("two/deeper"));
}

#[test]
fn secrets_that_go_into_an_executable_are_named() {
    let workshop = Workshop::new();
    copy(&repository().join("examples/hello"), &workshop.path("app"));
    workshop.write("app/conf/db.properties", "db.password=hunter2\n");
    workshop.write(
        "app/config-default.xml",
        "<configuration><property><name>api.token</name><value>hunter3</value></property></configuration>",
    );
    workshop.write(
        "app/id_rsa",
        "-----BEGIN OPENSSH PRIVATE KEY-----\nhunter4\n",
    );
    workshop.write("app/job.properties~", "db.password=hunter5\n");
    workshop.write("app/deep/old.properties.bak", "db.password=hunter6\n");
    let here = workshop.folder.path();
    let built = workshop.hpdlc(here, None, &["build", "app", "-o", "program"]);
    let said = built.stderr;
    assert_eq!(
        said.matches("warning[embedded_secrets]").count(),
        2,
        "{said}"
    );
    assert!(said.contains("--> app/conf/db.properties"), "{said}");
    assert!(said.contains("--> app/config-default.xml"), "{said}");
    assert!(!said.contains("hunter"), "{said}");
    let program = fs::read(workshop.path("program")).expect("it was built");
    for (secret, is_embedded) in [
        ("hunter2", true),
        ("hunter3", true),
        ("hunter4", false),
        ("hunter5", false),
        ("hunter6", false),
    ] {
        let holds = program
            .windows(secret.len())
            .any(|it| it == secret.as_bytes());
        assert_eq!(holds, is_embedded, "{secret}");
    }

    workshop.write("app/.hpdlignore", "conf/db.properties\n");
    workshop.write("app/hpdl.toml", "[lints]\nembedded_secrets = \"deny\"\n");
    let mut command = command(hpdlc(), &workshop.path("home"));
    let denied = run(command
        .current_dir(here)
        .args(["build", "app", "-o", "denied"]));
    assert_eq!(denied.code, Some(1), "{}", denied.stderr);
    assert_eq!(
        denied.stderr.matches("error[embedded_secrets]").count(),
        1,
        "{}",
        denied.stderr
    );
    assert!(!workshop.path("denied").exists());
}
