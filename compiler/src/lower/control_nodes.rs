//! Control flow nodes.

use crate::{
    lower::{
        check,
        template::{self, TextSink},
    },
    model::{Case, Decision, Fork, ForkPath, Join, Kill, Start},
    source::Spanned,
    syntax::xml::Element,
};

pub(super) fn start(element: &Element<'_>) -> Start {
    Start {
        to: target(element, "to"),
    }
}

pub(super) fn join(element: &Element<'_>) -> Join {
    Join {
        to: target(element, "to"),
    }
}

pub(super) fn kill(element: &Element<'_>, sink: &mut TextSink) -> Kill {
    Kill {
        message: template::of_required_child(element, "message", sink),
        fails_job: false,
    }
}

pub(super) fn fork(element: &Element<'_>) -> Fork {
    Fork {
        paths: element
            .elements_named("path")
            .map(|path| ForkPath {
                start: target(&path, "start"),
            })
            .collect(),
    }
}

pub(super) fn decision(element: &Element<'_>, sink: &mut TextSink) -> Decision {
    let Some(switch) = element.element("switch") else {
        return Decision {
            cases: Vec::new(),
            default: None,
        };
    };
    Decision {
        cases: switch
            .elements_named("case")
            .map(|case| Case {
                predicate: template::of_element(&case, sink),
                to: target(&case, "to"),
            })
            .collect(),
        default: switch
            .element("default")
            .map(|default| target(&default, "to")),
    }
}

/// The node that an attribute of `element` refers to; empty, with the span of the element's name, if it is missing or not a
/// valid name, which has been reported.
pub(super) fn target(element: &Element<'_>, attribute: &str) -> Spanned<String> {
    match element.attribute(attribute) {
        Some(attribute) if check::is_node_name(attribute.value.as_str()) => {
            Spanned::new(attribute.value.as_str().to_owned(), attribute.value_span)
        }
        Some(attribute) => Spanned::new(String::new(), attribute.value_span),
        None => Spanned::new(String::new(), element.name_span),
    }
}
