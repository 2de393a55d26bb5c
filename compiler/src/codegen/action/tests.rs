//! The action type that each room adds for tests goes the way of all others, from the document to the static table.

use crate::{
    analysis::{self, JobProperties},
    codegen::testing,
    source::SourceMap,
};

const DOCUMENT: &str = r#"<workflow-app xmlns="uri:oozie:workflow:1.0" name="probing">
    <start to="look"/>
    <action name="look">
        <probe xmlns="uri:hpdl:probe-action:1.0"><text>hello ${name}</text></probe>
        <ok to="end"/>
        <error to="end"/>
    </action>
    <end name="end"/>
</workflow-app>"#;

#[test]
fn a_type_that_was_added_is_read_checked_and_compiled() {
    let (app, facts, said) = analysis::testing::analyse(DOCUMENT, &JobProperties::default());
    assert_eq!(said, "");
    assert!(facts.property("name").is_some(), "{:?}", facts.properties);
    let (_, _, said) = analysis::testing::analyse(
        &DOCUMENT.replace("text>", "txt>"),
        &JobProperties::default(),
    );
    assert!(said.contains("unknown element `txt`"), "{said}");

    let mut sources = SourceMap::default();
    sources.add("workflow.xml".to_owned(), DOCUMENT.to_owned());
    let rust = testing::inline_program(&sources, &app, &facts);
    for part in ["Body::Probe(Probe {", "text: Template::Around(", "Probe,"] {
        assert!(rust.contains(part), "{rust}");
    }
}
