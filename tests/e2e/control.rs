//! Decisions, forks, joins, kills and error edges.

use crate::{
    harness::{World, action, node, step},
    run, run_nodes, sh, states,
};

fn decision(cases: &str) -> String {
    let ends: String = ["one", "two", "other"]
        .iter()
        .map(|name| step(name, "0", "end"))
        .collect();
    format!(
        "<decision name=\"choose\"><switch>{cases}<default to=\"other\"/></switch></decision>\n{ends}"
    )
}

#[track_caller]
fn check_decision(cases: &str, properties: &[&str], expected: &str) {
    let info = run_nodes(&decision(cases), properties, 0);
    assert_eq!(node(&info, "choose")["transition"], expected, "{cases}");
    assert_eq!(
        node(&info, "choose")["external_status"],
        expected,
        "{cases}"
    );
}

#[test]
fn the_first_case_that_holds_is_taken() {
    let both = r#"<case to="one">${n gt 1}</case><case to="two">${n gt 0}</case>"#;
    check_decision(both, &["-Dn=2"], "one");
    check_decision(both, &["-Dn=1"], "two");
    check_decision(both, &["-Dn=0"], "other");
}

#[test]
fn a_case_is_text_and_only_true_holds() {
    for (value, expected) in [
        ("true", "one"),
        (" true\t", "one"),
        ("TRUE", "other"),
        ("1", "other"),
        ("yes", "other"),
        ("", "other"),
    ] {
        check_decision(
            r#"<case to="one">${word}</case>"#,
            &[&format!("-Dword={value}")],
            expected,
        );
    }
}

#[test]
fn a_case_behind_the_one_that_holds_is_not_evaluated() {
    let cases = r#"<case to="one">${n eq 1}</case><case to="two">${10 mod (n - 1) eq 0}</case>"#;
    check_decision(cases, &["-Dn=1"], "one");
}

#[test]
fn a_decision_that_has_no_value_fails_the_job() {
    let case = r#"<case to="one">${10 mod n eq 2}</case>"#;
    let info = run_nodes(&decision(case), &["-Dn=0"], 3);
    assert_eq!(states(&info), ["choose FAILED"]);
    let message = node(&info, "choose")["error_message"]
        .as_str()
        .expect("a message");
    assert!(
        message.contains("workflow.xml:3:") && message.contains("${10 mod n eq 2}"),
        "{message}"
    );
}

#[test]
fn captured_data_decides() {
    let nodes = [
        sh(
            "count",
            r#"echo rows=12; echo "name=a b""#,
            "<capture-output/>",
            "choose",
        ),
        decision(
            r#"<case to="one">${wf:actionData('count')['rows'] + 0 gt 10 and wf:actionData('count')['name'] eq 'a b'}</case>"#,
        ),
    ];
    let info = run_nodes(&nodes.concat(), &[], 0);
    assert_eq!(node(&info, "choose")["transition"], "one");
    assert_eq!(node(&info, "count")["data"]["rows"], "12");
}

#[test]
fn an_error_edge_leads_on_and_the_job_succeeds() {
    let handled = sh("a", "exit 3", "", "end").replace("error to=\"failed\"", "error to=\"b\"");
    let nodes = [
        handled,
        sh(
            "b",
            r#"test "$1" = a"#,
            "<argument>b</argument><argument>${wf:lastErrorNode()}</argument>",
            "end",
        ),
    ];
    let info = run_nodes(&nodes.concat(), &[], 0);
    assert_eq!(states(&info), ["a ERROR", "b OK", "end OK"]);
    assert_eq!(info["status"], "SUCCEEDED");
    assert_eq!(node(&info, "a")["transition"], "b");
    assert_eq!(node(&info, "a")["error_code"], "1");
}

#[test]
fn a_kill_message_tells_what_happened() {
    let world = World::of_nodes(&sh("a", "echo no such table >&2; exit 7", "", "end"));
    let (ended, info) = run(&world, &[], 1);
    let message = "[a] [1] [`sh` ended with exit code 7: no such table]";
    assert_eq!(info["error_message"], message);
    assert_eq!(info["error_code"], "E0729");
    assert_eq!(node(&info, "failed")["error_message"], message);
    assert!(ended.stderr.contains(message), "{}", ended.stderr);
    assert_eq!(states(&info), ["a ERROR", "failed OK"]);
}

#[test]
fn a_fork_runs_its_branches_at_once_and_the_join_waits_for_all() {
    let meet = |own: &str, other: &str| {
        let line = format!(
            "touch {own}-is-here; while [ ! -e {other}-is-here ]; do [ -e {own}-is-here ] || exit 7; sleep 0.01; done"
        );
        let line = line.replace("own", own);
        sh(own, &format!("cd ${{out}}; {line}"), "", "met")
    };
    let nodes = [
        "<fork name='both'><path start='a'/><path start='b'/></fork>".to_owned(),
        meet("a", "b"),
        meet("b", "a"),
        "<join name='met' to='after'/>".to_owned(),
        sh(
            "after",
            "test -e ${out}/a-is-here -a -e ${out}/b-is-here",
            "",
            "end",
        ),
    ];
    let nodes = nodes
        .concat()
        .replace("<fork name='both'>", "<fork name=\"both\">");
    let info = run_nodes(&nodes, &[], 0);
    assert_eq!(node(&info, "both")["transition"], "*");
    assert_eq!(
        states(&info),
        ["a OK", "after OK", "b OK", "both OK", "end OK", "met OK"]
    );
}

#[test]
fn a_branch_that_fails_kills_the_others() {
    let nodes = [
        "<fork name=\"both\"><path start=\"a\"/><path start=\"b\"/></fork>".to_owned(),
        sh(
            "a",
            "while [ ! -e ${out}/pid ]; do [ -d ${out} ] || exit 7; sleep 0.01; done; exit 1",
            "",
            "met",
        ),
        sh(
            "b",
            "echo $$ > ${out}/new; mv ${out}/new ${out}/pid; sleep 600",
            "",
            "met",
        ),
        "<join name=\"met\" to=\"end\"/>".to_owned(),
    ];
    let world = World::of_nodes(&nodes.concat());
    let (_, info) = run(&world, &["-Dhpdl.kill.grace=1"], 1);
    assert_eq!(
        states(&info),
        ["a ERROR", "b KILLED", "both OK", "failed OK"]
    );
    let pid = std::fs::read_to_string(world.out().join("pid")).expect("b ran");
    assert!(!crate::harness::is_running(
        pid.trim().parse().expect("a number")
    ));
}

#[test]
fn a_handler_that_two_branches_reach_runs_once_and_info_says_so() {
    let failing = |name: &str| {
        sh(name, "exit 1", "", "met").replace("error to=\"failed\"", "error to=\"handler\"")
    };
    let nodes = [
        "<fork name=\"both\"><path start=\"a\"/><path start=\"b\"/></fork>".to_owned(),
        failing("a"),
        failing("b"),
        "<join name=\"met\" to=\"end\"/>".to_owned(),
        step("handler", "0", "met"),
    ];
    let world = World::of_nodes(&nodes.concat());
    let (_, info) = run(&world, &[], 0);
    assert_eq!(world.effects(), ["handler"]);
    let note = node(&info, "handler")["note"].as_str().expect("a note");
    assert!(note.contains("more than one execution path"), "{note}");
    assert_eq!(
        states(&info),
        [
            "a ERROR",
            "b ERROR",
            "both OK",
            "end OK",
            "handler OK",
            "met OK"
        ]
    );
}

#[test]
fn no_more_processes_than_allowed_run_at_once() {
    let names = ["a", "b", "c", "d", "e", "f"];
    let paths: String = names
        .iter()
        .map(|name| format!("<path start=\"{name}\"/>"))
        .collect();
    // An action fails if it finds two others running.
    let line = "cd ${out}; mkdir at-work-$0; n=$(ls | grep -c at-work); sleep 0.05; rmdir at-work-$0; test $n -le 2";
    let actions: String = names
        .iter()
        .map(|name| sh(name, line, &format!("<argument>{name}</argument>"), "met"))
        .collect();
    let nodes =
        format!("<fork name=\"all\">{paths}</fork>{actions}<join name=\"met\" to=\"end\"/>");
    let info = run_nodes(&nodes, &["-Dhpdl.local.processes.max=2"], 0);
    assert_eq!(info["status"], "SUCCEEDED");
}

#[test]
fn an_action_of_every_kind_of_control_node_ends_well() {
    let nodes = [
        action("a", "<fs/>", "choose"),
        decision("<case to=\"one\">${true}</case>"),
    ];
    let info = run_nodes(&nodes.concat(), &[], 0);
    assert_eq!(states(&info), ["a OK", "choose OK", "end OK", "one OK"]);
}
