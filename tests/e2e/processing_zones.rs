//! The processing time zone of the site: every command reads the same file, and interprets a date in the same way.

use std::{fs, path::Path, process::Command};

use crate::harness::hpdlc;

const WORKFLOW: &str = "<workflow-app name=\"w\" xmlns=\"uri:oozie:workflow:1.0\"><start to=\"end\"/><end name=\"end\"/></workflow-app>";

fn coordinator(start: &str, end: &str) -> String {
    format!(
        "<coordinator-app name=\"c\" frequency=\"${{coord:days(1)}}\" start=\"{start}\" end=\"{end}\" timezone=\"UTC\" \
         xmlns=\"uri:oozie:coordinator:0.5\"><action><workflow><app-path>wf</app-path></workflow></action></coordinator-app>"
    )
}

/// The exit codes of `check`, `schedule`, `run` and the executable's `dryrun`, with all their output.
fn outcomes(folder: &Path, zone: Option<&str>) -> (Vec<i32>, String) {
    let site = folder.join("site.xml");
    let zone = zone.map_or_else(String::new, |zone| {
        format!("<property><name>oozie.processing.timezone</name><value>{zone}</value></property>")
    });
    fs::write(&site, format!("<configuration>{zone}</configuration>")).expect("writes");
    let program = folder.join("program");
    let app = folder.join("app");
    let calls: [(&Path, Vec<&str>); 4] = [
        (&hpdlc(), vec!["check", "app"]),
        (&hpdlc(), vec!["schedule", "app", "--format", "json"]),
        (&hpdlc(), vec!["build", "app", "-o", "program"]),
        (&program, vec!["dryrun"]),
    ];
    assert!(app.exists());
    let mut said = String::new();
    let codes = calls.map(|(program, arguments)| {
        if !program.exists() {
            return -1;
        }
        let output = Command::new(program)
            .args(&arguments)
            .current_dir(folder)
            .envs(hpdlc_tests::command::home_variables(folder.join("home")))
            .env("HPDL_SITE", &site)
            .output()
            .expect("it can be started");
        said.push_str(&String::from_utf8_lossy(&output.stdout));
        said.push_str(&String::from_utf8_lossy(&output.stderr));
        output.status.code().expect("it ends by itself")
    });
    (codes.to_vec(), said)
}

#[test]
fn every_command_reads_the_zone_of_the_site() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let app = folder.path().join("app");
    fs::create_dir_all(app.join("wf")).expect("a folder");
    fs::write(app.join("wf/workflow.xml"), WORKFLOW).expect("writes");
    for (zone, start, end, is_right) in [
        (
            Some("GMT+0800"),
            "2026-11-24T06:30+0800",
            "2026-11-24T07:30+0800",
            true,
        ),
        (
            Some("GMT+0800"),
            "2026-11-24T06:30Z",
            "2026-11-24T07:30Z",
            false,
        ),
        (
            None,
            "2026-11-24T06:30+0800",
            "2026-11-24T07:30+0800",
            false,
        ),
        (Some("UTC"), "2026-11-24T06:30Z", "2026-11-24T07:30Z", true),
    ] {
        let document = coordinator(start, end);
        fs::write(app.join("coordinator.xml"), document).expect("writes");
        let _ = fs::remove_file(folder.path().join("program"));
        let (codes, said) = outcomes(folder.path(), zone);
        if is_right {
            assert_eq!(codes, [0, 0, 0, 0], "{said}");
            assert!(
                said.contains(&format!("\"nominal_time\":\"{start}\"")),
                "{said}"
            );
        } else {
            assert_eq!(codes[..3], [1, 1, 1], "{said}");
            assert!(said.contains("oozie.processing.timezone"), "{said}");
        }
    }
}
