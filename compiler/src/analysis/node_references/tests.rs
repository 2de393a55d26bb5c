use std::fmt::Write as _;

use hpdlc_tests::cases;

use crate::analysis::testing::short_diagnostics;

/// A workflow, one node per line:
/// `name = next failure` is a shell action with captured output, `name ? case default` a decision, `name < a b` a fork, `name > next` a
/// join, `name x` a kill. What is after `:` is a text that the node evaluates.
fn document(lines: &str) -> String {
    let mut nodes = String::new();
    for (number, line) in lines.lines().enumerate() {
        let (node, text) = line.split_once(':').unwrap_or((line, "true"));
        let words: Vec<&str> = node.split_whitespace().collect();
        if number == 0 {
            write!(nodes, r#"<start to="{}"/>"#, words[0]).unwrap();
        }
        let text = text.trim();
        match words.as_slice() {
            [name, "=", ok, error] => write!(
                nodes,
                r#"<action name="{name}"><shell xmlns="uri:oozie:shell-action:1.0"><exec>x</exec><argument>{text}</argument><capture-output/></shell><ok to="{ok}"/><error to="{error}"/></action>"#
            ),
            [name, "?", case, default] => write!(
                nodes,
                r#"<decision name="{name}"><switch><case to="{case}">{text}</case><default to="{default}"/></switch></decision>"#
            ),
            [name, "<", paths @ ..] => {
                let paths: String = paths
                    .iter()
                    .map(|path| format!(r#"<path start="{path}"/>"#))
                    .collect();
                write!(nodes, r#"<fork name="{name}">{paths}</fork>"#)
            }
            [name, ">", next] => write!(nodes, r#"<join name="{name}" to="{next}"/>"#),
            [name, "x"] => {
                write!(nodes, r#"<kill name="{name}"><message>{text}</message></kill>"#)
            }
            other => panic!("{other:?}"),
        }
        .unwrap();
    }
    nodes.push_str(r#"<end name="e"/>"#);
    nodes
}

/// Workflows, and the rules that they violate.
#[test]
fn workflows() {
    cases::check("compiler/src/analysis/node_references/tests.txt", |case| {
        let said = short_diagnostics(&document(&case.given));
        let rules = said.lines().filter_map(|line| line.split(' ').nth(1));
        rules.collect::<Vec<_>>().join("\n")
    });
}

#[test]
fn some_nodes_leave_no_data() {
    let said = short_diagnostics(
        r#"<start to="a"/><action name="a"><fs><mkdir path="file:/x"/></fs><ok to="b"/><error to="k"/></action>
<action name="b"><shell xmlns="uri:oozie:shell-action:1.0"><exec>x</exec><argument>${wf:actionData('a')['x']}</argument></shell><ok to="c"/><error to="k"/></action>
<action name="c"><shell xmlns="uri:oozie:shell-action:1.0"><exec>x</exec><argument>${wf:actionData('b')['x']}</argument></shell><ok to="e"/><error to="k"/></action>
<kill name="k"><message>m</message></kill><end name="e"/>"#,
    );
    assert_eq!(
        said,
        "2:100: nodes_without_data node `a` leaves no data\n3:100: nodes_without_data node `b` leaves no data\n"
    );
}

#[test]
fn the_other_path_is_shown() {
    let said = crate::analysis::testing::notes(&document(
        "s = d k\nd ? a b: ${c}\na = b k\nb = e k: ${wf:actionData('a')['x']}\nk x",
    ));
    assert_eq!(said, ["for example: `s` -> `d` -> `b`"]);
}

#[test]
fn errors_are_compared_with_what_there_is() {
    let rules = |condition: &str| -> Vec<String> {
        let nodes = format!(
            r#"<start to="f"/>
<action name="f"><fs><name-node>nn</name-node><mkdir path="/a"/></fs><ok to="s"/><error to="d"/></action>
<action name="s"><shell xmlns="uri:oozie:shell-action:1.0"><exec>x</exec></shell><ok to="end"/><error to="d"/></action>
<decision name="d"><switch><case to="end">${{{condition}}}</case><default to="k"/></switch></decision>
<kill name="k"><message>m</message></kill><end name="end"/>"#
        );
        crate::analysis::testing::short_diagnostics(&nodes)
            .lines()
            .filter_map(|line| line.split_once(" impossible_error_comparisons "))
            .map(|(_, said)| said.to_owned())
            .collect()
    };
    for possible in [
        "wf:errorCode('f') eq 'FS009'",
        "wf:errorCode('f') eq 'EL_ERROR'",
        "wf:errorCode('f') eq 'JA009'",
        "wf:errorCode('s') eq '1'",
        "wf:errorCode('s') eq 'JA018'",
        "wf:errorCode('s') eq x",
        "wf:errorCode('s') eq 'IOException'",
        "wf:lastErrorNode() eq 's'",
        "wf:lastErrorNode() eq ''",
    ] {
        assert_eq!(rules(possible), [""; 0], "{possible}");
    }
    for impossible in [
        "wf:errorCode('f') eq 'FS099'",
        "'fs009' ne wf:errorCode('f')",
        "wf:errorCode('f') eq '1'",
        "wf:errorCode('s') eq '2'",
        "wf:errorCode('s') eq 'FS009'",
        "wf:errorCode('s') eq 'JA118'",
        "wf:errorCode('d') eq '1'",
        "wf:lastErrorNode() eq 'shell'",
        "wf:lastErrorNode() eq 'd'",
    ] {
        assert_eq!(rules(impossible).len(), 1, "{impossible}");
    }
}
