//! Input and output events: their names, and the datasets that they refer to.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    analysis::{
        coordinator::datasets::{self, Datasets},
        known::KnownJob,
        similar_names::SimilarNames,
    },
    diagnostics::Sink,
    model::{CoordinatorApp, Template},
    source::{Span, Spanned},
};

pub(super) mod duplicate_event;
pub(super) mod undefined_dataset;

use self::{duplicate_event::DuplicateEvent, undefined_dataset::UndefinedDataset};

pub(super) fn check(
    app: &CoordinatorApp,
    datasets: &Datasets<'_>,
    known: &KnownJob<'_>,
    sink: &mut Sink,
) {
    check_names(
        "data-in",
        app.input_events.iter().map(|event| &event.name),
        sink,
    );
    check_names(
        "data-out",
        app.output_events.iter().map(|event| &event.name),
        sink,
    );
    let mut similar_names = SimilarNames::default();
    let inputs = app.input_events.iter().map(|event| &event.dataset);
    let outputs = app.output_events.iter().map(|event| &event.dataset);
    let async_datasets: BTreeSet<&str> = app
        .async_datasets
        .iter()
        .map(|dataset| dataset.value.as_str())
        .collect();
    for reference in inputs.chain(outputs) {
        check_dataset(
            &async_datasets,
            reference,
            datasets,
            known,
            &mut similar_names,
            sink,
        );
    }
}

fn check_names<'a>(
    element: &'static str,
    names: impl Iterator<Item = &'a Spanned<String>>,
    sink: &mut Sink,
) {
    let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
    for name in names.filter(|name| !name.value.is_empty()) {
        match seen.get(name.value.as_str()) {
            Some(&first) => sink.emit(DuplicateEvent {
                element,
                name: name.value.clone(),
                first,
                second: name.span,
            }),
            None => {
                seen.insert(&name.value, name.span);
            }
        }
    }
}

fn check_dataset(
    async_datasets: &BTreeSet<&str>,
    reference: &Template,
    datasets: &Datasets<'_>,
    known: &KnownJob<'_>,
    similar_names: &mut SimilarNames,
    sink: &mut Sink,
) {
    let Some((place, None, name)) = datasets::of_event(datasets, reference, known) else {
        return;
    };
    let is_async = async_datasets.contains(name.as_str());
    if datasets.is_incomplete && !is_async {
        return;
    }
    sink.emit(UndefinedDataset {
        place,
        similar: similar_names.nearest(&name, datasets.by_name.keys().copied()),
        is_async,
        name,
    });
}
