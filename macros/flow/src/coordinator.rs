//! What the functions of coordinators name: frequencies, instances of data, points of time.

use crate::{
    Duration, Expression,
    builder::{Gives, Value},
    outside,
};

/// How often a coordinator runs, or a dataset gets an instance.
///
/// ```
/// use hpdlc_flow::{CoordinatorAction, Instance, Instances, Result, coordinator, days, fs, hours, workflow};
///
/// #[workflow(name_node = "file:///")]
/// async fn daily(input: String, output: String, title: String, #[default(5)] limit: u64) -> Result {
///     fs().mkdir(format!("{output}/{title}/{limit}/{input}")).named("prepare").await
/// }
///
/// /// Each night, when the logs of the day are there.
/// #[coordinator(
///     workflow = daily,
///     frequency = days(1),
///     start = &start,
///     end = "2027-01-01T00:00Z",
///     timezone = "Europe/Berlin",
///     timeout = hours(6),
/// )]
/// #[dataset(
///     logs,
///     frequency = hours(1),
///     initial = "2026-01-01T00:00Z",
///     timezone = "UTC",
///     uri = "file:///data/logs/${YEAR}/${MONTH}/${DAY}/${HOUR}",
///     done_flag = "_SUCCESS",
/// )]
/// #[dataset(
///     reports,
///     frequency = days(1),
///     initial = "2026-01-01T00:00Z",
///     timezone = "Europe/Berlin",
///     uri = "file:///data/reports/${YEAR}${MONTH}${DAY}",
/// )]
/// fn nightly(
///     start: String,
///     #[input(logs, current(-23)..=current(0))] day: Instances,
///     #[output(reports, current(0))] report: Instance,
///     action: CoordinatorAction,
/// ) -> daily::Params {
///     daily::Params {
///         input: day.uris(),
///         output: report.uri(),
///         title: action.nominal_time().format("yyyy-MM-dd"),
///         limit: None,
///     }
/// }
/// # fn main() {}
/// ```
#[derive(Debug)]
pub struct Frequency {
    _private: (),
}

/// So many months.
pub fn months(_: impl Gives<u64>) -> Frequency {
    outside()
}

/// At the end of every so many days.
pub fn end_of_days(_: impl Gives<u64>) -> Frequency {
    outside()
}

/// At the end of every so many weeks.
pub fn end_of_weeks(_: impl Gives<u64>) -> Frequency {
    outside()
}

/// At the end of every so many months.
pub fn end_of_months(_: impl Gives<u64>) -> Frequency {
    outside()
}

/// What can be given as a frequency: a duration, a [`Frequency`], a text such as a cron expression, or an expression of Oozie.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no frequency",
    label = "neither a duration nor a text",
    note = "a frequency is `hours(1)`, `months(1)`, or a cron expression, such as `\"0 3 * * *\"`"
)]
pub trait Every {}

impl Every for Duration {}
impl Every for Frequency {}
impl Every for Expression {}
impl Every for String {}
impl Every for str {}
impl<T: Every + ?Sized> Every for &T {}

/// A frequency in an attribute.
#[doc(hidden)]
pub fn frequency(_: impl Every) {}

/// A duration in an attribute.
#[doc(hidden)]
pub fn duration(_: &Duration) {}

/// An argument of a coordinator.
#[doc(hidden)]
pub fn argument<T>() -> T {
    outside()
}

macro_rules! methods {
    ($($doc:literal: $name:ident($($argument:ident),*) -> $gives:ty;)*) => {
        $(
            #[doc = $doc]
            pub fn $name(&self, $($argument: impl Value),*) -> $gives {
                $(drop($argument);)*
                outside()
            }
        )*
    };
}

/// The instances of a dataset that an action waits for: an argument with `#[input(logs, current(-23)..=current(0))]`.
#[derive(Debug)]
pub struct Instances {
    _private: (),
}

impl Instances {
    methods! {
        "Their URIs, with commas between: `coord:dataIn`.": uris() -> String;
        "The database of their table: `coord:databaseIn`.": database() -> String;
        "Their table: `coord:tableIn`.": table() -> String;
        "The condition for their partitions, for `pig`, `java` or `hive`: `coord:dataInPartitionFilter`.": partition_filter(for_type) -> String;
        "The smallest value of a key: `coord:dataInPartitionMin`.": partition_min(key) -> String;
        "The greatest value of a key: `coord:dataInPartitionMax`.": partition_max(key) -> String;
    }
}

/// One instance of a dataset: an argument with `#[output(reports, current(0))]`, or with `#[input(…)]` and one instance.
#[derive(Debug)]
pub struct Instance {
    _private: (),
}

impl Instance {
    methods! {
        "Its URI: `coord:dataIn`, `coord:dataOut`.": uri() -> String;
        "The database of its table: `coord:databaseIn`, `coord:databaseOut`.": database() -> String;
        "Its table: `coord:tableIn`, `coord:tableOut`.": table() -> String;
        "Of an output, its partition: `coord:dataOutPartitions`.": partitions() -> String;
        "Of an output, the value of a key: `coord:dataOutPartitionValue`.": partition_value(key) -> String;
        "Of an input, its partition as `hive-export` wants it: `coord:dataInPartitions`.": partitions_for(for_type) -> String;
        "Of an input, the condition for its partition: `coord:dataInPartitionFilter`.": partition_filter(for_type) -> String;
        "Of an input, the smallest value of a key: `coord:dataInPartitionMin`.": partition_min(key) -> String;
        "Of an input, the greatest value of a key: `coord:dataInPartitionMax`.": partition_max(key) -> String;
    }
}

/// The action of a coordinator: an argument of this type.
#[derive(Debug)]
pub struct CoordinatorAction {
    _private: (),
}

impl CoordinatorAction {
    methods! {
        "Its id: `coord:actionId`.": id() -> String;
        "The name of its coordinator: `coord:name`.": coordinator() -> String;
        "The user of its coordinator: `coord:user`.": user() -> String;
        "When it was to be made: `coord:nominalTime`.": nominal_time() -> Time;
        "When it was made: `coord:actualTime`.": actual_time() -> Time;
    }
}

/// A point of time; as a text, `2026-11-27T08:00Z`.
#[derive(Debug)]
pub struct Time {
    _private: (),
}

impl Time {
    methods! {
        "By a pattern of Java, such as `yyyy-MM-dd`: `coord:formatTime`.": format(pattern) -> String;
        "So many units later, `MINUTE`, `DAY`, `MONTH` and so on: `coord:dateOffset`.": offset(n, unit) -> Time;
        "As the clocks of a zone show it: `coord:dateTzOffset`.": in_zone(zone) -> Time;
        "The seconds since 1970: `coord:epochTime`.": epoch_seconds() -> String;
        "The milliseconds since 1970: `coord:epochTime`.": epoch_millis() -> String;
    }
}

impl Value for Time {}
impl Gives<String> for Time {}
impl Gives<String> for &Time {}

impl std::fmt::Display for Time {
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        outside()
    }
}
