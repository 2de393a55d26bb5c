//! `hpdlc migrate`: its output, its messages, and the files that it does not change.

use std::{
    fs,
    path::{Path, PathBuf},
};

use expect_test::expect;
use hpdlc_tests::{
    FinishedCommand, command,
    folder::{files_below, write},
    hpdlc, run,
};

const OLD: &str = r#"<?xml version="1.0"?>
<!-- kept -->
<hadoop-workflow name="daily">
    <start to="clean"/>
    <hdfs name="clean">
        <file-system>${nameNode}</file-system>
        <user>ann</user>
        <commands>
            <delete path="/tmp/${wf:appName()}"/>
        </commands>
        <transition name="OK" to="done"/>
        <transition name="ERROR" to="broken"/>
    </hdfs>
    <fail name="broken">
        <message>${wf:errorNode()} ended in ERROR</message>
    </fail>
    <end name="done"/>
</hadoop-workflow>
"#;

struct MigrationFolder(tempfile::TempDir);

impl MigrationFolder {
    fn of(files: &[(&str, &str)]) -> MigrationFolder {
        let world = MigrationFolder(tempfile::tempdir().expect("a temporary folder"));
        for (path, text) in files {
            write(&world.0.path().join(path), text);
        }
        world
    }

    fn migrate(&self, path: &str) -> FinishedCommand {
        self.run(&[path, "-o", "new"])
    }

    fn run(&self, arguments: &[&str]) -> FinishedCommand {
        run(command::command(hpdlc(), &self.0.path().join("home"))
            .arg("migrate")
            .args(arguments)
            .current_dir(self.0.path()))
    }

    /// The names of the files below a folder.
    fn names(&self, folder: &str) -> Vec<String> {
        let folder = self.0.path().join(folder);
        if !folder.exists() {
            return Vec::new();
        }
        let below = |path: PathBuf| {
            let short = path.strip_prefix(&folder).expect("it was found there");
            short.display().to_string()
        };
        let mut names: Vec<String> = files_below(&folder).into_iter().map(below).collect();
        names.sort();
        names
    }

    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.0.path().join(path)).expect("it was written")
    }
}

#[test]
fn an_application_is_written_beside_and_what_is_lost_is_said() {
    let world = MigrationFolder::of(&[
        ("old/workflow.xml", OLD),
        ("old/configuration.xml", "<configuration/>"),
        ("old/job.properties", "nameNode=hdfs://nn:1\n"),
        ("old/lib/notes.xml", "<notes/>"),
        ("old/.git/HEAD", "x"),
        (
            "old/sub/workflow.xml",
            "<workflow-app name='s' xmlns='uri:oozie:workflow:0.2'><start to='e'/><end name='e'/></workflow-app>",
        ),
    ]);
    let finished = world.migrate("old");
    assert_eq!(finished.code, Some(0), "{}", finished.stderr);
    expect![[r#"
        warning[migration_losses]: the user of an `hdfs` action cannot be kept
         --> old/workflow.xml:7:10
          |
        7 |         <user>ann</user>
          |          ^^^^ left out: the user of the job does it now

        warning[migration_losses]: the state FAILED of a job that a `fail` node ends cannot be kept
          --> old/workflow.xml:14:6
           |
        14 |     <fail name="broken">
           |      ^^^^ a `kill` node now: the job ends KILLED

        `old`: 2 warnings
            Migrated 2 documents to new
    "#]]
    .assert_eq(&finished.stderr);
    assert_eq!(
        world.names("new"),
        [
            "config-default.xml",
            "job.properties",
            "lib/notes.xml",
            "sub/workflow.xml",
            "workflow.xml"
        ]
    );
    expect![[r#"
        <?xml version="1.0"?>
        <!-- kept -->
        <workflow-app name="daily" xmlns="uri:oozie:workflow:1.0">
            <start to="clean"/>
            <action name="clean">
                <fs>
                    <name-node>${nameNode}</name-node>
                    <delete path="/tmp/${wf:name()}"/>
                </fs>
                <ok to="done"/>
                <error to="broken"/>
            </action>
            <kill name="broken">
                <message>${wf:lastErrorNode()} ended in ERROR</message>
            </kill>
            <end name="done"/>
        </workflow-app>
    "#]]
    .assert_eq(&world.text("new/workflow.xml"));
    assert!(world.text("new/sub/workflow.xml").contains("workflow:1.0"));
    assert_eq!(world.text("old/workflow.xml"), OLD);
}

#[test]
fn nothing_is_overwritten() {
    let world = MigrationFolder::of(&[("old/workflow.xml", OLD), ("new/mine", "precious")]);
    let finished = world.migrate("old");
    assert_eq!(finished.code, Some(2));
    expect![[r#"
        error: the folder `new` is not empty
          = help: name a folder that does not exist: nothing is ever overwritten
    "#]]
    .assert_eq(&finished.stderr);
    assert_eq!(world.names("new"), ["mine"]);
    fs::remove_file(world.0.path().join("new/mine")).expect("removed");
    assert_eq!(world.migrate("old").code, Some(0), "an empty one will do");
    assert_eq!(world.names("new"), ["workflow.xml"]);
}

#[test]
fn what_is_wrong_is_not_migrated() {
    let world = MigrationFolder::of(&[(
        "old/workflow.xml",
        &OLD.replace("to=\"clean\"", "to=\"cleen\""),
    )]);
    let finished = world.migrate("old");
    assert_eq!(finished.code, Some(1));
    assert!(finished.stderr.contains("H0301"), "{}", finished.stderr);
    assert_eq!(world.names("new"), [] as [&str; 0]);
    assert_eq!(world.migrate("none").code, Some(2));
}

#[test]
fn mistakes_elsewhere_are_not_in_the_way_of_a_document_that_is_named() {
    const PARENT: &str = r#"<workflow-app name="parent" xmlns="uri:oozie:workflow:0.4">
    <start to="child"/>
    <action name="child">
        <sub-workflow><app-path>${wf:appPath()}/sub</app-path><propagate-configuration/></sub-workflow>
        <ok to="end"/>
        <error to="end"/>
    </action>
    <end name="end"/>
</workflow-app>
"#;
    let broken = OLD.replace("to=\"clean\"", "to=\"cleen\"");
    let world = MigrationFolder::of(&[
        ("app/workflow.xml", PARENT),
        ("app/sub/workflow.xml", &broken),
        ("app/coordinator.xml", "<coordinator-app"),
        ("app/other.xml", &broken),
        ("app/run.sh", "exit\n"),
    ]);
    for path in ["app/workflow.xml", "./app/workflow.xml"] {
        let finished = world.migrate(path);
        assert_eq!(finished.code, Some(0), "{}", finished.stderr);
        let text = world.text("new/workflow.xml");
        assert!(text.contains("uri:oozie:workflow:1.0"), "{text}");
        for unchanged in ["other.xml", "sub/workflow.xml"] {
            assert_eq!(world.text(&format!("new/{unchanged}")), broken);
            let line = format!("{unchanged} as it is: it has mistakes");
            assert!(finished.stderr.contains(&line), "{}", finished.stderr);
        }
        assert_eq!(world.text("new/run.sh"), "exit\n");
        fs::remove_dir_all(world.0.path().join("new")).expect("removed");
    }
    // The application as a whole has errors, and so has the other document.
    for path in ["app", "app/other.xml"] {
        let finished = world.migrate(path);
        assert_eq!(finished.code, Some(1), "{path}: {}", finished.stderr);
        assert_eq!(world.names("new"), [] as [&str; 0]);
    }
}

#[test]
fn documents_of_any_name_are_migrated_and_what_is_none_is_refused() {
    let world = MigrationFolder::of(&[
        ("flow.wf", OLD),
        ("notes.txt", "not XML"),
        ("site.xml", "<configuration/>"),
    ]);
    let finished = world.migrate("flow.wf");
    assert_eq!(finished.code, Some(0), "{}", finished.stderr);
    assert!(
        finished.stderr.contains("Migrated 1 document to new"),
        "{}",
        finished.stderr
    );
    assert!(world.text("new/flow.wf").contains("uri:oozie:workflow:1.0"));
    fs::remove_dir_all(world.0.path().join("new")).expect("removed");
    for path in ["notes.txt", "site.xml"] {
        let finished = world.migrate(path);
        assert_eq!(finished.code, Some(2), "{path}: {}", finished.stderr);
        let told = format!("there is no document to migrate in `{path}`");
        assert!(finished.stderr.contains(&told), "{}", finished.stderr);
        assert_eq!(world.names("new"), [] as [&str; 0]);
    }
}

#[test]
fn what_oozie_refuses_afterwards_is_said() {
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui/proposal/end_inside_fork.xml");
    let text = fs::read_to_string(case).expect("the case is there");
    let world = MigrationFolder::of(&[("old.xml", &text), ("other", "not of the application")]);
    let finished = world.migrate("old.xml");
    assert_eq!(finished.code, Some(1));
    assert!(
        finished.stderr.contains("new/old.xml"),
        "{}",
        finished.stderr
    );
    assert!(finished.stderr.contains("H0309"), "{}", finished.stderr);
    assert_eq!(world.names("new"), ["old.xml"]);
}

#[test]
fn notifications_of_2009_get_the_names_and_tokens_of_oozie() {
    let world = MigrationFolder::of(&[
        ("old/workflow.xml", OLD),
        (
            "old/configuration.xml",
            "<configuration>\n  <property><name>hws.workflow.notification.url</name><value>http://h/$wfId/$wfstatus</value></property>\n</configuration>\n",
        ),
        (
            "old/job.properties",
            "nameNode=hdfs://nn:1\nhws.action.notification.url=http://h/$wfId/$nodeName/$nodeStatus\n",
        ),
        (
            "old/later/workflow.xml",
            "<workflow-app name='s' xmlns='uri:oozie:workflow:0.2'><start to='e'/><end name='e'/></workflow-app>",
        ),
        (
            "old/later/job.properties",
            "hws.action.notification.url=x\n",
        ),
    ]);
    let finished = world.migrate("old");
    assert_eq!(finished.code, Some(0), "{}", finished.stderr);
    expect![[r#"
        warning[migration_losses]: the user of an `hdfs` action cannot be kept
         --> old/workflow.xml:7:10
          |
        7 |         <user>ann</user>
          |          ^^^^ left out: the user of the job does it now

        warning[migration_losses]: the state FAILED of a job that a `fail` node ends cannot be kept
          --> old/workflow.xml:14:6
           |
        14 |     <fail name="broken">
           |      ^^^^ a `kill` node now: the job ends KILLED

        warning[migration_losses]: that only the end of a job is notified cannot be kept
         --> old/configuration.xml:2:19
          |
        2 |   <property><name>hws.workflow.notification.url</name><value>http://h/$wfId/$wfstatus</value></property>
          |                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ named as in Oozie: a job that starts, is suspended or goes on is notified too

        warning[migration_losses]: what notifications say of the state of a node cannot be kept
         --> old/job.properties:2:1
          |
        2 | hws.action.notification.url=http://h/$wfId/$nodeName/$nodeStatus
          | ^^^^^^^^^^^^^^^^^^^^^^^^^^^ named as in Oozie: `$status` is `S:RUNNING` at the start, `T:` and the next node at the end, and retries are not reported

        `old`: 4 warnings
            Migrated 2 documents to new
    "#]].assert_eq(&finished.stderr);
    expect![[r#"
        <configuration>
          <property><name>oozie.wf.workflow.notification.url</name><value>http://h/$jobId/$status</value></property>
        </configuration>
    "#]].assert_eq(&world.text("new/config-default.xml"));
    expect![[r#"
        nameNode=hdfs://nn:1
        oozie.wf.action.notification.url=http://h/$jobId/$nodeName/$status
    "#]]
    .assert_eq(&world.text("new/job.properties"));
    assert_eq!(
        world.text("new/later/job.properties"),
        "hws.action.notification.url=x\n"
    );
}

#[test]
fn a_workflow_is_written_in_rust_or_what_cannot_be_is_said() {
    let world = MigrationFolder::of(&[
        ("old/workflow.xml", OLD),
        ("old/configuration.xml", "<configuration/>"),
        ("old/run.sh", "true\n"),
        (
            "refused/workflow.xml",
            "<workflow-app name='s' xmlns='uri:oozie:workflow:1.0'><start to='a'/><action name='a'><map-reduce><streaming/></map-reduce><ok to='e'/><error to='e'/></action><end name='e'/></workflow-app>",
        ),
    ]);
    let migrate = |path: &str, output: &str| {
        run(command::command(hpdlc(), &world.0.path().join("home"))
            .args(["migrate", path, "--to", "rust", "-o", output])
            .current_dir(world.0.path()))
    };
    let finished = migrate("old", "new");
    assert_eq!(finished.code, Some(0), "{}", finished.stderr);
    assert_eq!(
        world.names("new"),
        ["config-default.xml", "run.sh", "workflow.rs"]
    );
    expect![[r#"
        use hpdlc_flow::{Result, el, fs, workflow};

        #[workflow(
            config = "config-default.xml",
            end = "done",
            fail = "broken",
            fail_message = "${wf:lastErrorNode()} ended in ERROR"
        )]
        async fn daily() -> Result {
            fs()
                .name_node(el!("${nameNode}"))
                .delete(el!("/tmp/${wf:name()}"))
                .named("clean")
                .await?;
            Ok(())
        }
    "#]]
    .assert_eq(&world.text("new/workflow.rs"));
    let finished = migrate("refused", "none");
    assert_eq!(finished.code, Some(2));
    expect![[r#"
        error: `refused/workflow.xml` cannot be written in Rust
          = note: action `a`: an empty `streaming` cannot be written in Rust
          = help: leave the document in XML, which `include_workflow!` compiles into a Rust program, or change this part
    "#]].assert_eq(&finished.stderr);
    assert_eq!(world.names("none"), [] as [&str; 0]);
}

const RUST: &str = r#"use hpdlc_flow::{Result, action, fs, shell, workflow};

#[action]
fn count(path: String) -> Result<Counted> {
    todo()
}

/// Counts.
#[workflow(files = "scripts", config = "defaults.xml", name_node = "hdfs://nn", resource_manager = "rm:8032")]
pub async fn daily(input: String) -> Result {
    let counted = count(&input).await?;
    shell("wc.sh").file("wc.sh").arg(counted.lines).await?;
    Ok(())
}
"#;

#[test]
fn a_workflow_in_rust_becomes_an_application() {
    let world = MigrationFolder::of(&[
        ("job/Cargo.toml", "[package]\nname = \"log-watch\"\n"),
        ("job/src/main.rs", RUST),
        ("job/scripts/wc.sh", "wc\n"),
        ("job/defaults.xml", "<configuration/>\n"),
    ]);
    let finished = world.migrate("job/src/main.rs");
    assert_eq!(finished.code, Some(0), "{}", finished.stderr);
    assert_eq!(finished.stderr, "    Migrated 1 document to new\n");
    assert_eq!(
        world.names("new"),
        ["config-default.xml", "wc.sh", "workflow.xml"]
    );
    let text = world.text("new/workflow.xml");
    assert!(text.contains("<function>count</function>"), "{text}");
    let finished = world.run(&["job/src/main.rs", "--for", "oozie", "-o", "for-oozie"]);
    assert_eq!(finished.code, Some(0), "{}", finished.stderr);
    assert_eq!(
        finished.stderr,
        concat!(
            "    Migrated 1 document to for-oozie\n",
            "        Copy `log-watch`, which `cargo build --release` makes, into the folder before Oozie gets it\n",
        )
    );
    let text = world.text("for-oozie/workflow.xml");
    let (_, action) = text
        .split_once("<action name=\"count\">")
        .expect("it is there");
    let (action, _) = action.split_once("<ok ").expect("it has a transition");
    let lines: Vec<&str> = action.lines().map(str::trim).collect();
    assert_eq!(
        lines,
        [
            "",
            "<shell xmlns=\"uri:oozie:shell-action:1.0\">",
            "<exec>log-watch</exec>",
            "<argument>action</argument>",
            "<argument>count</argument>",
            "<argument>${input}</argument>",
            "<file>log-watch</file>",
            "<capture-output/>",
            "</shell>",
            "",
        ]
    );
}

const CHILDREN: &str = r#"use hpdlc_flow::{Result, child, fs, workflow};
use crate::other::mail;

#[workflow(name_node = "hdfs://nn", config = "clean.xml")]
async fn clean(target: String) -> Result {
    fs().delete(&target).named("delete").await
}

#[workflow]
async fn report(day: String) -> Result {
    child(clean, clean::Params { target: format!("/reports/{day}") }).await
}

#[workflow(config = "daily.xml")]
async fn daily(day: String) -> Result {
    child(report, report::Params { day: &day }).await?;
    child(clean, clean::Params { target: &day }).await?;
    child(mail, mail::Params { day: &day }).await
}
"#;

#[test]
fn workflows_that_one_in_rust_runs_become_folders_in_its_own() {
    let world = MigrationFolder::of(&[
        ("main.rs", CHILDREN),
        ("clean.xml", "<configuration></configuration>"),
        ("daily.xml", "<configuration/>"),
    ]);
    let finished = world.migrate("main.rs#daily");
    assert_eq!(finished.code, Some(0), "{}", finished.stderr);
    expect![[r#"
        warning[migration_losses]: a workflow of another file cannot be kept
          --> main.rs:18:11
           |
        18 |     child(mail, mail::Params { day: &day }).await
           |           ^^^^ it is looked for in the folder `mail`
           |
           = help: write it there: hpdlc migrate FILE.rs#mail -o new/mail

        `main.rs#daily`: 1 warning
            Migrated 4 documents to new
    "#]]
    .assert_eq(&finished.stderr);
    assert_eq!(
        world.names("new"),
        [
            "clean/config-default.xml",
            "clean/workflow.xml",
            "config-default.xml",
            "report/clean/config-default.xml",
            "report/clean/workflow.xml",
            "report/workflow.xml",
            "workflow.xml"
        ]
    );
    assert_eq!(world.text("new/config-default.xml"), "<configuration/>");
    let text = world.text("new/workflow.xml");
    assert!(
        text.contains("<app-path>${wf:appPath()}/report</app-path>"),
        "{text}"
    );
}

#[test]
fn what_cannot_be_written_for_oozie_is_refused() {
    let files = "files = \"scripts\", config = \"defaults.xml\", ";
    let alone = RUST.replace(files, "");
    let world = MigrationFolder::of(&[("main.rs", alone.as_str())]);
    let mut said = String::new();
    for arguments in [
        &["--for", "oozie"][..],
        &["--to", "rust"],
        &["--to", "rust", "--for", "oozie"],
    ] {
        let finished = world.run(&[&["main.rs", "-o", "new"], arguments].concat());
        assert_eq!(finished.code, Some(2), "{arguments:?}: {}", finished.stderr);
        said.push_str(&finished.stderr);
    }
    expect![[r#"
        error: the program that has the functions of `main.rs` is not known
          = note: `.` is no package of cargo
          = help: leave the document in its package, beside or below a `Cargo.toml` with a `[package]`
        error: `main.rs` is Rust already
          = help: without `--to rust` its workflow is written as XML
        error: Oozie does not run workflows in Rust
          = help: leave out `--to rust`
    "#]].assert_eq(&said);
    assert_eq!(world.names("new"), [] as [&str; 0]);
}
