//! Functions of prefix `coord` and `bundle`: their signatures, and the phases that have them (`CoordELFunctions`,
//! `BundleELFunctions`).
//!
//! Their values depend on what is evaluated, and come from whoever evaluates it: here each call is an error. In phases that
//! keep the text for later, Oozie gives the call itself back; they count as having the function.

use super::{Function, Needs};
use crate::el::{
    error::ElError,
    phase::{Phase, Phases},
    scope::Scope,
    types::Type,
    value::Value,
};

const LENGTH: Phases = Phases::of(&[Phase::Frequency, Phase::Timeout]);
/// The functions of two meanings: for frequencies, and for the start of a range.
const END: Phases = Phases::of(&[
    Phase::Frequency,
    Phase::Instances,
    Phase::Create,
    Phase::CreateRange,
]);
const EVERYWHERE: Phases = Phases::of(&[
    Phase::Frequency,
    Phase::Plain,
    Phase::InitialInstance,
    Phase::Instances,
    Phase::Data,
    Phase::CoordinatorSla,
    Phase::Create,
    Phase::CreateRange,
    Phase::CreateSla,
    Phase::Start,
]);
/// Those of `hadoop:conf`.
pub(super) const WITH_WORKFLOW: Phases = Phases::of(&[
    Phase::Workflow,
    Phase::Frequency,
    Phase::Plain,
    Phase::InitialInstance,
    Phase::Timeout,
    Phase::Instances,
    Phase::Data,
    Phase::CoordinatorSla,
    Phase::Create,
    Phase::CreateRange,
    Phase::CreateSla,
    Phase::Start,
]);
const INSTANCE: Phases = Phases::of(&[Phase::Instances, Phase::Create, Phase::CreateRange]);
/// Also when the action has its data.
const LATE_INSTANCE: Phases = Phases::of(&[
    Phase::Instances,
    Phase::Create,
    Phase::CreateRange,
    Phase::Start,
]);
/// Made by Oozie from two instances, and never written by anybody.
const INTERNAL: Phases = Phases::of(&[Phase::Create, Phase::CreateRange]);
const DATE: Phases = Phases::of(&[
    Phase::InitialInstance,
    Phase::Instances,
    Phase::Data,
    Phase::CoordinatorSla,
    Phase::CreateRange,
    Phase::CreateSla,
    Phase::Start,
]);
const FORMAT: Phases = Phases::of(&[
    Phase::Instances,
    Phase::Data,
    Phase::CoordinatorSla,
    Phase::Create,
    Phase::CreateRange,
    Phase::CreateSla,
    Phase::Start,
]);
const TIME: Phases = Phases::of(&[
    Phase::Data,
    Phase::CoordinatorSla,
    Phase::CreateSla,
    Phase::Start,
]);
const NAME: Phases = Phases::of(&[
    Phase::Data,
    Phase::CoordinatorSla,
    Phase::Create,
    Phase::CreateSla,
    Phase::Start,
]);
const INPUT: Phases = Phases::of(&[Phase::Data, Phase::Start]);

const TEXT: &[Type] = &[Type::Text];
const TWO_TEXTS: &[Type] = &[Type::Text, Type::Text];
const LONG: &[Type] = &[Type::Long];
const TWO_LONGS: &[Type] = &[Type::Long, Type::Long];

pub(super) const FUNCTIONS: &[Function] = &[
    coord("minutes", LONG, Type::Long, LENGTH, "every so many minutes"),
    coord("hours", LONG, Type::Long, LENGTH, "every so many hours"),
    coord("days", LONG, Type::Long, LENGTH, "every so many days"),
    coord("months", LONG, Type::Long, LENGTH, "every so many months"),
    coord(
        "endOfDays",
        LONG,
        Type::Object,
        END,
        "every so many days, or from the end of a day",
    ),
    coord(
        "endOfWeeks",
        LONG,
        Type::Object,
        END,
        "every so many weeks, or from the end of a week",
    ),
    coord(
        "endOfMonths",
        LONG,
        Type::Object,
        END,
        "every so many months, or from the end of a month",
    ),
    coord(
        "conf",
        TEXT,
        Type::Text,
        EVERYWHERE,
        "a job property, empty if it is undefined",
    ),
    coord(
        "user",
        &[],
        Type::Text,
        EVERYWHERE,
        "the user of the coordinator",
    ),
    coord(
        "current",
        LONG,
        Type::Text,
        INSTANCE,
        "an instance, counted from the nominal time",
    ),
    coord(
        "currentRange",
        TWO_LONGS,
        Type::Text,
        INSTANCE,
        "instances, counted from the nominal time",
    ),
    coord(
        "offset",
        &[Type::Long, Type::Text],
        Type::Text,
        INSTANCE,
        "the instance some time from the nominal time",
    ),
    coord(
        "latest",
        LONG,
        Type::Text,
        LATE_INSTANCE,
        "an available instance, counted back from now",
    ),
    coord(
        "latestRange",
        TWO_LONGS,
        Type::Text,
        LATE_INSTANCE,
        "available instances, counted back from now",
    ),
    coord(
        "future",
        TWO_LONGS,
        Type::Text,
        LATE_INSTANCE,
        "an available instance, counted on from the nominal time",
    ),
    coord(
        "futureRange",
        &[Type::Long, Type::Long, Type::Long],
        Type::Text,
        LATE_INSTANCE,
        "available instances, counted on from the nominal time",
    ),
    coord(
        "absolute",
        TEXT,
        Type::Text,
        INSTANCE,
        "the instance of a point of time",
    ),
    coord(
        "absoluteRange",
        &[Type::Text, Type::Long],
        Type::Text,
        INTERNAL,
        "instances from a point of time on",
    ),
    coord(
        "hoursInDay",
        LONG,
        Type::Long,
        LATE_INSTANCE,
        "the hours of a day, 23 or 25 where clocks change",
    ),
    coord(
        "daysInMonth",
        LONG,
        Type::Long,
        LATE_INSTANCE,
        "the days of a month",
    ),
    coord(
        "tzOffset",
        &[],
        Type::Long,
        LATE_INSTANCE,
        "the minutes between the zones of dataset and coordinator",
    ),
    coord(
        "dateOffset",
        &[Type::Text, Type::Long, Type::Text],
        Type::Text,
        DATE,
        "a point of time some time from another",
    ),
    coord(
        "dateTzOffset",
        TWO_TEXTS,
        Type::Text,
        DATE,
        "a point of time as clocks of a zone show it",
    ),
    coord(
        "formatTime",
        TWO_TEXTS,
        Type::Text,
        FORMAT,
        "a point of time by a pattern of Java's",
    ),
    coord(
        "epochTime",
        TWO_TEXTS,
        Type::Text,
        FORMAT,
        "the seconds or milliseconds since 1970",
    ),
    coord(
        "nominalTime",
        &[],
        Type::Text,
        TIME,
        "when the action was to be made",
    ),
    coord(
        "actualTime",
        &[],
        Type::Text,
        TIME,
        "when the action was made",
    ),
    coord("actionId", &[], Type::Text, NAME, "the id of the action"),
    coord("name", &[], Type::Text, NAME, "the name of the coordinator"),
    coord("dataIn", TEXT, Type::Text, INPUT, "the URIs of an input"),
    coord("dataOut", TEXT, Type::Text, TIME, "the URIs of an output"),
    coord(
        "databaseIn",
        TEXT,
        Type::Text,
        INPUT,
        "the database of an input",
    ),
    coord("tableIn", TEXT, Type::Text, INPUT, "the table of an input"),
    coord(
        "dataInPartitionFilter",
        TWO_TEXTS,
        Type::Text,
        INPUT,
        "the condition for the partitions of an input",
    ),
    coord(
        "dataInPartitionMin",
        TWO_TEXTS,
        Type::Text,
        INPUT,
        "the smallest value of a partition key of an input",
    ),
    coord(
        "dataInPartitionMax",
        TWO_TEXTS,
        Type::Text,
        INPUT,
        "the greatest value of a partition key of an input",
    ),
    coord(
        "dataInPartitions",
        TWO_TEXTS,
        Type::Text,
        INPUT,
        "the partition of an input, as Hive writes it",
    ),
    coord(
        "databaseOut",
        TEXT,
        Type::Text,
        TIME,
        "the database of an output",
    ),
    coord("tableOut", TEXT, Type::Text, TIME, "the table of an output"),
    coord(
        "dataOutPartitions",
        TEXT,
        Type::Text,
        TIME,
        "the partitions of an output",
    ),
    coord(
        "dataOutPartitionValue",
        TWO_TEXTS,
        Type::Text,
        TIME,
        "the value of a partition key of an output",
    ),
    Function {
        prefix: Some("bundle"),
        name: "conf",
        params: TEXT,
        result: Type::Text,
        phases: Phases::of(&[Phase::Bundle]),
        needs: Needs::Coordinator,
        doc: "a job property, empty if it is undefined",
        body: refuse,
    },
];

const fn coord(
    name: &'static str,
    params: &'static [Type],
    result: Type,
    phases: Phases,
    doc: &'static str,
) -> Function {
    Function {
        prefix: Some("coord"),
        name,
        params,
        result,
        phases,
        needs: Needs::Coordinator,
        doc,
        body: refuse,
    }
}

/// [`super::call`] says which function it was.
fn refuse(_scope: &dyn Scope, _args: &[Value]) -> Result<Value, ElError> {
    Err(ElError::needs_coordinator("a function of coordinators"))
}
