//! Where a mistake is shown, and what suggestions insert.

use expect_test::expect;

use super::{lower, with_body};

#[test]
fn expression_that_is_not_closed_is_shown_where_it_starts() {
    let text = with_body(
        "0.5",
        "<java><job-tracker>${jobTracker\n</job-tracker><name-node>n</name-node><main-class>${a} ${b\n--c ${d}</main-class></java>",
    );
    let (_, diagnostics) = lower(&text, None);
    let labels: Vec<String> = diagnostics
        .iter()
        .flat_map(|diagnostic| &diagnostic.labels)
        .map(|label| format!("{} {}", &text[label.span.range()], label.text))
        .collect();
    expect![[r#"
        ${jobTracker expected `}` or an operator
        $ expected `}` or an operator
        ${ this expression is still open"#]]
    .assert_eq(&labels.join("\n"));
}

#[test]
fn what_is_inserted_has_the_prefix_of_its_parent() {
    let text = "<w:workflow-app xmlns:w='uri:oozie:workflow:0.5' name='n'><w:start to='k'/><w:kill name='k'></w:kill><w:end name='e'/></w:workflow-app>";
    let (_, diagnostics) = lower(text, None);
    let inserted: Vec<&str> = diagnostics
        .iter()
        .flat_map(|diagnostic| &diagnostic.suggestions)
        .flat_map(|suggestion| &suggestion.edits)
        .map(|(_, inserted)| inserted.as_str())
        .collect();
    assert_eq!(inserted, ["<w:message>…</w:message>"]);
}
