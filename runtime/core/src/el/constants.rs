//! The constants of the workflow context. Job properties of these names are refused (Oozie's E0808), so nothing shadows them.

use crate::el::{types::Type, value::Value};

const KB: i64 = 1024;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constant {
    pub name: &'static str,
    pub kind: ConstantKind,
    pub doc: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstantKind {
    Long(i64),
    Text(&'static str),
}

impl Constant {
    pub fn value(&self) -> Value {
        match self.kind {
            ConstantKind::Long(value) => Value::Long(value),
            ConstantKind::Text(value) => Value::Text(value.to_owned()),
        }
    }

    pub fn result(&self) -> Type {
        match self.kind {
            ConstantKind::Long(_) => Type::Long,
            ConstantKind::Text(_) => Type::Text,
        }
    }
}

/// All constants, in the order of the specification.
pub static CONSTANTS: &[Constant] = &[
    long("KB", KB, "kilobyte, 1,024"),
    long("MB", KB * KB, "megabyte, 1,024 KB"),
    long("GB", KB * KB * KB, "gigabyte, 1,024 MB"),
    long("TB", KB * KB * KB * KB, "terabyte, 1,024 GB"),
    long("PB", KB * KB * KB * KB * KB, "petabyte, 1,024 TB"),
    text(
        "RECORDS",
        "org.apache.hadoop.mapred.Task$Counter",
        "group of Hadoop's record counters",
    ),
    text(
        "MAP_IN",
        "MAP_INPUT_RECORDS",
        "counter of map input records",
    ),
    text(
        "MAP_OUT",
        "MAP_OUTPUT_RECORDS",
        "counter of map output records",
    ),
    text(
        "REDUCE_IN",
        "REDUCE_INPUT_RECORDS",
        "counter of reduce input records",
    ),
    text(
        "REDUCE_OUT",
        "REDUCE_OUTPUT_RECORDS",
        "counter of reduce output records",
    ),
    text(
        "GROUPS",
        "REDUCE_INPUT_GROUPS",
        "counter of reduce input groups",
    ),
];

/// The constant of this name; names are case-sensitive.
pub fn find(name: &str) -> Option<&'static Constant> {
    CONSTANTS.iter().find(|constant| constant.name == name)
}

const fn long(name: &'static str, value: i64, doc: &'static str) -> Constant {
    Constant {
        name,
        kind: ConstantKind::Long(value),
        doc,
    }
}

const fn text(name: &'static str, value: &'static str, doc: &'static str) -> Constant {
    Constant {
        name,
        kind: ConstantKind::Text(value),
        doc,
    }
}
