//! Captured output: what of it becomes data, and where it ends.

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
fn output_beyond_the_limit_is_cut_at_the_last_whole_line() {
    let world = World::of_nodes(&sh(
        "a",
        "seq -f key%g=value 1 100",
        "<capture-output/>",
        "end",
    ));
    let (ended, info) = run(&world, &["-Doozie.action.max.output.data=32"], 0);
    let data = node(&info, "a")["data"].as_object().expect("data").clone();
    // Each line has eleven bytes: two are whole.
    assert_eq!(data.keys().collect::<Vec<_>>(), ["key1", "key2"]);
    let id = info["id"].as_str().expect("an id");
    for told in [&ended.stderr, &world.log(id)] {
        let line = told
            .lines()
            .find(|line| line.contains("WARNING"))
            .expect("a warning");
        for word in [
            "a ",
            "1192 bytes",
            "cut at 22",
            "oozie.action.max.output.data=32",
        ] {
            assert!(line.contains(word), "{word}: {line}");
        }
    }
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
