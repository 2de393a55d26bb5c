//! The constants of each phase. Job properties of these names are refused (Oozie's E0808), so nothing shadows them.

use crate::el::{phase::Phase, types::Type, value::Value};

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

/// Those of workflows, in the order of the specification.
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

/// Those of SLAs, in minutes.
pub static TIME_CONSTANTS: &[Constant] = &[
    long("MINUTES", 1, "a minute"),
    long("HOURS", 60, "an hour in minutes"),
    long("DAYS", 24 * 60, "a day in minutes"),
];

/// The date parts of texts that a coordinator keeps for its datasets: each evaluates to itself, for a later evaluation.
pub static DATE_PARTS: &[Constant] = &[
    text("YEAR", "${YEAR}", "the year of an instance"),
    text("MONTH", "${MONTH}", "the month of an instance"),
    text("DAY", "${DAY}", "the day of an instance"),
    text("HOUR", "${HOUR}", "the hour of an instance"),
    text("MINUTE", "${MINUTE}", "the minute of an instance"),
];

/// The value of the constant with this name in a phase.
pub fn of_phase(phase: Phase, name: &str) -> Option<Value> {
    let constants = match phase {
        Phase::Workflow => CONSTANTS,
        Phase::WorkflowSla | Phase::CoordinatorSla | Phase::CreateSla => TIME_CONSTANTS,
        Phase::Plain | Phase::InitialInstance => DATE_PARTS,
        Phase::JobSubmit
        | Phase::Frequency
        | Phase::Timeout
        | Phase::Instances
        | Phase::Data
        | Phase::Create
        | Phase::CreateRange
        | Phase::Start
        | Phase::Bundle => &[],
    };
    let mut constants = constants.iter();
    let constant = constants.find(|constant| constant.name == name);
    constant.map(Constant::value)
}

/// The workflow constant with this name; names are case-sensitive.
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
