use expect_test::{Expect, expect};

use crate::analysis::testing::short_diagnostics;

/// A shell action with this `cred`, below a section with these names.
#[track_caller]
fn check(section: Option<&[&str]>, cred: &str, body: &str, expect: Expect) {
    let section = section.map_or_else(String::new, |names| {
        let list: String = names
            .iter()
            .map(|name| format!("<credential name='{name}' type='hcat'><property><name>u</name><value>${{uri}}</value></property></credential>"))
            .collect();
        format!("<credentials>{list}</credentials>")
    });
    let nodes = format!(
        "{section}<start to='a'/>\n<action name='a' cred='{cred}'>{body}<ok to='end'/><error to='end'/></action><end name='end'/>"
    );
    expect.assert_eq(&short_diagnostics(&nodes));
}

const SHELL: &str = "<shell xmlns='uri:oozie:shell-action:1.0'><exec>x</exec></shell>";

#[test]
fn names_are_looked_up_without_regard_to_case() {
    check(Some(&["Meta", "base"]), "META,base", SHELL, expect![[""]]);
}

#[test]
fn unknown_names_are_reported_one_by_one() {
    check(
        Some(&["meta"]),
        "met, meta,,x,",
        SHELL,
        expect![[r#"
            2:24: H0609 undefined credential `met`
            2:28: H0609 undefined credential ` meta`
            2:34: H0609 undefined credential ``
            2:35: H0609 undefined credential `x`
        "#]],
    );
}

#[test]
fn nobody_reads_names_without_a_section() {
    check(
        None,
        "meta",
        SHELL,
        expect![[r#"
            2:24: ignored_credentials `cred` of action `a` has no effect
        "#]],
    );
}

#[test]
fn types_without_a_launcher_take_none() {
    check(
        Some(&["meta"]),
        "meta",
        "<fs><mkdir path='file:/x'/></fs>",
        expect![[r#"
            2:24: ignored_credentials `cred` of action `a` has no effect
        "#]],
    );
}

#[test]
fn skipped_credentials_are_not_looked_up() {
    check(
        Some(&["meta"]),
        "other",
        "<shell xmlns='uri:oozie:shell-action:1.0'><configuration><property><name>oozie.credentials.skip</name><value>true</value></property></configuration><exec>x</exec></shell>",
        expect![[""]],
    );
}

#[test]
fn empty_list_asks_for_nothing() {
    check(Some(&["meta"]), " ", SHELL, expect![[""]]);
}

#[test]
fn properties_of_credentials_take_no_functions() {
    let nodes = "<credentials><credential name='a' type='b'><property><name>n</name><value>${wf:id()}</value></property></credential></credentials><start to='end'/><end name='end'/>";
    expect![[r#"
        1:77: H0413 function `wf:id` cannot be called here
    "#]]
    .assert_eq(&short_diagnostics(nodes));
}
