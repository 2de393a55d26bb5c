//! A coordinator as used by the executables that run it, and by `schedule`: texts without spans.

use std::{collections::BTreeMap, sync::Arc};

use hpdlc_core::{
    coordinator::{
        CoordinatorDefinition, DatasetText, EventText, InstanceTexts, LogicText, LogicTextKind,
    },
    el::text::Text,
};

use crate::{
    analysis::coordinator::Included,
    model::{
        CoordinatorApp, Template,
        coordinator::{Dataset, Instances, LogicKind, LogicNode},
    },
};

/// The definition of `app`. Its own datasets override included ones of the same name; of two in one document the last one
/// takes effect, as in Oozie.
pub fn definition(app: &CoordinatorApp, included: &Included) -> CoordinatorDefinition {
    let mut datasets: BTreeMap<String, DatasetText> = BTreeMap::new();
    for dataset in included.files.iter().flat_map(|file| &file.datasets) {
        datasets
            .entry(dataset.name.value.clone())
            .or_insert_with(|| dataset_text(dataset));
    }
    for dataset in &app.datasets {
        datasets.insert(dataset.name.value.clone(), dataset_text(dataset));
    }
    let inputs = app.input_events.iter().map(|event| EventText {
        name: event.name.value.clone(),
        dataset: text(&event.dataset),
        instances: match &event.instances {
            Instances::Each(instances) => InstanceTexts::Each(instances.iter().map(text).collect()),
            Instances::Range { start, end } => InstanceTexts::Range {
                start: text(start),
                end: text(end),
            },
        },
    });
    let outputs = app.output_events.iter().map(|event| EventText {
        name: event.name.value.clone(),
        dataset: text(&event.dataset),
        instances: InstanceTexts::Each(event.instances.iter().map(text).collect()),
    });
    CoordinatorDefinition {
        name: text(&app.name),
        frequency: text(&app.frequency),
        start: text(&app.start),
        end: text(&app.end),
        timezone: text(&app.timezone),
        controls: app.controls.map(text),
        datasets,
        inputs: inputs.collect(),
        // Only the first is used; any others have been reported.
        input_logic: app
            .input_logic
            .as_ref()
            .and_then(|logic| logic.nodes.first())
            .map(logic_text),
        outputs: outputs.collect(),
        sla: app.sla.as_ref().map(|sla| sla.texts.map(text)),
    }
}

fn dataset_text(dataset: &Dataset) -> DatasetText {
    DatasetText {
        frequency: text(&dataset.frequency),
        initial_instance: text(&dataset.initial_instance),
        timezone: text(&dataset.timezone),
        uri_template: text(&dataset.uri_template),
        done_flag: dataset.done_flag.as_ref().map(text),
    }
}

fn logic_text(node: &LogicNode) -> LogicText {
    let nodes = || node.nodes.iter().map(logic_text).collect();
    LogicText {
        kind: match &node.kind {
            LogicKind::And => LogicTextKind::And(nodes()),
            LogicKind::Or => LogicTextKind::Or(nodes()),
            LogicKind::Combine => LogicTextKind::Combine(nodes()),
            LogicKind::DataIn(dataset) => LogicTextKind::Input(text(dataset)),
        },
        name: node.name.as_ref().map(text),
        min: node.min.as_ref().map(text),
        wait: node.wait.as_ref().map(text),
    }
}

fn text(template: &Template) -> Text {
    Arc::clone(&template.ast).into()
}
