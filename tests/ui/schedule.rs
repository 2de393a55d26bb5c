//! `hpdlc schedule`: its output, its messages about what it does not know, and what it refuses.

use std::{fs, path::PathBuf};

use expect_test::{Expect, expect};
use hpdlc_tests::{FinishedCommand, command, folder::write, hpdlc, run};

/// A working directory, with a home beside it.
struct ScheduleFolder {
    folder: tempfile::TempDir,
}

impl ScheduleFolder {
    fn with(files: &[(&str, &str)]) -> ScheduleFolder {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for name in ["here", "home"] {
            fs::create_dir(folder.path().join(name)).expect("the folder is new");
        }
        let place = ScheduleFolder { folder };
        for (path, text) in files {
            write(&place.file(path), text);
        }
        place
    }

    fn file(&self, path: &str) -> PathBuf {
        self.folder.path().join("here").join(path)
    }

    /// Runs `hpdlc schedule` and compares its output and its exit code.
    #[track_caller]
    fn check(&self, arguments: &[&str], code: i32, expected: Expect) -> FinishedCommand {
        let finished = self.schedule(arguments);
        assert_eq!(finished.code, Some(code), "{}", finished.stderr);
        expected.assert_eq(&finished.stdout);
        finished
    }

    fn schedule(&self, arguments: &[&str]) -> FinishedCommand {
        let home = self.folder.path().join("home");
        run(command::command(hpdlc(), &home)
            .arg("schedule")
            .args(arguments)
            .current_dir(self.file("")))
    }
}

/// A coordinator with these attributes and this body.
fn coordinator(attributes: &str, body: &str) -> String {
    format!(
        r#"<coordinator-app xmlns="uri:oozie:coordinator:0.4" name="daily" {attributes}>
    {body}
    <action><workflow><app-path>/apps/daily</app-path></workflow></action>
</coordinator-app>
"#
    )
}

const DATA: &str = r#"<datasets>
        <dataset name="logs" frequency="${coord:hours(12)}" initial-instance="2026-03-07T10:00Z" timezone="America/Los_Angeles">
            <uri-template>${base}/${YEAR}/${MONTH}/${DAY}/${HOUR}</uri-template>
        </dataset>
    </datasets>
    <input-events>
        <data-in name="halves" dataset="logs"><start-instance>${coord:current(-1)}</start-instance><end-instance>${coord:current(0)}</end-instance></data-in>
        <data-in name="newest" dataset="logs"><instance>${coord:latest(0)}</instance></data-in>
    </input-events>
    <output-events><data-out name="out" dataset="logs"><instance>${coord:current(-9)}</instance></data-out></output-events>"#;

const LOS_ANGELES: &str = r#"frequency="${coord:days(1)}" start="2026-03-07T10:00Z" end="2026-04-07T10:00Z" timezone="America/Los_Angeles""#;

#[test]
fn times_are_shown_with_their_days_and_their_data() {
    let place = ScheduleFolder::with(&[("coordinator.xml", &coordinator(LOS_ANGELES, DATA))]);
    place.check(
        &[".", "-n", "3", "-D", "base=/logs"],
        0,
        expect![[r#"
            daily: every day in America/Los_Angeles, from 2026-03-07T10:00Z until 2026-04-07T10:00Z

                 1  Sat 2026-03-07 10:00Z   Sat 2026-03-07 02:00 -08:00
                    <- halves  /logs/2026/03/07/10
                    <- newest  depends on the data that is there
                    -> out  nothing: before the first instance, 2026-03-07T10:00Z
                 2  Sun 2026-03-08 09:00Z   Sun 2026-03-08 01:00 -08:00  (02:00 is skipped)
                    <- halves  /logs/2026/03/07/22
                               /logs/2026/03/07/10
                    <- newest  depends on the data that is there
                    -> out  nothing: before the first instance, 2026-03-07T10:00Z
                 3  Mon 2026-03-09 09:00Z   Mon 2026-03-09 02:00 -07:00  (clocks forward by 1:00 h)
                    <- halves  /logs/2026/03/08/22
                               /logs/2026/03/08/10
                    <- newest  depends on the data that is there
                    -> out  nothing: before the first instance, 2026-03-07T10:00Z

            3 of 32 actions; -n and --to list more
        "#]],
    );
}

#[test]
fn json_is_an_object_a_line() {
    let place = ScheduleFolder::with(&[("coordinator.xml", &coordinator(LOS_ANGELES, DATA))]);
    place.check(
        &[
            "coordinator.xml",
            "--format",
            "json",
            "-D",
            "base=/a \"b\"",
            "--from",
            "2026-03-08T00:00Z",
            "--to",
            "2026-03-10T00:00Z",
        ],
        0,
        expect![[r#"
            {"number":2,"nominal_time":"2026-03-08T09:00Z","inputs":{"halves":["/a \"b\"/2026/03/07/22","/a \"b\"/2026/03/07/10"],"newest":null},"outputs":{"out":[]}}
            {"number":3,"nominal_time":"2026-03-09T09:00Z","inputs":{"halves":["/a \"b\"/2026/03/08/22","/a \"b\"/2026/03/08/10"],"newest":null},"outputs":{"out":[]}}
        "#]],
    );
}

#[test]
fn window_is_entered_from_anywhere() {
    let attributes = r#"frequency="*/5 * * * *" start="2000-01-01T00:00Z" end="3000-01-01T00:00Z" timezone="UTC""#;
    let place = ScheduleFolder::with(&[("c.xml", &coordinator(attributes, ""))]);
    place.check(
        &["c.xml", "--from", "2999-12-31T23:52Z"],
        0,
        expect![[r#"
            daily: `*/5 * * * *`, every 5 minutes in UTC, from 2000-01-01T00:00Z until 3000-01-01T00:00Z

            105,189,984  Tue 2999-12-31 23:55Z

            1 of 105,189,984 actions
        "#]],
    );
    place.check(
        &[
            "c.xml",
            "--to",
            "2000-01-01T00:11Z",
            "-n",
            "2",
            "--format",
            "json",
        ],
        0,
        expect![[r#"
            {"number":1,"nominal_time":"2000-01-01T00:00Z","inputs":{},"outputs":{}}
            {"number":2,"nominal_time":"2000-01-01T00:05Z","inputs":{},"outputs":{}}
        "#]],
    );
    place.check(
        &["c.xml", "--to", "1999-01-01T00:00Z"],
        0,
        expect![[r#"
            daily: `*/5 * * * *`, every 5 minutes in UTC, from 2000-01-01T00:00Z until 3000-01-01T00:00Z

            none of 105,189,984 actions in this time
        "#]],
    );
}

#[test]
fn coordinators_of_a_bundle_have_its_names_for_them() {
    let bundle = r#"<bundle-app xmlns="uri:oozie:bundle:0.2" name="all">
    <coordinator name="${kind}-first">
        <app-path>hdfs://n/apps/hourly</app-path>
        <configuration><property><name>minutes</name><value>60</value></property></configuration>
    </coordinator>
    <coordinator name="second">
        <app-path>hdfs://n/apps/hourly</app-path>
        <configuration><property><name>minutes</name><value>90</value></property></configuration>
    </coordinator>
    <coordinator name="third" enabled="false"><app-path>hdfs://n/apps/nowhere</app-path></coordinator>
</bundle-app>
"#;
    let hourly = coordinator(
        r#"frequency="${minutes}" start="2026-01-01T00:00Z" end="2026-01-02T00:00Z" timezone="UTC""#,
        "",
    );
    let place = ScheduleFolder::with(&[
        ("bundle.xml", bundle),
        ("hourly/coordinator.xml", &hourly),
        ("b.properties", "kind = the\n"),
    ]);
    let arguments = [
        ".",
        "-c",
        "b.properties",
        "--map",
        "hdfs://n/apps=.",
        "-n",
        "2",
    ];
    place.check(
        &arguments,
        0,
        expect![[r#"
            the-first: every hour, from 2026-01-01T00:00Z until 2026-01-02T00:00Z

                 1  Thu 2026-01-01 00:00Z
                 2  Thu 2026-01-01 01:00Z

            2 of 24 actions; -n and --to list more

            second: every 90 minutes, from 2026-01-01T00:00Z until 2026-01-02T00:00Z

                 1  Thu 2026-01-01 00:00Z
                 2  Thu 2026-01-01 01:30Z

            2 of 16 actions; -n and --to list more
        "#]],
    );
    let json = [&arguments[..], &["--format", "json"]].concat();
    place.check(
        &json,
        0,
        expect![[r#"
            {"coordinator":"the-first","number":1,"nominal_time":"2026-01-01T00:00Z","inputs":{},"outputs":{}}
            {"coordinator":"the-first","number":2,"nominal_time":"2026-01-01T01:00Z","inputs":{},"outputs":{}}
            {"coordinator":"second","number":1,"nominal_time":"2026-01-01T00:00Z","inputs":{},"outputs":{}}
            {"coordinator":"second","number":2,"nominal_time":"2026-01-01T01:30Z","inputs":{},"outputs":{}}
        "#]],
    );
    // Without the map nothing is found.
    let finished = place.check(&[".", "-c", "b.properties"], 1, expect![[""]]);
    assert!(
        finished
            .stderr
            .contains("coordinator `second` of the bundle is not at"),
        "{}",
        finished.stderr
    );
}

#[test]
fn datasets_in_files_that_are_not_here_are_told() {
    let body = DATA
        .replace(
            "<datasets>",
            "<datasets><include>hdfs://n/sets.xml</include>",
        )
        .replace(
            r#"dataset="logs"><instance>${coord:latest"#,
            r#"dataset="others"><instance>${coord:latest"#,
        );
    let attributes = r#"frequency="${coord:days(1)}" start="2026-03-07T10:00Z" end="2026-04-07T10:00Z" timezone="UTC""#;
    let place = ScheduleFolder::with(&[("c.xml", &coordinator(attributes, &body))]);
    let finished = place.check(
        &["c.xml", "-n", "1", "-D", "base=/logs"],
        0,
        expect![[r#"
            daily: every day in UTC, from 2026-03-07T10:00Z until 2026-04-07T10:00Z

                 1  Sat 2026-03-07 10:00Z
                    <- halves  /logs/2026/03/07/10
                    -> out  nothing: before the first instance, 2026-03-07T10:00Z
                    <- newest  not known

            1 of 31 actions; -n and --to list more
        "#]],
    );
    expect![[r#"
        warning: the data of an event is not known: the datasets are in included files
          = note: `hdfs://n/sets.xml` is not here
          = help: `--map URI=DIR` maps a URI to a folder of this machine
    "#]]
    .assert_eq(&finished.stderr);
}

#[test]
fn what_cannot_be_told_is_refused() {
    let times = r#"start="2026-03-08T00:00Z" end="2026-04-01T00:00Z" timezone="UTC""#;
    for (frequency, body, arguments, expected) in [
        ("0 0 30 2 *", "", &[][..], "error[H0703]"),
        ("61 * * * *", "", &[], "error[H0702]"),
        ("every day", "", &[], "error[H0702]"),
        (
            "${often}",
            "",
            &[],
            "the frequency: variable `often` cannot be resolved",
        ),
        ("${often}", "", &["-D", "often=0"], "error[H0701]"),
        (
            "60",
            &DATA
                .replace("coord:current(-9)", "coord:current(9999999)")
                .replace("coord:current(-1)", "coord:current(-9999999)")[..],
            &["-D", "base=/"],
            "error[H0725]: an instance of `halves` has no value in the first action",
        ),
    ] {
        let xml = coordinator(&format!("frequency=\"{frequency}\" {times}"), body)
            .replace("current(0)}</end", "current(9999999)}</end");
        let place = ScheduleFolder::with(&[("c.xml", &xml)]);
        let finished = place.schedule(&[&["c.xml"], arguments].concat());
        assert_eq!(finished.code, Some(1), "{frequency}: {}", finished.stderr);
        assert!(
            finished.stderr.contains(expected),
            "{frequency}: {}",
            finished.stderr
        );
        assert_eq!(finished.stdout, "", "{frequency}");
    }
    // Of later actions, the instances are only evaluated when one is reached.
    let years = r#"frequency="${coord:months(12)}" start="2026-03-08T00:00Z" end="2040-04-01T00:00Z" timezone="UTC""#;
    let minutes = DATA
        .replace("${coord:hours(12)}", "1")
        .replace("coord:current(-1)", "coord:absolute('2026-03-08T00:00Z')");
    let place = ScheduleFolder::with(&[("c.xml", &coordinator(years, &minutes))]);
    let finished = place.schedule(&["c.xml", "-D", "base=/"]);
    assert_eq!(finished.code, Some(1), "{}", finished.stderr);
    let expected = "the instances of `halves` cannot be determined for action 3";
    assert!(finished.stderr.contains(expected), "{}", finished.stderr);
    assert!(
        finished.stdout.contains("2027-03-08"),
        "{}",
        finished.stdout
    );
    let workflow = r#"<workflow-app name="w" xmlns="uri:oozie:workflow:1.0"><start to="e"/><end name="e"/></workflow-app>"#;
    let place = ScheduleFolder::with(&[("workflow.xml", workflow)]);
    let finished = place.schedule(&["."]);
    assert_eq!(finished.code, Some(1));
    assert!(
        finished.stderr.contains("a workflow has no schedule"),
        "{}",
        finished.stderr
    );
    assert_eq!(place.schedule(&["nowhere"]).code, Some(2));
    assert_eq!(place.schedule(&[".", "--from", "yesterday"]).code, Some(2));
}
