//! The `coordinator-app` element and its contents.

use crate::{
    lower::{
        check::namespace_of,
        configuration, parameters, sla,
        template::{self, TextSink},
    },
    model::{
        Configuration, CoordinatorApp, CoordinatorVersion, Property,
        coordinator::{Controls, StartedWorkflow},
    },
    source::Spanned,
    syntax::xml::Element,
};

mod dataset;
mod event;
mod input_logic;

pub(super) use self::dataset::included_file;

/// Lowers the application. A coordinator in an unknown namespace is lowered as the newest version, which allows most.
pub(super) fn coordinator_app(
    root: &Element<'_>,
    config_default: Vec<Property>,
    sink: &mut TextSink,
) -> CoordinatorApp {
    let version =
        CoordinatorVersion::from_namespace(namespace_of(root)).unwrap_or(CoordinatorVersion::V0_5);
    let attribute =
        |name: &str, sink: &mut TextSink| template::of_required_attribute(root, name, sink);
    let datasets = root.element("datasets");
    let action = root.element("action");
    CoordinatorApp {
        file: root.file(),
        root_span: root.name_span,
        version,
        name: attribute("name", sink),
        frequency: attribute("frequency", sink),
        start: attribute("start", sink),
        end: attribute("end", sink),
        timezone: attribute("timezone", sink),
        parameters: parameters::parameters(root, sink),
        controls: controls(root, sink),
        includes: datasets
            .as_ref()
            .map_or_else(Vec::new, |section| dataset::includes(section, sink)),
        datasets: datasets
            .as_ref()
            .map_or_else(Vec::new, |section| dataset::datasets(section, sink)),
        async_datasets: datasets
            .as_ref()
            .map_or_else(Vec::new, dataset::async_names),
        input_events: event::inputs(root, sink),
        input_logic: input_logic::input_logic(root, sink),
        output_events: event::outputs(root, sink),
        workflow: action
            .and_then(|action| action.element("workflow"))
            .map(|workflow| started_workflow(&workflow, sink)),
        sla: action.and_then(|action| sla::block(&action, sink)),
        config_default,
    }
}

/// The name in an attribute, which Oozie does not evaluate. Empty if it is missing.
fn plain_name(element: &Element<'_>) -> Spanned<String> {
    match element.attribute("name") {
        Some(name) => Spanned::new(name.value.as_str().to_owned(), name.value_span),
        None => Spanned::new(String::new(), element.name_span),
    }
}

fn controls(root: &Element<'_>, sink: &mut TextSink) -> Controls {
    let Some(controls) = root.element("controls") else {
        return Controls::default();
    };
    Controls::of(|name| template::of_child(&controls, name, sink))
}

fn started_workflow(element: &Element<'_>, sink: &mut TextSink) -> StartedWorkflow {
    StartedWorkflow {
        tag_span: element.name_span,
        app_path: template::of_required_child(element, "app-path", sink),
        configuration: Configuration {
            properties: configuration::own_properties(element, sink),
        },
    }
}
