//! `--json`, exactly as scripts rely on it (DESIGN section 5), and the commands that show jobs.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::{
    harness::{World, action, node, step, text},
    run, sh,
};

fn keys(value: &Value) -> BTreeSet<&str> {
    value
        .as_object()
        .expect("an object")
        .keys()
        .map(String::as_str)
        .collect()
}

/// Every specified key exists; there may be more.
#[track_caller]
fn check_keys(value: &Value, contract: &[&str]) {
    let found = keys(value);
    let missing: Vec<&&str> = contract
        .iter()
        .filter(|key| !found.contains(**key))
        .collect();
    assert!(missing.is_empty(), "{missing:?} missing in {value:#}");
}

/// `2026-11-20T09:30:00.123Z`
#[track_caller]
fn check_time(value: &Value) {
    let time = value.as_str().unwrap_or_else(|| panic!("no time: {value}"));
    let shape: String = time
        .chars()
        .map(|letter| if letter.is_ascii_digit() { '0' } else { letter })
        .collect();
    assert_eq!(shape, "0000-00-00T00:00:00.000Z", "{time}");
}

const JOB: [&str; 8] = [
    "id", "app", "status", "run", "user", "created", "started", "ended",
];
const ACTION: [&str; 12] = [
    "name",
    "type",
    "status",
    "transition",
    "external_id",
    "external_status",
    "error_code",
    "error_message",
    "retries",
    "data",
    "started",
    "ended",
];

fn two_steps() -> World {
    World::of_nodes(
        &[
            sh("a", "echo n=1", "<capture-output/>", "b"),
            action("b", "<fs><mkdir path='file://${out}/b'/></fs>", "end"),
        ]
        .concat(),
    )
}

#[test]
fn info_has_the_shape_of_the_contract() {
    let (_, info) = run(&two_steps(), &["-Dmore=x"], 0);
    check_keys(&info, &JOB);
    check_keys(&info, &["conf", "actions"]);
    for time in ["created", "started", "ended"] {
        check_time(&info[time]);
    }
    assert_eq!(info["conf"]["more"], "x");
    let id = text(&info["id"]);
    let shape: String = id
        .chars()
        .map(|letter| if letter.is_ascii_digit() { '0' } else { letter })
        .collect();
    assert_eq!(shape, "0000000-000000000000000-hpdl-W", "{id}");
    let actions = info["actions"].as_array().expect("actions");
    let names: Vec<&Value> = actions.iter().map(|action| &action["name"]).collect();
    assert_eq!(names, [":start:", "a", "b", "end"]);
    for action in actions {
        check_keys(action, &ACTION);
        check_time(&action["started"]);
    }
    let a = node(&info, "a");
    assert_eq!(
        (&a["type"], &a["transition"], &a["data"]),
        (&json!("shell"), &json!("b"), &json!({"n": "1"}))
    );
    assert_eq!(
        (&a["error_code"], &a["error_message"], &a["retries"]),
        (&Value::Null, &Value::Null, &json!(0))
    );
    assert_eq!(node(&info, "b")["external_id"], "-");
}

#[test]
fn jobs_gives_an_object_a_line_the_newest_first() {
    let world = two_steps();
    assert_eq!(world.call(&["jobs", "--json"]).expect(0).stdout, "");
    assert_eq!(world.call(&["jobs"]).expect(0).stdout, "no jobs yet\n");
    run(&world, &[], 0);
    world.run(&[]).expect(0);
    let jobs = world.jobs();
    assert_eq!(jobs.len(), 2);
    for job in &jobs {
        check_keys(job, &JOB);
        assert!(
            job.get("conf").is_none() && job.get("actions").is_none(),
            "{job:#}"
        );
    }
    assert!(text(&jobs[0]["id"]).starts_with("0000002-"));
    let told = world.call(&["jobs"]).expect(0).stdout;
    let numbers: Vec<&str> = told
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(numbers, ["JOB", "2", "1"], "{told}");
    let newest = world.call(&["jobs", "--json", "-n", "1"]).expect(0);
    assert_eq!(newest.json_lines(), jobs[..1]);
    assert_eq!(newest.stderr, "the newest 1 of 2 jobs; `-n 0` lists all\n");
    for all in ["0", "2", "3"] {
        let all = world.call(&["jobs", "-n", all]).expect(0);
        assert_eq!((all.stdout.lines().count(), all.stderr.as_str()), (3, ""));
    }
}

#[test]
fn run_gives_an_event_a_line_and_the_job_at_the_end() {
    let world = two_steps();
    let mut lines = world.run(&["--json"]).expect(0).json_lines();
    let last = lines.pop().expect("a last line");
    assert_eq!(last, world.info(&text(&last["id"])));
    let mut events = Vec::new();
    for line in &lines {
        check_keys(line, &["time", "id", "node", "event", "status"]);
        check_time(&line["time"]);
        assert_eq!(line["id"], last["id"]);
        events.push(format!(
            "{} {}",
            line["node"].as_str().unwrap_or("job"),
            text(&line["event"])
        ));
    }
    let place = |event: &str| {
        events
            .iter()
            .position(|other| other == event)
            .unwrap_or_else(|| panic!("{event}: {events:?}"))
    };
    let order = [
        "job RUNNING",
        "a RUNNING",
        "a OK",
        "b RUNNING",
        "b OK",
        "end OK",
        "job SUCCEEDED",
    ];
    assert!(order.map(place).is_sorted(), "{events:?}");
    assert_eq!(events.first().map(String::as_str), Some("job RUNNING"));
    assert_eq!(events.last().map(String::as_str), Some("job SUCCEEDED"));
}

#[test]
fn a_job_that_fails_tells_the_same_way() {
    let world = World::of_nodes(&sh("a", "exit 1", "", "end"));
    let lines = world.run(&["--json"]).expect(1).json_lines();
    let last = lines.last().expect("a last line");
    assert_eq!(last["status"], "KILLED");
    assert!(
        lines
            .iter()
            .any(|line| line["node"] == "a" && line["status"] == "ERROR"),
        "{lines:#?}"
    );
}

#[test]
fn params_lists_what_the_workflow_reads() {
    let nodes = sh(
        "a",
        "true",
        "<argument>${word}</argument>\n<argument>${word}${n + 1}</argument>",
        "end",
    );
    let text = crate::harness::workflow(&nodes).replacen(
        "<start",
        "<parameters><property><name>word</name><value>w</value></property></parameters><start",
        1,
    );
    let world = World::of(&[("workflow.xml", &text)]);
    let told = world.call(&["params", "--json"]).expect(0);
    let params: Value = serde_json::from_str(&told.stdout).expect("JSON");
    let params = params.as_array().expect("a list");
    for param in params {
        check_keys(param, &["name", "required", "default", "type", "uses"]);
    }
    let word = params
        .iter()
        .find(|param| param["name"] == "word")
        .expect("word");
    assert_eq!(
        (&word["required"], &word["default"]),
        (&json!(false), &json!("w"))
    );
    let lines: Vec<&Value> = word["uses"]
        .as_array()
        .expect("uses")
        .iter()
        .map(|place| &place["line"])
        .collect();
    assert_eq!(lines, [&json!(3), &json!(4)]);
    assert_eq!(word["uses"][0]["file"], "workflow.xml");
    let n = params.iter().find(|param| param["name"] == "n").expect("n");
    assert_eq!(
        (&n["required"], &n["default"]),
        (&json!(true), &Value::Null)
    );
    assert!(!world.home().exists(), "nothing was run or made");
}

#[test]
fn dryrun_shows_every_value_and_runs_nothing() {
    let nodes = [
        sh("a", "touch ${out}/ran", "<argument>${word}</argument><argument>${wf:id()}</argument>", "choose"),
        "<decision name=\"choose\"><switch><case to=\"end\">${word eq 'x'}</case><default to=\"failed\"/></switch></decision>".to_owned(),
    ];
    let world = World::of_nodes(&nodes.concat());
    let out = world.out_property();
    let told = world
        .call(&["dryrun", &out, "-Dword=x", "--json"])
        .expect(0);
    let dryrun: Value = serde_json::from_str(&told.stdout).expect("JSON");
    let nodes = dryrun["nodes"].as_array().expect("nodes");
    let value = |name: &str, path: &str| -> &Value {
        let node = nodes
            .iter()
            .find(|node| node["name"] == name)
            .expect("the node");
        let values = node["values"].as_array().expect("values");
        values
            .iter()
            .find(|value| value["path"] == path)
            .unwrap_or_else(|| panic!("{path}: {node:#}"))
    };
    let word = value("a", "argument[3]");
    check_keys(word, &["path", "template", "value", "origin", "secret"]);
    assert_eq!(
        (&word["value"], &word["template"], &word["secret"]),
        (&json!("x"), &json!("${word}"), &json!(false))
    );
    assert_eq!(word["origin"], json!({ "file": "workflow.xml", "line": 3 }));
    assert_eq!(value("a", "argument[4]")["deferred"], true);
    assert_eq!(value("a", "exec")["value"], "sh");
    assert_eq!(value("choose", "case[1]")["value"], "true");
    assert_eq!(value("failed", "message")["deferred"], true);
    assert!(
        !world.home().exists() && !world.out().join("ran").exists(),
        "nothing was run or made"
    );
}

/// Every layer of an action's configuration in one application: which wins, and its origin.
#[test]
fn dryrun_names_the_place_of_every_value() {
    let conf = |properties: &str| format!("<configuration>\n{properties}\n</configuration>");
    let property = |name: &str, value: &str| {
        format!("<property><name>{name}</name><value>{value}</value></property>")
    };
    let workflow = format!(
        "<workflow-app name=\"w\" xmlns=\"uri:oozie:workflow:1.0\">
<parameters>
{}
{}
</parameters>
<global><job-xml>conf/global.xml</job-xml>{}</global>
<start to=\"a\"/>
<action name=\"a\"><shell xmlns=\"uri:oozie:shell-action:1.0\">
<job-xml>conf/own.xml</job-xml>
{}
<exec>sh</exec><argument>-c</argument><argument>cp action.xml ${{out}}/action.xml</argument></shell>
<ok to=\"end\"/><error to=\"end\"/></action>
<end name=\"end\"/></workflow-app>",
        property("word", "declared"),
        property("both", "declared"),
        conf(&[property("global", "${word}"), property("queue", "global")].join("\n")),
        conf(&property("queue", "${queue}")),
    );
    let global_xml = conf(
        &[
            property("twice", "1"),
            property("global", "hidden"),
            property("file", "${wf:user()}"),
        ]
        .join("\n"),
    );
    let own_xml = conf(
        &[
            property("twice", "2"),
            property("default", "hidden"),
            property("bad", "${none}"),
        ]
        .join("\n"),
    );
    let defaults = conf(
        &[
            property("default", "d"),
            property("both", "in file"),
            property("asks", "${root}/x"),
        ]
        .join("\n"),
    );
    let world = World::of(&[
        ("workflow.xml", &workflow),
        ("config-default.xml", &defaults),
        ("conf/global.xml", &global_xml),
        ("conf/own.xml", &own_xml),
    ]);
    let given = world.path("job.properties");
    std::fs::write(&given, "queue=q\n# the root\nroot=/r\nasks=given\n").expect("a file");
    let given = given.to_str().expect("a plain path").to_owned();
    let out = world.out_property();
    let told = world
        .call(&["dryrun", &out, "-c", &given, "--json"])
        .expect(0);
    let dryrun: Value = serde_json::from_str(&told.stdout).expect("JSON");
    check_keys(&dryrun, &["nodes", "properties"]);
    let nodes = dryrun["nodes"].as_array().expect("nodes");
    let values = nodes.iter().find(|node| node["name"] == "a").expect("a")["values"]
        .as_array()
        .expect("values");
    for (name, value, file, line) in [
        ("asks", "given", given.as_str(), 4),
        ("bad", "${none}", "conf/own.xml", 4),
        ("both", "in file", "config-default.xml", 3),
        ("default", "d", "config-default.xml", 2),
        ("global", "declared", "workflow.xml", 7),
        ("queue", "q", "workflow.xml", 14),
        ("twice", "2", "conf/own.xml", 2),
    ] {
        let path = format!("configuration/property[{name}]/value");
        let found = values
            .iter()
            .find(|value| value["path"] == path.as_str())
            .unwrap_or_else(|| panic!("{path}: {dryrun:#}"));
        assert_eq!(found["value"], value, "{found:#}");
        assert_eq!(
            found["origin"],
            json!({ "file": file, "line": line }),
            "{found:#}"
        );
    }
    let properties = dryrun["properties"].as_array().expect("properties");
    for (name, value, source, origin) in [
        ("queue", "q", "-c", json!({ "file": given, "line": 1 })),
        (
            "word",
            "declared",
            "parameters",
            json!({ "file": "workflow.xml", "line": 3 }),
        ),
        (
            "both",
            "in file",
            "config-default",
            json!({ "file": "config-default.xml", "line": 3 }),
        ),
        ("asks", "given", "-c", json!({ "file": given, "line": 4 })),
    ] {
        let found = properties
            .iter()
            .find(|property| property["name"] == name)
            .expect("the property");
        check_keys(found, &["name", "value", "source", "origin", "secret"]);
        assert_eq!(
            (&found["value"], &found["source"], &found["origin"]),
            (&json!(value), &json!(source), &origin)
        );
    }
    assert!(
        properties
            .iter()
            .any(|property| property["source"] == "-D" && property["origin"].is_null())
    );
    // A running job gets the same.
    world.run(&[&out, "-c", &given]).expect(0);
    let action_xml = std::fs::read_to_string(world.out().join("action.xml")).expect("a copy");
    for value in ["given", "${none}", "in file", "declared"] {
        assert!(
            action_xml.contains(&format!("<value>{value}</value>")),
            "{action_xml}"
        );
    }
    assert!(!action_xml.contains("hidden"), "{action_xml}");
}

#[test]
fn dryrun_shows_what_has_no_value() {
    let world = World::of_nodes(&sh("a", "true", "<argument>${10 mod n}</argument>", "end"));
    let told = world.call(&["dryrun", "-Dn=0", "--json"]).expect(1);
    let dryrun: Value = serde_json::from_str(&told.stdout).expect("JSON");
    let error = dryrun["nodes"]
        .as_array()
        .expect("nodes")
        .iter()
        .find(|node| node["name"] == "a");
    let error = &error.expect("a")["values"][3]["error"];
    assert!(
        error
            .as_str()
            .is_some_and(|text| text.contains("${10 mod n}")),
        "{dryrun:#}"
    );
}

#[test]
fn dryrun_shows_the_values_of_a_job_that_would_be_refused() {
    let world = World::of_nodes(&sh(
        "a",
        "true",
        "<argument>${word}</argument><argument>${n + 1}</argument><argument>${missing}</argument>",
        "end",
    ));
    let told = world
        .call(&["dryrun", "-Dn=many", "-Dword=x", "--json"])
        .expect(2);
    assert!(told.stderr.contains("property missing is not given"));
    assert!(told.stderr.contains("property n is `many`"));
    let dryrun: Value = serde_json::from_str(&told.stdout).expect("JSON");
    let node = dryrun["nodes"]
        .as_array()
        .expect("nodes")
        .iter()
        .find(|node| node["name"] == "a");
    let values = node.expect("a")["values"].as_array().expect("values");
    let of = |template: &str| {
        let found = values.iter().find(|value| value["template"] == template);
        found.unwrap_or_else(|| panic!("{template}: {dryrun:#}"))
    };
    assert_eq!(of("${word}")["value"], "x");
    for (template, problem) in [
        ("${n + 1}", "expected a whole number, found the text `many`"),
        ("${missing}", "variable `missing` cannot be resolved"),
    ] {
        let error = of(template)["error"].to_string();
        assert!(error.contains(problem), "{error}");
    }
}

#[test]
fn log_tells_what_happened_and_what_an_action_printed() {
    let world = World::of_nodes(
        &[
            sh("a", "echo to out; echo to err >&2", "", "b"),
            step("b", "0", "end"),
        ]
        .concat(),
    );
    let (_, info) = run(&world, &[], 0);
    let id = text(&info["id"]);
    let log = world.log(&id);
    let order = [
        "RUNNING      case",
        "a                        RUNNING",
        "a                        OK           -> b",
        "SUCCEEDED",
    ];
    let places: Vec<usize> = order
        .iter()
        .map(|words| log.find(words).unwrap_or_else(|| panic!("{words}: {log}")))
        .collect();
    assert!(places.is_sorted(), "{log}");
    assert_eq!(
        world.call(&["log", &id, "a"]).expect(0).stdout,
        "to out\nto err\n"
    );
    let refused = world.call(&["log", &id, "none"]).expect(2);
    assert!(
        refused.stderr.contains("has not reached a node `none`"),
        "{}",
        refused.stderr
    );
    assert_eq!(world.call(&["log", &id, "-f"]).expect(0).stdout, log);
}
