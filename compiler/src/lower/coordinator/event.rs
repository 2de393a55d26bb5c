//! `input-events` and `output-events`.

use crate::{
    lower::{
        coordinator::plain_name,
        template::{self, TextSink},
    },
    model::coordinator::{DataIn, DataOut, Instances},
    syntax::xml::Element,
};

pub(super) fn inputs(root: &Element<'_>, sink: &mut TextSink) -> Vec<DataIn> {
    let Some(section) = root.element("input-events") else {
        return Vec::new();
    };
    section
        .elements_named("data-in")
        .map(|element| DataIn {
            name: plain_name(&element),
            tag_span: element.name_span,
            dataset: template::of_required_attribute(&element, "dataset", sink),
            instances: instances(&element, sink),
        })
        .collect()
}

fn instances(element: &Element<'_>, sink: &mut TextSink) -> Instances {
    let is_range =
        element.element("start-instance").is_some() || element.element("end-instance").is_some();
    if is_range {
        Instances::Range {
            start: template::of_required_child(element, "start-instance", sink),
            end: template::of_required_child(element, "end-instance", sink),
        }
    } else {
        Instances::Each(template::of_children(element, "instance", sink))
    }
}

pub(super) fn outputs(root: &Element<'_>, sink: &mut TextSink) -> Vec<DataOut> {
    let Some(section) = root.element("output-events") else {
        return Vec::new();
    };
    section
        .elements_named("data-out")
        .map(|element| DataOut {
            name: plain_name(&element),
            tag_span: element.name_span,
            dataset: template::of_required_attribute(&element, "dataset", sink),
            instances: template::of_children(&element, "instance", sink),
            nocleanup: template::of_optional_attribute(&element, "nocleanup", sink),
        })
        .collect()
}
