//! Datasets: in the coordinator, and in the files that it includes.

use std::collections::{BTreeMap, BTreeSet};

use chrono::DateTime;
use hpdlc_core::{
    el::ast::{ExprKind, Part},
    frequency::{Frequency, Interval},
    time::{EndOf, TimeUnit, Zone},
};

use crate::{
    analysis::{
        coordinator::{
            Included,
            schedule::{self, Takes},
        },
        known::KnownJob,
    },
    diagnostics::Sink,
    lints::{
        duplicate_datasets::DuplicateDataset, namespaced_datasets::NamespacedDataset,
        shared_instance_uris::SharedInstanceUri, utc_uri_templates::UtcUriTemplate,
    },
    model::{CoordinatorApp, Template, coordinator::Dataset},
    source::Span,
};

pub(super) mod duplicate_included_dataset;
pub(super) mod initial_instance_before_epoch;

use self::{
    duplicate_included_dataset::DuplicateIncludedDataset,
    initial_instance_before_epoch::InitialInstanceBeforeEpoch,
};

/// The datasets that events can refer to.
pub(super) struct Datasets<'a> {
    pub(super) by_name: BTreeMap<&'a str, &'a Dataset>,
    /// There may be others, in files that were not found.
    pub(super) is_incomplete: bool,
}

pub(super) fn check<'a>(
    app: &'a CoordinatorApp,
    included: &'a Included,
    known: &KnownJob<'_>,
    sink: &mut Sink,
) -> Datasets<'a> {
    let mut by_name: BTreeMap<&str, &Dataset> = BTreeMap::new();
    let read: BTreeSet<String> = app
        .input_events
        .iter()
        .filter_map(|event| Some(known.text(&event.dataset)?.value))
        .collect();
    for file in &included.files {
        if let Some(place) = file.namespaced {
            sink.emit(NamespacedDataset {
                place,
                root: file.root_span,
            });
        }
        for dataset in &file.datasets {
            let name = dataset.name.value.as_str();
            match by_name.get(name) {
                Some(first) if first.name.span.file != dataset.name.span.file => {
                    sink.emit(DuplicateIncludedDataset {
                        name: name.to_owned(),
                        first: first.name.span,
                        second: dataset.name.span,
                    });
                }
                Some(_) => {}
                None => {
                    by_name.insert(name, dataset);
                }
            }
            check_dataset(dataset, &read, known, sink);
        }
    }
    let mut own: BTreeMap<&str, &Dataset> = BTreeMap::new();
    for dataset in &app.datasets {
        let name = dataset.name.value.as_str();
        if let Some(first) = own.insert(name, dataset)
            && !name.is_empty()
        {
            sink.emit(DuplicateDataset {
                name: name.to_owned(),
                first: first.name.span,
                second: dataset.name.span,
            });
        }
        check_dataset(dataset, &read, known, sink);
    }
    by_name.extend(own);
    Datasets {
        by_name,
        is_incomplete: !included.missing.is_empty(),
    }
}

/// `read` are the names of the datasets that input events refer to.
fn check_dataset(
    dataset: &Dataset,
    read: &BTreeSet<String>,
    known: &KnownJob<'_>,
    sink: &mut Sink,
) {
    let initial = schedule::date(
        &dataset.initial_instance,
        "the initial instance",
        known,
        sink,
    );
    if initial.is_some_and(|initial| initial < DateTime::UNIX_EPOCH) {
        sink.emit(InitialInstanceBeforeEpoch {
            place: dataset.initial_instance.span,
        });
    }
    let zone = schedule::timezone(&dataset.timezone, known, sink);
    let frequency = schedule::frequency(&dataset.frequency, Takes::IntervalOnly, known, sink);
    if let Some(Frequency::Every(interval)) = frequency {
        let is_read = read.contains(&dataset.name.value);
        check_uri(dataset, interval, zone, is_read, known, sink);
    }
}

/// The variables of a URI template, from the longest unit of time to the shortest.
const VARIABLES: [&str; 5] = ["YEAR", "MONTH", "DAY", "HOUR", "MINUTE"];

/// Reports where the URI template of a dataset does not distinguish its instances, or gives them dates other than their own.
fn check_uri(
    dataset: &Dataset,
    interval: Interval,
    zone: Option<Zone>,
    is_read: bool,
    known: &KnownJob<'_>,
    sink: &mut Sink,
) {
    let Some(has) = variables(&dataset.uri_template, known) else {
        return;
    };
    let Some(needed) = shortest_variable(interval) else {
        return;
    };
    let missing = VARIABLES
        .iter()
        .zip(has)
        .take(needed + 1)
        .rev()
        .find(|(_, has)| !has)
        .map(|(name, _)| *name);
    if let Some(missing) = missing {
        // An output that each action replaces is harmless.
        if is_read {
            sink.emit(SharedInstanceUri {
                place: dataset.uri_template.span,
                frequency: dataset.frequency.span,
                missing,
            });
        }
        return;
    }
    // The day, but not the hour.
    let is_dated = has[2] && !has[3];
    let is_in_days = interval.unit != TimeUnit::Minute || interval.end_of == Some(EndOf::Day);
    if let Some(zone) = zone
        && is_dated
        && is_in_days
        && !schedule::is_always_utc(
            zone,
            DateTime::UNIX_EPOCH + chrono::Duration::days(50 * 365),
        )
    {
        sink.emit(UtcUriTemplate {
            place: dataset.uri_template.span,
            timezone: dataset.timezone.span,
            zone: dataset.timezone.text.as_str().to_owned(),
        });
    }
}

/// The index in [`VARIABLES`] of the shortest unit needed to distinguish instances. `None` for a dataset that hardly has a
/// second instance: such datasets represent data that never changes.
fn shortest_variable(interval: Interval) -> Option<usize> {
    let n = interval.n;
    let days = match interval.unit {
        TimeUnit::Minute if n < 60 => return Some(4),
        TimeUnit::Minute if n < 1440 => return Some(3),
        TimeUnit::Minute => n / 1440,
        TimeUnit::Hour => n / 24,
        TimeUnit::Day => n,
        TimeUnit::Week => n.saturating_mul(7),
        TimeUnit::Month => n.saturating_mul(30),
        TimeUnit::Year => n.saturating_mul(365),
    };
    match days {
        ..28 => Some(2),
        28..360 => Some(1),
        360..3600 => Some(0),
        3600.. => None,
    }
}

/// Which of [`VARIABLES`] a template has. `None` if a part of it is unknown.
fn variables(template: &Template, known: &KnownJob<'_>) -> Option<[bool; 5]> {
    let mut has = [false; 5];
    if template.is_invalid {
        return None;
    }
    for part in &template.ast.parts {
        let Part::Expr(expr) = part else {
            continue;
        };
        let ExprKind::Variable(name) = &expr.kind else {
            known.value(expr)?;
            continue;
        };
        match VARIABLES.iter().position(|variable| variable == name) {
            Some(position) => has[position] = true,
            None => {
                known.value(expr)?;
            }
        }
    }
    Some(has)
}

/// The place of an event's reference to its dataset, the dataset if it is defined, and its name. `None` if the name is unknown.
pub(super) fn of_event<'a>(
    datasets: &Datasets<'a>,
    reference: &Template,
    known: &KnownJob<'_>,
) -> Option<(Span, Option<&'a Dataset>, String)> {
    let text = known.text(reference)?;
    let found = datasets.by_name.get(text.value.as_str()).copied();
    Some((reference.span, found, text.value))
}
