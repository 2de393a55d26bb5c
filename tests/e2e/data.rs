//! Captured output: what becomes data, and its limits.

use crate::{
    harness::{World, node},
    run, run_nodes, sh,
};

#[test]
fn output_is_read_as_properties() {
    let line =
        r#"printf "a=1\nb: two words\n# no\n\nc\\\\:d = 3\nlong = one \\\\\n  two\nempty=\n""#;
    let info = run_nodes(&sh("a", line, "<capture-output/>", "end"), &[], 0);
    let data = &node(&info, "a")["data"];
    assert_eq!(data["a"], "1");
    assert_eq!(data["b"], "two words");
    assert_eq!(data["c:d"], "3", "{data}");
    assert_eq!(data["long"], "one two", "{data}");
    assert_eq!(data["empty"], "");
}

#[test]
fn output_without_capture_is_no_data() {
    let info = run_nodes(&sh("a", "echo a=1", "", "end"), &[], 0);
    assert_eq!(node(&info, "a")["data"], serde_json::json!({}));
}

#[test]
fn a_failed_action_has_no_data() {
    let info = run_nodes(
        &sh("a", "echo a=1; exit 1", "<capture-output/>", "end"),
        &[],
        1,
    );
    assert_eq!(node(&info, "a")["data"], serde_json::json!({}));
}

#[test]
fn output_beyond_the_limit_ends_the_action_in_error() {
    let nodes = sh("a", "seq -f key%g=value 1 100", "<capture-output/>", "end");
    let world = World::of_nodes(&nodes);
    let (_, info) = run(&world, &["-Doozie.action.max.output.data=1191"], 1);
    let a = node(&info, "a");
    assert_eq!(a["error_code"], "JA018");
    assert_eq!(a["data"], serde_json::json!({}));
    let message = a["error_message"].as_str().expect("a message");
    for word in [
        "action `a`",
        "1192 bytes",
        "oozie.action.max.output.data allows 1191",
    ] {
        assert!(message.contains(word), "{word}: {message}");
    }
    let id = info["id"].as_str().expect("an id");
    let printed = world.call(&["log", id, "a"]).expect(0).stdout;
    assert!(printed.contains("key100=value"), "it stays: {printed}");
    let world = World::of_nodes(&nodes);
    let (_, info) = run(&world, &["-Doozie.action.max.output.data=1192"], 0);
    assert_eq!(node(&info, "a")["data"]["key100"], "value");
}

#[test]
fn data_travels_to_later_actions() {
    let nodes = [
        sh(
            "a",
            r#"printf "text=it is \"quoted\" & <tagged>\n""#,
            "<capture-output/>",
            "b",
        ),
        sh(
            "b",
            r#"printf %s "$0" > ${out}/text"#,
            "<argument>${wf:actionData('a')['text']}</argument>",
            "end",
        ),
    ];
    let world = World::of_nodes(&nodes.concat().replace("\\\"", "\\&quot;"));
    run(&world, &[], 0);
    let text = std::fs::read_to_string(world.out().join("text")).expect("b ran");
    assert_eq!(text, "it is \"quoted\" & <tagged>");
}
