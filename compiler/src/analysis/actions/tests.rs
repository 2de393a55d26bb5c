//! A table of bodies for each type, with their diagnostics except that the type is not supported yet.

use hpdlc_tests::cases;

use crate::analysis::testing::short_diagnostics;

/// A workflow whose action has this body, from the second line on.
fn with_body(body: &str) -> String {
    format!(
        "<start to='a'/><action name='a'>\n{body}\n<ok to='end'/><error to='end'/></action><end name='end'/>"
    )
}

/// Bodies of actions, or all nodes.
#[test]
fn bodies() {
    cases::check("compiler/src/analysis/actions/tests.txt", |case| {
        if case.given.contains("<start to=") {
            short_diagnostics(&case.given)
        } else {
            short_diagnostics(&with_body(&case.given))
        }
    });
}

fn shell(content: &str) -> String {
    format!("<shell xmlns='uri:oozie:shell-action:1.0'>{content}</shell>")
}

fn email(to: &str) -> String {
    format!(
        "<email xmlns='uri:oozie:email-action:0.2'><to>{to}</to><cc>c@x</cc><subject>s</subject><body>b</body></email>"
    )
}

#[test]
fn texts_that_are_needed_and_empty() {
    for body in [
        shell("<exec> </exec>"),
        "<java><main-class/></java>".to_owned(),
        "<pig><script/></pig>".to_owned(),
        "<hive xmlns='uri:oozie:hive-action:1.0'><script></script></hive>".to_owned(),
        "<hive2 xmlns='uri:oozie:hive2-action:1.0'><jdbc-url/><query/></hive2>".to_owned(),
        "<sqoop xmlns='uri:oozie:sqoop-action:1.0'><command/></sqoop>".to_owned(),
        "<ssh xmlns='uri:oozie:ssh-action:0.2'><host/><command/></ssh>".to_owned(),
        "<sub-workflow><app-path/></sub-workflow>".to_owned(),
        email(""),
    ] {
        let said = short_diagnostics(&with_body(&body));
        let n_found = said.lines().filter(|line| line.contains(" H0601 ")).count();
        assert_eq!(n_found, 1, "{body}\n{said}");
        assert!(!said.contains(" H0606 "), "{said}");
    }
}
