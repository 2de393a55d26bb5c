//! The functions of the proposal of 2009, which documents in its dialect call.

use chrono::FixedOffset;

use super::{TestJob, check_expressions, evaluate, failure};
use crate::el::{
    ast,
    error::ElErrorKind,
    eval::evaluate_template,
    functions::{self, Dialect, proposal},
    parser::parse_template,
};

/// The template as a document in that dialect means it.
fn meant(template: &str) -> ast::Template {
    let mut parsed = parse_template(template).expect("the template is of the language");
    proposal::meant(&mut parsed);
    parsed
}

#[track_caller]
fn check_meant(vectors: &[(&str, &str)]) {
    for (template, expected) in vectors {
        let text = evaluate_template(&meant(template), &TestJob::new());
        assert_eq!(text.as_deref(), Ok(*expected), "{template}");
    }
}

#[test]
fn texts_and_times_have_their_meaning_of_2009() {
    check_meant(&[
        ("${concat('a', 'b', 'c')}", "abc"),
        ("${concat('a', null, 'c')}", "ac"),
        ("${concat('a', 'b')}", "ab"),
        ("<${concat(concat('a', 'b', 'c'), 'd')}>", "<abcd>"),
        ("${trim(true ? concat(' a', 'b', 'c ') : '')}", "abc"),
        ("${concat('a', 'b', 'c') == 'abc' and not false}", "true"),
        ("${timestamp()}", "2026-01-31T23:59:58.00Z"),
    ]);
    let mut job = TestJob::new();
    job.offset = FixedOffset::east_opt(5 * 3600 + 1800).expect("the offset exists");
    assert_eq!(
        evaluate_template(&meant("${timestamp()}"), &job).as_deref(),
        Ok("2026-01-31T23:59:58.00Z"),
        "the proposal knows no time zone but UTC"
    );
}

#[test]
fn names_of_oozie_keep_their_meaning_elsewhere() {
    assert_eq!(evaluate("${timestamp()}"), "2026-01-31T23:59Z");
    assert_eq!(
        failure("${concat('a', 'b', 'c')}").kind,
        ElErrorKind::UnknownFunction
    );
    assert!(parse_template("${2009:timestamp()}").is_err());
}

#[test]
fn job_functions_of_2009() {
    check_expressions(&[
        ("wf:appName()", "daily"),
        (
            "wf:callbackUrl('%STATE%')",
            "http://host:1/callback?id=1@x&status=%STATE%",
        ),
        ("wf:exitState('shell')", "OK"),
        ("wf:nodeStatus('broken')", "ERROR"),
        ("wf:exitState('killed') == null", "true"),
        ("wf:exitState('none') == null", "true"),
        ("wf:errorNode()", "broken"),
        ("wf:recovery() + 0", "1"),
        ("hadoop:jobId('shell')", "local_1"),
        ("hadoop:jobTracker('shell')", "-"),
        ("hadoop:jobStatus('shell')", "SUCCEEDED"),
        ("hadoop:jobStatus('none') == null", "true"),
        ("hadoop:jobCounters('counted')[RECORDS][MAP_IN]", "7"),
        ("hadoop:jobCounters('uncounted')[RECORDS][MAP_IN]", ""),
        ("hadoop:jobCounters('shell') == null", "true"),
        ("action:output('shell', 'a.b')", "dotted"),
        ("action:output('shell', 'none') == null", "true"),
        ("action:output('none', 'k') == null", "true"),
    ]);
}

#[test]
fn file_functions_take_a_file_system_and_a_path() {
    check_expressions(&[
        ("hdfs:isDir('', '/data')", "true"),
        ("hdfs:isDir('hdfs://nn:1/', '/data')", "false"),
        ("hdfs:dirSize('', '/data')", "4096"),
        ("hdfs:dirSize('', '/data/f')", "-1"),
        ("hdfs:fileSize('', '/data/f')", "2048"),
        ("hdfs:fileSize('', '/data')", "-1"),
        ("hdfs:blockSize('', '/data') == -1", "true"),
        ("hdfs:blockSize('', '/data/f') == 128 * MB", "true"),
        ("hdfs:size('/data')", "4096"),
        ("hdfs:size('/data/f')", "2048"),
        ("hdfs:size('/none')", "-1"),
        // A pattern in Oozie, a literal name here.
        ("hdfs:exists('', '/data/*')", "false"),
    ]);
    assert_eq!(failure("${hdfs:exists('', '/down')}").kind, ElErrorKind::Io);
    assert_eq!(
        failure("${hdfs:exists('hdfs://nn:1', 'data')}").message,
        "function `hdfs:exists` failed: expected an absolute path, found `data`"
    );
}

#[test]
fn each_language_has_its_functions() {
    let of = |name: &str, dialect| {
        let found = functions::all().find(|function| function.full_name() == name);
        found.expect("there is such a function").is_of(dialect)
    };
    for (name, oozie, proposal) in [
        ("concat", true, true),
        ("wf:conf", true, true),
        ("wf:name", true, false),
        ("wf:appName", false, true),
        ("fs:exists", true, false),
        ("hdfs:exists", false, true),
        ("hadoop:counters", true, true),
        ("hadoop:conf", true, false),
        ("replaceAll", true, false),
    ] {
        assert_eq!(of(name, Dialect::Oozie), oozie, "{name}");
        assert_eq!(of(name, Dialect::Proposal), proposal, "{name}");
    }
}

#[test]
fn every_function_of_2009_has_a_later_name() {
    let own = functions::all().filter(|function| {
        function.is_of(Dialect::Proposal)
            && !function.is_of(Dialect::Oozie)
            && function.prefix != Some(proposal::RENAMED)
    });
    for function in own {
        let later = proposal::later_name(&function.full_name());
        let later = later.unwrap_or_else(|| panic!("{function:?} has none"));
        assert!(
            functions::all()
                .any(|function| function.full_name() == later && function.is_of(Dialect::Oozie)),
            "{later}"
        );
    }
    assert_eq!(proposal::earlier_name("wf:run"), Some("wf:recovery"));
    assert_eq!(proposal::earlier_name("wf:user"), None);
}
