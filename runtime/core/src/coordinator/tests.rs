//! Table tests of schedules, datasets, instances and functions.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};

use super::*;
use crate::{el::parser, time::ProcessingZone};

mod controls;
mod data;
mod functions;
mod input_logic;
mod instances;
mod patterns;
mod schedules;
mod searches;
mod sla;
mod states;
mod submission;
mod years;

pub(super) fn instant(text: &str) -> DateTime<Utc> {
    let read = ProcessingZone::UTC.read(&format!("{text}Z"));
    read.unwrap_or_else(|error| panic!("{text}: {error}"))
        .instant
}

pub(super) fn template(text: &str) -> crate::el::text::Text {
    let parsed = parser::parse_template(text);
    parsed
        .unwrap_or_else(|error| panic!("{text}: {error}"))
        .into()
}

pub(super) fn job(properties: &[(&str, &str)]) -> JobValues {
    let properties: BTreeMap<String, String> = properties
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    JobValues::new(properties, Some("ann".to_owned()), ProcessingZone::UTC)
}

/// A coordinator that runs every minute of a century, with one dataset `d` and one input `i` of these instances.
fn definition(dataset: (&str, &str, &str), instances: InstanceTexts) -> CoordinatorDefinition {
    let (frequency, zone, initial) = dataset;
    CoordinatorDefinition {
        name: template("hourly"),
        frequency: template("1"),
        start: template("1990-01-01T00:00Z"),
        end: template("2090-01-01T00:00Z"),
        timezone: template("UTC"),
        controls: Controls::default(),
        datasets: BTreeMap::from([(
            "d".to_owned(),
            DatasetText {
                frequency: template(frequency),
                initial_instance: template(&format!("{initial}Z")),
                timezone: template(zone),
                uri_template: template("/d/${YEAR}-${MONTH}-${DAY}T${HOUR}:${MINUTE}"),
                done_flag: None,
            },
        )]),
        inputs: vec![EventText {
            name: "i".to_owned(),
            dataset: template("d"),
            instances,
        }],
        input_logic: None,
        outputs: Vec::new(),
        sla: None,
    }
}

fn each(text: &str) -> InstanceTexts {
    InstanceTexts::Each(vec![template(text)])
}

fn range(text: &str) -> InstanceTexts {
    let (start, end) = text.split_once(" .. ").expect("two ends");
    InstanceTexts::Range {
        start: template(start),
        end: template(end),
    }
}

pub(super) fn written(time: DateTime<Utc>) -> String {
    time.format("%Y-%m-%dT%H:%M").to_string()
}

/// The fixed instances of the input, or what is wrong with it.
fn instances(definition: &CoordinatorDefinition, nominal: &str) -> Result<String, String> {
    let coordinator = definition
        .resolve(job(&[]))
        .map_err(|error| error.to_string())?;
    let data = coordinator
        .data_of(instant(nominal))
        .map_err(|(_, error)| error.to_string())?;
    let times: Vec<String> = data.inputs[0].fixed.iter().copied().map(written).collect();
    Ok(times.join(" "))
}
