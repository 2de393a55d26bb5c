use expect_test::{Expect, expect};

use crate::{
    analysis::{
        Given, GivenProperty,
        testing::{analyse, document},
    },
    source::{FileId, Span},
};

fn given(properties: &[(&str, &str)]) -> Given {
    Given {
        is_complete: true,
        zone: None,
        controls: None,
        properties: properties
            .iter()
            .map(|(name, value)| {
                let property = GivenProperty {
                    value: (*value).to_owned(),
                    span: None,
                };
                ((*name).to_owned(), property)
            })
            .collect(),
    }
}

/// A workflow with these `parameters` and one `fs` action with these operations, on line 3.
fn workflow(parameters: &str, operations: &str) -> String {
    let parameters = match parameters {
        "" => String::new(),
        declared => format!("<parameters>{declared}</parameters>"),
    };
    document(&format!(
        r#"{parameters}
<start to="a"/><action name="a"><fs>
{operations}
</fs><ok to="end"/><error to="end"/></action>
<end name="end"/>"#
    ))
}

#[track_caller]
fn check(parameters: &str, operations: &str, given: &Given, expect: Expect) {
    let (_, _, diagnostics) = analyse(&workflow(parameters, operations), given);
    expect.assert_eq(&diagnostics);
}

const DIR: &str = "<property><name>dir</name></property>";
const DIR_DEFAULT: &str = "<property><name>dir</name><value>file:/d</value></property>";

#[test]
fn without_given_properties_nothing_is_undefined() {
    check(
        DIR,
        r#"<mkdir path="${dir}/${sub}"/>"#,
        &Given::default(),
        expect![""],
    );
}

#[test]
fn properties_that_come_from_nowhere_are_reported_at_their_first_use() {
    check(
        "",
        r#"<mkdir path="${root}/a"/><mkdir path="${root}/${sub}"/>"#,
        &given(&[("rot", "/r")]),
        expect![[r#"
            3:16: H0511 undefined property `root`
            3:49: H0511 undefined property `sub`
        "#]],
    );
}

#[test]
fn what_may_be_absent_is_not_reported() {
    check(
        "",
        r#"<mkdir path="file:/a/${empty wf:conf('y') ? y : z}${wf:conf('y') ne null and w}"/>"#,
        &given(&[]),
        expect![""],
    );
    check(
        "",
        r#"<mkdir path="file:/a/${wf:conf('x')}${wf:conf('oozie.x')}${wf:conf('y') eq 'b' and w}"/>"#,
        &given(&[]),
        expect![[r#"
            3:32: unset_properties nothing defines property `x`
            3:68: unset_properties nothing defines property `y`
        "#]],
    );
}

#[test]
fn given_and_default_values_are_enough() {
    check(
        DIR_DEFAULT,
        r#"<mkdir path="${dir}/${sub}/${KB}"/>"#,
        &given(&[("sub", "s")]),
        expect![""],
    );
    check(
        DIR,
        r#"<mkdir path="${dir}"/>"#,
        &given(&[("dir", "file:/d")]),
        expect![""],
    );
}

#[test]
fn declared_properties_must_have_a_value() {
    check(
        DIR,
        r#"<mkdir path="${dir}"/>"#,
        &given(&[("dirs", "/d")]),
        expect![[r#"
            1:29: H0512 parameter `dir` has no value
        "#]],
    );
    check(
        "<property><name>dir</name><value>${dir}</value></property>",
        r#"<mkdir path="${dir}"/>"#,
        &given(&[]),
        expect![[r#"
            1:29: H0512 parameter `dir` has no value
        "#]],
    );
}

#[test]
fn names_with_dots_and_hyphens_get_a_hint() {
    check(
        "",
        r#"<mkdir path="${my.dir}"/><mkdir path="${sub-dir}"/>"#,
        &given(&[("my.dir", "/d"), ("sub-dir", "/s")]),
        expect![[r#"
            3:16: H0414 expression `my.dir` always fails
            3:41: H0511 property `sub-dir` cannot be read as a variable
        "#]],
    );
}

#[test]
fn properties_that_nothing_reads_are_reported() {
    check(
        "<property><name>dir</name><value>file:/d</value></property><property><name>base</name><value>/b</value></property><property><name>top</name><value>${base}</value></property><property><name>oozie.launcher.x</name><value>1</value></property>",
        r#"<mkdir path="${top}"/>"#,
        &Given::default(),
        expect![[r#"
            1:29: unused_parameters parameter `dir` is never read
        "#]],
    );
}

#[test]
fn constants_cannot_be_given() {
    check(
        "",
        r#"<mkdir path="file:/a"/>"#,
        &given(&[("GB", "1"), ("DAYS", "2"), ("Gb", "3")]),
        expect![[r#"
            1:0: H0513 property name `DAYS` is reserved
            1:0: H0513 property name `GB` is reserved
        "#]],
    );
}

#[test]
fn endless_substitution_is_reported_once() {
    check(
        "",
        r#"<mkdir path="${a}"/>"#,
        &given(&[("a", "${b}"), ("b", "${c}"), ("c", "${a}")]),
        expect![[r#"
            1:0: H0514 property `a` refers to itself
        "#]],
    );
}

#[test]
fn similar_name_in_a_properties_file_is_labelled() {
    let mut given = given(&[("rot", "/r")]);
    let key = Span::new(FileId(7), 3, 6);
    for property in given.properties.values_mut() {
        property.span = Some(key);
    }
    let mut sink = crate::diagnostics::Sink::default();
    let text = workflow("", r#"<mkdir path="${root}/a"/>"#);
    let mut sources = crate::source::SourceMap::default();
    let file = sources.add("workflow.xml".to_owned(), text.clone());
    let tree = crate::syntax::xml::parse(file, &text, &mut sink).unwrap();
    let app = crate::lower::workflow(&tree, None, &mut sink).unwrap();
    crate::analysis::workflow(&app, &given, &mut sink);
    let diagnostics = sink.into_sorted();
    assert!(
        diagnostics
            .iter()
            .any(|diagnostic| diagnostic.labels.iter().any(|label| label.span == key)),
        "{diagnostics:?}"
    );
}

/// Name, type, whether it is required, and the number of uses of each property.
#[track_caller]
fn check_uses(parameters: &str, operations: &str, expect: Expect) {
    let (_, facts, _) = analyse(&workflow(parameters, operations), &Given::default());
    let lines: String = facts
        .properties
        .iter()
        .map(|property| {
            let presence = match (property.is_required(), property.default()) {
                (true, _) => "required".to_owned(),
                (false, Some(default)) => format!("default {default:?}"),
                (false, None) => "optional".to_owned(),
            };
            let (name, r#type) = (&property.name, property.r#type.name());
            format!("{name}: {type}, {presence}, {} uses\n", property.uses.len())
        })
        .collect();
    expect.assert_eq(&lines);
}

#[test]
fn uses_are_collected_by_name() {
    check_uses(
        "<property><name>dir</name><value>file:/d</value></property><property><name>declared</name></property>",
        r#"<mkdir path="${dir}/${b}/${a}"/><mkdir path="${a}${wf:conf('c')}${wf:conf('b')}"/>"#,
        expect![[r#"
            a: string, required, 2 uses
            b: string, required, 2 uses
            c: string, optional, 1 uses
            declared: string, required, 0 uses
            dir: path, default "file:/d", 1 uses
        "#]],
    );
}

#[test]
fn types_follow_from_uses() {
    check_uses(
        "<property><name>text_default</name><value>ten</value></property>",
        r#"<mkdir path="${size * 2}${size}"/><mkdir path="${flag ? 1 : 2}${on eq 'true'}"/><mkdir path="${mixed + 1}${mixed eq 'a'}${text_default + 1}${n gt 3}"/>"#,
        expect![[r#"
            flag: boolean, required, 1 uses
            mixed: string, required, 2 uses
            n: integer, required, 1 uses
            on: boolean, required, 1 uses
            size: number, required, 2 uses
            text_default: string, default "ten", 1 uses
        "#]],
    );
}
