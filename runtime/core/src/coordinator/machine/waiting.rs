//! The state of an action that waits for its data.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use chrono::{DateTime, Utc};

use crate::coordinator::{
    ActionFacts, Coordinator, DataAvailability, Dataset, EventUris, InputState, InstanceError,
    Logic, LogicKind, Searched,
    machine::{ActionRecord, FoundSet},
};

/// What an action waits for, in memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Waiting {
    /// The fixed instances of all inputs, numbered as in [`FoundSet`].
    pub(super) fixed: Vec<FixedInstance>,
    /// The inputs that have searches.
    pub(super) searching: Vec<usize>,
    /// The instances that are being checked.
    pub(super) wanted: BTreeSet<u32>,
    /// Those of them without an answer so far.
    pub(super) unanswered: BTreeSet<u32>,
    /// Searches are pending.
    pub(super) is_searching: bool,
    /// By input: the result of the search in this pass.
    pub(super) searched: Vec<Searched>,
    /// The instances found, if there are enough.
    pub(super) found: BTreeMap<usize, Vec<DateTime<Utc>>>,
}

/// An instance that is determined by the nominal time alone.
#[derive(Clone, Debug)]
pub(super) struct FixedInstance {
    pub(super) input: usize,
    pub(super) instance: DateTime<Utc>,
    /// The URI of the instance.
    pub(super) uri: String,
    /// The URI that must exist: that of the done flag.
    pub(super) done_uri: Arc<str>,
}

impl Waiting {
    /// # Errors
    ///
    /// The event, and why its instances cannot be determined.
    pub(super) fn new(
        coordinator: &Coordinator,
        record: &ActionRecord,
    ) -> Result<Waiting, (String, InstanceError)> {
        let data = coordinator.data_of(record.nominal)?;
        let mut waiting = Waiting::default();
        for (input, (event, instances)) in coordinator.inputs.iter().zip(&data.inputs).enumerate() {
            for time in &instances.fixed {
                let uri = event.dataset.uri(*time);
                waiting.fixed.push(FixedInstance {
                    input,
                    instance: *time,
                    done_uri: Arc::from(event.dataset.done_uri(&uri)),
                    uri,
                });
            }
            let has_searches = !instances.searches.is_empty();
            if has_searches {
                waiting.searching.push(input);
            }
            // What was found before a rerun is kept.
            let kept = record.inputs.searched.get(input).and_then(Option::as_ref);
            waiting.searched.push(if has_searches {
                Searched::Open
            } else {
                Searched::None
            });
            if let Some(times) = kept {
                waiting.has_found(coordinator, input, Some(times.clone()));
            }
        }
        Ok(waiting)
    }

    /// A search has found these instances of an input, or not enough.
    pub(super) fn has_found(
        &mut self,
        coordinator: &Coordinator,
        input: usize,
        times: Option<Vec<DateTime<Utc>>>,
    ) {
        let (Some(event), Some(searched)) =
            (coordinator.inputs.get(input), self.searched.get_mut(input))
        else {
            return;
        };
        match times {
            Some(times) => {
                let uris = times.iter().map(|time| event.dataset.uri(*time)).collect();
                *searched = Searched::Found(uris);
                self.found.insert(input, times);
            }
            None => *searched = Searched::TooFew,
        }
    }

    /// Discards the results of this pass.
    pub(super) fn search_again(&mut self) {
        self.found.clear();
        for input in &self.searching {
            self.searched[*input] = Searched::Open;
        }
    }

    /// The inputs as the input logic sees them.
    pub(super) fn input_states(&self, found: &FoundSet) -> Vec<InputState> {
        let mut states: Vec<InputState> = self
            .searched
            .iter()
            .map(|searched| InputState {
                fixed: Vec::new(),
                searched: searched.clone(),
            })
            .collect();
        for (n, fixed) in (0..).zip(&self.fixed) {
            if let Some(state) = states.get_mut(fixed.input) {
                state.fixed.push((fixed.uri.clone(), found.contains(n)));
            }
        }
        states
    }

    /// Every request has been answered.
    pub(super) fn is_answered(&self) -> bool {
        self.unanswered.is_empty() && !self.is_searching
    }
}

impl Logic {
    /// The inputs that the logic names, by number.
    pub(super) fn inputs(&self) -> BTreeSet<usize> {
        match &self.kind {
            LogicKind::And(nodes) | LogicKind::Or(nodes) => {
                nodes.iter().flat_map(Logic::inputs).collect()
            }
            LogicKind::Combine(numbers, _) => numbers.iter().copied().collect(),
            LogicKind::Input(number, _) => BTreeSet::from([*number]),
        }
    }

    /// The minutes after which the result may change, whatever is available.
    pub(super) fn waits(&self) -> BTreeSet<i64> {
        match &self.kind {
            LogicKind::And(nodes) | LogicKind::Or(nodes) => {
                nodes.iter().flat_map(Logic::waits).collect()
            }
            LogicKind::Combine(_, enough) | LogicKind::Input(_, enough) => {
                BTreeSet::from([enough.wait])
            }
        }
    }
}

/// An instance that an action waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The name of the `data-in`.
    pub event: String,
    pub dataset: String,
    pub instance: DateTime<Utc>,
    /// The URI that must exist: that of the done flag, if there is one.
    pub uri: String,
}

/// The fixed instances that an action waits for, in the order in which they are checked: the first one is certain to be missing.
/// Empty if its instances cannot be determined. `latest` and `future` are searched once there are none.
pub fn missing(coordinator: &Coordinator, record: &ActionRecord) -> Vec<Missing> {
    let Ok(data) = coordinator.data_of(record.nominal) else {
        return Vec::new();
    };
    let events = coordinator.inputs.iter().zip(&data.inputs);
    let instances = events.flat_map(|(event, instances)| {
        instances.fixed.iter().map(move |time| {
            let dataset = &event.dataset;
            (event, *time, dataset.done_uri(&dataset.uri(*time)))
        })
    });
    (0..)
        .zip(instances)
        .filter(|(n, _)| !record.inputs.found.contains(*n))
        .map(|(_, (event, instance, uri))| Missing {
            event: event.name.clone(),
            dataset: event.dataset.name.clone(),
            instance,
            uri,
        })
        .collect()
}

/// An input by index, and the instances found for it; `None` if it has not found enough.
pub type FoundInstances = (usize, Option<Vec<DateTime<Utc>>>);

/// Searches the instances of `latest` and `future` of some inputs: for each either the results of all its searches, in order, or
/// `None` if one of them has not found enough.
///
/// # Errors
///
/// What `availability` reports.
pub fn search_inputs<A: DataAvailability>(
    coordinator: &Coordinator,
    record: &ActionRecord,
    inputs: &[usize],
    availability: &mut A,
) -> Result<Vec<FoundInstances>, A::Error> {
    search_instances(coordinator, record, inputs, |dataset, time| {
        availability.is_there(&dataset.done_uri(&dataset.uri(time)))
    })
}

/// As [`search_inputs`], with instances checked by time.
pub(in crate::coordinator) fn search_instances<E>(
    coordinator: &Coordinator,
    record: &ActionRecord,
    inputs: &[usize],
    mut is_there: impl FnMut(&Dataset, DateTime<Utc>) -> Result<bool, E>,
) -> Result<Vec<FoundInstances>, E> {
    let Ok(data) = coordinator.data_of(record.nominal) else {
        return Ok(Vec::new());
    };
    let mut results = Vec::new();
    for &input in inputs {
        let (Some(event), Some(instances)) =
            (coordinator.inputs.get(input), data.inputs.get(input))
        else {
            continue;
        };
        let dataset = &*event.dataset;
        let mut times = Some(Vec::new());
        for search in &instances.searches {
            let mut state = search.start(dataset, record.nominal, record.created);
            while let Some(time) = state.candidate(dataset) {
                state.answer(time, is_there(dataset, time)?);
            }
            times = times.zip(state.result()).map(|(mut times, found)| {
                times.extend(found);
                times
            });
            if times.is_none() {
                break;
            }
        }
        results.push((input, times));
    }
    Ok(results)
}

/// The facts that functions in the configuration of an action's workflow see. `id` is that of the action.
///
/// # Errors
///
/// The event, and why its instances cannot be determined.
pub fn facts(
    coordinator: &Coordinator,
    record: &ActionRecord,
    id: String,
) -> Result<ActionFacts, (String, InstanceError)> {
    let data = coordinator.data_of(record.nominal)?;
    let mut facts = coordinator.facts_of(record.action(), &data);
    facts.id = Some(id);
    facts.actual = Some(record.created);
    let searched = record.inputs.searched.iter();
    for ((event, instances), found) in coordinator.inputs.iter().zip(&data.inputs).zip(searched) {
        if let Some(found) = found {
            let times = found.iter().chain(&instances.fixed);
            let uris = times.map(|time| event.dataset.uri(*time)).collect();
            facts
                .inputs
                .insert(event.name.clone(), EventUris(Some(uris)));
        }
    }
    for (name, uris) in &record.inputs.named {
        facts
            .inputs
            .insert(name.clone(), EventUris(Some(uris.clone())));
    }
    Ok(facts)
}

/// The outputs of an action that a rerun removes, by the names of its `data-out`: all except those that `latest` and `future`
/// would have to search for.
pub fn outputs_to_clean(coordinator: &Coordinator, record: &ActionRecord) -> Vec<(String, String)> {
    let Ok(data) = coordinator.data_of(record.nominal) else {
        return Vec::new();
    };
    let events = coordinator.outputs.iter().zip(&data.outputs);
    events
        .flat_map(|(event, instances)| {
            let uris = instances.fixed.iter().map(|time| event.dataset.uri(*time));
            uris.map(|uri| (event.name.clone(), uri))
        })
        .collect()
}
