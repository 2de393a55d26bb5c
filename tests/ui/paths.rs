//! `hpdlc paths`, and `hpdlc explain` of cron expressions.

use expect_test::{Expect, expect};
use hpdlc_tests::{command, folder::write, hpdlc, run};

const WORKFLOW: &str = r#"<workflow-app xmlns="uri:oozie:workflow:1.0" name="daily">
    <start to="load"/>
    <action name="load">
        <fs><mkdir path="file:/x"/></fs>
        <ok to="choose"/>
        <error to="failed"/>
    </action>
    <decision name="choose">
        <switch>
            <case to="failed">${mode == 'stop'}</case>
            <case to="other">${mode == 'stop' and full}</case>
            <default to="done"/>
        </switch>
    </decision>
    <kill name="failed"><message>failed</message></kill>
    <kill name="other"><message>other</message></kill>
    <end name="done"/>
</workflow-app>
"#;

#[track_caller]
fn check(arguments: &[&str], code: i32, expect: Expect) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    write(&folder.path().join("app/workflow.xml"), WORKFLOW);
    write(
        &folder.path().join("coordinator.xml"),
        r#"<coordinator-app xmlns="uri:oozie:coordinator:0.4" name="c" frequency="60" start="2026-01-01T00:00Z" end="2027-01-01T00:00Z" timezone="UTC"><action><workflow><app-path>/a</app-path></workflow></action></coordinator-app>"#,
    );
    write(
        &folder.path().join("template/workflow.xml"),
        WORKFLOW.replace("\"load\"", "\"@first@\""),
    );
    let finished = run(command::command(hpdlc(), &folder.path().join("home"))
        .args(arguments)
        .current_dir(folder.path()));
    expect.assert_eq(&format!("{}{}", finished.stdout, finished.stderr));
    assert_eq!(finished.code, Some(code));
}

#[test]
fn ways_and_decisions_are_listed() {
    check(
        &["paths", "app"],
        0,
        expect![[r#"
        kill `failed`: start -> load (error) -> failed
        kill `other`: no way leads here
        end `done`: start -> load -> choose (default) -> done

        decision `choose`
          case 1 -> `failed`: such as if `mode` is `stop`
          case 2 -> `other`: never
          default -> `done`: such as if `mode` is another text and `full` is `TRUE`

        no way reaches `other`

        followed 4 outcomes of actions and decisions
        warning[shadowed_cases]: case for `other` is never taken
          --> app/workflow.xml:11:30
           |
        10 |             <case to="failed">${mode == 'stop'}</case>
           |                               ----------------- leads to `failed` first
        11 |             <case to="other">${mode == 'stop' and full}</case>
           |                              ^^^^^^^^^^^^^^^^^^^^^^^^^^ true only where the earlier case is
           |
           = help: put the narrower condition first, or take it out

        `app`: 1 warning
    "#]],
    );
}

#[test]
fn ways_come_as_json() {
    check(
        &["paths", "app", "--format", "json"],
        0,
        expect![[r#"
            {"decisions":[{"cases":[{"condition":"${mode == 'stop'}","example":[{"expression":"mode","is_other_text":false,"value":"stop"}],"is_possible":true,"to":"failed"},{"condition":"${mode == 'stop' and full}","example":null,"is_possible":false,"to":"other"},{"condition":null,"example":[{"expression":"mode","is_other_text":true,"value":null},{"expression":"full","is_other_text":false,"value":"TRUE"}],"is_possible":true,"to":"done"}],"node":"choose"}],"ends":[{"kind":"kill","node":"failed","way":["start","load (error)","failed"]},{"kind":"kill","node":"other","way":null},{"kind":"end","node":"done","way":["start","load","choose (default)","done"]}],"outcomes":4,"unreached":["other"]}
            warning[shadowed_cases]: case for `other` is never taken
              --> app/workflow.xml:11:30
               |
            10 |             <case to="failed">${mode == 'stop'}</case>
               |                               ----------------- leads to `failed` first
            11 |             <case to="other">${mode == 'stop' and full}</case>
               |                              ^^^^^^^^^^^^^^^^^^^^^^^^^^ true only where the earlier case is
               |
               = help: put the narrower condition first, or take it out

            `app`: 1 warning
        "#]],
    );
}

#[test]
fn only_workflows_have_paths() {
    check(
        &["paths", "coordinator.xml"],
        2,
        expect![[r#"
        error: only workflows have paths
          = help: name a workflow; `hpdlc schedule` tells when a coordinator runs
    "#]],
    );
}

#[test]
fn a_template_is_checked_and_neither_built_nor_migrated() {
    check(
        &["check", "template", "--format", "short"],
        0,
        expect![[r#"
            template/workflow.xml:2:16: warning[unrendered_templates]: this looks like a template of Ant or Maven
            template/workflow.xml:11:30: warning[shadowed_cases]: case for `other` is never taken
            `template`: 2 warnings
        "#]],
    );
    check(
        &["build", "template", "-o", "daily"],
        1,
        expect![[r#"
        error[unrendered_templates]: this looks like a template of Ant or Maven
         --> template/workflow.xml:2:16
          |
        2 |     <start to="@first@"/>
          |                ^^^^^^^ is replaced before Oozie sees the document
          |
          = note: 2 diagnostics that follow from it are left out
          = help: check, and build, what it is rendered to

        warning[shadowed_cases]: case for `other` is never taken
          --> template/workflow.xml:11:30
           |
        10 |             <case to="failed">${mode == 'stop'}</case>
           |                               ----------------- leads to `failed` first
        11 |             <case to="other">${mode == 'stop' and full}</case>
           |                              ^^^^^^^^^^^^^^^^^^^^^^^^^^ true only where the earlier case is
           |
           = help: put the narrower condition first, or take it out

        `template`: 1 error, 1 warning; nothing was built
        `hpdlc explain unrendered_templates` tells more about this error
    "#]],
    );
    check(
        &["migrate", "template", "-o", "new"],
        1,
        expect![[r#"
        error[unrendered_templates]: this looks like a template of Ant or Maven
         --> template/workflow.xml:2:16
          |
        2 |     <start to="@first@"/>
          |                ^^^^^^^ is replaced before Oozie sees the document
          |
          = note: 2 diagnostics that follow from it are left out
          = help: check, and build, what it is rendered to

        `template`: 1 error; nothing was written
        `hpdlc explain unrendered_templates` tells more about this error
    "#]],
    );
}

#[test]
fn a_cron_expression_is_explained() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let explain = |expression: &str| {
        run(command::command(hpdlc(), &folder.path().join("home")).args(["explain", expression]))
    };
    let finished = explain("30 6 * * MON-FRI");
    assert_eq!(finished.code, Some(0));
    let lines: Vec<&str> = finished.stdout.lines().collect();
    assert_eq!(
        lines[0],
        "at 06:30 on Monday to Friday (UTC, or the server's time zone)"
    );
    assert!(
        lines[2..].iter().all(|line| line.ends_with(" 06:30Z")),
        "{lines:?}"
    );
    assert_eq!(lines.len(), 5);
    let finished = explain("0 25 * * *");
    assert_eq!(finished.code, Some(2));
    assert!(
        finished
            .stderr
            .starts_with("error: invalid cron expression `0 25 * * *`"),
        "{}",
        finished.stderr
    );
    assert!(
        explain("0 0 30 2 *")
            .stdout
            .contains("never in the next hundred years")
    );
}
