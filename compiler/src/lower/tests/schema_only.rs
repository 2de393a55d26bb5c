//! Results of `--schema-only`, compared with those of libxml2 on the same documents.

use crate::{diagnostics::Sink, lower, source::FileId, syntax::xml};

use super::{document, with_body};

#[track_caller]
fn check(text: &str, is_valid: bool) {
    let mut sink = Sink::default();
    let document = xml::parse(FileId(0), text, &mut sink).expect("the document is well-formed");
    lower::schema_only(&document, text, &mut sink);
    let messages: Vec<String> = sink
        .into_sorted()
        .into_iter()
        .map(|diagnostic| diagnostic.message)
        .collect();
    assert_eq!(messages.is_empty(), is_valid, "{text}\n{messages:?}");
}

/// Checks a coordinator of that version with `parts` before its action.
#[track_caller]
fn check_coordinator(version: &str, parts: &str, is_valid: bool) {
    check(
        &format!(
            "<coordinator-app name='c' frequency='1' start='s' end='e' timezone='UTC' \
             xmlns='uri:oozie:coordinator:{version}'>{parts}\
             <action><workflow><app-path>p</app-path></workflow></action></coordinator-app>"
        ),
        is_valid,
    );
}

#[track_caller]
fn check_body(version: &str, body: &str, is_valid: bool) {
    check(&with_body(version, body), is_valid);
}

#[test]
fn input_events_and_logic() {
    let events = |inside: &str| format!("<input-events>{inside}</input-events>");
    let data_in =
        |inside: &str| events(&format!("<data-in name='a' dataset='d'>{inside}</data-in>"));
    let one = "<data-in name='a' dataset='d'><instance/></data-in>";
    for (version, parts, is_valid) in [
        ("0.4", events(""), false),
        ("0.4", events(&one.repeat(2)), true),
        ("0.4", events("<and/>"), false),
        ("0.5", events(""), true),
        ("0.5", events("<and/>"), true),
        ("0.5", events("<and/><and/>"), false),
        ("0.5", events("<and/><or/>"), false),
        ("0.5", events(&format!("{one}<and/>")), false),
        ("0.1", data_in(""), false),
        ("0.1", data_in("<instance/><instance/>"), true),
        ("0.1", data_in("<start-instance/><end-instance/>"), true),
        ("0.1", data_in("<end-instance/><start-instance/>"), false),
        ("0.1", data_in("<start-instance/>"), false),
        ("0.1", data_in("<start-instance/><instance/>"), false),
        (
            "0.1",
            data_in("<start-instance/><end-instance/><start-instance/><end-instance/>"),
            false,
        ),
    ] {
        check_coordinator(version, &parts, is_valid);
    }
    let data = "<data-in dataset='d'/>";
    for n in 0..5 {
        let combined = format!("<combine>{}</combine>", data.repeat(n));
        let logic = format!("<input-logic>{combined}</input-logic>");
        check_coordinator("0.5", &logic, n != 1);
        let nested =
            format!("<input-logic><or><and>{combined}{data}</and>{data}<or/></or></input-logic>");
        check_coordinator("0.5", &nested, n != 1);
        check_coordinator("0.4", &logic, false);
    }
}

#[test]
fn datasets_controls_and_names() {
    let dataset = |attributes: &str| {
        format!(
            "<datasets><include/><dataset frequency='1' initial-instance='i' timezone='t' {attributes}>\
             <uri-template/><done-flag/></dataset>\
             <async-dataset name='b' sequence-type='s' initial-version='v'><uri-template/></async-dataset>\
             </datasets>"
        )
    };
    for (version, parts, is_valid) in [
        ("0.1", dataset("name='a-1'"), true),
        ("0.1", dataset("name='_a'"), false),
        ("0.1", dataset("name='a' nocleanup='true'"), false),
        ("0.1", "<controls><throttle/></controls>".to_owned(), false),
        ("0.2", "<controls><throttle/></controls>".to_owned(), true),
        (
            "0.2",
            "<controls><throttle/><timeout/></controls>".to_owned(),
            false,
        ),
        ("0.2", "<datasets/><controls/>".to_owned(), false),
    ] {
        check_coordinator(version, &parts, is_valid);
    }
    let bundle = |version: &str, name: &str| {
        format!(
            "<bundle-app name='' xmlns='uri:oozie:bundle:{version}'><controls><kick-off-time/></controls>\
             <coordinator name='{name}'><app-path/></coordinator></bundle-app>"
        )
    };
    check(&bundle("0.1", "a"), true);
    check(&bundle("0.1", "a b"), false);
    check(&bundle("0.2", "a b"), true);
    check("<bundle-app name='b' xmlns='uri:oozie:bundle:0.2'/>", false);
}

#[test]
fn choices_in_action_bodies() {
    let ssh =
        |rest: &str| format!("<ssh xmlns='uri:oozie:ssh-action:0.2'><host/><command/>{rest}</ssh>");
    let sqoop =
        |rest: &str| format!("<sqoop xmlns='uri:oozie:sqoop-action:0.4'>{rest}<file/></sqoop>");
    let hive = |version: &str, rest: &str| {
        format!("<hive xmlns='uri:oozie:hive-action:{version}'>{rest}</hive>")
    };
    for (body, is_valid) in [
        (ssh(""), true),
        (ssh("<args/><args/><capture-output/>"), true),
        (ssh("<arg/><arg/>"), true),
        (ssh("<args/><arg/>"), false),
        (sqoop("<command/>"), true),
        (sqoop("<arg/><arg/>"), true),
        (sqoop(""), false),
        (sqoop("<command/><command/>"), false),
        (sqoop("<command/><arg/>"), false),
        (hive("0.5", "<script/><argument/>"), true),
        (hive("0.5", "<query/>"), false),
        (hive("0.6", "<query/>"), true),
        (hive("0.6", "<query/><script/>"), false),
        (
            hive(
                "1.0",
                "<resource-manager/><launcher><env/><vcores>1</vcores><env/></launcher><query/>",
            ),
            true,
        ),
        (
            hive("1.0", "<resource-manager/><job-tracker/><query/>"),
            false,
        ),
        (
            "<map-reduce><streaming><mapper/></streaming><file/></map-reduce>".to_owned(),
            true,
        ),
        (
            "<map-reduce><streaming/><pipes/></map-reduce>".to_owned(),
            false,
        ),
    ] {
        check_body("0.5", &body, is_valid);
    }
    for version in ["0.1", "0.2"] {
        let http = "<http><http-url/><post content-type='t'/><wait/><capture-output/></http>";
        check_body(version, http, version == "0.1");
        check_body(version, "<email><to/><subject/></email>", version == "0.1");
    }
}

#[test]
fn whatever_another_schema_declares_is_a_body() {
    for (body, is_valid) in [
        ("<datasets xmlns='uri:oozie:coordinator:0.4'/>", true),
        (
            "<kill xmlns='uri:oozie:workflow:0.4' name='k'><message/></kill>",
            true,
        ),
        ("<kill name='k'><message/></kill>", false),
        (
            "<ssh xmlns='uri:oozie:workflow:0.1'><host/><command/></ssh>",
            true,
        ),
        (
            "<ssh xmlns='uri:oozie:workflow:0.2'><host/><command/></ssh>",
            false,
        ),
        (
            "<info xmlns='uri:oozie:sla:0.2'><nominal-time/><should-end/></info>",
            true,
        ),
        (
            "<info xmlns='uri:oozie:sla:0.2'><nominal-time/></info>",
            false,
        ),
        ("<exec xmlns='uri:oozie:shell-action:0.3'/>", false),
        (
            "<shell xmlns='uri:oozie:shell-action:0.9'><exec/></shell>",
            false,
        ),
        ("<shell xmlns=''><exec/></shell>", false),
        ("<custom xmlns='uri:custom'/>", false),
    ] {
        check_body("0.5", body, is_valid);
    }
    check(
        "<shell xmlns='uri:oozie:shell-action:0.3'><exec/></shell>",
        true,
    );
    check("<datasets xmlns='uri:oozie:coordinator:0.4'/>", true);
    check("<launcher xmlns='uri:oozie:workflow:1.0'/>", false);
    check("<shell><exec/></shell>", false);
}

#[test]
fn sla_blocks_have_their_versions_and_order() {
    let old = "<info xmlns='uri:oozie:sla:0.1'><app-name/><nominal-time/><should-start/><should-end/>\
               <notification-msg/><alert-contact/><dev-contact/><qa-contact/><se-contact/></info>";
    let new = "<info xmlns='uri:oozie:sla:0.2'><nominal-time/><should-end/><alert-contact/>\
               <notification-msg/></info>";
    let swapped = "<info xmlns='uri:oozie:sla:0.2'><nominal-time/><should-end/><notification-msg/>\
                   <alert-contact/></info>";
    for (version, block, is_valid) in [
        ("0.1", old, false),
        ("0.2", old, true),
        ("0.4.5", new, false),
        ("0.5", new, true),
        ("0.5", old, true),
        ("0.5", swapped, false),
        ("1.0", "<info xmlns='uri:oozie:sla:0.3'/>", false),
        ("1.0", "<other xmlns='uri:oozie:sla:0.2'/>", false),
    ] {
        let text =
            document(version, "").replace("</workflow-app>", &format!("{block}</workflow-app>"));
        check(&text, is_valid);
    }
}

#[test]
fn elements_without_content_hold_not_even_blanks() {
    for (inside, in_empty, among_elements) in [
        ("", true, true),
        ("<!-- -->", true, true),
        ("<?a b?>", true, true),
        (" ", false, true),
        ("\n<!-- -->", false, true),
        ("&#32;", false, true),
        ("a", false, false),
        ("<![CDATA[]]>", false, false),
        ("<![CDATA[ ]]>", false, false),
        ("<!-- <![CDATA[ --><!-- ]]> -->", true, true),
    ] {
        let flag = format!(
            "<sub-workflow><app-path/><propagate-configuration>{inside}</propagate-configuration></sub-workflow>"
        );
        check_body("0.5", &flag, in_empty);
        let mkdir = format!("<fs><mkdir path='p'>{inside}</mkdir></fs>");
        check_body("0.5", &mkdir, in_empty);
        check_body(
            "0.5",
            &format!("<fs>{inside}<mkdir path='p'/></fs>"),
            among_elements,
        );
        check_body(
            "0.5",
            &format!("<fs><mkdir path='p'/>{inside}</fs>"),
            among_elements,
        );
        // `recursive` was added in 0.4; before, the element had no content.
        let chmod = format!("<fs><chmod path='p' permissions='q'>{inside}</chmod></fs>");
        check_body("0.3", &chmod, in_empty);
        check_body("0.4", &chmod, among_elements);
    }
}

#[test]
fn numbers_truths_and_names_have_their_forms() {
    for (value, is_short, is_unsigned, is_truth) in [
        ("3", true, true, false),
        ("+3", true, false, false),
        ("-3", true, false, false),
        ("-0", true, false, false),
        (" 3 ", false, false, false),
        ("03", true, true, false),
        ("0000000000000000000000000003", true, true, false),
        ("32768", false, true, false),
        ("-32768", true, false, false),
        ("4294967296", false, false, false),
        ("3.0", false, false, false),
        ("", false, false, false),
        ("+", false, false, false),
        ("1", true, true, true),
        ("01", true, true, false),
        ("true", false, false, true),
        (" &#9;false&#10; ", false, false, true),
        ("TRUE", false, false, false),
        ("tr ue", false, false, false),
        ("\u{a0}true", false, false, false),
        ("${a}", false, false, false),
    ] {
        let setrep = format!("<fs><setrep path='p' replication-factor='{value}'/></fs>");
        check_body("0.5", &setrep, is_short);
        let vcores =
            format!("<java><launcher><vcores>{value}</vcores></launcher><main-class/></java>");
        check_body("1.0", &vcores, is_unsigned);
        check_body(
            "0.5",
            &format!("<fs><delete path='p' skip-trash='{value}'/></fs>"),
            is_truth,
        );
    }
    let split = "<java><launcher><vcores>3<!-- -->4</vcores></launcher><main-class/></java>";
    check_body("1.0", split, true);
    let long = "a".repeat(200);
    for (name, is_valid) in [
        ("a", true),
        ("_a-1", true),
        (long.as_str(), true),
        ("", false),
        ("1a", false),
        ("-a", false),
        ("a.b", false),
        (" a", false),
        ("é", false),
        ("${a}", false),
    ] {
        check(
            &document("0.5", &format!("<join name='{name}' to='n'/>")),
            is_valid,
        );
    }
}

#[test]
fn attributes_of_other_namespaces() {
    for (attribute, is_valid) in [
        ("xsi:schemaLocation=''", true),
        ("xsi:noNamespaceSchemaLocation='a b'", true),
        ("xsi:nil='false'", false),
        ("xsi:other=''", false),
        ("xml:lang='en'", false),
        ("xml:space='preserve'", false),
        ("w:name='a'", false),
        ("xmlns:a='b'", true),
    ] {
        for action in [
            format!("<kill name='k' {attribute}><message/></kill>"),
            format!("<kill name='k'><message {attribute}/></kill>"),
        ] {
            let text = document("0.5", &action).replacen(
                "<workflow-app",
                "<workflow-app xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' \
                 xmlns:w='uri:oozie:workflow:0.5'",
                1,
            );
            check(&text, is_valid);
        }
    }
}

#[test]
fn elements_may_name_their_types() {
    for (element, is_valid) in [
        ("<message xsi:type='xs:string'> m 1.+</message>", true),
        ("<message xsi:type='xs:token'> m 1.+</message>", true),
        ("<message xsi:type='xs:NCName'>m1</message>", true),
        ("<message xsi:type='xs:NCName'>m 1</message>", false),
        ("<message xsi:type='xs:language'>en-US</message>", true),
        ("<message xsi:type='xs:language'>m1</message>", false),
        ("<message xsi:type='xs:int'>1</message>", false),
        ("<message xsi:type='xs:anyType'>1</message>", false),
        ("<message xsi:type='IDENTIFIER'>_m</message>", true),
        ("<message xsi:type='w:IDENTIFIER'>m.</message>", false),
        ("<message xsi:type=' w:IDENTIFIER '>m</message>", false),
        (
            "<message xmlns:c='uri:oozie:coordinator:0.1' xsi:type='c:IDENTIFIER'>_m</message>",
            false,
        ),
        ("<message xsi:type='w:CASE'>m</message>", false),
        ("<message xsi:type='w:CASE' to='a'>m</message>", true),
        (
            "<message xmlns:o='uri:oozie:workflow:0.1' xsi:type='o:HTTP-POST' content-type=''/>",
            true,
        ),
        ("<message xsi:type='w:HTTP-POST' content-type=''/>", false),
        ("<message xsi:type='x:y'/>", false),
        ("<message xsi:type=''/>", false),
    ] {
        let kill = format!("<kill name='k' xsi:type='KILL'>{element}</kill>");
        for (kind, is_own) in [
            ("KILL", true),
            ("w:KILL", true),
            ("FORK", false),
            ("kill", false),
        ] {
            let text = document("0.5", &kill.replace("'KILL'", &format!("'{kind}'"))).replacen(
                "<workflow-app",
                "<workflow-app xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' \
                 xmlns:xs='http://www.w3.org/2001/XMLSchema' xmlns:w='uri:oozie:workflow:0.5'",
                1,
            );
            check(&text, is_valid && is_own);
        }
    }
}
