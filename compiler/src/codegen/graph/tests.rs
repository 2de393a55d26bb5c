mod others;
mod svg;

use expect_test::{Expect, expect};

use hpdlc_core::secrets::Secrets;

use super::*;
use crate::analysis::{JobProperties, testing};

const EVERY_KIND: &str = r#"<start to="split"/>
<fork name="split"><path start="load"/><path start="check"/></fork>
<action name="load"><shell xmlns="uri:oozie:shell-action:1.0"><exec>a</exec></shell><ok to="merge"/><error to="fail"/></action>
<action name="check"><fs><mkdir path="file:/x"/></fs><ok to="merge"/><error to="fail"/></action>
<join name="merge" to="choose"/>
<decision name="choose"><switch>
  <case to="end">${wf:conf("a b") eq
     '\\&lt;x&gt;'}</case>
  <case to="end">${one}${two}</case>
  <case to="end">${concat(concat(first, second), concat(third, fourth)) eq 'x'}</case>
  <default to="fail"/>
</switch></decision>
<kill name="fail"><message>m</message></kill>
<end name="end"/>"#;

#[track_caller]
fn check(draw: fn(&Picture) -> String, name: &str, expect: Expect) {
    let document = testing::document(EVERY_KIND).replace("name=\"test\"", name);
    let (app, facts, _) = testing::analyse(&document, &JobProperties::default());
    expect.assert_eq(&draw(&of_workflow(&app, &facts, &Secrets::default())));
}

#[test]
fn dot_has_a_shape_a_kind_and_quotes_what_is_special() {
    check(
        dot,
        "name='a \"b\" \\'",
        expect![[r#"
        digraph "a \"b\" \\" {
            node [shape=box, style=rounded, fontname="sans-serif", fontsize=11];
            edge [fontname="sans-serif", fontsize=9];
            ":start:" [label="start", shape=circle, style=solid];
            "split" [label="split", shape=triangle, style=solid];
            "load" [label="load\nshell"];
            "check" [label="check\nfs"];
            "merge" [label="merge", shape=invtriangle, style=solid];
            "choose" [label="choose", shape=diamond, style=solid];
            "fail" [label="fail", shape=octagon, style=solid];
            "end" [label="end", shape=doublecircle, style=solid];
            ":start:" -> "split";
            "split" -> "load";
            "split" -> "check";
            "load" -> "merge";
            "load" -> "fail" [style=dashed, color=gray70, weight=0];
            "check" -> "merge";
            "check" -> "fail" [style=dashed, color=gray70, weight=0];
            "merge" -> "choose";
            "choose" -> "end" [label="wf:conf(\"a b\") eq '\\\\<x>'"];
            "choose" -> "end" [label="${one}${two}"];
            "choose" -> "end" [label="concat(concat(first, second), concat(thi…"];
            "choose" -> "fail" [label="default"];
        }
    "#]],
    );
}

#[test]
fn mermaid_has_a_shape_a_kind_and_quotes_what_is_special() {
    check(
        mermaid,
        "name='a'",
        expect![[r#"
        flowchart TD
            n0(("start"))
            n1[/"split"\]
            n2("load<br>shell")
            n3("check<br>fs")
            n4[\"merge"/]
            n5{"choose"}
            n6{{"fail"}}
            n7((("end")))
            n0 --> n1
            n1 --> n2
            n1 --> n3
            n2 --> n4
            n2 -.-> n6
            n3 --> n4
            n3 -.-> n6
            n4 --> n5
            n5 -->|"wf:conf(#34;a b#34;) eq '#92;#92;#60;x#62;'"| n7
            n5 -->|"${one}${two}"| n7
            n5 -->|"concat(concat(first, second), concat(thi…"| n7
            n5 -->|"default"| n6
            linkStyle 4,6 stroke:#bbb
    "#]],
    );
}
