//! Functions and constants, through the parser and the tree walker.

use chrono::FixedOffset;

use super::{TestJob, check_expressions, evaluate, evaluate_in, failure, failure_kind};
use crate::el::{
    ast::ExprKind,
    constants,
    error::ElErrorKind,
    functions::{self, Needs},
    parser::parse_template,
    value::Value,
};

#[test]
fn constants_have_their_values() {
    check_expressions(&[
        ("KB", "1024"),
        ("MB", "1048576"),
        ("GB", "1073741824"),
        ("TB", "1099511627776"),
        ("PB", "1125899906842624"),
        ("RECORDS", "org.apache.hadoop.mapred.Task$Counter"),
        ("MAP_IN", "MAP_INPUT_RECORDS"),
        ("MAP_OUT", "MAP_OUTPUT_RECORDS"),
        ("REDUCE_IN", "REDUCE_INPUT_RECORDS"),
        ("REDUCE_OUT", "REDUCE_OUTPUT_RECORDS"),
        ("GROUPS", "REDUCE_INPUT_GROUPS"),
    ]);
    assert!(constants::find("kb").is_none());
    assert!(constants::find("DAYS").is_none());
}

#[test]
fn basic_functions() {
    check_expressions(&[
        ("firstNotNull(null, 'b')", "b"),
        ("firstNotNull('', 'b')", ""),
        ("firstNotNull(null, null) == null", "true"),
        ("firstNotNull(wf:conf('none'), 7) + 1", "8"),
        ("firstNotNull(true, 'x') && true", "true"),
        ("concat('a', 'b')", "ab"),
        ("concat(null, null)", ""),
        ("concat(1, 2.0)", "12.0"),
        ("concat(concat('a', 'b'), 'c')", "abc"),
        ("concat ( 'a' , 'b' )", "ab"),
        ("replaceAll('/a/b', '/', '_')", "_a_b"),
        (
            "replaceAll('2009-01-02', '(\\\\d+)-(\\\\d+)-.*', '$2/$1')",
            "01/2009",
        ),
        ("replaceAll('abc', 'b', '\\\\$')", "a$c"),
        ("replaceAll(null, 'x', 'y')", ""),
        ("replaceAll('abc', '', '-')", "-a-b-c-"),
        ("replaceAll('abc', 'x', '$9')", "abc"),
        (
            "appendAll('/a/b/,/c/b/,/c/d/', 'ADD', ',')",
            "/a/b/ADD,/c/b/ADD,/c/d/ADD",
        ),
        ("appendAll('ab', 'ADD', '')", "ADDaADDbADD"),
        ("appendAll('a,b,,', 'X', ',')", "aX,bX"),
        ("appendAll(',a', 'X', ',')", "X,aX"),
        ("appendAll('', 'X', ',')", "X"),
        ("appendAll(',', 'X', ',')", ""),
        ("appendAll('a1b2c', 'X', '[0-9]')", "aX[0-9]bX[0-9]cX"),
        ("appendAll('abc', null, ',')", "abc"),
        ("trim(' \t a b \n')", "a b"),
        ("trim(null)", ""),
        ("trim('\u{A0}')", "\u{A0}"),
        ("urlEncode('a b&c=d/é*-._~')", "a+b%26c%3Dd%2F%C3%A9*-._%7E"),
        ("urlEncode('\u{1F600}')", "%F0%9F%98%80"),
        ("urlEncode(null)", ""),
    ]);
}

#[test]
fn job_functions() {
    check_expressions(&[
        ("wf:id()", "0000001-261120093000123-hpdl-W"),
        ("wf:name()", "daily"),
        ("wf:appPath()", "hdfs://nn:8020/apps/daily"),
        ("wf:user()", "ann"),
        ("wf:group()", ""),
        ("wf:run()", "1"),
        ("wf:run() + 1", "2"),
        ("wf:conf('my.prop')", " dotted "),
        ("wf:conf('none')", ""),
        ("wf:conf('none') == null", "true"),
        ("wf:conf('none') == ''", "false"),
        ("wf:conf('empty.prop') == ''", "true"),
        ("wf : conf ( 'my.prop' )", " dotted "),
        ("wf\n:\nid()", "0000001-261120093000123-hpdl-W"),
        (
            "wf:callback('$jobStatus')",
            "http://host:1/callback?id=1@x&status=$jobStatus",
        ),
        ("wf:transition('shell')", "end"),
        ("wf:transition('none') == null", "true"),
        ("wf:lastErrorNode()", "broken"),
        ("wf:errorCode(wf:lastErrorNode())", "JA018"),
        ("wf:errorMessage('broken')", "exit 1"),
        ("wf:errorMessage('shell') == null", "true"),
        ("wf:actionExternalId('shell')", "local_1"),
        ("wf:actionTrackerUri('shell')", "-"),
        ("wf:actionExternalStatus('shell')", "SUCCEEDED"),
        ("wf:actionExternalStatus('none') == null", "true"),
    ]);
    assert_eq!(
        failure("${wf:callback('')}").message,
        "function `wf:callback` failed: expected a status, found an empty text"
    );
}

#[test]
fn file_functions() {
    check_expressions(&[
        ("fs:exists('/data/*')", "true"),
        ("fs:exists('/none')", "false"),
        ("fs:isDir('/data')", "true"),
        ("fs:fileSize('/data/f') gt 2 * KB - 1", "true"),
        ("fs:fileSize('/none')", "-1"),
        ("fs:dirSize('/data') / KB", "4.0"),
        ("fs:blockSize('/data/f') == 128 * MB", "true"),
    ]);
    let error = failure("${fs:exists('/down')}");
    assert_eq!(error.kind, ElErrorKind::Io);
    assert!(error.is_transient());
}

#[test]
fn maps_as_text() {
    check_expressions(&[
        (
            "toJsonStr(wf:actionData('shell'))",
            r#"{"a.b":"dotted","k":"v","n":"10","path":"\/a b"}"#,
        ),
        ("toJsonStr(wf:actionData('none'))", "{}"),
        ("toJsonStr(null)", "null"),
        ("toJsonStr('')", "null"),
        (
            "toPropertiesStr(wf:actionData('shell'))",
            "#\n#Sat Jan 31 23:59:58 UTC 2026\na.b=dotted\nk=v\nn=10\npath=/a b\n",
        ),
        (
            "toConfigurationStr(wf:actionData('broken'))",
            "<configuration />",
        ),
        (
            "replaceAll(toConfigurationStr(wf:actionData('shell')), '\\\\s+', '')",
            "<configuration><property><name>a.b</name><value>dotted</value></property>\
             <property><name>k</name><value>v</value></property>\
             <property><name>n</name><value>10</value></property>\
             <property><name>path</name><value>/ab</value></property></configuration>",
        ),
    ]);
    assert_eq!(
        failure("${toJsonStr('x')}").message,
        "expected a map, found the text `x` as argument 1 of `toJsonStr`"
    );
    assert_eq!(
        failure("${toConfigurationStr(null)}").message,
        "function `toConfigurationStr` failed: expected a map, found null"
    );
}

#[test]
fn timestamp_is_in_the_processing_time_zone() {
    assert_eq!(evaluate("${timestamp()}"), "2026-01-31T23:59Z");
    let mut job = TestJob::new();
    job.offset = FixedOffset::east_opt(5 * 3600 + 1800).expect("the offset exists");
    assert_eq!(evaluate_in(&job, "${timestamp()}"), "2026-02-01T05:29+0530");
}

#[test]
fn unknown_functions_and_wrong_counts_are_errors() {
    let vectors = [
        ("${nope()}", "undefined function `nope`"),
        ("${wf:jobId()}", "undefined function `wf:jobId`"),
        (
            "${coord:current(0)}",
            "function `coord:current` is not available in phase `workflow`",
        ),
        ("${WF:id()}", "undefined function `WF:id`"),
        (
            "${concat('a')}",
            "expected 2 arguments for `concat`, found 1",
        ),
        (
            "${concat('a', 'b', 'c')}",
            "expected 2 arguments for `concat`, found 3",
        ),
        ("${trim()}", "expected 1 argument for `trim`, found 0"),
        ("${wf:id(1)}", "expected 0 arguments for `wf:id`, found 1"),
        // Counted before the argument is evaluated.
        (
            "${wf:id(unknown)}",
            "expected 0 arguments for `wf:id`, found 1",
        ),
    ];
    for (template, expected) in vectors {
        let error = failure(template);
        assert_eq!(error.message, expected);
        assert_eq!(error.kind, ElErrorKind::UnknownFunction);
    }
    for (template, expected) in [
        ("${conf('a')}", Some("there is `wf:conf`")),
        ("${WF:ID()}", Some("there is `wf:id`")),
        ("${wf:concat('a', 'b')}", Some("there is `concat`")),
        ("${nope()}", None),
    ] {
        assert_eq!(failure(template).help.as_deref(), expected, "{template}");
    }
}

#[test]
fn invalid_patterns_are_errors_of_the_function() {
    assert_eq!(
        failure("${replaceAll('a', '(', 'b')}").message,
        "function `replaceAll` failed: pattern `(`: expected `)`, found the end"
    );
    assert_eq!(
        failure("${replaceAll('a', 'a', '$1')}").message,
        "function `replaceAll` failed: replacement `$1`: there is no group 1"
    );
    assert_eq!(
        failure_kind("${appendAll('a', 'b', '*')}"),
        ElErrorKind::Function
    );
}

#[test]
fn table_names_each_function_once_and_finds_it() {
    let mut names: Vec<String> = functions::all()
        .map(functions::Function::full_name)
        .collect();
    let n_functions = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), n_functions);
    for function in functions::all() {
        let found = functions::find(function.prefix, function.name).expect("it is in the table");
        assert_eq!(found.doc, function.doc, "{found:?}");
    }
}

#[test]
fn every_function_gives_its_declared_type() {
    let job = TestJob::new();
    let can_be_written = |function: &&functions::Function| {
        function.needs != Needs::Coordinator
            && function.prefix != Some(functions::proposal::RENAMED)
    };
    for function in functions::all().filter(can_be_written) {
        for argument in ["'shell'", "'none'", "''"] {
            let arguments = match function.name {
                name if name.starts_with("to") => vec!["wf:actionData('shell')"],
                _ => vec![argument; function.params.len()],
            };
            let template = format!("${{{}({})}}", function.full_name(), arguments.join(", "));
            let parsed = parse_template(&template).expect("the call is of the language");
            let expr = parsed.expressions().next().expect("there is one");
            assert!(matches!(expr.kind, ExprKind::Call { .. }));
            match crate::el::eval::evaluate_expr(expr, &job) {
                Ok(value) => assert!(function.result.admits(&value), "{template} is {value:?}"),
                Err(error) => {
                    assert_eq!(error.kind, ElErrorKind::Function, "{template}");
                    let refuses = ["callback", "callbackUrl"].contains(&function.name)
                        || matches!(function.prefix, Some("hdfs" | "hadoop" | "hcat"));
                    assert!(refuses, "{template}");
                }
            }
        }
    }
    assert!(!crate::el::types::Type::Text.admits(&Value::Null));
}
