use expect_test::expect;
use hpdlc_tests::cases;

use crate::analysis::{
    JobProperties,
    testing::{analyse, short_diagnostics},
};

/// Texts as the path of a `mkdir`; their first column is 1.
#[test]
fn texts() {
    cases::check("compiler/src/analysis/el_scope/tests.txt", |case| {
        short_diagnostics(&format!(
            r#"<start to="a"/>
<action name="a"><fs><mkdir path="
{}"/></fs><ok to="end"/><error to="end"/></action>
<end name="end"/>"#,
            case.given
        ))
    });
}

#[test]
fn nothing_can_be_called_at_submission() {
    let document = r#"<workflow-app xmlns="uri:oozie:workflow:1.0" name="${concat(a, b)}">
<start to="a"/>
<action name="a" retry-max="${wf:conf('n')}" retry-interval="${n}"><fs><mkdir path="file:/x"/></fs><ok to="end"/><error to="end"/></action>
<end name="end"/></workflow-app>"#;
    let (_, _, diagnostics) = analyse(document, &JobProperties::default());
    expect![[r#"
        1:54: H0413 function `concat` cannot be called here
        3:31: H0413 function `wf:conf` cannot be called here
    "#]]
    .assert_eq(&diagnostics);
}
