//! Instances that cannot be there when an action asks for them: those that its own coordinator writes, and those before the
//! dataset begins.

use hpdlc_core::time::TimeUnit;

use crate::{
    analysis::{
        coordinator::{
            datasets::{self, Datasets},
            instances::{self, InstanceFunction},
            schedule,
        },
        known::KnownJob,
    },
    diagnostics::Sink,
    lints::{
        late_initial_instances::LateInitialInstance, misspelt_done_flags::USUAL,
        own_output_inputs::OwnOutputInput,
    },
    model::{
        CoordinatorApp, Template,
        coordinator::{Dataset, Instances},
    },
    source::Span,
};

pub(super) fn check(
    app: &CoordinatorApp,
    datasets: &Datasets<'_>,
    known: &KnownJob<'_>,
    sink: &mut Sink,
) {
    // An input of the input logic may be optional.
    if app.input_logic.is_none() {
        own_outputs(app, datasets, known, sink);
    }
    let inputs = app.input_events.iter().map(|event| {
        let texts = event.instances.texts();
        (&event.name, &event.dataset, texts, true)
    });
    let outputs = app.output_events.iter().map(|event| {
        let texts: Vec<&Template> = event.instances.iter().collect();
        (&event.name, &event.dataset, texts, false)
    });
    for (name, dataset, texts, is_input) in inputs.chain(outputs) {
        if let Some((initial, end)) = begins_late(app, datasets, dataset, &texts, known) {
            sink.emit(LateInitialInstance {
                event: name.value.clone(),
                place: dataset.span,
                initial,
                end,
                is_input,
            });
        }
    }
}

/// An instance relative to the action's own time.
#[derive(Clone, Copy, PartialEq, Eq)]
struct RelativeInstance {
    /// `None` counts instances, and is comparable with any unit at 0 only.
    unit: Option<TimeUnit>,
    n: i64,
}

impl RelativeInstance {
    fn of(template: &Template, known: &KnownJob<'_>) -> Option<RelativeInstance> {
        let (function, call) = instances::only_call(template)?;
        let (unit, n) = instances::position(function, &call, known)?;
        match function {
            InstanceFunction::Current => Some(RelativeInstance { unit: None, n }),
            InstanceFunction::Offset => Some(RelativeInstance {
                unit: (n != 0).then_some(unit),
                n,
            }),
            InstanceFunction::Latest
            | InstanceFunction::Future
            | InstanceFunction::Absolute
            | InstanceFunction::EndOf => None,
        }
    }

    fn is_at_or_after(self, other: RelativeInstance) -> bool {
        let is_comparable = self.unit == other.unit || self.n == 0 || other.n == 0;
        is_comparable && self.n >= other.n
    }
}

/// Reports each input event that has an instance which an output event has at the same time or earlier.
fn own_outputs(
    app: &CoordinatorApp,
    datasets: &Datasets<'_>,
    known: &KnownJob<'_>,
    sink: &mut Sink,
) {
    let dataset =
        |reference: &Template| datasets::of_event(datasets, reference, known).and_then(|it| it.1);
    let outputs: Vec<(&Dataset, &Template, RelativeInstance)> = app
        .output_events
        .iter()
        .filter_map(|event| {
            let instance = event.instances.first()?;
            let at = RelativeInstance::of(instance, known)?;
            Some((dataset(&event.dataset)?, instance, at))
        })
        .collect();
    if outputs.is_empty() {
        return;
    }
    for event in &app.input_events {
        let Some(read) = dataset(&event.dataset) else {
            continue;
        };
        // Of a range, only the last instance can be as late as that.
        let asked = match &event.instances {
            Instances::Each(texts) => texts.as_slice(),
            Instances::Range { end, .. } => std::slice::from_ref(end),
        };
        let found = asked.iter().find_map(|text| {
            let at = RelativeInstance::of(text, known)?;
            let mut outputs = outputs.iter();
            let output = outputs.find(|(written, _, output)| {
                is_same_data(read, written) && at.is_at_or_after(*output)
            })?;
            Some((text, at, output))
        });
        if let Some((text, at, (_, output, written))) = found {
            sink.emit(OwnOutputInput {
                input: event.name.value.clone(),
                place: text.span,
                output: output.span,
                is_same: at.n == written.n,
            });
        }
    }
}

/// Whether two datasets have the same instances at the same URIs, which are there at the same time.
fn is_same_data(one: &Dataset, other: &Dataset) -> bool {
    let texts = |dataset: &Dataset| {
        [
            &dataset.uri_template,
            &dataset.frequency,
            &dataset.initial_instance,
            &dataset.timezone,
        ]
        .map(|text| text.text.as_str().trim().to_owned())
    };
    std::ptr::eq(one, other) || (texts(one) == texts(other) && done_flag(one) == done_flag(other))
}

/// The file that an instance waits for. Another file may be there before the one that the action writes.
fn done_flag(dataset: &Dataset) -> &str {
    let flag = dataset.done_flag.as_ref();
    flag.map_or(USUAL, |flag| flag.text.as_str().trim())
}

/// Where the dataset of an event begins and the coordinator ends, if all of its instances are before the first one.
fn begins_late(
    app: &CoordinatorApp,
    datasets: &Datasets<'_>,
    reference: &Template,
    instances: &[&Template],
    known: &KnownJob<'_>,
) -> Option<(Span, Span)> {
    let (_, dataset, _) = datasets::of_event(datasets, reference, known)?;
    let initial = &dataset?.initial_instance;
    let is_past = |text: &&Template| {
        RelativeInstance::of(text, known).is_some_and(|instance| instance.n <= 0)
    };
    let is_late = schedule::instant(initial, known)? >= schedule::instant(&app.end, known)?;
    (is_late && !instances.is_empty() && instances.iter().all(is_past))
        .then_some((initial.span, app.end.span))
}
