//! Datasets: in the coordinator, and in the files that it includes.

use std::collections::{BTreeMap, BTreeSet};

use chrono::DateTime;
use hpdlc_core::{
    el::{
        ast::{Expr, ExprKind, Part},
        parser,
        value::Value,
    },
    frequency::{Frequency, Interval},
    slips::is_slip,
    time::{EndOf, TimeUnit, Zone},
};

use crate::{
    analysis::{
        coordinator::{
            Included,
            schedule::{self, Takes},
        },
        known::KnownJob,
        known_values,
    },
    diagnostics::Sink,
    lints::{
        duplicate_datasets::DuplicateDataset,
        misspelt_done_flags::{MisspeltDoneFlag, USUAL},
        namespaced_datasets::NamespacedDataset,
        shared_instance_uris::SharedInstanceUri,
        utc_uri_templates::UtcUriTemplate,
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
    if let Some(done_flag) = &dataset.done_flag
        && read.contains(&dataset.name.value)
        && let Some(flag) = done_flag.literal().map(str::trim)
        && !flag.eq_ignore_ascii_case(USUAL)
        && flag.contains('_')
        && is_slip(flag, USUAL)
    {
        sink.emit(MisspeltDoneFlag {
            flag: flag.to_owned(),
            place: done_flag.span,
        });
    }
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

/// Which of [`VARIABLES`] a template has. `None` if a part of it is unknown that may have others.
///
/// Oozie evaluates a template twice: at submission, where each of the variables stands for itself and `${"$"}{MONTH + 0}` becomes
/// `${MONTH + 0}`, and for each instance.
fn variables(template: &Template, known: &KnownJob<'_>) -> Option<[bool; 5]> {
    if template.is_invalid {
        return None;
    }
    let kept = parser::parse_template(&submitted(template, known)).ok()?;
    let mut has = [false; 5];
    let mut is_unknown = false;
    for expr in kept.expressions() {
        let mut names = BTreeSet::new();
        known_values::collect_names(expr, &mut names);
        let mut is_dated = false;
        for (has, variable) in has.iter_mut().zip(VARIABLES) {
            let is_named = names.remove(variable);
            *has |= is_named;
            is_dated |= is_named;
        }
        if !names.is_empty() || !is_dated && !is_user(expr) {
            // The value may have variables, but hardly the shorter ones before the longest.
            if has.contains(&true) {
                return None;
            }
            is_unknown = true;
        }
    }
    (!is_unknown || has[0]).then_some(has)
}

/// A template after the evaluation at submission, with what is unknown as it is written.
fn submitted(template: &Template, known: &KnownJob<'_>) -> String {
    let written = template.text.as_str();
    let mut text = String::with_capacity(written.len());
    for part in &template.ast.parts {
        let expr = match part {
            Part::Text(part, _) => {
                text.push_str(part);
                continue;
            }
            Part::Expr(expr) => expr,
        };
        let value = match &expr.kind {
            ExprKind::Variable(name) if VARIABLES.contains(&name.as_str()) => None,
            ExprKind::Variable(name) => known.property(name).map(str::to_owned),
            _ => known.value(expr).map(Value::into_text),
        };
        if let Some(value) = value {
            text.push_str(&value);
        } else {
            let expr = written.get(expr.range.start..expr.range.end);
            text.push_str("${");
            text.push_str(expr.unwrap_or_default());
            text.push('}');
        }
    }
    text
}

/// Whether an expression is the name of the user, which has no variables.
fn is_user(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Call { name, args, .. } if name == "user" && args.is_empty())
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
