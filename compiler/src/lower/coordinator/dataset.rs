//! `datasets`, in the coordinator itself and in included files.

use crate::{
    lower::{
        coordinator::plain_name,
        template::{self, TextSink},
    },
    model::{
        Template,
        coordinator::{Dataset, IncludedFile},
    },
    source::Spanned,
    syntax::xml::Element,
};

/// The included files with further datasets.
pub(super) fn includes(section: &Element<'_>, sink: &mut TextSink) -> Vec<Template> {
    template::of_children(section, "include", sink)
}

pub(super) fn datasets(section: &Element<'_>, sink: &mut TextSink) -> Vec<Dataset> {
    section
        .elements_named("dataset")
        .map(|element| dataset(&element, sink))
        .collect()
}

/// The names of the datasets that Oozie ignores.
pub(super) fn async_names(section: &Element<'_>) -> Vec<Spanned<String>> {
    section
        .elements_named("async-dataset")
        .map(|element| plain_name(&element))
        .collect()
}

/// Lowers the root of a file that an `include` refers to.
pub(in crate::lower) fn included_file(root: &Element<'_>, sink: &mut TextSink) -> IncludedFile {
    let is_namespaced = |element: &Element<'_>| {
        element
            .name
            .namespace()
            .is_some_and(|namespace| !namespace.is_empty())
    };
    IncludedFile {
        file: root.file(),
        root_span: root.name_span,
        includes: includes(root, sink),
        datasets: datasets(root, sink),
        namespaced: root
            .elements_named("dataset")
            .find(is_namespaced)
            .map(|element| element.name_span),
    }
}

fn dataset(element: &Element<'_>, sink: &mut TextSink) -> Dataset {
    Dataset {
        name: plain_name(element),
        tag_span: element.name_span,
        frequency: template::of_required_attribute(element, "frequency", sink),
        initial_instance: template::of_required_attribute(element, "initial-instance", sink),
        timezone: template::of_required_attribute(element, "timezone", sink),
        uri_template: template::of_required_child(element, "uri-template", sink),
        done_flag: template::of_child(element, "done-flag", sink),
    }
}
