//! Test vectors of the whole language: text in, text or error out.

use std::collections::BTreeMap;

use chrono::{DateTime, FixedOffset, TimeZone, Utc};

use crate::el::{
    error::{ElError, ElErrorKind},
    eval::evaluate_template,
    parser::parse_template,
    scope::{ClusterFacts, FileFacts, JobFacts, NodeFacts, Scope},
    value::Value,
};
use crate::status::ActionStatus;

mod bounds;
mod folding;
mod function_results;
mod language;
mod no_job;
mod patterns;
mod proposal;
mod syntax;
mod table;
mod trees;

/// A job in its second run.
struct TestJob {
    facts: JobFacts,
    offset: FixedOffset,
    files: TestFiles,
}

impl TestJob {
    fn new() -> TestJob {
        TestJob {
            facts: JobFacts {
                id: "0000001-261120093000123-hpdl-W".to_owned(),
                name: "daily".to_owned(),
                app_path: "hdfs://nn:8020/apps/daily".to_owned(),
                user: "ann".to_owned(),
                group: None,
                run: 1,
            },
            offset: FixedOffset::east_opt(0).expect("zero is an offset"),
            files: TestFiles,
        }
    }
}

impl Scope for TestJob {
    fn variable(&self, name: &str) -> Option<Value> {
        let text = match name {
            "a" => "1",
            "b" => "2",
            "name" => "value",
            "empty_text" => "",
            "blank" => " ",
            "template" => "${a}",
            "five" => " 5",
            "yes" => "TRUE",
            "half" => "0.5",
            "$dollar" => "dollar",
            "#hash" => "hash",
            "instanceof" => "word",
            "größe" => "10",
            "KB" => "shadowed",
            "nothing" => return Some(Value::Null),
            _ => return None,
        };
        Some(text.into())
    }

    fn conf(&self, name: &str) -> Result<Option<String>, ElError> {
        Ok(match name {
            "my.prop" => Some(" dotted ".to_owned()),
            "empty.prop" => Some(String::new()),
            _ => None,
        })
    }

    fn job(&self) -> Result<&JobFacts, ElError> {
        Ok(&self.facts)
    }

    fn node(&self, name: &str) -> Result<Option<NodeFacts>, ElError> {
        Ok(match name {
            "shell" => Some(NodeFacts {
                status: Some(ActionStatus::Ok),
                transition: Some("end".to_owned()),
                external_id: Some("local_1".to_owned()),
                tracker_uri: Some("-".to_owned()),
                external_status: Some("SUCCEEDED".to_owned()),
                data: [("k", "v"), ("n", "10"), ("a.b", "dotted"), ("path", "/a b")]
                    .into_iter()
                    .map(|(key, value)| (key.to_owned(), value.to_owned()))
                    .collect(),
                ..NodeFacts::default()
            }),
            "broken" => Some(NodeFacts {
                status: Some(ActionStatus::Error),
                error_code: Some("JA018".to_owned()),
                error_message: Some("exit 1".to_owned()),
                ..NodeFacts::default()
            }),
            "counted" => Some(NodeFacts {
                status: Some(ActionStatus::Ok),
                data: [(
                    crate::el::functions::hadoop::COUNTERS_KEY,
                    r#"{"ACTION_TYPE":"MAP_REDUCE","org.apache.hadoop.mapreduce.TaskCounter":{"MAP_INPUT_RECORDS":7}}"#,
                )]
                .map(|(key, value)| (key.to_owned(), value.to_owned()))
                .into(),
                ..NodeFacts::default()
            }),
            "uncounted" => Some(NodeFacts {
                status: Some(ActionStatus::Ok),
                data: [(crate::el::functions::hadoop::COUNTERS_KEY, "")]
                    .map(|(key, value)| (key.to_owned(), value.to_owned()))
                    .into(),
                ..NodeFacts::default()
            }),
            "killed" => Some(NodeFacts {
                status: Some(ActionStatus::Killed),
                ..NodeFacts::default()
            }),
            _ => None,
        })
    }

    fn last_error_node(&self) -> Result<Option<String>, ElError> {
        Ok(Some("broken".to_owned()))
    }

    fn callback_url(&self, state: &str) -> Result<String, ElError> {
        Ok(format!("http://host:1/callback?id=1@x&status={state}"))
    }

    fn now(&self) -> DateTime<Utc> {
        Utc.with_ymd_and_hms(2026, 1, 31, 23, 59, 58)
            .single()
            .expect("the time exists")
    }

    fn processing_offset(&self) -> FixedOffset {
        self.offset
    }

    fn files(&self) -> &dyn FileFacts {
        &self.files
    }

    fn clusters(&self) -> Result<&dyn ClusterFacts, ElError> {
        Ok(&TestClusters)
    }
}

#[derive(Debug)]
struct TestClusters;

impl ClusterFacts for TestClusters {
    fn property(&self, host: &str, name: &str) -> Result<Option<String>, ElError> {
        match (host, name) {
            ("down:8032", _) => Err(ElError::io("cannot read core-site.xml")),
            ("rm:8032", "fs.defaultFS") => Ok(Some("hdfs://nn:8020".to_owned())),
            _ => Ok(None),
        }
    }
}

struct TestFiles;

impl FileFacts for TestFiles {
    fn exists(&self, glob: &str) -> Result<bool, ElError> {
        match glob {
            "/down" => Err(ElError::io("name node is not reachable")),
            _ => Ok(glob == "/data/*"),
        }
    }

    fn is_dir(&self, path: &str) -> Result<bool, ElError> {
        Ok(path == "/data")
    }

    fn file_size(&self, path: &str) -> Result<i64, ElError> {
        Ok(if path == "/data/f" { 2048 } else { -1 })
    }

    fn dir_size(&self, path: &str) -> Result<i64, ElError> {
        Ok(if path == "/data" { 4096 } else { -1 })
    }

    fn block_size(&self, _path: &str) -> Result<i64, ElError> {
        Ok(134_217_728)
    }
}

/// The text of a template, or its error after "error: ".
fn evaluate(template: &str) -> String {
    evaluate_in(&TestJob::new(), template)
}

fn evaluate_in(scope: &dyn Scope, template: &str) -> String {
    match parse_template(template) {
        Ok(parsed) => match evaluate_template(&parsed, scope) {
            Ok(text) => text,
            Err(error) => format!("error: {error}"),
        },
        Err(error) => format!("syntax: {error}"),
    }
}

fn failure(template: &str) -> ElError {
    let parsed = parse_template(template).expect("the template is of the language");
    evaluate_template(&parsed, &TestJob::new()).expect_err("the template has no value")
}

fn failure_kind(template: &str) -> ElErrorKind {
    failure(template).kind
}

/// Each row is an expression without its braces, and what it evaluates to.
#[track_caller]
fn check_expressions(vectors: &[(&str, &str)]) {
    for (expression, expected) in vectors {
        let template = format!("${{{expression}}}");
        assert_eq!(&evaluate(&template), expected, "{template}");
    }
}

#[track_caller]
fn check_templates(vectors: &[(&str, &str)]) {
    for (template, expected) in vectors {
        assert_eq!(&evaluate(template), expected, "{template}");
    }
}

fn properties(entries: &[(&str, &str)]) -> BTreeMap<String, String> {
    entries
        .iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
        .collect()
}
