//! The `java` action: a class compiled by `javac`, as users do it.

use std::{fs, path::Path, process::Command};

use serde_json::Value;

use crate::{
    harness::{World, action, node, workflow},
    run,
};

const MAIN: &str = r#"
package job;
import java.io.*;
import java.util.*;
public class Main {
    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "data":
                Properties data = new Properties();
                data.setProperty("sum", String.valueOf(Integer.parseInt(args[1]) + Integer.parseInt(args[2])));
                data.setProperty("greeting", System.getProperty("greeting", "none"));
                data.setProperty("configuration", String.valueOf(new File(System.getProperty("oozie.action.conf.xml")).exists()));
                data.setProperty("job", System.getProperty("oozie.job.id"));
                data.setProperty("heap", String.valueOf(Runtime.getRuntime().maxMemory() >> 20));
                data.setProperty("color", String.valueOf(System.getenv("COLOR")));
                data.setProperty("args", String.join(",", args));
                data.setProperty("classpath", System.getProperty("java.class.path"));
                try (OutputStream out = new FileOutputStream(System.getProperty("oozie.action.output.properties"))) {
                    data.store(out, "a comment");
                }
                break;
            case "exit": System.exit(Integer.parseInt(args[1])); break;
            case "throw": throw new IllegalStateException("no such table");
            default: throw new AssertionError(args[0]);
        }
    }
}
"#;

fn java(arguments: &[&str], more: &str) -> String {
    let arguments: String = arguments
        .iter()
        .map(|text| format!("<arg>{text}</arg>"))
        .collect();
    format!("<java><main-class>job.Main</main-class>{more}{arguments}<capture-output/></java>")
}

/// Compiles [`MAIN`] into `lib/job.jar` of an application with this action.
fn world(body: &str) -> World {
    let source = tempfile::tempdir().expect("a temporary folder");
    let file = source.path().join("Main.java");
    fs::write(&file, MAIN).expect("a file");
    let run = |program: &str, arguments: &[&str]| {
        let ended = Command::new(program)
            .args(arguments)
            .current_dir(source.path())
            .output();
        let ended = ended.unwrap_or_else(|error| panic!("{program}: {error}"));
        assert!(
            ended.status.success(),
            "{program}: {}",
            String::from_utf8_lossy(&ended.stderr)
        );
    };
    run("javac", &["-d", "classes", "Main.java"]);
    run("jar", &["cf", "job.jar", "-C", "classes", "."]);
    let app = source.path().join("app");
    fs::create_dir_all(app.join("lib")).expect("a folder");
    fs::write(
        app.join("workflow.xml"),
        workflow(&action("a", body, "end")),
    )
    .expect("a file");
    fs::copy(source.path().join("job.jar"), app.join("lib/job.jar")).expect("a file");
    World::of_folder(Path::new(&app))
}

#[test]
fn a_class_runs_with_its_arguments_and_leaves_data() {
    let world = world(&java(
        &["data", "${n}", "2"],
        "<java-opts>-Dgreeting=hello -Xmx32m</java-opts>",
    ));
    let (_, info) = run(&world, &["-Dn=40"], 0);
    let data = &node(&info, "a")["data"];
    assert_eq!(data["sum"], "42");
    assert_eq!(data["greeting"], "hello");
    assert_eq!(data["configuration"], "true");
    assert_eq!(data["job"], info["id"]);
}

#[test]
fn data_beyond_the_limit_ends_the_action_in_error() {
    let world = world(&java(&["data", "1", "2"], ""));
    for (limit, exit) in [("16", 1), ("100000", 0)] {
        let limit = format!("-Doozie.action.max.output.data={limit}");
        world.run(&[&limit]).expect(exit);
        let id = crate::harness::text(&world.jobs()[0]["id"]);
        let info = world.info(&id);
        let a = node(&info, "a");
        if exit == 0 {
            assert_eq!(a["data"]["sum"], "3");
            continue;
        }
        assert_eq!(a["error_code"], "JA018", "{a:#}");
        assert_eq!(a["data"], serde_json::json!({}));
        let message = a["error_message"].as_str().expect("a message");
        assert!(
            message.contains("action `a`")
                && message.contains("oozie.action.max.output.data allows 16"),
            "{message}"
        );
    }
}

#[test]
fn the_ways_to_fail_have_their_codes() {
    let world = world(&java(&["${how}", "${n}"], ""));
    for (how, n, code, words) in [
        ("exit", "3", "3", "exit code [3]"),
        ("exit", "-1", "JA019", "exit code [-1]"),
        (
            "throw",
            "0",
            "JA018",
            "java.lang.IllegalStateException: no such table",
        ),
    ] {
        let ended = world
            .run(&[&format!("-Dhow={how}"), &format!("-Dn={n}")])
            .expect(1);
        let id = world.jobs()[0]["id"].as_str().expect("an id").to_owned();
        let info = world.info(&id);
        let failed = node(&info, "a");
        assert_eq!(failed["error_code"], code, "{failed:#}");
        let message = failed["error_message"].as_str().expect("a message");
        assert!(message.contains(words), "{message}");
        assert!(ended.stderr.contains(words), "{}", ended.stderr);
    }
    world.run(&["-Dhow=exit", "-Dn=0"]).expect(0);
}

#[test]
fn a_class_that_is_not_there_is_ja018() {
    let world = world(&java(&["data"], "").replace("job.Main", "job.Other"));
    let (_, info) = run(&world, &[], 1);
    let failed = node(&info, "a");
    assert_eq!(failed["error_code"], "JA018", "{failed:#}");
    assert!(
        failed["error_message"]
            .as_str()
            .is_some_and(|text| text.contains("job.Other")),
        "{failed:#}"
    );
}

#[test]
fn what_is_said_of_the_launcher_counts_for_the_virtual_machine() {
    let launcher = "<launcher><java-opts>-Dgreeting=launcher</java-opts><memory.mb>100</memory.mb><env>COLOR=red</env></launcher>";
    let body = |launcher: &str, options: &str| {
        format!(
            "<java>{launcher}<main-class>job.Main</main-class>{options}<arg>data</arg><arg>1</arg><arg>2</arg><arg/><capture-output/></java>"
        )
    };
    let more = tempfile::tempdir().expect("a temporary folder");
    fs::write(more.path().join("more.jar"), "").expect("a file");
    let libraries = format!("-Doozie.libpath={}", more.path().display());
    let data = |body: &str, arguments: &[&str]| {
        let (_, info) = run(&world(body), arguments, 0);
        node(&info, "a")["data"].clone()
    };
    let found = data(
        &body(launcher, ""),
        &[&libraries, "-Doozie.action.null.args.allowed=false"],
    );
    assert_eq!(found["greeting"], "launcher");
    assert_eq!(found["color"], "red");
    assert_eq!(found["args"], "data,1,2");
    assert_eq!(found["classpath"], ".:job.jar:more.jar");
    // The JVM rounds up.
    let heap = |found: &Value| -> u32 {
        let megabytes = found["heap"].as_str().expect("a text");
        megabytes.parse().expect("a number")
    };
    let megabytes = heap(&found);
    assert!((80..90).contains(&megabytes), "{megabytes}");
    let own = "<java-opt>-Dgreeting=own -Xmx40m</java-opt><java-opt>-Dx=1</java-opt>";
    let found = data(&body(launcher, own), &[]);
    assert_eq!(found["greeting"], "own");
    assert_eq!(found["args"], "data,1,2,");
    let megabytes = heap(&found);
    assert!((35..60).contains(&megabytes), "{megabytes}");
}
