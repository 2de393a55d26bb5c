//! The whole table of functions: each with normal, null, missing, and invalid arguments.

use std::collections::BTreeSet;

use chrono::DateTime;

use super::{evaluate, evaluate_in};
use crate::el::{
    error::{ElError, ElErrorKind},
    eval::evaluate_template,
    functions::{self, Dialect, Function, Needs, proposal},
    parser::parse_template,
    phase::Phase,
    scope::NoJob,
    types::Type,
};

/// A function of the workflow: a normal case, null for every argument, and an object that does not exist. Each a list of
/// arguments and a result; `None` if there is no such case.
struct FunctionRow(
    &'static str,
    (&'static str, &'static str),
    Option<&'static str>,
    Option<(&'static str, &'static str)>,
);

const NODE_IS_NULL: &str = "";

const ROWS: &[FunctionRow] = &[
    FunctionRow("firstNotNull", ("'a', 'b'", "a"), Some(""), None),
    FunctionRow("concat", ("'a', 'b'", "ab"), Some(""), None),
    // Null is the empty pattern, which matches the empty text once.
    FunctionRow("replaceAll", ("'aba', 'b', '-'", "a-a"), Some(""), None),
    FunctionRow("appendAll", ("'a,b', 'X', ','", "aX,bX"), Some(""), None),
    FunctionRow("trim", ("' a '", "a"), Some(""), None),
    FunctionRow("urlEncode", ("'a b'", "a+b"), Some(""), None),
    FunctionRow("timestamp", ("", "2026-01-31T23:59Z"), None, None),
    FunctionRow(
        "toJsonStr",
        ("wf:actionData('broken')", "{}"),
        Some("null"),
        Some(("wf:actionData('none')", "{}")),
    ),
    FunctionRow(
        "toPropertiesStr",
        (
            "wf:actionData('broken')",
            "#\n#Sat Jan 31 23:59:58 UTC 2026\n",
        ),
        Some("error: function `toPropertiesStr` failed: expected a map, found null"),
        Some((
            "wf:actionData('none')",
            "#\n#Sat Jan 31 23:59:58 UTC 2026\n",
        )),
    ),
    FunctionRow(
        "toConfigurationStr",
        ("wf:actionData('broken')", "<configuration />"),
        Some("error: function `toConfigurationStr` failed: expected a map, found null"),
        Some(("wf:actionData('none')", "<configuration />")),
    ),
    FunctionRow("wf:id", ("", "0000001-261120093000123-hpdl-W"), None, None),
    FunctionRow("wf:name", ("", "daily"), None, None),
    FunctionRow("wf:appPath", ("", "hdfs://nn:8020/apps/daily"), None, None),
    FunctionRow("wf:user", ("", "ann"), None, None),
    // No test user has a group.
    FunctionRow("wf:group", ("", ""), None, None),
    FunctionRow("wf:run", ("", "1"), None, None),
    FunctionRow(
        "wf:conf",
        ("'my.prop'", " dotted "),
        Some(""),
        Some(("'none'", "")),
    ),
    FunctionRow(
        "wf:callback",
        ("'S'", "http://host:1/callback?id=1@x&status=S"),
        Some("error: function `wf:callback` failed: expected a status, found an empty text"),
        None,
    ),
    FunctionRow(
        "wf:transition",
        ("'shell'", "end"),
        Some(NODE_IS_NULL),
        Some(("'none'", "")),
    ),
    FunctionRow("wf:lastErrorNode", ("", "broken"), None, None),
    FunctionRow(
        "wf:errorCode",
        ("'broken'", "JA018"),
        Some(NODE_IS_NULL),
        Some(("'shell'", "")),
    ),
    FunctionRow(
        "wf:errorMessage",
        ("'broken'", "exit 1"),
        Some(NODE_IS_NULL),
        Some(("'none'", "")),
    ),
    FunctionRow(
        "wf:actionData",
        ("'shell'", "{a.b=dotted, k=v, n=10, path=/a b}"),
        Some("{}"),
        Some(("'none'", "{}")),
    ),
    FunctionRow(
        "wf:actionExternalId",
        ("'shell'", "local_1"),
        Some(NODE_IS_NULL),
        Some(("'none'", "")),
    ),
    FunctionRow(
        "wf:actionTrackerUri",
        ("'shell'", "-"),
        Some(NODE_IS_NULL),
        Some(("'none'", "")),
    ),
    FunctionRow(
        "wf:actionExternalStatus",
        ("'shell'", "SUCCEEDED"),
        Some(NODE_IS_NULL),
        Some(("'none'", "")),
    ),
    FunctionRow(
        "fs:exists",
        ("'/data/*'", "true"),
        Some("false"),
        Some(("'/none'", "false")),
    ),
    FunctionRow(
        "fs:isDir",
        ("'/data'", "true"),
        Some("false"),
        Some(("'/none'", "false")),
    ),
    FunctionRow(
        "fs:fileSize",
        ("'/data/f'", "2048"),
        Some("-1"),
        Some(("'/none'", "-1")),
    ),
    FunctionRow(
        "fs:dirSize",
        ("'/data'", "4096"),
        Some("-1"),
        Some(("'/data/f'", "-1")),
    ),
    FunctionRow(
        "fs:blockSize",
        ("'/data/f'", "134217728"),
        Some("134217728"),
        None,
    ),
    FunctionRow("wf:appName", ("", "daily"), None, None),
    FunctionRow(
        "wf:callbackUrl",
        ("'S'", "http://host:1/callback?id=1@x&status=S"),
        Some("error: function `wf:callback` failed: expected a status, found an empty text"),
        None,
    ),
    FunctionRow(
        "wf:exitState",
        ("'broken'", "ERROR"),
        Some(NODE_IS_NULL),
        Some(("'none'", "")),
    ),
    FunctionRow(
        "wf:nodeStatus",
        ("'shell'", "OK"),
        Some(NODE_IS_NULL),
        Some(("'killed'", "")),
    ),
    FunctionRow("wf:errorNode", ("", "broken"), None, None),
    FunctionRow("wf:recovery", ("", "1"), None, None),
    FunctionRow(
        "hadoop:jobId",
        ("'shell'", "local_1"),
        Some(NODE_IS_NULL),
        Some(("'none'", "")),
    ),
    FunctionRow(
        "hadoop:jobTracker",
        ("'shell'", "-"),
        Some(NODE_IS_NULL),
        Some(("'none'", "")),
    ),
    FunctionRow(
        "hadoop:counters",
        (
            "'counted'",
            "{ACTION_TYPE=MAP_REDUCE, org.apache.hadoop.mapred.Task$Counter={MAP_INPUT_RECORDS=7}, \
             org.apache.hadoop.mapreduce.TaskCounter={MAP_INPUT_RECORDS=7}}",
        ),
        Some("error: function `hadoop:counters` failed: node `` has no counters of Hadoop"),
        Some((
            "'none'",
            "error: function `hadoop:counters` failed: node `none` has no counters of Hadoop",
        )),
    ),
    FunctionRow(
        "hadoop:jobCounters",
        ("'shell'", ""),
        Some(NODE_IS_NULL),
        Some(("'none'", "")),
    ),
    FunctionRow(
        "hadoop:jobStatus",
        ("'shell'", "SUCCEEDED"),
        Some(NODE_IS_NULL),
        Some(("'none'", "")),
    ),
    FunctionRow(
        "hdfs:exists",
        ("'', '/none'", "false"),
        Some("error: function `hdfs:exists` failed: expected an absolute path, found ``"),
        Some(("'', '/none'", "false")),
    ),
    FunctionRow(
        "hadoop:conf",
        ("'rm:8032', 'fs.defaultFS'", "hdfs://nn:8020"),
        Some(""),
        Some(("'rm:8032', 'missing'", "")),
    ),
    FunctionRow(
        "hcat:exists",
        ("'hcat://meta:9083/shop/orders/day=1'", "false"),
        Some(
            "error: function `hcat:exists` failed: `` is no URI of a table: it does not begin with `hcat://`",
        ),
        None,
    ),
    FunctionRow(
        "hdfs:isDir",
        ("'', '/data'", "true"),
        Some("error: function `hdfs:isDir` failed: expected an absolute path, found ``"),
        Some(("'', '/none'", "false")),
    ),
    FunctionRow(
        "hdfs:dirSize",
        ("'', '/data'", "4096"),
        Some("error: function `hdfs:dirSize` failed: expected an absolute path, found ``"),
        Some(("'', '/none'", "-1")),
    ),
    FunctionRow(
        "hdfs:fileSize",
        ("'', '/data/f'", "2048"),
        Some("error: function `hdfs:fileSize` failed: expected an absolute path, found ``"),
        Some(("'', '/data'", "-1")),
    ),
    FunctionRow(
        "hdfs:blockSize",
        ("'', '/data/f'", "134217728"),
        Some("error: function `hdfs:blockSize` failed: expected an absolute path, found ``"),
        Some(("'', '/data'", "-1")),
    ),
    FunctionRow(
        "hdfs:size",
        ("'/data'", "4096"),
        Some("-1"),
        Some(("'/none'", "-1")),
    ),
    FunctionRow(
        "action:output",
        ("'shell', 'k'", "v"),
        Some(""),
        Some(("'shell', 'none'", "")),
    ),
];

/// The functions without those that cannot be written in a document.
fn written() -> impl Iterator<Item = &'static Function> {
    functions::all().filter(|function| function.prefix != Some(proposal::RENAMED))
}

fn call(function: &Function, arguments: &[&str]) -> String {
    format!("${{{}({})}}", function.full_name(), arguments.join(", "))
}

#[test]
fn functions_of_workflows_give_what_the_reference_says() {
    for FunctionRow(name, (arguments, expected), null, missing) in ROWS {
        assert_eq!(
            &evaluate(&format!("${{{name}({arguments})}}")),
            expected,
            "{name}"
        );
        let function = functions::all()
            .find(|function| function.full_name() == *name)
            .unwrap_or_else(|| panic!("there is no `{name}`"));
        assert_eq!(
            null.is_some(),
            !function.params.is_empty(),
            "`{name}` is tried with null if it can be"
        );
        if let Some(expected) = null {
            let nulls = vec!["null"; function.params.len()];
            assert_eq!(&evaluate(&call(function, &nulls)), expected, "{name}");
        }
        if let Some((arguments, expected)) = missing {
            let text = evaluate(&format!("${{{name}({arguments})}}"));
            assert_eq!(&text, expected, "{name}");
        }
    }
    let tried: BTreeSet<String> = ROWS.iter().map(|row| row.0.to_owned()).collect();
    let known: BTreeSet<String> = written()
        .filter(|function| function.needs != Needs::Coordinator)
        .map(Function::full_name)
        .collect();
    assert_eq!(tried, known);
}

#[test]
fn all_functions_that_oozie_configures_are_there() {
    let is_own = |function: &&Function| {
        function.phases.has(Phase::Workflow) && !function.is_of(Dialect::Oozie)
    };
    assert_eq!(functions::all().filter(is_own).count(), 19);
    assert_eq!(functions::all().filter(|f| !is_own(f)).count(), 76);
    let in_phase = |phase| functions::all().filter(|f| f.phases.has(phase)).count();
    let expected = [
        (Phase::JobSubmit, 0),
        (Phase::WorkflowSla, 0),
        (Phase::Workflow, 34 + 19),
        (Phase::Frequency, 10),
        (Phase::Plain, 3),
        (Phase::InitialInstance, 5),
        (Phase::Timeout, 5),
        (Phase::Instances, 21),
        (Phase::Data, 23),
        (Phase::CoordinatorSla, 16),
        (Phase::Create, 22),
        (Phase::CreateRange, 22),
        (Phase::CreateSla, 16),
        (Phase::Start, 30),
        (Phase::Bundle, 1),
    ];
    assert_eq!(
        Phase::ALL.map(|phase| (phase, in_phase(phase))),
        expected,
        "the functions of each phase"
    );
}

fn failure_in(phase: Phase, template: &str) -> ElError {
    let scope = NoJob::in_phase(phase, &Default::default(), DateTime::UNIX_EPOCH);
    let parsed = parse_template(template).expect("the call is of the language");
    match evaluate_template(&parsed, &scope) {
        Ok(value) => panic!("{template} is {value} in {}", phase.name()),
        Err(error) => error,
    }
}

#[test]
fn functions_are_refused_outside_their_phases() {
    for function in written() {
        let template = call(function, &vec!["null"; function.params.len()]);
        assert!(function.phases.iter().next().is_some(), "{template}");
        for phase in Phase::ALL
            .into_iter()
            .filter(|phase| !function.phases.has(*phase))
        {
            let error = failure_in(phase, &template);
            assert_eq!(error.kind, ElErrorKind::UnknownFunction, "{template}");
            assert_eq!(
                error.message,
                format!(
                    "function `{}` is not available in phase `{}`",
                    function.full_name(),
                    phase.name()
                )
            );
            let help = error.help.unwrap_or_default();
            assert!(help.starts_with("it is available in `"), "{help}");
        }
    }
}

#[test]
fn wrong_counts_are_errors_in_every_phase() {
    for function in written() {
        let n_params = function.params.len();
        for phase in function.phases.iter() {
            let counts = [n_params.checked_sub(1), Some(n_params + 1)];
            for count in counts.into_iter().flatten() {
                let error = failure_in(phase, &call(function, &vec!["null"; count]));
                assert_eq!(error.kind, ElErrorKind::UnknownFunction);
                let plural = if n_params == 1 { "" } else { "s" };
                assert_eq!(
                    error.message,
                    format!(
                        "expected {n_params} argument{plural} for `{}`, found {count}",
                        function.full_name()
                    )
                );
            }
        }
    }
}

#[test]
fn arguments_of_the_wrong_kind_are_errors() {
    for function in written() {
        let Some(phase) = function.phases.iter().next() else {
            panic!("{function:?} has no phase");
        };
        for (at, param) in function.params.iter().enumerate() {
            let wrong = match param {
                Type::Long | Type::Double | Type::Map => "'x'",
                Type::Bool => "1",
                // Every value is valid.
                Type::Text | Type::NullableText | Type::Object | Type::Null => continue,
            };
            let mut arguments = vec!["null"; function.params.len()];
            arguments[at] = wrong;
            let error = failure_in(phase, &call(function, &arguments));
            assert_eq!(error.kind, ElErrorKind::Coercion, "{error}");
            let place = format!("as argument {} of `{}`", at + 1, function.full_name());
            assert!(error.message.ends_with(&place), "{error}");
        }
    }
}

#[test]
fn what_needs_more_than_properties_says_so() {
    for function in written().filter(|function| function.prefix != Some("hdfs")) {
        let Some(phase) = function.phases.iter().next() else {
            panic!("{function:?} has no phase");
        };
        let text = vec!["'1'"; function.params.len()];
        let name = function.full_name();
        match function.needs {
            Needs::Nothing | Needs::Clock => {}
            Needs::Job | Needs::Nodes | Needs::Files | Needs::Cluster => {
                let error = failure_in(phase, &call(function, &text));
                assert_eq!(error.kind, ElErrorKind::NeedsJob, "{name}");
                assert!(error.message.ends_with("needs a running job"), "{error}");
            }
            Needs::Coordinator => {
                for phase in function.phases.iter() {
                    let error = failure_in(phase, &call(function, &text));
                    assert_eq!(error.kind, ElErrorKind::NeedsJob, "{name}");
                    assert_eq!(
                        error.message,
                        format!("function `{name}` needs a running coordinator or bundle")
                    );
                }
            }
        }
    }
}

#[test]
fn phases_have_their_constants() {
    let properties = super::properties(&[("KB", "own"), ("DAYS", "own"), ("my.prop", " x ")]);
    let vectors = [
        (Phase::JobSubmit, "${KB} ${DAYS}", "own own"),
        (Phase::WorkflowSla, "${KB} ${2 * DAYS}", "own 2880"),
        (Phase::Workflow, "${KB} ${DAYS}", "1024 own"),
        (
            Phase::Plain,
            "/${YEAR}/${MONTH}/${DAY}/${HOUR}/${MINUTE}",
            "/${YEAR}/${MONTH}/${DAY}/${HOUR}/${MINUTE}",
        ),
        (Phase::CoordinatorSla, "${10 * MINUTES + HOURS}", "70"),
        (Phase::Data, "${DAYS}", "own"),
        (
            Phase::Data,
            "${YEAR}",
            "error: variable `YEAR` cannot be resolved",
        ),
    ];
    for (phase, template, expected) in vectors {
        let scope = NoJob::in_phase(phase, &properties, DateTime::UNIX_EPOCH);
        assert_eq!(evaluate_in(&scope, template), expected, "{}", phase.name());
    }
}

#[test]
fn what_reads_files_blocks() {
    for (source, expected) in [
        ("${fs:exists(a)}", true),
        ("${wf:run() == 0 ? 'a' : hcat:exists(b)}", true),
        ("${hadoop:conf(a, b)}", true),
        ("${wf:conf('a')}", false),
        ("${timestamp()}", false),
    ] {
        let template = parse_template(source).expect("the test's template parses");
        assert_eq!(
            template.expressions().any(functions::is_blocking),
            expected,
            "{source}"
        );
    }
}
