use hpdlc_tests::cases;

use crate::{
    analysis::testing::{document, short_diagnostics},
    diagnostics::Sink,
    lower,
    source::SourceMap,
    syntax::xml,
};

#[test]
fn nodes() {
    cases::check("compiler/src/analysis/transitions/tests.txt", |case| {
        short_diagnostics(&case.given)
    });
}

#[test]
fn nearest_name_is_suggested() {
    let text = document(
        r#"<start to="claen"/><kill name="clear"><message>no</message></kill><end name="clean"/>"#,
    );
    let mut sources = SourceMap::default();
    let file = sources.add("workflow.xml".to_owned(), text.clone());
    let mut sink = Sink::default();
    let tree = xml::parse(file, &text, &mut sink).unwrap();
    let app = lower::workflow(&tree, None, &mut sink).unwrap();
    let index = super::index(&app, &mut sink);
    super::resolve(&app, &index, &mut sink);
    let diagnostics = sink.into_sorted();
    let [diagnostic] = diagnostics.as_slice() else {
        panic!("one diagnostic, found {diagnostics:?}")
    };
    let [suggestion] = diagnostic.suggestions.as_slice() else {
        panic!("one suggestion, found {diagnostic:?}")
    };
    let [(span, replacement)] = suggestion.edits.as_slice() else {
        panic!("one edit, found {suggestion:?}")
    };
    assert_eq!(
        (sources.snippet(*span), replacement.as_str()),
        ("claen", "clean")
    );
}

#[test]
fn nodes_that_lead_here_are_not_suggested() {
    let text = document(
        r#"<start to="counts"/><fork name="counts"><path start="a"/><path start="b"/></fork>
<action name="a"><fs><mkdir path="file:/x"/></fs><ok to="counted"/><error to="k"/></action>
<action name="b"><fs><mkdir path="file:/x"/></fs><ok to="counted"/><error to="k"/></action>
<kill name="k"><message>no</message></kill><end name="end"/>"#,
    );
    let mut sources = SourceMap::default();
    let file = sources.add("workflow.xml".to_owned(), text.clone());
    let mut sink = Sink::default();
    let tree = xml::parse(file, &text, &mut sink).unwrap();
    let app = lower::workflow(&tree, None, &mut sink).unwrap();
    let index = super::index(&app, &mut sink);
    super::resolve(&app, &index, &mut sink);
    let diagnostics = sink.into_sorted();
    assert_eq!(diagnostics.len(), 1);
    assert_eq!(diagnostics[0].suggestions, []);
    assert_eq!(diagnostics[0].labels.len(), 2);
}
