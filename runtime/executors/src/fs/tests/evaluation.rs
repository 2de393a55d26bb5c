//! Evaluation of the table's definition.

use std::collections::BTreeMap;

use chrono::DateTime;
use hpdlc_core::el::{functions::Needs, scope::NoJob, value::Value};
use hpdlc_program::table::{self, FsOperation, Outside, Part, Property, Settings, Template};

use crate::fs::{Fs, Operation, is_blocking};

const fn text(source: &'static str) -> Template {
    Template::Text(0, source)
}

/// A text at line 7 of a file.
const NAME: Template = Template::Outside(&Outside {
    file: "workflow.xml",
    line: 5,
    text: Template::Property(2, 3, "name"),
});

const fn settings(name_node: Option<Template>, configuration: &'static [Property]) -> Settings {
    Settings {
        name_node,
        configuration,
        ..Settings::EMPTY
    }
}

fn scope(properties: &[(&str, &str)]) -> NoJob {
    let properties: BTreeMap<String, String> = properties
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    NoJob::new(&properties, DateTime::UNIX_EPOCH)
}

#[test]
fn every_text_is_evaluated_and_read_as_oozie_reads_it() {
    static DEF: table::Fs = table::Fs {
        settings: settings(Some(text(" file:/// ")), &[]),
        operations: &[
            FsOperation::Delete {
                path: text(" /a\n"),
                skip_trash: None,
            },
            FsOperation::Delete {
                path: text("/a"),
                skip_trash: Some(text("false")),
            },
            FsOperation::Delete {
                path: text("/a"),
                skip_trash: Some(text("False")),
            },
            FsOperation::Mkdir {
                path: Template::Around(0, 1, "/x/", "name", ""),
            },
            FsOperation::Move {
                source: text(" /a "),
                target: text(" /b "),
            },
            FsOperation::Chmod {
                path: text("/a"),
                permissions: text(" 755 "),
                dir_files: None,
                recursive: true,
            },
            FsOperation::Chgrp {
                path: text("/a"),
                group: text("users"),
                dir_files: Some(text("TRUE")),
                recursive: false,
            },
            FsOperation::Chgrp {
                path: text("/a"),
                group: text("users"),
                dir_files: Some(text("yes")),
                recursive: false,
            },
            FsOperation::Touchz { path: text("/a") },
            FsOperation::Setrep {
                path: text("/a"),
                factor: text("3"),
            },
        ],
        ..table::Fs::EMPTY
    };
    let fs = Fs::evaluate(&DEF, &scope(&[("name", "n")])).expect("defined");
    assert_eq!(fs.name_node.as_deref(), Some("file:///"));
    let json = serde_json::to_string_pretty(&fs.operations).expect("written");
    expect_test::expect![[r#"
        [{"delete":{"path":"/a","skip-trash":true}},
        {"delete":{"path":"/a","skip-trash":false}},
        {"delete":{"path":"/a","skip-trash":true}},
        {"mkdir":{"path":"/x/n"}},
        {"move":{"source":"/a","target":"/b"}},
        {"chmod":{"path":"/a","permissions":"755","dir-files":true,"recursive":true}},
        {"chgrp":{"path":"/a","group":"users","dir-files":true,"recursive":false}},
        {"chgrp":{"path":"/a","group":"users","dir-files":false,"recursive":false}},
        {"touchz":{"path":"/a"}},
        {"setrep":{"path":"/a","factor":"3"}}]"#]]
    .assert_eq(&one_line_each(&fs.operations));
    assert_eq!(
        serde_json::from_str::<Vec<Operation>>(&json).expect("read"),
        fs.operations
    );
}

fn one_line_each(operations: &[Operation]) -> String {
    let lines: Vec<String> = operations
        .iter()
        .map(|operation| serde_json::to_string(operation).expect("written"))
        .collect();
    format!("[{}]", lines.join(",\n"))
}

#[test]
fn a_mistake_anywhere_in_the_body_is_found() {
    static CONFIGURATION: [Property; 1] = [Property::Template("a", NAME)];
    static IN_CONFIGURATION: table::Fs = table::Fs {
        settings: settings(None, &CONFIGURATION),
        operations: &[],
        ..table::Fs::EMPTY
    };
    static IN_NAME_NODE: table::Fs = table::Fs {
        settings: settings(Some(NAME), &[]),
        operations: &[],
        ..table::Fs::EMPTY
    };
    static IN_OPERATION: table::Fs = table::Fs {
        settings: settings(None, &[]),
        operations: &[FsOperation::Move {
            source: text("/a"),
            target: NAME,
        }],
        ..table::Fs::EMPTY
    };
    for def in [&IN_CONFIGURATION, &IN_NAME_NODE, &IN_OPERATION] {
        let error = Fs::evaluate(def, &scope(&[])).expect_err("undefined");
        assert_eq!(error.source, NAME.source());
        assert_eq!(
            error.to_string(),
            "workflow.xml:7:3: variable `name` cannot be resolved in `${name}`"
        );
        Fs::evaluate(def, &scope(&[("name", "x")])).expect("defined");
    }
}

#[test]
fn a_text_that_looks_at_files_blocks() {
    const BLOCKING: Template = Template::Parts(
        0,
        1,
        "${!fs:exists('/a')}",
        &[Part::Code(Needs::Files, &[], |scope| {
            Ok(Value::Bool(!scope.files().exists("/a")?))
        })],
    );
    static NEVER: table::Fs = table::Fs {
        settings: settings(Some(text("file:///")), &[]),
        operations: &[FsOperation::Mkdir { path: text("/a") }],
        ..table::Fs::EMPTY
    };
    static IN_SETTINGS: table::Fs = table::Fs {
        settings: settings(Some(BLOCKING), &[]),
        operations: &[],
        ..table::Fs::EMPTY
    };
    static IN_DIR_FILES: table::Fs = table::Fs {
        settings: settings(None, &[]),
        operations: &[FsOperation::Chmod {
            path: text("/a"),
            permissions: text("755"),
            dir_files: Some(BLOCKING),
            recursive: false,
        }],
        ..table::Fs::EMPTY
    };
    assert!(!is_blocking(&NEVER));
    assert!(is_blocking(&IN_SETTINGS));
    assert!(is_blocking(&IN_DIR_FILES));
}
