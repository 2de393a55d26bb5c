use expect_test::expect;
use hpdlc_tests::cases;

use crate::{
    analysis::{
        self, JobProperties,
        testing::{analyse, document, short_diagnostics},
    },
    diagnostics::{Sink, render::terminal},
    lower,
    model::OwnFunction,
    source::SourceMap,
    syntax::xml,
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

/// Functions of the program are proposed as those of Oozie are.
#[test]
fn own_functions_are_known() {
    let text = document(
        r#"<start to="a"/><action name="a"><fs><mkdir path="file:/${acme:buckt('x')}/${bucket('x')}/${acme:bucket('x')}"/></fs><ok to="end"/><error to="end"/></action><end name="end"/>"#,
    );
    let mut sources = SourceMap::default();
    let file = sources.add("workflow.xml".to_owned(), text.clone());
    let mut sink = Sink::default();
    let tree = xml::parse(file, &text, &mut sink).expect("it is well-formed");
    let mut app = lower::workflow(&tree, None, &mut sink).expect("it is a workflow");
    app.functions.push(OwnFunction {
        prefix: "acme".to_owned(),
        name: "bucket".to_owned(),
        n_arguments: 1,
        path: "super::FUNCTION".to_owned(),
        described: None,
    });
    let facts = analysis::workflow(&app, &JobProperties::default(), &mut sink);
    assert_eq!(facts.functions, app.functions);
    let printed: Vec<String> = sink
        .into_sorted()
        .iter()
        .map(|it| terminal::render(it, &sources, terminal::Style::default()))
        .collect();
    assert_eq!(printed.len(), 2, "{printed:#?}");
    for (printed, wrong) in printed.iter().zip(["acme:buckt", "bucket"]) {
        assert!(
            printed.contains(&format!("undefined function `{wrong}`")),
            "{printed}"
        );
        assert!(printed.contains("${acme:bucket('x')}/"), "{printed}");
    }
}
