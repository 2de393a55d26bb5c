//! Functions about the tables that an event names: `coord:databaseIn`, `coord:dataInPartitionFilter` and others
//! (`HCatELFunctions`).

use crate::{
    el::{error::ElError, value::Value},
    hcat_uri::HcatUri,
};

/// The tables behind the URIs of an event.
fn tables(function: &str, uris: &[String]) -> Result<Vec<HcatUri>, ElError> {
    uris.iter()
        .map(|uri| HcatUri::parse(uri).map_err(|error| ElError::function(function, error)))
        .collect()
}

/// The value of a function of this name; `None` if it is not a function of tables. `args` are those after the name of the event.
pub(super) fn value(
    name: &str,
    uris: &[String],
    args: &[String],
) -> Option<Result<Value, ElError>> {
    let function = format!("coord:{name}");
    let first_arg = args.first().map_or("", String::as_str);
    let tables = || tables(&function, uris);
    Some(match name {
        "databaseIn" | "databaseOut" => tables().map(|tables| {
            Value::Text(
                tables
                    .into_iter()
                    .next()
                    .map_or_else(String::new, |table| table.database),
            )
        }),
        "tableIn" | "tableOut" => tables().map(|tables| {
            Value::Text(
                tables
                    .into_iter()
                    .next()
                    .map_or_else(String::new, |table| table.table),
            )
        }),
        "dataInPartitionFilter" => tables().map(|tables| Value::Text(filter(&tables, first_arg))),
        "dataInPartitionMin" => tables()
            .and_then(|tables| extreme(&function, &tables, first_arg, |values| values.min())),
        "dataInPartitionMax" => tables()
            .and_then(|tables| extreme(&function, &tables, first_arg, |values| values.max())),
        "dataInPartitions" => tables().and_then(|tables| export(&function, &tables, first_arg)),
        "dataOutPartitions" => tables().and_then(|tables| {
            let table = only(&function, &tables)?;
            Ok(Value::Text(format!(
                "'{}'",
                pairs(table, |key, value| format!("{key}={value}"), ",")
            )))
        }),
        "dataOutPartitionValue" => tables().and_then(|tables| {
            let table = only(&function, &tables)?;
            let value = table.value(first_arg);
            Ok(value.map_or(Value::Null, |value| Value::Text(value.to_owned())))
        }),
        _ => return None,
    })
}

/// How many arguments follow the name of the event, for a function of tables.
pub(super) fn n_arguments(name: &str) -> Option<usize> {
    match name {
        "databaseIn" | "databaseOut" | "tableIn" | "tableOut" | "dataOutPartitions" => Some(0),
        "dataInPartitionFilter"
        | "dataInPartitionMin"
        | "dataInPartitionMax"
        | "dataInPartitions"
        | "dataOutPartitionValue" => Some(1),
        _ => None,
    }
}

fn pairs(table: &HcatUri, pair: impl Fn(&str, &str) -> String, separator: &str) -> String {
    let pairs: Vec<String> = table
        .partition
        .iter()
        .map(|(key, value)| pair(key, value))
        .collect();
    pairs.join(separator)
}

fn filter(tables: &[HcatUri], kind: &str) -> String {
    let equals = if kind.eq_ignore_ascii_case("pig") {
        "=="
    } else {
        "="
    };
    let of_tables: Vec<String> = tables
        .iter()
        .map(|table| {
            let pair = |key: &str, value: &str| format!("{key}{equals}'{value}'");
            format!("({})", pairs(table, pair, " AND "))
        })
        .collect();
    of_tables.join(" OR ")
}

/// The smallest or greatest value of a key, as text.
fn extreme<'t>(
    function: &str,
    tables: &'t [HcatUri],
    key: &str,
    select: fn(std::vec::IntoIter<&'t str>) -> Option<&'t str>,
) -> Result<Value, ElError> {
    let values: Vec<&str> = tables
        .iter()
        .map(|table| {
            table.value(key).ok_or_else(|| {
                ElError::function(function, format_args!("a partition has no key `{key}`"))
            })
        })
        .collect::<Result<_, _>>()?;
    Ok(select(values.into_iter()).map_or(Value::Null, |value| Value::Text(value.to_owned())))
}

fn export(function: &str, tables: &[HcatUri], kind: &str) -> Result<Value, ElError> {
    if kind != "hive-export" {
        return Err(
            ElError::function(function, format_args!("`{kind}` is no kind of partitions"))
                .with_help("the only kind is `hive-export`"),
        );
    }
    let table = only(function, tables)?;
    let pair = |key: &str, value: &str| format!("{key}='{value}'");
    Ok(Value::Text(pairs(table, pair, ",")))
}

fn only<'t>(function: &str, tables: &'t [HcatUri]) -> Result<&'t HcatUri, ElError> {
    match tables {
        [table] => Ok(table),
        _ => Err(ElError::function(
            function,
            format_args!("expected one instance, found {}", tables.len()),
        )),
    }
}
