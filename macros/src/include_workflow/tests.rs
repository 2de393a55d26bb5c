use std::fs;

use expect_test::{Expect, expect};
use syn::{Expr, File, Item, Meta};

use super::*;

const SOUND: &str = r#"<workflow-app name="w" xmlns="uri:oozie:workflow:1.0">
    <start to="end"/>
    <end name="end"/>
</workflow-app>"#;

fn package(workflow: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::create_dir(folder.path().join("app")).expect("it is new");
    fs::write(folder.path().join("app/workflow.xml"), workflow).expect("writes");
    folder
}

fn expanded(folder: &Path, input: TokenStream) -> File {
    syn::parse2(expand(input, Some(folder), Through::Runtime))
        .expect("an expansion is a list of items")
}

fn string(expression: &Expr) -> String {
    let text: LitStr = syn::parse2(quote!(#expression)).expect("a note is a string");
    text.value()
}

/// The diagnostics for rustc: `error` or `warning`, and the text.
fn said(file: &File) -> Vec<(&'static str, String)> {
    file.items
        .iter()
        .filter_map(|item| match item {
            Item::Macro(item) if item.mac.path.segments.last()?.ident == "compile_error" => {
                let text: LitStr = item.mac.parse_body().expect("one string");
                Some(("error", text.value()))
            }
            Item::Const(item) => {
                let Expr::Block(block) = &*item.expr else {
                    return None;
                };
                let syn::Stmt::Item(Item::Const(deprecated)) = block.block.stmts.first()? else {
                    return None;
                };
                let Meta::List(list) = &deprecated.attrs.first()?.meta else {
                    return None;
                };
                let note: syn::MetaNameValue = list.parse_args().expect("a note");
                Some(("warning", string(&note.value)))
            }
            _ => None,
        })
        .collect()
}

/// Checks the diagnostics of a workflow, with `FOLDER` for the package's folder.
#[track_caller]
fn check(workflow: &str, expected: Expect) {
    let folder = package(workflow);
    let said: Vec<String> = said(&expanded(folder.path(), quote!("app")))
        .into_iter()
        .map(|(level, text)| {
            format!(
                "{level}: {}",
                text.replace(&folder.path().display().to_string(), "FOLDER")
            )
        })
        .collect();
    expected.assert_eq(&said.join("\n----\n"));
}

#[test]
fn sound_workflow_gives_its_items_in_silence() {
    let folder = package(SOUND);
    let file = expanded(folder.path(), quote!("app"));
    assert_eq!(said(&file), []);
    let items = &file.items;
    let text = quote!(#(#items)*).to_string();
    assert!(
        text.contains(
            "pub use self :: workflow :: { PROGRAM , Params , command_line , recover , run }"
        ),
        "{text}"
    );
}

#[test]
fn every_file_that_was_read_is_included() {
    let folder = package(SOUND);
    let path = |name: &str| folder.path().join("app").join(name).display().to_string();
    fs::write(path("config-default.xml"), "<configuration/>").expect("writes");
    // Read, but not embedded.
    fs::write(path(".hpdlignore"), "*.csv\n").expect("writes");
    fs::write(path("large.csv"), "1,2\n").expect("writes");
    let text = expand(quote!("app"), Some(folder.path()), Through::Runtime).to_string();
    for (name, is_included) in [
        ("workflow.xml", true),
        ("config-default.xml", true),
        (".hpdlignore", true),
        ("large.csv", false),
    ] {
        let include = format!("include_bytes ! ({:?})", path(name));
        assert_eq!(text.contains(&include), is_included, "{name}: {text}");
    }
}

#[test]
fn absolute_path_needs_no_package() {
    let folder = package(SOUND);
    let path = folder.path().join("app/workflow.xml").display().to_string();
    assert!(
        expand(quote!(#path), None, Through::Runtime)
            .to_string()
            .contains("PROGRAM")
    );
}

#[test]
fn each_error_is_one_of_rustc() {
    check(
        r#"<workflow-app name="w" xmlns="uri:oozie:workflow:1.0">
    <start to="fisrt"/>
    <action name="first">
        <fs><mkdir path="file:///tmp/${user"/></fs>
        <ok to="end"/>
        <error to="end"/>
    </action>
    <end name="end"/>
</workflow-app>"#,
        expect![[r#"
            error: FOLDER/app/workflow.xml:2:16: error[H0301]: undefined node `fisrt`
             --> FOLDER/app/workflow.xml:2:16
              |
            2 |     <start to="fisrt"/>
              |                ^^^^^ no node has this name
              |
            help: there is a node with a similar name
              |
            2 -     <start to="fisrt"/>
            2 +     <start to="first"/>
              |
            ----
            error: FOLDER/app/workflow.xml:4:38: error[H0401]: invalid expression: expected `}` or an operator, found the end of the value
             --> FOLDER/app/workflow.xml:4:38
              |
            4 |         <fs><mkdir path="file:///tmp/${user"/></fs>
              |                                      ^^^^^^ expected `}` or an operator
              |
              = help: a literal `${` is written `${'${'}`"#]],
    );
}

#[test]
fn lints_are_warnings_of_rustc() {
    check(
        r#"<workflow-app name="w" xmlns="uri:oozie:workflow:1.0">
    <start to="end"/>
    <kill name="failed"><message>nobody comes here</message></kill>
    <end name="end"/>
</workflow-app>"#,
        expect![[r#"
            warning: FOLDER/app/workflow.xml:3:17: warning[unreachable_nodes]: node `failed` is never reached
             --> FOLDER/app/workflow.xml:3:17
              |
            3 |     <kill name="failed"><message>nobody comes here</message></kill>
              |                 ^^^^^^ no transition leads here"#]],
    );
}

#[test]
fn missing_application_is_an_error_at_the_path() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let said = said(&expanded(folder.path(), quote!("nowhere")));
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].1.contains("nowhere: error[H0001]"), "{said:?}");
}

#[test]
fn what_is_no_path_is_refused() {
    for input in [quote!(), quote!(app), quote!("one", "two"), quote!(7)] {
        let said = said(&syn::parse2(expand(input, None, Through::Runtime)).expect("an item"));
        assert_eq!(
            said,
            [(
                "error",
                "`include_workflow!` takes one string: the path of a folder with a `workflow.xml`"
                    .to_owned()
            )]
        );
    }
    let said = said(&syn::parse2(expand(quote!("app"), None, Through::Runtime)).expect("an item"));
    assert!(
        said[0]
            .1
            .starts_with("`app` is relative to CARGO_MANIFEST_DIR"),
        "{said:?}"
    );
}

#[test]
fn program_of_flow_needs_no_other_crate_and_can_be_run_by_a_workflow() {
    let folder = package(&SOUND.replace(
        "<start",
        "<parameters><property><name>out.dir</name></property></parameters><start",
    ));
    let text = expand(quote!("app"), Some(folder.path()), Through::Flow).to_string();
    assert!(!text.contains("hpdlc_runtime"), "{text}");
    let text = text.replace(' ', "");
    assert!(
        text.contains("constPROPERTIES:&[(&str,&str)]=&[(\"out_dir\",\"out.dir\")];"),
        "{text}"
    );
    assert!(text.contains("staticACTIONS:"), "{text}");
    assert!(text.contains("constPLACES:"), "{text}");
}
