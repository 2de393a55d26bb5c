//! Failures: expressions, retries, missing programs.

use crate::{
    harness::{World, action, node},
    run, run_nodes, sh, states,
};

const ALL: &str = "-Doozie.service.LiteWorkflowStoreService.user.retry.error.code.ext=ALL";

#[test]
fn an_expression_that_fails_is_shown_with_its_operands() {
    let text = "ok ${n + 1}\n   and ${wf:actionData('a')['n'] + n} more ${token}";
    let world = World::of_nodes(
        &[
            sh("a", "echo n=many", "<capture-output/>", "b"),
            sh("b", "true", &format!("<argument>{text}</argument>"), "end"),
        ]
        .concat(),
    );
    let (_, info) = run(&world, &["-Dn=5", "-Dtoken=hidden-1"], 3);
    let message = node(&info, "b")["error_message"].to_string();
    for part in [
        ":8: expected a whole number, found the text `many` as operand of `+`",
        " in `${wf:actionData('a')['n'] + n}`",
        "`wf:actionData('a')['n']` is the text `many`",
        "`n` is the text `5`",
    ] {
        assert!(message.contains(part), "{part} in {message}");
    }
    assert!(!message.contains("hidden-1"), "{message}");
}

#[test]
fn secret_operands_are_masked_by_the_name_of_their_property() {
    let world = World::of_nodes(&sh(
        "a",
        "true",
        "<argument>${concat(my_token, '-') * n} ${n}</argument>",
        "end",
    ));
    let (ended, info) = run(&world, &["-Dn=5", "-Dmy_token=xy"], 3);
    let message = node(&info, "a")["error_message"].to_string();
    assert!(message.contains("found the text `********-`"), "{message}");
    assert!(!ended.stdout.contains("`xy"), "{}", ended.stdout);
}

#[test]
fn an_expression_without_a_value_fails_the_job_and_shows_its_place() {
    let nodes = "<action name=\"a\"><shell xmlns=\"uri:oozie:shell-action:1.0\">\n<exec>true</exec>\n  <argument>${10 mod zero}</argument></shell><ok to=\"end\"/><error to=\"failed\"/></action>\n";
    let world = World::of_nodes(nodes);
    let (ended, info) = run(&world, &["-Dzero=0"], 3);
    assert_eq!(info["status"], "FAILED");
    assert_eq!(states(&info), ["a FAILED"]);
    let failed = node(&info, "a");
    assert_eq!(failed["error_code"], "EL_ERROR");
    let message = failed["error_message"].as_str().expect("a message");
    assert!(message.starts_with("workflow.xml:5:"), "{message}");
    assert!(message.contains("${10 mod zero}"), "{message}");
    assert!(ended.stderr.contains("workflow.xml:5:"), "{}", ended.stderr);
}

#[test]
fn a_program_is_tried_again_where_its_code_is_listed() {
    let retried = |code: &str| {
        sh(
            "a",
            &format!("echo x >> ${{out}}/tries; exit {code}"),
            "",
            "end",
        )
        .replace(
            "name=\"a\"",
            "name=\"a\" retry-max=\"2\" retry-interval=\"0\"",
        )
    };
    let n_tries = |properties: &[&str]| {
        let world = World::of_nodes(&retried("5"));
        let (_, info) = run(&world, properties, 1);
        let tries = std::fs::read_to_string(world.out().join("tries")).expect("it ran");
        assert_eq!(node(&info, "a")["retries"], tries.lines().count() - 1);
        tries.lines().count()
    };
    assert_eq!(n_tries(&[]), 1, "exit codes are not among Oozie's codes");
    assert_eq!(n_tries(&[ALL]), 3);
    assert_eq!(
        n_tries(&["-Doozie.service.LiteWorkflowStoreService.user.retry.error.code.ext=JA018, 1"]),
        3
    );
}

#[test]
fn a_program_that_cannot_be_run_is_ja018_and_is_tried_again() {
    let body = "<shell xmlns=\"uri:oozie:shell-action:1.0\"><exec>no-such-program</exec></shell>";
    let nodes = action("a", body, "end").replace(
        "name=\"a\"",
        "name=\"a\" retry-max=\"1\" retry-interval=\"0\"",
    );
    let info = run_nodes(&nodes, &[], 1);
    let failed = node(&info, "a");
    assert_eq!(failed["error_code"], "JA018");
    assert_eq!(failed["retries"], 1);
    let message = failed["error_message"].as_str().expect("a message");
    assert!(
        message.contains("`no-such-program`") && message.contains("PATH"),
        "{message}"
    );
}

#[test]
fn a_script_without_its_interpreter_or_a_foreign_program_is_ja018() {
    let script = "#!/no/such/interpreter\n";
    let body =
        "<shell xmlns=\"uri:oozie:shell-action:1.0\"><exec>s.sh</exec><file>s.sh</file></shell>";
    let workflow = crate::harness::workflow(&action("a", body, "end"));
    let world = World::of(&[("workflow.xml", &workflow), ("s.sh", script)]);
    let (_, info) = run(&world, &[], 1);
    assert_eq!(node(&info, "a")["error_code"], "JA018", "{info:#}");

    let foreign = "<shell xmlns=\"uri:oozie:shell-action:1.0\"><exec>program</exec><file>${out}/program</file></shell>";
    let world = World::of_nodes(&action("a", foreign, "end"));
    std::fs::write(world.out().join("program"), b"\x7fELF of another machine").expect("a file");
    let (_, info) = run(&world, &[], 1);
    let failed = node(&info, "a");
    assert_eq!(failed["error_code"], "JA018");
    let message = failed["error_message"].as_str().expect("a message");
    assert!(message.contains("Exec format error"), "{message}");
}

#[test]
fn a_signal_from_outside_is_an_error() {
    let info = run_nodes(&sh("a", "kill -9 $$", "", "end"), &[], 1);
    let failed = node(&info, "a");
    assert_eq!(failed["error_code"], "JA018");
    assert!(
        failed["error_message"]
            .as_str()
            .is_some_and(|text| text.contains("signal 9"))
    );
}

#[test]
fn a_failed_kill_message_stands_as_it_is_written() {
    let workflow = "<workflow-app name='case' xmlns='uri:oozie:workflow:1.0'><start to='k'/><kill name='k'><message>n is ${10 mod n}</message></kill><end name='end'/></workflow-app>";
    let world = World::of(&[("workflow.xml", workflow)]);
    let (_, info) = run(&world, &["-Dn=0"], 1);
    assert_eq!(info["error_code"], "E0756", "{info:#}");
    let message = info["error_message"].as_str().expect("a message");
    assert!(message.starts_with("n is ${10 mod n}"), "{message}");
}
