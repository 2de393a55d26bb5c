use std::fmt::Write as _;

use crate::analysis::testing::short_diagnostics;

/// A workflow in a line a node:
/// `name = next failure` is a shell action with captured output, `name ? case default` a decision, `name < a b` a fork, `name > next` a
/// join, `name x` a kill. What stands behind `:` is a text that the node evaluates.
fn document(lines: &str) -> String {
    let mut nodes = String::new();
    for (number, line) in lines.split('|').map(str::trim).enumerate() {
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

/// Each vector is a workflow and the rules that are broken in it.
#[track_caller]
fn check(vectors: &[(&str, &[&str])]) {
    for (lines, expected) in vectors {
        let said = short_diagnostics(&document(lines));
        let rules: Vec<&str> = said
            .lines()
            .filter_map(|line| line.split(' ').nth(1))
            .collect();
        assert_eq!(rules, *expected, "for `{lines}`:\n{said}");
    }
}

const UNAVAILABLE: &[&str] = &["unavailable_node_references"];
const UNCERTAIN: &[&str] = &["uncertain_node_references"];
const NONE: &[&str] = &[];

#[test]
fn what_has_certainly_run_has_an_answer() {
    check(&[
        ("a = b k | b = e k: ${wf:actionData('a')['x']} | k x", NONE),
        (
            "a = d k | d ? b e: ${wf:actionData('a').x eq 1} | b = e k | k x",
            NONE,
        ),
        ("a = b b | b = e k: ${wf:transition('a')} | k x", NONE),
        ("a = e k | k x: ${wf:errorMessage('a')}", NONE),
        // Of an error the other case is as usual.
        ("a = b k | b = e k | k x: ${wf:errorMessage('a')}", NONE),
    ]);
}

#[test]
fn what_runs_later_or_never_before_has_none() {
    check(&[
        (
            "a = b k: ${wf:actionData('b')['x']} | b = e k | k x",
            UNAVAILABLE,
        ),
        (
            "a = b k: ${wf:actionData('a')['x']} | b = e k | k x",
            UNAVAILABLE,
        ),
        (
            "d ? a b: ${c} | a = e k | b = e k: ${wf:actionExternalId('a')} | k x",
            UNAVAILABLE,
        ),
        (
            "a = b k: ${empty wf:actionData('b')['x']} | b = e k | k x",
            UNAVAILABLE,
        ),
    ]);
}

#[test]
fn the_way_out_of_a_node_counts() {
    check(&[
        (
            "a = e b | b = e k: ${wf:actionData('a')['x']} | k x",
            UNAVAILABLE,
        ),
        ("a = e b | b = e k: ${wf:errorCode('a')} | k x", NONE),
        ("a = b k | b = e k: ${wf:errorCode('a')} | k x", UNAVAILABLE),
        (
            "a = b b | b = e k: ${wf:actionData('a')['x']} | k x",
            UNCERTAIN,
        ),
    ]);
}

#[test]
fn a_path_that_passes_a_node_by_is_uncertain() {
    check(&[
        (
            "d ? a b: ${c} | a = b k | b = e k: ${wf:actionData('a')['x']} | k x",
            UNCERTAIN,
        ),
        (
            "d ? a b: ${c} | a = b k | b = e k: ${wf:transition('a')} | k x",
            UNCERTAIN,
        ),
        (
            "d ? a b: ${c} | a = k b | b = e k: ${wf:errorCode('a')} | k x",
            NONE,
        ),
    ]);
}

#[test]
fn an_answer_for_the_other_case_is_enough() {
    for text in [
        "${empty wf:actionData('a')['x']}",
        "${wf:actionData('a')['x'] eq null}",
        "${null != wf:actionData('a').x}",
        "${firstNotNull(wf:actionData('a')['x'], '0')}",
        "${c eq 'x' ? wf:actionData('a')['x'] : ''}",
        "${c eq 'x' and wf:actionData('a')['x'] eq '1'}",
    ] {
        let lines = format!("d ? a b: ${{c}} | a = b k | b = e k: {text} | k x");
        check(&[(&lines, NONE)]);
    }
}

#[test]
fn behind_a_join_every_branch_has_run() {
    let fork = "f < a b | a = j k | b = j k | j > c | k x";
    check(&[
        (
            &format!("{fork} | c = e k: ${{wf:actionData('a')['x']}} ${{wf:actionData('b')['x']}}"),
            NONE,
        ),
        (
            "f < a b | a = j k | b = j k: ${wf:actionData('a')['x']} | j > e | k x",
            UNAVAILABLE,
        ),
        (
            "f < a d | a = j k | d ? b j: ${c} | b = j k | j > c | c = e k: ${wf:actionData('b')['x']} | k x",
            UNCERTAIN,
        ),
        // The inner join has it, and the outer one has the inner one.
        (
            "f < a g | a = j k | g < b c | b = i k | c = i k | i > j | j > d | d = e k: ${wf:actionData('c')['x']} | k x",
            NONE,
        ),
        // Before the fork is before both branches.
        (
            "a = f k | f < b c | b = j k: ${wf:actionData('a')['x']} | c = j k | j > e | k x",
            NONE,
        ),
    ]);
}

#[test]
fn some_nodes_leave_no_data() {
    const WITHOUT: &[&str] = &["nodes_without_data"];
    check(&[
        (
            "d ? a e: ${c} | a = e k: ${wf:actionData('d')['x']} | k x",
            WITHOUT,
        ),
        ("d ? a e: ${c} | a = e k: ${wf:transition('d')} | k x", NONE),
    ]);
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
fn a_transition_is_one_that_the_node_has() {
    const IMPOSSIBLE: &[&str] = &["impossible_transitions"];
    check(&[
        (
            "d ? a b: ${c} | a = x k | b = x k | x ? e k: ${wf:transition('d') eq 'a'} | k x",
            NONE,
        ),
        (
            "d ? a b: ${c} | a = x k | b = x k | x ? e k: ${'q' ne wf:transition('d')} | k x",
            IMPOSSIBLE,
        ),
        (
            "a = x k | x ? e k: ${wf:transition('a') eq 'X'} | k x",
            IMPOSSIBLE,
        ),
    ]);
}

#[test]
fn the_other_path_is_shown() {
    let said = crate::analysis::testing::notes(&document(
        "s = d k | d ? a b: ${c} | a = b k | b = e k: ${wf:actionData('a')['x']} | k x",
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
