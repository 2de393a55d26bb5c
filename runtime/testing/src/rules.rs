//! The rules of a schedule: when data arrive, and how workflows end.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use hpdlc_core::{
    coordinator::{
        Coordinator,
        simulate::{Arrivals, LineError, Outcomes},
    },
    time::ProcessingZone,
};

use crate::refusal::Refusal;

/// The names of the datasets that are inputs of a coordinator.
pub(crate) fn datasets(coordinator: &Coordinator) -> BTreeSet<&str> {
    let inputs = coordinator.inputs.iter();
    inputs.map(|input| input.dataset.name.as_str()).collect()
}

/// When the data of a coordinator arrive.
pub(crate) fn arrivals(rules: &[String], coordinator: &Coordinator) -> Result<Arrivals, Refusal> {
    let datasets: Vec<&str> = datasets(coordinator).into_iter().collect();
    let zone = coordinator.job.processing_zone();
    Arrivals::parse(&rules.join("\n"), &datasets, zone)
        .map_err(|error| wrong("arrival", rules, &error))
}

/// How the workflows of a coordinator end.
pub(crate) fn outcomes(rules: &[String], zone: ProcessingZone) -> Result<Outcomes, Refusal> {
    Outcomes::parse(&rules.join("\n"), zone).map_err(|error| wrong("outcome", rules, &error))
}

fn wrong(what: &str, rules: &[String], error: &LineError) -> Refusal {
    let mut lines = rules.iter().flat_map(|rule| rule.split('\n'));
    let rule = lines.nth(error.line.saturating_sub(1));
    let rule = rule.unwrap_or_default();
    Refusal::new(format!("the {what} `{rule}`: {}", error.message))
}

/// A time that the test gives.
pub(crate) fn date(what: &str, text: &str, zone: ProcessingZone) -> Result<DateTime<Utc>, Refusal> {
    let read = zone.read(text).map_err(|error| {
        let form = format!("yyyy-MM-ddTHH:mm{}", zone.ending());
        Refusal::new(format!(
            "the time `{what}` is `{text}`: {error}; the form is {form}"
        ))
    });
    Ok(read?.instant)
}
